"""Joker indices of every common kind, for drawn training decks."""

from __future__ import annotations

import cv2
import numpy as np

from simulator.art import Pixels
from simulator.art.fonts import chinese_fonts, index_fonts, text_mask
from simulator.art.glyphs import fitted, star_mask

Rng = np.random.Generator
Colour = tuple[int, int, int]

KINDS = 16
SHARES = (0.07, 0.08, 0.06, 0.07, 0.08, 0.08, 0.08, 0.04, 0.04, 0.06, 0.05, 0.05, 0.06, 0.04, 0.07, 0.07)
"""How often each kind is drawn."""


def joker_index(
    rng: Rng, kind: int, red: bool, font: str, rank_mm: float, suit_mm: float, scale: float
) -> tuple[Pixels, Colour | None]:
    """The mask of a joker's corner index, and its colour where the kind has one of its own.

    Kinds: JOKER downwards (0-3, upright letters or turned), across (4), monogram (5), star (6), star in a disc (7),
    face (8), 大王 and 小王 downwards (9, 10), star over JOKER (11), J over a star (12), JOKER over a face (13),
    大王 and 小王 across (14), a crown over JOKER (15).
    """
    if rng.random() < 0.5:
        font = index_fonts()[int(rng.integers(len(index_fonts())))]
    word = str(rng.choice(["JOKER", "JOKER", "JOKER", "Joker", "JOLLY"]))
    letter_mm = rank_mm * rng.uniform(0.32, 0.62)
    if kind <= 2:
        mask = _downwards(font, word, letter_mm, rng.uniform(0.1, 0.35), scale, rng.uniform(0.7, 1.3))
    elif kind == 3:
        across = text_mask(font, word, 80)
        mask = np.rot90(fitted(across, round(letter_mm * 1.25 * scale)), int(rng.choice([3, 3, 1])))
    elif kind == 4:
        mask = fitted(text_mask(font, word, 80), round(letter_mm * scale), 0.85)
    elif kind == 5:
        mask = _monogram(rng, font, round((rank_mm + suit_mm) * 0.9 * scale))
    elif kind == 6:
        mask = star_mask(
            round(max(4.0, suit_mm * rng.uniform(0.9, 1.4)) * scale),
            int(rng.choice([5, 5, 5, 6, 8, 4])),
            rng.uniform(0.35, 0.55),
        )
    elif kind == 7:
        mask = _disc(round(max(5.0, suit_mm * 1.2) * scale), rng)
    elif kind == 8:
        mask = face_mask(rng, round(max(7.0, rank_mm * 1.1) * scale))
    elif kind in (9, 10):
        mask = _chinese(rng, "大王" if red else "小王", round(rank_mm * rng.uniform(0.6, 0.95) * scale))
    elif kind == 12:
        letter = fitted(text_mask(font, "J", 80), round(rank_mm * scale))
        mask = _stack([letter, star_mask(round(suit_mm * scale), int(rng.choice([5, 5, 6])))], round(1.2 * scale))
    elif kind == 14:
        mask = np.ascontiguousarray(np.rot90(_chinese(rng, "大王" if red else "小王", round(rank_mm * 0.8 * scale), 3)))
    else:
        top = round(letter_mm * rng.uniform(1.2, 1.9) * scale)
        sign = star_mask(top) if kind == 11 else face_mask(rng, top) if kind == 13 else _crown(top)
        parts = [sign, _downwards(font, word, letter_mm, 0.2, scale, 1.0)]
        mask = _stack(parts[:: int(rng.choice([1, 1, -1]))], round(0.8 * scale))
    limit = round(50 * scale)
    if mask.shape[0] > limit:
        mask = fitted(mask, limit)
    return np.ascontiguousarray(mask), None


def lettering(rng: Rng, font: str, card_mm: float, scale: float) -> tuple[Pixels, float] | None:
    """A second place where a third of the decks name their joker: the mask, and its middle in mm from the card's left.

    The word stands across in the middle of the upper rim, or runs downwards along the right one.
    """
    roll = rng.random()
    if roll > 0.33:
        return None
    font = index_fonts()[int(rng.integers(len(index_fonts())))] if rng.random() < 0.5 else font
    if roll < 0.23:
        mask = fitted(text_mask(font, "JOKER", 80), round(rng.uniform(2.5, 8.0) * scale), rng.uniform(0.7, 1.1))
        most = round(card_mm * rng.uniform(0.36, 0.46) * scale)
        if mask.shape[1] > most:
            mask = fitted(mask, max(6, round(mask.shape[0] * most / mask.shape[1])))
        return mask, card_mm / 2
    mask = _downwards(font, "JOKER", rng.uniform(2.5, 5.5), rng.uniform(0.1, 0.35), scale, rng.uniform(0.7, 1.3))
    return mask, card_mm - mask.shape[1] / scale / 2 - rng.uniform(2.0, 6.0)


def _downwards(font: str, word: str, letter_mm: float, gap: float, scale: float, stretch: float) -> Pixels:
    height = max(6, round(letter_mm * scale))
    letters = [fitted(text_mask(font, letter, 80), height, stretch) for letter in word]
    return _stack(letters, max(1, round(height * gap)))


