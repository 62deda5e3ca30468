"""Play is halted: a referee was called, or the table paused. Clocks stand, cards lie."""

from __future__ import annotations

from table.screens.canvas import Canvas
from table.view import TableView
from table.words import Words


def draw(canvas: Canvas, view: TableView, words: Words, now: float) -> None:
    """Draw the halt: two calm lines and the way on."""
    colours, wide = canvas.theme.colours, canvas.width
    kind = view.halt or "paused"
    breathing = 15.5
    canvas.ring(wide / 2, 24, breathing, 0.0, colours["quiet"])
    for offset in (-3.6, 3.6):
        canvas.panel((wide / 2 + offset - 1.5, 17.5, 3.0, 13.0), colours["text"], radius=1.2)
    canvas.text(words(f"halted.{kind}1"), (8, 42.5, wide - 16, 12), 11.0, colours["text"], bold=True)
    canvas.text(words(f"halted.{kind}2"), (8, 55, wide - 16, 9), 7.5, colours["quiet"])
    label = words("halted.back" if kind == "called" else "halted.resume")
    canvas.button((wide / 2 - 30, 69, 60, 13), label, "resume", fill=None if kind == "called" else
                  colours["north_south"], size=6.5)  # fmt: skip
