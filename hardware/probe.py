"""What this machine has: camera, display, touch, sound, pins, disk, clock, power, heat; looked up, never switched.

Every probe reads files under *root* (``/``; tests hand in a tree of their own) and answers with a :class:`Finding`:
what it found, in a key and values that the caller puts into words. Nothing is opened that could disturb a running
table: a camera in use stays in use.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

ROOT: Final = Path("/")
PLAUSIBLE: Final = 1_760_000_000
"""October 2025: a clock before it has never been set since the battery or the card was new."""
HOT: Final = 75.0
"""°C: worth a word; a Pi slows itself down from 80 °C (``TOO_HOT``) on."""
TOO_HOT: Final = 80.0
LOW: Final = 2.0
"""Free GB: an evening's evidence fits into it; below ``FULL`` records are in danger."""
FULL: Final = 0.5
NO_CAMERAS: Final = ("codec", "bcm2835-isp", "pispbe", "rpivid", "hevc")
"""A Pi lists its decoders and image processors as video devices too."""


@dataclass(frozen=True)
class Finding:
    """One thing looked at: *state* is ``ok``, ``note`` (absent, and that is fine), ``warn`` or ``bad``."""

    topic: str
    state: str
    key: str
    values: Mapping[str, object] = field(default_factory=dict)


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace").strip().strip("\0")
    except OSError:
        return ""


def _usable(path: Path) -> bool:
    return os.access(path, os.R_OK | os.W_OK)


def machine(root: Path = ROOT) -> Finding:
    """Board or processor, cores and memory."""
    model = _text(root / "proc/device-tree/model")
    for line in _text(root / "proc/cpuinfo").splitlines():
        if not model and line.startswith("model name"):
            model = line.partition(":")[2].strip()
    kilobytes = next(
        (int(line.split()[1]) for line in _text(root / "proc/meminfo").splitlines() if line.startswith("MemTotal")), 0
    )
    values = {"model": model or os.uname().machine, "cores": os.cpu_count() or 1, "memory": f"{kilobytes / 2**20:.1f}"}
    return Finding("machine", "warn" if 0 < kilobytes < 900_000 else "ok", "machine", values)


def camera(root: Path = ROOT) -> Finding:
    """USB cameras by their names, the ribbon camera by its sensor."""
    found: list[str] = []
    denied: list[str] = []
    for entry in sorted((root / "sys/class/video4linux").glob("video*"), key=lambda path: (len(path.name), path.name)):
        name, device = _text(entry / "name"), root / "dev" / entry.name
        if not device.exists() or any(word in name.lower() for word in NO_CAMERAS):
            continue
        (found if _usable(device) else denied).append(f"{entry.name} ({name})")
    if found:
        return Finding("camera", "ok", "camera_found", {"names": ", ".join(found)})
    if denied:
        return Finding("camera", "bad", "camera_denied", {"names": ", ".join(denied)})
    return Finding("camera", "warn", "camera_none")


def display(root: Path = ROOT, environment: Mapping[str, str] = os.environ) -> Finding:
    """A desktop's window system, or the bare screen."""
    for variable, kind in (("WAYLAND_DISPLAY", "Wayland"), ("DISPLAY", "X11")):
        if environment.get(variable):
            return Finding("display", "ok", "display_desktop", {"kind": kind, "name": environment[variable]})
    cards = sorted((root / "dev/dri").glob("card*"))
    connected = [
        path.parent.name.partition("-")[2]
        for path in sorted((root / "sys/class/drm").glob("card*-*/status"))
        if _text(path) == "connected"
    ]
    if not cards:
        return Finding("display", "warn", "display_none")
    if not any(_usable(card) for card in cards):
        return Finding("display", "bad", "display_denied", {"names": ", ".join(card.name for card in cards)})
    if not connected:
        return Finding("display", "warn", "display_unplugged")
    return Finding("display", "ok", "display_console", {"names": ", ".join(connected)})


