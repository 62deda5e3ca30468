"""What the eye costs: processor time for a settled play and for watching, memory, and what that means for a Pi.

``python -m benchmarks.eye_cost [--plays 40] [--runs 3]``: pictures of a 12-megapixel camera (4608x2592, small stream
640x360) are drawn first and kept, of the stills what the eye asks for; then processes of their own, with one thread,
run the eye alone over them, and of their figures the medians stand here. Beside it, in the same run, a nano detector
over the whole frame (random weights: only its time counts). ``benchmarks/results/eye_cost.json``.

*Settled play* is the processor time of all steps in which stills of a play are read: three stills, their votes, the
verdict. Memory is what the process holds at most without the benchmark's own pictures. Other programs on the machine
make processor time dearer (they share its caches and clock): ``load`` says how many there were.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import platform
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results" / "eye_cost.json"
SIZE = (4608, 2592)
SLOWER = {"Pi 4": (6.0, 10.0), "Pi 5": (2.2, 3.5)}
"""How many times one core of a Pi takes as long as one of this machine, plain code and convolutions: from published
single-core scores (about 300 and 800 against 1,800) and runs of small networks on one core (4 and 12 GMAC a second
against the 40 measured here). Estimates: nothing here was run on a Pi."""
BEST_PX, INDEX_MM = 28.0, 11.4


class Filming:
    """A camera that keeps what it gives: the small stream, and of the stills what was asked for."""

    def __init__(self, camera: Any) -> None:
        self.camera = camera
        self.small: list[tuple[float, np.ndarray]] = []
        self.stills: dict[int, list[tuple[tuple[int, int], np.ndarray]]] = {}

    def motion(self) -> Any:
        frame = self.camera.motion()
        if frame is not None:
            self.small.append((frame.t, _coded(frame.image)))
        return frame

    def still(self, box: Any = None) -> Any:
        frame = self.camera.still(box)
        self.stills.setdefault(len(self.small) - 1, []).append((frame.origin, _coded(frame.image)))
        return frame

    def close(self) -> None: ...


def draw(path: Path, plays: int, seed: int) -> None:
    """Film *plays* of a robot match; the eye watches, so that every still is kept that it asks for."""
    from simulator.art import Deck
    from simulator.camera import VirtualCamera
    from simulator.world import World
    from table.headless import PACE
    from table.virtual import FRAME, record_of
    from vision.detector import Detector
    from vision.eye import Eye
    from vision.reader import Reader

    world = World(record_of(seed, 1, "championship", 2), [Deck.own("river")], seed, PACE)
    now = [0.0]
    film = Filming(VirtualCamera(world, lambda: now[0], SIZE, seed=seed))
    eye = Eye(Detector(), Reader())
    shown = [each for each in world.truth if each.do == "play"][:plays]
    while now[0] < shown[-1].clear + 1.5:
        now[0] = round(now[0] + FRAME, 3)
        eye.step(film)
    path.write_bytes(pickle.dumps((film.small, film.stills)))


def _coded(image: np.ndarray) -> np.ndarray:
    import cv2

    return np.asarray(cv2.imencode(".png", image)[1])


class Replay:
    """The film as a camera; :meth:`fetch` decodes a frame and its stills before the eye's clock runs."""

    def __init__(self, path: Path) -> None:
        self.small, self.stills = pickle.loads(path.read_bytes())  # drawn by this file
        self.at, self.read = -1, 0
        self._motion: Any = None
        self._stills: list[Any] = []

    def fetch(self) -> bool:
        import cv2

        from vision.camera import Frame

        self.at += 1
        if self.at >= len(self.small):
            return False
        t, coded = self.small[self.at]

        def shown(coded: np.ndarray) -> np.ndarray:
            return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR))

        self._motion = Frame(t, shown(coded))
        self._stills = [Frame(t, shown(part), origin, SIZE) for origin, part in self.stills.get(self.at, ())]
        return True

    def motion(self) -> Any:
        return self._motion

    def still(self, box: Any = None) -> Any:
        self.read += 1
        for still in self._stills:
            x0, y0 = still.origin
            if box is None or (box[0] >= x0 and box[1] >= y0 and box[2] <= x0 + still.image.shape[1]
                               and box[3] <= y0 + still.image.shape[0]):  # fmt: skip
                return still
        raise LookupError(f"the film has no still of frame {self.at} that shows {box}")

    def close(self) -> None: ...


