"""A seat's sheet: what it may do with a touch instead of a pad."""

from __future__ import annotations

from table.screens import frame
from table.screens.canvas import Canvas
from table.screens.frame import Button
from table.view import TableView
from table.words import Words

ACTS = (("pass", "pass"), ("report", "report"), ("correct", "card"), ("turn", "fix_turn"))
"""What a seat may do, in this order, and the target that does it."""


def draw(canvas: Canvas, view: TableView, words: Words, now: float) -> None:
    """Draw the seat that was touched, and its buttons."""
    seat = view.sheet or "N"
    accent, margin = canvas.theme.side(seat), canvas.theme.margin
    name = view.seats[seat].name
    said = words.name(seat, name) if name else ""
    head = f"{words(f'seat.{seat}')}  {canvas.cut(said, canvas.width - 60, 7.5, True)}".strip()
    top = frame.title(canvas, head, accent)
    low = frame.foot(canvas, [Button(words("menu.close"), "close")])
    acts = [(what, does) for what, does in ACTS if what in view.may]
    columns = 1 if canvas.theme.tall else 2
    rows = max(1, -(-len(acts) // columns))
    room = min(canvas.width - 2 * margin, 130.0)
    high = min(low - top, rows * 17.0)
    box = ((canvas.width - room) / 2, top + (low - top - high) / 2, room, high)
    for spot, (what, does) in zip(frame.grid(box, columns, rows, 4.0), acts, strict=False):
        value: object = (seat, None) if does == "card" else seat
        frame.put(canvas, spot, Button(words(f"sheet.{what}"), does, value), size=6.5)
