"""The playing screen: whose turn and how long, what lies on the table, the levels. Nothing else."""

from __future__ import annotations

from engine.cards import Card
from table.screens import cards
from table.screens.canvas import Box, Canvas
from table.theme import Colour
from table.view import Ask, SeatView, TableView
from table.words import Words

SPREAD = 55.0
"""Width of the two side seats' places."""
ACROSS = 70.0
"""Width of north's and south's."""


def draw(canvas: Canvas, view: TableView, words: Words, now: float) -> None:
    """Draw the playing screen of *view* at *now* (seconds on the table's clock)."""
    for seat, box in places(canvas).items():
        if view.turn == seat and view.notice != "stop":
            canvas.glow(seat, canvas.theme.side(seat))
        _seat(canvas, view, words, view.seats[seat], box, now)
    _level(canvas, view, words, "NS")
    _level(canvas, view, words, "EW")
    _wild(canvas, view, words)
    _corner(canvas, view, words, now)
    _centre(canvas, view, words, now)


def places(canvas: Canvas) -> dict[str, Box]:
    """Where each seat's play lies: the box of its cards and its line of words."""
    width, height, margin = canvas.width, canvas.height, canvas.theme.margin
    middle = (width - ACROSS) / 2
    return {
        "N": (middle, margin - 1.0, ACROSS, 26.9),
        "S": (middle, height - margin - 25.9, ACROSS, 26.9),
        "W": (margin, 29.2, SPREAD, 36),
        "E": (width - margin - SPREAD, 29.2, SPREAD, 36),
    }


def _seat(canvas: Canvas, view: TableView, words: Words, seat: SeatView, box: Box, now: float) -> None:
    left, top, width, height = box
    tall, line = canvas.theme.sizes["card_height"], 8.4
    align = {"W": "left", "E": "right"}.get(seat.seat, "centre")
    if seat.seat == "N":
        area, below = (left, top + height - tall, width, tall), (left, top, width, line)
    elif seat.seat == "S":
        area, below = (left, top, width, tall), (left, top + height - line, width, line)
    else:
        area, below = (left, top + line + 0.6, width, tall), (left, top + line + tall + 1.0, width, line)
    if seat.ask is not None:
        _ask(canvas, view, words, seat.ask, area, below, align)
    elif seat.cards:
        age = (now - seat.laid_at) / canvas.theme.motion
        canvas.moving |= 0 <= age < 1
        with canvas.faded(age if 0 <= age < 1 else 1.0):
            cards.row(canvas, seat.cards, area, level=view.level, four_colours=view.four_colours, align=align,
                            dim=seat.beaten)  # fmt: skip
    elif seat.passed:
        spot = area if seat.seat in "NS" else (area[0], area[1] - 2, area[2], 12)
        canvas.text(words("play.pass"), spot, canvas.theme.sizes["text"], canvas.theme.colours["quiet"], align=align)
    named = ""
    if seat.cards and seat.ask is None and seat.combination:
        named = words.combination(*seat.combination)
    ink = canvas.theme.colours["quiet" if seat.beaten else "text"]
    if seat.seat in "EW":
        _name(canvas, seat, words, (left, top, width, line), align)
        room = width if len(view.seats["S"].cards) < 7 else (canvas.width - ACROSS) / 2 - canvas.theme.margin
        spot = (left if align == "left" else left + width - room, below[1], room, line)
        canvas.text(named, spot, canvas.theme.sizes["text"], ink, align=align)
    else:
        _line(canvas, seat, words, below, named, ink)


def _line(canvas: Canvas, seat: SeatView, words: Words, box: Box, named: str, ink: Colour) -> None:
    """North's and south's one line: letter, report and the play's name, centred together."""
    gap, size = 2.0, canvas.theme.sizes["text"]
    lead = 11.0 + _chip_width(canvas, words, seat)
    room = box[2] - lead - gap - 4.0
    wide = min(room, canvas.measure(named, size)) if named else 0.0
    left = box[0] + (box[2] - lead - (gap + wide if named else 0.0)) / 2
    _name(canvas, seat, words, (left, box[1], lead, box[3]), "left")
    canvas.text(named, (left + lead + gap, box[1], wide, box[3]), size, ink, align="left")


def _chip_width(canvas: Canvas, words: Words, seat: SeatView) -> float:
    said, _ = _said(words, seat)
    return max(12.0, canvas.measure(said, canvas.theme.sizes["text"] * 0.9, True) + 4.0) + 1.6 if said else 0.0


