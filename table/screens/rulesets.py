"""Which rules a match is played by: one touch each."""

from __future__ import annotations

from table.screens import frame
from table.screens.canvas import Canvas
from table.screens.frame import Button
from table.view import TableView
from table.words import Words


def draw(canvas: Canvas, view: TableView, words: Words, now: float) -> None:
    """Draw the rulesets that ship."""
    colours, margin = canvas.theme.colours, canvas.theme.margin
    top = frame.title(canvas, words("rulesets.title"))
    low = frame.foot(canvas, [Button(words("menu.close"), "close")])
    columns = 2 if canvas.theme.tall else 3
    rows = -(-len(view.rulesets) // columns) or 1
    gap = 1.6
    for spot, (id, zh, en) in zip(
        frame.grid((margin, top, canvas.width - 2 * margin, low - top), columns, rows, gap), view.rulesets, strict=False
    ):
        chosen = id == view.ruleset
        name = zh if words.language == "zh" else en[:1].upper() + en[1:]
        if chosen:
            canvas.panel(spot, colours["north_south"], radius=1.8)
        else:
            canvas.panel(spot, colours["raised"], radius=1.8, outline=colours["line"])
        ink = colours["on_accent" if chosen else "text"]
        inner = (spot[0] + 2, spot[1], spot[2] - 4, spot[3])
        two = canvas.wrapped(name, inner[2], 4.4, True)
        if spot[3] >= 13.0:  # a standing screen has room for lines
            canvas.paragraph(name, (spot[0] + 0.8, spot[1], spot[2] - 1.6, spot[3]), 4.8, ink, bold=True, least=4.0)
        elif len(two) == 1:
            canvas.text(name, inner, 4.8, ink, bold=True, touched=True)
        else:
            for place, line in enumerate((two[0], canvas.cut(" ".join(two[1:]), inner[2], 4.2, True))):
                part = (inner[0], spot[1] + spot[3] / 2 + (place - 1) * 4.9, inner[2], 4.9)
                canvas.text(line, part, 4.2, ink, bold=True, touched=True)
        canvas.touch(spot, "ruleset", id)
