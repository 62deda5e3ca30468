"""The middle of the playing screen: the ring of the turn, and in its place what is said or asked for a moment."""

from __future__ import annotations

import math

from engine.cards import Card
from table.screens import cards
from table.screens.canvas import Box, Canvas
from table.screens.frame import Button, put
from table.theme import Colour
from table.view import Ask, Lesson, TableView
from table.words import Words

WIDE_REACH = 5.6
"""Millimetres above and below the ring's middle to which three signs may reach."""
MESSAGE_STANDS = 20.0
"""Seconds for which a message of the venue's stands over the play before it steps back to the menu."""


def draw(canvas: Canvas, view: TableView, words: Words, now: float, at: tuple[float, float], radius: float) -> None:
    """The ring: whose turn, how long; in its place a notice or a question when there is one."""
    if view.notice in ("stop", "covered", "lost", "moved") or (view.notice == "look" and view.lesson is None):
        _plate(canvas, words(f"notice.{view.notice}1"), second_line(view, words), at, light=True)
    elif now < view.venue.blink_until and view.venue.place:
        _plate(canvas, words("venue.here"), view.venue.place, at, light=True)
    elif view.offer_score_only:
        _question(canvas, words("ask.score_only"), at, Button(words("ask.score_only_yes"), "score_this"),
                  Button(words("ask.score_only_no"), "keep_reading"))  # fmt: skip
    elif view.out_question:
        text = words("ask.out", seat=words(f"seat.{view.out_question}"))
        _question(canvas, text, at, Button(words("ask.yes"), "out_yes"), Button(words("ask.no"), "out_no"))
    elif view.margin:
        _margin(canvas, view, words, view.margin[0], at)
    elif view.notice == "spread":
        seat = words(f"seat.{view.notice_seat}")
        _plate(canvas, words("notice.spread1"), words("notice.spread2", seat=seat), at, light=False)
    elif view.turn is None:
        _wait(canvas, view, words, now, at)
    elif view.lesson is not None:
        _lesson(canvas, view.lesson, words, at)
    else:
        ring(canvas, view, words, now, at, radius)


def second_line(view: TableView, words: Words) -> str:
    """A notice's second line: no referee comes whom nobody has told."""
    if view.notice == "stop" and not view.venue.hears:
        return words("notice.aloud2")
    seat = words(f"seat.{view.notice_seat}") if view.notice_seat else ""
    return words(f"notice.{view.notice}2", seat=seat)


def busy(view: TableView, now: float) -> bool:
    """Whether something stands in the ring's place."""
    said = view.notice is not None or view.offer_score_only or view.out_question or view.margin or view.turn is None
    return bool(said) or view.lesson is not None or (now < view.venue.blink_until and bool(view.venue.place))


