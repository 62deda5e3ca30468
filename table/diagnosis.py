"""How this machine fares, as the diagnostics show it: one fact a line, good, bad or neither."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pygame

from table.sync_health import ROOT, health
from table.sync_start import version
from table.view import Fact
from table.words import Words

if TYPE_CHECKING:
    from table.app import App

LEAST_DISK = 0.5
"""Gigabytes."""
HOT = 80.0
"""°C at which a Pi slows down."""


def facts(app: App, since_touch: float | None) -> tuple[Fact, ...]:
    """What there is to tell now; what this machine does not have is left out."""
    words, found = app.words, _camera(app)
    journal = app.ledger.journal
    trouble = journal.trouble
    found.append(Fact("journal", words(f"diagnosis.{trouble}") if trouble else words("diagnosis.well"), not trouble))
    found += machine(health(journal.path.parent), _memory(ROOT))
    venue = app.view.venue
    if venue.state != "unpaired":
        found.append(Fact("venue", words(f"venue.{venue.state}"), venue.state == "online"))
    found += devices(getattr(app.source, "devices", dict)(), words, app.settings.sound)
    found.append(Fact("touch", ago(words, since_touch), None))
    if app.deck_lost():
        found.append(Fact("deck", words("diagnosis.aside"), False))
    width, height = app.window.size
    found.append(Fact("display", f"{width}x{height} {pygame.display.get_driver()}", None))
    found.append(Fact("version", version() or "—", None))
    return tuple(found)


def _camera(app: App) -> list[Fact]:
    """A camera whose process gives no picture is lost, though it is looked for all the time."""
    lost = "camera" in app.machine()
    return [Fact("camera", app.words("diagnosis.lost" if lost else "diagnosis.well"), not lost)]


def devices(states: Mapping[str, str], words: Words, sound: bool) -> list[Fact]:
    """What hangs at the table's edge: each device that needs a hand, or that all of them are well. A table that is to
    be silent misses no loudspeaker."""
    ill = {name: state for name, state in states.items() if state != "ok" and (sound or name != "speaker")}
    if states and not ill:
        return [Fact("devices", words("diagnosis.well"), True)]
    return [Fact(name, words(f"diagnosis.{state}"), False) for name, state in ill.items()]


def machine(told: dict[str, float], memory: float | None) -> list[Fact]:
    """Disk, heat, power and memory, as :func:`table.sync_health.health` tells them."""
    found = []
    if "disk" in told:
        found.append(Fact("disk", f"{told['disk']:g} GB", told["disk"] >= LEAST_DISK))
    if "temperature" in told:
        found.append(Fact("heat", f"{told['temperature']:.0f} °C", told["temperature"] < HOT))
    if told.get("undervoltage"):
        found.append(Fact("power", "< 4.63 V", False))
    if memory is not None:
        found.append(Fact("memory", f"{memory:.0%}", memory < 0.9))
    return found


def _memory(root: Path) -> float | None:
    """The share of memory that is taken."""
    try:
        lines = (root / "proc/meminfo").read_text("ascii").splitlines()
        told = {line.split(":")[0]: int(line.split()[1]) for line in lines if ":" in line}
        return 1.0 - told["MemAvailable"] / told["MemTotal"]
    except (OSError, ValueError, KeyError, IndexError):
        return None


def ago(words: Words, seconds: float | None) -> str:
    return words("diagnosis.never") if seconds is None else words("diagnosis.ago", n=f"{seconds:.0f}")
