"""The screen lies flat in the middle of the table: each player's part is upright for that player."""

from __future__ import annotations

from dataclasses import replace

from engine.cards import Card, side_of
from table.screens import cards, centre
from table.screens.canvas import Box, Canvas
from table.screens.playing import called, chip_width, clock_text, name_plate
from table.view import Ask, SeatView, TableView
from table.words import Words

DEEP = 27.5
"""How far a player's part reaches in from the edge."""
MIDDLE = 31.0
"""Height of what is said in the middle."""
LONG = 97.0
"""Its greatest length."""


def draw(canvas: Canvas, view: TableView, words: Words, now: float) -> None:
    """Draw the four parts, the ring between them and the buttons in the corners."""
    width, height = canvas.width, canvas.height
    if view.turn is not None and view.notice != "stop":
        canvas.glow(view.turn, canvas.theme.side(view.turn))
    for seat, box in parts(canvas).items():
        with canvas.turned(box, seat) as part:
            _part(part, view, words, seat, now)
    ring = (width / 2, height / 2)
    if centre.busy(view, now):
        with canvas.turned(*_middle(canvas, view)) as middle:
            centre.draw(middle, view, words, now, (middle.width / 2, middle.height / 2), 12.4)
    else:
        centre.ring(canvas, view, words, now, ring, 12.0)
    for seat, box in parts(canvas).items():
        if seat in "NS":
            _corners(canvas, words, seat, box)
    _message(canvas, view, words, now)


def _middle(canvas: Canvas, view: TableView) -> tuple[Box, str]:
    """Where something is said in the middle, and to whom: along the longer side, so that a line has room."""
    facing = view.facing
    if canvas.theme.tall:
        wide, high, facing = MIDDLE, LONG, {"S": "E", "N": "W"}.get(facing, facing)
    else:
        wide, high = LONG, MIDDLE
    wide, high = min(wide, canvas.width - 2 * DEEP - 1), min(high, canvas.height - 2 * DEEP - 1)
    return ((canvas.width - wide) / 2, (canvas.height - high) / 2, wide, high), facing


def _message(canvas: Canvas, view: TableView, words: Words, now: float) -> None:
    """What the venue tells everybody, in the middle; a touch puts it away."""
    if view.venue.message is None or now >= view.venue.message_until:
        return
    with canvas.turned(*_middle(canvas, view)) as middle:
        middle.panel((0, 0, middle.width, middle.height), middle.theme.colours["notice"], radius=3.0)
        middle.paragraph(view.venue.message, (3, 1, middle.width - 6, middle.height - 2), middle.theme.sizes["text"],
                         middle.theme.colours["on_notice"], bold=True, least=4.5)  # fmt: skip
        middle.touch((0, 0, middle.width, middle.height), "message_read")


def parts(canvas: Canvas) -> dict[str, Box]:
    """Where each player's part lies; the buttons stand between them."""
    width, height = canvas.width, canvas.height
    if canvas.theme.tall:
        long, side = width - 2.0, height - 2 * (DEEP + 11.5)
    else:
        long, side = width - 2 * (DEEP + 11.5), height - 4.0
    return {
        "N": ((width - long) / 2, 0.0, long, DEEP), "S": ((width - long) / 2, height - DEEP, long, DEEP),
        "W": (0.0, (height - side) / 2, DEEP, side), "E": (width - DEEP, (height - side) / 2, DEEP, side),
    }  # fmt: skip


def _corners(canvas: Canvas, words: Words, seat: str, part: Box) -> None:
    """More, and the referee, at both ends of north's and of south's part."""
    size = 10.4
    if canvas.theme.tall:
        top = part[3] + 0.6 if seat == "N" else canvas.height - part[3] - size - 0.6
        spots = ((1.5, top), (canvas.width - size - 1.5, top))
    else:
        top = 1.5 if seat == "N" else canvas.height - size - 1.5
        spots = ((part[0] - size - 0.6, top), (part[0] + part[2] + 0.6, top))
    first, second = spots if seat == "S" else spots[::-1]
    for (left, top), text, what, letters in (
        (first, words("playing.call_short"), "call", 4.6), (second, "···", "menu", 6.0),
    ):  # fmt: skip
        with canvas.turned((left, top, size, size), seat) as corner:
            corner.button((0, 0, size, size), text, what, seat if what == "menu" else None, size=letters)


