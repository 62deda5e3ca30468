"""The start screen: which rules, what kind of table, then one tap."""

from __future__ import annotations

from engine.cards import Card
from table.screens import cards
from table.screens.canvas import Canvas
from table.screens.frame import GAP, Button, grid, put
from table.view import TableView
from table.words import Words


def draw(canvas: Canvas, view: TableView, words: Words, now: float) -> None:
    """Draw the start screen."""
    colours, sizes, margin = canvas.theme.colours, canvas.theme.sizes, canvas.theme.margin
    tall = canvas.theme.tall
    middle, wide = canvas.width / 2, canvas.width - 2 * margin
    top = 20.0 if tall else 3.0
    fan = [Card.parse(name) for name in ("SA", "HA", "CA", "DA", "HR")]
    cards.row(canvas, fan, (middle - 25, top, 50, 16), height=16, four_colours=view.four_colours)
    canvas.text(words("start.title"), (margin, top + 16.5, wide, 13), 12.0, colours["text"], bold=True)
    canvas.text(words("start.subtitle"), (margin, top + 29.5, wide, 6), sizes["small"], colours["quiet"])
    room = min(wide, 137.0)
    box = (middle - room / 2, top + (50.0 if tall else 38.0), room, 11.0)
    spots = grid((box[0], box[1], box[2], 24.4), 1, 2) if tall else grid(box, 2, 1)
    halves = grid(spots[0], 2, 1, gap=0.0)
    canvas.panel(spots[0], colours["raised"], radius=2.6, outline=colours["line"])
    for half, profile in zip(halves, ("friendly", "championship"), strict=True):
        chosen = view.profile == profile
        if chosen:
            canvas.panel((half[0] + 0.8, half[1] + 0.8, half[2] - 1.6, half[3] - 1.6), colours["line"], radius=2.0)
        canvas.text(words(f"start.{profile}"), (half[0] + 1.5, half[1], half[2] - 3, half[3]), 5.0,
                    colours["text" if chosen else "quiet"], bold=chosen, touched=True)  # fmt: skip
        canvas.touch(half, "profile", profile)
    rules = words("start.ruleset", name=ruleset_name(view, words))
    put(canvas, spots[1], Button(rules, "rulesets"), size=5.0)
    start = (middle - 28, canvas.height - margin - 27.3 - (12 if tall else 0), 56, 14.0)
    canvas.button(start, words("start.begin"), "start", fill=colours["north_south"], size=8.0)
    other = "menu.to_english" if words.language == "zh" else "menu.to_chinese"
    small = grid((middle - 41, canvas.height - margin - 10.4, 82, 10.4), 3, 1, GAP)
    buttons = (Button(words(other), "set", "language"), Button(words("menu.settings"), "settings"),
               Button(words("menu.diagnosis"), "diagnosis"))  # fmt: skip
    for spot, button in zip(small, buttons, strict=True):
        put(canvas, spot, button._replace(ink=colours["quiet"]), size=4.6)


def ruleset_name(view: TableView, words: Words) -> str:
    """The chosen ruleset in the reader's language; a file's own id where it is none of ours."""
    for id, zh, en in view.rulesets:
        if id == view.ruleset:
            return zh if words.language == "zh" else en[:1].upper() + en[1:]
    return view.ruleset
