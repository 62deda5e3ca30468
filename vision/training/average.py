"""The weighted mean of two exported readers: ``python -m vision.training.average EARLIER LATER --out FILE``.

A network that went on learning and the one it went on from lie in one valley; between them is often a better one than
either (Wortsman et al. 2022, *Model soups*): less sure of what only one of them believes, and as quick.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path

import onnx
from onnx import numpy_helper


def average(earlier: Path, later: Path, share: float, out: Path) -> None:
    """Write to *out* the network whose weights are (1 - *share*) of *earlier*'s and *share* of *later*'s, 0..1.

    :raises ValueError: when the two are not of one shape.
    """
    mean, other = onnx.load(earlier), onnx.load(later)
    theirs = {tensor.name: numpy_helper.to_array(tensor) for tensor in other.graph.initializer}
    for tensor in mean.graph.initializer:
        own = numpy_helper.to_array(tensor)
        if tensor.name not in theirs or theirs[tensor.name].shape != own.shape:
            raise ValueError(f"{tensor.name}: {earlier} and {later} are not networks of one shape")
        if own.dtype.kind == "f":
            mixed = ((1 - share) * own + share * theirs[tensor.name]).astype(own.dtype)
            tensor.CopyFrom(numpy_helper.from_array(mixed, tensor.name))
    part = out.with_suffix(".part")
    onnx.save(mean, part)
    part.rename(out)


def main() -> None:
    """Average two exported readers and note what came of them in ``models.json`` beside the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("earlier", type=Path)
    parser.add_argument("later", type=Path)
    parser.add_argument("--share", type=float, default=0.7, help="the later one's")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    average(args.earlier, args.later, args.share, args.out)
    about = args.out.with_name("models.json")
    facts = json.loads(about.read_text()) if about.exists() else {}
    ours = {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in (args.earlier, args.later, args.out)}
    facts.setdefault("reader", {}).update(
        bytes=args.out.stat().st_size,
        sha256=ours[args.out],
        mean_of=[[ours[args.earlier], round(1 - args.share, 3)], [ours[args.later], args.share]],
    )
    about.write_text(json.dumps(facts, indent=2) + "\n")


if __name__ == "__main__":
    main()