def _name(canvas: Canvas, seat: SeatView, words: Words, box: Box, align: str) -> None:
    """The seat's letter, lit when it is its turn, then what it reported, then the player's name."""
    accent, size = canvas.theme.side(seat.seat), canvas.theme.sizes["text"]
    said, framed = _said(words, seat)
    plate_wide, chip = 11.0, _chip_width(canvas, words, seat)
    outward = align == "right"

    def spot(offset: float, wide: float) -> Box:
        return (box[0] + box[2] - offset - wide if outward else box[0] + offset, box[1], wide, box[3])

    plate = spot(0.0, plate_wide)
    canvas.touch(plate, "seat", seat.seat)
    if seat.turn:
        canvas.panel(plate, accent, radius=1.8)
    ink = canvas.theme.colours["on_accent"] if seat.turn else accent
    canvas.text(words(f"seat.{seat.seat}"), plate, size, ink, bold=True)
    if said:
        slot = spot(plate_wide + 1.6, chip - 1.6)
        if framed:
            canvas.frame(slot, accent, radius=1.8, thick=0.5)
        colour = accent if framed else canvas.theme.colours["quiet"]
        canvas.text(said, (slot[0] + 1, slot[1], slot[2] - 2, slot[3]), size * 0.9, colour, bold=True)
    room = box[2] - plate_wide - chip - 2.0
    if seat.name and room > 8:
        quiet = canvas.theme.colours["quiet"]
        name = canvas.cut(seat.name, room, size * 0.7)
        canvas.text(name, spot(plate_wide + chip + 2.0, room), size * 0.8, quiet, align=align)


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
    differing = _differing(ask)
    wide = 19.0
    if sides:
        spots = [(below[0] + (wide + 2) * n, below[1] - 0.4, wide, 10.6) for n in range(2)]
        if align == "right":
            spots = [
                (below[0] + below[2] - wide * 2 - 2 + (wide + 2) * n, below[1] - 0.4, wide, 10.6) for n in range(2)
            ]
    else:
        right = area[0] + area[2] - 2
        spots = [(right - wide, area[1] - 2 + n * 11.4, wide, 10.6) for n in range(2)]
    for number, spot in enumerate(spots[: len(differing)]):
        canvas.panel(spot, colours["raised"], radius=2.0, outline=colours["faint"])
        room = (spot[0] + 1, spot[1] + 0.9, spot[2] - 2, spot[3] - 1.8)
        cards.row(canvas, differing[number][:3], room, level=view.level, four_colours=view.four_colours,
                  height=9.2)  # fmt: skip
        canvas.touch(spot, "option", (ask.id, number))


def _differing(ask: Ask) -> list[tuple[Card, ...]]:
    """Of each option only the cards in which the options differ."""
    options = ask.options[:2]
    if len(options) < 2:
        return list(options)
    found = []
    for mine, other in (options, options[::-1]):
        rest, left = list(other), []
        for card in mine:
            if card in rest:
                rest.remove(card)
            else:
                left.append(card)
        found.append(tuple(left) or mine)
    return found


def _level(canvas: Canvas, view: TableView, words: Words, side: str) -> None:
    """A side's level; the one whose level is played stands on a plate of its colour."""
    accent, margin = canvas.theme.side(side), canvas.theme.margin
    digits, size = canvas.theme.sizes["numeral"], canvas.theme.sizes["text"]
    level = words.rank(view.levels[side])
    label = words(f"side.{side}")
    wide = max(13.0, canvas.measure(level, digits / 0.733, True) + 4.5)
    tall = 16.5
    name_wide = min(17.0, canvas.measure(label, size, True) + 1)
    if side == "NS":
        plate = (margin, margin, wide, tall)
        name = (margin + wide + 2.0, margin, name_wide, 9.0)
        note = (margin + wide + 2.0, margin + 8.6, 17.0, 7.0)
        align = "left"
    else:
        right = canvas.width - margin
        plate = (right - wide, margin, wide, tall)
        name = (right - wide - 2.0 - name_wide, margin, name_wide, 9.0)
        note = (right - wide - 2.0 - 17.0, margin + 8.6, 17.0, 7.0)
        align = "right"
    played = view.on_stage == side
    if played:
        canvas.panel(plate, accent, radius=2.6)
    ink = canvas.theme.colours["on_accent"] if played else accent
    canvas.text(level, (plate[0] + 1, plate[1], plate[2] - 2, plate[3]), digits, ink, bold=True, digits=True)
    canvas.text(label, name, size, accent, bold=True, align=align)
    if view.levels[side] == "A" and view.attempts.get(side, 0):
        canvas.text(words("playing.attempt", n=view.attempts[side]), note, canvas.theme.sizes["small"],
                    canvas.theme.colours["quiet"], align=align)  # fmt: skip
    elif played or view.on_stage is None:
        canvas.text(words("playing.level", rank=words.rank(view.level)), note, canvas.theme.sizes["small"],
                    canvas.theme.colours["quiet"], align=align)  # fmt: skip


