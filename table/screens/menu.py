"""The few things that are not play: pause, score only, the suits' colours, whose turn it really is."""

from __future__ import annotations

from engine.cards import SEATS
from table.screens.canvas import Canvas
from table.view import TableView
from table.words import Words


def draw(canvas: Canvas, view: TableView, words: Words, now: float) -> None:
    """Draw the menu."""
    colours, sizes, wide = canvas.theme.colours, canvas.theme.sizes, canvas.width
    canvas.text(words("menu.title"), (10, 3, wide - 20, 9), 7.0, colours["text"], bold=True)
    buttons = (("menu.pause", "pause"), ("menu.score_only", "score_only"), ("menu.four_colours", "four_colours"))
    for place, (key, what) in enumerate(buttons):
        canvas.button((wide / 2 - 71 + place * 48, 15, 46, 14), words(key), what, size=6.0)
    canvas.text(words("menu.fix"), (8, 34, wide - 16, 8), sizes["small"], colours["quiet"])
    for place, seat in enumerate(SEATS):
        box = (wide / 2 - 71 + place * 36, 44, 34, 15)
        canvas.button(box, words(f"seat.{seat}"), "fix_turn", seat, ink=canvas.theme.side(seat), size=8.0)
    canvas.button((wide / 2 - 30, 68, 60, 14), words("menu.close"), "close", fill=colours["north_south"], size=6.5)
