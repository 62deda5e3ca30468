"""The table from straight above as one lit picture, kept up to date card by card.

A canvas has ``scale`` px/mm; its pixel (0, 0) is ``origin`` mm. Only what changed is drawn again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import ceil, cos, floor, radians, sin
from typing import Final

import cv2
import numpy as np

from engine.cards import Card
from simulator.art import Deck
from simulator.hands import TIP_MM, Arm
from simulator.light import multiplied
from simulator.motion import Hand, Placed

_PAD: Final = 5.0  # mm around a card that its shadow takes
_LIGHT_STEP: Final = 16  # canvas pixels between the points whose light is worked out

Rect = tuple[int, int, int, int]


class Faces:
    """The cards' pictures at one scale, made when first asked for."""

    def __init__(self, decks: Sequence[Deck], scale: float, defocus: float = 0.0) -> None:
        self.decks = list(decks)
        self.scale = scale * 1.5  # finer than the canvas: turning them costs some sharpness
        self.defocus = defocus * self.scale
        """Standard deviation of the lens's blur; given in mm on the table."""
        self._kept: dict[tuple[int, str], np.ndarray] = {}
        self._shadows: dict[int, np.ndarray] = {}

    def picture(self, deck: int, key: str) -> np.ndarray:
        """Premultiplied BGRA of a face (by the card's name) or of the ``back``."""
        found = self._kept.get((deck, key))
        if found is None:
            found = self._kept[deck, key] = self._make(self.decks[deck], key)
        return found

    def shadow(self, deck: int) -> np.ndarray:
        """The soft dark a card throws around itself: alpha only, ``_PAD`` mm larger at each side."""
        found = self._shadows.get(deck)
        if found is None:
            alpha = np.ascontiguousarray(self.picture(deck, "back")[:, :, 3])
            pad = round(_PAD * self.scale)
            wide = cv2.copyMakeBorder(alpha, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=0)
            found = self._shadows[deck] = cv2.GaussianBlur(wide, (0, 0), 1.3 * self.scale)
        return found

    def _make(self, deck: Deck, key: str) -> np.ndarray:
        rgba = deck.back() if key == "back" else deck.face(Card.parse(key))
        size = (round(deck.size_mm[0] * self.scale), round(deck.size_mm[1] * self.scale))
        small = cv2.resize(rgba, size, interpolation=cv2.INTER_AREA).astype(np.float32)
        alpha = small[:, :, 3:] / 255
        # White ink on white paper is no full white, and nothing printed is quite black.
        colour: np.ndarray = 14 + small[:, :, 2::-1] * (236 - 14) / 255
        edge = cv2.erode(alpha, np.ones((3, 3), np.uint8), iterations=max(1, round(0.3 * self.scale)))
        colour *= 0.80 + 0.20 * edge.reshape(*alpha.shape[:2], 1)
        # A slight bend: one side of every card catches more light.
        if self.defocus > 0.2:
            colour = cv2.GaussianBlur(colour, (0, 0), self.defocus)
        colour *= np.linspace(0.975, 1.02, size[0], dtype=np.float32)[None, :, None]
        return np.dstack([colour.clip(0, 255) * alpha, alpha * 255]).round().astype(np.uint8)


