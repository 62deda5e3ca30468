"""Who has won, and by what: levels at the limit, tie-breaks, points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.cards import SIDES
from engine.levels import Race, other
from engine.rulesets import Ruleset

BY_PLAY: Final = ("passed_A", "reached_A", "extra_deal")
AT_LIMIT: Final = ("higher_level", "first_to_reach", "on_stage", "off_stage", "draw")
"""Why a match was decided, where a level that moves later may decide it otherwise."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended."""

    winner: str | None
    why: str
    """One of :data:`BY_PLAY` or :data:`AT_LIMIT`; or forfeit, withdrawal, match_lost, disqualified, annulled."""
    games: dict[str, int]
    levels: dict[str, str]
    points: dict[str, int]
    small: dict[str, int]

    @staticmethod
    def of(
        ruleset: Ruleset, race: Race, games: Sequence[str | None], margins: Sequence[int], winner: str | None, why: str
    ) -> Result:
        """The result with its points by the ruleset; small points are those of all games together."""
        margin = sum(margins) if margins else race.margin
        win, draw, loss = ruleset.points[:3]
        if len(ruleset.points) > 3 and why not in (*BY_PLAY, *AT_LIMIT):
            loss = ruleset.points[3]  # forfeited, or lost by a ruling
        points = {side: draw if winner is None else win if side == winner else loss for side in SIDES}
        small = dict.fromkeys(SIDES, 0)
        if ruleset.small_points == "level_difference":
            small = {"NS": margin, "EW": -margin}
        elif ruleset.small_points == "26":
            small = {"NS": 13 + margin, "EW": 13 - margin}
        won = {side: list(games).count(side) for side in SIDES}
        return Result(winner, why, won, dict(race.levels), points, small)

    def to_dict(self) -> dict[str, Any]:
        score = {"games": self.games, "levels": self.levels, "points": self.points, "small": self.small}
        return {"winner": self.winner, "why": self.why, "score": score}


def decided(ruleset: Ruleset, race: Race) -> tuple[str | None, str]:
    """The winner at the limit and why; ``extra_deal`` or ``play_on`` when play must decide.

    The higher level wins; equal ones as each document says (``equal_at_limit``).
    """
    if race.margin:
        return ("NS" if race.margin > 0 else "EW"), "higher_level"
    rule = ruleset.equal_at_limit
    if rule in ("extra_deal", "play_on"):
        return None, rule
    winner = {
        "first_to_reach": race.first_to_reach(),
        "on_stage": race.on_stage,
        "off_stage": other(race.on_stage) if race.on_stage else None,
    }.get(rule)
    if winner is not None:
        return winner, rule
    return (None, "extra_deal") if ruleset.knockout else (None, "draw")
