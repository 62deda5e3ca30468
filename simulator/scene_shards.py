"""Many training scenes on disk: shards that two processes write and any number of readers load.

A shard ``scenes-00012.npz`` holds ``jpeg`` (all pictures' bytes one after another), ``starts`` (their offsets, one more
than pictures) and ``labels`` (float32 rows: scene, card index, x, y, angle, height, visible, rank_visible).  Shard *k*
of a seed is always the same scenes, whatever was written before it.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Literal

import cv2
import numpy as np

from engine.cards import DECK
from simulator.art.indexed import IndexedDeck
from simulator.scenes import IndexLabel, Scene, render_scene

SHARD = 50
"""Scenes in a shard."""

Kind = Literal["training", "held out", "own"]
KINDS: Final[tuple[Kind, ...]] = ("training", "held out", "own")
"""What scenes are made of: all designs that may be learned, those that never are, the two that ship."""


def pool(rng: np.random.Generator, kind: Kind = "training") -> list[IndexedDeck]:
    """The decks of one shard: some of Debian's designs and freshly drawn ones, the held-out ones, or our own."""
    from simulator.art import OWN_DESIGNS, debian, drawn
    from simulator.art.own_indices import own_indexed

    if kind == "own":
        return [own_indexed(name) for name in OWN_DESIGNS]
    if kind == "held out":
        return debian.held_out_decks() + [drawn.held_out_deck(int(seed)) for seed in rng.integers(1 << 30, size=2)]
    names = debian.training_names()
    designs = [debian.deck(names[int(i)]) for i in rng.permutation(len(names))[:4]]
    if rng.random() < 0.5:
        designs[0] = own_indexed(str(rng.choice(OWN_DESIGNS)))
    strangers = [drawn.joker_deck(int(seed)) for seed in rng.integers(1 << 30, size=16)]
    return designs + [drawn.drawn_deck(int(seed)) for seed in rng.integers(1 << 30, size=6)] + strangers


def write(
    count: int,
    seed: int,
    out: Path,
    kind: Kind = "training",
    size: int = 640,
    processes: int = 2,
    jokers: float = 0.13,
) -> None:
    """Writes shards until there are *count* scenes in *out*; those already there are kept."""
    out.mkdir(parents=True, exist_ok=True)
    wanted = [
        (k, seed, out, kind, size, jokers) for k in range((count + SHARD - 1) // SHARD) if not _path(out, k).exists()
    ]
    started, done = time.monotonic(), 0
    with multiprocessing.get_context("spawn").Pool(processes) as workers:
        for _ in workers.imap_unordered(_write_shard, wanted):
            done += SHARD
            print(
                f"{done} of {len(wanted) * SHARD} scenes, {done / (time.monotonic() - started):.1f} a second",
                flush=True,
            )


def _path(out: Path, number: int) -> Path:
    return out / f"scenes-{number:05d}.npz"


def _write_shard(job: tuple[int, int, Path, Kind, int, float]) -> int:
    number, seed, out, kind, size, jokers = job
    cv2.setNumThreads(1)
    rng = np.random.default_rng([seed, number, KINDS.index(kind)])
    cv2.setRNGSeed(int(rng.integers(1 << 30)))
    decks = pool(rng, kind)
    pictures, rows = [], []
    for scene_number in range(SHARD):
        scene = render_scene(rng, decks, size, jokers=jokers)
        flags = [cv2.IMWRITE_JPEG_QUALITY, 97, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444]
        pictures.append(np.frombuffer(cv2.imencode(".jpg", scene.image, flags)[1].tobytes(), np.uint8))
        for each in scene.indices:
            place = [each.x, each.y, each.angle, each.height]
            rows.append([scene_number, each.card.index, *place, each.visible, each.rank_visible])
    starts = np.cumsum([0] + [len(picture) for picture in pictures])
    temporary = out / f".writing-{number}-{os.getpid()}.npz"
    labels = np.array(rows, np.float32).reshape(-1, 8)
    np.savez(temporary, jpeg=np.concatenate(pictures), starts=starts, labels=labels)
    temporary.replace(_path(out, number))
    return number


def read_shard(path: Path) -> Iterator[Scene]:
    """The scenes of one shard."""
    with np.load(path) as data:
        jpeg, starts, labels = data["jpeg"], data["starts"], data["labels"]
    for number in range(len(starts) - 1):
        image: Any = cv2.imdecode(jpeg[starts[number] : starts[number + 1]], cv2.IMREAD_COLOR)
        rows = labels[labels[:, 0] == number]
        yield Scene(image, [IndexLabel(DECK[int(row[1])], *(float(value) for value in row[2:])) for row in rows])
