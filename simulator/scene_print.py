"""Print on a table that is no card's: pages, boxes, screens and labels in real type, for training scenes.

What a reader must not take for an index looks like one: large numerals, capitals one under the other, a word beside a
suit sign, a star in a ring.  Everything here is drawn with the fonts of this machine and is a scene's own rubbish.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.art import Pixels
from simulator.art.fonts import chinese_fonts, index_fonts, text_mask
from simulator.art.glyphs import fitted, star_mask, suit_mask

Rng = np.random.Generator
Float = NDArray[np.float32]
Mask = NDArray[np.uint8]

_CAPITALS = list("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_SMALL = list("aaabcdeeeefghiijklmnnoopqrrssttuuvwxyz")
_SIGNS = list("天地人和大小王中国上海北京一二三四五六七八九十发东南西白")
_INKS = ((18.0, 18.0, 22.0), (18.0, 18.0, 22.0), (35.0, 30.0, 190.0), (150.0, 60.0, 30.0), (60.0, 110.0, 20.0))


@lru_cache(maxsize=800)
def _mask(font: str, text: str) -> Pixels:
    return text_mask(font, text, 48)


def _line(rng: Rng, font: str, text: str, height: int, gap: float = 0.14) -> Mask:
    """A word across, letter by letter, so that letters are drawn once for all words."""
    parts: list[Mask] = []
    tall = _mask(font, "H").shape[0]
    for letter in text:
        if letter == " ":
            parts.append(np.zeros((height, height // 2), np.uint8))
            continue
        shape = _mask(font, letter)
        size = max(2, round(height * min(1.3, shape.shape[0] / tall)))
        glyph = fitted(shape, size)
        glyph = glyph[:height] if glyph.shape[0] > height else np.pad(glyph, ((height - glyph.shape[0], 0), (0, 0)))
        parts += [glyph, np.zeros((height, max(1, round(height * gap))), np.uint8)]
    return np.hstack(parts) if parts else np.zeros((height, 1), np.uint8)


def _word(rng: Rng) -> str:
    roll = rng.random()
    if roll < 0.3:
        return "".join(rng.choice(list("0123456789"), size=int(rng.integers(1, 6))))
    letters = _CAPITALS if roll < 0.75 else _SMALL
    word = "".join(rng.choice(letters, size=int(rng.integers(1, 10))))
    return word.capitalize() if rng.random() < 0.3 else word


def _font(rng: Rng) -> str:
    fonts = index_fonts()
    return fonts[int(rng.integers(len(fonts)))]


def _put(page: Mask, mark: Mask, x: int, y: int) -> None:
    """*mark* onto *page* with its corner at (*x*, *y*), clipped."""
    x0, y0 = max(0, x), max(0, y)
    x1, y1 = min(page.shape[1], x + mark.shape[1]), min(page.shape[0], y + mark.shape[0])
    if x1 > x0 and y1 > y0:
        np.maximum(page[y0:y1, x0:x1], mark[y0 - y : y1 - y, x0 - x : x1 - x], out=page[y0:y1, x0:x1])


def page(rng: Rng, width: int, height: int) -> Mask:
    """Lines of print of one or two sizes."""
    out = np.zeros((height, width), np.uint8)
    font, size = _font(rng), int(np.exp(rng.uniform(np.log(7), np.log(44))))
    y = int(rng.integers(0, size + 1))
    while y < height:
        x = int(rng.integers(0, 12))
        while x < width:
            word = _line(rng, font, _word(rng), size)
            _put(out, word, x, y)
            x += word.shape[1] + size // 2
        y += int(size * rng.uniform(1.25, 2.2))
        if rng.random() < 0.2:
            font, size = _font(rng), max(7, int(size * rng.uniform(0.5, 1.8)))
    return out


def column(rng: Rng, width: int, height: int) -> Mask:
    """Words written downwards, as on the spine of a box or a banner: what a joker's index resembles most."""
    out = np.zeros((height, width), np.uint8)
    x = int(rng.integers(0, 10))
    while x < width:
        size = int(rng.uniform(8, 34))
        y = int(rng.integers(0, 2 * size))
        chinese = rng.random() < 0.25 and chinese_fonts()
        fonts = chinese_fonts() if chinese else index_fonts()
        font = fonts[int(rng.integers(len(fonts)))]
        while y < height:
            if not chinese and rng.random() < 0.35:
                word = np.ascontiguousarray(np.rot90(_line(rng, font, _word(rng), size), int(rng.choice([1, 3]))))
                _put(out, word, x, y)
                y += word.shape[0] + size
                continue
            for _ in range(int(rng.integers(1, 9))):
                letter = str(rng.choice(_SIGNS if chinese else _CAPITALS))
                glyph = fitted(_mask(font, letter), size)
                _put(out, glyph, x + (size - glyph.shape[1]) // 2, y)
                y += int(size * rng.uniform(1.1, 1.4))
            y += int(size * rng.uniform(0.5, 3))
        x += int(size * rng.uniform(1.4, 4))
    return out


def label(rng: Rng, width: int, height: int) -> Mask:
    """A few large signs: numerals, a star, a ring with letters, a suit sign by itself."""
    out = np.zeros((height, width), np.uint8)
    for _ in range(int(rng.integers(1, 6))):
        size = int(rng.uniform(0.12, 0.6) * height) + 8
        roll = rng.random()
        if roll < 0.45:
            mark: Mask = _line(rng, _font(rng), _word(rng)[: int(rng.integers(1, 5))], size)
        elif roll < 0.6:
            mark = star_mask(size, int(rng.choice([4, 5, 5, 6, 8])), float(rng.uniform(0.3, 0.6)))
        elif roll < 0.75:
            mark = np.zeros((size, size), np.uint8)
            cv2.circle(mark, (size // 2, size // 2), size // 2 - 2, 255, max(1, size // 14), cv2.LINE_AA)
            inner = star_mask(size // 2) if rng.random() < 0.3 else _line(rng, _font(rng), _word(rng)[:2], size // 2)
            _put(mark, inner, (size - inner.shape[1]) // 2, size // 4)
        else:
            mark = suit_mask(str(rng.choice(list("SHCD"))), size, rng)
        _put(out, mark, int(rng.integers(-size // 2, width)), int(rng.integers(-size // 2, height)))
    return out


def printed(rng: Rng) -> tuple[Float, Mask]:
    """A printed thing as colours (h, w, 3) and opacity (h, w): on paper, on a box, on a screen or straight on cloth."""
    width, height = int(rng.uniform(60, 300)), int(rng.uniform(60, 300))
    kind = int(rng.choice(3, p=[0.45, 0.3, 0.25]))
    ink_mask = (page, column, label)[kind](rng, width, height)
    ink = np.array(_INKS[int(rng.integers(len(_INKS)))]) if rng.random() < 0.7 else rng.uniform(0, 255, 3)
    paper = rng.uniform(195, 255, 3) if rng.random() < 0.65 else rng.uniform(0, 255, 3)
    if np.abs(paper - ink).max() < 70:
        ink = 255 - paper
    share = ink_mask[:, :, None].astype(np.float32) / 255
    colours = np.asarray(paper * (1 - share) + ink * share, np.float32)
    opacity = ink_mask if rng.random() < 0.2 else np.full((height, width), 255, np.uint8)
    return colours, opacity
