"""An invented advertising deck, as a teahouse would have it printed: what a common deck's reader does not know.

Hollow digits and Chinese court letters (兵 后 王) on cream paper, four house colours of which none is black, a panel
with the house's name over every face; the jokers have no word and no star but a teapot, both in one colour: the small
one an outline, the big one filled. Only enrolment can tell these two apart.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from engine.cards import Card
from simulator.art import Deck, Pixels, round_mask
from simulator.art.fonts import chinese_fonts, index_fonts, text_mask
from simulator.art.glyphs import fitted, suit_mask

PX_PER_MM: Final = 8.0
SIZE_MM: Final = (63.0, 88.0)
PAPER: Final = (250, 243, 226)
COLOURS: Final = {"S": (36, 44, 96), "H": (186, 30, 84), "C": (18, 104, 88), "D": (206, 96, 16)}
TEA: Final = (96, 60, 30)
COURT: Final = {"J": "兵", "Q": "后", "K": "王"}
RANK_MM: Final = 7.0
SUIT_MM: Final = 4.6
TOP_MM: Final = 4.0
LEFT_MM: Final = 7.0
"""The index column's middle from the card's edge."""


def deck() -> Deck:
    """The teahouse's deck."""
    return Deck("teahouse", _picture, PX_PER_MM, SIZE_MM)


def _picture(key: str) -> Pixels:
    width, height = (round(side * PX_PER_MM) for side in SIZE_MM)
    face = np.empty((height, width, 3), np.uint8)
    face[:] = PAPER
    if key == "back":
        face[:] = TEA
        _print(face, _teapot(round(34 * PX_PER_MM), True), SIZE_MM[0] / 2, 28.0, PAPER)
    else:
        card = Card.parse(key)
        colour = TEA if card.is_joker else COLOURS[card.suit]
        _panel(face, colour, card)
        top = TOP_MM
        for mask in _index(card):
            _print(face, mask, LEFT_MM, top, colour)
            top += mask.shape[0] / PX_PER_MM + 1.0
        corner = face[: round(top * PX_PER_MM), : round(2 * LEFT_MM * PX_PER_MM)]
        face[-corner.shape[0] :, -corner.shape[1] :] = corner[::-1, ::-1]
    return np.dstack([face, round_mask(width, height, 3.4 * PX_PER_MM)])


def _index(card: Card) -> list[Pixels]:
    """The masks of the upper left corner, from top to bottom."""
    if card.is_joker:
        return [_teapot(round(9.0 * PX_PER_MM), card.name == "HR")]
    high = round(RANK_MM * PX_PER_MM)
    if card.rank in COURT:
        rank = fitted(text_mask(chinese_fonts()[0], COURT[card.rank], 96), high)
    else:
        letters = ["1", "0"] if card.rank == "T" else [card.rank]
        rank = np.hstack([_hollow(fitted(text_mask(index_fonts()[0], each, 96), high, 0.9)) for each in letters])
    return [rank, suit_mask(card.suit, round(SUIT_MM * PX_PER_MM))]


def _hollow(mask: Pixels) -> Pixels:
    """A letter's outline, with a little room at both sides."""
    wide = cv2.copyMakeBorder(mask, 0, 0, 3, 3, cv2.BORDER_CONSTANT, value=0)
    inner = cv2.erode(wide, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (7, 7)), borderValue=0)
    return np.asarray(cv2.subtract(wide, inner), np.uint8)


def _teapot(height: int, filled: bool) -> Pixels:
    """A teapot, *height* px high: body, lid with a knob, spout, handle."""
    side = 4 * height
    mask = np.zeros((side, round(side * 1.5)), np.uint8)
    x, y, r = mask.shape[1] // 2, round(side * 0.62), round(side * 0.33)
    cv2.ellipse(mask, (x, y), (round(r * 1.15), r), 0, 0, 360, 255, -1, cv2.LINE_AA)
    spout = np.array([(x + r, y), (x + 1.9 * r, y - 0.9 * r), (x + 2.05 * r, y - 0.75 * r), (x + r, y + 0.5 * r)])
    cv2.fillPoly(mask, [spout.astype(np.int32)], 255, cv2.LINE_AA)
    cv2.ellipse(mask, (x - round(1.2 * r), y), (round(0.6 * r), round(0.6 * r)), 0, 60, 300, 255, r // 5, cv2.LINE_AA)
    cv2.ellipse(mask, (x, y - r), (round(0.6 * r), round(0.3 * r)), 0, 0, 360, 255, -1, cv2.LINE_AA)
    cv2.circle(mask, (x, y - round(1.45 * r)), r // 5, 255, -1, cv2.LINE_AA)
    if not filled:
        thick = side // 18
        mask = cv2.subtract(mask, cv2.erode(mask, np.ones((thick, thick), np.uint8)))
    rows, columns = np.nonzero(mask.max(axis=1))[0], np.nonzero(mask.max(axis=0))[0]
    return fitted(np.ascontiguousarray(mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]), height)


def _panel(face: Pixels, colour: tuple[int, int, int], card: Card) -> None:
    """What is advertised: a tinted panel with the house's name and a large teapot or suit sign."""
    x0, y0, x1, y1 = (round(each * PX_PER_MM) for each in (15.0, 9.0, SIZE_MM[0] - 15.0, SIZE_MM[1] - 9.0))
    face[y0:y1, x0:x1] = (0.82 * np.array(PAPER) + 0.18 * np.array(colour)).astype(np.uint8)
    sign = _teapot(round(17 * PX_PER_MM), True) if card.is_joker else suit_mask(card.suit, round(17 * PX_PER_MM))
    _print(face, sign, SIZE_MM[0] / 2, 34.0, colour)
    for top, word in ((14.0, "清香茶馆"), (62.0, "请喝好茶")):
        signs = [fitted(text_mask(chinese_fonts()[0], each, 96), round(5.4 * PX_PER_MM)) for each in word]
        _print(face, np.hstack([np.pad(each, ((0, 0), (2, 2))) for each in signs]), SIZE_MM[0] / 2, top, colour)


def _print(face: Pixels, mask: Pixels, centre_mm: float, top_mm: float, colour: tuple[int, int, int]) -> None:
    height, width = mask.shape
    x, y = max(2, round(centre_mm * PX_PER_MM - width / 2)), round(top_mm * PX_PER_MM)
    opacity = mask[:, :, None].astype(np.float32) / 255
    patch = face[y : y + height, x : x + width]
    patch[:] = (patch * (1 - opacity) + np.array(colour, np.float32) * opacity).astype(np.uint8)
