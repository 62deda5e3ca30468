"""How good the exported models are on designs that were held out: ``python -m vision.training.evaluate --scenes DIR``.

Every scene goes through detector and reader as in the product. An index counts when at least 70 % of its rank shows;
it is *right*, *asked* (best candidate below the sure threshold), *silent* (a wrong name at or above it) or *missed*.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from engine.cards import DECK
from vision.detector import BEST_HEIGHT, Detector, Found
from vision.reader import IndexRead, Reader, cut_patches
from vision.training.detector_data import usual_height
from vision.training.reader_data import NO_SUIT, REJECT
from vision.training.reader_data import labels as classes
from vision.training.store import ANGLE, CARD, HEIGHT, JOKERS, RANK_VISIBLE, VISIBLE, SceneStore, StoredScene, X, Y

SURE = 0.9
COUNTED = 0.7
"""Share of its rank that must show for an index to count."""
EDGES = {"height": [8, 12, 16, 20, 24, 28, 32, 36, 40, 48, 64], "visible": [0.05, 0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 1.01]}
OUTCOMES = ("right", "asked", "silent", "missed")


@dataclass
class Seen:
    """What became of the indices of one scene: rows (n, 8), outcome and find for each, and peaks without a label."""

    rows: np.ndarray
    outcome: list[str]
    found: list[Found | None]
    read: list[IndexRead | None]
    extra: list[tuple[Found, IndexRead]]


def pair(rows: np.ndarray, founds: list[Found]) -> list[int]:
    """For each label row the number of its peak or -1: nearest first, within 0.4 index heights."""
    result = [-1] * len(rows)
    if not len(rows) or not founds:
        return result
    points = np.array([(f.x, f.y) for f in founds])
    right, down = rows[:, None, X] - points[None, :, 0], rows[:, None, Y] - points[None, :, 1]
    apart = np.hypot(right, down) / rows[:, None, HEIGHT]
    taken: set[int] = set()
    for flat in np.argsort(apart, axis=None):
        k, j = divmod(int(flat), len(founds))
        if apart[k, j] > 0.4:
            break
        if result[k] < 0 and j not in taken:
            result[k] = j
            taken.add(j)
    return result


def outcome(row: np.ndarray, read: IndexRead | None, sure: float = SURE) -> str:
    """``right`` only when sure and true; an unsure or rejected one is ``asked``."""
    if read is None:
        return "missed"
    if read.confidence < sure:
        return "asked"
    return "right" if read.card is DECK[int(row[CARD])] else "silent"


def look(
    store: Iterable[StoredScene], detector: Detector, reader: Reader, wanted: float = BEST_HEIGHT
) -> Iterator[Seen]:
    """Every scene through both models, the scale chosen from its median index height."""
    for scene in store:
        rows = scene.rows
        scale = float(np.clip(wanted / usual_height(rows), 0.5, 2.5)) if len(rows) else 1.0
        founds = detector.find(scene.image, scale)
        reads = reader.read(scene.image, founds)
        pairs = pair(rows, founds)
        used = set(pairs)
        yield Seen(
            rows,
            [outcome(row, reads[j] if j >= 0 else None) for row, j in zip(rows, pairs, strict=True)],
            [founds[j] if j >= 0 else None for j in pairs],
            [reads[j] if j >= 0 else None for j in pairs],
            [(founds[j], reads[j]) for j in range(len(founds)) if j not in used],
        )


@dataclass
class Tally:
    """Counts of outcomes under names such as ``height 20-24``."""

    counts: dict[str, dict[str, int]] = field(default_factory=dict)

    def add(self, name: str, what: str) -> None:
        self.counts.setdefault(name, {})
        self.counts[name][what] = self.counts[name].get(what, 0) + 1

    def shares(self) -> dict[str, dict[str, float]]:
        """Each name's number and the share of each outcome."""
        out: dict[str, dict[str, float]] = {}
        for name, each in sorted(self.counts.items()):
            total = sum(each.values())
            out[name] = {"n": total, **{what: round(each.get(what, 0) / total, 5) for what in OUTCOMES}}
        return out


def bucket(kind: str, value: float) -> str:
    """``height 20-24``: the name of the bin of *value*."""
    edges = EDGES[kind]
    k = int(np.clip(np.searchsorted(edges, value, side="right") - 1, 0, len(edges) - 2))
    return f"{kind} {edges[k]:g}-{edges[k + 1]:g}"


