"""What the eye costs: processor time for a settled play and for watching, memory, and what that means for a Pi.

``python -m benchmarks.eye_cost [--plays 40]``: pictures of a 12-megapixel camera (4608x2592, small stream 640x360) are
drawn first and kept; then a process of its own, with one thread, runs the eye alone over them. Beside it, in the same
run, a nano detector over the whole frame (random weights: only its time counts). ``benchmarks/results/eye_cost.json``.

*Settled play* is the processor time of all steps in which stills of a play are read: three stills, their votes, the
verdict. Memory is what the process holds at most without the benchmark's own pictures.
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


def draw(path: Path, plays: int, seed: int) -> None:
    """Film *plays* of a robot match: the small stream, and the still of each time at which cards lie."""
    import cv2

    from simulator.art import Deck
    from simulator.camera import VirtualCamera
    from simulator.world import World
    from table.headless import PACE
    from table.virtual import record_of

    world = World(record_of(seed, 1, "championship", 2), [Deck.own("river")], seed, PACE)
    now = [0.0]
    camera = VirtualCamera(world, lambda: now[0], SIZE, seed=seed)
    shown = [each for each in world.truth if each.do == "play"][:plays]
    waiting = [each.clear + 0.1 for each in shown]
    small = []
    large = {0: _coded(camera.still().image)}
    while now[0] < shown[-1].clear + 1.5:
        now[0] = round(now[0] + 0.1, 3)
        frame = camera.motion()
        if frame is None:
            break
        if waiting and now[0] >= waiting[0]:
            waiting.pop(0)
            large[len(small)] = _coded(camera.still().image)
        small.append((frame.t, cv2.imencode(".png", frame.image)[1]))
    path.write_bytes(pickle.dumps((small, large)))


def _coded(image: np.ndarray) -> np.ndarray:
    import cv2

    return np.asarray(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 97])[1])


class Replay:
    """The drawn pictures as a camera; :meth:`fetch` decodes the next ones before the eye's clock runs."""

    def __init__(self, path: Path) -> None:
        self.small, self.large = pickle.loads(path.read_bytes())  # drawn by this file
        self.at, self.read, self.t = -1, 0, 0.0
        self._still: tuple[int, np.ndarray] = (-1, np.empty(0))
        self._motion = np.empty(0)

    def fetch(self) -> bool:
        import cv2

        self.at += 1
        if self.at >= len(self.small):
            return False
        self.t, coded = self.small[self.at]
        self._motion = cv2.imdecode(coded, cv2.IMREAD_COLOR)
        last = max(k for k in self.large if k <= self.at)
        if self._still[0] != last:
            self._still = (last, cv2.imdecode(self.large[last], cv2.IMREAD_COLOR))
        return True

    def motion(self) -> Any:
        from vision.camera import Frame

        return Frame(self.t, self._motion)

    def still(self, box: Any = None) -> Any:
        from vision.camera import Frame, cut

        self.read += 1
        return cut(Frame(self.t, self._still[1]), box)

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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plays", type=int, default=40)
    parser.add_argument("--seed", type=int, default=77)
    parser.add_argument("--pictures", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.pictures:
        print(json.dumps(measure(args.pictures)))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pictures.pickle"
        draw(path, args.plays, args.seed)
        command = [sys.executable, "-m", "benchmarks.eye_cost", "--pictures", str(path)]
        done = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, check=True, env={**os.environ, "OMP_NUM_THREADS": "1"}
        )
    figures = json.loads(done.stdout)
    result = {"machine": platform.machine(), "load": os.getloadavg()[0], **figures, "estimates": estimates(figures)}
    RESULTS.write_text(json.dumps(result, indent=1) + "\n", "utf-8")
    print(json.dumps(result, indent=1))
    kept = figures["settled_play_ms"]["p50"] <= 40 and figures["settled_play_ms"]["p95"] <= 60
    return 0 if kept and figures["watching_ms"]["p50"] <= 2 and figures["resident_mb"]["eye"] <= 350 else 1


if __name__ == "__main__":
    sys.exit(main())
