"""Everybody meets everybody: the circle method, in groups when there are many."""

from __future__ import annotations

from collections.abc import Sequence

from venue.desk.knockout import Game
from venue.sentences import Impossible


def rounds(drawn: Sequence[int]) -> list[list[Game]]:
    """All rounds for entrants in drawn order: each pair once; of an odd number everybody sits out once."""
    if len(drawn) < 2:
        raise Impossible("two_for_robin")
    circle: list[int | None] = [*drawn]
    if len(circle) % 2:
        circle.append(None)
    half = len(circle) // 2
    made = []
    for number in range(len(circle) - 1):
        games: list[Game] = []
        byes: list[Game] = []
        for one, other in zip(circle[:half], reversed(circle[half:]), strict=True):
            if one is None or other is None:
                byes.append((one or other or 0, None))
            else:
                games.append((one, other) if number % 2 == 0 else (other, one))
        made.append(games + byes)
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return made


def groups(drawn: Sequence[int], count: int, club: dict[int, str] | None = None) -> list[list[int]]:
    """*drawn* dealt into *count* groups whose sizes differ by one at most; the same club apart as far as that goes."""
    if not 0 < count <= len(drawn):
        raise Impossible("groups_unfilled", n=len(drawn), groups=count)
    clubs = club or {}
    made: list[list[int]] = [[] for _ in range(count)]
    common = {name: sum(1 for who in drawn if clubs.get(who) == name) for name in clubs.values() if name}
    # the largest clubs first: they are the hard ones to keep apart
    for who in sorted(
        drawn, key=lambda who: (-common.get(clubs.get(who, ""), 0), clubs.get(who, ""), drawn.index(who))
    ):
        mine = clubs.get(who, "")

        def crowd(group: list[int], mine: str = mine) -> tuple[int, int]:
            return sum(1 for other in group if mine and clubs.get(other) == mine), len(group)

        fullest = -(-len(drawn) // count)
        room = [group for group in made if len(group) < fullest]
        min(room, key=crowd).append(who)
    return _even(made)


def _even(made: list[list[int]]) -> list[list[int]]:
    while max(map(len, made)) - min(map(len, made)) > 1:
        max(made, key=len)
        min(made, key=len).append(max(made, key=len).pop())
    return made
