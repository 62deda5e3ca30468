"""The venue's own deck when a table starts: a profile that nobody can read never keeps the table from playing."""

from __future__ import annotations

import contextlib
from pathlib import Path

from vision.profiles import DeckProfile


def aside(path: Path) -> Path:
    """Where a profile from *path* lies that could not be read."""
    return path.with_name(path.name + ".aside")


def wear(path: Path) -> tuple[DeckProfile | None, OSError | None]:
    """The profile at *path* to begin with, and why there is none though a file lies there.

    What cannot be read goes aside, whole, for whoever wants to look at it; cards are read as common ones then.
    """
    if not path.exists():
        return None, None
    try:
        return DeckProfile.load(path), None
    except OSError as why:  # CannotSee is one: a disk that does not give the file is no better
        with contextlib.suppress(OSError):
            path.replace(aside(path))
        return None, why


def lost(path: Path) -> bool:
    """Whether a profile lies aside and no other has come in its place."""
    return aside(path).exists() and not path.exists()
