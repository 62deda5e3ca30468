"""Whole photos of held-out designs through ``read``'s own path: ``python -m benchmarks.eye_cards [--photos 48]``.

Square pictures of 720 to 1,280 pixels with indices 14 to 60 pixels high, one design each, under the scenes' hard light.
An index counts when 70 % of its rank shows; it is right, asked, silent (a wrong name that is sure) or missed. A sure
card where no index lies is false, an asked one a ghost. Writes ``benchmarks/results/eye_cards.json``.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from engine.cards import Card
from simulator.scene_shards import pool
from simulator.scenes import IndexLabel, Scene, render_scene
from vision.detector import Detector
from vision.observations import SeenCard
from vision.photo import read_photo
from vision.reader import Reader

HOME = Path(__file__).resolve().parent.parent
SIDES: Final = (720, 960, 1280)
HEIGHTS: Final = (14.0, 60.0)
COUNTED: Final = 0.7
OUTCOMES: Final = ("n", "right", "asked", "silent", "missed", "false", "ghost")


def photo(number: int) -> tuple[str, Scene]:
    """Photo *number* and its design's name."""
    rng = np.random.default_rng([4711, number])
    decks = pool(rng, "held out")
    deck = decks[number % len(decks)]
    height = float(np.exp(rng.uniform(*np.log(HEIGHTS))))
    scene = render_scene(rng, [deck], size=int(rng.choice(SIDES)), index_px=height, empty=0.0, jokers=0.08)
    return deck.name if deck.name.startswith("debian") else "drawn", scene


def outcomes(scene: Scene, cards: list[SeenCard]) -> list[tuple[Card | None, str]]:
    """The card and what became of it for every counted index, and None with ``false`` or ``ghost``."""

    def at(label: IndexLabel, x: float, y: float, reach: float = 0.5) -> bool:
        return float(np.hypot(x - label.x, y - label.y)) < reach * label.height

    points = [(x, y, seen) for seen in cards for x, y in seen.indices]
    good = {(x, y) for x, y, seen in points if any(each.card is seen.card and at(each, x, y) for each in scene.indices)}
    told: list[tuple[Card | None, str]] = []
    for label in scene.indices:
        if label.rank_visible < COUNTED:
            continue
        near = [(x, y, seen) for x, y, seen in points if at(label, x, y)]
        wrong = [seen for x, y, seen in near if (x, y) not in good]
        same = [seen for _, _, seen in near if seen.card is label.card]
        if any(seen.sure for seen in same):
            told.append((label.card, "right"))
        elif any(seen.sure for seen in wrong):
            told.append((label.card, "silent"))
        else:
            told.append((label.card, "asked" if same or wrong else "missed"))
    for x, y, seen in points:
        if not any(at(label, x, y, 0.7) for label in scene.indices):
            told.append((None, "false" if seen.sure else "ghost"))
    return told


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=int, default=48)
    parser.add_argument("--out", type=Path, default=HOME / "benchmarks" / "results" / "eye_cards.json")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    detector, reader = Detector(), Reader()
    counts: dict[str, dict[str, int]] = {}
    for number in range(args.photos):
        design, scene = photo(number)
        for card, what in outcomes(scene, read_photo(scene.image, detector, reader)):
            kind = design + (" jokers" if card is not None and card.is_joker else "")
            for key in ("all", kind):
                row = counts.setdefault(key, dict.fromkeys(OUTCOMES, 0))
                row[what] += 1
                row["n"] += card is not None
    figures = {"photos": args.photos, "indices": dict(sorted(counts.items()))}
    args.out.write_text(json.dumps(figures, indent=1) + "\n")
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
