"""The match's result, signed by both sides."""

from __future__ import annotations

from table.screens.canvas import Canvas
from table.view import TableView
from table.words import Words


def draw(canvas: Canvas, view: TableView, words: Words, now: float) -> None:
    """Draw the result of the match."""
    result = view.match_result or {}
    colours, sizes, wide = canvas.theme.colours, canvas.theme.sizes, canvas.width
    winner = result.get("winner")
    accent = canvas.theme.side(winner) if winner else colours["text"]
    canvas.text(words("result.match"), (10, 5, wide - 20, 7), sizes["small"], colours["quiet"])
    head = words("result.winner", side=words(f"side.{winner}")) if winner else words("result.draw")
    canvas.text(head, (8, 13, wide - 16, 18), 15.0, accent, bold=True)
    half = wide / 2
    for side, left in (("NS", 0.0), ("EW", half)):
        own = canvas.theme.side(side)
        canvas.text(words(f"side.{side}"), (left, 35, half, 8), 7.0, own, bold=True)
        won = side == winner and result.get("past_A")
        level = words("result.over") if won else words.rank(view.levels[side])
        canvas.text(level, (left, 44, half, 16), 12.0, own if side == winner else colours["quiet"], bold=True,
                    digits=True)  # fmt: skip
        box = (half - 60 if side == "NS" else half + 2, 71.5, 58.0, 12.5)
        name = words(f"side.{side}")
        if side in view.signed:
            canvas.panel(box, colours["raised"], radius=3.0)
            text = f"{name} {words('result.signed')}"
            canvas.text(text, (box[0] + 2, box[1], box[2] - 4, box[3]), 6.0, own, bold=True)
        else:
            canvas.button(box, f"{name} {words('result.sign')}", "confirm", side, fill=own, size=6.0)
    canvas.text(words("result.deals", n=view.deal), (10, 62.5, wide - 20, 6), sizes["small"], colours["quiet"])
    if view.signed == frozenset(("NS", "EW")):
        canvas.button((half - 26, 71.5, 52, 12.5), words("result.next_match"), "next_match",
                      fill=colours["north_south"], size=6.0)  # fmt: skip
