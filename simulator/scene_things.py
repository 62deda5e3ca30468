"""Things on a table that are no cards: those that hide indices (hands, cups), those that look like one (text)."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.scene_print import printed

Rng = np.random.Generator
Float = NDArray[np.float32]
Mask = NDArray[np.uint8]


def distractors(rng: Rng, picture: Float, count: int) -> None:
    """Paints *count* things on the table (BGR float32), to lie under the cards."""
    kinds = (
        _text, _print, _print, _print, _score_sheet, _report_card, _chip, _cord, _logo, _pips, _coin, _marker, _braid,
    )  # fmt: skip
    for _ in range(count):
        kinds[int(rng.integers(len(kinds)))](rng, picture)


def occluders(rng: Rng, picture: Float, count: int) -> Mask:
    """Paints *count* things over the cards; gives the mask of what they hide."""
    hidden = np.zeros(picture.shape[:2], np.uint8)
    kinds = (_hand, _hand, _sleeve, _cup, _phone, _pen, _chip_over)
    for _ in range(count):
        hidden |= kinds[int(rng.integers(len(kinds)))](rng, picture)
    return hidden


def _spot(rng: Rng, picture: Float, beyond: float = 0.0) -> tuple[int, int]:
    size = picture.shape[0]
    x, y = rng.uniform(-beyond * size, (1 + beyond) * size, 2)
    return int(x), int(y)


def _colour(rng: Rng, low: float = 0, high: float = 255) -> tuple[float, float, float]:
    blue, green, red = (float(v) for v in rng.uniform(low, high, 3))
    return blue, green, red


def _ink(rng: Rng) -> tuple[float, float, float]:
    """A printing colour: black, red, blue, white or anything."""
    inks = ((20.0, 20.0, 25.0), (40.0, 30.0, 190.0), (150.0, 60.0, 30.0), (245.0, 245.0, 245.0))
    pick = int(rng.integers(len(inks) + 1))
    return inks[pick] if pick < len(inks) else _colour(rng)


def _stamp(rng: Rng, picture: Float, patch: Float, mask: Mask) -> None:
    """Lays a small picture on the table, turned any way."""
    size = picture.shape[0]
    height, width = mask.shape
    x, y = _spot(rng, picture)
    reach = int(np.hypot(width, height) / 2) + 2
    x0, y0, x1, y1 = max(0, x - reach), max(0, y - reach), min(size, x + reach), min(size, y + reach)
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), float(rng.uniform(0, 360)), 1.0)
    turn[:, 2] += (x - width / 2 - x0, y - height / 2 - y0)
    soft = cv2.warpAffine(mask, turn, (x1 - x0, y1 - y0)).astype(np.float32)[:, :, None] / 255
    area = picture[y0:y1, x0:x1]
    area *= 1 - soft
    area += cv2.warpAffine(patch, turn, (x1 - x0, y1 - y0)) * soft


_LETTERS = np.array(list("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789:.-/&"))


def _words(rng: Rng, most: int = 14) -> str:
    return "".join(rng.choice(_LETTERS, size=int(rng.integers(1, most))))


def _text(rng: Rng, picture: Float) -> None:
    """Lines of print, on paper or straight on the table."""
    width, height = int(rng.uniform(50, 260)), int(rng.uniform(30, 200))
    on_paper = rng.random() < 0.7
    patch = np.full((height, width, 3), _colour(rng, 180, 255), np.float32)
    mask = np.full((height, width), 255 if on_paper else 0, np.uint8)
    scale, ink, font = float(rng.uniform(0.3, 1.4)), _ink(rng), int(rng.integers(0, 8))
    y = int(26 * scale)
    while y < height:
        text, thick = _words(rng), int(rng.integers(1, 3))
        cv2.putText(patch, text, (4, y), font, scale, ink, thick, cv2.LINE_AA)
        if not on_paper:
            cv2.putText(mask, text, (4, y), font, scale, 255, thick, cv2.LINE_AA)
        y += int(rng.uniform(26, 45) * scale)
    _stamp(rng, picture, patch, mask)


def _print(rng: Rng, picture: Float) -> None:
    """A page, a box or a label in real type."""
    _stamp(rng, picture, *printed(rng))


def _score_sheet(rng: Rng, picture: Float) -> None:
    width, height = int(rng.uniform(90, 260)), int(rng.uniform(80, 260))
    patch = np.full((height, width, 3), _colour(rng, 210, 255), np.float32)
    step_x, step_y = int(rng.uniform(18, 50)), int(rng.uniform(14, 40))
    ink = _colour(rng, 20, 160)
    for x in range(step_x // 2, width, step_x):
        cv2.line(patch, (x, 0), (x, height), ink, 1)
    for y in range(step_y // 2, height, step_y):
        cv2.line(patch, (0, y), (width, y), ink, 1)
        for x in range(step_x // 2, width, step_x):
            if rng.random() < 0.6:
                text = str(rng.choice(["A", "2", "5", "K", "10", "7", "J", "Q", "+3", "-1", "8", "9", "6", "4", "3"]))
                cv2.putText(
                    patch,
                    text,
                    (x + 2, y + step_y - 4),
                    int(rng.choice([0, 2, 6, 7])),
                    step_y / 45,
                    _ink(rng),
                    1,
                    cv2.LINE_AA,
                )
    _stamp(rng, picture, patch, np.full((height, width), 255, np.uint8))


def _report_card(rng: Rng, picture: Float) -> None:
    """A card that tells how many cards a player holds: numerals without a suit, a marker, a word."""
    width, height = int(rng.uniform(50, 190)), int(rng.uniform(60, 240))
    patch = np.full((height, width, 3), _colour(rng, 215, 255), np.float32)
    ink, number = _ink(rng), str(rng.integers(1, 11))
    scale = min(width, height) / rng.uniform(35, 90)
    thick = max(1, int(scale * 1.5))
    for x, y in ((0.08, 0.3), (0.6, 0.95), (0.35, 0.62))[: int(rng.integers(1, 4))]:
        font = int(rng.choice([0, 2, 3, 6]))
        cv2.putText(patch, number, (int(x * width), int(y * height)), font, scale, ink, thick, cv2.LINE_AA)
    if rng.random() < 0.6:
        cells = np.pad(rng.integers(0, 2, (4, 4)).astype(np.float32) * 235 + 10, 1, constant_values=10)
        side = max(8, int(width * rng.uniform(0.2, 0.5)))
        x, y = int(rng.uniform(0, width - side)), int(rng.uniform(0, max(1, height - side)))
        square = cv2.resize(cells, (side, side), interpolation=cv2.INTER_NEAREST)[: height - y, :, None]
        patch[y : y + side, x : x + side] = square
    _stamp(rng, picture, patch, np.full((height, width), 255, np.uint8))


def _disc(rng: Rng, radius: int) -> tuple[Float, Mask]:
    side = 2 * radius + 3
    patch = np.empty((side, side, 3), np.float32)
    patch[:] = _colour(rng)
    mask = np.zeros((side, side), np.uint8)
    centre = (radius + 1, radius + 1)
    cv2.circle(mask, centre, radius, 255, -1, cv2.LINE_AA)
    edge = _colour(rng, 120, 255)
    count = int(rng.integers(4, 9))
    for i in range(count):
        start = 360 / count * i
        cv2.ellipse(patch, centre, (radius, radius), 0, start, start + 180 / count, edge, max(2, radius // 4))
    cv2.circle(patch, centre, max(2, int(radius * 0.6)), _colour(rng), -1, cv2.LINE_AA)
    text = str(rng.choice(["5", "10", "25", "100", "A", "K", "D", ""]))
    cv2.putText(patch, text, (int(radius * 0.6), int(radius * 1.3)), 0, radius / 30, _ink(rng), 2, cv2.LINE_AA)
    return patch, mask


def _chip(rng: Rng, picture: Float) -> None:
    _stamp(rng, picture, *_disc(rng, int(rng.uniform(12, 55))))


def _coin(rng: Rng, picture: Float) -> None:
    radius = int(rng.uniform(8, 40))
    x, y = _spot(rng, picture)
    cv2.circle(picture, (x, y), radius, _colour(rng, 90, 220), -1, cv2.LINE_AA)
    cv2.circle(picture, (x, y), max(1, radius - 3), _colour(rng, 60, 230), 1, cv2.LINE_AA)
    cv2.putText(
        picture, str(rng.integers(0, 10)), (x - radius // 3, y + radius // 3), 0, radius / 25, _colour(rng, 40, 120), 2
    )


def _cord(rng: Rng, picture: Float) -> None:
    """A cable: a dark or white curve with a highlight."""
    points = _curve(rng, picture.shape[0])
    thick = int(rng.integers(2, 10))
    colour = _colour(rng, 0, 80) if rng.random() < 0.6 else _colour(rng, 190, 255)
    cv2.polylines(picture, [points], False, colour, thick, cv2.LINE_AA)
    if thick > 4:
        cv2.polylines(picture, [points - 1], False, tuple(min(255.0, v + 60) for v in colour), 1, cv2.LINE_AA)


def _curve(rng: Rng, size: int) -> NDArray[np.int32]:
    ends = rng.uniform(-0.2, 1.2, (4, 2)) * size
    t = np.linspace(0, 1, 40)[:, None]
    curve = (1 - t) ** 3 * ends[0] + 3 * t * (1 - t) ** 2 * ends[1] + 3 * t**2 * (1 - t) * ends[2] + t**3 * ends[3]
    return np.asarray(curve, np.int32)


def _braid(rng: Rng, picture: Float) -> None:
    """A mat's braided or stitched edge."""
    points = _curve(rng, picture.shape[0]).astype(np.float32) if rng.random() < 0.3 else None
    if points is None:
        a, b = rng.uniform(-0.1, 1.1, (2, 2)) * picture.shape[0]
        points = np.asarray(a + (b - a) * np.linspace(0, 1, 60)[:, None], np.float32)
    one, two, radius = _ink(rng), _colour(rng), int(rng.integers(2, 9))
    for i, (x, y) in enumerate(points):
        cv2.ellipse(
            picture,
            (int(x), int(y)),
            (radius, max(1, radius // 2)),
            30 if i % 2 else -30,
            0,
            360,
            one if i % 2 else two,
            -1,
            cv2.LINE_AA,
        )


def _logo(rng: Rng, picture: Float) -> None:
    """A printed star, ring, figure or letter block."""
    side = int(rng.uniform(20, 110))
    patch = np.empty((side, side, 3), np.float32)
    patch[:] = _ink(rng)
    mask = np.zeros((side, side), np.uint8)
    half = side // 2
    kind = rng.random()
    if kind < 0.15:
        spikes = int(rng.integers(4, 9))
        turns = np.arange(2 * spikes) * np.pi / spikes
        reach = np.where(np.arange(2 * spikes) % 2, rng.uniform(0.3, 0.6), 0.95) * half
        points = half + np.stack([np.sin(turns), -np.cos(turns)], 1) * reach[:, None]
        cv2.fillPoly(mask, [points.astype(np.int32)], 255, cv2.LINE_AA)
    elif kind < 0.6:
        cv2.circle(mask, (half, half), half - 2, 255, int(rng.integers(2, 8)), cv2.LINE_AA)
        cv2.putText(
            mask, _words(rng, 3), (side // 4, half + side // 6), int(rng.integers(0, 8)), side / 60, 255, 2, cv2.LINE_AA
        )
    else:
        for row in range(int(rng.integers(1, 4))):
            cv2.putText(
                mask,
                _words(rng, 5),
                (2, (row + 1) * side // 3),
                int(rng.integers(0, 8)),
                side / 90,
                255,
                2,
                cv2.LINE_AA,
            )
    _stamp(rng, picture, patch, mask)


def suit_shape(rng: Rng, suit: str, side: int) -> Mask:
    """A plain suit sign, *side* pixels high."""
    from simulator.art.glyphs import suit_mask

    return suit_mask(suit, side, rng)


def _pips(rng: Rng, picture: Float) -> None:
    """Suit signs that stand alone: a mat's decoration, a box, a T-shirt."""
    side = int(rng.uniform(10, 90))
    mask = suit_shape(rng, str(rng.choice(list("SHCD"))), side)
    patch = np.empty((*mask.shape, 3), np.float32)
    patch[:] = _ink(rng)
    for _ in range(int(rng.integers(1, 5))):
        _stamp(rng, picture, patch, mask)


def _marker(rng: Rng, picture: Float) -> None:
    """A mat's square corner marker."""
    cells = rng.integers(0, 2, (6, 6)).astype(np.uint8) * 255
    cells[0], cells[-1], cells[:, 0], cells[:, -1] = 0, 0, 0, 0
    cells = np.pad(cells, 1, constant_values=255)
    side = int(rng.uniform(30, 130))
    grey = cv2.resize(cells, (side, side), interpolation=cv2.INTER_NEAREST).astype(np.float32)
    _stamp(rng, picture, np.repeat(grey[:, :, None] * 0.9 + 12, 3, axis=2), np.full((side, side), 255, np.uint8))


# ---- over the cards


def _paint(picture: Float, mask: Mask, colour: Float) -> Mask:
    """Blends *colour* (broadcastable) where *mask* is set, with a soft shadow beside it; gives the mask."""
    size = picture.shape[0]
    small = cv2.resize(mask, (size // 4, size // 4), interpolation=cv2.INTER_AREA)
    shadow = cv2.resize(cv2.GaussianBlur(small, (0, 0), 3), (size, size)).astype(np.float32) / 255
    shadow = np.roll(shadow, (6, 4), (0, 1))
    picture *= 1 - 0.45 * shadow[:, :, None]
    soft = cv2.GaussianBlur(mask, (0, 0), 0.8).astype(np.float32)[:, :, None] / 255
    picture *= 1 - soft
    picture += soft * colour
    return mask


def _shaded(rng: Rng, size: int, base: tuple[float, float, float], mask: Mask) -> Float:
    """A rounded body's colour: darker towards its rim, slightly mottled."""
    small = cv2.resize(mask, (size // 4, size // 4), interpolation=cv2.INTER_AREA)
    inside = (
        cv2.resize(cv2.GaussianBlur(small, (0, 0), float(rng.uniform(3, 8))), (size, size)).astype(np.float32) / 255
    )
    mottle = cv2.resize(rng.normal(1, 0.05, (size // 20, size // 20)).astype(np.float32), (size, size))
    return np.asarray(np.asarray(base, np.float32) * ((0.45 + 0.6 * inside) * mottle)[:, :, None], np.float32)


_SKIN = ((120, 150, 205), (140, 170, 225), (90, 120, 175), (60, 85, 130), (150, 180, 235), (110, 140, 190))


def _hand(rng: Rng, picture: Float) -> Mask:
    """A palm with fingers that reaches in from an edge."""
    size = picture.shape[0]
    mask = np.zeros((size, size), np.uint8)
    turn = rng.uniform(0, 2 * np.pi)
    forward = np.array([np.cos(turn), np.sin(turn)])
    side = np.array([-forward[1], forward[0]])
    wrist = size / 2 - forward * size * rng.uniform(0.25, 0.75) + side * rng.uniform(-0.4, 0.4) * size
    width = rng.uniform(0.09, 0.2) * size
    palm = wrist + forward * width * rng.uniform(0.5, 1.2)
    cv2.line(mask, _at(wrist - forward * size), _at(palm), 255, int(width * 0.85), cv2.LINE_AA)
    cv2.ellipse(mask, (_at(palm), (width * 1.5, width * 1.25), float(np.degrees(turn))), 255, -1, cv2.LINE_AA)
    for i in range(int(rng.integers(1, 5))):
        root = palm + side * (i - 1.5) * width * 0.3
        lean = forward + side * ((i - 1.5) * rng.uniform(0, 0.25) + rng.normal(0, 0.08))
        middle = root + lean * width * rng.uniform(0.6, 0.95)
        tip = middle + (lean + side * rng.normal(0, 0.2)) * width * rng.uniform(0.3, 0.7)
        thick = int(width * rng.uniform(0.24, 0.32))
        cv2.line(mask, _at(root), _at(middle), 255, thick, cv2.LINE_AA)
        cv2.line(mask, _at(middle), _at(tip), 255, max(2, int(thick * 0.9)), cv2.LINE_AA)
    skin = np.clip(
        np.array(_SKIN[int(rng.integers(len(_SKIN)))]) * rng.uniform(0.8, 1.15) + rng.normal(0, 6, 3), 20, 250
    )
    return _paint(picture, mask, _shaded(rng, size, (float(skin[0]), float(skin[1]), float(skin[2])), mask))


def _at(point: NDArray[np.float64]) -> tuple[int, int]:
    return int(np.clip(point[0], -5000, 5000)), int(np.clip(point[1], -5000, 5000))


def _sleeve(rng: Rng, picture: Float) -> Mask:
    size = picture.shape[0]
    mask = np.zeros((size, size), np.uint8)
    turn = rng.uniform(0, 2 * np.pi)
    forward = np.array([np.cos(turn), np.sin(turn)])
    end = size / 2 - forward * size * rng.uniform(0.1, 0.55) + rng.normal(0, 0.15, 2) * size
    cv2.line(mask, _at(end - forward * size * 1.5), _at(end), 255, int(rng.uniform(0.1, 0.25) * size), cv2.LINE_AA)
    return _paint(picture, mask, _shaded(rng, size, _colour(rng, 10, 220), mask))


def _cup(rng: Rng, picture: Float) -> Mask:
    size = picture.shape[0]
    mask = np.zeros((size, size), np.uint8)
    centre, radius = _spot(rng, picture, 0.1), int(rng.uniform(0.06, 0.17) * size)
    cv2.circle(mask, centre, radius, 255, -1, cv2.LINE_AA)
    _paint(picture, mask, np.asarray(_colour(rng, 60, 250), np.float32))
    cv2.circle(picture, centre, int(radius * 0.86), _colour(rng, 10, 150), -1, cv2.LINE_AA)
    return mask


def _phone(rng: Rng, picture: Float) -> Mask:
    size = picture.shape[0]
    mask = np.zeros((size, size), np.uint8)
    wide = rng.uniform(0.12, 0.3) * size
    box = cv2.boxPoints((_spot(rng, picture, 0.2), (wide, wide * rng.uniform(1.2, 2.1)), float(rng.uniform(0, 180))))
    cv2.fillPoly(mask, [box.astype(np.int32)], 255, cv2.LINE_AA)
    return _paint(picture, mask, np.asarray(_colour(rng, 5, 70 if rng.random() < 0.7 else 240), np.float32))


def _pen(rng: Rng, picture: Float) -> Mask:
    size = picture.shape[0]
    mask = np.zeros((size, size), np.uint8)
    centre, turn = np.array(_spot(rng, picture)), rng.uniform(0, np.pi)
    reach = np.array([np.cos(turn), np.sin(turn)]) * rng.uniform(0.1, 0.25) * size
    cv2.line(mask, _at(centre - reach), _at(centre + reach), 255, int(rng.uniform(4, 20)), cv2.LINE_AA)
    return _paint(picture, mask, np.asarray(_colour(rng), np.float32))


def _chip_over(rng: Rng, picture: Float) -> Mask:
    size = picture.shape[0]
    mask = np.zeros((size, size), np.uint8)
    cv2.circle(mask, _spot(rng, picture), int(rng.uniform(10, 45)), 255, -1, cv2.LINE_AA)
    return _paint(picture, mask, np.asarray(_colour(rng), np.float32))
