"""The virtual camera: pictures of the virtual table as a small camera above it would give them.

One scene, two streams: a small one of 640 pixels' width for motion and full stills. Both come from lit canvases of the
table (:mod:`simulator.canvas`) through the lens (:mod:`simulator.lens`); the sensor adds exposure, flicker and noise.
Only what changed since the last picture is drawn again, so that a table can be watched faster than it is played.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from simulator.art import Deck
from simulator.canvas import Canvas, Faces, Rect
from simulator.ground import ground
from simulator.hands import Arm, draw_arm
from simulator.lens import Lens, Optics
from simulator.light import Light
from vision.camera import MOTION_WIDTH, Box, Frame

if TYPE_CHECKING:
    from simulator.world import World

FULL: Final = (3280, 2464)
_TILE: Final = 1024
_LIFT: Final = 10
_ALONG: Final = np.linspace(0, 1, 8, endpoint=False)[None, :, None]
_MARGIN: Final = 4  # pixels more at each side of what changed: interpolation and the lens's bend


class _Stream:
    """One size of picture: its canvas, its maps, and the picture through the lens kept up to date."""

    def __init__(
        self, size: tuple[int, int], optics: Optics, light: Light, decks: Sequence[Deck], arms: dict[str, Arm],
        defocus: float, kind: str,
    ) -> None:  # fmt: skip
        self.size = size
        self.lens = Lens(optics, size)
        x0, y0, x1, y1 = self.lens.seen()
        scale = self.lens.px_per_mm() * 1.1
        origin = (x0 - 3 / scale, y0 - 3 / scale)
        base = ground((round((x1 - x0) * scale) + 8, round((y1 - y0) * scale) + 8), origin, scale, kind)
        self.canvas = Canvas(
            base, origin, scale, lambda x, y: light.field(self.lens, x, y), Faces(decks, scale, defocus)
        )
        self.arms = {seat: arm.at(scale) for seat, arm in arms.items()}
        self._maps = self.lens.maps(origin, scale)
        self.picture = cv2.remap(self.canvas.picture, *self._maps, cv2.INTER_LINEAR)
        self._stale: list[Rect] = []

    def _on_picture(self, rect: Rect) -> Rect:
        """The pixels that show the canvas's *rect*."""
        corners = np.array([rect[:2], (rect[2], rect[1]), rect[2:], (rect[0], rect[3])], float)
        # The lens bends straight edges: several points of each.
        edge = (corners[:, None] + (np.roll(corners, -1, axis=0) - corners)[:, None] * _ALONG).reshape(-1, 2)
        pixels = self.lens.to_px(edge / self.canvas.scale + self.canvas.origin)
        (left, top), (right, bottom) = pixels.min(axis=0), pixels.max(axis=0)
        width, height = self.size
        return (
            min(max(int(left) - _MARGIN, 0), width), min(max(int(top) - _MARGIN, 0), height),
            min(max(int(right) + _MARGIN + 1, 0), width), min(max(int(bottom) + _MARGIN + 1, 0), height),
        )  # fmt: skip

    def _refresh(self, rect: Rect) -> None:
        x0, y0, x1, y1 = rect
        if x0 < x1 and y0 < y1:
            maps = [each[y0:y1, x0:x1] for each in self._maps]
            self.picture[y0:y1, x0:x1] = cv2.remap(self.canvas.picture, maps[0], maps[1], cv2.INTER_LINEAR)

    def clean(self, world: World, t: float, box: Rect) -> np.ndarray:
        """What the lens sees inside *box* at *t*, without the sensor's doing; valid until the next call."""
        state = world.at(t)
        self._stale += [self._on_picture(rect) for rect in self.canvas.show(state.lying)]
        with self.canvas.hands_over(state.held, state.hands, self.arms) as taken:
            above = [self._on_picture(rect) for rect in taken]
            waiting: list[Rect] = []
            for rect in self._stale + above:
                if rect[0] < box[2] and box[0] < rect[2] and rect[1] < box[3] and box[1] < rect[3]:
                    self._refresh(rect)
                else:
                    waiting.append(rect)
            # What hangs above the table now will be gone in the next picture.
            self._stale = _few(waiting + [rect for rect in above if rect not in waiting])
            return self.picture[box[1] : box[3], box[0] : box[2]]


def _few(rects: list[Rect]) -> list[Rect]:
    """*rects*, made one when they are many."""
    if len(rects) < 40:
        return rects
    x0, y0, x1, y1 = (np.array(rects).T[place] for place in range(4))
    return [(int(x0.min()), int(y0.min()), int(x1.max()), int(y1.max()))]


