"""Train the reader on stored scenes: ``python -m vision.training.train_reader --scenes DIR --cache DIR``."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from vision.training.field import FieldCrops
from vision.training.loop import Run
from vision.training.models import ReaderNet, count
from vision.training.reader_data import NO_SUIT, PatchPool
from vision.training.store import SceneStore


def main() -> None:
    """Train until ``--patches`` patches were seen; started again it goes on from its checkpoint."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=Path, nargs="+", required=True)
    parser.add_argument("--cache", type=Path, required=True, help="folder for the checkpoint")
    parser.add_argument("--patches", type=int, default=2_000_000)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--rate", type=float, default=2.5e-3)
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--field", type=Path, nargs="+", help="exported training data, deck profiles: real crops")
    parser.add_argument("--field-share", type=float, default=0.15, help="share of each batch that comes from them")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    import cv2

    cv2.setNumThreads(0)
    store = SceneStore(args.scenes)
    run = Run(ReaderNet(), args.cache, "reader", args.patches, args.rate, args.seed)
    pool = PatchPool(run.rng, store)
    print(f"reader: {count(run.net)} parameters, {len(store)} scenes", flush=True)
    field = FieldCrops(args.field) if args.field else None
    run.net.train()
    while not run.done:
        if run.steps % 50 == 0:
            store.refresh(most=2)
        patches, names, poses = pool.batch(args.batch)
        if field is not None:
            patches = np.ascontiguousarray(patches)
            field.mixed(run.rng, patches, names, poses, args.field_share)
        images = torch.from_numpy(patches).float().contiguous(memory_format=torch.channels_last)
        ranks, suits = torch.from_numpy(names[:, 0]), torch.from_numpy(names[:, 1])
        with torch.autocast("cpu", torch.bfloat16):
            rank_logits, suit_logits, off = run.net(images)
        rank = F.cross_entropy(rank_logits.float(), ranks, label_smoothing=0.01)
        suit = F.cross_entropy(suit_logits.float(), suits, ignore_index=NO_SUIT, label_smoothing=0.01)
        named = suits != NO_SUIT
        true = torch.from_numpy(poses)
        posed = named & ~torch.isnan(true).any(1)
        pose = F.smooth_l1_loss(off.float()[posed], true[posed], beta=0.5)
        wrong = ((rank_logits.argmax(1) != ranks) | ((suit_logits.argmax(1) != suits) & named)).float()[named].mean()
        run.step(rank + suit + pose, args.batch, rank=rank, suit=suit, pose=pose, wrong=wrong)


if __name__ == "__main__":
    main()
