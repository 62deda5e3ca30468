"""Training scenes: a photographed table with cards, drawn, with the truth about every corner index.

:func:`render_scene` makes one; ``python -m simulator.scenes --count N --seed S --out DIR`` writes shards of many.
Scenes are training material for developers: nothing at run time imports this.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Card
from simulator.art import Pixels
from simulator.art.indexed import IndexedDeck, IndexPlace
from simulator.scene_grounds import ground
from simulator.scene_layouts import Lying, group
from simulator.scene_light import expose, light
from simulator.scene_things import distractors, occluders

Rng = np.random.Generator
Matrix = NDArray[np.float64]

INDEX_PX: Final = (13.0, 46.0)
"""Index heights in a scene, pixels."""
_LEAST_VISIBLE: Final = 0.05
_JOKER_LEAST: Final = 0.35
"""A third of a word is no joker yet: shares of a joker's lettering count from here on."""
_LEAST_CONTRAST: Final = 14.0
_LEVEL: Final = 1.41
_NOTHING: Final = -1


@dataclass(frozen=True)
class IndexLabel:
    """The truth about one index: card, centre and height in pixels, degrees clockwise from up, visible shares.

    Of a joker's lettering the longer side counts as its height: a patch of that size shows the whole word.
    """

    card: Card
    x: float
    y: float
    angle: float
    height: float
    visible: float
    rank_visible: float


@dataclass(frozen=True)
class Scene:
    """A picture (BGR uint8) and its visible corner indices."""

    image: Pixels
    indices: list[IndexLabel]