def _wild(canvas: Canvas, view: TableView, words: Words) -> None:
    margin = canvas.theme.margin
    wild = Card.parse("H" + view.level)
    box = (margin, canvas.height - margin - 17.0, 12.2, 17.0)
    cards.row(canvas, [wild], box, level=view.level, four_colours=view.four_colours, align="left", height=17.0)
    canvas.text(words("playing.wild"), (margin + 14.5, box[1], 18, 8.6), canvas.theme.sizes["text"],
                canvas.theme.colours["text"], align="left")  # fmt: skip
    canvas.text(words("playing.deal", n=view.deal), (margin + 14.5, box[1] + 9.6, 18, 7), canvas.theme.sizes["small"],
                canvas.theme.colours["quiet"], align="left")  # fmt: skip


def _corner(canvas: Canvas, view: TableView, words: Words, now: float) -> None:
    """The match clock and the two buttons, in the corner where a hand comes from outside the mat."""
    margin = canvas.theme.margin
    right, bottom = canvas.width - margin, canvas.height - margin
    canvas.button((right - 32, bottom - 10.5, 12.5, 10.5), "···", "menu", size=7.0)
    canvas.button((right - 18.5, bottom - 10.5, 18.5, 10.5), words("playing.call"), "call")
    if view.match_clock is not None and view.match_clock.limit is not None:
        left = view.match_clock.left(now) or 0.0
        canvas.text(clock_text(left), (right - 32, bottom - 18.6, 32, 7.4), canvas.theme.sizes["text"],
                    canvas.theme.colours["text" if left > 300 else "east_west"], align="right")  # fmt: skip


