"""What all four read on a flat screen besides the play: a deal's and a match's result, a halt. Each player has a part
that is upright for that player and does what that player may; what is common stands in the middle and can be turned."""

from __future__ import annotations

from contextlib import AbstractContextManager

from engine.cards import SIDES, side_of
from table.screens import deal_result, frame, halted, match_result
from table.screens.canvas import Box, Canvas
from table.screens.flat import DEEP, parts
from table.screens.frame import Button
from table.screens.playing import clock_text
from table.theme import Colour
from table.view import DealResult, TableView
from table.words import Words

HIGH = 11.0
"""Height of a part's buttons."""
FACE = 10.4
"""Side of the button that turns the middle."""


def draw_deal(canvas: Canvas, view: TableView, words: Words, now: float) -> None:
    """The deal's result: each player is told what it comes to, and confirms or disputes it."""
    result = view.deal_result
    if result is None:
        return
    head = deal_result.headline(result, words)
    accent = canvas.theme.side(result.winner)
    for seat, box in parts(canvas).items():
        side = side_of(seat)
        done = side in result.confirmed
        buttons = [
            _signing(canvas, side, words("result.confirmed" if done else "result.confirm"), done),
            Button(words("result.wrong"), "dispute", side, None, canvas.theme.colours["quiet"]),
        ]
        with canvas.turned(box, seat) as part:
            _part(part, head, accent, buttons)
    with _middle(canvas, view) as middle:
        before = {side: words.rank(result.before[side]) for side in SIDES}
        line = _waits(result, words, now)
        _levels(middle, words, before, {side: words.rank(result.after[side]) for side in SIDES}, line)


def _waits(result: DealResult, words: Words, now: float) -> str:
    if result.confirms_at is None:
        return words("result.deal", n=result.number)
    return words("result.auto", n=max(0, int(-(-(result.confirms_at - now) // 1))))


def draw_match(canvas: Canvas, view: TableView, words: Words, now: float) -> None:
    """The match's result, signed where each side sits."""
    result = view.match_result or {}
    winner = result.get("winner")
    accent = canvas.theme.side(winner) if winner else canvas.theme.colours["text"]
    head = words("result.winner", side=words(f"side.{winner}")) if winner else words("result.draw")
    why = words(f"why.{result.get('why') or 'passed_A'}")
    done = view.signed == frozenset(SIDES)
    for seat, box in parts(canvas).items():
        side = side_of(seat)
        signed = side in view.signed
        if done:
            key = "result.next_seats" if view.venue.seated else "result.next_match"
            buttons = [Button(words(key), "next_match", None, canvas.theme.colours["north_south"])]
        else:
            buttons = [_signing(canvas, side, words("result.signed" if signed else "result.sign"), signed)]
        with canvas.turned(box, seat) as part:
            _part(part, (head, why), accent, buttons)
    past = winner if result.get("past_A") else None
    now_at = {side: words("result.over") if side == past else words.rank(view.levels[side]) for side in SIDES}
    with _middle(canvas, view) as middle:
        _levels(middle, words, now_at, now_at, match_result.last_line(view, words, done))


def draw_halted(canvas: Canvas, view: TableView, words: Words, now: float) -> None:
    """The halt: everybody reads it, anybody ends it that is the table's own."""
    kind = halted.kind_of(view)
    for seat, box in parts(canvas).items():
        with canvas.turned(box, seat) as part:
            head = halted.head(view, words), words(f"halted.{kind}2")
            _part(part, head, part.theme.colours["text"], halted.ways_on(part, view, words))
    with _middle(canvas, view) as middle:
        text, ink = "", middle.theme.colours["quiet"]
        if kind == "called" and view.venue.referee is not None:
            state, who = view.venue.referee
            text = words(f"halted.{'comes' if state == 'take' else 'later'}", who=who or words("halted.somebody"))
            ink = middle.theme.colours["north_south"]
        elif view.match_clock is not None:
            text = words("halted.kept", left=clock_text(view.match_clock.left(now) or 0.0))
        middle.paragraph(text, (2, 1, middle.width - 4, middle.height - 2), 7.0, ink)


def _part(part: Canvas, head: tuple[str, str], accent: Colour, buttons: list[Button]) -> None:
    """A player's part: what is said away from the edge, on one line where it is large there, and the buttons at it."""
    width, high = part.width, DEEP - HIGH - 3.0
    box = (2.0, 0.5, width - 4.0, high)
    whole = f"{head[0]}{' ' if head[1][:1].isdigit() or head[1][:1] == '·' else ' · '}{head[1]}"
    if part.measure(whole, 7.0, True) <= box[2]:
        part.text(whole, box, 8.0, accent, bold=True)
    else:
        part.text(head[0], (box[0], box[1], box[2], high * 0.54), 7.0, accent, bold=True)
        part.text(head[1], (box[0], box[1] + high * 0.54, box[2], high * 0.46), 6.0, accent)
    if not buttons:
        return
    share = (width - 4.0 - frame.GAP * (len(buttons) - 1)) / len(buttons)
    wide = min(share, 46.0)
    left = (width - wide * len(buttons) - frame.GAP * (len(buttons) - 1)) / 2
    for place, button in enumerate(buttons):
        frame.put(part, (left + place * (wide + frame.GAP), DEEP - HIGH - 1.0, wide, HIGH), button)


def _signing(canvas: Canvas, side: str, text: str, done: bool) -> Button:
    accent = canvas.theme.side(side)
    return Button(text, "confirm", side, None if done else accent, accent if done else None)


def _middle(canvas: Canvas, view: TableView) -> AbstractContextManager[Canvas]:
    """What lies between the parts, turned towards whoever asked for it; a touch turns it on."""
    box = (DEEP + 1.0, DEEP + 1.0, canvas.width - 2 * DEEP - 2.0, canvas.height - 2 * DEEP - 2.0)
    canvas.touch(box, "face")
    return canvas.turned(box, view.facing)


def _levels(canvas: Canvas, words: Words, before: dict[str, str], after: dict[str, str], line: str) -> None:
    """Both sides' levels beside each other, or one over the other where it is narrow, and a line below."""
    colours = canvas.theme.colours
    narrow = canvas.width < 60
    low = canvas.height - (18.0 if narrow else 6.5)
    boxes = frame.grid((0.0, 0.0, canvas.width, low), 1 if narrow else 2, 2 if narrow else 1, 2.0)
    for side, (left, top, wide, high) in zip(SIDES, boxes, strict=True):
        accent, start = canvas.theme.side(side), top + (high - 20.0) / 2
        canvas.text(words(f"side.{side}"), (left, start, wide, 7.0), 6.5, accent, bold=True)
        text, spot = after[side], (left, start + 7.4, wide, 12.6)
        if before[side] != after[side]:
            text = f"{before[side]}→{after[side]}"
        ink = accent if before[side] != after[side] else colours["quiet"]
        canvas.text(text, spot, 10.5 if not narrow else 9.0, ink, bold=True, digits=True)
    below: Box = (1.0, low, canvas.width - 2.0, canvas.height - low)
    canvas.paragraph(line, below, 5.0, colours["quiet"])
