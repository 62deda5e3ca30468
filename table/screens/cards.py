"""Small cards drawn from curves: rank and suit in the strip that stays visible when the next card covers the rest."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import pygame

from engine.cards import Card
from table.screens.canvas import CAP, Box, Canvas, font
from table.screens.shapes import SMOOTH, shrink
from table.theme import Colour, theme

Points = list[tuple[float, float]]


def row(
    canvas: Canvas, cards: Sequence[Card], box: Box, *, level: str = "", four_colours: bool = False,
    align: str = "centre", height: float | None = None, dim: bool = False,
) -> Box:  # fmt: skip
    """Cards as they lie, left to right, later over earlier, inside *box*; returns the box they take.

    Many cards lie closer together.
    """
    tall = min(height or canvas.theme.sizes["card_height"], box[3])
    wide = tall * canvas.theme.sizes["card_ratio"]
    strip = canvas.theme.sizes["card_strip"] * tall / canvas.theme.sizes["card_height"]
    count = len(cards)
    step = 0.0 if count < 2 else min(strip, (box[2] - wide) / (count - 1))
    total = wide + (count - 1) * step
    left = box[0] + {"left": 0.0, "centre": (box[2] - total) / 2, "right": box[2] - total}[align]
    top = box[1] + (box[3] - tall) / 2
    for place, card in enumerate(cards):
        # Where many cards lie close, ranks grow narrow with the strips that show them.
        seen = strip if place == count - 1 else step
        face = _card(card, canvas.theme.px(tall), four_colours, card.is_wild(level), dim, canvas.theme.px(seen))
        canvas.surface.blit(face, (canvas.theme.px(left + place * step), canvas.theme.px(top)))
    return left, top, total, tall


@lru_cache(maxsize=600)
def _card(card: Card, height: int, four_colours: bool, wild: bool, dim: bool, strip: int) -> pygame.Surface:
    look = theme()
    big_height = height * SMOOTH
    big_width = round(big_height * look.sizes["card_ratio"])
    paper, edge = look.colours["card"], look.colours["card_edge"]
    shape = pygame.Surface((big_width, big_height), pygame.SRCALPHA)
    shape.fill((*edge, 0))
    radius = round(big_height * 0.075)
    rect = shape.get_rect()
    pygame.draw.rect(shape, paper, rect, border_radius=radius)
    if wild:
        pygame.draw.rect(shape, look.colours["wild"], rect, round(big_height * 0.032), border_radius=radius)
    else:
        pygame.draw.rect(shape, edge, rect, max(SMOOTH, round(big_height * 0.01)), border_radius=radius)
    ink = look.suit("H" if card.name == "HR" else card.suit, four_colours)
    if card.is_joker:
        _joker(shape, card, ink, strip * SMOOTH)
    else:
        _pips(shape, card, ink, strip * SMOOTH)
    small = pygame.transform.smoothscale(shape, (big_width // SMOOTH, height))
    if dim:
        veil = pygame.Surface(small.get_size(), pygame.SRCALPHA)
        veil.fill((150, 150, 150, 255))
        small.blit(veil, (0, 0), special_flags=pygame.BLEND_RGBA_MULT)
    return small


def _pips(shape: pygame.Surface, card: Card, ink: Colour, strip: int) -> None:
    width, height = shape.get_size()
    text = "10" if card.rank == "T" else card.rank
    size = height * 0.40 / CAP
    rank, _ = font(True).render(text, ink, size=size)
    most = strip * 0.88
    if rank.get_width() > most:
        rank = pygame.transform.smoothscale(rank, (round(most), rank.get_height()))
    middle = strip * 0.53
    top = height * 0.075
    shape.blit(rank, (round(middle - rank.get_width() / 2), round(top)))
    pip = strip * 0.64
    _suit(shape, card.suit, middle, top + height * 0.40 + height * 0.07 + pip / 2, pip, ink)
    # The rest of the face shows on the last card alone: the suit once more, large and calm.
    _suit(shape, card.suit, strip + (width - strip) * 0.44, height * 0.74, (width - strip) * 0.82, ink)


def _joker(shape: pygame.Surface, card: Card, ink: Colour, strip: int) -> None:
    width, height = shape.get_size()
    letter = height * 0.145
    for place, text in enumerate("JOKER"):
        glyph, _ = font(True).render(text, ink, size=letter / CAP)
        shape.blit(glyph, (round(strip * 0.5 - glyph.get_width() / 2), round(height * 0.075 + place * letter * 1.19)))
    middle = strip + (width - strip) * 0.44
    reach = (width - strip) * 0.46
    points = _star(middle, height * 0.5, reach)
    pygame.draw.polygon(shape, ink, points)
    if card.name == "SB":  # hollow for the small one: colour is never the only sign
        paper = theme().colours["card"]
        pygame.draw.polygon(shape, paper, _star(middle, height * 0.5, reach * 0.62))


def _star(x: float, y: float, reach: float) -> Points:
    return [
        (
            x + (reach if corner % 2 == 0 else reach * 0.45) * math.sin(math.pi * corner / 5),
            y - (reach if corner % 2 == 0 else reach * 0.45) * math.cos(math.pi * corner / 5),
        )
        for corner in range(10)
    ]


def _curve(start: tuple[float, float], *parts: tuple[float, float, float, float, float, float]) -> Points:
    """A closed outline from cubic curves, 24 points each."""
    points = [start]
    at = start
    for x1, y1, x2, y2, x3, y3 in parts:
        for step in range(1, 25):
            t = step / 24
            u = 1 - t
            points.append((
                u**3 * at[0] + 3 * u * u * t * x1 + 3 * u * t * t * x2 + t**3 * x3,
                u**3 * at[1] + 3 * u * u * t * y1 + 3 * u * t * t * y2 + t**3 * y3,
            ))  # fmt: skip
        at = (x3, y3)
    return points


def _mirrored(*parts: tuple[float, float, float, float, float, float], top: tuple[float, float]) -> Points:
    right = _curve(top, *parts)
    return right + [(-x, y) for x, y in reversed(right)]


_HEART = _mirrored(
    (0.10, -0.52, 0.50, -0.52, 0.50, -0.14), (0.50, 0.12, 0.16, 0.26, 0.0, 0.50), top=(0.0, -0.26)
)  # fmt: skip
_BLADE = _mirrored((0.12, -0.26, 0.50, -0.10, 0.50, 0.16), (0.50, 0.44, 0.12, 0.46, 0.0, 0.20), top=(0.0, -0.50))
_STEM = _mirrored((0.02, 0.34, 0.08, 0.46, 0.20, 0.50), top=(0.0, 0.10))
_DIAMOND = _mirrored((0.10, -0.28, 0.22, -0.12, 0.38, 0.0), (0.22, 0.12, 0.10, 0.28, 0.0, 0.50), top=(0.0, -0.50))


def _suit(shape: pygame.Surface, suit: str, x: float, y: float, size: float, ink: Colour) -> None:
    def placed(points: Points) -> Points:
        return [(x + px * size, y + py * size) for px, py in points]

    if suit == "H":
        pygame.draw.polygon(shape, ink, placed(_HEART))
    elif suit == "D":
        pygame.draw.polygon(shape, ink, placed(_DIAMOND))
    elif suit == "S":
        pygame.draw.polygon(shape, ink, placed(_BLADE))
        pygame.draw.polygon(shape, ink, placed(_STEM))
    else:
        for cx, cy in ((0.0, -0.25), (-0.25, 0.11), (0.25, 0.11)):
            pygame.draw.circle(shape, ink, (x + cx * size, y + cy * size), 0.245 * size)
        pygame.draw.circle(shape, ink, (x, y), 0.14 * size)
        pygame.draw.polygon(shape, ink, placed(_STEM))


def face(canvas: Canvas, card: Card, box: Box, *, four_colours: bool = False, fill: Colour | None = None,
         level: str = "") -> None:  # fmt: skip
    """A card as a small plate to touch: rank and suit side by side, a joker by its star."""
    look = canvas.theme
    paper = fill or look.colours["card"]
    canvas.panel(box, paper, radius=1.4)
    if card.is_wild(level):
        canvas.frame(box, look.colours["wild"], radius=1.4, thick=0.6)
    left, top, width, height = box
    ink = look.suit("H" if card.name == "HR" else card.suit, four_colours)
    size = look.px(min(width * 0.42, height * 0.46))
    mark = _mark(card, size, ink)
    if card.is_joker:
        spot = (left + (width - size / look.px_per_mm) / 2, top + (height - size / look.px_per_mm) / 2)
        canvas.surface.blit(mark, (look.px(spot[0]), look.px(spot[1])))
        return
    text = "10" if card.rank == "T" else card.rank
    canvas.text(text, (left + width * 0.04, top, width * 0.50, height), min(6.4, height * 0.62), ink, bold=True,
                touched=True)  # fmt: skip
    at = (left + width * 0.54, top + (height - size / look.px_per_mm) / 2)
    canvas.surface.blit(mark, (look.px(at[0]), look.px(at[1])))


def pip(canvas: Canvas, suit: str, box: Box, ink: Colour) -> None:
    """A suit's sign in the middle of *box*."""
    look = canvas.theme
    size = look.px(min(box[2] * 0.8, box[3] * 0.6))
    middle = look.px(box[0] + box[2] / 2), look.px(box[1] + box[3] / 2)
    canvas.surface.blit(_mark(Card.parse(suit + "A"), size, ink), (middle[0] - size // 2, middle[1] - size // 2))


@lru_cache(maxsize=300)
def _mark(card: Card, size: int, ink: Colour) -> pygame.Surface:
    big = size * SMOOTH
    shape = pygame.Surface((big, big), pygame.SRCALPHA)
    shape.fill((*ink, 0))
    if card.is_joker:
        pygame.draw.polygon(shape, ink, _star(big / 2, big / 2, big / 2))
        if card.name == "SB":
            pygame.draw.polygon(shape, theme().colours["card"], _star(big / 2, big / 2, big * 0.31))
    else:
        _suit(shape, card.suit, big / 2, big / 2, big * 0.94, ink)
    return shrink(shape)
