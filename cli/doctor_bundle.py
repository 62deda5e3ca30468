"""Everything that helps from afar, in one file: what was found, versions, settings, the log; no secret and no name."""

from __future__ import annotations

import contextlib
import json
import platform
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, Final

PACKAGES: Final = (
    "numpy", "opencv-python-headless", "onnxruntime", "pygame-ce", "gpiozero", "lgpio", "pyserial", "segno",
    "picamera2",
)  # fmt: skip
COMMANDS: Final = {
    "log.txt": ("journalctl", "--no-pager", "-n", "800", "-u", "guandan-table"),
    "kernel.txt": ("dmesg", "--ctime"),
    "usb.txt": ("lsusb",),
    "throttled.txt": ("vcgencmd", "get_throttled"),
    "unit.txt": ("systemctl", "show", "guandan-table", "--property=ActiveState,SubState,NRestarts,Result"),
}
"""File in the bundle → what writes it, where this machine has it."""
SETTINGS: Final = (Path("/etc/guandan/table.env"), Path("/etc/guandan/pins.toml"), Path("/etc/os-release"))
SECRETS: Final = re.compile(
    r"(?i)((?:token|secret|passw\w*|psk|key|code|authorization|bearer)\b[\"']?\s*[=: ]\s*[\"']?)([^\s\"',;]{4,})"
)
LONG: Final = re.compile(r"\b[A-Za-z0-9_-]{32,}\b")
"""What looks like a token is one."""
ADDRESS: Final = re.compile(r"(?<=//)[^/\s@]+:[^/\s@]+@")


def without_secrets(text: str) -> str:
    """*text* with whatever may open a door made unreadable."""
    text = ADDRESS.sub("…@", text)
    return LONG.sub("…", SECRETS.sub(r"\1…", text))


def write(path: Path, checks: Sequence[Mapping[str, Any]], state: Path, settings: Iterable[Path] = SETTINGS) -> None:
    """Write the bundle to *path*, whole or not at all: *checks* are the doctor's, *state* is the folder of journals.

    :raises OSError: when it cannot be written.
    """
    part = path.with_name(f".{path.name}.part")
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as bundle:
        _put(bundle, "doctor.json", json.dumps(list(checks), ensure_ascii=False, indent=1))
        _put(bundle, "versions.txt", "\n".join(versions()))
        _put(bundle, "files.txt", "\n".join(files(state)))
        _put(bundle, "screen.toml", _read(state / "settings.toml"))
        for each in settings:
            _put(bundle, each.name, _read(each))
        for name, command in COMMANDS.items():
            _put(bundle, name, _said(command))
    part.replace(path)


def _put(bundle: zipfile.ZipFile, name: str, text: str) -> None:
    if text:
        bundle.writestr(name, without_secrets(text))


def versions() -> list[str]:
    """This program's, the system's and the packages' versions, one a line."""
    found = [
        f"guandan {_version('guandan-table')}",
        f"python {sys.version.split()[0]}",
        f"system {platform.platform()}",
    ]
    return [*found, *(f"{name} {_version(name)}" for name in PACKAGES)]


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "-"


def files(state: Path) -> list[str]:
    """Names and sizes of what the table keeps; what it says is nobody's business."""
    found = []
    for each in sorted(state.rglob("*")):
        with contextlib.suppress(OSError):  # a running table's files come and go
            if each.is_file():
                found.append(f"{each.stat().st_size:>12} {each.relative_to(state)}")
    return found


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")
    except OSError:
        return ""


def _said(command: Sequence[str]) -> str:
    try:
        told = subprocess.run(command, capture_output=True, text=True, timeout=10, errors="replace", check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return told.stdout[-400_000:]
