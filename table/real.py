"""The companion on a real table: a camera, the eye, the controller, the journal, the screen and what hangs at its
edge."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from hardware import kit
from hardware.devices import Pressed
from hardware.kit import Kit
from hardware.paper import Bitmap
from hardware.probe import PLAUSIBLE
from hardware.speaker import Speaker
from hardware.wiring import Wiring
from table.calibrating import Calibrating
from table.camera_service import CameraService, held_path, hold
from table.controller import Controller
from table.evidence import Recorder
from table.evidence_shelf import Shelf, beside
from table.field import Field
from table.fittings import Fitted, Fittings
from table.home import (
    code_path,
    deck_profile_path,
    field_directory,
    known_devices_path,
    release_directory,
    settings_path,
)
from table.inputs import Tapped
from table.journal import Journal
from table.known_devices import KnownDevices
from table.ledger import Ledger, events_of
from table.own_deck import lost
from table.settings import kept, kept_code
from table.sight import Sight
from table.sync_decks import Decks
from table.sync_errands import Errands
from table.sync_pairing import Continued, Pairing, take_over
from table.sync_pictures import ShelfPictures
from table.sync_release import Release
from table.sync_start import at_rest, link_for, standing
from table.watchdog import Watchdog
from table.words import Words
from vision.profiles import DeckProfile

RESERVE = 16 << 20
"""Bytes kept back for a disk that runs full: the rest of an evening."""
KEPT = 200
"""Matches that stay in the journal."""
MAT_S = 6.0
"""Seconds in which a mat that lies there is found."""
TOLD_S = 30.0
"""Seconds for which the screen says what can wait: a record restored, a deck to learn again, an unset clock."""


def run(
    camera: CameraService,
    path: Path,
    ruleset: str,
    profile: str,
    language: str,
    resume: bool = True,
    fullscreen: bool = True,
    venue: Pairing | None = None,
    continued: Continued | None = None,
    wiring: Wiring | None = None,
    deck: DeckProfile | None = None,
    deck_fixed: bool = False,
    deck_lost: bool = False,
    bundle: Callable[[], Path] | None = None,
) -> None:
    """Run the table until its window is closed; a match that was cut off goes on where the journal stands.

    *venue* is where it belongs, *continued* the match of the machine that it replaces there, *wiring* its pads and
    lamps (None: keys stand for them), *deck* what the venue's own cards look like, *deck_fixed* whether that was said
    at the start, so that the venue's word does not change it, *deck_lost* whether the one learned here was unreadable.
    *bundle* writes the file that helps from afar, for a button of the diagnostics, and says where.

    :raises CannotShow: when there is no display to show a window on.
    :raises JournalRefused: when the journal cannot be used.
    :raises HardwareRefused: when pins are asked for and cannot be had.
    """
    from table.app import App, check_display, welcome
    from table.enrolling import Enrolling
    from table.sources import CameraSource, yield_to_the_window
    from vision.detector import Detector
    from vision.enrolment.prototypes import with_profile
    from vision.eye import Eye
    from vision.reader import Reader

    check_display()
    settings, code = kept(settings_path(), language), kept_code(code_path())
    welcome(settings.language, "Guandan", fullscreen=fullscreen, rotation=settings.rotation)
    with contextlib.closing(Journal(path, survive=True, reserve=RESERVE)) as journal:
        taken = take_over(journal, continued, time.time()) if continued is not None else 0
        journal.forget(KEPT)
        pictures = ShelfPictures(Shelf(beside(path)))
        evidence = Recorder(pictures.shelf, time.time, ready=pictures.stored, field=Field(field_directory()))
        detector, reader = Detector(), Reader()
        enrolling = Enrolling(deck_profile_path(), detector, reader, _today, yield_to_the_window)

        def eye_of(profile: DeckProfile | None) -> Callable[[], Eye]:
            knows = with_profile(reader, profile)
            return lambda: Eye(detector, knows)

        def learned(profile: DeckProfile) -> Eye:
            decks.learned()
            return eye_of(profile)()

        source = CameraSource(camera, eye_of(deck)(), evidence, enrolling, learned)
        decks = Decks(
            deck_profile_path(), lambda file: eye_of(None if file is None else DeckProfile.load(file)),
            source.next_eye.hand, deck_fixed, "" if deck_lost else None,
        )  # fmt: skip
        source.next_eye.at_once = continued is not None
        source.begins(camera.t)
        source.calibrating = _calibrating(camera, path)

        def controls() -> Controller:
            return Controller(ruleset, profile, settings=settings, code=code, learns="between", calibrates=True,
                              bundles=bundle is not None)  # fmt: skip

        controller = controls()
        epochs = journal.epochs()
        ledger = Ledger(journal, time.time, epoch=epochs[-1] if epochs else 0)
        fittings = Fittings(_devices(wiring), source.inputs.put, source.now, lambda dots: _slip(app, dots),
                            KnownDevices(known_devices_path()))  # fmt: skip
        app = App(controller, ledger, Fitted(source, fittings), language, fullscreen=fullscreen,
                  settings_path=settings_path())  # fmt: skip
        if epochs and resume:
            journaled = events_of(journal.entries(epochs[-1]))
            going = controls()
            going.resume(journaled, source.now())
            if going.desk.match.result is None or going.desk.match.signed != {"NS", "EW"}:
                app.controller = controller = going
                app.view = going.view
        if taken and app.controller.desk.match.phase == "deal":
            # Nobody saw what was played since the other machine was heard last.
            app.take(Tapped(source.now(), "score_this"))
        evidence.start(lambda: app.controller.desk, lambda: ledger.epoch)
        if venue is not None:
            sight = Sight()
            app.link = link_for(
                journal, source.inputs.put, source.now, lambda: sight.look(*source.sees()), pictures=pictures,
                errands=Errands([decks, Release(release_directory(), lambda: at_rest(app.controller.desk))]),
            )  # fmt: skip
            app.link.join(venue, (continued.match, len(continued.lines)) if continued is not None else None)
            app.link.told(standing(app.controller.desk))
        app.machine = _troubles(camera, journal, lambda: source.sees()[1] is not None, deck_lost)
        app.bundle = bundle
        app.deck_lost = lambda: lost(deck_profile_path())
        hold(held_path(path), camera.locked)
        watchdog = Watchdog(time.monotonic)

        def beat() -> bool:
            if app.frames:
                watchdog.ready()
            fittings.beat()
            watchdog.turned(source.looked_at, camera.state)
            return False

        source.start(lambda: controller.desk)
        fittings.start()
        try:
            app.run(until=beat)
        finally:
            watchdog.stopping()
            evidence.close()
            if app.link is not None:
                app.link.close()
        if source.failed.error is not None:
            raise source.failed.error


def _calibrating(camera: CameraService, path: Path) -> Calibrating:
    """What the page of the camera's place asks; a recorded film holds no exposure."""

    def relight() -> Mapping[str, Any] | None:
        locked = camera.relight()
        hold(held_path(path), locked)
        return locked

    return Calibrating(None if camera.what.startswith("video:") else relight, camera.locked)


