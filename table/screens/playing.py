"""The playing screen: whose turn and how long, what lies on the table, the levels. Nothing else."""

from __future__ import annotations

from typing import NamedTuple

from engine.cards import Card
from table.screens import cards, centre
from table.screens.canvas import Box, Canvas
from table.theme import Colour
from table.view import Ask, SeatView, TableView
from table.words import Words

LINE = 8.4
"""Height of a line of words."""
CORNER = 32.5
"""Width of the buttons in the corner."""
PLATE = 16.5
"""Height of a level's plate."""


class Plan(NamedTuple):
    """Where everything lies; lengths in millimetres."""

    seats: dict[str, Box]
    ring: tuple[float, float]
    radius: float
    wild: tuple[float, float]
    buttons: tuple[Box, Box, Box]
    """Score only, more, referee."""


def plan(canvas: Canvas) -> Plan:
    """The layout of a lying or a standing screen."""
    width, height, margin = canvas.width, canvas.height, canvas.theme.margin
    if canvas.theme.tall:
        side = (width - 2 * margin - 3.0) / 2
        row = height - margin + 1.0 - 10.4
        wide = (width - 2 * margin - 4.0) / 3
        return Plan(
            {
                "N": (margin, 18.5, width - 2 * margin, 26.9), "S": (margin, 114.8, width - 2 * margin, 26.9),
                "W": (margin, 70.0, side, 44.0), "E": (width - margin - side, 70.0, side, 44.0),
            },
            (width / 2, 57.4), 10.9, (margin, 48.9),
            ((margin, row, wide, 10.4), (margin + wide + 2, row, wide, 10.4),
             (width - margin - wide, row, wide, 10.4)),
        )  # fmt: skip
    across, near = 72.0, min(72.0, width - 2 * 41.5)
    middle, corner = (width - across) / 2, width - margin - CORNER
    low = height - margin - 10.4
    return Plan(
        {
            "N": (middle, margin - 1.0, across, 26.9), "S": ((width - near) / 2, height - margin - 25.9, near, 26.9),
            "W": (margin, 21.6, 55.0, 35.8), "E": (width - margin - 55.0, 21.6, 55.0, 35.8),
        },
        (width / 2, height / 2), 12.9, (margin, height - margin - 17.0),
        ((corner, low - 12.2, CORNER, 10.4), (corner, low, 12.6, 10.4), (corner + 14.4, low, CORNER - 14.4, 10.4)),
    )  # fmt: skip


def draw(canvas: Canvas, view: TableView, words: Words, now: float) -> None:
    """Draw the playing screen of *view* at *now* (seconds on the table's clock)."""
    layout = plan(canvas)
    blinks = now < view.venue.blink_until
    seats = layout.seats
    if not canvas.theme.tall:
        # North's place is what the levels leave.
        half = min(canvas.width / 2 - _level_wide(canvas, view, words, side) for side in ("NS", "EW")) - 1.5
        half = min(half, seats["N"][2] / 2)
        seats = {**seats, "N": (canvas.width / 2 - half, seats["N"][1], 2 * half, seats["N"][3])}
    for seat, box in seats.items():
        if blinks or (view.turn == seat and view.notice != "stop"):
            canvas.glow(seat, canvas.theme.side(seat))
        told = seat == "N" and view.banner is not None and now < view.banner.until and not _bare(view.seats["N"])
        _seat(canvas, view, words, view.seats[seat], box, now, silent=told)
    _level(canvas, view, words, "NS")
    _level(canvas, view, words, "EW")
    taken = canvas.theme.tall and centre.busy(view, now)
    at = layout.ring
    if taken and view.turn is None:
        at = (at[0], at[1] + 38.0)  # nothing lies there yet
        taken = False
    if not taken:
        _wild(canvas, view, words, now, layout)
    for box, key, what in zip(layout.buttons, ("score", "more", "call"), ("score_only", "menu", "call"), strict=True):
        text = "···" if what == "menu" else words(f"playing.{key}")
        canvas.button(box, text, what, size=7.0 if what == "menu" else 5.5)
    centre.draw(canvas, view, words, now, at, layout.radius)
    centre.banner(canvas, view, words, now, _banner_place(view.seats["N"], seats["N"]))
    centre.message(canvas, view, words, now)


