"""Score only: the deal goes on without the camera, its order is tapped in."""

from __future__ import annotations

from engine.cards import SEATS
from table.screens.canvas import Canvas
from table.view import TableView
from table.words import Words


def draw(canvas: Canvas, view: TableView, words: Words, now: float) -> None:
    """Draw the four seats where they sit; tapped ones carry their place."""
    colours, wide, high = canvas.theme.colours, canvas.width, canvas.height
    places = {
        "N": (wide / 2 - 20, 14, 40, 16), "S": (wide / 2 - 20, 52, 40, 16),
        "W": (wide / 2 - 66, 33, 40, 16), "E": (wide / 2 + 26, 33, 40, 16),
    }  # fmt: skip
    canvas.text(words("result.score_only"), (6, 2.5, wide - 12, 8), 6.0, colours["text"])
    for seat in SEATS:
        box, accent = places[seat], canvas.theme.side(seat)
        if seat in view.picked:
            canvas.panel(box, accent, radius=3.5)
            text = f"{words(f'seat.{seat}')}  {words(f'playing.out{view.picked.index(seat) + 1}')}"
            canvas.text(text, (box[0] + 2, box[1], box[2] - 4, box[3]), 7.0, colours["on_accent"], bold=True)
        else:
            canvas.button(box, words(f"seat.{seat}"), "pick", seat, ink=accent, size=8.0)
    canvas.button((6, high - 15, 40, 12), words("menu.close"), "close", size=6.0)
    canvas.button((wide / 2 - 20, high - 15, 40, 12), words("result.clear"), "pick_clear", size=6.0)
    if len(view.picked) == 4:
        canvas.button((wide - 46, high - 15, 40, 12), words("result.confirm"), "pick_done",
                      fill=colours["north_south"], size=6.0)  # fmt: skip
