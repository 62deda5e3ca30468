"""Score only: the deal goes on without the camera, its order is tapped in."""

from __future__ import annotations

from table.screens import frame
from table.screens.canvas import Canvas
from table.screens.frame import Button
from table.view import TableView
from table.words import Words


def draw(canvas: Canvas, view: TableView, words: Words, now: float) -> None:
    """Draw the four seats where they sit; tapped ones carry their place."""
    colours, margin, tall = canvas.theme.colours, canvas.theme.margin, canvas.theme.tall
    room = canvas.width - 2 * margin
    buttons = [Button(words("menu.close"), "close"), Button(words("result.clear"), "pick_clear")]
    if len(view.picked) == 4:
        buttons.append(Button(words("result.confirm"), "pick_done", None, colours["north_south"]))
    low = frame.foot(canvas, buttons, widest=46.0)
    canvas.paragraph(words("result.score_only"), (margin, margin - 1, room, 16 if tall else 8), 6.0, colours["text"])
    top = margin + (18 if tall else 9)
    wide = room * 0.47 if tall else 46.0
    high = min(low - top - 1, 78.0)
    start = top + (low - top - 1 - high) / 2
    area = (margin + (0 if tall else 12), start, room - (0 if tall else 24), high)
    for seat, box in frame.compass(area, wide, min(16.0, (area[3] - 4) / 3)).items():
        accent = canvas.theme.side(seat)
        if seat in view.picked:
            canvas.panel(box, accent, radius=3.5)
            text = f"{words(f'seat.{seat}')}  {words(f'playing.out{view.picked.index(seat) + 1}')}"
            canvas.text(text, (box[0] + 2, box[1], box[2] - 4, box[3]), 7.0, colours["on_accent"], bold=True)
        else:
            canvas.button(box, words(f"seat.{seat}"), "pick", seat, ink=accent, size=8.0)