def clock_text(seconds: float) -> str:
    """``42:17``; whole seconds, rounded up, so that 0:00 means over."""
    whole = int(-(-seconds // 1))
    return f"{whole // 60}:{whole % 60:02d}"


def _centre(canvas: Canvas, view: TableView, words: Words, now: float) -> None:
    """The ring: whose turn, how long; in its place a notice or a question when there is one."""
    x, y = canvas.width / 2, canvas.height / 2
    colours = canvas.theme.colours
    if view.notice in ("stop", "look", "covered", "moved"):
        _plate(canvas, words(f"notice.{view.notice}1"), words(f"notice.{view.notice}2"), light=True)
        return
    if view.offer_score_only:
        _question(canvas, words("ask.score_only"), (words("ask.score_only_yes"), "score_only"),
                  (words("ask.score_only_no"), "keep_reading"))  # fmt: skip
        return
    if view.out_question:
        text = words("ask.out", seat=words(f"seat.{view.out_question}"))
        _question(canvas, text, (words("ask.yes"), "out_yes"), (words("ask.no"), "out_no"))
        return
    if view.margin:
        _margin(canvas, view, words, view.margin[0])
        return
    if view.notice == "spread":
        seat = words(f"seat.{view.notice_seat}")
        _plate(canvas, words("notice.spread1"), words("notice.spread2", seat=seat), light=False)
        return
    if view.turn is None:
        _wait(canvas, view, words)
        return
    accent, radius = canvas.theme.side(view.turn), 12.4
    clock = view.turn_clock
    left = clock.left(now) if clock else None
    if clock is not None and left is not None and clock.limit:
        over = left <= 0
        lit = colours["east_west"] if over else accent
        canvas.ring(x, y, radius, 1.0 if over else left / clock.limit, lit)
        inner = (x - radius + 3, y - 7, 2 * radius - 6, 14)
        text = str(int(-(-left // 1))) if not over else f"+{int(clock.elapsed(now) - clock.limit)}"
        canvas.text(text, inner, canvas.theme.sizes["numeral"], colours["text"], bold=True, digits=True)
    else:
        canvas.ring(x, y, radius, 1.0, accent)
        canvas.text(words(f"seat.{view.turn}"), (x - 9, y - 9, 18, 18), 14.0, accent, bold=True)
    reach = radius + 0.4
    dx, dy = {"N": (0, -1), "S": (0, 1), "W": (-1, 0), "E": (1, 0)}[view.turn]
    canvas.pointer(x + dx * reach, y + dy * reach, view.turn, 4.4, accent)


def _wait(canvas: Canvas, view: TableView, words: Words) -> None:
    """Before the first card of a deal: who leads or who owes, in the middle of the empty table."""
    size, colours = canvas.theme.sizes["text"], canvas.theme.colours
    middle = canvas.height / 2
    if view.tributes:
        for place, (kind, giver, taker) in enumerate(view.tributes[:2]):
            line = _debt(words, kind, giver, taker)
            top = middle - 6 * min(2, len(view.tributes)) + 12 * place
            canvas.text(line, (canvas.width / 2 - 38, top + 1.5, 76, 9), size, colours["text"], bold=True)
        return
    first, second = words("start.first1"), words("start.first2")
    canvas.text(first, (canvas.width / 2 - 38, middle - 10, 76, 9), size, colours["text"], bold=True)
    canvas.text(second, (canvas.width / 2 - 48, middle + 1, 96, 7), canvas.theme.sizes["small"], colours["quiet"])


def _debt(words: Words, kind: str, giver: str, taker: str) -> str:
    line = words("tribute.line", from_=words(f"seat.{giver}"), to=words(f"seat.{taker}"))
    return f"{line}  {words(f'tribute.{kind}')}"


def _plate(canvas: Canvas, first: str, second: str, light: bool) -> None:
    """A neutral notice: names nobody, judges nothing."""
    colours, size = canvas.theme.colours, canvas.theme.sizes["text"]
    ink = colours["on_notice" if light else "text"]
    wide = min(44.0, max(canvas.measure(first, size, True), canvas.measure(second, size, True)) + 7)
    wide = max(wide, 40.0)
    box = (canvas.width / 2 - wide / 2, canvas.height / 2 - 12.5, wide, 25.0)
    canvas.panel(box, colours["notice" if light else "raised"], radius=3.0, outline=None if light else colours["line"])
    canvas.text(first, (box[0] + 3, box[1] + 2.6, wide - 6, 10), size, ink, bold=True)
    canvas.text(second, (box[0] + 3, box[1] + 12.6, wide - 6, 10), size, ink, bold=True)


def _question(canvas: Canvas, text: str, yes: tuple[str, str], no: tuple[str, str]) -> None:
    colours = canvas.theme.colours
    box = (canvas.width / 2 - 21.5, canvas.height / 2 - 14, 43, 28)
    canvas.panel(box, colours["raised"], radius=3.0, outline=colours["line"])
    lines = _wrapped(canvas, text, box[2] - 5, canvas.theme.sizes["small"])
    for number, line in enumerate(lines):
        tall = 12.0 / len(lines)
        canvas.text(line, (box[0] + 2.5, box[1] + 2 + number * tall, box[2] - 5, tall), canvas.theme.sizes["small"],
                    colours["text"], bold=True)  # fmt: skip
    canvas.button((box[0] + 2, box[1] + 15.5, 18.8, 10.5), *yes, size=5.0)
    canvas.button((box[0] + 22.2, box[1] + 15.5, 18.8, 10.5), *no, size=5.0)


def _wrapped(canvas: Canvas, text: str, width: float, size: float) -> list[str]:
    """*text* on at most two lines, broken where the halves are most alike."""
    if canvas.measure(text, size, True) <= width:
        return [text]
    breaks = [place for place, sign in enumerate(text) if sign in " ，。,."] or list(range(1, len(text)))
    best = min(breaks, key=lambda place: abs(place - len(text) / 2))
    return [text[: best + 1].strip(), text[best + 1 :].strip()]


def _margin(canvas: Canvas, view: TableView, words: Words, ask: Ask) -> None:
    """A question whose trick is over: it waits here and stops nothing."""
    colours = canvas.theme.colours
    box = (canvas.width / 2 - 21.5, canvas.height / 2 - 12, 43, 24)
    canvas.panel(box, colours["raised"], radius=3.0, outline=colours["line"])
    text = words("ask.open", seat=words(f"seat.{ask.seat}"))
    canvas.text(
        text, (box[0] + 2, box[1] + 1.6, box[2] - 4, 8), canvas.theme.sizes["small"], colours["text"], bold=True
    )
    for number, differing in enumerate(_differing(ask)[:2]):
        spot = (box[0] + 2 + number * 20, box[1] + 10.6, 19, 11.4)
        canvas.panel(spot, colours["ground"], radius=2.0, outline=colours["faint"])
        room = (spot[0] + 1, spot[1] + 1.0, spot[2] - 2, spot[3] - 2)
        cards.row(canvas, differing[:3], room, level=view.level, four_colours=view.four_colours, height=9.2)
        canvas.touch(spot, "option", (ask.id, number))
