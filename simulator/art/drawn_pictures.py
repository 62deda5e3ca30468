"""The middle of drawn training cards: pips, one large sign, pieces of Debian's courts, patterns; and their backs."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Card
from simulator.art import Pixels, debian

Rng = np.random.Generator
Colour = tuple[int, int, int]
Picture = NDArray[Any]

_WORDLESS_JOKERS = (
    "anglo",
    "anglo_poker",
    "gnomangelo",
    "orell",
    "tarocco",
    "dondorf",
    "lattmann",
    "rheinland",
    "slavic_costumes",
)
"""Designs whose joker's picture names no joker: a word that is no label would teach that it is none."""

_LEFT, _MIDDLE, _RIGHT = 0.3, 0.5, 0.7
_PIPS = {  # places of the upper half and the middle, as shares of the card; the lower half is the upper one turned
    "2": [(_MIDDLE, 0.2)],
    "3": [(_MIDDLE, 0.2), (_MIDDLE, 0.5)],
    "4": [(_LEFT, 0.2), (_RIGHT, 0.2)],
    "5": [(_LEFT, 0.2), (_RIGHT, 0.2), (_MIDDLE, 0.5)],
    "6": [(_LEFT, 0.2), (_RIGHT, 0.2), (_LEFT, 0.5), (_RIGHT, 0.5)],
    "7": [(_LEFT, 0.2), (_RIGHT, 0.2), (_LEFT, 0.5), (_RIGHT, 0.5), (_MIDDLE, 0.35)],
    "8": [(_LEFT, 0.2), (_RIGHT, 0.2), (_LEFT, 0.5), (_RIGHT, 0.5), (_MIDDLE, 0.35)],
    "9": [(_LEFT, 0.2), (_RIGHT, 0.2), (_LEFT, 0.4), (_RIGHT, 0.4), (_MIDDLE, 0.5)],
    "T": [(_LEFT, 0.2), (_RIGHT, 0.2), (_LEFT, 0.4), (_RIGHT, 0.4), (_MIDDLE, 0.3)],
    "A": [(_MIDDLE, 0.5)],
}


def middle_picture(
    picture: Pixels,
    card: Card,
    rng: Rng,
    kind: str,
    sign: Pixels,
    colour: Colour,
    scale: float,
    clear_right: float,
    clear_bottom: float,
    frame: float,
) -> None:
    """Draws the middle of a face in place; the index is printed over it later."""
    height, width = picture.shape[:2]
    if card.rank in "JQK" or card.is_joker:
        _court(picture, card, rng, frame)
        return
    if kind == "art":
        _pattern(picture, rng, colour)
        if rng.random() < 0.7:
            _mirror_halves(picture)
    if kind == "one":
        large = cv2.resize(sign, None, fx=2.6, fy=2.6, interpolation=cv2.INTER_CUBIC)
        stamp(picture, large, width * rng.uniform(0.5, 0.62), height * 0.5, colour)
        return
    if kind == "none":
        return
    shift = max(0.0, clear_right * scale - width * (_LEFT - 0.12)) if clear_bottom * scale > height * 0.2 else 0.0
    shift = min(shift, width * 0.1)
    size = 1.0 if card.rank != "A" else rng.uniform(1.0, 2.6)
    mark = cv2.resize(sign, None, fx=size, fy=size, interpolation=cv2.INTER_AREA if size < 1 else cv2.INTER_CUBIC)
    for x, y in _PIPS[card.rank]:
        centre = x * width + shift * (0.5 - x) * 2
        stamp(picture, mark, centre, y * height, colour)
        if y != 0.5 and (card.rank, x, y) != ("7", 0.5, 0.35):
            stamp(picture, np.ascontiguousarray(mark[::-1, ::-1]), width - centre, (1 - y) * height, colour)
    if rng.random() < (0.6 if card.rank == "A" else 0.04):
        _fine_print(picture, rng, colour)


def _mirror_halves(picture: Pixels) -> None:
    """Makes the lower half the upper one turned."""
    half = picture.shape[0] // 2
    picture[picture.shape[0] - half :] = picture[:half][::-1, ::-1].copy()


def stamp(picture: Pixels, mask: Picture, x: float, y: float, colour: Colour) -> None:
    """Prints *mask* with its middle at *x*, *y* pixels, clipped to the card."""
    height, width = mask.shape
    left, top = round(x - width / 2), round(y - height / 2)
    x0, y0 = max(left, 0), max(top, 0)
    x1, y1 = min(left + width, picture.shape[1]), min(top + height, picture.shape[0])
    if x1 <= x0 or y1 <= y0:
        return
    opacity = mask[y0 - top : y1 - top, x0 - left : x1 - left, None].astype(np.float32) / 255
    patch = picture[y0:y1, x0:x1]
    patch[:] = (patch * (1 - opacity) + np.array(colour, np.float32) * opacity).astype(np.uint8)


