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
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np

from benchmarks.eye_plots import line_plot
from simulator.scene_shards import pool, write
from simulator.scenes import Scene, render_scene
from vision.detector import Detector
from vision.photo import read_photo
from vision.reader import Reader, cut_patches
from vision.training.evaluate import COUNTED, OUTCOMES, look, measure, outcome
from vision.training.store import CARD, JOKERS, RANK_VISIBLE, SceneStore, StoredScene

HOME = Path(__file__).resolve().parent.parent
HEIGHTS = (8, 10, 12, 14, 16, 20, 24, 28, 32, 36, 40)
VISIBLE_FROM = (0.05, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01)
PARTS = ("held_out", "by_height", "by_visible", "by_light", "without_cards", "milliseconds")
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


def counts(scenes: Iterable[StoredScene], detector: Detector, reader: Reader) -> Iterator[tuple[np.ndarray, str]]:
    """Every label row of *scenes* with what became of its index."""
    for seen in look(scenes, detector, reader):
        for row, read in zip(seen.rows, seen.read, strict=True):
            yield row, outcome(row, read)


def shares(told: Iterable[tuple[np.ndarray, str]]) -> dict[str, dict[str, float]]:
    """Right, asked, silent and missed of plain indices and of jokers."""
    count: dict[str, Counter[str]] = {"plain": Counter(), "jokers": Counter()}
    for row, what in told:
        count["jokers" if row[CARD] >= JOKERS else "plain"][what] += 1
    return {
        kind: {"n": each.total(), **{what: round(each[what] / max(each.total(), 1), 5) for what in OUTCOMES}}
        for kind, each in count.items()
    }


def counted(told: Iterable[tuple[np.ndarray, str]]) -> Iterator[tuple[np.ndarray, str]]:
    """Of *told* the indices that show enough of their rank."""
    return ((row, what) for row, what in told if row[RANK_VISIBLE] >= COUNTED)


def by_height(detector: Detector, reader: Reader, each: int) -> dict[str, Any]:
    """Outcomes by the index's height in px of the picture."""
    result = {}
    for height in HEIGHTS:
        rng = np.random.default_rng([77, height])
        decks = pool(rng, "held out")
        scenes = [stored(render_scene(rng, decks, index_px=float(height), empty=0.0)) for _ in range(each)]
        result[str(height)] = shares(counted(counts(scenes, detector, reader)))
    return result


def by_visible(scenes: list[StoredScene], detector: Detector, reader: Reader) -> dict[str, Any]:
    """Outcomes by the share of its rank that an index shows."""
    told = list(counts(scenes, detector, reader))
    return {
        f"{low:.2g}": shares((row, what) for row, what in told if low <= row[RANK_VISIBLE] < high)
        for low, high in pairwise(VISIBLE_FROM)
    }


def by_light(scenes: list[StoredScene], detector: Detector, reader: Reader) -> dict[str, Any]:
    """Outcomes under each of LIGHTS."""
    return {
        light: shares(counted(counts((StoredScene(under(light, s.image), s.rows) for s in scenes), detector, reader)))
        for light in LIGHTS
    }


def without_cards(detector: Detector, reader: Reader, count: int) -> dict[str, Any]:
    """Scenes that hold only other things, read as ``guandan read`` reads a photo: with a sure card, with any; by the
    height that indices would have."""
    rng = np.random.default_rng(78)
    decks = pool(rng, "held out")[:1]
    total: Counter[str] = Counter()
    by: dict[str, Counter[str]] = {}
    for number in range(count):
        height = HEIGHTS[number % len(HEIGHTS)]
        cards = read_photo(render_scene(rng, decks, index_px=float(height), empty=1.0).image, detector, reader)
        here = by.setdefault(str(height), Counter())
        for each in (total, here):
            each["scenes"] += 1
            each["with_a_sure_card"] += any(card.sure for card in cards)
            each["with_a_card_asked"] += bool(cards) and not any(card.sure for card in cards)
    return {**total, "by_height": {height: dict(each) for height, each in by.items()}}


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


def plots(figures: dict[str, Any]) -> None:
    """Draw what is known as plots in ``docs/``."""
    docs = HOME / "docs"
    titles = {
        "eye-height": ("by_height", "by index height in pixels"),
        "eye-visible": ("by_visible", "by visible rank"),
    }
    for name, (key, what) in titles.items():
        for kind in ("plain", "jokers"):
            by = figures.get(key)
            if by:
                lines = {each: [by[at][kind][each] for at in by] for each in OUTCOMES}
                places, to = [float(at) for at in by], f"{name}.svg" if kind == "plain" else f"{name}-jokers.svg"
                line_plot(docs / to, f"Held-out designs, {kind}, {what}", places, lines)
    curve = figures.get("held_out", {}).get("calibration")
    if curve:
        line_plot(
            docs / "eye-calibration.svg",
            "Said at or above … — and right",
            [float(key.removeprefix(">=")) for key in curve],
            {
                "right": [each["right"] or 0.0 for each in curve.values()],
                "said": [each["share"] or 0.0 for each in curve.values()],
            },
        )


def main() -> None:
    """Measure what is wanted part by part, write results and plots after each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=300)
    parser.add_argument("--each", type=int, default=12, help="scenes for each index height")
    parser.add_argument("--lit", type=int, default=60, help="scenes for each kind of light")
    parser.add_argument("--empty", type=int, default=200, help="scenes without cards")
    parser.add_argument("--held", type=Path, help="folder of held-out scenes that exist already")
    parser.add_argument("--processes", type=int, default=2, help="that render scenes")
    parser.add_argument("--part", choices=PARTS, action="append", help="only this; the others keep their figures")
    parser.add_argument("--out", type=Path, default=HOME / "benchmarks" / "results" / "eye.json")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    held = args.held or Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "guandan-table" / "eye-held"
    wanted = args.part or PARTS
    store: list[StoredScene] | SceneStore = []
    if {"held_out", "by_visible", "by_light", "milliseconds"} & set(wanted):
        if not args.held:
            write(args.scenes, 902, held, "held out", processes=args.processes)
        store = SceneStore([held])
    detector, reader = Detector(), Reader()
    measured: dict[str, Callable[[], Any]] = {
        "held_out": lambda: measure(cast(SceneStore, store), detector, reader),
        "by_height": lambda: by_height(detector, reader, args.each),
        "by_visible": lambda: by_visible(list(store), detector, reader),
        "by_light": lambda: by_light(list(store)[: args.lit], detector, reader),
        "without_cards": lambda: without_cards(detector, reader, args.empty),
        "milliseconds": lambda: speed(detector, reader, store[0]),
    }
    figures: dict[str, Any] = json.loads(args.out.read_text()) if args.out.exists() else {}
    figures["machine"] = f"{platform.machine()}, {os.cpu_count()} cores"
    for part in wanted:
        figures[part] = measured[part]()
        args.out.parent.mkdir(parents=True, exist_ok=True)
        args.out.write_text(json.dumps(figures, indent=1) + "\n")
        plots(figures)
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
