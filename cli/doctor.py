"""`guandan doctor`: what works on this machine, and what to do about what does not."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from cli import doctor_bundle
from cli.words import help_of, say
from hardware import probe
from hardware.probe import Finding

HOME = Path(__file__).resolve().parent.parent
MODULES = {"numpy": "numpy", "opencv-python-headless": "cv2", "onnxruntime": "onnxruntime", "pygame-ce": "pygame"}
MARKS = {"ok": "✓", "note": "·", "warn": "!", "bad": "✗"}
WITH_ADVICE = ("warn", "bad")
NEEDED = ("camera", "display")
"""What a table cannot be without, though everything else may be tried."""

# Opening a window can hang or crash inside a driver: it is tried by a process of its own.
WINDOW = """
import os
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
import pygame
pygame.display.init()
pygame.display.set_mode((64, 64))
print(pygame.display.get_driver(), *pygame.display.get_desktop_sizes()[0])
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help=help_of("json"))
    parser.add_argument("--bundle", metavar="FILE", help=help_of("doctor_bundle"))


def run(args: argparse.Namespace) -> int:
    """0 when nothing is broken, 1 when something is; the last line says whether this machine can run a table."""
    findings = []
    for look in checks():
        finding = look()
        findings.append(finding)
        if not args.json:
            print(in_words(finding), flush=True)
    lines = told(findings)
    broken = [finding for finding in findings if finding.state == "bad"]
    lacking = [finding for finding in findings if finding.topic in NEEDED and finding.state == "warn"]
    if args.json:
        print(json.dumps({"ok": not broken, "table": not broken and not lacking, "checks": lines}, ensure_ascii=False))
    else:
        print(verdict(findings))
    if args.bundle is not None:
        from table.home import state_directory

        doctor_bundle.write(Path(args.bundle), lines, state_directory())
        if not args.json:
            print(say("doctor_bundled", file=args.bundle))
    return 1 if broken else 0


def told(findings: Sequence[Finding]) -> list[dict[str, str | None]]:
    """What was found, in words, as ``--json`` and the bundle give it."""
    return [
        {"topic": one.topic, "state": one.state, "found": say(f"doctor_{one.key}", **one.values), "advice": advice(one)}
        for one in findings
    ]


def bundle_beside_a_table() -> Path:
    """Write the bundle where the table keeps its matches, while that table runs; where it lies.

    No window is opened and no model loaded: the table does both.

    :raises OSError: when it cannot be written.
    """
    taken = {display: probe.display, models: None}
    looks = [taken.get(look, look) for look in checks()]
    path = _state() / "diagnosis.zip"
    doctor_bundle.write(path, told([look() for look in looks if look is not None]), _state())
    return path


def verdict(findings: Sequence[Finding]) -> str:
    """What all of it comes to: never that a table can run without what it sees and shows with."""
    broken = [finding for finding in findings if finding.state == "bad"]
    warned = [finding for finding in findings if finding.state == "warn"]
    lacking = [say(f"doctor_topic_{one.topic}") for one in warned if one.topic in NEEDED]
    if broken:
        return say("doctor_bad", bad=len(broken), warned=len(warned))
    if lacking:
        return say("doctor_lacking", names=say("doctor_and").join(lacking))
    return say("doctor_warned" if warned else "doctor_good", warned=len(warned))


def checks() -> list[Callable[[], Finding]]:
    """Every check in the order in which it is told."""
    return [
        probe.machine, python, packages, models, deck, probe.camera, display, probe.touch, probe.sound, probe.pins,
        probe.serial, lambda: probe.disk(_state()), probe.clock, probe.power, probe.heat,
    ]  # fmt: skip


def _state() -> Path:
    """Where matches are kept: the disk that counts."""
    from table.home import state_directory

    return state_directory()


def advice(finding: Finding) -> str | None:
    """What to do, for what needs doing."""
    return say(f"doctor_{finding.key}_do", **finding.values) if finding.state in WITH_ADVICE else None


