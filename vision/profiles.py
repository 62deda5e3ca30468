"""A deck profile: what a venue's own deck looks like, in one file that every table can be handed.

The file is a zip of ``profile.json`` and one small picture for each crop that was enrolled. Nothing a network made is
kept: what the reader knows of the crops is worked out again when the file is opened, so that a profile outlives its
models. It is checked as a stranger's file would be: nothing is unpacked before its size is known.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from engine.cards import DECK, Card
from vision.errors import CannotSee
from vision.quiet import decoded

FORMAT: Final = 1
KIND: Final = "guandan-deck"
CROP_WIDTH: Final = 60
CROP_HEIGHT: Final = 84
"""A crop is half as large again as the reader's patch, at the same scale: room to turn and shift it."""
MOST_BYTES: Final = 8 << 20
MOST_CROPS: Final = 1200
MOST_CROP_BYTES: Final = 48 << 10
MOST_TEXT_BYTES: Final = 256 << 10
DAMAGED: Final = (KeyError, ValueError, TypeError, RuntimeError, NotImplementedError, EOFError, OverflowError)
"""Members missing, numbers that are none, a crop that was cut short, a zip of a kind we never write."""
_CROP_NAME: Final = re.compile(r"crops/[0-9]{4}\.png")
INDEX_MM: Final = (4.0, 40.0)
WIDTH_MM: Final = (50.0, 70.0)


@dataclass(frozen=True)
class Crop:
    """One index as it was seen: (84, 60, 3) BGR uint8, upright, the index 42 px high; *look* numbers the showing."""

    card: Card
    image: np.ndarray
    look: int = 0


@dataclass(frozen=True)
class DeckProfile:
    """A venue's own deck."""

    name: str
    crops: tuple[Crop, ...]
    index_mm: float | None = None
    """Height of its plain indices in millimetres, where the mat told the scale."""
    width_mm: float | None = None
    """Width of its cards, where both corners of some were seen."""
    made: str = ""
    """When it was enrolled, ISO date."""
    proof: Mapping[str, Any] = field(default_factory=dict)
    """What the proof came to: ``{"looks":…,"right":…,"asked":…,"wrong":…}``."""

    @property
    def cards(self) -> frozenset[Card]:
        """The faces that it knows."""
        return frozenset(crop.card for crop in self.crops)

    @property
    def missing(self) -> tuple[Card, ...]:
        """The faces that it does not know, in the deck's order."""
        known = self.cards
        return tuple(card for card in DECK if card not in known)

    def save(self, path: str | Path) -> Path:
        """Write the profile; the file appears complete or not at all.

        :raises OSError: when it cannot be written.
        """
        path = Path(path)
        about = {
            "kind": KIND, "format": FORMAT, "name": self.name, "made": self.made, "index_mm": self.index_mm,
            "width_mm": self.width_mm, "proof": dict(self.proof),
            "crops": [
                {"file": f"crops/{number:04d}.png", "card": crop.card.name, "look": crop.look}
                for number, crop in enumerate(self.crops)
            ],
        }  # fmt: skip
        held = io.BytesIO()
        with zipfile.ZipFile(held, "w", zipfile.ZIP_STORED) as box:
            # A fixed date: the same deck gives the same file.
            box.writestr(zipfile.ZipInfo("profile.json"), json.dumps(about, ensure_ascii=False, indent=1))
            for number, crop in enumerate(self.crops):
                data = cv2.imencode(".png", crop.image, [cv2.IMWRITE_PNG_COMPRESSION, 9])[1].tobytes()
                box.writestr(zipfile.ZipInfo(f"crops/{number:04d}.png"), data)
        part = path.with_name(f".{path.name}.part")
        part.write_bytes(held.getvalue())
        part.replace(path)
        return path

    @staticmethod
    def load(path: str | Path) -> DeckProfile:
        """The profile in the file at *path*.

        :raises CannotSee: with one sentence, when there is no such file or it is no whole profile.
        """
        path = Path(path)
        if not path.exists():
            raise CannotSee("profile_missing", file=path)
        if not path.is_file():
            raise CannotSee("profile_none", file=path)
        if path.stat().st_size > MOST_BYTES:
            raise CannotSee("profile_large", file=path, most=MOST_BYTES >> 20)
        try:
            with zipfile.ZipFile(path) as box:
                return _opened(box, path)
        except zipfile.BadZipFile:
            raise CannotSee("profile_none", file=path) from None
        except DAMAGED:
            raise CannotSee("profile_damaged", file=path) from None