def measure(path: Path) -> dict[str, Any]:
    """Run the eye over the pictures; processor times in ms, memory in MB. To be called in a fresh process."""
    import cv2

    cv2.setNumThreads(1)
    from vision.detector import Detector
    from vision.eye import Eye
    from vision.observations import Laid
    from vision.reader import Reader

    before = _resident()
    camera = Replay(path)
    camera.fetch()
    pictures = _resident() - before
    eye = Eye(Detector(), Reader())
    plays, watching = [], []
    waiting, cards, most = 0.0, 0, 0.0
    while camera.at < len(camera.small):
        read, began = camera.read, time.process_time()
        told = eye.step(camera)
        spent = 1000 * (time.process_time() - began)
        if camera.read == read:
            watching.append(spent)
        else:
            waiting += spent
        most = max(most, _resident())
        laid = [seen for seen in told if isinstance(seen, Laid)]
        if laid:
            plays.append(waiting)
            cards += sum(len(seen.cards) for seen in laid)
        if told:
            waiting = 0.0
        camera.fetch()
    return {
        "plays": len(plays), "cards": cards, "frames": len(watching),
        "settled_play_ms": _spread(plays[1:]), "watching_ms": _spread(watching),
        "resident_mb": {"eye": round(most - pictures), "process": round(most), "pictures of this run": round(pictures)},
        "whole_frame_nano": _nano(),
    }  # fmt: skip


def _nano(runs: int = 5) -> dict[str, Any]:
    """Processor time of a nano detector that sees every index of the whole frame as tall as ours are seen."""
    import onnxruntime

    from benchmarks.nano_model import nano

    scale = BEST_PX / (INDEX_MM * SIZE[1] / 789.0)
    width, height = (round(side * scale) // 32 * 32 for side in SIZE)
    model, work = nano(height, width)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    image = np.random.default_rng(1).random((1, 3, height, width), np.float32)
    session.run(None, {"image": image})
    began = time.process_time()
    for _ in range(runs):
        session.run(None, {"image": image})
    spent = 1000 * (time.process_time() - began) / runs
    return {"input": [width, height], "gmac": round(work, 1), "ms": round(spent, 1)}


def _resident() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def _spread(values: list[float]) -> dict[str, float]:
    ordered = sorted(values)
    return {
        name: round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 2)
        for name, share in (("p50", 0.5), ("p95", 0.95), ("most", 1.0))
    }


def estimates(figures: dict[str, Any]) -> dict[str, Any]:
    """The same on one core of a Pi, as a range, in ms."""
    found = {}
    for pi, (plain, networks) in SLOWER.items():
        play, watch = figures["settled_play_ms"]["p50"], figures["watching_ms"]["p50"]
        found[pi] = {"settled_play_ms": [round(play * plain), round(play * networks)],
                     "watching_ms": round(watch * plain, 1),
                     "whole_frame_nano_ms": round(figures["whole_frame_nano"]["ms"] * networks)}  # fmt: skip
    return found


def medians(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """Of figures that all *runs* have, those in the middle; numbers within dictionaries too."""
    found: dict[str, Any] = {}
    for name, first in runs[0].items():
        every = [run[name] for run in runs]
        if isinstance(first, dict):
            found[name] = medians(every)
        else:
            found[name] = first if isinstance(first, list) else sorted(every)[len(every) // 2]
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plays", type=int, default=40)
    parser.add_argument("--seed", type=int, default=77)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--pictures", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.pictures:
        print(json.dumps(measure(args.pictures)))
        return 0
    runs = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pictures.pickle"
        draw(path, args.plays, args.seed)
        command = [sys.executable, "-m", "benchmarks.eye_cost", "--pictures", str(path)]
        alone = {**os.environ, "OMP_NUM_THREADS": "1"}
        for _ in range(args.runs):
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, env=alone)
            runs.append(json.loads(done.stdout))
            print(json.dumps(runs[-1]["settled_play_ms"]), flush=True)
    figures = medians(runs)
    result = {"machine": platform.machine(), "load": round(os.getloadavg()[0], 1), "runs": len(runs), **figures,
              "estimates": estimates(figures)}  # fmt: skip
    RESULTS.write_text(json.dumps(result, indent=1) + "\n", "utf-8")
    print(json.dumps(result, indent=1))
    kept = figures["settled_play_ms"]["p50"] <= 40 and figures["settled_play_ms"]["p95"] <= 60
    return 0 if kept and figures["watching_ms"]["p50"] <= 2 and figures["resident_mb"]["eye"] <= 350 else 1


if __name__ == "__main__":
    sys.exit(main())
