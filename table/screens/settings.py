"""The screen's settings, behind a code that the installation made."""

from __future__ import annotations

from dataclasses import fields

from table.screens import frame
from table.screens.canvas import Canvas
from table.screens.frame import Button
from table.settings import MOST_DIGITS
from table.view import TableView
from table.words import Words

KEYS = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "<", "0", ">")


def draw(canvas: Canvas, view: TableView, words: Words, now: float) -> None:
    """Draw the settings, or what stands before them."""
    top = frame.title(canvas, words("settings.title"))
    if view.lock == "open":
        _settings(canvas, view, words, top)
    elif view.lock == "none":
        _no_code(canvas, words, top)
    else:
        _keys(canvas, view, words, now, top)


def _settings(canvas: Canvas, view: TableView, words: Words, top: float) -> None:
    """Each setting with what it is; a touch steps on to the next."""
    colours, margin = canvas.theme.colours, canvas.theme.margin
    low = frame.foot(canvas, frame.way_back(canvas, view, words))
    names = [entry.name for entry in fields(view.settings)]
    columns = 1 if canvas.theme.tall else 2
    rows = -(-len(names) // columns)
    box = (margin, top + 1, canvas.width - 2 * margin, min(low - top - 2, rows * 16.0))
    for spot, name in zip(frame.grid(box, columns, rows), names, strict=False):
        value = getattr(view.settings, name)
        shown = words(f"settings.{'on' if value else 'off'}") if isinstance(value, bool) else None
        shown = shown or (words("settings.this_language") if name == "language" else f"{value}°")
        canvas.panel(spot, colours["raised"], radius=2.6, outline=colours["line"])
        split = spot[2] * 0.66
        canvas.text(words(f"settings.{name}"), (spot[0] + 3, spot[1], split - 4, spot[3]), 5.2, colours["text"],
                    align="left", touched=True)  # fmt: skip
        canvas.text(shown, (spot[0] + split, spot[1], spot[2] - split - 3, spot[3]), 5.2, colours["north_south"],
                    bold=True, align="right", touched=True)  # fmt: skip
        canvas.touch(spot, "set", name)


def _no_code(canvas: Canvas, words: Words, top: float) -> None:
    colours, margin = canvas.theme.colours, canvas.theme.margin
    low = frame.foot(canvas, [Button(words("menu.close"), "close", None, colours["north_south"])])
    box = (margin + 6, top, canvas.width - 2 * margin - 12, low - top)
    canvas.paragraph(words("settings.no_code"), box, 6.0, colours["quiet"])


def _keys(canvas: Canvas, view: TableView, words: Words, now: float, top: float) -> None:
    """A keypad; what was typed shows as dots."""
    colours, margin, tall = canvas.theme.colours, canvas.theme.margin, canvas.theme.tall
    low = frame.foot(canvas, [Button(words("menu.close"), "close")])
    waits = view.lock == "wait" and now < view.locked_until
    if waits:
        text = words("settings.wait", n=int(-(-(view.locked_until - now) // 1)))
    elif view.lock == "choose":
        text = words(f"settings.{view.choosing}")
    else:
        text = words("settings.wrong" if view.lock in ("wrong", "wait") and not view.entered else "settings.code")
    half = canvas.width / 2
    room = canvas.width - 2 * margin if tall else half - margin - 4
    start = top + 4 if tall else (top + low) / 2 - 14
    canvas.paragraph(text, (margin, start, room, 12), 6.0, colours["text"])
    for place in range(MOST_DIGITS):
        spot = (margin + room / 2 + (place - MOST_DIGITS / 2) * 6.4 + 1.4, start + 16, 3.6, 3.6)
        canvas.panel(spot, colours["north_south" if place < view.entered else "line"], radius=1.8)
    wide = min(canvas.width - 2 * margin, 62.0) if tall else min(60.0, half - margin)
    box = ((canvas.width - wide) / 2, start + 26, wide, 62.0) if tall else (half + 2, top, wide, low - top - 1)
    for spot, key in zip(frame.grid(box, 3, 4, 2.0), KEYS, strict=True):
        what, value, text = {"<": ("rub_out", None, words("settings.rub_out")), ">": ("enter", None, "OK")}.get(
            key, ("digit", key, key)
        )
        fill = colours["north_south"] if key == ">" and not waits else None
        ink = colours["faint"] if waits else None
        frame.put(canvas, spot, Button(text, what, value, fill, ink), size=6.5 if key.isdigit() else 5.0)
