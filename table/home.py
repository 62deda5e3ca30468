"""Where the table keeps its files on this machine."""

from __future__ import annotations

import os
from pathlib import Path


def state_directory() -> Path:
    """The user's directory for state: ``$XDG_STATE_HOME/guandan``, or ``~/.local/state/guandan``."""
    root = os.environ.get("XDG_STATE_HOME")
    base = Path(root) if root and Path(root).is_absolute() else Path.home() / ".local" / "state"
    return base / "guandan"


def journal_path(name: str) -> Path:
    """The journal of that name."""
    return state_directory() / f"{name}.journal"
