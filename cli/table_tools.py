"""What ``guandan table`` does instead of playing: judging the camera's place, writing the matches out."""

from __future__ import annotations

import json
import socket
import time
from pathlib import Path

from cli.words import language, say

SETTLES = 5
"""Frames before the picture that is judged: a camera finds its settings."""
MARKS = {"ok": "✓", "warn": "!", "bad": "✗"}


def calibrate(camera: str, journal: Path) -> int:
    """Look through *camera* at the empty mat and say what is to be done; 0 when nothing is.

    What the camera holds still from now on is kept beside *journal*.

    :raises CannotSee: when it gives no picture.
    """
    from table.camera_service import held_path, hold, service_of
    from vision.errors import words
    from vision.placement import judge

    told = words(language(), "placement")
    service = service_of(camera)
    try:
        for _ in range(SETTLES):
            if service.state != "ok" or service.motion() is None:
                break
        remarks = judge(service.still().image)
        locked = service.locked
    finally:
        service.close()
    for remark in remarks:
        values = {name: told.get(str(value), value) for name, value in remark.values.items()}
        print(f"{MARKS[remark.state]} {told[remark.key].format(**values)}")
    if not service.what.startswith("video:"):
        if locked is not None:
            print(f"✓ {told['locked'].format(ms=round(locked['exposure'] / 1000))}")
        else:
            print(f"! {told['unlocked']}")
        hold(held_path(journal), locked)
    bad = any(remark.state == "bad" for remark in remarks)
    print(told["bad" if bad else "good"])
    return 1 if bad else 0


def first_run(journal: Path, fullscreen: bool) -> None:
    """Ask the installer's phone what differs from table to table, unless that was done before or somebody taps past it.

    :raises CannotShow: when there is no display.
    """
    from table.app import check_display
    from table.finding import find
    from table.first_run import Answers
    from table.first_run_screen import run
    from table.home import code_path, settings_path
    from table.settings import Settings, keep_hashed, save
    from table.sync_pairing import pair
    from table.sync_pairing import save as save_pairing
    from table.sync_start import pairing_path
    from table.watchdog import Watchdog

    if settings_path().exists():
        return

    def apply(answers: Answers) -> None:
        if answers.venue:  # the venue first: what it refuses leaves the page open
            pairing, _ = pair(answers.venue, answers.code, socket.gethostname())
            save_pairing(pairing, pairing_path(journal))
        keep_hashed(code_path(), answers.guard)
        save(settings_path(), answers.settings)

    check_display()
    watchdog = Watchdog(time.monotonic)

    def beat() -> None:
        watchdog.ready()
        watchdog.turned(time.monotonic(), "first run")

    if not run(apply, language(), fullscreen, beat=beat, venues=lambda: [each.url for each in find()]):
        save(settings_path(), Settings(language=language()))


def export(journal: Path, folder: Path) -> int:
    """Write every match of *journal* into *folder* as a record that ``guandan replay`` runs.

    :raises JournalRefused: when the journal cannot be read. :raises OSError: when the folder cannot be written.
    """
    from table.journal import Journal

    folder.mkdir(parents=True, exist_ok=True)
    with Journal(journal) as opened:
        epochs = opened.epochs()
        for epoch in epochs:
            lines = [
                json.dumps({"do": entry.kind, **entry.payload}, ensure_ascii=False) for entry in opened.entries(epoch)
            ]
            (folder / f"match-{epoch:04d}.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    print(say("table_exported", matches=len(epochs), folder=folder))
    return 0
