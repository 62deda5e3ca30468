"""The state machines of a match, each a table one can read on one screen: what happens in each state leads to which."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

Table = Mapping[str, Mapping[str, str]]

MATCH: Final[Table] = {
    "before": {"match": "between"},
    "between": {"deal": "deal", "decided": "over"},
    "deal": {"ended": "between", "decided": "over"},
    "over": {"decided": "over", "reopened": "between"},
}
"""A match; ``reopened`` by a ruling that moved what had decided it."""

DEAL: Final[Table] = {
    "tribute": {"paid": "return", "resisted": "play", "played": "play", "scored": "over"},
    "return": {"returned": "play", "played": "play", "scored": "over"},
    "play": {"ended": "over", "scored": "over"},
    "over": {},
}
"""A deal; one without tribute begins in ``play``, and a card played too early ends what was still owed."""

ALERT: Final[Table] = {
    "open": {"uphold": "upheld", "waive": "waived", "other": "upheld"},
    "upheld": {"cancel": "open"},
    "waived": {"cancel": "open"},
}
"""An alert and the rulings on it; a cancelled ruling folds the match again without it."""


def drawn(table: Table) -> str:
    """The table as a Mermaid state diagram."""
    lines = [f"    {state} --> {after}: {what}" for state, leads in table.items() for what, after in leads.items()]
    return "\n".join(["stateDiagram-v2", f"    [*] --> {next(iter(table))}", *lines])
