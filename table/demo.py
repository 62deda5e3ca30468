"""The demo with a window: robots, virtual camera, the eye, the controller, the journal and the screen."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

from table.app import App, check_display, welcome
from table.controller import Controller
from table.enrolling import Enrolling
from table.evidence import Recorder
from table.evidence_shelf import Shelf, beside
from table.field import Field
from table.headless import forget
from table.home import field_directory
from table.inputs import Tapped
from table.journal import Journal
from table.ledger import Ledger, events_of
from table.sight import Sight
from table.sources import VirtualSource, yield_to_the_window
from table.sync_decks import Decks
from table.sync_errands import Errands
from table.sync_pairing import Continued, Pairing, take_over
from table.sync_pictures import ShelfPictures
from table.sync_start import link_for, standing
from table.tally import stands_at
from table.virtual import Sees, Studio, eyes_of, record_after, record_of
from table.words import Words
from vision.profiles import DeckProfile


def run(
    seed: int,
    profile: str,
    path: Path,
    language: str,
    speed: float = 1.0,
    resume: bool = False,
    ruleset: str = "national",
    inset: bool = True,
    venue: Callable[[], Pairing | None] | None = None,
    studio: Studio | None = None,
    continued: Continued | None = None,
) -> None:
    """Show the demo until its window is closed; *venue* waits for the demo's venue and pairs the table there.

    *continued* is the match of the machine that it replaces there: robots play it on.

    :raises CannotShow: when there is no display to show a window on.
    :raises JournalRefused: when the journal cannot be used.
    """
    check_display()
    welcome(language, Words(language)("demo.title"), inset)
    if not resume:
        forget(path)
    with contextlib.closing(Journal(path)) as journal:
        if continued is not None:
            take_over(journal, continued, time.time())
        pictures = ShelfPictures(Shelf(beside(path)))
        if not resume:
            pictures.shelf.forget()  # of a match that nobody goes on with
        evidence = Recorder(pictures.shelf, time.time, ready=pictures.stored, field=Field(field_directory()))
        if not resume:
            evidence.shelf.forget()  # the last demo's pictures go with its journal
        app = stage(journal, seed, profile, language, speed, ruleset, inset, studio, evidence)
        known = (continued.match, len(continued.lines)) if continued is not None else None
        if venue is not None:
            source, sight = app.source, Sight()
            assert isinstance(source, VirtualSource)
            app.link = link_for(
                journal, source.inputs.put, source.now, lambda: sight.look(*source.sees()), inset, pictures,
                Errands([Decks(_deck_path(journal.path), _eye_of, source.next_eye.hand, reads="")]),
            )  # fmt: skip
            threading.Thread(target=_join, args=(app, venue, known), name="pairing", daemon=True).start()
        try:
            app.run(seconds=_seconds())
        finally:
            evidence.close()
            if app.link is not None:
                app.link.close()
        if app.source.failed.error is not None:
            raise app.source.failed.error
        if inset:  # a table goes on by itself at its next start
            print(app.words("demo.leaving"))


def _join(app: App, venue: Callable[[], Pairing | None], known: tuple[str, int] | None) -> None:
    pairing = venue()  # the demo does not wait for it
    if pairing is not None and app.link is not None:
        app.link.join(pairing, known)
        with app.source.lock:
            raised = standing(app.controller.desk)
        app.link.told(raised)


def stage(
    journal: Journal,
    seed: int,
    profile: str,
    language: str = "zh",
    speed: float = 1.0,
    ruleset: str = "national",
    inset: bool = True,
    studio: Studio | None = None,
    evidence: Recorder | None = None,
) -> App:
    """A window on a virtual table that goes on where *journal* stands, or begins; already running."""
    epochs = journal.epochs()
    number = epochs[-1] if epochs else 1
    journaled = events_of(journal.entries(number)) if epochs else []
    lines = [event for event, known in journaled if known.get("from") == "venue"]
    if lines:
        profile, ruleset = str(lines[0].data.get("profile", profile)), str(lines[0].data["ruleset"])
        start = max(len(lines), stands_at(record_after(lines, seed, number), journaled))
    else:
        start = stands_at(record_of(seed, number, profile, None, ruleset), journaled) if journaled else 0
    source = VirtualSource(
        seed, profile, ruleset, speed, number, start, studio, evidence, lambda: _enrolling(journal.path), lines
    )
    head = source.table.record[0].data
    controller = Controller(ruleset, profile, head.get("names"), head.get("options"), learns="any")
    device = "table" if lines else "demo"  # a match that was taken over goes on under the name it came with
    ledger = Ledger(journal, time.time, device, epoch=number if journaled else number - 1)
    app = App(controller, ledger, source, language, demo=inset, title=Words(language)("demo.title"))
    if evidence is not None:
        evidence.start(lambda: app.controller.desk, lambda: ledger.epoch)
    if journaled:
        people = source.table.people
        people.told(controller.resume(journaled, source.now()), source.now())
        people.ask_again(controller.desk, source.now())
        people.recall(start)
        app.view = controller.view
        app.hold()
        if len(lines) == len(journaled) and controller.desk.match.phase == "deal":
            # Robots cannot know what was in the players' hands.
            app.take(Tapped(source.now(), "score_this"))
    else:
        app.take(Tapped(source.now(), "start"))
    source.start(lambda: controller.desk)
    return app


def _deck_path(journal: Path) -> Path:
    """What a visitor saves of the demo's cards, and what the venue hands out, lies beside the journal."""
    return journal.with_suffix(".deck")


def _enrolling(journal: Path) -> Enrolling:
    """Learns the demo's own cards, shown by a virtual person."""
    from vision.detector import Detector
    from vision.reader import Reader

    return Enrolling(_deck_path(journal), Detector(), Reader(), lambda: time.strftime("%Y-%m-%d"), yield_to_the_window)


def _eye_of(file: Path | None) -> Callable[[], Sees]:
    """What makes the eye that reads with the deck profile in *file*, None for common cards."""
    return eyes_of(None if file is None else DeckProfile.load(file))


def _seconds() -> float | None:
    """For the tests and the screenshot: how long the window stays open by itself."""
    given = os.environ.get("GUANDAN_DEMO_SECONDS")
    return float(given) if given else None
