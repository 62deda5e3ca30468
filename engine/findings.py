"""What judgement finds: an offence or a suspicion, before it is an alert with a number and a route."""

from __future__ import annotations

from typing import NamedTuple

from engine.errors import Sentence


class Finding(NamedTuple):
    kind: str
    """One of :data:`engine.keys.OFFENCES`."""
    seat: str | None
    certain: bool
    note: Sentence
    """What happened, in one sentence; the rule it breaks stands in the alert."""
    event: int | None = None
    """The line of the fact that broke it, where that is an earlier one."""
    of: str | None = None
    """The kind of conduct it is, where that has a ladder of its own: a pass out of turn is a ``gesture``."""
