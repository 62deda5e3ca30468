"""The deal's result: who finished how, what the levels become, and each side's one tap."""

from __future__ import annotations

from table.screens.canvas import Canvas
from table.view import DealResult, TableView
from table.words import Words


def draw(canvas: Canvas, view: TableView, words: Words, now: float) -> None:
    """Draw the result of the deal that has just ended."""
    result = view.deal_result
    if result is None:
        return
    colours, sizes, wide = canvas.theme.colours, canvas.theme.sizes, canvas.width
    accent = canvas.theme.side(result.winner)
    canvas.text(words("result.deal", n=result.number), (10, 3.5, wide - 20, 7), sizes["small"], colours["quiet"])
    canvas.text(headline(result, words), (6, 10.5, wide - 12, 11), 9.5, accent, bold=True)
    _order(canvas, result, words)
    for side, left in (("NS", 0.0), ("EW", wide / 2)):
        _level(canvas, result, words, side, left)
    if result.confirms_at is not None:
        seconds = max(0, int(-(-(result.confirms_at - now) // 1)))
        line = words("result.auto", n=seconds)
    else:
        line = words("result.waiting")
    canvas.text(line, (6, 65.2, wide - 12, 6), sizes["small"] * 0.9, colours["quiet"])
    for side, left in (("NS", wide / 2 - 60.0), ("EW", wide / 2 + 2.0)):
        _button(canvas, words, side, left, side in result.confirmed)


def headline(result: DealResult, words: Words) -> str:
    """``南北双下`` and its like: how the winning side finished."""
    mates = [place for place, seat in enumerate(result.order, 1) if seat in result.winner]
    key = {2: "double", 3: "first_third", 4: "first_last"}[mates[1] if len(mates) > 1 else 4]
    gain = words("result.gain", n=result.gain) if result.gain else words("result.no_gain")
    return f"{words(f'result.{key}', side=words(f'side.{result.winner}'))} · {gain}"


def _order(canvas: Canvas, result: DealResult, words: Words) -> None:
    colours, size = canvas.theme.colours, canvas.theme.sizes["small"]
    slot = 30.0
    left = canvas.width / 2 - slot * len(result.order) / 2
    for place, seat in enumerate(result.order, 1):
        box = (left + (place - 1) * slot, 23.5, slot, 9.0)
        canvas.text(words(f"playing.out{place}"), (box[0], box[1], 15.5, box[3]), size, colours["quiet"], align="right")
        canvas.text(words(f"seat.{seat}"), (box[0] + 17.5, box[1], 10, box[3]), 7.0, canvas.theme.side(seat), bold=True,
                    align="left")  # fmt: skip


def _level(canvas: Canvas, result: DealResult, words: Words, side: str, left: float) -> None:
    """A side's level before and after; the change is what has to be confirmed."""
    colours, half = canvas.theme.colours, canvas.width / 2
    accent = canvas.theme.side(side)
    before, after = words.rank(result.before[side]), words.rank(result.after[side])
    canvas.text(words(f"side.{side}"), (left, 36.5, half, 8), 7.0, accent, bold=True)
    box = (left, 46.0, half, 16)
    if before == after:
        canvas.text(after, box, 12.0, colours["quiet"], bold=True, digits=True)
        return
    middle = left + half / 2
    canvas.text(before, (middle - 32, 46, 24, 16), 12.0, colours["faint"], bold=True, digits=True, align="right")
    canvas.pointer(middle, 54, "E", 5.0, accent)
    canvas.text(after, (middle + 8, 46, 30, 16), 12.0, accent, bold=True, digits=True, align="left")


def _button(canvas: Canvas, words: Words, side: str, left: float, confirmed: bool) -> None:
    accent, box = canvas.theme.side(side), (left, 72.0, 58.0, 12.5)
    name = words(f"side.{side}")
    if confirmed:
        canvas.panel(box, canvas.theme.colours["raised"], radius=3.0)
        text = f"{name} {words('result.confirmed')}"
        canvas.text(text, (left + 2, 72, 54, 12.5), 6.0, accent, bold=True)
    else:
        canvas.button(box, f"{name} {words('result.confirm')}", "confirm", side, fill=accent, size=6.0)