def touch(root: Path = ROOT) -> Finding:
    """The touch panel, as the kernel lists it."""
    names = []
    for block in _text(root / "proc/bus/input/devices").split("\n\n"):
        name = next((line[9:].strip('"') for line in block.splitlines() if line.startswith("N: Name=")), "")
        # Bit 0x35 of the axes is a multi-touch position; the words are 64 bits each, the highest first.
        bits = next((line.partition("=")[2] for line in block.splitlines() if line.startswith("B: ABS=")), "")
        if int("".join(word.zfill(16) for word in bits.split()) or "0", 16) >> 0x35 & 1:
            names.append(name)
    if names:
        return Finding("touch", "ok", "touch_found", {"names": ", ".join(names)})
    return Finding("touch", "note", "touch_none")


def sound(root: Path = ROOT) -> Finding:
    """Sound cards; the product is silent without one and says everything with light as well."""
    lines = _text(root / "proc/asound/cards").splitlines()
    names = [line.partition(" - ")[2].strip() for line in lines if " - " in line]
    if names:
        return Finding("sound", "ok", "sound_found", {"names": ", ".join(names)})
    return Finding("sound", "note", "sound_none")


def pins(root: Path = ROOT) -> Finding:
    """The header's pins for buttons and lamps."""
    chips = sorted((root / "dev").glob("gpiochip*"))
    if not chips:
        return Finding("pins", "note", "pins_none")
    if not any(_usable(chip) for chip in chips):
        return Finding("pins", "bad", "pins_denied", {"names": ", ".join(chip.name for chip in chips)})
    return Finding("pins", "ok", "pins_found", {"names": ", ".join(chip.name for chip in chips)})


def serial(root: Path = ROOT) -> Finding:
    """Serial devices by their lasting names: a button box, a clock, a printer."""
    ports = sorted((root / "dev/serial/by-id").glob("*"))
    if not ports:
        return Finding("serial", "note", "serial_none")
    if not all(_usable(port) for port in ports):
        return Finding("serial", "bad", "serial_denied", {"names": ", ".join(port.name for port in ports)})
    return Finding("serial", "ok", "serial_found", {"names": ", ".join(port.name for port in ports)})


def disk(folder: Path) -> Finding:
    """Free space where records are kept, and whether it can be written."""
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free / 1e9
    values = {"free": f"{free:.1f}", "folder": folder}
    if not os.access(folder, os.W_OK):
        return Finding("disk", "bad", "disk_denied", values)
    if free < LOW:
        return Finding("disk", "bad" if free < FULL else "warn", "disk_low", values)
    return Finding("disk", "ok", "disk_free", values)


def clock(root: Path = ROOT, now: float | None = None) -> Finding:
    """Whether the time of day can be believed; play itself runs on a clock that never jumps."""
    now = time.time() if now is None else now
    if now < PLAUSIBLE:
        return Finding("clock", "bad", "clock_unset", {"now": time.strftime("%Y-%m-%d %H:%M", time.localtime(now))})
    values = {"now": time.strftime("%Y-%m-%d %H:%M", time.localtime(now))}
    if (root / "run/systemd/timesync/synchronized").exists():
        return Finding("clock", "ok", "clock_synchronised", values)
    if (root / "dev/rtc0").exists():
        return Finding("clock", "ok", "clock_kept", values)
    return Finding("clock", "note", "clock_free", values)


def power(root: Path = ROOT) -> Finding:
    """A Pi's own watch over its supply."""
    for name in (root / "sys/class/hwmon").glob("hwmon*/name"):
        if _text(name) == "rpi_volt":
            low = _text(name.parent / "in0_lcrit_alarm") == "1"
            return Finding("power", "bad" if low else "ok", "power_low" if low else "power_fine")
    return Finding("power", "note", "power_unknown")


def heat(root: Path = ROOT) -> Finding:
    """The warmest of the machine's thermometers."""
    degrees = [
        int(text) / 1000
        for path in (root / "sys/class/thermal").glob("thermal_zone*/temp")
        if (text := _text(path)).lstrip("-").isdigit()
    ]
    if not degrees:
        return Finding("heat", "note", "heat_unknown")
    warmest = max(degrees)
    state = "bad" if warmest >= TOO_HOT else "warn" if warmest >= HOT else "ok"
    return Finding("heat", state, "heat" if state == "ok" else "heat_high", {"degrees": f"{warmest:.0f}"})
