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


def settings_path() -> Path:
    """What the screen is set to."""
    return state_directory() / "settings.toml"


def code_path() -> Path:
    """The hash of the code that guards the settings: the installation makes it."""
    return settings_path().with_suffix(".code")


def deck_profile_path() -> Path:
    """The venue's own deck, where one was enrolled: what ``table`` reads with unless it is told otherwise."""
    return state_directory() / "venue.deck"


def known_devices_path() -> Path:
    """The devices that have been at this table's edge."""
    return state_directory() / "devices.txt"


def release_directory() -> Path:
    """Where a release that came over the line lies for the unit that installs it."""
    return state_directory() / "release"


def evidence_directory() -> Path:
    """Clips and crops of alerts; see ``docs/privacy.md``."""
    return state_directory() / "evidence"


def field_directory() -> Path:
    """Crops of corrected plays, where somebody agreed to keep them."""
    return state_directory() / "field"