def in_words(finding: Finding) -> str:
    """A line of what was found and, where it needs one, a line of what to do."""
    line = f"{MARKS[finding.state]} {say('doctor_topic_' + finding.topic)}{say('doctor_colon')}"
    line += say(f"doctor_{finding.key}", **finding.values)
    do = advice(finding)
    return f"{line}\n    → {do}" if do else line


def python() -> Finding:
    """The interpreter and the environment it runs in."""
    values = {"version": ".".join(map(str, sys.version_info[:3])), "where": sys.prefix}
    if sys.maxsize < 2**32:
        return Finding("python", "bad", "python_small", values)
    return Finding("python", "ok", "python", values)


def packages() -> Finding:
    """The packages that the product runs with: there, and loading."""
    found, broken = [], []
    for name, module in MODULES.items():
        if module == "pygame":
            import os

            os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        try:
            version = getattr(importlib.import_module(module), "__version__", "?")
            found.append(f"{name} {version}")
        except Exception as error:  # a broken library raises what it likes
            broken.append(f"{name} ({' '.join(str(error).split())[:80]})")
    if broken:
        return Finding("packages", "bad", "packages_broken", {"names": ", ".join(broken)})
    return Finding("packages", "ok", "packages", {"names": ", ".join(found)})


def models() -> Finding:
    """The detector and the reader: there, loading, and how long they take on a picture."""
    folder = HOME / "assets" / "models"
    missing = [name for name in ("detector.onnx", "reader.onnx") if not (folder / name).is_file()]
    if missing:
        return Finding("models", "bad", "models_missing", {"names": ", ".join(missing)})
    try:
        import numpy

        from vision.detector import Detector
        from vision.reader import Reader

        detector, reader = Detector(), Reader()
        blank = numpy.full((640, 640, 3), 90, numpy.uint8)
        detector.find(blank)
        began = time.perf_counter()
        reader.read(blank, detector.find(blank))
        took = (time.perf_counter() - began) * 1000
    except Exception as error:  # whatever a damaged file or a missing library raises
        return Finding("models", "bad", "models_broken", {"why": " ".join(str(error).split())[:160]})
    size = sum((folder / name).stat().st_size for name in ("detector.onnx", "reader.onnx"))
    return Finding("models", "ok", "models", {"size": f"{size / 2**20:.1f}", "took": f"{took:.0f}"})


def deck() -> Finding:
    """The venue's own deck, where one was learned here: whole, unreadable, or put aside when the table started."""
    from table import own_deck
    from table.home import deck_profile_path
    from vision.profiles import DeckProfile

    path = deck_profile_path()
    if own_deck.lost(path):
        return Finding("deck", "warn", "deck_aside", {"file": own_deck.aside(path), "place": path})
    if not path.exists():
        return Finding("deck", "note", "deck_none")
    try:
        found = DeckProfile.load(path)
    except OSError:
        return Finding("deck", "warn", "deck_damaged", {"file": path})
    return Finding("deck", "ok", "deck_own", {"name": found.name or path.name, "cards": len(found.cards)})


def display() -> Finding:
    """Whether a window opens: SDL is asked, since only it knows."""
    looked = probe.display()
    if looked.state != "ok" or importlib.util.find_spec("pygame") is None:
        return looked
    try:
        tried = subprocess.run(
            [sys.executable, "-c", WINDOW], capture_output=True, text=True, timeout=20, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired:
        return Finding("display", "bad", "display_hangs", looked.values)
    if match := re.search(r"^(\w+) (\d+) (\d+)$", tried.stdout, re.MULTILINE):
        driver, width, height = match.groups()
        state, key = ("ok", "display_opens") if driver not in ("dummy", "offscreen") else ("note", "display_unseen")
        return Finding("display", state, key, {"driver": driver, "width": width, "height": height})
    last = (tried.stderr.strip().splitlines() or ["?"])[-1]
    return Finding("display", "bad", "display_fails", {"why": last})
