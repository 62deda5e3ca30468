"""The race of the two sides from 2 to past A: gains, must-play levels, tries at A, falls, streaks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from engine.cards import RANKS, SIDES, partner_of, side_of
from engine.rulesets import Ruleset

PASSED: Final = len(RANKS)
"""The position of a side that has passed A: one above A."""


class Step(NamedTuple):
    """What one deal's order did."""

    kind: str
    """``1-2``, ``1-3`` or ``1-4``, from the winning side's view."""
    side: str
    gain: int
    """Levels by the ruleset; 0 where the side stayed on A."""
    won: str | None
    """The side that has won the game by it."""
    fell: tuple[str, ...]


def kind_of(order: Sequence[str]) -> str:
    """``1-2``, ``1-3`` or ``1-4``: where first's partner came in."""
    return f"1-{list(order).index(partner_of(order[0])) + 1}"


def other(side: str) -> str:
    return "EW" if side == "NS" else "NS"


@dataclass(slots=True)
class Race:
    """Levels, stage and tries of one game."""

    ruleset: Ruleset
    levels: dict[str, str] = field(default_factory=dict)
    attempts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SIDES, 0))
    """Failed tries since arriving at A."""
    falls: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SIDES, 0))
    fallen: dict[str, bool] = field(default_factory=lambda: dict.fromkeys(SIDES, False))
    """Whether the side's next win follows a fall."""
    on_stage: str | None = None
    """The side whose level is played next: first's side."""
    winner: str | None = None
    moved: list[tuple[str, str]] = field(default_factory=list)
    """Each arrival at a level: (side, level), in the order of time."""
    first_streak: tuple[str, int] = ("", 0)
    last_streak: tuple[str, int] = ("", 0)

    def __post_init__(self) -> None:
        if not self.levels:
            self.levels = dict.fromkeys(SIDES, self.ruleset.start_level)

    def position(self, side: str) -> int:
        """2 is 0 … A is 12, past A 13."""
        return PASSED if self.winner == side and self.levels[side] == "A" else RANKS.index(self.levels[side])

    @property
    def margin(self) -> int:
        """Levels that NS is ahead."""
        return self.position("NS") - self.position("EW")

    def finish(self, order: Sequence[str], stage: str | None) -> Step:
        """A deal ended in *order*; the level of *stage* was played (``None``: both sides' own).

        Only first's side moves; A must be played; a deal at the opponents' level is no try (text A; cases 58 to 61).
        """
        kind, side = kind_of(order), side_of(order[0])
        bonus = self._streaks(order, kind)
        gain, own = self.ruleset.gain(kind) + bonus, stage in (None, side)
        if self.levels[side] == "A" and "A" in self.ruleset.must_play:
            gain = self._at_a(side, kind, gain, own)
        elif self.fallen[side] and self.ruleset.win_after_fall:
            gain = RANKS.index(self.ruleset.win_after_fall) - RANKS.index(self.levels[side])
            self._set(side, self.ruleset.win_after_fall)
        else:
            self._climb(side, gain, own)
        self.fallen[side] = False
        if stage == other(side) and self.levels[stage] == "A":
            self.attempts[stage] += 1
        fell = tuple(each for each in SIDES if self._falls(each))
        if self.ruleset.goal == "reach_A" and self.levels[side] == "A":
            self.winner = side
        self.on_stage = side
        return Step(kind, side, gain, self.winner, fell)

    def _at_a(self, side: str, kind: str, gain: int, own: bool) -> int:
        if own and kind in self.ruleset.passing_A:
            self.winner = side
            return gain
        if own:
            self.attempts[side] += 1  # a deal at the opponents' level is no try
        return 0

    def _climb(self, side: str, gain: int, own: bool) -> None:
        at = RANKS.index(self.levels[side])
        for step in range(gain):
            if RANKS[at] in self.ruleset.must_play and not (step == 0 and own):
                break
            at += 1
            if at == PASSED:  # only where A need not be played
                self.winner = side
                at -= 1
                break
        self._set(side, RANKS[at])

    def _falls(self, side: str) -> bool:
        """Back to J, to 2, or where ``A_falls`` says, after so many failed tries (000 art. 2, 13; 004 part 1, 6.3)."""
        if not self.ruleset.A_tries or self.attempts[side] < self.ruleset.A_tries or self.winner:
            return False
        falls = self.ruleset.A_falls
        to = falls[min(self.falls[side], len(falls) - 1)]
        self.attempts[side] = 0
        self.falls[side] += 1
        if to == "stay":
            return False
        self.fallen[side] = True
        self._set(side, self.levels[other(side)] if to == "opponents" else to)
        return True

    def _streaks(self, order: Sequence[str], kind: str) -> int:
        """Count one player's firsts and lasts in a row; the bonus of the third and each further first (000 art. 9)."""
        first, last = order[0], order[3] if kind != "1-2" else ""
        self.first_streak = (first, self.first_streak[1] + 1 if self.first_streak[0] == first else 1)
        self.last_streak = (last, self.last_streak[1] + 1 if last and self.last_streak[0] == last else int(bool(last)))
        if last and self.ruleset.streak_malus and self.last_streak[1] >= 3:
            self.shift(side_of(last), -self.ruleset.streak_malus)
        return self.ruleset.streak_bonus if self.first_streak[1] >= 3 else 0

    def shift(self, side: str, by: int) -> int:
        """A penalty moves a side *by* levels, never through a must-play level or under the start; levels moved."""
        at = before = RANKS.index(self.levels[side])
        lowest = RANKS.index(self.ruleset.start_level)
        for _ in range(abs(by)):
            if by > 0 and (at == PASSED - 1 or (RANKS[at] in self.ruleset.must_play and at != before)):
                break
            if by < 0 and at <= lowest:
                break
            at += 1 if by > 0 else -1
        self._set(side, RANKS[at])
        return at - before

    def _set(self, side: str, level: str) -> None:
        if level != self.levels[side]:
            if self.levels[side] == "A":
                self.attempts[side] = 0  # tries count from arriving at A
            self.levels[side] = level
            self.moved.append((side, level))

    def first_to_reach(self) -> str | None:
        """Of sides on equal levels the one that came there first; ``None`` when neither ever moved.

        000 art. 13, part 6; 001 part 1, section 7.2.
        """
        arrived = dict.fromkeys(SIDES, -1)
        for at, (side, _) in enumerate(self.moved):
            arrived[side] = at
        if arrived["NS"] == arrived["EW"]:
            return None
        return min(SIDES, key=lambda side: arrived[side])
