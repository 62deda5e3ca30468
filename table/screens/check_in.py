"""Who sits here: the names that the venue sends, where their seats are, and one tap a side."""

from __future__ import annotations

from engine.cards import SIDES
from table.screens import frame
from table.screens.canvas import Canvas
from table.screens.frame import Button
from table.view import TableView
from table.words import Words


def draw(canvas: Canvas, view: TableView, words: Words, now: float) -> None:
    """Draw the seating and what is still waited for."""
    colours, sizes, margin = canvas.theme.colours, canvas.theme.sizes, canvas.theme.margin
    place = words("check_in.place", place=view.venue.place) if view.venue.place else words("check_in.title")
    top = frame.title(canvas, place)
    both = view.checked_in == frozenset(SIDES)
    begins = both and view.venue.state != "online"  # a hall starts its tables together, as long as it is heard
    if begins:
        low = frame.foot(canvas, [Button(words("start.begin"), "start", None, colours["north_south"])])
    else:
        low = frame.foot(canvas, [_side(canvas, view, words, side) for side in SIDES])
    line = words("check_in.ready" if begins else "check_in.waits" if both else "check_in.tap")
    canvas.text(line, (margin, low - 7.5, canvas.width - 2 * margin, 7), sizes["small"], colours["quiet"])
    high = min(low - top - 10, 78.0)
    box = (margin, top + 1 + (low - top - 10 - high) / 2, canvas.width - 2 * margin, high)
    wide, tall = (box[2] * 0.47, 13.5) if canvas.theme.tall else (50.0, 13.5)
    for seat, spot in frame.compass(box, wide, tall).items():
        _player(canvas, words, seat, view.seats[seat].name, spot, seat in "".join(view.checked_in))


def _side(canvas: Canvas, view: TableView, words: Words, side: str) -> Button:
    here = side in view.checked_in
    text = words("check_in.here" if here else "check_in.side", side=words(f"side.{side}"))
    accent = canvas.theme.side(side)
    return Button(text, "check_in", side, None if here else accent, accent if here else None)


def _player(
    canvas: Canvas, words: Words, seat: str, name: str, box: tuple[float, float, float, float], here: bool
) -> None:
    accent, colours = canvas.theme.side(seat), canvas.theme.colours
    canvas.panel(box, colours["raised"], radius=3.0, outline=colours["line"])
    if here:
        canvas.frame(box, accent, radius=3.0)
    canvas.text(words(f"seat.{seat}"), (box[0] + 2, box[1], 9, box[3]), 8.0, accent, bold=True)
    room = box[2] - 14
    canvas.text(canvas.cut(name or "—", room - 0.5, 4.2), (box[0] + 12, box[1], room, box[3]), 7.0, colours["text"],
                align="left")  # fmt: skip