def _court(picture: Pixels, card: Card, rng: Rng, frame: float) -> None:
    """A piece of one of Debian's courts or jokers, or a pattern, with or without a frame."""
    height, width = picture.shape[:2]
    x0, y0 = round(width * rng.uniform(0.14, 0.24)), round(height * rng.uniform(0.06, 0.14))
    names = debian.training_names()
    if card.is_joker:
        names = [name for name in names if name in _WORDLESS_JOKERS]
    if names and rng.random() < 0.8:
        art = debian.picture(names[int(rng.integers(len(names)))], card.name)
        full = art.shape
        piece = art[round(full[0] * 0.1) : round(full[0] * 0.9), round(full[1] * 0.2) : round(full[1] * 0.8)]
        if rng.random() < 0.3:
            piece = piece[:, :, rng.permutation(3)]
        inner = (width - 2 * x0, height - 2 * y0)
        shrunk = cv2.resize(np.ascontiguousarray(piece), inner, interpolation=cv2.INTER_AREA)
        picture[y0 : height - y0, x0 : width - x0] = shrunk
        if rng.random() < 0.5:
            _mirror_halves(picture)
    else:
        area = picture[y0 : height - y0, x0 : width - x0]
        _pattern(area, rng, (int(rng.integers(256)), int(rng.integers(256)), int(rng.integers(256))))
    if frame < 0.6:
        ink = (30, 40, 110) if frame < 0.2 else (25, 25, 25)
        cv2.rectangle(picture, (x0, y0), (width - x0 - 1, height - y0 - 1), ink, 1 + int(frame * 4))


def _pattern(picture: Pixels, rng: Rng, colour: Colour) -> None:
    """Ornaments: ellipses, lines and polygons in a few colours."""
    height, width = picture.shape[:2]
    inks = [colour, (230, 190, 40), (40, 60, 150), (200, 40, 40), (30, 30, 30)]
    canvas = np.ascontiguousarray(picture)
    for _ in range(int(rng.integers(4, 22))):
        ink = inks[int(rng.integers(len(inks)))]
        x, y = int(rng.uniform(0.2, 0.8) * width), int(rng.uniform(0.1, 0.9) * height)
        a, b = int(rng.uniform(0.02, 0.25) * width), int(rng.uniform(0.02, 0.2) * height)
        shape = int(rng.integers(3))
        thick = -1 if rng.random() < 0.5 else int(rng.integers(1, 4))
        if shape == 0:
            cv2.ellipse(canvas, (x, y), (a, b), float(rng.uniform(0, 180)), 0, 360, ink, thick, cv2.LINE_AA)
        elif shape == 1:
            cv2.line(canvas, (x, y), (x + a, y + b), ink, max(1, thick), cv2.LINE_AA)
        else:
            points = np.stack([rng.uniform(-1, 1, 5) * a + x, rng.uniform(-1, 1, 5) * b + y], 1).astype(np.int32)
            cv2.fillPoly(canvas, [points], ink, cv2.LINE_AA)
    picture[:] = canvas


def _fine_print(picture: Pixels, rng: Rng, colour: Colour) -> None:
    """A maker's name on an ace."""
    height, width = picture.shape[:2]
    mask = np.zeros((height, width), np.uint8)
    for line in range(int(rng.integers(1, 4))):
        text = "".join(rng.choice(list("ABCDEFGHIJKLMNOPRSTUVXYZ No.-0123456789"), size=int(rng.integers(4, 14))))
        at = (int(width * rng.uniform(0.1, 0.45)), int(height * rng.uniform(0.35, 0.6)) + line * 14)
        cv2.putText(mask, text, at, int(rng.integers(0, 8)), rng.uniform(0.25, 0.75), 255, 1, cv2.LINE_AA)
    turn = float(rng.choice([0.0, 0.0, 90.0, 180.0, rng.uniform(0, 360)]))
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), turn, 1.0)
    turned = cv2.warpAffine(mask, matrix, (width, height))
    turned[:, : int(width * 0.14)] = 0
    turned[:, -int(width * 0.14) :] = 0
    stamp(picture, turned, width / 2, height / 2, colour)


def back_picture(rng: Rng, width: int, height: int) -> Pixels:
    """A back: lattice, waves, dots or plain, usually with a white border."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    period = rng.uniform(6, 40)
    turn = rng.uniform(0, np.pi / 2)
    u = (x * np.cos(turn) + y * np.sin(turn)) / period * 2 * np.pi
    v = (-x * np.sin(turn) + y * np.cos(turn)) / period * 2 * np.pi
    kind = int(rng.integers(5))
    if kind == 0:
        field = np.maximum(np.cos(u), np.cos(v)) > rng.uniform(0.6, 0.95)
    elif kind == 1:
        field = np.cos(u) * np.cos(v) > rng.uniform(-0.3, 0.5)
    elif kind == 2:
        field = np.cos(u + 2 * np.sin(v / 2)) > 0
    elif kind == 3:
        field = np.cos(np.hypot(u - u.mean(), v - v.mean())) > 0
    else:
        field = np.zeros_like(x, bool)
    inks = [(170, 25, 35), (25, 45, 130), (20, 90, 60), (25, 25, 28), (120, 60, 130), (200, 120, 30), (90, 90, 95)]
    ink = np.array(inks[int(rng.integers(len(inks)))]) + rng.normal(0, 12, 3)
    other = np.full(3, 245.0) if rng.random() < 0.7 else ink * 0.6
    picture = np.where(field[:, :, None], other, ink)
    border = int(rng.choice([0, 8, 15, 22]))
    if border:
        picture[:border], picture[-border:], picture[:, :border], picture[:, -border:] = 245, 245, 245, 245
    return np.asarray(np.clip(picture, 0, 255), np.uint8)
