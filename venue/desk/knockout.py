"""Knock-outs: a bracket with byes spread over it, or survivors drawn afresh each round (`invitational`: 14-7-4-2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from venue.desk.draw import order
from venue.sentences import Impossible

Game = tuple[int, int | None]
"""Two entrants' numbers; None for a bye."""


def places(size: int) -> list[int]:
    """For a bracket of *size* lines (a power of two) the seed on each line: 1 meets 2 in the final at the earliest."""
    lines = [1]
    while len(lines) < size:
        lines = [seed for line in lines for seed in (line, 2 * len(lines) + 1 - line)]
    return lines


def bracket(drawn: Sequence[int]) -> list[int | None]:
    """The lines of a bracket from top to bottom for entrants in drawn (or seeded) order, None where a bye stands.

    The first drawn get the byes; no two byes meet.
    """
    if len(drawn) < 2:
        raise Impossible("two_for_knockout")
    size = 1 << (len(drawn) - 1).bit_length()
    return [drawn[seed - 1] if seed <= len(drawn) else None for seed in places(size)]


def first_round(lines: Sequence[int | None]) -> list[Game]:
    """The games of a bracket's first round, byes among them."""
    games: list[Game] = []
    for one, other in zip(lines[::2], lines[1::2], strict=True):
        if one is None:
            one, other = other, one
        assert one is not None
        games.append((one, other))
    return games


def next_round(slots: Sequence[int | None]) -> list[Game]:
    """The next round of a bracket: neighbours meet. *slots* are who came out of each game, in order; None where nobody
    did (both absent, or withdrawn since): the neighbour goes on without a game.
    """
    if len(slots) % 2:
        raise Impossible("one_result_missing")
    games: list[Game] = []
    for one, other in zip(slots[::2], slots[1::2], strict=True):
        if one is not None:
            games.append((one, other))
        elif other is not None:
            games.append((other, None))
    return games


def neighbours(here: Sequence[int], seed: str, had_bye: Iterable[int] = ()) -> list[Game]:
    """A round of neighbours: first table's winner meets the second's, and so on (`zhongqing`, `hr-cup`, `teahouse`).
    Of an odd number one, drawn among those who had no bye, goes on without a game.
    """
    if len(here) < 2:
        raise Impossible("two_for_knockout")
    left, free = list(here), None
    if len(left) % 2:
        before, drawn = set(had_bye), order(f"{seed}/bye", here)
        free = next((who for who in drawn if who not in before), drawn[0])
        left.remove(free)
    return list(zip(left[::2], left[1::2], strict=True)) + ([(free, None)] if free is not None else [])


def drawn_round(survivors: Iterable[int], seed: str, had_bye: Iterable[int] = ()) -> list[Game]:
    """A round drawn afresh. Of an odd number the first drawn that has had no bye gets it and goes on without a game."""
    drawn = order(seed, survivors)
    games: list[Game] = []
    if len(drawn) % 2:
        before = set(had_bye)
        free = next((who for who in drawn if who not in before), drawn[0])
        drawn.remove(free)
        games.append((free, None))
    return list(zip(drawn[::2], drawn[1::2], strict=True)) + games
