"""One screen a file: each draws a view on a canvas and says where it can be touched."""

from __future__ import annotations

from collections.abc import Callable

from table.screens import deal_result, halted, match_result, menu, playing, score_only, start
from table.screens.canvas import Canvas
from table.view import TableView
from table.words import Words

SCREENS: dict[str, Callable[[Canvas, TableView, Words, float], None]] = {
    "start": start.draw,
    "playing": playing.draw,
    "deal_result": deal_result.draw,
    "match_result": match_result.draw,
    "halted": halted.draw,
    "menu": menu.draw,
    "score_only": score_only.draw,
}


def draw(canvas: Canvas, view: TableView, words: Words, now: float) -> None:
    """A fresh drawing of the screen that *view* asks for."""
    canvas.begin()
    SCREENS[view.screen](canvas, view, words, now)
