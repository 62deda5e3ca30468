"""The companion on a real table: a camera, the eye, the controller, the journal and the screen."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

from table.controller import Controller
from table.journal import Journal
from table.ledger import Ledger, events_of
from table.sync_pairing import Continued, Pairing, take_over
from table.sync_start import link_for
from vision.camera import Camera


def run(
    camera: Camera,
    path: Path,
    ruleset: str,
    profile: str,
    language: str,
    resume: bool = True,
    fullscreen: bool = True,
    venue: Pairing | None = None,
    continued: Continued | None = None,
) -> None:
    """Run the table until its window is closed; a match that was cut off goes on where the journal stands.

    *venue* is where it belongs, *continued* the match of the machine that it replaces there.

    :raises CannotShow: when there is no display to show a window on.
    :raises JournalRefused: when the journal cannot be used.
    """
    from table.app import App, check_display
    from table.sources import CameraSource
    from vision.detector import Detector
    from vision.eye import Eye
    from vision.reader import Reader

    check_display()
    with contextlib.closing(Journal(path)) as journal:
        if continued is not None:
            take_over(journal, continued, time.time())
        source = CameraSource(camera, Eye(Detector(), Reader()))
        controller = Controller(ruleset, profile)
        epochs = journal.epochs()
        ledger = Ledger(journal, time.time, epoch=epochs[-1] if epochs else 0)
        app = App(controller, ledger, source, language, fullscreen=fullscreen, title="Guandan")
        if epochs and resume:
            journaled = events_of(journal.entries(epochs[-1]))
            going = Controller(ruleset, profile)
            going.resume(journaled, source.now())
            if going.desk.match.result is None or going.desk.match.signed != {"NS", "EW"}:
                app.controller = controller = going
                app.view = going.view
        if venue is not None:
            app.link = link_for(journal, source.inputs.put, source.now)
            app.link.join(venue, (continued.match, len(continued.lines)) if continued is not None else None)
        source.start(lambda: controller.desk)
        try:
            app.run()
        finally:
            if app.link is not None:
                app.link.close()
        if source.failed.error is not None:
            raise source.failed.error