def share(flags: np.ndarray) -> float | None:
    """Of *flags*, how many are set, 0..1; None of none."""
    return round(float(flags.mean()), 5) if len(flags) else None


def spread(values: list[float]) -> dict[str, float]:
    """Median and 95th percentile of *values*; nothing of none."""
    if not values:
        return {}
    return {"median": round(float(np.median(values)), 4), "p95": round(float(np.percentile(values, 95)), 4)}


def measure(store: SceneStore, detector: Detector, reader: Reader) -> dict[str, Any]:
    """All figures of :func:`look` as one dictionary."""
    tally, turns, shifts, sizes = Tally(), [], [], []
    false, false_sure, empty_scenes, empty_false, scenes = 0, 0, 0, 0, 0
    best_right = best_total = 0
    curve: list[tuple[float, bool]] = []
    confused: dict[str, int] = {}
    for seen in look(store, detector, reader):
        scenes += 1
        named = [(f, r) for f, r in seen.extra if r.confidence >= 0.5]
        false += len(named)
        certain = sum(r.confidence >= SURE for _, r in named)
        false_sure += certain
        if not len(seen.rows):
            empty_scenes += 1
            empty_false += certain
        for row, what, found, read in zip(seen.rows, seen.outcome, seen.found, seen.read, strict=True):
            tally.add(bucket("visible", row[RANK_VISIBLE]), what)
            if row[RANK_VISIBLE] < COUNTED:
                continue
            joker = row[CARD] >= JOKERS
            tally.add(bucket("height", row[HEIGHT]), what)
            tally.add("jokers" if joker else "all plain", what)
            if not joker and (row[VISIBLE] - 0.6 * row[RANK_VISIBLE]) / 0.4 >= COUNTED:
                # what lies under another card to its suit has no name that could be told
                tally.add("plain with its suit", what)
            best_total += 1
            if found and read:
                true = DECK[int(row[CARD])]
                good = read.card is true
                best_right += good
                curve.append((read.confidence, good))
                if not good:
                    key = f"{true}>{read.card}" + ("!" if read.confidence >= SURE else "")
                    confused[key] = confused.get(key, 0) + 1
                at = read.place or found
                if not joker:  # a joker's star or face may have no up
                    angle = float(np.degrees(np.arctan2(at.dx, -at.dy)))
                    turns.append(abs((angle - row[ANGLE] + 180) % 360 - 180))
                shifts.append(float(np.hypot(at.x - row[X], at.y - row[Y]) / row[HEIGHT]))
                sizes.append(float(abs(np.log(at.size / row[HEIGHT]))))
    confidences, goods = np.array([c for c, _ in curve]), np.array([g for _, g in curve])
    cuts = [0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995]
    kept = {cut: confidences >= cut for cut in cuts}
    return {
        "scenes": scenes,
        "best_candidate_right": round(best_right / max(best_total, 1), 5),
        "outcomes": tally.shares(),
        "calibration": {f">={cut}": {"share": share(k), "right": share(goods[k])} for cut, k in kept.items()},
        "false_named_per_scene": round(false / scenes, 4),
        "false_sure_per_scene": round(false_sure / scenes, 4),
        "scenes_without_cards": empty_scenes,
        "false_sure_without_cards": empty_false,
        "direction_degrees": {**spread(turns), "within_30": share(np.array(turns) < 30)},
        "centre_heights": spread(shifts),
        "log_size": spread(sizes),
        "confused": dict(sorted(confused.items(), key=lambda kv: -kv[1])[:20]),
    }


def fit_temperatures(store: SceneStore, detector: Detector, reader: Reader) -> dict[str, float]:
    """The two temperatures under which the reader's probabilities of held-out indices are likeliest."""
    ranks, suits, truth = [], [], []
    for scene in store:
        scale = float(np.clip(BEST_HEIGHT / usual_height(scene.rows), 0.5, 2.5)) if len(scene.rows) else 1.0
        founds = detector.find(scene.image, scale)
        if not founds:
            continue
        rank, suit = reader.logits(cut_patches(scene.image, founds))
        name = [(REJECT, NO_SUIT)] * len(founds)
        skip = [False] * len(founds)
        for k, j in enumerate(pair(scene.rows, founds)):
            if j >= 0:
                name[j] = classes(int(scene.rows[k, CARD]))
                skip[j] = scene.rows[k, RANK_VISIBLE] < 0.5
        for j in range(len(founds)):
            if not skip[j]:
                ranks.append(rank[j])
                suits.append(suit[j])
                truth.append(name[j])
    names = np.array(truth).reshape(-1, 2)
    result = {}
    for key, logits, wanted in (("rank_temperature", ranks, names[:, 0]), ("suit_temperature", suits, names[:, 1])):
        use = wanted >= 0
        if not use.any():  # a detector that has hardly been trained finds nothing
            result[key] = 1.0
            continue
        scores, target = np.array(logits)[use], wanted[use]

        def cost(t: float, scores: np.ndarray = scores, target: np.ndarray = target) -> float:
            z = scores / t
            z = z - z.max(1, keepdims=True)
            return float(-(z[np.arange(len(z)), target] - np.log(np.exp(z).sum(1))).mean())

        tried = np.exp(np.linspace(np.log(0.4), np.log(3), 60))
        result[key] = round(float(tried[int(np.argmin([cost(t) for t in tried]))]), 3)
    return result


