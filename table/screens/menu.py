"""The few things that are not play: pause, score only, how the screen speaks, whose turn it really is."""

from __future__ import annotations

from engine.cards import PLAY_ORDER
from table.screens import frame
from table.screens.canvas import Canvas
from table.screens.frame import Button
from table.view import TableView
from table.words import Words


def draw(canvas: Canvas, view: TableView, words: Words, now: float) -> None:
    """Draw the menu."""
    colours, sizes, margin, tall = canvas.theme.colours, canvas.theme.sizes, canvas.theme.margin, canvas.theme.tall
    room = canvas.width - 2 * margin
    low = frame.foot(canvas, [Button(words("menu.close"), "close", None, colours["north_south"])])
    canvas.paragraph(state_line(view, words), (margin + 2, margin - 1.5, room - 4, 11), 5.0, colours["quiet"])
    high = 65.0 if tall else 25.0
    for spot, button in zip(frame.grid((margin, margin + 10, room, high), 2 if tall else 4, 4 if tall else 2, 2.4),
                            buttons(view, words), strict=False):  # fmt: skip
        frame.put(canvas, spot, button, size=5.2)
    top = margin + 10 + high + 3.0
    canvas.text(words("menu.fix"), (margin, top, room, 7), sizes["small"], colours["text"])
    top += 8.5
    columns = 2 if tall else 4
    spots = frame.grid((margin, top, room, min(low - top - 1, 30.0 if tall else 14.0)), columns, 4 // columns)
    for spot, seat in zip(spots, PLAY_ORDER, strict=True):
        lit = view.turn == seat
        accent = canvas.theme.side(seat)
        button = Button(words(f"seat.{seat}"), "fix_turn", seat, accent if lit else None, None if lit else accent)
        frame.put(canvas, spot, button, size=8.0)


def buttons(view: TableView, words: Words) -> list[Button]:
    """What the menu offers."""
    taught = view.settings.training
    found = [
        Button(words("menu.score_only"), "score_only"),
        Button(words("menu.pause"), "pause"),
        Button(words("menu.four_colours_off" if view.four_colours else "menu.four_colours"), "four_colours"),
        Button(words("menu.to_english" if words.language == "zh" else "menu.to_chinese"), "set", "language"),
    ]
    if view.profile == "friendly":
        found.append(Button(words("menu.training_off" if taught else "menu.training"), "set", "training"))
    return [*found, Button(words("menu.settings"), "settings"), Button(words("menu.diagnosis"), "diagnosis")]


def state_line(view: TableView, words: Words) -> str:
    """Where this table is, how its line is, which deal is played."""
    venue = view.venue
    parts = [words("result.deal", n=view.deal)]
    if venue.place:
        parts.insert(0, words("check_in.place", place=venue.place))
    if venue.state != "unpaired":
        parts.append(words(f"venue.{venue.state}"))
        if venue.unsent:
            parts.append(words("venue.unsent", n=venue.unsent))
    return "  ·  ".join(parts)
