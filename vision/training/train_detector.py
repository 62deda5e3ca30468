"""Train the detector on stored scenes: ``python -m vision.training.train_detector --scenes DIR --cache DIR``."""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor

from vision.training.detector_data import DIRECTION, HEAT, HEAT_WEIGHT, OFFSET, SHAPE_WEIGHT, SIZE, batch
from vision.training.loop import Run
from vision.training.models import DetectorNet, count
from vision.training.store import SceneStore


def losses(out: Tensor, maps: Tensor) -> dict[str, Tensor]:
    """Focal loss of the heat, absolute error of offset and size, squared error of the direction; each per index."""
    out = out.float()
    logit, target, weight = out[:, 0], maps[:, HEAT], maps[:, HEAT_WEIGHT]
    heat = torch.sigmoid(logit)
    wanted = target >= 0.999
    gain = (1 - heat) ** 2 * F.logsigmoid(logit)
    punish = (1 - target) ** 4 * heat**2 * F.logsigmoid(-logit)
    indices = wanted.sum().clamp(min=1)
    focal = -(weight * torch.where(wanted, gain, punish)).sum() / indices
    share = maps[:, SHAPE_WEIGHT]
    total = share.sum().clamp(min=1)
    offset = ((out[:, 1:3] - maps[:, OFFSET]).abs().sum(1) * share).sum() / total
    direction = (((out[:, 3:5] - maps[:, DIRECTION]) ** 2).sum(1) * share).sum() / total
    size = ((out[:, 5] - maps[:, SIZE]).abs() * share).sum() / total
    return {"heat": focal, "offset": offset, "up": direction, "size": size}


def main() -> None:
    """Train until ``--crops`` crops were seen; started again it goes on from its checkpoint."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=Path, nargs="+", required=True)
    parser.add_argument("--cache", type=Path, required=True, help="folder for the checkpoint")
    parser.add_argument("--crops", type=int, default=250_000)
    parser.add_argument("--batch", type=int, default=24)
    parser.add_argument("--rate", type=float, default=2.5e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    import cv2

    cv2.setNumThreads(0)
    store = SceneStore(args.scenes)
    run = Run(DetectorNet(), args.cache, "detector", args.crops, args.rate, args.seed)
    print(f"detector: {count(run.net)} parameters, {len(store)} scenes", flush=True)
    run.net.train()
    while not run.done:
        if run.steps % 100 == 0:
            store.refresh(most=2)
        crops, maps = batch(run.rng, store, args.batch)
        images = torch.from_numpy(crops).float().contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16):
            out = run.net(images)
        parts = losses(out, torch.from_numpy(maps))
        loss = parts["heat"] + 0.3 * parts["offset"] + 0.6 * parts["up"] + 0.4 * parts["size"]
        run.step(loss, args.batch, **parts)


if __name__ == "__main__":
    main()
