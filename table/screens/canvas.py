"""A surface laid out in millimetres: text that never leaves its box, soft shapes, and places to touch."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import pygame
import pygame.freetype

from table.screens import shapes
from table.theme import ASSETS, Colour, Theme

Box = tuple[float, float, float, float]
"""x, y, width, height in millimetres."""

CAP = 0.733
"""Height of a capital or a digit as a share of the type size, in the face that ships."""


def _face(name: str) -> Path:
    found = sorted((ASSETS / "fonts").glob(f"*{name}.[ot]tf"))
    if not found:
        raise FileNotFoundError(f"{ASSETS / 'fonts'} holds no {name} typeface: the installation is incomplete")
    return found[0]


@cache
def font(bold: bool = False) -> pygame.freetype.Font:
    """The typeface that ships, in one of two weights."""
    pygame.freetype.init()
    loaded = pygame.freetype.Font(str(_face("Bold" if bold else "Regular")))
    loaded.kerning = True
    return loaded


def has_glyphs(text: str) -> bool:
    """Whether both weights have a glyph for every character of *text*."""
    return all(None not in font(bold).get_metrics(text, size=24) for bold in (False, True) if text)


PLAIN = {"Ł": "L", "ł": "l", "Đ": "D", "đ": "d", "ø": "o", "Ø": "O", "ı": "i"}
"""Letters that no accent was taken off from."""


@lru_cache(maxsize=600)
def legible(text: str) -> str:
    """*text*, a guest's name it may be, with what the face lacks written plainly (Ś as S), or as a box."""
    found = []
    for sign, metrics in zip(text, font().get_metrics(text, size=24), strict=True):
        if metrics is None:
            sign = PLAIN.get(sign) or unicodedata.normalize("NFKD", sign)[0]
            sign = sign if has_glyphs(sign) else "□"
        found.append(sign)
    return "".join(found)


@lru_cache(maxsize=600)
def _lettering(text: str, pixels: int, colour: Colour, bold: bool) -> tuple[pygame.Surface, int, int]:
    """A line of text, its left bearing and its baseline inside the surface."""
    surface, rect = font(bold).render(text, colour, size=pixels)
    return surface, rect.x, rect.y


def _words(text: str) -> Iterator[str]:
    """The pieces between which a line may break."""
    word = ""
    for sign in text:
        if sign in "，。；：？！、）」』”…·,.;:?!)":
            word += sign
        elif sign == " " or ord(sign) < 0x2E80:
            if word and (word[-1] == " " or ord(word[-1]) >= 0x2E80):
                yield word
                word = ""
            word += sign
        else:
            if word:
                yield word
            word = sign
    if word:
        yield word


@dataclass(frozen=True)
class Target:
    """A place to touch: what it means and where it is (millimetres)."""

    box: Box
    what: str
    value: Any = None

    def holds(self, x: float, y: float) -> bool:
        left, top, width, height = self.box
        return left <= x <= left + width and top <= y <= top + height


@dataclass(frozen=True)
class Written:
    """A text as it was drawn, for the tests: where its ink is and the box it was given."""

    text: str
    ink: Box
    box: Box
    size: float
    touched: bool = False
    """Whether it stands on something to touch: one person at the glass reads that."""


TURNED = {"S": 0, "N": 180, "W": -90, "E": 90}
"""Degrees anticlockwise by which what a seat reads is turned."""


