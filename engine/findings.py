"""What judgement finds: an offence or a suspicion, before it is an alert with a number and a route."""

from __future__ import annotations

from typing import NamedTuple


class Finding(NamedTuple):
    kind: str
    """One of :data:`engine.keys.OFFENCES`."""
    seat: str | None
    certain: bool
    note: str
    """The rule in one sentence, in the engine's English; the ruleset's own article stands in the alert."""
    event: int | None = None
    """The line of the fact that broke it, where that is an earlier one."""
    of: str | None = None
    """The kind of conduct it is, where that has a ladder of its own: a pass out of turn is a ``gesture``."""