def _part(part: Canvas, view: TableView, words: Words, seat: str, now: float) -> None:
    """One player's part: the levels, the wild and the clock, then the player's own line at the edge."""
    colours, size = part.theme.colours, part.theme.sizes["text"]
    own, width = view.seats[seat], part.width
    x = 1.0
    for side in (side_of(seat), "EW" if side_of(seat) == "NS" else "NS"):
        accent, level = part.theme.side(side), words.rank(view.levels[side])
        wide = max(12.0, part.measure(level, part.theme.sizes["numeral"] / 0.733, True) + 3.0)
        played = view.on_stage == side
        if played:
            part.panel((x, 1.0, wide, 15.2), accent, radius=2.4)
        ink = colours["on_accent"] if played else accent
        part.text(level, (x + 0.5, 1.0, wide - 1, 15.2), part.theme.sizes["numeral"], ink, bold=True, digits=True)
        x += wide + 2.0
    wild = Card.parse("H" + view.level)
    cards.row(part, [wild], (width - 11.6, 1.0, 10.6, 14.8), level=view.level, height=14.8, align="right",
              four_colours=view.four_colours)  # fmt: skip
    clock, free = view.match_clock, (x, 1.0, width - 13.6 - x, 15.2)
    if own.cards and own.place is None:
        _laid(part, view, own, free)
    elif clock is not None and clock.limit is not None and free[2] > 20:
        part.text(clock_text(clock.left(now) or 0.0), free, size, colours["text"])
    line = (1.0, DEEP - 10.0, width - 2.0, 9.0)
    if view.notice is not None:
        _notice(part, view, words, line)
        return
    if view.banner is not None and now < view.banner.until:
        centre.banner(part, view, words, now, (line[0], line[1] + 0.4, line[2], line[3]))
        return
    chip = 12.0 + chip_width(part, words, own)
    room = width - 2.0 - chip - 1.0
    if own.ask is not None:
        _which(part, view, own.ask, (width - 1.0 - room, DEEP - 10.6, room, 9.4))
        name_plate(part, replace(own, name=""), words, (1.0, DEEP - 10.2, width - 2.0, 8.4), "left", False)
        return
    named = called(part, words, own, room) if own.cards and own.place is None else ""
    if named:
        own = replace(own, name="")  # the play's name takes its place
    name_plate(part, own, words, (1.0, DEEP - 10.2, width - 2.0, 8.4), "left", bool(view.first_lead))
    if named:
        spot = (width - 1.0 - room, DEEP - 10.2, room, 8.4)
        part.text(part.cut(named, room - 0.5, size), spot, size, colours["text"], align="right")


def _notice(part: Canvas, view: TableView, words: Words, box: Box) -> None:
    """A neutral notice on one line: each reads it at the own edge."""
    colours = part.theme.colours
    first, second = words(f"notice.{view.notice}1"), centre.second_line(view, words)
    text = f"{first} {second}"
    if part.measure(text, part.theme.sizes["text"], True) > box[2] - 4:
        text = second if view.notice == "look" else first  # the middle says the whole of it
    part.panel(box, colours["notice"], radius=2.0)
    part.text(text, (box[0] + 2, box[1], box[2] - 4, box[3]), part.theme.sizes["text"], colours["on_notice"],
              bold=True)  # fmt: skip


def _laid(part: Canvas, view: TableView, own: SeatView, box: Box) -> None:
    """The player's own play as it was read; dashed while that is not sure. A touch puts it right."""
    shown = own.ask.options[0] if own.ask is not None else own.cards
    inner = (box[0] + 1.0, box[1] + 0.6, box[2] - 2.0, box[3] - 1.2)
    lie = cards.row(part, shown, inner, level=view.level, four_colours=view.four_colours, height=14.0,
                    dim=own.beaten)  # fmt: skip
    if own.ask is not None:
        part.dashes((lie[0] - 0.9, lie[1] - 0.9, lie[2] + 1.8, lie[3] + 1.8), part.theme.colours["ask"])
    part.touch(lie, "card", (own.seat, None))


def _which(part: Canvas, view: TableView, ask: Ask, box: Box) -> None:
    """The two candidates of a play that is not sure, where the play's name would stand."""
    colours = part.theme.colours
    wide = min(24.0, (box[2] - 2.0) / 2)
    for number, option in enumerate(centre.differing(ask)):
        spot = (box[0] + box[2] - (2 - number) * wide - (1 - number) * 2.0, box[1], wide, box[3])
        part.panel(spot, colours["raised"], radius=2.0, outline=colours["faint"])
        room = (spot[0] + 1, spot[1] + 0.5, spot[2] - 2, spot[3] - 1.0)
        cards.row(part, option[:3], room, level=view.level, four_colours=view.four_colours, height=8.4)
        part.touch(spot, "option", (ask.id, number))
