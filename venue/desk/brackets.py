"""A knock-out as a tree: where each game stands, which games its sides came from, which places are still empty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from venue.desk.rounds import Pairing
from venue.desk.stages import Stage


@dataclass(frozen=True)
class Place:
    """A place of the tree: its *game*, None while that is not drawn. *row* is how far down it stands, in games of the
    first column; *after* are the places of the column before whose winners meet here.
    """

    game: Pairing | None
    row: float
    after: tuple[int, ...] = ()


@dataclass(frozen=True)
class Tree:
    """The bracket of one *group* (0: there is one), a column a round; *rows* is its height. *third* is the game between
    the losers of the semi-finals.
    """

    group: int
    rows: int
    columns: tuple[tuple[Place, ...], ...]
    third: Pairing | None = None

    def under(self, column: int, place: int) -> Tree:
        """The part of the tree that ends in one place."""
        wanted, kept = [place], []
        for at in range(column, -1, -1):
            kept.append(wanted)
            wanted = [before for each in wanted for before in self.columns[at][each].after]
        return self._part(kept[::-1], 0)

    def beyond(self, column: int) -> Tree:
        """The rest of the tree from *column* on."""
        return self._part([list(range(len(places))) for places in self.columns[column:]], column, self.third)

    def _part(self, kept: list[list[int]], first: int, third: Pairing | None = None) -> Tree:
        places = [[self.columns[first + at][each] for each in column] for at, column in enumerate(kept)]
        feeders = [
            [tuple(kept[at - 1].index(before) for before in place.after) if at else () for place in column]
            for at, column in enumerate(places)
        ]
        return _laid(self.group, [[place.game for place in column] for column in places], feeders, third)

    def to_json(self, stage: Stage) -> dict[str, Any]:
        """For pages: a game is its place in its round, which is the column's."""
        columns = [
            [
                {
                    "game": stage.rounds[at].games.index(place.game) if place.game is not None else None,
                    "row": place.row, "after": list(place.after),
                }
                for place in places
            ]
            for at, places in enumerate(self.columns)
        ]  # fmt: skip
        third = None
        if self.third is not None:
            third = next(
                [at, past.games.index(self.third)] for at, past in enumerate(stage.rounds) if self.third in past.games
            )
        return {"group": self.group, "rows": self.rows, "columns": columns, "third": third}


def trees(stage: Stage) -> list[Tree]:
    """The brackets of *stage*, one a group, as far as they are drawn; and where neighbours meet, what is to come."""
    marks = range(1, len(stage.groups) + 1) if len(stage.groups) > 1 else [0]
    return [_tree(stage, mark) for mark in marks]


def _tree(stage: Stage, mark: int) -> Tree:
    games: list[list[Pairing | None]] = []
    third = None
    for past in stage.rounds:
        own = [game for game in past.games if game.group == mark]
        third = next((game for game in own if game.for_place), third)
        if main := [game for game in own if not game.for_place]:
            games.append([*main])
    feeders = [_feeders(games[at - 1] if at else [], here) for at, here in enumerate(games)]
    plan = stage.plan
    while games and plan.format == "knockout" and plan.until < (count := len(games[-1])) and count % 2 == 0:
        if plan.rounds and len(games) >= plan.rounds:
            break
        games.append([None] * (count // 2))
        feeders.append([(2 * at, 2 * at + 1) for at in range(count // 2)])
    return _laid(mark, games, feeders, third)


def _feeders(before: list[Pairing | None], here: list[Pairing | None]) -> list[tuple[int, ...]]:
    """For each game of a round those of the round before whose winners meet in it."""
    came = {game.winner: at for at, game in enumerate(before) if game is not None and game.winner is not None}
    return [
        tuple(came[who] for who in (game.one, game.other) if who in came) if game is not None else () for game in here
    ]


def _laid(
    mark: int, games: list[list[Pairing | None]], feeders: list[list[tuple[int, ...]]], third: Pairing | None
) -> Tree:
    """Every game beside the middle of those that it follows, whatever the draw did; what leads nowhere comes last."""
    rows: list[dict[int, float]] = [{} for _ in games]
    free = 0

    def lay(column: int, at: int) -> float:
        nonlocal free
        if at not in rows[column]:
            before = [lay(column - 1, each) for each in feeders[column][at]]
            if not before:
                free += 1
            rows[column][at] = sum(before) / len(before) if before else free - 1
        return rows[column][at]

    for column in range(len(games) - 1, -1, -1):
        for at in range(len(games[column])):
            lay(column, at)
    order = [sorted(found, key=found.__getitem__) for found in rows]
    columns = tuple(
        tuple(
            Place(games[at][each], rows[at][each], tuple(sorted(order[at - 1].index(b) for b in feeders[at][each])))
            for each in order[at]
        )
        for at in range(len(games))
    )
    return Tree(mark, free, columns, third)
