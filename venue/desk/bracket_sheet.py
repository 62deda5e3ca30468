"""A bracket on paper: drawn in millimetres, lines from each game to the one its winner goes on to.

A tree that is too tall for a page is cut into its quarters, and what these winners play stands on the last page.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Any, Final

from venue.desk.brackets import Place, Tree
from venue.desk.rounds import Pairing

WIDE, TALL = 182.0, 204.0
"""What an A4 page has for it, in millimetres."""
MOST_ROWS: Final = 32
HEAD, GAP = 7.0, 7.0
LOWEST, HIGHEST = 6.3, 17.0
"""A game's share of the page's height."""
WIDEST: Final = 56.0
TIGHT: Final = 1.4
"""Names may be set so much narrower than they are; beyond that they are cut."""
_WIDE_LETTERS: Final = 0x2E80

Title = Callable[[Sequence[int]], str]


def pages(tree: Tree) -> list[tuple[int, Tree]]:
    """*tree*, or the parts of it that fit on a page each, with the column of the whole at which each begins."""
    whole = [(0, tree)]
    if tree.rows <= MOST_ROWS:
        return whole
    column = next(at for at, places in enumerate(tree.columns) if tree.rows / len(places) > MOST_ROWS / 2)
    parts = [(0, tree.under(column, place)) for place in range(len(tree.columns[column]))]
    if not 1 < len(parts) <= MOST_ROWS or any(part.rows > MOST_ROWS for _, part in parts):
        return whole  # no tree that a draw of neighbours makes: small print is better than none
    return [*parts, (column, tree.beyond(column))]


def svg(tree: Tree, heads: Sequence[str], title: Title, bye: str, third: str) -> str:
    """The drawing of *tree*: *heads* stand over its columns, *title* names a side, *third* the game for that place."""
    count = len(tree.columns)
    wide = min(WIDEST, (WIDE - GAP * (count - 1)) / count)
    end = tree.columns[-1][0].row
    rows = max(tree.rows, end + 2.9) if tree.third is not None else tree.rows
    share = max(LOWEST * min(1.0, MOST_ROWS / rows), min(HIGHEST, TALL / rows))
    line = min(share * 0.84, 11.0) / 2
    size = min(line * 0.68, 3.9)
    pen = _Pen(wide, line, size, title, bye)
    told = []
    for at, places in enumerate(tree.columns):
        left = at * (wide + GAP)
        told.append(pen.text(heads[at], left, 3.6, "head", 3.2, wide))
        for place in places:
            middle = HEAD + (place.row + 0.5) * share
            for before in place.after:
                start = HEAD + (tree.columns[at - 1][before].row + 0.5) * share
                told.append(f'<path d="M{left - GAP:.1f} {start:.2f}H{left - GAP / 2:.1f}V{middle:.2f}H{left:.1f}"/>')
            told.append(pen.box(place, left, middle))
    if tree.third is not None:
        left, middle = (count - 1) * (wide + GAP), HEAD + (end + 2.4) * share
        told.append(pen.text(third, left, middle - line - 1.0, "head", size, wide))
        told.append(pen.box(Place(tree.third, 0), left, middle))
    across, down = count * (wide + GAP) - GAP, HEAD + rows * share
    return (
        f'<svg class="tree" viewBox="0 0 {across + 0.4:.1f} {down:.1f}" '
        f'width="{across + 0.4:.1f}mm" height="{down:.1f}mm">{"".join(told)}</svg>'
    )


class _Pen:
    """Draws boxes of one size."""

    def __init__(self, wide: float, line: float, size: float, title: Title, bye: str) -> None:
        self.wide, self.line, self.size, self.title, self.bye = wide, line, size, title, bye

    def box(self, place: Place, left: float, middle: float) -> str:
        """A game: two lines, the winner's bold, each side's level at the right; empty while it is not drawn."""
        game, line = place.game, self.line
        if game is not None and game.other is None:
            frame = self._frame(left, middle - line / 2, line, "bye")
            note = self.text(self.bye, left + self.wide - 1.2, middle + self.size * 0.36, "bye", self.size, 12, True)
            return frame + note + self._side(game, 0, left, middle - line / 2, 10.0)
        frame = self._frame(left, middle - line, 2 * line, "" if game is not None else "open")
        frame += f'<path class="rule" d="M{left:.1f} {middle:.2f}h{self.wide:.1f}"/>'
        if game is None:
            return frame
        return frame + self._side(game, 0, left, middle - line) + self._side(game, 1, left, middle)

    def _frame(self, left: float, top: float, tall: float, css: str) -> str:
        named = f' class="{css}"' if css else ""
        return f'<rect{named} x="{left + 0.2:.1f}" y="{top:.2f}" width="{self.wide:.1f}" height="{tall:.2f}" rx="0.8"/>'

    def _side(self, game: Pairing, side: int, left: float, top: float, kept: float = 0.0) -> str:
        who, base = game.sides[side], top + self.line / 2 + self.size * 0.36
        css = "won" if game.other is not None and game.winner is not None and game.winner == who[0] else ""
        mark = marks(game.result)[side]
        right = kept or (3.0 + width(mark) * self.size if mark else 0.0)
        told = self.text(self.title(who), left + 1.4, base, css, self.size, self.wide - 2.6 - right)
        if mark:
            told += self.text(mark, left + self.wide - 1.2, base, css, self.size, right, True)
        return told

    def text(self, words: str, x: float, y: float, css: str, size: float, room: float, right: bool = False) -> str:
        """*words* in *room* millimetres: set narrower where they need more, cut where that would not be readable."""
        needs = width(words) * size
        if needs > room * TIGHT:
            while words and width(words + "…") * size > room * TIGHT:
                words = words[:-1]
            words, needs = words + "…", width(words + "…") * size
        fit = f' textLength="{room:.1f}" lengthAdjust="spacingAndGlyphs"' if needs > room else ""
        named = (f' class="{css}"' if css else "") + (' text-anchor="end"' if right else "")
        return f'<text{named} x="{x:.1f}" y="{y:.2f}" font-size="{size:.2f}"{fit}>{escape(words)}</text>'


def width(words: str) -> float:
    """How wide *words* are set, in their size: as good as it gets without the font."""
    return sum(1.0 if ord(letter) > _WIDE_LETTERS else 0.58 for letter in words)


def marks(result: dict[str, Any] | None) -> tuple[str, str]:
    """What stands behind the sides: levels reached, or games won where there were several."""
    if result is None:
        return "", ""
    if result.get("won"):
        return str(result["won"][0]), str(result["won"][1])
    games = result.get("games") or ([result["levels"]] if result.get("levels") else [])
    if len(games) > 1:
        ranks = "23456789TJQKA"
        won = [sum(ranks.index(each[me]) > ranks.index(each[1 - me]) for each in games) for me in (0, 1)]
        return str(won[0]), str(won[1])
    one, other = ("10" if level == "T" else str(level) for level in games[-1]) if games else ("", "")
    return one, other
