"""What the detector finds in training scenes: ``python -m vision.training.mine --models DIR --scenes DIR``.

Writes ``raw-00012.mined.npy`` beside each shard, one float32 row for each peak: scene, card index (-1: no index there,
-2: too much hidden to say), x, y, angle, height. The reader then learns from poses as they come and from false peaks.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np

from vision.detector import BEST_HEIGHT, Detector
from vision.training.detector_data import usual_height
from vision.training.evaluate import pair
from vision.training.reader_data import GONE, READ
from vision.training.store import CARD, RANK_VISIBLE, SCENE, save_whole, unpack

NO_INDEX, UNCERTAIN = -1, -2


def mined(rng: np.random.Generator, image: np.ndarray, rows: np.ndarray, detector: Detector) -> list[list[float]]:
    """Peaks of one scene at a scale such as a careless caller would choose, with their names."""
    height = usual_height(rows) if len(rows) else 30.0
    scale = float(np.clip(BEST_HEIGHT / height * np.exp(rng.normal(0, 0.25)), 0.4, 2.5))
    founds = detector.find(image, scale, threshold=0.15)
    names = [NO_INDEX] * len(founds)
    for k, j in enumerate(pair(rows, founds)):
        if j >= 0:
            seen = rows[k, RANK_VISIBLE]
            names[j] = int(rows[k, CARD]) if seen >= READ else NO_INDEX if seen <= GONE else UNCERTAIN
    return [[name, f.x, f.y, f.angle, f.size] for name, f in zip(names, founds, strict=True)]


def main() -> None:
    """Mine every shard that has not been mined yet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("--scenes", type=Path, nargs="+", required=True)
    parser.add_argument("--again", action="store_true", help="also shards that were mined before")
    parser.add_argument("--most", type=int, default=10_000, help="shards")
    args = parser.parse_args()
    cv2.setNumThreads(0)
    detector = Detector(args.models / "detector.onnx")
    shards = [path for folder in args.scenes for path in sorted(folder.glob("scenes-*.npz"))]
    done = 0
    for shard in shards:
        raw, labels = unpack(shard)
        out = raw.with_name(raw.name.replace(".npy", ".mined.npy"))
        if (out.exists() and not args.again) or done >= args.most:
            continue
        rng = np.random.default_rng(int(shard.stem.split("-")[1]))
        images, rows = np.load(raw, mmap_mode="r"), np.load(labels)
        peaks = [
            [k, *peak]
            for k, image in enumerate(images)
            for peak in mined(rng, image, rows[rows[:, SCENE] == k], detector)
        ]
        save_whole(out, np.array(peaks, np.float32).reshape(-1, 6))
        done += 1
        names = np.array([peak[1] for peak in peaks])
        print(f"{out.name}: {(names >= 0).sum()} indices, {(names == NO_INDEX).sum()} false peaks", flush=True)


if __name__ == "__main__":
    main()