def _seat(
    canvas: Canvas, view: TableView, words: Words, seat: SeatView, box: Box, now: float, silent: bool = False
) -> None:
    left, top, width, height = box
    tall = canvas.theme.sizes["card_height"]
    align = {"W": "left", "E": "right"}.get(seat.seat, "centre")
    if seat.seat == "N":
        area, below = (left, top + height - tall, width, tall), (left, top, width, LINE)
    elif seat.seat == "S":
        area, below = (left, top, width, tall), (left, top + height - LINE, width, LINE)
    else:
        area, below = (left, top + LINE + 0.6, width, tall), (left, top + LINE + tall + 1.0, width, LINE)
    if seat.ask is not None:
        _ask(canvas, view, words, seat.ask, area, below, align)
    elif seat.cards:
        age = (now - seat.laid_at) / canvas.theme.motion
        canvas.moving |= 0 <= age < 1
        with canvas.faded(age if 0 <= age < 1 else 1.0):
            lie = cards.row(canvas, seat.cards, area, level=view.level, four_colours=view.four_colours, align=align,
                            dim=seat.beaten)  # fmt: skip
        canvas.touch(lie, "card", (seat.seat, None))
    elif seat.passed:
        spot = area if seat.seat in "NS" else (area[0], area[1] - 2, area[2], 12)
        canvas.text(words("play.pass"), spot, canvas.theme.sizes["text"], canvas.theme.colours["quiet"], align=align)
    ink = canvas.theme.colours["quiet" if seat.beaten else "text"]
    if seat.seat in "EW":
        room = width if canvas.theme.tall else min(width, _beside(canvas, view, "N"))
        spot = (left if align == "left" else left + width - room, top, room, LINE)
        name_plate(canvas, seat, words, spot, align, bool(view.first_lead))
        _combination(canvas, view, words, seat, (left, below[1], width, LINE), ink, align)
    elif silent:  # a banner stands there: a finger finds the seat under it all the same
        canvas.touch(below, "sheet", seat.seat)
    else:
        _line(canvas, seat, words, below, ink, bool(view.first_lead))


def _bare(seat: SeatView) -> bool:
    """Whether nothing lies before *seat*."""
    return not (seat.cards or seat.passed or seat.ask)


def _banner_place(north: SeatView, box: Box) -> Box:
    """Where a banner stands: under north's line while nothing lies there, else in that line's place."""
    return (box[0], box[1] + LINE + 0.8, box[2], LINE) if _bare(north) else box


def called(canvas: Canvas, words: Words, seat: SeatView, room: float) -> str:
    """The name of a seat's play, the short one where *room* asks for it."""
    if not seat.cards or seat.ask is not None or not seat.combination:
        return ""
    size = canvas.theme.sizes["text"]
    long = words.combination(*seat.combination)
    if canvas.measure(long, size) <= room:
        return long
    return canvas.cut(words.combination(*seat.combination, short=True), room, size)


def _beside(canvas: Canvas, view: TableView, seat: str) -> float:
    """How much of a lying screen's width is left at each side of north's or south's cards."""
    count, sizes = len(view.seats[seat].cards), canvas.theme.sizes
    wide = sizes["card_height"] * sizes["card_ratio"]
    lie = wide + max(0, count - 1) * sizes["card_strip"] if count else 0.0
    return (canvas.width - min(lie, plan(canvas).seats[seat][2])) / 2 - canvas.theme.margin - 1.0


def _combination(
    canvas: Canvas, view: TableView, words: Words, seat: SeatView, box: Box, ink: Colour, align: str
) -> None:
    """The name of west's or east's play: beside south's cards on a lying screen."""
    size, (left, top, width, high) = canvas.theme.sizes["text"], box
    if not canvas.theme.tall:
        room = min(width, _beside(canvas, view, "S"))
        spot = (left if align == "left" else left + width - room, top, room, high)
        canvas.text(called(canvas, words, seat, room - 0.3), spot, size, ink, align=align)
        return
    canvas.text(called(canvas, words, seat, width - 0.3), (left, top, width, high), size, ink, align=align)


