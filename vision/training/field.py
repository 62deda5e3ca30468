"""Crops from real tables for the reader's fine-tuning: what ``guandan training-data export DIR`` wrote.

``FieldCrops([DIR, …]).batch(rng, n)`` gives patches and labels as ``reader_data.PatchPool`` does, to be
mixed into its batches.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from engine.cards import Card
from vision.enrolment.crops import vary
from vision.profiles import CROP_HEIGHT, CROP_WIDTH, DeckProfile
from vision.training.reader_data import labels

KIND: Final = "guandan-field-crops"
_NAME: Final = re.compile(r"[0-9a-f]{64}\.png")


class FieldCrops:
    """The labelled crops of some folders, or of deck profiles that venues handed on.

    :raises ValueError: naming the folder that is none of ours.
    """

    def __init__(self, sources: list[Path]) -> None:
        self._crops: list[np.ndarray] = []
        self._cards: list[Card] = []
        for source in sources:
            if source.is_file():
                for crop in DeckProfile.load(source).crops:
                    self._add(crop.image, crop.card)
            else:
                self._read(source)
        if not self._crops:
            raise ValueError(f"no crops in {', '.join(map(str, sources))}")

    def _add(self, image: np.ndarray, card: Card) -> None:
        self._crops.append(image)
        self._cards.append(card)

    def _read(self, folder: Path) -> None:
        path = folder / "manifest.json"
        about = json.loads(path.read_text("utf-8")) if path.exists() else {}
        if about.get("kind") != KIND:
            raise ValueError(f"{folder}: no manifest.json of exported training data")
        for each in about["labels"]:
            if not _NAME.fullmatch(each["file"]):
                raise ValueError(f"{path}: {each['file']!r} is no crop's name")
            image = cv2.imread(str(folder / each["file"]), cv2.IMREAD_COLOR)
            if image is None or image.shape != (CROP_HEIGHT, CROP_WIDTH, 3):
                raise ValueError(f"{folder / each['file']}: no crop of {CROP_WIDTH} x {CROP_HEIGHT} pixels")
            self._add(image, Card.parse(each["card"]))

    def __len__(self) -> int:
        return len(self._crops)

    def mixed(
        self, rng: np.random.Generator, patches: np.ndarray, names: np.ndarray, poses: np.ndarray, share: float
    ) -> None:
        """Replace *share* of a batch's rows in place; nobody knows these crops' true poses: those rows become NaN."""
        count = round(share * len(patches))
        if count:
            patches[:count], names[:count] = self.batch(rng, count)
            poses[:count] = np.nan

    def batch(self, rng: np.random.Generator, size: int) -> tuple[np.ndarray, np.ndarray]:
        """*size* patches (n, 3, 56, 40) uint8, varied, and (rank, suit) classes; each card as likely as others."""
        cards = sorted(set(self._cards))
        places = {card: [k for k, each in enumerate(self._cards) if each is card] for card in cards}
        chosen = [int(rng.choice(places[cards[int(rng.integers(len(cards)))]])) for _ in range(size)]
        patches = np.stack([vary(rng, self._crops[k], 0.7) for k in chosen])
        names = np.array([labels(self._cards[k].index) for k in chosen], np.int64)
        return patches.transpose(0, 3, 1, 2), names