def photos(paths: list[Path], detector: Detector, reader: Reader) -> dict[str, Any]:
    """Labelled photos (never trained or tuned on): corners right, asked, wrong and missed, and sure peaks elsewhere."""
    total = {"corners": 0, "right": 0, "best_right": 0, "asked": 0, "silent": 0, "missed": 0, "elsewhere_sure": 0}
    faults: list[str] = []
    for path in paths:
        about = json.loads(path.read_text())
        image = cv2.imread(str(path.parent / about["image"]), cv2.IMREAD_COLOR)
        height, width = image.shape[:2]
        rows = np.zeros((len(about["indices"]), 8))
        for row, each in zip(rows, about["indices"], strict=True):
            row[[X, Y]] = each["x"] * width, each["y"] * height
            row[HEIGHT] = max(each["w"] * width, each["h"] * height) * 0.95
            row[CARD] = [str(c) for c in DECK].index(each["card"])
        founds = detector.find(image)
        sizes = sorted(f.size for f in founds) or [BEST_HEIGHT]
        founds = detector.find(image, BEST_HEIGHT / sizes[len(sizes) // 2])
        reads = reader.read(image, founds)
        pairs = pair(rows, founds)
        for each, row, j in zip(about["indices"], rows, pairs, strict=True):
            what = outcome(row, reads[j] if j >= 0 else None)
            total["corners"] += 1
            total[what] += 1
            total["best_right"] += j >= 0 and str(reads[j].card) == each["card"]
            if what != "right":
                best = [(str(c), round(p, 3)) for c, p in reads[j].candidates[:2]] if j >= 0 else []
                why = f"reject {reads[j].reject:.2f} score {founds[j].score:.2f}" if j >= 0 else ""
                where = f"({row[X]:.0f},{row[Y]:.0f})"
                faults.append(f"{path.stem} {each['card']} at {where} {what} {best} {why}")
        for j in set(range(len(founds))) - set(pairs):
            if reads[j].confidence >= SURE:
                total["elsewhere_sure"] += 1
                faults.append(f"{path.stem} elsewhere {reads[j].card} at ({founds[j].x:.0f},{founds[j].y:.0f})")
    return {**total, "faults": faults}


def main() -> None:
    """Print the figures; with ``--calibrate`` fit the temperatures on *those* scenes first and store them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=Path, default=Path("assets/models"))
    parser.add_argument("--scenes", type=Path, nargs="*", default=[])
    parser.add_argument("--calibrate", type=Path, nargs="*", default=[])
    parser.add_argument("--photos", type=Path, nargs="*", default=[])
    parser.add_argument("--store", action="store_true", help="write the figures into models.json")
    args = parser.parse_args()
    cv2.setNumThreads(0)
    about = args.models / "models.json"

    def load() -> tuple[Detector, Reader]:
        return Detector(args.models / "detector.onnx"), Reader(args.models / "reader.onnx")

    facts = json.loads(about.read_text()) if about.exists() else {}
    if args.calibrate:
        facts.setdefault("reader", {}).update(fit_temperatures(SceneStore(args.calibrate), *load()))
        about.write_text(json.dumps(facts, indent=2) + "\n")
    figures: dict[str, Any] = {}
    if args.scenes:
        figures["held_out"] = measure(SceneStore(args.scenes), *load())
    if args.photos:
        figures["photos"] = photos(args.photos, *load())
    json.dump(figures, sys.stdout, indent=1)
    print()
    if args.store:
        facts["metrics"] = {**facts.get("metrics", {}), **figures}
        about.write_text(json.dumps(facts, indent=2) + "\n")


if __name__ == "__main__":
    main()
