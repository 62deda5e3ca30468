"""A surface laid out in millimetres: text that never leaves its box, soft shapes, and places to touch."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pygame
import pygame.freetype

from table.theme import ASSETS, Colour, Theme

Box = tuple[float, float, float, float]
"""x, y, width, height in millimetres."""

CAP = 0.733
"""Height of a capital or a digit as a share of the type size, in the face that ships."""
SMOOTH = 4
"""Shapes are drawn this much larger and shrunk, which rounds their edges."""


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


@cache
def _lettering(text: str, pixels: int, colour: Colour, bold: bool) -> tuple[pygame.Surface, int, int]:
    """A line of text, its left bearing and its baseline inside the surface."""
    surface, rect = font(bold).render(text, colour, size=pixels)
    return surface, rect.x, rect.y


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
        return float(font(bold).get_rect(text, size=self.theme.px(size)).width) / self.theme.px_per_mm

    def cut(self, text: str, width: float, size: float) -> str:
        """*text*, or as much of it as fits into *width* at *size*, with an ellipsis."""
        if self.measure(text, size) <= width:
            return text
        while text and self.measure(text + "…", size) > width:
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
    ) -> Box:
        """One line inside *box*, smaller if it would not fit; returns where its ink is.

        *size* is the type size; with *digits* it is the height of the numerals themselves. Vertically the line
        stands on the middle of the box by its capitals, so that lines beside each other share a baseline.
        """  # fmt: skip
        if not text:
            return (box[0], box[1], 0.0, 0.0)
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
        self.written.append(Written(text, ink, box, pixels / px))
        return ink

    # -- shapes ---------------------------------------------------------------------------------------------------

    def panel(self, box: Box, colour: Colour, radius: float = 2.0, outline: Colour | None = None) -> None:
        """A filled box with round corners."""
        left, top, width, height = self._pixels(box)
        shape = _rounded(width, height, self.theme.px(radius), colour, outline, self.theme.px(0.3) if outline else 0)
        self.surface.blit(shape, (left, top))

    def frame(self, box: Box, colour: Colour, radius: float = 2.0, thick: float | None = None) -> None:
        """An outline with round corners."""
        left, top, width, height = self._pixels(box)
        weight = max(1, self.theme.px(thick or self.theme.sizes["outline"]))
        self.surface.blit(_rounded(width, height, self.theme.px(radius), None, colour, weight), (left, top))

    def dashes(self, box: Box, colour: Colour, radius: float = 2.0, dash: float = 2.2) -> None:
        """A dashed outline: what is inside is not sure yet."""
        left, top, width, height = self._pixels(box)
        thick = max(2, self.theme.px(self.theme.sizes["outline"]))
        shape = _dashed(width, height, self.theme.px(radius), colour, thick, self.theme.px(dash))
        self.surface.blit(shape, (left, top))

    def ring(self, x: float, y: float, radius: float, share: float, colour: Colour, thick: float = 1.4) -> None:
        """A ring of which *share* (0 to 1) is lit, from the top clockwise; the rest is a hairline."""
        span = self.theme.px(radius)
        shape = _arc(span, round(share * 360), colour, self.theme.colours["line"], self.theme.px(thick))
        self.surface.blit(shape, (self.theme.px(x) - span, self.theme.px(y) - span))

    def pointer(self, x: float, y: float, seat: str, size: float, colour: Colour) -> None:
        """A small arrowhead that points towards a seat."""
        turn = {"N": -90, "E": 0, "S": 90, "W": 180}[seat]
        shape = _arrow(self.theme.px(size), turn, colour)
        self.surface.blit(
            shape, (self.theme.px(x) - shape.get_width() // 2, self.theme.px(y) - shape.get_height() // 2)
        )

    def glow(self, seat: str, colour: Colour, strength: float = 1.0) -> None:
        """Light along the screen's edge at a seat, as from a lamp at the table's edge."""
        deep = self.theme.px(self.theme.sizes["glow"])
        shape = _edge(self.theme.width, self.theme.height, seat, colour, deep, round(strength * 16))
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
        inner = (box[0] + 1.6, box[1], box[2] - 3.2, box[3])
        self.text(text, inner, size, ink or (colours["on_accent"] if fill else colours["text"]), bold=bold)
        self.touch(box, what, value)

    def touch(self, box: Box, what: str, value: Any = None) -> None:
        """Make *box* a place to touch, grown to a finger's size where it is smaller."""
        least = self.theme.sizes["target"]
        grow_x, grow_y = max(0.0, least - box[2]) / 2, max(0.0, least - box[3]) / 2
        grown = (box[0] - grow_x, box[1] - grow_y, box[2] + 2 * grow_x, box[3] + 2 * grow_y)
        self.targets.append(Target(grown, what, value))

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


# -- shapes in pixels, made once ----------------------------------------------------------------------------------


