"""What a round is made of: games, who sits where, results that remember every value they had."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Drawn:
    """A game as it was drawn, north-south first. *mates* are both sides' second players where partners are drawn anew
    each round; *for_place* is 3 for the game between the losers of the semi-finals.
    """

    one: int
    other: int | None
    mates: tuple[int, int] | None = None
    group: int = 0
    for_place: int = 0

    def to_json(self) -> dict[str, Any]:
        told: dict[str, Any] = {"one": self.one, "other": self.other}
        if self.mates:
            told["mates"] = list(self.mates)
        if self.group:
            told["group"] = self.group
        if self.for_place:
            told["for_place"] = self.for_place
        return told


@dataclass
class Pairing:
    """One game of a round: *one* sits north-south. *result* is the newest of *history*; None while it is played."""

    one: int
    other: int | None
    place: str | None
    match: str
    result: dict[str, Any] | None = None
    history: list[dict[str, Any]] = field(default_factory=list)
    mates: tuple[int, int] | None = None
    group: int = 0
    for_place: int = 0
    late: dict[str, float] = field(default_factory=dict)
    """Side ("one", "other") to the venue time at which it was noted that it is not there."""
    turned: bool = False
    """The table's record calls north-south who is east-west here: they had sat down the wrong way round."""
    claim: dict[str, Any] | None = None
    """What the table's record says now, where it would take the next round's player away: a person has to decide."""
    moves: list[dict[str, Any]] = field(default_factory=list)
    """Every change of seats after the draw: what it was, who did it, when and why."""

    @property
    def winner(self) -> int | None:
        """Who goes on: the bye's holder, the winner, None for a draw or while it is played."""
        if self.other is None:
            return self.one
        if self.result is None:
            return None
        return {"one": self.one, "other": self.other}.get(str(self.result.get("winner")))

    @property
    def loser(self) -> int | None:
        """Who is out, None for a bye, a draw, both absent, or while it is played."""
        winner = self.winner
        return None if winner is None or self.other is None else self.other if winner == self.one else self.one

    @property
    def done(self) -> bool:
        return self.other is None or self.result is not None

    @property
    def sides(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Everybody north-south, everybody east-west; nobody for the other side of a bye."""
        one, other = (self.one,), (self.other,) if self.other is not None else ()
        if self.mates is None or self.other is None:
            return one, other
        return (self.one, self.mates[0]), (self.other, self.mates[1])


@dataclass
class Round:
    """A round as it was drawn: *seed* decided it, unless *by_hand*. *started* is the venue time at which it began."""

    number: int
    seed: str
    games: list[Pairing]
    by_hand: bool = False
    stage: int = 0
    started: float | None = None

    @property
    def done(self) -> bool:
        return all(game.done for game in self.games)


def turned_result(result: Mapping[str, Any]) -> dict[str, Any]:
    """*result* with its sides exchanged."""
    swap = {"one": "other", "other": "one"}
    turned = dict(result)
    turned["winner"] = swap.get(str(result.get("winner")), result.get("winner"))
    turned["forfeit"] = swap.get(str(result.get("forfeit")), result.get("forfeit"))
    if result.get("levels"):
        turned["levels"] = list(result["levels"])[::-1]
    if result.get("won"):
        turned["won"] = list(result["won"])[::-1]
    if result.get("games"):
        turned["games"] = [list(levels)[::-1] for levels in result["games"]]
    if result.get("margin") is not None:
        turned["margin"] = -int(result["margin"])
    return turned
