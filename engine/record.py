"""What came of a match: each deal's line, and the object that ``replay --json`` prints."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine.audit import Verdict
from engine.deal import Deal
from engine.levels import Step

if TYPE_CHECKING:
    from engine.match import Match


@dataclass(slots=True)
class DealRecord:
    """A deal that is over, and what it did to the levels."""

    deal: Deal
    stage: str | None
    step: Step
    levels: dict[str, str]
    """Both sides' levels after it."""
    verdicts: list[Verdict] = field(default_factory=list)
    audit: str | None = None
    """The worst verdict; ``None`` when nothing was to be audited."""
    game: int = 0

    def to_dict(self) -> dict[str, Any]:
        deal = self.deal
        return {
            "n": deal.n,
            "level": deal.level,
            "stage": self.stage,
            "order": list(deal.order or ()),
            "gain": self.step.gain,
            "levels": dict(self.levels),
            "tribute": deal.tribute.to_dict() if deal.tribute is not None else None,
            "audit": self.audit,
            "audited": [verdict.to_dict() for verdict in self.verdicts],
        }


def report_of(match: Match, language: str = "en") -> dict[str, Any]:
    """The state of *match* as DESIGN.md gives it for ``replay --json``."""
    clock = match.clock
    return {
        "levels": dict(match.levels),
        "on_stage": match.on_stage,
        "attempts_at_A": dict(match.attempts),
        "deals": [record.to_dict() for record in match.deals],
        "alerts": [alert.to_dict(language) for alert in match.alerts],
        "penalties": [penalty.to_dict() for penalty in match.penalties],
        "clock": {
            "match_left": None if clock.match_left is None else max(0.0, round(clock.match_left, 3)),
            "turn_left": None if clock.turn_left is None else round(clock.turn_left, 3),
            "paused": clock.stopped,
        },
        "result": match.result.to_dict() if match.result is not None else None,
        "next": match.next,
    }
