"""How this machine fares, in the words of the fleet page; what it does not have is left out."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path
from typing import Any

ROOT = Path("/")


def health(folder: Path, root: Path = ROOT) -> dict[str, Any]:
    """Free gigabytes where records are kept, °C, undervoltage since the start, Wi-Fi in dBm."""
    found: dict[str, Any] = {}
    with contextlib.suppress(OSError):
        found["disk"] = round(shutil.disk_usage(folder).free / 1e9, 1)
    heat = _text(root / "sys/class/thermal/thermal_zone0/temp")
    if heat.lstrip("-").isdecimal():
        found["temperature"] = round(int(heat) / 1000, 1)
    # A Pi's firmware: bit 0 is too little voltage now, bit 16 that there was at some time since the start.
    throttled = _text(root / "sys/devices/platform/soc/soc:firmware/get_throttled")
    with contextlib.suppress(ValueError):
        if throttled:
            found["undervoltage"] = bool(int(throttled, 16) & 0x10001)
    for line in _text(root / "proc/net/wireless").splitlines()[2:]:
        words = line.replace(".", " ").split()
        if len(words) > 3 and words[3].lstrip("-").isdecimal():
            found["wifi"] = int(words[3])
            break
    return found


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace").strip()
    except OSError:
        return ""
