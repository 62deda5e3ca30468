"""Training scenes of our own two card designs: ``python -m vision.training.own_scenes --out DIR --count 300``.

The designs that ship are what the virtual camera films, so they are among the training sources. Where their indices lie
is known from their drawing; scenes and shards are the simulator's.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np

from engine.cards import DECK, Card
from simulator.art import Deck
from simulator.art.draw import DESIGNS
from simulator.art.indexed import Box, IndexBoxes, IndexedDeck
from simulator.scenes import render_scene

SHARD = 50


def ink(deck: Deck, card: Card, box: Box) -> Box:
    """The printed part of *box* (mm from the card's top left)."""
    scale = deck.px_per_mm
    x0, y0, x1, y1 = (round(side * scale) for side in box)
    patch = deck.face(card)[y0:y1, x0:x1, :3].astype(int)
    rows, columns = np.nonzero(np.abs(patch - np.median(patch, axis=(0, 1))).max(2) > 70)
    left, top, right, bottom = columns.min(), rows.min(), columns.max() + 1, rows.max() + 1
    return (x0 + left) / scale, (y0 + top) / scale, (x0 + right) / scale, (y0 + bottom) / scale


def own_deck(name: str) -> IndexedDeck:
    """``river`` or ``pine`` with the places of its indices."""
    plain, design = Deck.own(name), DESIGNS[name]
    left, right = 1.2, 2 * design.column - 1.2
    parting = design.top + design.rank + design.gap / 2
    below = design.top + design.rank + design.gap + design.suit + 0.6
    lettering = 27.0

    def boxes(card: Card) -> list[IndexBoxes]:
        if card.is_joker:
            return [IndexBoxes(ink(plain, card, (left, design.top - 0.6, right, lettering)), None)]
        rank = ink(plain, card, (left, design.top - 0.6, right, parting))
        return [IndexBoxes(rank, ink(plain, card, (left, parting, right, below)))]

    def draw(key: str) -> np.ndarray:
        return plain.back() if key == "back" else plain.face(Card.parse(key))

    return IndexedDeck(name, draw, boxes, list(DECK), plain.px_per_mm)


def main() -> None:
    """Write shards until there are ``--count`` scenes; those already there are kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=3)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    args.out.mkdir(parents=True, exist_ok=True)
    decks = [own_deck(name) for name in DESIGNS]
    flags = [cv2.IMWRITE_JPEG_QUALITY, 97, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444]
    for number in range(-(-args.count // SHARD)):
        path = args.out / f"scenes-{number:05d}.npz"
        if path.exists():
            continue
        rng = np.random.default_rng([args.seed, number])
        pictures, rows = [], []
        for k in range(SHARD):
            scene = render_scene(rng, decks, empty=0.0)
            pictures.append(np.frombuffer(cv2.imencode(".jpg", scene.image, flags)[1].tobytes(), np.uint8))
            for each in scene.indices:
                where = [each.x, each.y, each.angle, each.height, each.visible, each.rank_visible]
                rows.append([k, each.card.index, *where])
        starts = np.cumsum([0] + [len(picture) for picture in pictures])
        part = path.with_name(f".part-{number}.npz")
        np.savez(part, jpeg=np.concatenate(pictures), starts=starts, labels=np.array(rows, np.float32))
        part.rename(path)
        print(path.name, flush=True)


if __name__ == "__main__":
    main()
