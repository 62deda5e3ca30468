"""What the machine says of itself, in plain words: enough to tell somebody on the phone."""

from __future__ import annotations

from collections.abc import Sequence

from table.screens import frame
from table.screens.canvas import Box, Canvas
from table.view import Fact, TableView
from table.words import Words

MARKS = {None: "·", True: "✓", False: "!"}
LEAST, USUAL = 3.5, 4.6
"""Sizes of type: a value shrinks before it is cut, since it may have to be read out on the phone."""
TALLEST = 9.4
"""Height of a line where there are few."""
BACK = 30.0
"""Width of the way back where something is said beside it."""


def draw(canvas: Canvas, view: TableView, words: Words, now: float) -> None:
    """Draw one line a fact: first, each by itself, what is not well; the rest below in columns."""
    colours, margin = canvas.theme.colours, canvas.theme.margin
    top = frame.title(canvas, words("diagnosis.title"))
    low = _foot(canvas, view, words)
    if not view.facts:
        canvas.text(words("diagnosis.looking"), (margin, top, canvas.width - 2 * margin, low - top), 6.0,
                    colours["quiet"])  # fmt: skip
        return
    ill = [fact for fact in view.facts if fact.good is False]
    well = [fact for fact in view.facts if fact.good is not False]
    columns = 1 if canvas.theme.tall else 2
    rows = -(-len(well) // columns)
    high = min(TALLEST, (low - top - 1) / max(1, len(ill) + rows))
    left, wide = margin + 1, canvas.width - 2 * margin - 2
    _column(canvas, ill, words, (left, top, wide, high))
    part = (wide - 3.0 * (columns - 1)) / columns
    for column in range(columns):
        some = well[column * rows : (column + 1) * rows]
        _column(canvas, some, words, (left + column * (part + 3.0), top + len(ill) * high, part, high))


def _foot(canvas: Canvas, view: TableView, words: Words) -> float:
    """The buttons, or what came of the file that helps from afar and the way back; where that begins."""
    buttons, margin = frame.way_back(canvas, view, words), canvas.theme.margin
    if view.bundle is None:
        if view.may_bundle:
            buttons.insert(-1, frame.Button(words("diagnosis.bundle"), "bundle"))
        return frame.foot(canvas, buttons)
    top, tall = canvas.height - margin - frame.FOOT, canvas.theme.tall
    back = (margin if tall else canvas.width - margin - BACK, top, canvas.width - 2 * margin if tall else BACK,
            frame.FOOT)  # fmt: skip
    frame.put(canvas, back, buttons[-1])
    low = top - frame.GAP - frame.FOOT if tall else top
    room = (margin, low, back[2] if tall else back[0] - margin - frame.GAP, frame.FOOT)
    ink = canvas.theme.colours["east_west" if view.bundle.state == "failed" else "text"]
    told = words(f"diagnosis.bundle_{view.bundle.state}", file=view.bundle.path)
    canvas.paragraph(told, room, USUAL, ink, bold=True, least=3.0)
    return low - frame.GAP


def _column(canvas: Canvas, facts: Sequence[Fact], words: Words, first: Box) -> None:
    """*facts* one below the other, the first in *first*; their values stand in one line."""
    colours, (left, top, wide, high) = canvas.theme.colours, first
    size = min(USUAL, high * 0.78)
    split = 8 + max((canvas.measure(words(f"diagnosis.{fact.key}"), size) for fact in facts), default=0.0)
    for place, fact in enumerate(facts):
        ink = colours["quiet"] if fact.good is None else colours["north_south" if fact.good else "east_west"]
        line = top + place * high
        canvas.text(MARKS[fact.good], (left, line, 5, high), size * 1.2, ink, bold=True)
        canvas.text(words(f"diagnosis.{fact.key}"), (left + 6, line, split - 7, high), size, colours["quiet"],
                    align="left")  # fmt: skip
        room = wide - split - 0.3
        value = canvas.cut(fact.value, room, min(LEAST, size))
        canvas.text(value, (left + split, line, room + 0.3, high), size,
                    ink if fact.good is False else colours["text"], align="left")  # fmt: skip