def _stack(masks: list[Pixels], gap: int) -> Pixels:
    """Masks one under the other, centred."""
    width = max(mask.shape[1] for mask in masks)
    rows = []
    for mask in masks:
        left = (width - mask.shape[1]) // 2
        rows += [np.pad(mask, ((0, 0), (left, width - mask.shape[1] - left))), np.zeros((gap, width), np.uint8)]
    return np.vstack(rows[:-1])


def _monogram(rng: Rng, font: str, height: int) -> Pixels:
    """Stacked or interlaced letters, small, as one sign."""
    rows = [["JO", "KER"], ["J", "OK", "ER"], ["J"], ["JK"]][int(rng.integers(4))]
    lines = [fitted(text_mask(font, row, 80), max(5, height // len(rows) - 2)) for row in rows]
    width = int(np.median([line.shape[1] for line in lines]))
    lines = [
        np.asarray(cv2.resize(line, (width, line.shape[0])), np.uint8) if len(rows) > 1 else line for line in lines
    ]
    return _stack(lines, 2)


def _disc(height: int, rng: Rng) -> Pixels:
    """A star cut out of a disc, or within a ring."""
    mask = np.zeros((height, height), np.uint8)
    half = height // 2
    star = star_mask(round(height * 0.66), int(rng.choice([5, 5, 4, 6, 8])))
    y, x = (height - star.shape[0]) // 2, (height - star.shape[1]) // 2
    if rng.random() < 0.5:
        cv2.circle(mask, (half, half), half - 1, 255, -1, cv2.LINE_AA)
        mask[y : y + star.shape[0], x : x + star.shape[1]] -= np.minimum(
            star, mask[y : y + star.shape[0], x : x + star.shape[1]]
        )
    else:
        cv2.circle(mask, (half, half), half - 2, 255, max(1, height // 14), cv2.LINE_AA)
        mask[y : y + star.shape[0], x : x + star.shape[1]] |= star
    return mask


def face_mask(rng: Rng, height: int) -> Pixels:
    """A jester's head: cap with two or three points and bells, a face with eyes and a mouth."""
    side = height * 3
    mask = np.zeros((side, side), np.uint8)
    cx, cy, r = side // 2, int(side * 0.66), int(side * 0.24)
    points = int(rng.integers(2, 4))
    for i in range(points):
        lean = (i - (points - 1) / 2) * rng.uniform(0.5, 0.8)
        tip = (int(cx + lean * side * 0.5), int(side * (0.12 + abs(lean) * 0.18)))
        cv2.fillPoly(mask, [np.array([[cx - r, cy - r // 3], tip, [cx + r, cy - r // 3]], np.int32)], 255, cv2.LINE_AA)
        cv2.circle(mask, tip, int(side * 0.055), 255, -1, cv2.LINE_AA)
    full = rng.random() < 0.5
    cv2.circle(mask, (cx, cy), r, 255, -1, cv2.LINE_AA)
    if full:
        cv2.circle(mask, (cx, cy), int(r * 0.82), 0, -1, cv2.LINE_AA)
    ink = 255 if full else 0
    for eye in (-1, 1):
        cv2.circle(mask, (cx + eye * r // 3, cy - r // 5), max(2, r // 7), ink, -1, cv2.LINE_AA)
    cv2.ellipse(mask, (cx, cy + r // 6), (r // 2, r // 3), 0, 15, 165, ink, max(2, r // 8), cv2.LINE_AA)
    rows, columns = np.nonzero(mask.max(axis=1))[0], np.nonzero(mask.max(axis=0))[0]
    return fitted(mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1], height)


def _crown(height: int) -> Pixels:
    """A crown of three to five points with balls."""
    side = height * 3
    mask = np.zeros((side, int(side * 1.3)), np.uint8)
    wide, points = mask.shape[1], 3 + height % 3
    tips = np.linspace(0.08, 0.92, points) * wide
    outline = [(0.1 * wide, side * 0.95)]
    for number, tip in enumerate(tips):
        outline.append((tip, side * 0.2))
        if number < points - 1:
            outline.append(((tip + tips[number + 1]) / 2, side * 0.6))
    outline.append((0.9 * wide, side * 0.95))
    cv2.fillPoly(mask, [np.array(outline, np.int32)], 255, cv2.LINE_AA)
    for tip in tips:
        cv2.circle(mask, (int(tip), int(side * 0.14)), int(side * 0.09), 255, -1, cv2.LINE_AA)
    return fitted(mask, height)


def _chinese(rng: Rng, word: str, height: int, turned: int = 0) -> Pixels:
    """The word's signs one under the other, each turned by quarters first (so that the whole can be turned back)."""
    fonts = chinese_fonts()
    font = fonts[int(rng.integers(len(fonts)))]
    signs = [np.rot90(fitted(text_mask(font, letter, 80), height), turned) for letter in word]
    return _stack([np.ascontiguousarray(sign) for sign in signs], max(1, height // 8))
