"""Light on the virtual table: lamps, vignetting, a hard shadow as a factor per place; exposure and flicker."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from simulator.lens import Lens


@dataclass(frozen=True)
class Light:
    """How the table is lit; strengths are relative, places millimetres on the mat, colours blue, green, red."""

    lamps: tuple[tuple[float, float, float, float], ...] = ((90.0, -120.0, 760.0, 1.0), (690.0, 500.0, 820.0, 0.62))
    """x, y, height and strength of each."""
    ambient: float = 0.55
    colour: tuple[float, float, float] = (0.93, 1.0, 1.035)
    """What white balance leaves of the lamps' colour."""
    bright: float = 0.97
    """Of a white card at the mat's centre, of full scale."""
    vignette: float = 0.28
    """How much darker the picture's corners are."""
    hard_shadow: bool = False
    """Something stands between a lamp and the table: a shadow with a hard edge falls over part of it."""
    drift: float = 0.035
    """Amplitude of the exposure's slow drift."""
    flicker: float = 0.0
    """Amplitude of the bands that 50 Hz lamps give a rolling shutter."""

    def exposure(self, t: float) -> float:
        """The exposure's factor at *t* s."""
        return 1.0 + self.drift * (0.7 * float(np.sin(t * 0.131 + 0.6)) + 0.3 * float(np.sin(t * 0.83)))

    def bands(self, t: float, rows: int, readout: float = 1 / 30) -> np.ndarray | None:
        """A factor for each row of a picture taken at *t*; None without flicker."""
        if not self.flicker:
            return None
        when = t + np.arange(rows) / rows * readout
        return (1 + self.flicker * np.sin(2 * np.pi * 100 * when)).astype(np.float32)

    def field(self, lens: Lens, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """(h, w, 3) float32 factors at the places *x*, *y* (h, w) mm, vignetting as *lens* sees them included."""
        level = np.full(x.shape, self.ambient, np.float64)
        middle = self.ambient
        shade = self._shade(x, y)
        for place, (lx, ly, height, strength) in enumerate(self.lamps):
            lamp = strength * (height**2 / ((x - lx) ** 2 + (y - ly) ** 2 + height**2)) ** 1.5
            level += lamp * (shade if place == 0 else 1.0)
            middle += strength * (height**2 / ((350 - lx) ** 2 + (350 - ly) ** 2 + height**2)) ** 1.5
        width, height_px = lens.size
        pixels = lens.to_px(np.column_stack([x.ravel(), y.ravel()])).reshape(*x.shape, 2)
        out = np.hypot(pixels[..., 0] - width / 2, pixels[..., 1] - height_px / 2) / np.hypot(width / 2, height_px / 2)
        level *= 1 - self.vignette * np.clip(out, 0, 1.3) ** 2.4
        return (level[..., None] * (self.bright / middle) * np.array(self.colour)).astype(np.float32)

    def _shade(self, x: np.ndarray, y: np.ndarray) -> np.ndarray | float:
        if not self.hard_shadow:
            return 1.0
        # A straight edge across the mat and a round head beyond it.
        beyond = (x - 350) * 0.83 + (y - 350) * 0.55
        head = np.hypot(x - 430, y - 250)
        dark = np.clip((beyond - 60) / 6 + 0.5, 0, 1) + np.clip((95 - head) / 6 + 0.5, 0, 1)
        return 1 - 0.75 * np.clip(dark, 0, 1)


def multiplied(picture: np.ndarray, factors: np.ndarray) -> np.ndarray:
    """*picture* (uint8) times *factors* (float32, any size: stretched over it)."""
    if factors.shape[:2] != picture.shape[:2]:
        factors = cv2.resize(factors, (picture.shape[1], picture.shape[0]), interpolation=cv2.INTER_LINEAR)
    return cv2.multiply(picture, factors, dtype=cv2.CV_8U)