class VirtualCamera:
    """A camera over *world*; *clock* gives the time in s, on the world's own axis.

    *size* is that of a still (width, height). *noise* is the sensor's standard deviation at full scale 255, *defocus*
    the lens's blur on the table in mm. The same arguments give the same pictures.
    """

    def __init__(
        self,
        world: World,
        clock: Callable[[], float],
        size: tuple[int, int] = FULL,
        optics: Optics | None = None,
        light: Light | None = None,
        seed: int = 0,
        noise: float = 2.2,
        defocus: float = 0.06,
        ground: str = "wood",
    ) -> None:
        self.world, self.clock, self.size = world, clock, size
        self.optics, self.light = optics or Optics.over_mat(size), light or Light()
        arms = {
            seat: draw_arm(seed * 4 + place + 1, self.light.hard_shadow) for place, seat in enumerate("NESW")
        }  # fmt: skip
        self._arms, self._defocus, self._ground = arms, defocus, ground
        self.motion_size = (min(MOTION_WIDTH, size[0]), max(1, round(size[1] * min(MOTION_WIDTH, size[0]) / size[0])))
        self._small = self._stream(self.motion_size)
        self._large: _Stream | None = None
        self._noise = _tile(seed, noise) if noise > 0 else None
        # The small stream is made from several pixels of the sensor each: less noise.
        self._small_noise = _tile(seed + 1, noise * 0.5) if noise > 0 else None

    def _stream(self, size: tuple[int, int]) -> _Stream:
        return _Stream(size, self.optics, self.light, self.world.decks, self._arms, self._defocus, self._ground)

    @property
    def lens(self) -> Lens:
        """The geometry of the full still."""
        return Lens(self.optics, self.size)

    def motion(self) -> Frame | None:
        """The small picture of now; None when the world has nothing more to show."""
        t = self.clock()
        if self.world.done(t):
            return None
        return Frame(t, self._picture(self._small, t, (0, 0, *self.motion_size), self._small_noise))

    def still(self, box: Box | None = None) -> Frame:
        """The full picture of now, or its part inside *box*."""
        t = self.clock()
        if self._large is None:  # a watcher of motion alone never needs it
            self._large = self._stream(self.size)
        width, height = self.size
        if box is None:
            return Frame(t, self._picture(self._large, t, (0, 0, width, height), self._noise))
        x0, y0 = min(max(0, box[0]), width - 1), min(max(0, box[1]), height - 1)
        x1, y1 = min(width, max(x0 + 1, box[2])), min(height, max(y0 + 1, box[3]))
        image = self._picture(self._large, t, (x0, y0, x1, y1), self._noise)
        return Frame(t, image, (x0, y0), self.size)

    def close(self) -> None:
        """Nothing to give back: it is drawn."""

    def _picture(self, stream: _Stream, t: float, box: Rect, noise: np.ndarray | None) -> np.ndarray:
        clean = stream.clean(self.world, t, box)
        # Noise lies around _LIFT, so that one addition both brightens and darkens.
        image = cv2.convertScaleAbs(clean, alpha=self.light.exposure(t), beta=0 if noise is None else -_LIFT)
        bands = self.light.bands(t, stream.size[1])
        if bands is not None:
            rows = np.repeat(bands[box[1] : box[3], None, None], 3, axis=2)
            image = cv2.multiply(image, np.ascontiguousarray(rows.repeat(image.shape[1], 1)), dtype=cv2.CV_8U)
        if noise is not None:
            _add_noise(image, noise, int(t * 1000))
        return image


def _tile(seed: int, sigma: float) -> np.ndarray:
    """Noise around ``_LIFT``, (1024, 1024, 3) uint8: mostly of brightness, some of colour."""
    rng = np.random.default_rng(seed + 77)
    gray = rng.normal(0, sigma, (_TILE, _TILE, 1)).astype(np.float32)
    colour = rng.normal(0, sigma * 0.9, (_TILE, _TILE, 3)).astype(np.float32)
    noise: np.ndarray = gray + cv2.GaussianBlur(colour, (0, 0), 0.8)
    return np.clip(np.rint(noise) + _LIFT, 0, 2 * _LIFT).astype(np.uint8)


def _add_noise(image: np.ndarray, tile: np.ndarray, moment: int) -> None:
    """Add noise in place; *moment* chooses where in the tile it begins."""
    height, width = image.shape[:2]
    rng = np.random.default_rng(moment & 0xFFFFFFFF)
    for y in range(0, height, _TILE // 2):
        for x in range(0, width, _TILE // 2):
            part = image[y : y + _TILE // 2, x : x + _TILE // 2]
            rows, columns = part.shape[:2]
            dy, dx = rng.integers(0, _TILE // 2, 2)
            cv2.add(part, tile[dy : dy + rows, dx : dx + columns], dst=part)
