"""Soft shapes in pixels, each made once: round corners, dashes, rings, arrowheads, light along an edge."""

from __future__ import annotations

import math
from functools import lru_cache

import pygame

from table.theme import Colour

SMOOTH = 4
"""Shapes are drawn this much larger and shrunk, which rounds their edges."""
KEPT = 160
"""Shapes of a kind that are kept: a screen needs a few dozen, a ring one for each degree it shows."""


def shrink(shape: pygame.Surface) -> pygame.Surface:
    return pygame.transform.smoothscale(shape, (shape.get_width() // SMOOTH, shape.get_height() // SMOOTH))


@lru_cache(maxsize=KEPT)
def rounded(
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
    return shrink(shape)


@lru_cache(maxsize=KEPT)
def dashed(width: int, height: int, radius: int, colour: Colour, thick: int, dash: int) -> pygame.Surface:
    shape = pygame.Surface((width * SMOOTH, height * SMOOTH), pygame.SRCALPHA)
    shape.fill((*colour, 0))
    path = _around(width - thick, height - thick, radius)
    count = max(4, round(len(path) / dash / 2))
    for place, (x, y) in enumerate(path):
        if (place * count * 2 // len(path)) % 2 == 0:
            spot = ((x + thick / 2) * SMOOTH, (y + thick / 2) * SMOOTH)
            pygame.draw.circle(shape, colour, spot, thick * SMOOTH / 2)
    return shrink(shape)


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


@lru_cache(maxsize=KEPT)
def arc(radius: int, degrees: int, colour: Colour, rest: Colour, thick: int) -> pygame.Surface:
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
    return shrink(shape)


@lru_cache(maxsize=KEPT)
def arrow(size: int, turn: int, colour: Colour) -> pygame.Surface:
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
    return shrink(shape)


@lru_cache(maxsize=KEPT)
def edge(width: int, height: int, seat: str, colour: Colour, deep: int, strength: int) -> pygame.Surface:
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
