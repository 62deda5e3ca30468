"""What the machine says of itself, in plain words: enough to tell somebody on the phone."""

from __future__ import annotations

from table.screens import frame
from table.screens.canvas import Canvas
from table.view import TableView
from table.words import Words


def draw(canvas: Canvas, view: TableView, words: Words, now: float) -> None:
    """Draw one line a fact; what is not well stands in amber and is marked."""
    colours, margin = canvas.theme.colours, canvas.theme.margin
    top = frame.title(canvas, words("diagnosis.title"))
    low = frame.foot(canvas, frame.way_back(canvas, view, words))
    if not view.facts:
        canvas.text(words("diagnosis.looking"), (margin, top, canvas.width - 2 * margin, low - top), 6.0,
                    colours["quiet"])  # fmt: skip
        return
    columns = 1 if canvas.theme.tall else 2
    rows = max(6, -(-len(view.facts) // columns))
    box = (margin + 1, top, canvas.width - 2 * margin - 2, low - top - 1)
    named = max(canvas.measure(words(f"diagnosis.{fact.key}"), 4.6) for fact in view.facts) + 0.5
    for spot, fact in zip(frame.grid(box, columns, rows, 2.0), view.facts, strict=False):
        ink = colours["quiet"] if fact.good is None else colours["north_south" if fact.good else "east_west"]
        mark = {None: "·", True: "✓", False: "!"}[fact.good]
        left, wide = spot[0], spot[2]
        canvas.text(mark, (left, spot[1], 5, spot[3]), 5.5, ink, bold=True)
        split = 6 + named + 2
        canvas.text(words(f"diagnosis.{fact.key}"), (left + 6, spot[1], named, spot[3]), 4.6, colours["quiet"],
                    align="left")  # fmt: skip
        # A value shrinks to the least size before it is cut: it may have to be read out on the phone.
        value = canvas.cut(fact.value, wide - split - 0.5, 4.0)
        canvas.text(value, (left + split, spot[1], wide - split, spot[3]), 4.6, colours["text"], align="left")