class _Stage:
    """The picture while it is composed: colours, and which card is seen at each pixel."""

    def __init__(self, rng: Rng, size: int, view: Matrix) -> None:
        self.rng, self.size, self.view = rng, size, view
        self.picture = ground(rng, size)
        self.owner = np.full((size, size), _NOTHING, np.int16)
        self.tone = rng.uniform(0.86, 1.0) * 1.0
        self.shadow = rng.uniform(0.08, 0.5), rng.uniform(0.2, 1.2), rng.uniform(0, 2 * np.pi)

    def lay(self, number: int, lying: Lying, scale: float) -> Matrix:
        """Paints one card; gives the matrix from its frame (mm from its centre) to pixels."""
        deck = lying.deck
        picture = deck.face(lying.card) if lying.card else deck.back()
        width, height = deck.size_mm
        turn = np.deg2rad(lying.angle)
        cosine, sine = np.cos(turn), np.sin(turn)
        pose = np.array([[cosine, -sine, lying.x], [sine, cosine, lying.y], [0, 0, 1]])
        to_pixels = self.view @ pose
        corners = _project(to_pixels, np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [width / 2, height / 2])
        x0, y0 = np.floor(corners.min(0) - 4).astype(int)
        x1, y1 = np.ceil(corners.max(0) + 4).astype(int)
        x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, self.size), min(y1, self.size)
        if x1 - x0 < 2 or y1 - y0 < 2:
            return to_pixels
        source, px_per_mm = _at_scale(deck, lying.card, picture, scale)
        unit = np.diag([1 / px_per_mm, 1 / px_per_mm, 1.0])
        unit[:2, 2] = 0.5 / px_per_mm - width / 2, 0.5 / px_per_mm - height / 2
        shift = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1.0]])
        warped = cv2.warpPerspective(source, shift @ to_pixels @ unit, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
        self._blend(np.asarray(warped, np.uint8), x0, y0, scale)
        area = self.owner[y0:y1, x0:x1]
        area[warped[:, :, 3] > 127] = number
        return to_pixels

    def _blend(self, warped: Pixels, x0: int, y0: int, scale: float) -> None:
        rng = self.rng
        height, width = warped.shape[:2]
        target = self.picture[y0 : y0 + height, x0 : x0 + width]
        opacity = warped[:, :, 3].astype(np.float32) * np.float32(1 / 255)
        strength, reach, direction = self.shadow
        reach_px = max(0.6, reach * scale)
        soft = cv2.blur(cv2.blur(opacity, (2 * round(reach_px) + 1,) * 2), (2 * round(reach_px) + 1,) * 2)
        dx, dy = round(np.cos(direction) * reach_px * 0.7), round(np.sin(direction) * reach_px * 0.7)
        soft = np.roll(soft, (dy, dx), (0, 1))
        under = (1 - np.float32(strength) * soft) * (1 - opacity)
        lean_x, lean_y = rng.normal(0, 0.03, 2)
        rows = np.linspace(-lean_y, lean_y, height, dtype=np.float32)[:, None] + np.float32(
            self.tone * rng.normal(1.0, 0.02)
        )
        shade = (rows + np.linspace(-lean_x, lean_x, width, dtype=np.float32)[None, :]) * opacity
        cv2.multiply(target, cv2.merge([under, under, under]), dst=target)
        colours = cv2.cvtColor(warped, cv2.COLOR_BGRA2BGR).astype(np.float32)
        cv2.multiply(colours, cv2.merge([shade, shade, shade]), dst=colours)
        target += colours


def _at_scale(deck: IndexedDeck, card: Card | None, picture: Pixels, scale: float) -> tuple[Pixels, float]:
    """The card's picture (BGRA) reduced to about *scale* px/mm, and its exact px/mm; kept per deck."""
    step = max(1, int(np.floor(np.log(deck.px_per_mm / scale) / np.log(_LEVEL)))) if scale < deck.px_per_mm else 0
    key = (card.name if card else "back", step)
    kept: dict[tuple[str, int], tuple[Pixels, float]] = deck.__dict__.setdefault("reduced", {})
    if key not in kept:
        if len(kept) > 160:
            kept.clear()
        small: NDArray[Any] = picture
        for _ in range(step // 2):  # halving is much faster than any other factor
            even = small[: small.shape[0] // 2 * 2, : small.shape[1] // 2 * 2]
            small = cv2.resize(even, (even.shape[1] // 2, even.shape[0] // 2), interpolation=cv2.INTER_AREA)
        if step % 2:
            wide, high = (max(8, round(side / _LEVEL)) for side in small.shape[1::-1])
            small = cv2.resize(small, (wide, high), interpolation=cv2.INTER_AREA)
        height = small.shape[0]
        kept[key] = (np.ascontiguousarray(small[:, :, [2, 1, 0, 3]]), deck.px_per_mm * height / picture.shape[0])
    return kept[key]


def _project(matrix: Matrix, points: NDArray[np.floating]) -> NDArray[np.float64]:
    full = np.concatenate([points, np.ones((len(points), 1))], axis=1) @ matrix.T
    return np.asarray(full[:, :2] / full[:, 2:])


def render_scene(
    rng: Rng,
    decks: list[IndexedDeck],
    size: int = 640,
    indices: int = 46,
    index_px: float | None = None,
    empty: float = 0.1,
    jokers: float = 0.13,
) -> Scene:
    """One scene of *size* x *size* pixels with about *indices* visible corner indices of one to three of *decks*.

    *index_px* fixes the usual index height in pixels (else 13 to 46); *empty* is the share of scenes without any card,
    *jokers* the share of cards that are made jokers.
    """
    height = index_px or float(np.exp(rng.uniform(*np.log(INDEX_PX))) if rng.random() < 0.6 else rng.uniform(20, 38))
    whole = [deck for deck in decks if not deck.jokers_only]
    strangers = [deck for deck in decks if deck.jokers_only]
    count = min(len(whole), int(rng.choice([1, 2, 3], p=[0.5, 0.35, 0.15])))
    chosen = [whole[int(i)] for i in rng.choice(len(whole), size=count, replace=False)]
    scale = height / chosen[0].index_height()
    view = _view(rng, size, scale)
    stage = _Stage(rng, size, view)
    bare = rng.random() < empty
    distractors(
        rng,
        stage.picture,
        int(rng.integers(4, 14)) if bare else int(rng.choice([0, 1, 2, 4], p=[0.3, 0.25, 0.25, 0.2])),
    )
    laid: list[tuple[Lying, Matrix]] = []
    if not bare:

        def lay(x: float, y: float, angle: float) -> list[Lying]:
            return group(rng, chosen[int(rng.integers(len(chosen)))], x, y, angle, strangers, jokers)

        _lay_groups(rng, stage, lay, scale, indices, laid)
    if rng.random() < 0.35:
        hidden = occluders(rng, stage.picture, int(rng.integers(1, 3)))
        stage.owner[hidden > 127] = _NOTHING
    labels = [label for number, (lying, matrix) in enumerate(laid) for label in _labels(stage, number, lying, matrix)]
    image = expose(rng, light(rng, stage.picture), blur_px=0.3 + 0.042 * height)
    return Scene(image, [_as_photographed(image, label) for label in labels])


def _as_photographed(image: Pixels, label: IndexLabel) -> IndexLabel:
    """*label*, hardly visible when glare or darkness left no contrast."""
    reach = max(3, int(label.height * 0.4))
    x, y = int(label.x), int(label.y)
    patch = image[max(0, y - reach) : y + reach, max(0, x - reach) : x + reach]
    if patch.size == 0 or float(np.ptp(np.percentile(patch.min(axis=2), (3, 97)))) >= _LEAST_CONTRAST:
        return label
    return replace(label, visible=min(label.visible, 0.3), rank_visible=min(label.rank_visible, 0.3))


def _view(rng: Rng, size: int, scale: float) -> Matrix:
    """Table mm (origin in the middle) to pixels: scale, turn, a little perspective."""
    base = np.diag([scale, scale, 1.0])
    if rng.random() < 0.75:
        tilt_x, tilt_y = rng.normal(0, 0.1, 2) / (size / scale)
        squash = rng.uniform(0.86, 1.0)
        turn = rng.uniform(0, np.pi)
        spin = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
        base = base @ spin.T @ np.diag([1.0, squash, 1.0]) @ spin
        base = np.array([[1, 0, 0], [0, 1, 0], [tilt_x / scale, tilt_y / scale, 1]]) @ base
    middle = np.array([[1, 0, size / 2], [0, 1, size / 2], [0, 0, 1.0]])
    return np.asarray(middle @ base)


def _lay_groups(
    rng: Rng,
    stage: _Stage,
    make: Callable[[float, float, float], list[Lying]],
    scale: float,
    wanted: int,
    laid: list[tuple[Lying, Matrix]],
) -> None:
    """Lays groups until about *wanted* indices are in view; groups may touch and cover each other."""
    reach = stage.size / scale / 2
    square = rng.random() < 0.5
    axis = float(rng.choice([0, 90, 180, 270]))
    target = wanted * rng.uniform(0.45, 1.45) * float(np.clip((reach / 95) ** 0.8, 0.75, 2.0))
    shown = 0.0
    for _ in range(60):
        if shown >= target:
            break
        angle = axis + float(rng.choice([0, 90, 180, 270])) + rng.normal(0, 7) if square else rng.uniform(0, 360)
        x, y = _bare_spot(rng, stage, reach, scale) if rng.random() < 0.7 else rng.uniform(-reach - 15, reach + 15, 2)
        for lying in make(float(x), float(y), float(angle)):
            matrix = stage.lay(len(laid), lying, scale)
            laid.append((lying, matrix))
            centre = _project(matrix, np.zeros((1, 2)))[0]
            shown += 1.25 if 0 < centre[0] < stage.size and 0 < centre[1] < stage.size else 0.25


def _bare_spot(rng: Rng, stage: _Stage, reach: float, scale: float) -> NDArray[np.float64]:
    """The least covered of a few places on the table, mm: groups that bury each other teach little."""
    spots = rng.uniform(-reach, reach, (4, 2))
    room = int(30 * scale)
    covered = []
    for spot in spots:
        x, y = (_project(stage.view, spot[None])[0]).astype(int)
        area = stage.owner[max(0, y - room) : max(0, y + room), max(0, x - room) : max(0, x + room)]
        covered.append(float((area >= 0).mean()) if area.size else 1.0)
    return np.asarray(spots[int(np.argmin(covered))])


def _labels(stage: _Stage, number: int, lying: Lying, matrix: Matrix) -> list[IndexLabel]:
    """The visible indices of one laid card."""
    if lying.card is None:
        return []
    labels = []
    for place in lying.deck.places(lying.card):
        seen = _seen(stage, number, matrix, np.concatenate([place.rank_ink, place.suit_ink]))
        count = len(place.rank_ink)
        rank = float(seen[:count].sum()) / count
        if lying.card.is_joker:
            rank = max(0.0, (rank - _JOKER_LEAST) / (1 - _JOKER_LEAST))
        share = rank * 0.6 + float(seen[count:].sum()) / (len(seen) - count) * 0.4 if len(seen) > count else rank
        if share >= _LEAST_VISIBLE:
            labels.append(_label(lying.card, place, matrix, share, rank))
    return labels


def _seen(stage: _Stage, number: int, matrix: Matrix, points: NDArray[np.floating]) -> NDArray[np.bool_]:
    """Which of *points* (mm in the card's frame) show this card in the picture."""
    pixels = np.floor(_project(matrix, points) + 0.5).astype(int)
    clipped = np.clip(pixels, 0, stage.size - 1)
    inside = (pixels == clipped).all(axis=1)
    return np.asarray(inside & (stage.owner[clipped[:, 1], clipped[:, 0]] == number))


def _label(card: Card, place: IndexPlace, matrix: Matrix, visible: float, rank_visible: float) -> IndexLabel:
    size = max(place.height, place.width) if card.is_joker else place.height
    up = np.array(place.up) * size / 2
    middle = np.array([place.x, place.y])
    centre, top, bottom = _project(matrix, np.stack([middle, middle + up, middle - up]))
    arrow = top - bottom
    angle = float(np.degrees(np.arctan2(arrow[0], -arrow[1])) % 360)
    height = float(np.hypot(*arrow))
    return IndexLabel(card, float(centre[0]), float(centre[1]), angle, height, visible, rank_visible)


def main() -> None:
    """``python -m simulator.scenes``: writes shards of scenes."""
    from simulator import scene_shards

    parser = argparse.ArgumentParser(
        prog="simulator.scenes", description="Writes shards of training scenes; resumes where it stopped."
    )
    parser.add_argument("--count", type=int, required=True, help="scenes in all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True, help="folder of the shards")
    parser.add_argument("--size", type=int, default=640, help="side in pixels")
    parser.add_argument("--kind", choices=scene_shards.KINDS, default="training", help="which designs")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--jokers", type=float, default=0.13, help="share of cards that are jokers")
    given = parser.parse_args()
    scene_shards.write(given.count, given.seed, given.out, given.kind, given.size, given.processes, given.jokers)


if __name__ == "__main__":
    main()