def ring(canvas: Canvas, view: TableView, words: Words, now: float, at: tuple[float, float], radius: float) -> None:
    """Whose turn it is and how long; during tribute and return who owes what."""
    if view.turn is None:
        return
    (x, y), colours = at, canvas.theme.colours
    accent = canvas.theme.side(view.turn)
    clock = view.turn_clock
    left = clock.left(now) if clock else None
    if clock is not None and left is not None and clock.limit:
        over = left <= 0
        lit = colours["east_west"] if over else accent
        canvas.ring(x, y, radius, 1.0 if over else left / clock.limit, lit)
        late = int(clock.elapsed(now) - clock.limit)
        text = str(int(-(-left // 1))) if not over else f"+{late}" if late < 100 else f"+{late // 60}'"
        # Three signs keep off the ring where it curves in beside their upper and lower ends.
        half = radius - 1.7 if len(text) < 3 else math.sqrt((radius - 2.2) ** 2 - WIDE_REACH**2)
        inner = (x - half, y - 7, 2 * half, 14)
        canvas.text(text, inner, canvas.theme.sizes["numeral"], colours["text"], bold=True, digits=True)
    else:
        canvas.ring(x, y, radius, 1.0, accent)
        canvas.text(words(f"seat.{view.turn}"), (x - 9, y - 9, 18, 18), 14.0, accent, bold=True)
    reach = radius + 0.4
    dx, dy = {"N": (0, -1), "S": (0, 1), "W": (-1, 0), "E": (1, 0)}[view.turn]
    canvas.pointer(x + dx * reach, y + dy * reach, view.turn, 4.4, accent)


def banner(canvas: Canvas, view: TableView, words: Words, now: float, place: Box) -> None:
    """A line that stands for a few seconds in the place of north's."""
    told = view.banner
    if told is None or now >= told.until:
        return
    colours, size = canvas.theme.colours, canvas.theme.sizes["text"]
    box = (place[0], place[1] + (0.4 if canvas.theme.tall else -0.4), place[2], 9.0)
    if told.key == "corrected":
        canvas.panel(box, colours["notice"], radius=2.0)
    else:  # a reminder is no notice: it is there for whoever looks
        canvas.panel(box, colours["raised"], radius=2.0, outline=colours["line"])
    if told.key == "corrected":
        _corrected(canvas, dict(told.values), words, view, box)
        return
    text = spoken(words, told.key, dict(told.values))
    canvas.text(text, (box[0] + 2, box[1], box[2] - 4, box[3]), size, colours["text"], bold=True)


def spoken(words: Words, key: str, values: dict[str, object]) -> str:
    """The words of a banner."""
    if "side" in values:
        values = {**values, "side": words(f"side.{values['side']}")}
    if key == "resisted":
        both = words("tribute.and").join(words(f"seat.{seat}") for seat in str(values["seats"]))
        return words("banner.resisted", seats=both)
    shown = {name: f"{value:g}" if isinstance(value, float) else value for name, value in values.items()}
    return words(f"banner.{key}", **shown)


def _corrected(canvas: Canvas, values: dict[str, object], words: Words, view: TableView, box: Box) -> None:
    """``东 已更正 ♥9 → ♥6``, with the cards drawn."""
    ink, size = canvas.theme.colours["on_notice"], canvas.theme.sizes["text"]
    text = words("banner.corrected", seat=words(f"seat.{values['seat']}"))
    shown = [Card.parse(str(values[name])) for name in ("old", "new") if values[name]]
    wide = canvas.measure(text, size, True) + 2 + len(shown) * 12.0 + (6 if len(shown) == 2 else 0)
    room = box[2] - 4 - (wide - canvas.measure(text, size, True))
    text = canvas.cut(text, room, size, True)
    left = box[0] + max(2.0, (box[2] - wide) / 2)
    word = canvas.measure(text, size, True) + 0.5
    canvas.text(text, (left, box[1], word, box[3]), size, ink, bold=True, align="left")
    left += word + 2
    for place, card in enumerate(shown):
        if place:
            canvas.pointer(left + 2, box[1] + box[3] / 2, "E", 3.6, ink)
            left += 6
        cards.face(canvas, card, (left, box[1] + 0.7, 11.4, box[3] - 1.4), four_colours=view.four_colours)
        if not values["new"]:
            canvas.panel((left + 1, box[1] + box[3] / 2 - 0.4, 9.4, 0.9), canvas.theme.colours["heart"], radius=0.4)
        left += 12.0


def message(canvas: Canvas, view: TableView, words: Words, now: float) -> None:
    """What the venue tells everybody: over the upper third for a while, gone with a touch."""
    venue = view.venue
    if venue.message is None or now >= venue.message_until:
        return
    colours, margin = canvas.theme.colours, canvas.theme.margin
    box = (margin, margin, canvas.width - 2 * margin, 26.0)
    canvas.panel(box, colours["notice"], radius=3.0)
    canvas.paragraph(venue.message, (box[0] + 4, box[1] + 1.5, box[2] - 8, box[3] - 3), canvas.theme.sizes["text"],
                     colours["on_notice"], bold=True, least=4.5)  # fmt: skip
    canvas.touch(box, "message_read")


def _wait(canvas: Canvas, view: TableView, words: Words, now: float, at: tuple[float, float]) -> None:
    """Before the first card of a deal: who leads or who owes, in the middle of the empty table."""
    size, colours = canvas.theme.sizes["text"], canvas.theme.colours
    x, y = at
    half = min(45.0, canvas.width / 2 - canvas.theme.margin)
    if view.tributes:
        owed(canvas, view, words, now, (x - half, y - 12.5, 2 * half, 25.0))
        return
    if view.scoring:
        _scoring(canvas, words, at)
        return
    if view.turned is not None:
        seat, card = view.turned
        cards.face(canvas, card, (x - 6, y - 12.4, 12, 11.0), four_colours=view.four_colours)
        text = words("first.turned", seat=words(f"seat.{seat}"))
        canvas.text(text, (x - half, y, 2 * half, 9), size, canvas.theme.side(seat), bold=True)
        return
    duty = words(f"first.{view.first_lead}") if view.first_lead else words("first.next")
    small = canvas.height < 40  # the middle of a flat screen
    room, top = 32.0 if canvas.theme.tall else 20.6 if small else 21.5, y - (15.3 if small else 13.0)
    canvas.paragraph(duty, (x - half, top, 2 * half, room), size, colours["text"], bold=True, least=size)
    if view.first_lead:
        canvas.text(words("first.tap"), (x - half, top + room, 2 * half, 8.4), size, colours["quiet"])


def _scoring(canvas: Canvas, words: Words, at: tuple[float, float]) -> None:
    """This deal's plays are not read: its order is tapped in when it is over."""
    wide, high = 54.0, 26.4
    box = (at[0] - wide / 2, at[1] - high / 2, wide, high)
    canvas.paragraph(words("score.on"), (box[0], box[1], wide, 12.5), canvas.theme.sizes["text"],
                     canvas.theme.colours["text"], bold=True, least=5.5)  # fmt: skip
    put(canvas, (box[0] + 4, box[1] + 14.0, wide - 8, 11.4), Button(words("score.order"), "score_only"), size=6.0)


def owed(canvas: Canvas, view: TableView, words: Words, now: float, box: Box) -> None:
    """Who gives whom a card, and how long; a return that goes over face down is not asked for."""
    size, colours = canvas.theme.sizes["text"], canvas.theme.colours
    if view.closed_return:
        canvas.text(words("tribute.closed"), (box[0], box[1] + 3.5, box[2], 9), size, colours["text"], bold=True)
        canvas.text(words("tribute.closed2"), (box[0], box[1] + 13, box[2], 9), size, colours["quiet"])
        return
    clock = view.turn_clock
    left = clock.left(now) if clock is not None else None
    lines = _owed_lines(canvas, view, words)
    rows = len(lines) + (left is not None)
    top = box[1] + (box[3] - rows * 9.4) / 2
    for place, (text, ink, bold) in enumerate(lines):
        canvas.text(text, (box[0], top + place * 9.4, box[2], 9), size, ink, bold=bold)
    if left is not None:
        seconds = words("tribute.seconds", n=int(-(-left // 1)))
        ink = colours["text" if left > 5 else "east_west"]
        canvas.text(seconds, (box[0], top + len(lines) * 9.4, box[2], 9), size, ink)


def _owed_lines(canvas: Canvas, view: TableView, words: Words) -> list[tuple[str, Colour, bool]]:
    """Text, ink and weight of each line; of two givers whose cards decide who gets which, one line for both."""
    colours, lines = canvas.theme.colours, []
    for kind, giver, taker in view.tributes[:2]:
        if len(taker) > 1:
            seats = [f"{words(f'seat.{seat}')}{' ✓' if seat in view.paid else ''}" for _, seat, _ in view.tributes]
            both = f"{words('tribute.and').join(seats)}  {words(f'tribute.{kind}')}"
            lines = [(both, canvas.theme.side(giver), True)]
            if kind == "tribute":
                higher = words("tribute.higher", first=words(f"seat.{taker[0]}"))
                lines.append((higher, colours["quiet"], False))
            return lines
        line = words("tribute.line", from_=words(f"seat.{giver}"), to=words(f"seat.{taker}"))
        seen = giver in view.paid
        ink = colours["quiet"] if seen else canvas.theme.side(giver)
        lines.append((f"{line}  {words(f'tribute.{kind}')}{'  ✓' if seen else ''}", ink, not seen))
    return lines


def _plate(canvas: Canvas, first: str, second: str, at: tuple[float, float], light: bool) -> None:
    """A neutral notice: names nobody, judges nothing."""
    colours, size = canvas.theme.colours, canvas.theme.sizes["text"]
    ink = colours["on_notice" if light else "text"]
    wide = max(canvas.measure(first, size, True), canvas.measure(second, size, True)) + 7
    wide = max(40.0, min(wide, canvas.width - 2 * canvas.theme.margin))
    high = min(25.0, 2 * canvas.theme.sizes["text"] + 7)
    box = (at[0] - wide / 2, at[1] - high / 2, wide, high)
    canvas.panel(box, colours["notice" if light else "raised"], radius=3.0, outline=None if light else colours["line"])
    for place, text in enumerate((first, second)):
        spot = (box[0] + 3, box[1] + 1.5 + place * (high - 3) / 2, wide - 6, (high - 3) / 2)
        canvas.text(text, spot, size, ink, bold=True)


def _question(canvas: Canvas, text: str, at: tuple[float, float], yes: Button, no: Button) -> None:
    colours, high = canvas.theme.colours, 26.4
    wide = 54.0
    box = (at[0] - wide / 2, at[1] - high / 2, wide, high)
    canvas.panel(box, colours["raised"], radius=3.0, outline=colours["line"])
    canvas.paragraph(text, (box[0] + 2.5, box[1] + 1, wide - 5, 13.4), canvas.theme.sizes["text"], colours["text"],
                     bold=True, least=4.6)  # fmt: skip
    half = (wide - 6) / 2
    put(canvas, (box[0] + 2, box[1] + high - 12.0, half, 10.2), yes, size=5.0)
    put(canvas, (box[0] + 4 + half, box[1] + high - 12.0, half, 10.2), no, size=5.0)


def _margin(canvas: Canvas, view: TableView, words: Words, ask: Ask, at: tuple[float, float]) -> None:
    """A question whose trick is over: it waits here and stops nothing."""
    colours = canvas.theme.colours
    box = (at[0] - 26.5, at[1] - 12.6, 53, 25.2)
    canvas.panel(box, colours["raised"], radius=3.0, outline=colours["line"])
    text = words("ask.open", seat=words(f"seat.{ask.seat}"))
    canvas.text(text, (box[0] + 2, box[1] + 1.6, box[2] - 4, 9), canvas.theme.sizes["text"], colours["text"], bold=True)
    for number, option in enumerate(differing(ask)[:2]):
        spot = (box[0] + 2 + number * 25, box[1] + 12.2, 24, 11.4)
        canvas.panel(spot, colours["ground"], radius=2.0, outline=colours["faint"])
        room = (spot[0] + 1, spot[1] + 1.0, spot[2] - 2, spot[3] - 2)
        cards.row(canvas, option[:3], room, level=view.level, four_colours=view.four_colours, height=9.2)
        canvas.touch(spot, "option", (ask.id, number))


def differing(ask: Ask) -> list[tuple[Card, ...]]:
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


def _lesson(canvas: Canvas, lesson: Lesson, words: Words, at: tuple[float, float]) -> None:
    """Training: what the last play did, in two lines; a touch tells the whole of it."""
    colours, size = canvas.theme.colours, canvas.theme.sizes["text"]
    wide = 48.0
    box = (at[0] - wide / 2, at[1] - 12.5, wide, 25.0)
    canvas.panel(box, colours["raised"], radius=3.0, outline=colours["line"])
    first = words(f"lesson.{lesson.verdict}", seat=words(f"seat.{lesson.seat}"))
    second = words("lesson.next", seat=words(f"seat.{lesson.next}")) if lesson.next else ""
    canvas.text(first, (box[0] + 2, box[1] + 2.4, wide - 4, 10), size, colours["text"], bold=True)
    if lesson.next:
        canvas.text(second, (box[0] + 2, box[1] + 12.6, wide - 4, 10), size, canvas.theme.side(lesson.next), bold=True)
    canvas.touch(box, "lesson")
