"""Training scenes of our own two card designs: ``python -m vision.training.own_scenes --out DIR --count 300``.

The designs that ship are what the virtual camera films, so they get scenes of their own beside those in which the
simulator mixes them with others.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np

from simulator.art import OWN_DESIGNS
from simulator.art.own_indices import own_indexed
from simulator.scenes import render_scene

SHARD = 50


def main() -> None:
    """Write shards until there are ``--count`` scenes; those already there are kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=3)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    args.out.mkdir(parents=True, exist_ok=True)
    decks = [own_indexed(name) for name in OWN_DESIGNS]
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
