"""Card art: a deck is a name, a size and fifty-four faces with a back.

:class:`Deck` is what films, scenes and the table's screens draw with.  It needs numpy and OpenCV alone; what draws our
own designs (:mod:`simulator.art.draw`) and what learns from foreign ones (:mod:`simulator.art.debian`,
:mod:`simulator.art.drawn`) are developers' modules.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import DECK, Card
from simulator.refusals import Unreadable
from vision.quiet import decoded

Pixels = NDArray[np.uint8]

CARD_MM: Final = (63.0, 88.0)
"""A playing card's width and height."""
OWN_DESIGNS: Final = ("river", "pine")
_OWN_DIRECTORY: Final = Path(__file__).resolve().parents[2] / "assets" / "cards"
_CORNER_MM: Final = 3.4
_LARGEST_PICTURE: Final = 4096
_ENDINGS: Final = (".png", ".jpg", ".jpeg", ".webp")


class Deck:
    """Faces and back of one design; pictures are read when they are first asked for.

    Every picture is RGBA uint8, ``size_mm * px_per_mm`` pixels, transparent outside the rounded corners.
    """

    def __init__(
        self,
        name: str,
        draw: Callable[[str], Pixels],
        px_per_mm: float = 8.0,
        size_mm: tuple[float, float] = CARD_MM,
    ) -> None:
        self.name, self.px_per_mm, self.size_mm = name, px_per_mm, size_mm
        self._draw = draw
        self._pictures: dict[str, Pixels] = {}

    @staticmethod
    def own(name: str) -> Deck:
        """One of our own designs: ``river`` has standard indices, ``pine`` large ones.

        :raises Unreadable: when there is no such design.
        """
        if name not in OWN_DESIGNS:
            raise Unreadable("design_own", name=name, names=list(OWN_DESIGNS))
        return Deck.load(_OWN_DIRECTORY / name, name)

    @staticmethod
    def load(directory: str | Path, name: str | None = None) -> Deck:
        """The deck in *directory*: pictures named ``S3.png … SB.png HR.png back.png``, of any size.

        :raises Unreadable: naming the picture that is missing or is none.
        """
        directory = Path(directory)
        if not directory.is_dir():
            raise Unreadable("deck_folder", folder=directory)
        pictures = [path for path in sorted(directory.iterdir()) if path.suffix.lower() in _ENDINGS]
        found = {path.stem.upper().replace("10", "T"): path for path in pictures}
        wanted = [card.name for card in DECK] + ["back"]
        missing = [each for each in wanted if each.upper() not in found]
        if missing:
            if len(missing) == 1:
                raise Unreadable("deck_lacks", folder=directory, first=missing[0])
            raise Unreadable("deck_lacks_more", folder=directory, first=missing[0], count=len(missing))
        first = _read(found[wanted[0]])
        px_per_mm = min(max(first.shape[0] / CARD_MM[1], 2.0), 16.0)
        width, height = (round(side * px_per_mm) for side in CARD_MM)

        def draw(key: str) -> Pixels:
            return rounded(_fitted(_read(found[key.upper()]), width, height), px_per_mm)

        return Deck(name or directory.name, draw, px_per_mm)

    def face(self, card: Card) -> Pixels:
        """The face of *card*, RGBA."""
        return self._picture(card.name)

    def back(self) -> Pixels:
        """The back, RGBA."""
        return self._picture("back")

    def _picture(self, key: str) -> Pixels:
        picture = self._pictures.get(key)
        if picture is None:
            picture = self._pictures[key] = self._draw(key)
        return picture

    def __repr__(self) -> str:
        return f"Deck({self.name!r})"


def rounded(picture: Pixels, px_per_mm: float, radius_mm: float = _CORNER_MM) -> Pixels:
    """*picture* (RGB or RGBA) as RGBA with transparent round corners, unless it has transparent ones already."""
    height, width = picture.shape[:2]
    if picture.shape[2] == 4:
        corners = picture[[0, 0, -1, -1], [0, -1, 0, -1], 3]
        if int(corners.max()) < 128:
            return picture
    mask = round_mask(width, height, radius_mm * px_per_mm)
    if picture.shape[2] == 4:
        mask = np.minimum(mask, picture[:, :, 3])
    return np.ascontiguousarray(np.dstack([picture[:, :, :3], mask]))


def round_mask(width: int, height: int, radius: float) -> Pixels:
    """Opacity of a card of *width* x *height* pixels with corners of *radius* pixels, antialiased."""
    x = np.abs(np.arange(width) + 0.5 - width / 2) - (width / 2 - radius)
    y = np.abs(np.arange(height) + 0.5 - height / 2) - (height / 2 - radius)
    distance = np.hypot(np.maximum(x, 0)[None, :], np.maximum(y, 0)[:, None])
    mask: Pixels = (np.clip(radius - distance + 0.5, 0, 1) * 255).astype(np.uint8)
    return mask


def _read(path: Path) -> Pixels:
    """The picture at *path*, RGBA or RGB uint8."""
    data = np.fromfile(path, np.uint8)
    picture = decoded(data, cv2.IMREAD_UNCHANGED) if data.size else None
    if picture is None:
        raise Unreadable("no_picture", file=path)
    if picture.dtype == np.uint16:
        picture = (picture // 256).astype(np.uint8)
    if picture.ndim == 2:
        picture = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
    if max(picture.shape[:2]) > _LARGEST_PICTURE or min(picture.shape[:2]) < 32:
        height, width = picture.shape[:2]
        raise Unreadable("picture_size", file=path, width=width, height=height, largest=_LARGEST_PICTURE)
    code = cv2.COLOR_BGRA2RGBA if picture.shape[2] == 4 else cv2.COLOR_BGR2RGB
    return np.asarray(cv2.cvtColor(picture, code), np.uint8)


def _fitted(picture: Pixels, width: int, height: int) -> Pixels:
    """*picture* scaled to the card's shape; sideways pictures are turned upright."""
    if picture.shape[1] > picture.shape[0]:
        picture = np.ascontiguousarray(np.rot90(picture))
    if picture.shape[:2] == (height, width):
        return picture
    smaller = picture.shape[0] > height
    return np.asarray(
        cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA if smaller else cv2.INTER_CUBIC)
    )
