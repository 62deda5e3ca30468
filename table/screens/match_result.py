"""The match's result, signed by both sides; then who sits here next."""

from __future__ import annotations

from engine.cards import SIDES
from table.screens import frame
from table.screens.canvas import Canvas
from table.screens.frame import Button
from table.view import TableView
from table.words import Words


def draw(canvas: Canvas, view: TableView, words: Words, now: float) -> None:
    """Draw the result of the match."""
    result = view.match_result or {}
    colours, sizes, margin = canvas.theme.colours, canvas.theme.sizes, canvas.theme.margin
    tall, wide, room = canvas.theme.tall, canvas.width, canvas.width - 2 * canvas.theme.margin
    winner = result.get("winner")
    accent = canvas.theme.side(winner) if winner else colours["text"]
    done = view.signed == frozenset(SIDES)
    low = frame.foot(canvas, _buttons(canvas, view, words, done), widest=60.0)
    top = 14.0 if tall else 3.0
    line = words("result.match") + " · " + words("result.deals", n=max(1, view.deal - 1))
    canvas.text(line, (margin, top, room, 6), sizes["small"], colours["quiet"])
    head = words("result.winner", side=words(f"side.{winner}")) if winner else words("result.draw")
    canvas.text(head, (margin, top + 6.5, room, 16), 14.0, accent, bold=True)
    why = words(f"why.{result.get('why') or 'passed_A'}")
    canvas.text(why, (margin, top + 23, room, 6.5), sizes["small"], colours["quiet"])
    top += 33.0
    high = (low - (16.0 if tall else 8.5) - top) / (2 if tall else 1)
    for place, side in enumerate(SIDES):
        left, start = (0.0, top + place * high) if tall else (place * wide / 2, top)
        half = wide if tall else wide / 2
        own = canvas.theme.side(side)
        middle = start + (high - 24) / 2
        canvas.text(words(f"side.{side}"), (left, middle, half, 8), 7.0, own, bold=True)
        won = side == winner and result.get("past_A")
        level = words("result.over") if won else words.rank(view.levels[side])
        canvas.text(level, (left + 3, middle + 8.5, half - 6, 15), 12.0, own if side == winner else colours["quiet"],
                    bold=True, digits=True)  # fmt: skip
    line, high = last_line(view, words, done), 14.5 if tall else 7.5
    canvas.paragraph(line, (margin, low - high - 0.5, room, high), sizes["small"], colours["quiet"])


def _buttons(canvas: Canvas, view: TableView, words: Words, done: bool) -> list[Button]:
    if done:
        key = "result.next_seats" if view.venue.seated else "result.next_match"
        return [Button(words(key), "next_match", None, canvas.theme.colours["north_south"])]
    found = []
    for side in SIDES:
        own, name = canvas.theme.side(side), words(f"side.{side}")
        if side in view.signed:
            found.append(Button(f"{name} {words('result.signed')}", "confirm", side, None, own))
        else:
            found.append(Button(f"{name} {words('result.sign')}", "confirm", side, own))
    return found


def last_line(view: TableView, words: Words, done: bool) -> str:
    """Whether the venue has it, once it is signed; nobody who belongs to none is bothered with that."""
    if not done:
        return words("result.both_sign")
    if view.venue.seated:
        names = "  ".join(f"{words(f'seat.{seat}')} {name}" for seat, name in view.venue.seated)
        return words("result.next_names", names=names)
    if view.venue.state in ("unpaired", ""):
        return words("result.thanks")
    if view.venue.unsent:
        return words("result.unsent")
    return words("result.sent")
