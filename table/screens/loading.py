"""The first picture, before anything else is ready."""

from __future__ import annotations

from engine.cards import Card
from table.screens import cards
from table.screens.canvas import Canvas
from table.view import TableView
from table.words import Words


def draw(canvas: Canvas, view: TableView, words: Words, now: float) -> None:
    """Draw the name of the house and that it is coming."""
    colours, margin = canvas.theme.colours, canvas.theme.margin
    middle, wide = canvas.height / 2, canvas.width - 2 * margin
    fan = [Card.parse(name) for name in ("SA", "HA", "CA", "DA", "HR")]
    cards.row(canvas, fan, (canvas.width / 2 - 25, middle - 26, 50, 18), height=18)
    canvas.text(words("start.title"), (margin, middle - 4, wide, 13), 12.0, colours["text"], bold=True)
    canvas.text(words("start.loading"), (margin, middle + 11, wide, 7), 5.5, colours["quiet"])