class Canvas:
    """A logical surface of the theme's size; every length that goes in is in millimetres."""

    def __init__(self, theme: Theme, surface: pygame.Surface | None = None) -> None:
        self.theme = theme
        self.surface = surface if surface is not None else pygame.Surface((theme.width, theme.height))
        self.targets: list[Target] = []
        self.written: list[Written] = []
        self.moving = False
        """Set by whatever is still in motion: the next frame must be drawn."""

    @property
    def width(self) -> float:
        return self.theme.width_mm

    @property
    def height(self) -> float:
        return self.theme.height_mm

    def begin(self) -> None:
        """A fresh screen on the ground colour."""
        self.targets, self.written, self.moving = [], [], False
        self.surface.fill(self.theme.colours["ground"])

    def hit(self, x: float, y: float) -> Target | None:
        """The topmost target at a place, if any."""
        return next((target for target in reversed(self.targets) if target.holds(x, y)), None)

    # -- text -----------------------------------------------------------------------------------------------------

    def measure(self, text: str, size: float, bold: bool = False) -> float:
        """Width of a line in millimetres at a type size in millimetres."""
        text = legible(text)
        return float(font(bold).get_rect(text, size=self.theme.px(size)).width) / self.theme.px_per_mm

    def wrapped(self, text: str, width: float, size: float, bold: bool = False) -> list[str]:
        """*text* on as many lines as it needs: broken at spaces, between hanzi, and never before a closing mark."""
        lines, line = [], ""
        for word in _words(text):
            if line and self.measure((line + word).rstrip(), size, bold) > width:
                lines.append(line.rstrip())
                line = word.lstrip()
            else:
                line += word
        return [*lines, line.rstrip()] if line.strip() else lines

    def paragraph(
        self, text: str, box: Box, size: float, colour: Colour, *, bold: bool = False, align: str = "centre",
        least: float = 4.0,
    ) -> None:  # fmt: skip
        """*text* on several lines inside *box*, smaller if it would not fit; what does not fit at *least* is cut."""
        lead = 1.28
        while True:
            lines = self.wrapped(text, box[2], size, bold)
            room = max(1, int(box[3] / (size * lead) + 0.02))
            if len(lines) <= room or size - 0.5 < least:
                break
            size -= 0.5
        if len(lines) > room:
            lines = [*lines[: room - 1], self.cut(lines[room - 1] + "…", box[2], size)]
        top = box[1] + (box[3] - len(lines) * size * lead) / 2
        for place, line in enumerate(lines):
            self.text(line, (box[0], top + place * size * lead, box[2], size * lead), size, colour, bold=bold,
                      align=align)  # fmt: skip

    def cut(self, text: str, width: float, size: float, bold: bool = False) -> str:
        """*text*, or as much of it as fits into *width* at *size*, with an ellipsis."""
        if self.measure(text, size, bold) <= width:
            return text
        while text and self.measure(text + "…", size, bold) > width:
            text = text[:-1]
        return text + "…"

    def text(
        self,
        text: str,
        box: Box,
        size: float,
        colour: Colour,
        *,
        bold: bool = False,
        align: str = "centre",
        digits: bool = False,
        touched: bool = False,
    ) -> Box:
        """One line inside *box*, smaller if it would not fit; returns where its ink is.

        *size* is the type size; with *digits* it is the height of the numerals themselves. Vertically the line
        stands on the middle of the box by its capitals, so that lines beside each other share a baseline.
        """  # fmt: skip
        if not text:
            return (box[0], box[1], 0.0, 0.0)
        text = legible(text)
        size = size / CAP if digits else size
        wide = self.measure(text, size, bold)
        if wide > box[2]:
            size *= box[2] / wide
        pixels = max(6, self.theme.px(size))
        while pixels > 6 and font(bold).get_rect(text, size=pixels).width > self.theme.px(box[2]):
            pixels -= 1
        surface, _, rise = _lettering(text, pixels, colour, bold)
        px = self.theme.px_per_mm
        slack = box[2] * px - surface.get_width()
        left = box[0] * px + {"left": 0.0, "centre": slack / 2, "right": slack}[align]
        # Hanzi hang a little below the baseline: centre what is the body of the line, not each word's own ink.
        baseline = (box[1] + box[3] / 2) * px + pixels * CAP / 2
        top = baseline - rise
        self.surface.blit(surface, (round(left), round(top)))
        ink = (left / px, top / px, surface.get_width() / px, surface.get_height() / px)
        self.written.append(Written(text, ink, box, pixels / px, touched))
        return ink

    # -- shapes ---------------------------------------------------------------------------------------------------

    def panel(self, box: Box, colour: Colour, radius: float = 2.0, outline: Colour | None = None) -> None:
        """A filled box with round corners."""
        left, top, width, height = self._pixels(box)
        shape = shapes.rounded(
            width, height, self.theme.px(radius), colour, outline, self.theme.px(0.3) if outline else 0
        )
        self.surface.blit(shape, (left, top))

    def frame(self, box: Box, colour: Colour, radius: float = 2.0, thick: float | None = None) -> None:
        """An outline with round corners."""
        left, top, width, height = self._pixels(box)
        weight = max(1, self.theme.px(thick or self.theme.sizes["outline"]))
        self.surface.blit(shapes.rounded(width, height, self.theme.px(radius), None, colour, weight), (left, top))

    def dashes(self, box: Box, colour: Colour, radius: float = 2.0, dash: float = 2.2) -> None:
        """A dashed outline: what is inside is not sure yet."""
        left, top, width, height = self._pixels(box)
        thick = max(2, self.theme.px(self.theme.sizes["outline"]))
        shape = shapes.dashed(width, height, self.theme.px(radius), colour, thick, self.theme.px(dash))
        self.surface.blit(shape, (left, top))

    def ring(self, x: float, y: float, radius: float, share: float, colour: Colour, thick: float = 1.4) -> None:
        """A ring of which *share* (0 to 1) is lit, from the top clockwise; the rest is a hairline."""
        span = self.theme.px(radius)
        shape = shapes.arc(span, round(share * 360), colour, self.theme.colours["line"], self.theme.px(thick))
        self.surface.blit(shape, (self.theme.px(x) - span, self.theme.px(y) - span))

    def pointer(self, x: float, y: float, seat: str, size: float, colour: Colour) -> None:
        """A small arrowhead that points towards a seat."""
        turn = {"N": -90, "E": 0, "S": 90, "W": 180}[seat]
        shape = shapes.arrow(self.theme.px(size), turn, colour)
        self.surface.blit(
            shape, (self.theme.px(x) - shape.get_width() // 2, self.theme.px(y) - shape.get_height() // 2)
        )

    def glow(self, seat: str, colour: Colour, strength: float = 1.0) -> None:
        """Light along the screen's edge at a seat, as from a lamp at the table's edge."""
        deep = self.theme.px(self.theme.sizes["glow"])
        shape = shapes.edge(self.theme.width, self.theme.height, seat, colour, deep, round(strength * 16))
        place = {
            "N": (0, 0), "W": (0, 0), "S": (0, self.theme.height - deep), "E": (self.theme.width - deep, 0),
        }[seat]  # fmt: skip
        self.surface.blit(shape, place, special_flags=pygame.BLEND_RGB_ADD)

    def button(
        self, box: Box, text: str, what: str, value: Any = None, *, fill: Colour | None = None,
        ink: Colour | None = None, size: float = 5.5, bold: bool = True,
    ) -> None:  # fmt: skip
        """Something to touch, never smaller than a finger."""
        colours = self.theme.colours
        self.panel(box, fill or colours["raised"], radius=box[3] * 0.24, outline=None if fill else colours["line"])
        edge = min(1.6, box[2] * 0.06)
        inner = (box[0] + edge, box[1], box[2] - 2 * edge, box[3])
        self.text(
            text, inner, size, ink or (colours["on_accent"] if fill else colours["text"]), bold=bold, touched=True
        )
        self.touch(box, what, value)

    def touch(self, box: Box, what: str, value: Any = None) -> None:
        """Make *box* a place to touch, grown to a finger's size where it is smaller."""
        least = self.theme.sizes["target"]
        grow_x, grow_y = max(0.0, least - box[2]) / 2, max(0.0, least - box[3]) / 2
        grown = (box[0] - grow_x, box[1] - grow_y, box[2] + 2 * grow_x, box[3] + 2 * grow_y)
        self.targets.append(Target(grown, what, value))

    @contextmanager
    def turned(self, box: Box, seat: str) -> Iterator[Canvas]:
        """A canvas of its own for *box*, upright for whoever sits at *seat*."""
        across = seat in "EW"
        wide, high = (box[3], box[2]) if across else (box[2], box[3])
        look = replace(self.theme, width=self.theme.px(wide), height=self.theme.px(high))
        part = Canvas(look, pygame.Surface((look.width, look.height), pygame.SRCALPHA))
        yield part
        self.moving |= part.moving
        self.surface.blit(
            pygame.transform.rotate(part.surface, TURNED[seat]), (self.theme.px(box[0]), self.theme.px(box[1]))
        )

        def placed(inner: Box) -> Box:
            x, y, w, h = inner
            if seat == "N":
                x, y = wide - x - w, high - y - h
            elif seat == "W":
                x, y, w, h = high - y - h, x, h, w
            elif seat == "E":
                x, y, w, h = y, wide - x - w, h, w
            return box[0] + x, box[1] + y, w, h

        self.targets += [replace(each, box=placed(each.box)) for each in part.targets]
        self.written += [replace(each, ink=placed(each.ink), box=placed(each.box)) for each in part.written]

    @contextmanager
    def faded(self, alpha: float) -> Iterator[None]:
        """Draw what follows at part strength (0 to 1) over what is there."""
        if alpha >= 1:
            yield
            return
        whole, self.surface = self.surface, self.surface.copy()
        yield
        layer, self.surface = self.surface, whole
        layer.set_alpha(round(255 * max(0.0, alpha)))
        self.surface.blit(layer, (0, 0))

    def _pixels(self, box: Box) -> tuple[int, int, int, int]:
        px = self.theme.px_per_mm
        left, top = round(box[0] * px), round(box[1] * px)
        return left, top, round((box[0] + box[2]) * px) - left, round((box[1] + box[3]) * px) - top
