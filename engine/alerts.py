"""Alerts: what judgement found, with its rule, its evidence and where it goes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

RULES: Final = {
    "out_of_turn": "play goes round anticlockwise; who is not on turn waits",
    "not_a_combination": "only the ten combinations may be played",
    "does_not_beat": "a play must beat what lies on the table; equal never beats",
    "third_copy": "two decks hold every card twice",
    "too_many_cards": "a hand has 27 cards",
    "count_mismatch": "the count said and the count seen must agree",
    "exposed_card": "cards that are not played stay hidden",
    "report_missed": "who first holds few cards reports how many",
    "turn_time": "each turn has its time",
    "tribute_overdue": "tribute and return have their time and come before play",
    "tribute_violated": "tribute is the highest card but a wild",
    "return_violated": "the returned card is within the limit",
    "resist_violated": "only both red jokers resist tribute",
    "looked_back": "only the current trick may be looked at",
    "camera_covered": "the mat stays in the camera's sight",
    "call": "any player may call the referee",
    "match_limit": "the match has its time",
    "laying_order": "a play is laid from small to large",
    "conduct": "conduct at the table",
}
"""The rule in one sentence where the ruleset gives no article of its own."""


@dataclass(slots=True)
class Alert:
    """One alert; its state and penalty change when it is ruled on."""

    id: str
    """``<line>.<n>``: the line whose fact raised it, and its place among that line's alerts."""
    kind: str
    certain: bool
    seat: str | None
    rule: str
    event: int
    """The line of the fact that broke the rule."""
    route: str
    state: str = "open"
    penalty: list[str] = field(default_factory=list)
    note: str = ""
    of: str | None = None
    """The kind of conduct a referee named."""
    deal: int = 0
    trick: int = 0
    ruled_at: int | None = None
    before_play: bool = False
    acted: int = 0
    """How often the seat had acted in the deal when it was raised."""

    def to_dict(self) -> dict[str, Any]:
        return {
            "id": self.id, "kind": self.kind, "certain": self.certain, "seat": self.seat, "rule": self.rule,
            "event": self.event, "route": self.route, "state": self.state, "penalty": ", ".join(self.penalty) or None,
            "note": self.note,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Penalty:
    """One effect of an upheld alert."""

    alert: str
    seat: str | None
    side: str | None
    """The side it touches: the offender's, or of ``opponents_gain`` the one that gains."""
    effect: str
    levels: int
    """Levels by which that side moved."""

    def to_dict(self) -> dict[str, Any]:
        return {
            "alert": self.alert, "seat": self.seat, "side": self.side, "effect": self.effect, "levels": self.levels,
        }  # fmt: skip
