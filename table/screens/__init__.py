"""One screen a file: each draws a view on a canvas and says where it can be touched."""

from __future__ import annotations

from collections.abc import Callable

from table.screens import (
    check_in,
    correct,
    deal_result,
    diagnosis,
    enrol,
    flat,
    halted,
    lesson,
    loading,
    match_result,
    menu,
    playing,
    rulesets,
    score_only,
    seat,
    settings,
    start,
)
from table.screens.canvas import Canvas
from table.view import TableView
from table.words import Words

SCREENS: dict[str, Callable[[Canvas, TableView, Words, float], None]] = {
    "loading": loading.draw,
    "start": start.draw,
    "rulesets": rulesets.draw,
    "check_in": check_in.draw,
    "playing": playing.draw,
    "seat": seat.draw,
    "correct": correct.draw,
    "lesson": lesson.draw,
    "deal_result": deal_result.draw,
    "match_result": match_result.draw,
    "halted": halted.draw,
    "menu": menu.draw,
    "score_only": score_only.draw,
    "settings": settings.draw,
    "diagnosis": diagnosis.draw,
    "enrol": enrol.draw,
}


def draw(canvas: Canvas, view: TableView, words: Words, now: float) -> None:
    """A fresh drawing of the screen that *view* asks for."""
    canvas.begin()
    if not view.settings.flat:
        SCREENS[view.screen](canvas, view, words, now)
    elif view.screen == "playing":
        flat.draw(canvas, view, words, now)
    else:
        _facing(canvas, view, words, now)


def _facing(canvas: Canvas, view: TableView, words: Words, now: float) -> None:
    """On a flat screen a page faces one side of the table; a touch of its corner turns it to the other."""
    with canvas.turned((0.0, 0.0, canvas.width, canvas.height), "N" if view.facing == "N" else "S") as page:
        SCREENS[view.screen](page, view, words, now)
        box = (page.width - 12.5, 1.5, 11.0, 10.4)
        page.panel(box, page.theme.colours["raised"], radius=2.4, outline=page.theme.colours["line"])
        page.pointer(box[0] + 5.5, box[1] + 5.4, "N", 5.0, page.theme.colours["quiet"])
        page.touch(box, "face")
