"""Checkpoints to ONNX files: ``python -m vision.training.export --cache DIR --out assets/models``.

The graphs take uint8 pictures as they come from the camera, rows of BGR pixels, and do every conversion themselves.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import warnings
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from vision.reader import PATCH_HEIGHT, PATCH_WIDTH
from vision.training.models import DetectorNet, ReaderNet, count

OPSET = 13
READER_OUTPUTS = ("ranks", "suits", "features", "poses")


class DetectorGraph(nn.Module):
    """uint8 (1, H, W, 3) to (1, 6, H/4, W/4) with the heat as 0..1."""

    def __init__(self, net: DetectorNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, image: Tensor) -> Tensor:
        out = self.net(image.permute(0, 3, 1, 2).float())
        return torch.cat([torch.sigmoid(out[:, :1]), out[:, 1:]], 1)


class ReaderGraph(nn.Module):
    """uint8 (n, 56, 40, 3) to rank logits (n, 15), suit logits (n, 6), the 144 features both are made of, and the
    pose's error (n, 4)."""

    def __init__(self, net: ReaderNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, patches: Tensor) -> tuple[Tensor, ...]:
        rank, suit, pose = self.net.features(patches.permute(0, 3, 1, 2).float())
        return self.net.rank[2](rank), self.net.suit[2](suit), torch.cat([rank, suit], 1), self.net.pose[2](pose)


def export_net(kind: str, checkpoint: Path, out: Path) -> dict[str, Any]:
    """Write *kind*'s averaged weights from *checkpoint* to *out*; facts for ``models.json``."""
    state = torch.load(checkpoint, weights_only=True)
    net = DetectorNet() if kind == "detector" else ReaderNet()
    net.load_state_dict(state["average"])
    net.eval()
    part = out.with_suffix(".part")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if kind == "detector":
            torch.onnx.export(
                DetectorGraph(net), (torch.zeros(1, 256, 256, 3, dtype=torch.uint8),), str(part), opset_version=OPSET,
                dynamo=False, input_names=["image"], output_names=["maps"],
                dynamic_axes={"image": {1: "height", 2: "width"}, "maps": {2: "rows", 3: "columns"}},
            )  # fmt: skip
        else:
            torch.onnx.export(
                ReaderGraph(net), (torch.zeros(2, PATCH_HEIGHT, PATCH_WIDTH, 3, dtype=torch.uint8),), str(part),
                opset_version=OPSET, dynamo=False, input_names=["patches"], output_names=list(READER_OUTPUTS),
                dynamic_axes={name: {0: "n"} for name in ("patches", *READER_OUTPUTS)},
            )  # fmt: skip
    part.rename(out)
    return {
        "file": out.name,
        "bytes": out.stat().st_size,
        "sha256": hashlib.sha256(out.read_bytes()).hexdigest(),
        "parameters": count(net),
        "samples": state["samples"],
        "training_minutes": round(state["spent"] / 60, 1),
    }


def main() -> None:
    """Export what has a checkpoint and keep the other facts of ``models.json``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only", choices=["detector", "reader"])
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    about = args.out / "models.json"
    facts = json.loads(about.read_text()) if about.exists() else {}
    for kind in ("detector", "reader"):
        checkpoint = args.cache / f"{kind}.pt"
        if checkpoint.exists() and args.only in (None, kind):
            facts[kind] = {**facts.get(kind, {}), **export_net(kind, checkpoint, args.out / f"{kind}.onnx")}
            print(json.dumps({kind: facts[kind]}))
    about.write_text(json.dumps(facts, indent=2) + "\n")


if __name__ == "__main__":
    main()
