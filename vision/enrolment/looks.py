"""Pictures to enrol from, look after look: photos and folders of them, a camera or a video when the cards lie still."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from vision.camera import Camera
from vision.enrolment.sightings import Finds, Reads, Sighting, sightings
from vision.enrolment.watching import Stillness
from vision.errors import CannotSee
from vision.mat import View
from vision.pictures import load

PICTURES: Final = (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff")


@dataclass(frozen=True)
class Look:
    """One picture to learn from, and the mat's view in it where its markers show."""

    name: str
    image: np.ndarray
    view: View | None = None

    @property
    def px_per_mm(self) -> float | None:
        return None if self.view is None else self.view.px_per_mm()

    def sightings(self, detector: Finds, reader: Reads, index_mm: float | None = None) -> list[Sighting]:
        """What lies there; *index_mm* is the deck's index height as far as it is known."""
        scale = self.px_per_mm
        return sightings(self.image, detector, reader, index_mm * scale if index_mm and scale else None)


def files_of(paths: Sequence[str | Path]) -> list[Path]:
    """The picture files among *paths*, folders opened, in the order of their names.

    :raises CannotSee: when a folder holds no picture.
    """
    files: list[Path] = []
    for path in map(Path, paths):
        if path.is_dir():
            inside = sorted(each for each in path.iterdir() if each.suffix.lower() in PICTURES)
            if not inside:
                raise CannotSee("no_pictures_in", folder=path)
            files += inside
        else:
            files.append(path)
    return files


def from_photos(paths: Sequence[str | Path]) -> Iterator[Look]:
    """Each photo is a look.

    :raises CannotSee: when one of *paths* is no picture.
    """
    files = files_of(paths)
    for path in files:
        load(path)  # a bad one among many is told before the first is learned from
    for path in files:
        image = load(path).image
        yield Look(path.name, image, View.from_markers(image))


def from_camera(camera: Camera, waiting: Callable[[], None] | None = None) -> Iterator[Look]:
    """A look whenever the cards lie still and otherwise than before, until the camera ends; *waiting* is called for
    each frame in between.

    :raises CannotSee: when the camera is lost.
    """
    stillness, count = Stillness(), 0
    while (frame := camera.motion()) is not None:
        if stillness.see(frame):
            count += 1
            image = camera.still().image
            yield Look(str(count), image, View.from_markers(image))
        elif waiting is not None:
            waiting()