def _today() -> str:
    """The date for a file made now; empty while the clock is not set."""
    return time.strftime("%Y-%m-%d") if time.time() >= PLAUSIBLE else ""


def _devices(wiring: Wiring | None) -> Callable[[Pressed], Kit]:
    if wiring is None:
        return lambda pressed: kit.fake(pressed, sounder=Speaker())
    return lambda pressed: kit.build(wiring, pressed)


def _troubles(
    camera: CameraService, journal: Journal, mat: Callable[[], bool], deck_lost: bool
) -> Callable[[], tuple[str, ...]]:
    """What of the machine the screen says; news that needs no hand goes after a while. *mat* tells whether the eye has
    found the mat since it began to look."""
    began = time.monotonic()
    news = (
        *(("rebuilt",) if journal.rebuilt is not None else ()),
        *(("deck",) if deck_lost else ()),
        *(("clock",) if time.time() < PLAUSIBLE else ()),
    )

    def now() -> tuple[str, ...]:
        gone = time.monotonic() - began
        lost = ("camera",) if camera.state == "lost" else ("mat",) if gone > MAT_S and not mat() else ()
        return (*lost, *(news if gone < TOLD_S else ()))

    return now


def _slip(app: object, dots: int) -> Bitmap:
    from table.app import App
    from table.slip import draw, slip_of

    assert isinstance(app, App)
    when = time.strftime("%Y-%m-%d %H:%M") if time.time() >= PLAUSIBLE else ""
    record = [
        json.dumps({"do": event.do, **event.data}, ensure_ascii=False, sort_keys=True)
        for event, _ in app.ledger.match(app.ledger.epoch)
    ]
    return draw(slip_of(app.controller.desk, when, record), Words(app.words.language), dots)