def _shrink(shape: pygame.Surface) -> pygame.Surface:
    return pygame.transform.smoothscale(shape, (shape.get_width() // SMOOTH, shape.get_height() // SMOOTH))


@cache
def _rounded(
    width: int, height: int, radius: int, fill: Colour | None, outline: Colour | None, thick: int
) -> pygame.Surface:
    shape = pygame.Surface((width * SMOOTH, height * SMOOTH), pygame.SRCALPHA)
    # Transparent pixels carry the colour too, or shrinking would darken the edge.
    shape.fill((*(fill or outline or (0, 0, 0)), 0))
    rect = shape.get_rect()
    if fill:
        pygame.draw.rect(shape, fill, rect, border_radius=radius * SMOOTH)
    if outline:
        pygame.draw.rect(shape, outline, rect, width=max(1, thick * SMOOTH), border_radius=radius * SMOOTH)
    return _shrink(shape)


@cache
def _dashed(width: int, height: int, radius: int, colour: Colour, thick: int, dash: int) -> pygame.Surface:
    shape = pygame.Surface((width * SMOOTH, height * SMOOTH), pygame.SRCALPHA)
    shape.fill((*colour, 0))
    path = _around(width - thick, height - thick, radius)
    count = max(4, round(len(path) / dash / 2))
    for place, (x, y) in enumerate(path):
        if (place * count * 2 // len(path)) % 2 == 0:
            spot = ((x + thick / 2) * SMOOTH, (y + thick / 2) * SMOOTH)
            pygame.draw.circle(shape, colour, spot, thick * SMOOTH / 2)
    return _shrink(shape)


def _around(width: int, height: int, radius: int) -> list[tuple[float, float]]:
    """Points a pixel apart round a box with round corners, from the middle of its top."""
    corners = ((width - radius, radius, -90), (width - radius, height - radius, 0), (radius, height - radius, 90),
               (radius, radius, 180))  # fmt: skip
    path: list[tuple[float, float]] = []
    at = (width / 2, 0.0)
    for x, y, start in corners:
        turn = [
            (x + radius * math.cos(math.radians(start + step)), y + radius * math.sin(math.radians(start + step)))
            for step in range(0, 91, 6)
        ]
        for spot in turn:
            path.extend(_between(at, spot))
            at = spot
    path.extend(_between(at, (width / 2, 0.0)))
    return path


def _between(start: tuple[float, float], end: tuple[float, float]) -> list[tuple[float, float]]:
    steps = max(1, round(math.dist(start, end)))
    return [
        (start[0] + (end[0] - start[0]) * n / steps, start[1] + (end[1] - start[1]) * n / steps) for n in range(steps)
    ]


@cache
def _arc(radius: int, degrees: int, colour: Colour, rest: Colour, thick: int) -> pygame.Surface:
    big = radius * 2 * SMOOTH
    shape = pygame.Surface((big, big), pygame.SRCALPHA)
    shape.fill((*rest, 0))
    middle, outer = big / 2, big / 2 - SMOOTH
    weight = thick * SMOOTH
    pygame.draw.circle(shape, rest, (middle, middle), outer - weight / 3, width=max(SMOOTH, weight // 3))
    for step in range(degrees * 2):
        angle = math.radians(step / 2 - 90)
        spot = (middle + (outer - weight / 2) * math.cos(angle), middle + (outer - weight / 2) * math.sin(angle))
        pygame.draw.circle(shape, colour, spot, weight / 2)
    return _shrink(shape)


@cache
def _arrow(size: int, turn: int, colour: Colour) -> pygame.Surface:
    big = size * SMOOTH
    shape = pygame.Surface((big, big), pygame.SRCALPHA)
    shape.fill((*colour, 0))
    angle = math.radians(turn)
    points = []
    for along, across in ((0.5, 0.0), (-0.32, 0.46), (-0.32, -0.46)):
        x = along * math.cos(angle) - across * math.sin(angle)
        y = along * math.sin(angle) + across * math.cos(angle)
        points.append((big / 2 + x * big, big / 2 + y * big))
    pygame.draw.polygon(shape, colour, points)
    return _shrink(shape)


@cache
def _edge(width: int, height: int, seat: str, colour: Colour, deep: int, strength: int) -> pygame.Surface:
    flat = seat in "NS"
    shape = pygame.Surface((width, deep) if flat else (deep, height))
    length = width if flat else height
    for depth in range(deep):
        fall = (1 - depth / deep) ** 2.4 * strength / 16 * 0.62
        line = tuple(round(part * fall) for part in colour)
        at = depth if seat in "NW" else deep - 1 - depth
        if flat:
            pygame.draw.line(shape, line, (0, at), (length, at))
        else:
            pygame.draw.line(shape, line, (at, 0), (at, length))
    # The light is strongest before the player and gone at the corners.
    mask = pygame.Surface(shape.get_size())
    for along in range(length):
        share = math.sin(math.pi * (along + 0.5) / length) ** 1.5
        grey = (round(255 * share),) * 3
        ends = ((along, 0), (along, deep)) if flat else ((0, along), (deep, along))
        pygame.draw.line(mask, grey, *ends)
    shape.blit(mask, (0, 0), special_flags=pygame.BLEND_RGB_MULT)
    return shape
