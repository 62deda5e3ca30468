"""What the pages have in common: a title, a row of buttons at the foot, boxes in rows and columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from table.screens.canvas import Box, Canvas
from table.theme import Colour
from table.view import TableView
from table.words import Words

GAP = 2.4
"""Millimetres between things to touch."""
FOOT = 12.5
"""Height of a button at the foot."""


class Button(NamedTuple):
    """Something to touch: its word, what it does, and its colour where it is the one that goes on."""

    text: str
    what: str
    value: Any = None
    fill: Colour | None = None
    ink: Colour | None = None


def title(canvas: Canvas, text: str, colour: Colour | None = None, size: float = 7.5) -> float:
    """The page's title; where the rest begins."""
    margin = canvas.theme.margin
    box = (margin + 12, margin - 0.5, canvas.width - 2 * margin - 24, 10.0)
    canvas.text(text, box, size, colour or canvas.theme.colours["text"], bold=True)
    return margin + 11.5


def foot(canvas: Canvas, buttons: Sequence[Button], widest: float = 58.0, columns: int | None = None) -> float:
    """A row of buttons along the bottom, two a row on an upright screen or *columns*; where they begin."""
    margin = canvas.theme.margin
    columns = min(len(buttons), columns or (2 if canvas.theme.tall else 4))
    if not columns:
        return canvas.height - margin
    rows = -(-len(buttons) // columns)
    room = canvas.width - 2 * margin
    wide = min(widest, (room - GAP * (columns - 1)) / columns)
    top = canvas.height - margin - rows * FOOT - (rows - 1) * GAP
    for place, button in enumerate(buttons):
        row, column = divmod(place, columns)
        here = min(columns, len(buttons) - row * columns)
        left = (canvas.width - here * wide - (here - 1) * GAP) / 2 + column * (wide + GAP)
        put(canvas, (left, top + row * (FOOT + GAP), wide, FOOT), button)
    return top - GAP


def way_back(canvas: Canvas, view: TableView, words: Words) -> list[Button]:
    """Back to the game, to the camera's place, and to learning this deck for whoever may."""
    found = [Button(words("calibration.open"), "calibration")] if view.may_calibrate else []
    if view.may_learn:
        found.append(Button(words("enrol.open"), "enrol"))
    return [*found, Button(words("menu.close"), "close", None, canvas.theme.colours["north_south"])]


def put(canvas: Canvas, box: Box, button: Button, size: float = 6.0) -> None:
    """A button in its box."""
    canvas.button(box, button.text, button.what, button.value, fill=button.fill, ink=button.ink, size=size)


def grid(box: Box, columns: int, rows: int, gap: float = GAP) -> list[Box]:
    """*box* in equal parts, row by row."""
    wide = (box[2] - gap * (columns - 1)) / columns
    high = (box[3] - gap * (rows - 1)) / rows
    return [
        (box[0] + column * (wide + gap), box[1] + row * (high + gap), wide, high)
        for row in range(rows)
        for column in range(columns)
    ]


def compass(box: Box, wide: float, high: float) -> dict[str, Box]:
    """Four boxes where the seats are, inside *box*."""
    left, top, width, height = box
    middle, centre = left + (width - wide) / 2, top + (height - high) / 2
    return {
        "N": (middle, top, wide, high), "S": (middle, top + height - high, wide, high),
        "W": (left, centre, wide, high), "E": (left + width - wide, centre, wide, high),
    }  # fmt: skip
