"""Everything from scenes to figures in one command: ``python -m vision.training --work DIR``."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

MODELS = Path(__file__).resolve().parents[2] / "assets" / "models"


def run(module: str | Path, *arguments: str | Path) -> subprocess.Popen[bytes]:
    """Start ``python -m module`` beside this process."""
    return subprocess.Popen([sys.executable, "-m", *map(str, (module, *arguments))])


def finished(*started: subprocess.Popen[bytes]) -> None:
    """Wait for all; the first that failed ends everything."""
    codes = [process.wait() for process in started]
    if any(codes):
        sys.exit(next(code for code in codes if code))


def main() -> None:
    """Make what is missing in ``--work``, train, export, calibrate, measure; started again it goes on."""
    parser = argparse.ArgumentParser(prog="python -m vision.training", description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="folder for scenes and checkpoints (about 8 GB)")
    parser.add_argument("--out", type=Path, default=MODELS, help="where the models go")
    parser.add_argument("--scenes", type=int, default=4000)
    parser.add_argument("--held", type=int, default=200, help="scenes of held-out designs for the figures")
    parser.add_argument("--crops", type=int, default=290_000, help="what the detector sees")
    parser.add_argument("--patches", type=int, default=1_700_000, help="what the reader sees")
    args = parser.parse_args()
    work: Path = args.work
    training = [work / "scenes", work / "scenes-own"]
    calibration, held = work / "held-911", work / "held-912"
    for count, seed, out, kind in (
        (args.scenes, 1, training[0], "training"),
        (max(args.scenes // 16, 1), 3, training[1], "own"),
        (max(args.held // 2, 1), 911, calibration, "held out"),
        (args.held, 912, held, "held out"),
    ):
        wanted = ["--count", str(count), "--seed", str(seed), "--kind", kind]
        finished(run("simulator.scenes", *wanted, "--out", out))
    cache = work / "run"
    reader = ["vision.training.train_reader", "--scenes", *training, "--cache", cache, "--patches"]
    finished(
        run("vision.training.train_detector", "--scenes", *training, "--cache", cache, "--crops", str(args.crops)),
        run(*reader, str(args.patches // 2)),
    )
    finished(run("vision.training.export", "--cache", cache, "--out", args.out))
    finished(run("vision.training.mine", "--models", args.out, "--scenes", *training))
    finished(run(*reader, str(args.patches)))
    finished(run("vision.training.export", "--cache", cache, "--out", args.out))
    figures = ["--calibrate", calibration, "--scenes", held, "--store"]
    finished(run("vision.training.evaluate", "--models", args.out, *figures))


if __name__ == "__main__":
    main()
