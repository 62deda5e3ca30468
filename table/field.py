"""Field data: where somebody agreed to it, the corners of plays that people put right are kept as labelled crops.

Off until ``guandan training-data on``. Nothing leaves the machine by itself; ``training-data export`` writes a folder
that :mod:`vision.training.field` trains on. A crop shows one corner of one card, upright, 60 x 84 pixels.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from engine.cards import Card, parse_cards
from engine.errors import GuandanError, Impossible
from table.effects import Append, Effect
from vision.camera import Frame
from vision.detector import Found
from vision.enrolment.crops import cut_crop
from vision.evidence import up_in_picture
from vision.mat import View
from vision.observations import Laid, Observation, Revised, SeenCard

MOST: Final = 20_000
"""Crops on one machine: about 150 MB; then nothing more is kept."""
PLAYS: Final = 40
FORMAT: Final = 1


@dataclass(frozen=True)
class _Corner:
    image: np.ndarray
    seen: SeenCard


class Field:
    """The crops in *folder*; any thread may use it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._turn = threading.Lock()
        self._laid: dict[str, list[_Corner]] = {}
        self._plays: OrderedDict[int, list[_Corner]] = OrderedDict()
        self._by_eye: set[float] = set()
        """When the eye itself spoke: corrections of that very moment are its own, not a person's."""

    # -- consent ----------------------------------------------------------------------------------------------------

    @property
    def agreed(self) -> bool:
        """Whether somebody agreed that crops are kept."""
        return (self.folder / "agreed.json").exists()

    def agree(self, when: str) -> None:
        """Keep crops from now on; *when* is written down."""
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "agreed.json").write_text(json.dumps({"agreed": when}) + "\n", "utf-8")

    def stop(self) -> None:
        """Keep no more; what is there stays until it is forgotten."""
        (self.folder / "agreed.json").unlink(missing_ok=True)

    def forget(self) -> int:
        """Delete every crop; how many there were."""
        files = list(self.folder.glob("*.png")) if self.folder.is_dir() else []
        for path in files:
            path.unlink(missing_ok=True)
        (self.folder / "labels.jsonl").unlink(missing_ok=True)
        return len(files)

    def labels(self) -> list[dict[str, Any]]:
        """A line for each crop: file, card, what the reader thought, how it came to its name."""
        path = self.folder / "labels.jsonl"
        found = []
        for line in path.read_text("utf-8").splitlines() if path.exists() else ():
            with contextlib.suppress(ValueError):
                given = json.loads(line)
                if (self.folder / str(given.get("file"))).is_file():
                    found.append(given)
        return found

    @property
    def size(self) -> int:
        """Bytes of all crops."""
        return sum(path.stat().st_size for path in self.folder.glob("*.png")) if self.folder.is_dir() else 0

    # -- at the table -----------------------------------------------------------------------------------------------

    def noticed(
        self, observations: Sequence[Observation], stills: Sequence[Frame], view: View | None, index_mm: float
    ) -> None:
        """What the eye made of *stills*: the corners of new cards are remembered while they may be put right."""
        for each in observations:
            if isinstance(each, Laid | Revised):
                self._by_eye.add(each.t)
                if isinstance(each, Laid) and view is not None and self.agreed:
                    with self._turn:
                        self._laid[each.seat] = corners(each.cards, stills, view, index_mm)
        while len(self._by_eye) > 200:
            self._by_eye.remove(min(self._by_eye))

    def told(self, effects: Sequence[Effect]) -> None:
        """What the controller did: a play gets its corners, a correction by people names them."""
        for effect in effects:
            if not isinstance(effect, Append):
                continue
            event = effect.event
            if event.do == "play":
                with self._turn:
                    self._plays[event.seq] = self._laid.pop(str(event.data["seat"]), [])
                    while len(self._plays) > PLAYS:
                        self._plays.popitem(last=False)
            elif event.do == "match":
                self._plays.clear()
            elif event.do == "correct" and "cards" in event.data and effect.monotonic not in self._by_eye:
                self._corrected(event.data)

    def _corrected(self, data: Mapping[str, Any]) -> None:
        with self._turn:
            play = self._plays.get(int(data["event"]), [])
        if not play or not self.agreed:
            return
        with contextlib.suppress(OSError, GuandanError):  # a full disk costs crops, never the game
            for corner, card in named([corner.seen for corner in play], parse_cards(data["cards"])):
                self._keep(play[corner], card)

    def _keep(self, corner: _Corner, card: Card) -> None:
        with self._turn:
            path = self.folder / "labels.jsonl"
            if path.exists() and len(self.labels()) >= MOST:
                return
            data = cv2.imencode(".png", corner.image)[1].tobytes()
            name = f"{hashlib.sha256(data).hexdigest()}.png"
            (self.folder / name).write_bytes(data)
            line = {
                "file": name, "card": card.name, "read": corner.seen.card.name,
                "candidates": [[each.name, round(min(1.0, p), 4)] for each, p in corner.seen.candidates[:4]],
            }  # fmt: skip
            with path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")

    # -- out of the machine -----------------------------------------------------------------------------------------

    def export(self, out: Path) -> int:
        """Copy crops and labels to *out* with a ``manifest.json``; how many.

        :raises Impossible: when *out* holds other files.
        :raises OSError: when it cannot be written.
        """
        labels = self.labels()
        if out.is_dir() and any(out.iterdir()) and not (out / "manifest.json").exists():
            raise Impossible(str(out))
        out.mkdir(parents=True, exist_ok=True)
        for each in labels:
            (out / each["file"]).write_bytes((self.folder / each["file"]).read_bytes())
        count: dict[str, int] = {}
        for each in labels:
            count[each["card"]] = count.get(each["card"], 0) + 1
        about = {
            "kind": "guandan-field-crops", "format": FORMAT, "crops": len(labels),
            "by_card": dict(sorted(count.items())),
            "what": "corners of corrected plays: upright, 60 x 84 pixels, the index about 42 pixels high",
            "labels": labels,
        }  # fmt: skip
        (out / "manifest.json").write_text(json.dumps(about, ensure_ascii=False, indent=1) + "\n", "utf-8")
        return len(labels)