class Canvas:
    """*base* is the empty table, unlit; *field* gives the light at places in mm; *faces* and *arms* what is drawn."""

    def __init__(
        self,
        base: np.ndarray,
        origin: tuple[float, float],
        scale: float,
        field: Callable[[np.ndarray, np.ndarray], np.ndarray],
        faces: Faces,
    ) -> None:
        self.origin, self.scale, self.faces = origin, scale, faces
        self.size = (base.shape[1], base.shape[0])
        rows = np.arange(-(-base.shape[0] // _LIGHT_STEP) + 2) * _LIGHT_STEP
        columns = np.arange(-(-base.shape[1] // _LIGHT_STEP) + 2) * _LIGHT_STEP
        x, y = np.meshgrid(columns / scale + origin[0], rows / scale + origin[1])
        self._light = field(x, y)
        self._bare = self._lit(base, (0, 0, *self.size))
        self.picture = self._bare.copy()
        self._lying: tuple[Placed, ...] = ()

    def _lit(self, picture: np.ndarray, rect: Rect) -> np.ndarray:
        return multiplied(picture, self.light(rect))

    def light(self, rect: Rect) -> np.ndarray:
        """The light's factors in *rect*, (h, w, 3) float32."""
        x0, y0, x1, y1 = rect
        step = _LIGHT_STEP
        matrix = np.array([[1 / step, 0, x0 / step], [0, 1 / step, y0 / step]])
        c0, r0 = x0 // step, y0 // step
        part = self._light[r0 : y1 // step + 2, c0 : x1 // step + 2]
        matrix[:, 2] -= (c0, r0)
        if (x1 - x0) * (y1 - y0) > 400_000:
            whole = cv2.resize(part, None, fx=step, fy=step, interpolation=cv2.INTER_LINEAR)
            return whole[y0 - r0 * step : y1 - r0 * step, x0 - c0 * step : x1 - c0 * step]
        return cv2.warpAffine(
            part, matrix, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )  # fmt: skip

    # --- cards -----------------------------------------------------------------------------------------------------

    def show(self, lying: tuple[Placed, ...]) -> list[Rect]:
        """Make the picture show exactly *lying*; the rectangles that changed."""
        old = self._lying
        if lying is old or lying == old:
            return []
        self._lying = lying
        if lying[: len(old)] == old:
            changed = []
            for card in lying[len(old) :]:
                changed.append(self._put(self.picture, card, (0, 0, *self.size)))
            return [rect for rect in changed if rect]
        kept, was = set(lying), set(old)
        moved = [self.rect(card) for card in old if card not in kept] + [
            self.rect(card) for card in lying if card not in was
        ]
        groups = _joined([rect for rect in moved if rect[0] < rect[2] and rect[1] < rect[3]])
        for rect in groups:
            x0, y0, x1, y1 = rect
            self.picture[y0:y1, x0:x1] = self._bare[y0:y1, x0:x1]
            for card in lying:
                self._put(self.picture, card, rect)
        return groups

    def rect(self, card: Placed) -> Rect:
        """The canvas pixels that *card* and its shadow take."""
        width, height = self.faces.decks[card.deck].size_mm
        angle = radians(card.pose.angle)
        c, s = abs(cos(angle)), abs(sin(angle))
        half = ((width * c + height * s) / 2 + _PAD, (width * s + height * c) / 2 + _PAD)
        return self._clip(
            card.pose.x - half[0], card.pose.y - half[1], card.pose.x + half[0], card.pose.y + half[1]
        )  # fmt: skip

    def _clip(self, x0: float, y0: float, x1: float, y1: float) -> Rect:
        (ox, oy), (width, height), scale = self.origin, self.size, self.scale
        return (
            min(max(floor((x0 - ox) * scale), 0), width), min(max(floor((y0 - oy) * scale), 0), height),
            min(max(ceil((x1 - ox) * scale) + 1, 0), width), min(max(ceil((y1 - oy) * scale) + 1, 0), height),
        )  # fmt: skip

    def _put(self, picture: np.ndarray, card: Placed, within: Rect) -> Rect | None:
        """Draw *card* with its shadow onto *picture*, only inside *within*."""
        own = self.rect(card)
        (x0, y0), (x1, y1) = map(max, own[:2], within[:2]), map(min, own[2:], within[2:])
        if x0 >= x1 or y0 >= y1:
            return None
        # Always turned as a whole and then cut: a part turned by itself would come out a shade different.
        part = np.s_[y0 - own[1] : y1 - own[1], x0 - own[0] : x1 - own[0]]
        target = picture[y0:y1, x0:x1]
        dark = self._warped(self.faces.shadow(card.deck), card, own, _PAD, (0.9, 1.2))[part]
        cv2.multiply(target, _three(cv2.convertScaleAbs(dark, alpha=-0.42, beta=255)), dst=target, scale=1 / 255)
        face = self.faces.picture(card.deck, card.card.name if card.up else "back")
        pixels = self._warped(face, card, own, 0.0, (0.0, 0.0))[part]
        alpha = cv2.extractChannel(pixels, 3)
        # No two cards lie equally flat: each catches the light a little differently.
        gain = 0.965 + 0.05 * ((card.number * 2654435761 >> 7) % 97) / 96
        colour = cv2.multiply(
            cv2.cvtColor(pixels, cv2.COLOR_BGRA2BGR), self.light(own)[part], scale=gain, dtype=cv2.CV_8U
        )  # fmt: skip
        cv2.multiply(target, _three(cv2.bitwise_not(alpha)), dst=target, scale=1 / 255)
        cv2.add(target, colour, dst=target)
        return x0, y0, x1, y1

    def _warped(
        self, sprite: np.ndarray, card: Placed, rect: Rect, pad: float, shift: tuple[float, float]
    ) -> np.ndarray:
        deck = self.faces.decks[card.deck]
        return _turned(
            sprite, self.faces.scale,
            (deck.size_mm[0] / 2 + pad, deck.size_mm[1] / 2 + pad), card.pose.angle,
            ((card.pose.x + shift[0] - self.origin[0]) * self.scale - rect[0],
             (card.pose.y + shift[1] - self.origin[1]) * self.scale - rect[1]),
            self.scale, (rect[2] - rect[0], rect[3] - rect[1]),
        )  # fmt: skip

    # --- hands -----------------------------------------------------------------------------------------------------

    @contextmanager
    def hands_over(self, held: Sequence[Placed], hands: Sequence[Hand], arms: dict[str, Arm]) -> Iterator[list[Rect]]:
        """Within this the picture shows what moves above the table too; gives the rectangles that it takes."""
        saved: list[tuple[Rect, np.ndarray]] = []
        taken: list[Rect] = []

        def keep(rect: Rect) -> bool:
            x0, y0, x1, y1 = rect
            if x0 >= x1 or y0 >= y1:
                return False
            saved.append((rect, self.picture[y0:y1, x0:x1].copy()))
            taken.append(rect)
            return True

        for card in held:
            rect = self.rect(card)
            if keep(rect):
                self._put(self.picture, card, rect)
        for hand in hands:
            rect = self._arm_rect(hand, arms[hand.seat])
            if keep(rect):
                self._reach(hand, arms[hand.seat], rect)
        try:
            yield taken
        finally:
            for (x0, y0, x1, y1), pixels in reversed(saved):
                self.picture[y0:y1, x0:x1] = pixels

    def _arm_rect(self, hand: Hand, arm: Arm) -> Rect:
        height, width = arm.picture.shape[:2]
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]]) / arm.scale - TIP_MM
        turn = np.radians(hand.angle)
        rotate = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        reach = corners @ rotate + (hand.x, hand.y)
        return self._clip(*(reach.min(axis=0) - 4), *(reach.max(axis=0) + 30))

    def _reach(self, hand: Hand, arm: Arm, rect: Rect) -> None:
        x0, y0, x1, y1 = rect
        target = self.picture[y0:y1, x0:x1]

        def warped(sprite: np.ndarray, dx: float, dy: float) -> np.ndarray:
            place = (
                (hand.x + dx - self.origin[0]) * self.scale - x0, (hand.y + dy - self.origin[1]) * self.scale - y0,
            )  # fmt: skip
            return _turned(sprite, arm.scale, TIP_MM, hand.angle, place, self.scale, (x1 - x0, y1 - y0))

        dark = cv2.convertScaleAbs(warped(arm.shadow, 10, 16), alpha=-0.45, beta=255)
        cv2.multiply(target, _three(dark), dst=target, scale=1 / 255)
        pixels = warped(arm.picture, 0, 0)
        alpha = cv2.extractChannel(pixels, 3)
        colour = cv2.multiply(
            cv2.cvtColor(pixels, cv2.COLOR_BGRA2BGR), self.light((x0, y0, x1, y1)), scale=1.02, dtype=cv2.CV_8U
        )
        cv2.multiply(target, _three(cv2.bitwise_not(alpha)), dst=target, scale=1 / 255)
        cv2.add(target, colour, dst=target)


def _three(gray: np.ndarray) -> np.ndarray:
    return cv2.cvtColor(gray, cv2.COLOR_GRAY2BGR)


def _turned(
    sprite: np.ndarray, sprite_scale: float, pivot: tuple[float, float], angle: float,
    place: tuple[float, float], scale: float, size: tuple[int, int],
) -> np.ndarray:  # fmt: skip
    """*sprite* turned by *angle* clockwise about *pivot* (mm), which comes to *place* (pixels) in a *size* picture."""
    turn = np.radians(angle)
    ratio = sprite_scale / scale
    c, s = np.cos(turn) * ratio, np.sin(turn) * ratio
    # From the picture's pixel to the sprite's: turn back about the place, then go to the pivot.
    matrix = np.array([
        [c, s, pivot[0] * sprite_scale - 0.5 - c * place[0] - s * place[1]],
        [-s, c, pivot[1] * sprite_scale - 0.5 + s * place[0] - c * place[1]],
    ])  # fmt: skip
    return cv2.warpAffine(sprite, matrix, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)


def _joined(rects: list[Rect]) -> list[Rect]:
    """Overlapping rectangles made one, until none overlap."""
    done: list[Rect] = []
    for rect in rects:
        while True:
            hit = next((each for each in done if _overlap(each, rect)), None)
            if hit is None:
                break
            done.remove(hit)
            rect = (min(hit[0], rect[0]), min(hit[1], rect[1]), max(hit[2], rect[2]), max(hit[3], rect[3]))
        done.append(rect)
    return done


def _overlap(a: Rect, b: Rect) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
