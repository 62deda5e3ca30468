"""One screen a file: each draws a view on a canvas and says where it can be touched."""

from __future__ import annotations

from collections.abc import Callable

from table.screens import (
    calibration,
    check_in,
    correct,
    deal_result,
    diagnosis,
    enrol,
    flat,
    flat_pages,
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
    "calibration": calibration.draw,
}


FLAT: dict[str, Callable[[Canvas, TableView, Words, float], None]] = {
    "playing": flat.draw,
    "deal_result": flat_pages.draw_deal,
    "match_result": flat_pages.draw_match,
    "halted": flat_pages.draw_halted,
}
"""On a flat screen: what everybody reads at once, each in a part of their own."""


def draw(canvas: Canvas, view: TableView, words: Words, now: float) -> None:
    """A fresh drawing of the screen that *view* asks for."""
    canvas.begin()
    page = FLAT.get(view.screen) if view.settings.flat else None
    if page is not None:
        page(canvas, view, words, now)
    elif view.settings.flat:
        _facing(canvas, view, words, now)
    else:
        SCREENS[view.screen](canvas, view, words, now)


def facing(view: TableView) -> str:
    """Whom a page on a flat screen faces: the seat it is about, else whoever turned it last."""
    if view.screen == "seat" and view.sheet is not None:
        return view.sheet
    if view.screen == "correct" and view.correction is not None:
        return view.correction.seat
    return view.facing


def _facing(canvas: Canvas, view: TableView, words: Words, now: float) -> None:
    """On a flat screen a page faces one player; a touch of its corner turns it on to the next."""
    seat = facing(view)
    with canvas.turned((0.0, 0.0, canvas.width, canvas.height), seat) as page:
        SCREENS[view.screen](page, view, words, now)
        if seat == view.facing and view.screen not in ("seat", "correct"):
            box = (page.width - 12.5, 1.5, 11.0, 10.4)
            page.panel(box, page.theme.colours["raised"], radius=2.4, outline=page.theme.colours["line"])
            page.pointer(box[0] + 5.5, box[1] + 5.4, "N", 5.0, page.theme.colours["quiet"])
            page.touch(box, "face")