def corners(cards: Sequence[SeenCard], stills: Sequence[Frame], view: View, index_mm: float) -> list[_Corner]:
    """The first index of each of *cards*, upright; cards that no still shows are left out."""
    found = []
    for card in cards:
        for still in stills:
            if not card.indices or not card.corners:
                break
            x, y = card.indices[0][0] - still.origin[0], card.indices[0][1] - still.origin[1]
            if 0 <= x < still.image.shape[1] and 0 <= y < still.image.shape[0]:
                scaled = view.scaled(still.full_size)
                dx, dy = up_in_picture(card, scaled)
                pose = Found(x, y, float(dx), float(dy), index_mm * scaled.px_per_mm(), 1.0)
                found.append(_Corner(cut_crop(still.image, pose), card))
                break
    return found


def named(seen: Sequence[SeenCard], cards: Sequence[Card]) -> list[tuple[int, Card]]:
    """Which of *cards*, as people named the play, each of *seen* is; what cannot be told is left out.

    What was read as the people say is that; of the rest the likeliest pairs, and a last one is what is left over.
    """
    left = list(cards)
    pairs: list[tuple[int, Card]] = []
    open_places: list[int] = []
    for place, each in enumerate(seen):
        if each.card in left:
            left.remove(each.card)
            pairs.append((place, each.card))
        else:
            open_places.append(place)
    ranked = sorted(
        ((p, place, card) for place in open_places for card, p in seen[place].candidates if card in left),
        key=lambda one: -one[0],
    )
    for _, place, card in ranked:
        if place in open_places and card in left:
            open_places.remove(place)
            left.remove(card)
            pairs.append((place, card))
    if len(open_places) == 1 and len(left) == 1:
        pairs.append((open_places[0], left[0]))
    return sorted(pairs)
