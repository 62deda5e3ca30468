"""How the camera hangs: its picture of the mat, and in plain words what is to be done."""

from __future__ import annotations

import numpy as np
import pygame

from table.screens import frame
from table.screens.canvas import Box, Canvas
from table.screens.frame import Button
from table.view import Calibration, Remark, TableView
from table.words import Words
from vision.errors import words as eye_words

MARKS = {"ok": "✓", "warn": "!", "bad": "×"}
SIZE, LEAST = 5.0, 4.0
LEAD = 1.28


def draw(canvas: Canvas, view: TableView, words: Words, now: float) -> None:
    """Draw the picture and beside it, or below, what it says; the worst first."""
    shown, margin = view.calibration or Calibration(), canvas.theme.margin
    colours, wide = canvas.theme.colours, canvas.width - 2 * margin
    top = frame.title(canvas, words("calibration.title"))
    close = Button(words("menu.close"), "close", None, colours["north_south"])
    low = frame.foot(canvas, [Button(words("calibration.light"), "light"), close] if shown.can_hold else [close])
    if shown.busy:
        canvas.paragraph(words("calibration.match"), (margin + 6, top, wide - 12, low - top), 6.0, colours["quiet"])
        return
    across, down = shown.size
    if canvas.theme.tall:
        high = min(wide * down / across, 56.0)
        said: Box = (margin, top + high + 3, wide, low - top - high - 3)
    else:
        high = min(low - top, 66.0 * down / across)
        said = (margin + high * across / down + 4, top, wide - high * across / down - 4, low - top)
    _picture(canvas, shown, (margin, top, high * across / down, high), words)
    _remarks(canvas, shown, words, said)


def _picture(canvas: Canvas, shown: Calibration, box: Box, words: Words) -> None:
    canvas.panel(box, canvas.theme.colours["raised"], radius=1.2)
    if not shown.picture:
        canvas.text(words("calibration.looking"), box, SIZE, canvas.theme.colours["quiet"])
        return
    px, (across, down) = canvas.theme.px, shown.size
    pixels = np.frombuffer(shown.picture, np.uint8).reshape(down, across, 3)
    surface = pygame.surfarray.make_surface(pixels[:, :, ::-1].swapaxes(0, 1))
    canvas.surface.blit(pygame.transform.smoothscale(surface, (px(box[2]), px(box[3]))), (px(box[0]), px(box[1])))


def _remarks(canvas: Canvas, shown: Calibration, words: Words, box: Box) -> None:
    """Each remark in as many lines as it needs; what is well goes when there is no room for it."""
    colours, (left, top, wide, high) = canvas.theme.colours, box
    inks = {"ok": colours["north_south"], "warn": colours["east_west"], "bad": colours["east_west"]}
    told = [(each.state, spoken(each, words)) for each in shown.remarks]
    good = all(state != "bad" for state, _ in told)
    if told:
        verdict = eye_words(words.language, "placement")["good"] if good else words("calibration.not_yet")
        canvas.text(verdict, (left, top, wide, 8.0), 6.0, inks["ok" if good else "bad"], bold=True, align="left")
        top, high = top + 9.0, high - 9.0
    if good and shown.held is not None:
        told.append(("ok", eye_words(words.language, "placement")["locked"].format(ms=shown.held)))
    size = SIZE
    while size > LEAST and sum(_lines(canvas, text, wide, size) for _, text in told) * size * LEAD > high:
        size -= 0.25
    while len(told) > 1 and sum(_lines(canvas, text, wide, size) for _, text in told) * size * LEAD > high:
        told.pop()  # the last are the least urgent
    for state, text in told:
        tall = _lines(canvas, text, wide, size) * size * LEAD
        canvas.text(MARKS[state], (left, top, 6.0, size * LEAD), size, inks[state], bold=True)
        ink = colours["text"] if state == "bad" else colours["quiet"] if state == "ok" else colours["text"]
        canvas.paragraph(_capital(text), (left + 6.5, top, wide - 6.5, tall), size, ink, align="left", least=size)
        top += tall + 0.4


def _lines(canvas: Canvas, text: str, wide: float, size: float) -> float:
    return len(canvas.wrapped(_capital(text), wide - 6.5, size)) + 0.4 / (size * LEAD)


def spoken(remark: Remark, words: Words) -> str:
    """*remark* as a sentence: seats and corners by their names."""
    told = eye_words(words.language, "placement")
    return told[remark.key].format(**{name: told.get(value, value) for name, value in remark.values})


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
