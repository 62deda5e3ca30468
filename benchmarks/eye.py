"""The eye on card designs it was never trained on: ``python -m benchmarks.eye [--scenes 300]``.

Renders scenes of the held-out designs (once, kept in the cache folder), looks at them with both networks and writes
``benchmarks/results/eye.json`` and the plots ``docs/eye-*.svg``. Needs Debian's ``gnome-cards-data``, ``librsvg2-bin``.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmarks.eye_plots import line_plot
from simulator.scene_shards import pool, write
from simulator.scenes import Scene, render_scene
from vision.detector import Detector
from vision.photo import read_photo
from vision.reader import Reader, cut_patches
from vision.training.evaluate import COUNTED, look, measure, outcome
from vision.training.store import RANK_VISIBLE, SceneStore, StoredScene

HOME = Path(__file__).resolve().parent.parent
HEIGHTS = (8, 10, 12, 14, 16, 20, 24, 28, 32, 36, 40)
LIGHTS = ("as rendered", "dark", "bright", "warm lamp", "blurred", "noisy", "JPEG 30")


def under(light: str, image: np.ndarray) -> np.ndarray:
    """*image* as it would look under one of LIGHTS."""
    if light == "dark":
        return cv2.convertScaleAbs(image, alpha=0.35)
    if light == "bright":
        return cv2.convertScaleAbs(image, alpha=1.5)
    if light == "warm lamp":
        return np.clip(image * np.array([0.55, 0.85, 1.1]), 0, 255).astype(np.uint8)
    if light == "blurred":
        return cv2.GaussianBlur(image, (0, 0), 1.2)
    if light == "noisy":
        noise = np.random.default_rng(1).normal(0, 14, image.shape)
        return np.clip(image + noise, 0, 255).astype(np.uint8)
    if light == "JPEG 30":
        return cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 30])[1], cv2.IMREAD_COLOR)
    return image


def stored(scene: Scene) -> StoredScene:
    """A rendered scene in the form of a stored one."""
    rows = [
        [0, each.card.index, each.x, each.y, each.angle, each.height, each.visible, each.rank_visible]
        for each in scene.indices
    ]
    return StoredScene(scene.image, np.array(rows, np.float32).reshape(-1, 8))


def shares(scenes: list[StoredScene], detector: Detector, reader: Reader) -> dict[str, float]:
    """Right, asked, silent and missed of the indices that show enough of their rank."""
    counts = dict.fromkeys(("right", "asked", "silent", "missed"), 0)
    for seen in look(scenes, detector, reader):
        for row, read in zip(seen.rows, seen.read, strict=True):
            if row[RANK_VISIBLE] >= COUNTED:
                counts[outcome(row, read)] += 1
    total = max(sum(counts.values()), 1)
    return {"n": total, **{what: round(count / total, 5) for what, count in counts.items()}}


def by_height(detector: Detector, reader: Reader, each: int) -> dict[str, Any]:
    """Outcomes by the index's height in px of the picture."""
    result = {}
    for height in HEIGHTS:
        rng = np.random.default_rng([77, height])
        decks = pool(rng, "held out")
        scenes = [stored(render_scene(rng, decks, index_px=float(height), empty=0.0)) for _ in range(each)]
        result[str(height)] = shares(scenes, detector, reader)
    return result


def without_cards(detector: Detector, reader: Reader, count: int) -> dict[str, int]:
    """Scenes that hold only other things, read as ``guandan read`` reads a photo: with a sure card, with any."""
    rng = np.random.default_rng(78)
    decks, sure, named = pool(rng, "held out")[:1], 0, 0
    for _ in range(count):
        image = render_scene(rng, decks, index_px=float(rng.uniform(16, 40)), empty=1.0).image
        cards = read_photo(image, detector, reader)
        sure += any(card.sure for card in cards)
        named += bool(cards)
    return {"scenes": count, "with_a_sure_card": sure, "with_a_card_asked": named - sure}


def speed(detector: Detector, reader: Reader, scene: StoredScene) -> dict[str, float]:
    """Processor milliseconds on one core, the least of several runs."""
    picture = cv2.resize(scene.image, (720, 720))
    founds = (detector.find(picture, threshold=0.02) * 60)[:60]

    def least(what: Any) -> float:
        spent = []
        for _ in range(9):
            began = time.process_time()
            what()
            spent.append(time.process_time() - began)
        return round(min(spent) * 1000, 1)

    patches = cut_patches(picture, founds)
    return {
        "detector_720": least(lambda: detector.find(picture)),
        "reader_60": least(lambda: reader.read_patches(patches)),
    }


def main() -> None:
    """Measure, print, write the results and the plots."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=300)
    parser.add_argument("--each", type=int, default=12, help="scenes for each index height")
    parser.add_argument("--lit", type=int, default=60, help="scenes for each kind of light")
    parser.add_argument("--empty", type=int, default=200, help="scenes without cards")
    parser.add_argument("--held", type=Path, help="folder of held-out scenes that exist already")
    parser.add_argument("--out", type=Path, default=HOME / "benchmarks" / "results" / "eye.json")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    held = args.held or Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "guandan-table" / "eye-held"
    if not args.held:
        write(args.scenes, 902, held, "held out")
    detector, reader = Detector(), Reader()
    store = SceneStore([held])
    figures: dict[str, Any] = {
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "held_out": measure(store, detector, reader),
        "by_height": by_height(detector, reader, args.each),
        "by_light": {
            light: shares(
                [StoredScene(under(light, s.image), s.rows) for s in list(store)[: args.lit]], detector, reader
            )
            for light in LIGHTS
        },
        "without_cards": without_cards(detector, reader, args.empty),
        "milliseconds": speed(detector, reader, store[0]),
    }
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text(json.dumps(figures, indent=1) + "\n")
    print(json.dumps(figures, indent=1))
    docs = HOME / "docs"
    heights = figures["by_height"]
    lines = {what: [heights[key][what] for key in heights] for what in ("right", "asked", "silent", "missed")}
    line_plot(
        docs / "eye-height.svg", "Held-out designs, by index height in pixels", [float(k) for k in heights], lines
    )
    curve = figures["held_out"]["calibration"]
    claimed = [float(key.removeprefix(">=")) for key in curve]
    line_plot(
        docs / "eye-calibration.svg",
        "Said at or above … — and right",
        claimed,
        {
            "right": [each["right"] or 0.0 for each in curve.values()],
            "said": [each["share"] or 0.0 for each in curve.values()],
        },
    )


if __name__ == "__main__":
    main()
