"""A little film of the mat for tests of motion: white cards, an arm, a shadow, drifting light, noise."""

from dataclasses import dataclass, field

import cv2
import numpy as np

from vision.mat import View
from vision.mat_drawing import draw

SCALE = 1.0  # px per mm of the canvas


@dataclass
class TableFilm:
    """Frames of 640 x 480 (or another size) of a table on which things are put by hand."""

    size: tuple[int, int] = (640, 480)
    noise: float = 2.5
    seed: int = 0
    cards: dict[str, tuple[float, float]] = field(default_factory=dict)
    """Name to centre in mm; drawn upright, white with one dark mark."""
    arm: tuple[tuple[float, float], tuple[float, float]] | None = None
    """From outside the mat to the hand, in mm."""
    shadow: float | None = None
    """A soft shadow's edge at this x in mm; what lies left of it is darker by a third."""
    light: float = 1.0
    lid: bool = False
    """Something lies over the lens."""

    def __post_init__(self) -> None:
        self._rng = np.random.default_rng(self.seed)
        self._mat = draw(SCALE)
        width, height = self.size
        side = height * 0.9
        low = np.array([(width - side) / 2, (height - side) / 2])
        corners = (low + np.array([[4, 2], [side - 3, 0], [side, side - 2], [0, side]])).astype(np.float32)
        edge = 700 * SCALE
        canvas = np.array([[0, 0], [edge, 0], [edge, edge], [0, edge]], np.float32)
        self._matrix = cv2.getPerspectiveTransform(canvas, corners)

    def view(self) -> View:
        view = View.from_markers(TableFilm(self.size, noise=0).frame())
        assert view is not None
        return view

    def frame(self) -> np.ndarray:
        if self.lid:
            image = np.full((self.size[1], self.size[0], 3), 35.0)
        else:
            canvas = self._mat.copy()
            for k, (x, y) in enumerate(self.cards.values()):
                cv2.rectangle(
                    canvas, (round(x - 31), round(y - 44)), (round(x + 31), round(y + 44)), (232, 235, 235), -1
                )
                cv2.rectangle(canvas, (round(x - 31), round(y - 44)), (round(x + 31), round(y + 44)), (90, 90, 90), 1)
                cv2.circle(canvas, (round(x) + 5 * (k % 3), round(y)), 12, (20, 20, 170), -1)
            if self.arm is not None:
                (x0, y0), (x1, y1) = self.arm
                cv2.line(canvas, (round(x0), round(y0)), (round(x1), round(y1)), (105, 140, 190), 60)
                cv2.circle(canvas, (round(x1), round(y1)), 45, (115, 150, 200), -1)
            image = cv2.warpPerspective(
                canvas, self._matrix, self.size, flags=cv2.INTER_AREA, borderValue=(60, 80, 100)
            )
            image = image.astype(np.float64)
            if self.shadow is not None:
                across = (np.arange(self.size[0]) - self.shadow / 700 * self.size[0]) / 30.0
                image *= (1 - 0.33 / (1 + np.exp(np.clip(across, -40, 40))))[None, :, None]
        image = image * self.light + self._rng.normal(0, self.noise, image.shape)
        return np.clip(image, 0, 255).astype(np.uint8)
