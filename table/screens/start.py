"""The start screen: what kind of table this is, then one tap."""

from __future__ import annotations

from engine.cards import Card
from table.screens import cards
from table.screens.canvas import Canvas
from table.view import TableView
from table.words import Words


def draw(canvas: Canvas, view: TableView, words: Words, now: float) -> None:
    """Draw the start screen."""
    colours, sizes = canvas.theme.colours, canvas.theme.sizes
    middle = canvas.width / 2
    fan = [Card.parse(name) for name in ("SA", "HA", "CA", "DA", "HR")]
    cards.row(canvas, fan, (middle - 25, 8.0, 50, 20), height=20, four_colours=view.four_colours)
    canvas.text(words("start.title"), (10, 30.5, canvas.width - 20, 14), 13.0, colours["text"], bold=True)
    canvas.text(words("start.subtitle"), (10, 45.5, canvas.width - 20, 7), sizes["small"], colours["quiet"])
    kind = words(f"start.{view.profile}") + "  ·  " + words("start.ruleset", name=view.ruleset)
    canvas.text(kind, (10, 53, canvas.width - 20, 7), sizes["small"], colours["quiet"])
    canvas.button((middle - 26, 64, 52, 15), words("start.begin"), "start", fill=colours["north_south"], size=8.0)