def _line(canvas: Canvas, seat: SeatView, words: Words, box: Box, ink: Colour, leads: bool) -> None:
    """North's and south's one line: letter, report and the play's name, centred together."""
    gap, size = 2.0, canvas.theme.sizes["text"]
    lead = 11.0 + chip_width(canvas, words, seat)
    room = box[2] - lead - gap
    named = called(canvas, words, seat, room - 0.3)
    if not named and not seat.cards and seat.name:
        named, ink = canvas.cut(words.name(seat.seat, seat.name), room - 0.3, size), canvas.theme.colours["quiet"]
    wide = min(room, canvas.measure(named, size) + 0.3) if named else 0.0
    left = box[0] + (box[2] - lead - (gap + wide if named else 0.0)) / 2
    name_plate(canvas, seat, words, (left, box[1], lead, box[3]), "left", leads)
    canvas.text(named, (left + lead + gap, box[1], wide, box[3]), size, ink, align="left")


def chip_width(canvas: Canvas, words: Words, seat: SeatView) -> float:
    said, _ = _said(words, seat)
    return max(12.0, canvas.measure(said, canvas.theme.sizes["text"], True) + 3.0) + 1.6 if said else 0.0


def name_plate(canvas: Canvas, seat: SeatView, words: Words, box: Box, align: str, leads: bool) -> None:
    """The seat's letter, lit when it is its turn, then what it reported, then the player's name."""
    accent, size = canvas.theme.side(seat.seat), canvas.theme.sizes["text"]
    said, framed = _said(words, seat)
    plate_wide, chip = 11.0, chip_width(canvas, words, seat)
    outward = align == "right"

    def spot(offset: float, wide: float) -> Box:
        return (box[0] + box[2] - offset - wide if outward else box[0] + offset, box[1], wide, box[3])

    plate = spot(0.0, plate_wide)
    canvas.touch(plate, "seat" if leads else "sheet", seat.seat)
    if seat.turn:
        canvas.panel(plate, accent, radius=1.8)
    ink = canvas.theme.colours["on_accent"] if seat.turn else accent
    canvas.text(words(f"seat.{seat.seat}"), plate, size, ink, bold=True)
    if said:
        slot = spot(plate_wide + 1.6, chip - 1.6)
        if framed:
            canvas.frame(slot, accent, radius=1.8, thick=0.5)
        colour = accent if framed else canvas.theme.colours["quiet"]
        canvas.text(said, (slot[0] + 0.8, slot[1], slot[2] - 1.6, slot[3]), size, colour, bold=True)
    room = box[2] - plate_wide - chip - 2.0
    if seat.name and room > 14:
        quiet = canvas.theme.colours["quiet"]
        name = canvas.cut(words.name(seat.seat, seat.name), room - 0.5, size)
        canvas.text(name, spot(plate_wide + chip + 2.0, room), size, quiet, align=align)


def _said(words: Words, seat: SeatView) -> tuple[str, bool]:
    """What stands beside a seat's letter, and whether it is framed."""
    if seat.place:
        return words(f"playing.out{seat.place}"), False
    if seat.report is not None:
        return words("playing.report", n=seat.report), True
    if seat.count is not None:
        return words("playing.count", n=seat.count), True
    return "", False


def _ask(canvas: Canvas, view: TableView, words: Words, ask: Ask, area: Box, below: Box, align: str) -> None:
    """A play that is not sure: dashed, with the two candidates to tap beside or under it."""
    colours, sides = canvas.theme.colours, ask.seat in "EW"
    shown = ask.options[0]
    inner = (area[0] + 1.2, area[1] + 1.2, area[2] - 2.4, area[3] - 2.4)
    if not sides:
        inner = (area[0] + 1.2, area[1] + 1.2, area[2] * 0.62, area[3] - 2.4)
        align = "left"
    lie = cards.row(canvas, shown, inner, level=view.level, four_colours=view.four_colours, align=align)
    canvas.dashes((lie[0] - 1.2, lie[1] - 1.2, lie[2] + 2.4, lie[3] + 2.4), colours["ask"])
    canvas.touch(lie, "card", (ask.seat, None))
    differing = centre.differing(ask)
    if sides:
        wide = min(18.2, (below[2] - 2) / 2)
        start = below[0] if align == "left" else below[0] + below[2] - wide * 2 - 2
        spots = [(start + (wide + 2) * n, below[1] + 0.2, wide, 10.2) for n in range(2)]
    else:
        wide, right = 18.2, area[0] + area[2] - 0.8
        spots = [(right - wide, area[1] - 1.6 + n * 10.8, wide, 10.2) for n in range(2)]
    for number, spot in enumerate(spots[: len(differing)]):
        canvas.panel(spot, colours["raised"], radius=2.0, outline=colours["faint"])
        room = (spot[0] + 1, spot[1] + 0.6, spot[2] - 2, spot[3] - 1.2)
        cards.row(canvas, differing[number][:3], room, level=view.level, four_colours=view.four_colours,
                  height=9.0)  # fmt: skip
        canvas.touch(spot, "option", (ask.id, number))


