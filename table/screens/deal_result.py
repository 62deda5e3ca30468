"""The deal's result: who finished how, what the levels become, and each side's one tap."""

from __future__ import annotations

from table.screens import frame
from table.screens.canvas import Box, Canvas
from table.screens.frame import Button
from table.view import DealResult, TableView
from table.words import Words


def draw(canvas: Canvas, view: TableView, words: Words, now: float) -> None:
    """Draw the result of the deal that has just ended."""
    result = view.deal_result
    if result is None:
        return
    colours, sizes, wide, margin = canvas.theme.colours, canvas.theme.sizes, canvas.width, canvas.theme.margin
    tall, room = canvas.theme.tall, canvas.width - 2 * canvas.theme.margin
    accent = canvas.theme.side(result.winner)
    wrong = Button(words("result.wrong"), "dispute", result.winner, None, colours["quiet"])
    sides = [_button(canvas, words, side, side in result.confirmed) for side in ("NS", "EW")]
    low = frame.foot(canvas, [*sides, wrong] if tall else [sides[0], wrong, sides[1]], widest=52.0)
    top = 7.0 if tall else 2.5
    canvas.text(words("result.deal", n=result.number), (margin, top, room, 6), sizes["small"], colours["quiet"])
    who, change = headline(result, words)
    if tall:
        canvas.text(who, (margin, top + 6.5, room, 12), 9.2, accent, bold=True)
        canvas.text(change, (margin, top + 18.5, room, 12), 9.2, accent, bold=True)
    else:
        canvas.text(f"{who} {change}", (margin, top + 6.5, room, 12.5), 9.2, accent, bold=True)
    top += 32.0 if tall else 20.5
    _order(canvas, result, words, (margin, top, room, 18.0 if tall else 8.5))
    top += 20.0 if tall else 9.5
    high = (low - 8.0 - top) / (2 if tall else 1)
    for place, side in enumerate(("NS", "EW")):
        spot = (0.0, top + place * high, wide, high) if tall else (place * wide / 2, top, wide / 2, high)
        _level(canvas, result, words, side, spot)
    if result.confirms_at is not None:
        line = words("result.auto", n=max(0, int(-(-(result.confirms_at - now) // 1))))
    else:
        line = words("result.waiting")
    canvas.text(line, (margin, low - 6.5, room, 6), sizes["small"], colours["quiet"])


def headline(result: DealResult, words: Words) -> tuple[str, str]:
    """``南北双下`` and ``2→5 对吗？``, and their like: how the winning side finished, and what follows."""
    mates = [place for place, seat in enumerate(result.order, 1) if seat in result.winner]
    key = {2: "double", 3: "first_third", 4: "first_last"}[mates[1] if len(mates) > 1 else 4]
    name = words(f"result.{key}", side=words(f"side.{result.winner}"))
    before, after = words.rank(result.before[result.winner]), words.rank(result.after[result.winner])
    if before == after:
        return name, f"· {words('result.no_gain')} {words('result.right')}"
    return name, f"{before}→{after} {words('result.right')}"


def _order(canvas: Canvas, result: DealResult, words: Words, box: Box) -> None:
    colours, size = canvas.theme.colours, canvas.theme.sizes["small"]
    columns = 2 if canvas.theme.tall else 4
    slots = frame.grid((box[0] + 4, box[1], box[2] - 8, box[3]), columns, len(result.order) // columns or 1, 1.0)
    for place, (seat, slot) in enumerate(zip(result.order, slots, strict=False), 1):
        half = slot[2] / 2
        canvas.text(words(f"playing.out{place}"), (slot[0], slot[1], half, slot[3]), size, colours["quiet"],
                    align="right")  # fmt: skip
        canvas.text(words(f"seat.{seat}"), (slot[0] + half + 2, slot[1], half - 2, slot[3]), 7.0,
                    canvas.theme.side(seat), bold=True, align="left")  # fmt: skip


def _level(canvas: Canvas, result: DealResult, words: Words, side: str, box: Box) -> None:
    """A side's level before and after; the change is what has to be confirmed."""
    colours, accent = canvas.theme.colours, canvas.theme.side(side)
    left, top, wide, high = box
    before, after = words.rank(result.before[side]), words.rank(result.after[side])
    start = top + (high - 24.0) / 2
    canvas.text(words(f"side.{side}"), (left + 2, start, wide - 4, 8), 7.0, accent, bold=True)
    if before == after:
        canvas.text(after, (left, start + 8.5, wide, 16), 12.0, colours["quiet"], bold=True, digits=True)
        return
    middle, line = left + wide / 2, start + 8.5
    canvas.text(before, (middle - 32, line, 24, 16), 12.0, colours["faint"], bold=True, digits=True, align="right")
    canvas.pointer(middle, line + 8, "E", 5.0, accent)
    canvas.text(after, (middle + 8, line, 26, 16), 12.0, accent, bold=True, digits=True, align="left")


def _button(canvas: Canvas, words: Words, side: str, confirmed: bool) -> Button:
    accent, name = canvas.theme.side(side), words(f"side.{side}")
    if confirmed:
        return Button(f"{name} {words('result.confirmed')}", "confirm", side, None, accent)
    return Button(f"{name} {words('result.confirm')}", "confirm", side, accent)
