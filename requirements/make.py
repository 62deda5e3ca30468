"""Writes the locks beside it: every version pinned, with the hashes of its wheels for each Python and processor.

Run ``.venv/bin/python requirements/make.py [LOCK…]`` after changing a version here; it asks the package index that pip
is set up for and downloads nothing but descriptions. A package without a wheel for one of the targets stops it: a Pi
must never compile.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROCESSORS = ("x86_64", "aarch64")
GLIBC = ("2_28", "2_27", "2_26", "2_24", "2_17")  # Debian 12 has 2.36; newer manylinux tags exist, nothing needs them

COMMON = ["flatbuffers==25.12.19", "onnxruntime==1.32.0", "packaging==26.4", "protobuf==7.36.2", "pygame-ce==2.5.8"]
LOCKS = {
    "lock.txt": (
        "New systems: Debian 12 and newer, Raspberry Pi OS Trixie, any 64-bit Linux with Python 3.11 to 3.14.",
        ("3.11", "3.12", "3.13", "3.14"),
        [*COMMON, "numpy==2.4.6", "opencv-python-headless==4.14.0.94"],
    ),
    # picamera2 of Bookworm is built against numpy 1.24 and breaks under numpy 2; OpenCV from 4.12 on asks for numpy 2.
    "lock-bookworm-picamera2.txt": (
        "Raspberry Pi OS Bookworm with the system's picamera2, whose parts need numpy 1.",
        ("3.11",),
        [*COMMON, "numpy==1.26.4", "opencv-python-headless==4.11.0.86"],
    ),
    "lock-venue.txt": (
        "What `./guandan venue` needs on top of either.",
        ("3.11", "3.12", "3.13", "3.14"),
        [
            "anyio==4.16.0",
            "cffi==2.1.1",
            "click==8.5.1",
            "cryptography==50.0.2",
            "h11==0.16.0",
            "idna==3.20",
            "ifaddr==0.2.0",
            "psycopg==3.3.9",
            "psycopg-binary==3.3.9",
            "pycparser==3.12",
            "segno==1.6.6",
            "sqlalchemy==2.1.9",
            "starlette==1.10.0",
            "typing-extensions==4.16.0",
            "uvicorn==0.54.0",
            "zeroconf==0.154.0",
        ],
    ),
    # lgpio is no wheel for every Python: a Pi takes it from its own system (python3-lgpio).
    "lock-table.txt": (
        "What `./guandan table` needs on top of either: pins, serial lines, codes to scan, finding a venue.",
        ("3.11", "3.12", "3.13", "3.14"),
        ["colorzero==2.0", "gpiozero==2.0.1.post3", "ifaddr==0.2.0", "pyserial==3.5", "segno==1.6.6",
         "zeroconf==0.154.0"],
    ),
    "lock-development.txt": (
        "What `./guandan test` needs on top of either, of the venue's and of the table's.",
        ("3.11", "3.12", "3.13", "3.14"),
        [
            "ast-serialize==0.13.1",
            "certifi==2026.10.19.post1",
            "fonttools==4.68.0",
            "httpcore==1.0.9",
            "httpx==0.28.1",
            "hypothesis==6.170.17",
            "iniconfig==2.3.1",
            "librt==0.17.0",
            "mypy==2.4.1",
            "mypy-extensions==1.2.0",
            "pathspec==1.1.1",
            "pillow==13.0.0",
            "pluggy==1.7.0",
            "pygments==2.21.0",
            "pytest==9.2.0",
            "ruff==0.17.6",
            "sortedcontainers==2.4.0",
        ],
    ),
}


def wheels(pins: list[str], python: str, processor: str) -> dict[str, str]:
    """Name → sha256 of the wheel that pip would take on one target, for each of *pins*."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        platforms = [f"--platform=manylinux_{glibc}_{processor}" for glibc in GLIBC]
        subprocess.run(
            [sys.executable, "-m", "pip", "install", "-qq", "--dry-run", "--ignore-installed", "--no-deps",
             "--only-binary=:all:", f"--target={folder}/never", f"--report={report}", "--implementation=cp",
             f"--python-version={python}", *platforms, f"--platform=manylinux2014_{processor}", *pins],
            check=True,
        )  # fmt: skip
        found = json.loads(report.read_text("utf-8"))["install"]
    return {
        f"{entry['metadata']['name'].lower().replace('_', '-')}=={entry['metadata']['version']}": entry[
            "download_info"
        ]["archive_info"]["hashes"]["sha256"]
        for entry in found
    }


def main() -> int:
    for name in sys.argv[1:] or LOCKS:
        purpose, pythons, pins = LOCKS[name]
        hashes: dict[str, set[str]] = {pin: set() for pin in sorted(pins)}
        for python in pythons:
            for processor in PROCESSORS:
                for pin, digest in wheels(sorted(pins), python, processor).items():
                    hashes[pin].add(digest)
        lines = [f"# {purpose}", f"# Written by requirements/make.py for Python {', '.join(pythons)} on 64-bit Linux."]
        for pin, digests in hashes.items():
            lines.append(" \\\n    ".join([pin, *(f"--hash=sha256:{digest}" for digest in sorted(digests))]))
        (HERE / name).write_text("\n".join(lines) + "\n", "utf-8")
        print(f"{name}: {len(pins)} packages, {sum(map(len, hashes.values()))} wheels")
    return 0


if __name__ == "__main__":
    sys.exit(main())