def _plate_wide(canvas: Canvas, view: TableView, words: Words, side: str) -> float:
    digits = canvas.theme.sizes["numeral"] / 0.733
    return max(13.0, canvas.measure(words.rank(view.levels[side]), digits, True) + 2.6)


def _tries(view: TableView, words: Words, side: str) -> str:
    tries = view.attempts.get(side, 0) if view.levels[side] == "A" else 0
    return words("playing.attempt", n=tries) if tries else ""


def _level_wide(canvas: Canvas, view: TableView, words: Words, side: str) -> float:
    """How far a side's level and its words reach in from the edge."""
    size = canvas.theme.sizes["text"]
    label = max(canvas.measure(words(f"side.{side}"), size, True), canvas.measure(_tries(view, words, side), size))
    return canvas.theme.margin + _plate_wide(canvas, view, words, side) + 1.6 + label + 0.4


def _level(canvas: Canvas, view: TableView, words: Words, side: str) -> None:
    """A side's level; the one whose level is played stands on a plate of its colour."""
    accent, margin = canvas.theme.side(side), canvas.theme.margin
    digits, size = canvas.theme.sizes["numeral"], canvas.theme.sizes["text"]
    wide, tries = _plate_wide(canvas, view, words, side), _tries(view, words, side)
    room = _level_wide(canvas, view, words, side) - margin - wide - 1.6
    top = margin - 1.0 if canvas.theme.tall else margin
    tall = PLATE - 1.5 if canvas.theme.tall else PLATE
    right = canvas.width - margin
    align = "left" if side == "NS" else "right"
    plate = (margin if side == "NS" else right - wide, top, wide, tall)
    beside = margin + wide + 1.6 if side == "NS" else right - wide - 1.6 - room
    played = view.on_stage == side
    if played:
        canvas.panel(plate, accent, radius=2.6)
    ink = canvas.theme.colours["on_accent"] if played else accent
    level = words.rank(view.levels[side])
    canvas.text(level, (plate[0] + 0.6, plate[1], plate[2] - 1.2, plate[3]), digits, ink, bold=True, digits=True)
    high = LINE if tries else tall
    canvas.text(words(f"side.{side}"), (beside, top, room, high), size, accent, bold=True, align=align)
    canvas.text(tries, (beside, top + tall - LINE + 0.6, room, LINE), size, canvas.theme.colours["quiet"], align=align)


def _wild(canvas: Canvas, view: TableView, words: Words, now: float, layout: Plan) -> None:
    """The wild of this deal, and the match's clock or else the deal's number."""
    left, top = layout.wild
    wild = Card.parse("H" + view.level)
    high = 15.0 if canvas.theme.tall else 17.0
    cards.row(canvas, [wild], (left, top + 17.0 - high, 12.2, high), level=view.level, four_colours=view.four_colours,
              align="left", height=high)  # fmt: skip
    size, colours = canvas.theme.sizes["text"], canvas.theme.colours
    text, ink = words("playing.deal", n=view.deal), colours["quiet"]
    clock = view.match_clock
    if view.bell:
        text, ink = words("playing.bell"), colours["east_west"]
    elif clock is not None and clock.limit is not None:
        seconds = clock.left(now) or 0.0
        text, ink = clock_text(seconds), colours["text" if seconds > 300 else "east_west"]
    if canvas.theme.tall:
        canvas.text(words("playing.wild"), (left + 11.6, top, 16.2, 17.0), size, colours["text"], align="left")
        canvas.text(text, (layout.ring[0] + layout.radius + 3, top, layout.ring[0] - layout.radius - left - 3, 17.0),
                    size, ink, align="right")  # fmt: skip
        return
    room = layout.seats["S"][0] - left - 13.8
    canvas.text(words("playing.wild"), (left + 13.4, top, room, 8.6), size, colours["text"], align="left")
    canvas.text(text, (left + 13.4, top + 8.6, room, 8.6), size, ink, align="left")


def clock_text(seconds: float) -> str:
    """``42:17``; whole seconds, rounded up, so that 0:00 means over."""
    whole = int(-(-seconds // 1))
    return f"{whole // 60}:{whole % 60:02d}"