def name_in(path: Path) -> str:
    """What the profile in *path* calls itself, "" where it is none; nothing is unpacked but its text."""
    try:
        with zipfile.ZipFile(path) as box:
            about = json.loads(_member(box, "profile.json", MOST_TEXT_BYTES).decode("utf-8"))
        name = str(about["name"]) if about["kind"] == KIND else ""
    except (OSError, zipfile.BadZipFile, *DAMAGED):
        return ""
    return "".join(letter for letter in name if letter.isprintable())[:80]


def _opened(box: zipfile.ZipFile, path: Path) -> DeckProfile:
    if len(box.infolist()) > MOST_CROPS + 1:
        raise CannotSee("profile_damaged", file=path)
    about = json.loads(_member(box, "profile.json", MOST_TEXT_BYTES).decode("utf-8"))
    if not isinstance(about, dict) or about.get("kind") != KIND:
        raise CannotSee("profile_none", file=path)
    if about.get("format") != FORMAT:
        raise CannotSee("profile_newer", file=path, format=about.get("format"))
    crops = []
    for entry in about["crops"]:
        if not _CROP_NAME.fullmatch(entry["file"]):
            raise ValueError(entry["file"])
        data = np.frombuffer(_member(box, entry["file"], MOST_CROP_BYTES), np.uint8)
        # The size stands in a PNG's header: a small file that would unpack to a huge picture is not decoded.
        if data[12:24].tobytes() != b"IHDR" + CROP_WIDTH.to_bytes(4, "big") + CROP_HEIGHT.to_bytes(4, "big"):
            raise ValueError(entry["file"])
        image = decoded(data, cv2.IMREAD_COLOR)
        if image is None or image.shape != (CROP_HEIGHT, CROP_WIDTH, 3):
            raise ValueError(entry["file"])
        crops.append(Crop(Card.parse(str(entry["card"])), image, int(entry.get("look", 0))))
    if not crops:
        raise ValueError("no crops")
    proof = about.get("proof") or {}
    return DeckProfile(
        str(about.get("name", ""))[:80], tuple(crops), _length(about.get("index_mm"), INDEX_MM),
        _length(about.get("width_mm"), WIDTH_MM), str(about.get("made", ""))[:40], dict(proof),
    )  # fmt: skip


def _member(box: zipfile.ZipFile, name: str, most: int) -> bytes:
    if box.getinfo(name).file_size > most:
        raise ValueError(name)
    with box.open(name) as file:
        data = file.read(most + 1)  # a header may lie about the size
    if len(data) > most:
        raise ValueError(name)
    return data


def _length(value: Any, allowed: tuple[float, float]) -> float | None:
    if value is None:
        return None
    if not allowed[0] <= float(value) <= allowed[1]:
        raise ValueError(value)
    return float(value)


def few(crops: Mapping[Card, list[Crop]], most: int = 8, most_joker: int = 30) -> tuple[Crop, ...]:
    """At most *most* crops of each card, spread over the looks it was shown in, in the deck's order."""
    chosen: list[Crop] = []
    for card in DECK:
        looks: Counter[int] = Counter()
        turn: list[tuple[int, int, int]] = []
        for crop in crops.get(card, ()):
            turn.append((looks[crop.look], crop.look, len(turn)))
            looks[crop.look] += 1
        chosen.extend(crops[card][place] for _, _, place in sorted(turn)[: most_joker if card.is_joker else most])
    return tuple(chosen)
