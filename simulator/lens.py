"""The virtual camera's geometry: where it hangs, how it looks, how its lens bends; millimetres to pixels and back."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision import mat

_NEEDED = 789.0  # mm of the table that the picture's shorter side shows
_GRID = 16  # pixels between the points whose rays are traced; what lies between is interpolated


@dataclass(frozen=True)
class Optics:
    """A camera above the mat: millimetres, degrees; the default is a common 8-megapixel module on a lamp's arm."""

    height: float = 872.0
    """Of the lens above the mat."""
    off: tuple[float, float] = (34.0, 26.0)
    """Where it hangs, from the mat's centre: off-centre means tilted, for it looks at the mat."""
    aim: tuple[float, float] = (3.0, -2.0)
    """The point it looks at, from the mat's centre."""
    roll: float = 0.8
    """Turned about its own axis, clockwise."""
    field: float = 62.2
    """Horizontal field of view."""
    bend: tuple[float, float] = (-0.055, 0.012)
    """Radial distortion k1, k2."""

    @staticmethod
    def over_mat(size: tuple[int, int]) -> Optics:
        """Hung so high that pictures of *size* (width, height) hold the whole mat, whatever their shape."""
        focal = size[0] / 2 / np.tan(np.radians(Optics.field / 2))
        return Optics(height=float(_NEEDED * focal / min(size)))


class Lens:
    """*optics* for pictures of *size* (width, height)."""

    def __init__(self, optics: Optics, size: tuple[int, int]) -> None:
        self.optics, self.size = optics, size
        width, height = size
        focal = width / 2 / np.tan(np.radians(optics.field / 2))
        self.matrix = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]])
        self.bend = np.array([*optics.bend, 0.0, 0.0])
        middle = mat.SIZE_MM / 2
        # World axes: x right, y down on the mat, z into the table; the camera is at negative z.
        self.place = np.array([middle + optics.off[0], middle + optics.off[1], -optics.height])
        aim = np.array([middle + optics.aim[0], middle + optics.aim[1], 0.0])
        ahead = aim - self.place
        ahead /= np.linalg.norm(ahead)
        right = np.cross([0.0, 1.0, 0.0], ahead)
        right /= np.linalg.norm(right)
        down = np.cross(ahead, right)
        roll = np.radians(optics.roll)
        turned = right * np.cos(roll) + down * np.sin(roll)
        self.turn = np.stack([turned, np.cross(ahead, turned), ahead])

    def to_px(self, points: np.ndarray) -> np.ndarray:
        """(n, 2) millimetres on the mat to (n, 2) pixels."""
        points = np.asarray(points, float).reshape(-1, 2)
        space = np.column_stack([points, np.zeros(len(points))])
        shift = -self.turn @ self.place
        pixels, _ = cv2.projectPoints(space, cv2.Rodrigues(self.turn)[0], shift, self.matrix, self.bend)
        return pixels.reshape(-1, 2)

    def to_mm(self, pixels: np.ndarray) -> np.ndarray:
        """(n, 2) pixels to (n, 2) millimetres on the mat."""
        pixels = np.asarray(pixels, float).reshape(-1, 1, 2)
        flat = cv2.undistortPoints(pixels, self.matrix, self.bend).reshape(-1, 2)
        rays = np.column_stack([flat, np.ones(len(flat))]) @ self.turn
        far = -self.place[2] / rays[:, 2]
        return self.place[:2] + rays[:, :2] * far[:, None]

    def seen(self) -> tuple[float, float, float, float]:
        """The part of the table in the picture: x0, y0, x1, y1 mm of its bounding box."""
        width, height = self.size
        across, down = np.linspace(0, width - 1, 9), np.linspace(0, height - 1, 9)
        edge = [(x, y) for x in across for y in (0, height - 1)] + [(x, y) for y in down for x in (0, width - 1)]
        mm = self.to_mm(np.array(edge))
        return (*mm.min(axis=0), *mm.max(axis=0))

    def px_per_mm(self) -> float:
        """Pixels a millimetre takes at the mat's centre."""
        middle = mat.SIZE_MM / 2
        here, there = self.to_px(np.array([[middle - 50, middle], [middle + 50, middle]]))
        return float(np.hypot(*(there - here)) / 100)

    def maps(self, origin: tuple[float, float], scale: float) -> tuple[np.ndarray, np.ndarray]:
        """For each pixel the place in a canvas whose pixel (0, 0) is *origin* mm and which has *scale* px/mm.

        Fixed point maps for ``cv2.remap``: (H, W, 2) int16 and (H, W) uint16.
        """
        width, height = self.size
        across = np.arange(-(-width // _GRID) + 1) * _GRID
        down = np.arange(-(-height // _GRID) + 1) * _GRID
        nodes = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2)
        mm = self.to_mm(nodes).reshape(len(down), len(across), 2)
        rows, columns = _between(height, len(down)), _between(width, len(across))
        canvas = [(rows @ ((mm[:, :, axis] - origin[axis]) * scale).astype(np.float32) @ columns.T) for axis in (0, 1)]
        return cv2.convertMaps(canvas[0], canvas[1], cv2.CV_16SC2)


def _between(length: int, nodes: int) -> np.ndarray:
    """(length, nodes) float32: linear interpolation of every pixel from the grid's nodes."""
    places = np.arange(length)
    low = places // _GRID
    part = (places % _GRID) / _GRID
    weights = np.zeros((length, nodes), np.float32)
    weights[places, low] = 1 - part
    weights[places, np.minimum(low + 1, nodes - 1)] += part
    return weights
