"""Joker indices of every common kind, for drawn training decks."""

from __future__ import annotations

import cv2
import numpy as np

from simulator.art import Pixels
from simulator.art.fonts import chinese_fonts, index_fonts, text_mask
from simulator.art.glyphs import fitted, star_mask

Rng = np.random.Generator
Colour = tuple[int, int, int]

KINDS = 12


def joker_index(
    rng: Rng, kind: int, red: bool, font: str, rank_mm: float, suit_mm: float, scale: float
) -> tuple[Pixels, Colour | None]:
    """The mask of a joker's corner index, and its colour where the kind has one of its own.

    Kinds: JOKER downwards (0-3, upright letters or turned), across (4), monogram (5), star (6), star in a disc (7),
    face (8), 大王 and 小王 downwards (9, 10), star over JOKER (11).
    """
    if rng.random() < 0.5:
        font = index_fonts()[int(rng.integers(len(index_fonts())))]
    word = str(rng.choice(["JOKER", "JOKER", "JOKER", "Joker", "JOLLY"]))
    letter_mm = rank_mm * rng.uniform(0.32, 0.62)
    if kind <= 2:
        mask = _downwards(font, word, letter_mm, rng.uniform(0.1, 0.35), scale, rng.uniform(0.7, 1.3))
    elif kind == 3:
        across = text_mask(font, word, 80)
        mask = np.rot90(fitted(across, round(letter_mm * 1.25 * scale)), 3)
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
    else:
        star = star_mask(round(letter_mm * 1.3 * scale))
        mask = _stack([star, _downwards(font, word, letter_mm, 0.2, scale, 1.0)], round(0.8 * scale))
    limit = round(50 * scale)
    if mask.shape[0] > limit:
        mask = fitted(mask, limit)
    return np.ascontiguousarray(mask), None


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


def _chinese(rng: Rng, word: str, height: int) -> Pixels:
    fonts = chinese_fonts()
    font = fonts[int(rng.integers(len(fonts)))]
    return _stack([fitted(text_mask(font, letter, 80), height) for letter in word], max(1, height // 8))
