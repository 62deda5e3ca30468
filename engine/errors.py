"""Errors keep three things apart: it cannot be read, it is impossible, it has several readings."""

from __future__ import annotations


class GuandanError(ValueError):
    """Root of everything the engine refuses. Nothing has changed when it is raised."""


class Unreadable(GuandanError):
    """What was given cannot be read at all: no such card, no such field, no such key."""


class Impossible(GuandanError):
    """It can be read, but cannot be so: a seat that does not exist, a deal before a match."""


class Ambiguous(GuandanError):
    """It has several readings and needs a declaration."""
