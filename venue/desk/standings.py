"""Standings: points, then a chain of tie-breaks of the organiser's choice, each figure with where it came from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from venue.desk.draw import lot
from venue.sentences import Unreadable

Number = int | float


@dataclass(frozen=True)
class Outcome:
    """One entrant's side of one game, or a bye or a forfeit. *margin* is the level difference, its own minus theirs."""

    round: int
    other: int | None
    points: Number
    margin: int = 0
    levels: int = 0
    won: bool = False


@dataclass(frozen=True)
class Line:
    """A line of the table. *rank* is shared where the whole chain leaves a tie; *decided* names the first tie-break of
    the chain in which the entrant differs from the one above, None for the first or a shared place.
    """

    rank: int
    number: int
    figures: tuple[Number | str, ...]
    explained: tuple[str, ...]
    shared: bool = False
    decided: str | None = None


Figure = tuple[Number, str]
"""A number that is better when higher, and how it is made up."""
_Games = dict[int, list[Outcome]]


def _sum(parts: Iterable[Number]) -> Figure:
    listed = [_plain(part) for part in parts]
    return sum(listed), " + ".join(map(str, listed)).replace("+ -", "- ") or "0"


def _plain(value: Number) -> Number:
    return int(value) if float(value).is_integer() else value


def points(games: _Games, number: int) -> Figure:
    """Points of all rounds."""
    return _sum(game.points for game in games[number])


def net_levels(games: _Games, number: int) -> Figure:
    """Level differences of all rounds (净积小分)."""
    return _sum(game.margin for game in games[number])


def levels(games: _Games, number: int) -> Figure:
    """Levels reached, summed."""
    return _sum(game.levels for game in games[number])


def wins(games: _Games, number: int) -> Figure:
    """Games won, byes not counted as games."""
    return _sum(int(game.won) for game in games[number] if game.other is not None)


def cumulative(games: _Games, number: int) -> Figure:
    """The sum of the standing after each round (累积分): early points count more often."""
    return _running(games[number])


def cumulative_without_first(games: _Games, number: int) -> Figure:
    """The same from the second round on: the first opponent was drawn, not earned."""
    return _running([game for game in games[number] if game.round > 1])


def _running(outcomes: Sequence[Outcome]) -> Figure:
    total, after = 0.0, []
    for game in sorted(outcomes, key=lambda game: game.round):
        total += game.points
        after.append(total)
    return _sum(after)


def opponents(games: _Games, number: int) -> Figure:
    """The points of those it met, a bye counting nothing (对手分)."""
    return _sum(points(games, game.other)[0] for game in games[number] if game.other is not None)


TIE_BREAKS: Final[dict[str, Callable[[_Games, int], Figure]]] = {
    "points": points, "net_levels": net_levels, "levels": levels, "wins": wins, "cumulative": cumulative,
    "cumulative_without_first": cumulative_without_first, "opponents": opponents,
}  # fmt: skip
AMONG_THE_TIED: Final = ("head_to_head", "lot")
DEFAULT_CHAIN: Final = ("points", "head_to_head", "net_levels", "cumulative", "opponents")


def check_chain(chain: Sequence[str]) -> None:
    """:raises Unreadable: for a tie-break that does not exist, one that stands twice, or a chain without points."""
    for name in chain:
        if name not in TIE_BREAKS and name not in AMONG_THE_TIED:
            raise Unreadable("no_tie_break", name=name, names=(*TIE_BREAKS, *AMONG_THE_TIED))
    if len(set(chain)) < len(chain) or not chain:
        raise Unreadable("chain_once")


def table(games: _Games, chain: Sequence[str] = DEFAULT_CHAIN, seed: str = "") -> list[Line]:
    """The standings of everybody in *games* (number to outcomes), best first.

    ``head_to_head`` speaks among those still tied, and only when each of them has met each other; ``lot`` always
    decides, by the published *seed*.

    :raises Unreadable: for a chain that makes no sense.
    """
    check_chain(chain)
    tied: list[list[int]] = [sorted(games)]
    figures: dict[int, list[Number | str]] = {number: [] for number in games}
    explained: dict[int, list[str]] = {number: [] for number in games}
    for name in chain:
        following: list[list[int]] = []
        for group in tied:
            found = _figures(name, games, group, seed)
            for number in group:
                figure = found.get(number)
                figures[number].append("–" if figure is None else figure[0] if name != "lot" else "")
                explained[number].append("" if figure is None else figure[1])
            split: dict[Number, list[int]] = {}
            for number in group:
                figure = found.get(number)
                split.setdefault(figure[0] if figure is not None else 0, []).append(number)
            following += [split[value] for value in sorted(split, reverse=True)]
        tied = following
    lines: list[Line] = []
    for group in tied:
        rank = len(lines) + 1
        for place, number in enumerate(group):
            lines.append(
                Line(
                    rank, number, tuple(figures[number]), tuple(explained[number]), shared=len(group) > 1,
                    decided=None if place or rank == 1 else _last_split(lines[-1], figures[number], chain),
                )
            )  # fmt: skip
    return lines


def _last_split(above: Line, mine: Sequence[Number | str], chain: Sequence[str]) -> str | None:
    for name, theirs, own in zip(chain, above.figures, mine, strict=True):
        if theirs != own:
            return name
    return chain[-1]


def _figures(name: str, games: _Games, group: Sequence[int], seed: str) -> dict[int, Figure]:
    if name in TIE_BREAKS:
        return {number: TIE_BREAKS[name](games, number) for number in group}
    if len(group) < 2:
        return {}
    if name == "lot":
        drawn = sorted(group, key=lambda number: lot(seed, number))
        return {number: (len(drawn) - place, f"{place + 1}/{len(drawn)}") for place, number in enumerate(drawn)}
    inside = set(group)
    met = {number: {game.other for game in games[number]} & inside for number in group}
    if any(met[number] != inside - {number} for number in group):
        return {}
    return {number: _sum(game.points for game in games[number] if game.other in inside) for number in group}
