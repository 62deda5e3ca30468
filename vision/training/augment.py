"""Light and camera, put over a rendered picture: what makes drawn cards look photographed.

Everything works on uint8 BGR pictures of any size and draws from a ``numpy.random.Generator``, so that a seed gives the
same picture again.
"""

from __future__ import annotations

import cv2
import numpy as np

_NOISE = np.random.default_rng(7).normal(0, 1, 1 << 21).astype(np.float32)


def light(rng: np.random.Generator, image: np.ndarray, strength: float = 1.0) -> np.ndarray:
    """A gradient of light, up to three shadows with hard or soft edges, sometimes a patch of glare."""
    height, width = image.shape[:2]
    rows, columns = np.mgrid[-1:1:48j, -1:1:48j].astype(np.float32)
    field = np.ones_like(rows)
    if rng.random() < 0.7:
        turn = rng.uniform(0, 2 * np.pi)
        field += (columns * np.cos(turn) + rows * np.sin(turn)) * rng.uniform(0, 0.4) * strength
    for _ in range(rng.choice(4, p=[0.5, 0.3, 0.13, 0.07])):
        turn, where = rng.uniform(0, 2 * np.pi), rng.uniform(-0.8, 0.8)
        edge = (columns * np.cos(turn) + rows * np.sin(turn) - where) * rng.choice([2.0, 6.0, 20.0, 60.0])
        if rng.random() < 0.4:
            edge = np.minimum(edge, rng.uniform(1, 6) - edge)
        field *= 1 - rng.uniform(0.2, 0.65) * strength * np.clip(edge + 0.5, 0, 1)
    field = cv2.resize(field, (width, height), interpolation=cv2.INTER_LINEAR)
    lit = image * field[..., None]
    if rng.random() < 0.12:
        middle, reach = rng.uniform(-1, 1, 2), rng.uniform(0.1, 0.5)
        blob = np.exp(-((columns - middle[0]) ** 2 + (rows - middle[1]) ** 2) / reach**2) * rng.uniform(20, 110)
        lit = lit + cv2.resize(blob.astype(np.float32), (width, height))[..., None]
    return np.clip(lit, 0, 255).astype(np.uint8)


def tone(rng: np.random.Generator, image: np.ndarray, strength: float = 1.0) -> np.ndarray:
    """Exposure, contrast, gamma and a colour cast as one table a channel; sometimes paler colours."""
    values = np.arange(256, dtype=np.float32) / 255
    gain = np.exp(rng.normal(-0.05, 0.2) * strength) * np.exp(rng.normal(0, 0.09, 3) * strength)
    gamma = np.exp(rng.normal(0, 0.25) * strength)
    contrast, middle = np.exp(rng.normal(0, 0.15) * strength), rng.uniform(0.35, 0.65)
    lift = rng.normal(0, 0.03) * strength
    if rng.random() < 0.1:
        gain *= rng.uniform(0.25, 0.6)
    curve = (values**gamma - middle) * contrast + middle + lift
    table = np.clip(curve[:, None] * gain[None] * 255, 0, 255).astype(np.uint8)[None]
    image = cv2.LUT(image, table)
    if rng.random() < 0.3:
        grey = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        image = cv2.addWeighted(image, (keep := rng.uniform(0.45, 1.3)), grey, 1 - keep, 0)
    return image


def lens(rng: np.random.Generator, image: np.ndarray, blur: float = 1.4) -> np.ndarray:
    """Defocus up to *blur* px deviation, motion, a sensor's scaling, sharpening: at most two of them."""
    roll = rng.random()
    if roll < 0.30:
        image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.3, blur))
    elif roll < 0.40:
        reach, turn = rng.uniform(1, 2.2 * blur), rng.uniform(0, np.pi)
        size = int(np.ceil(reach)) * 2 + 3
        kernel = np.zeros((size, size), np.float32)
        middle = (size - 1) / 2
        for step in np.linspace(-reach / 2, reach / 2, 9):
            x, y = middle + step * np.cos(turn), middle + step * np.sin(turn)
            kernel[int(y), int(x)] += (1 - y % 1) * (1 - x % 1)
            kernel[int(y), int(x) + 1] += (1 - y % 1) * (x % 1)
            kernel[int(y) + 1, int(x)] += (y % 1) * (1 - x % 1)
            kernel[int(y) + 1, int(x) + 1] += (y % 1) * (x % 1)
        image = cv2.filter2D(image, -1, kernel / kernel.sum())
    elif roll < 0.48:
        factor = rng.uniform(0.5, 0.9)
        small = cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        image = cv2.resize(small, image.shape[1::-1], interpolation=cv2.INTER_CUBIC)
    if rng.random() < 0.22:
        soft = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.7, 2.0))
        image = cv2.addWeighted(image, 1 + (amount := rng.uniform(0.3, 1.6)), soft, -amount, 0)
    return image


def sensor(rng: np.random.Generator, image: np.ndarray) -> np.ndarray:
    """Noise (fine or coarse, with or without colour), then sometimes a denoiser's smear or JPEG."""
    if rng.random() < 0.6:
        height, width = image.shape[:2]
        colour = rng.random() < 0.6
        wanted = height * width * (3 if colour else 1)
        start = int(rng.integers(0, len(_NOISE) - min(wanted, len(_NOISE)) + 1))
        noise = np.resize(_NOISE[start : start + wanted], wanted).reshape(height, width, -1)
        if rng.random() < 0.3:
            noise = cv2.GaussianBlur(noise, (0, 0), rng.uniform(0.5, 1.2)).reshape(height, width, -1) * 2
        level = abs(rng.normal(0, 7)) + 0.5
        image = np.clip(image + noise * level, 0, 255).astype(np.uint8)
        if rng.random() < 0.1:
            image = cv2.medianBlur(image, 3)
    if rng.random() < 0.25:
        quality = int(rng.uniform(25, 92))
        _, packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
        image = cv2.imdecode(packed, cv2.IMREAD_COLOR)
    return image


def photograph(rng: np.random.Generator, image: np.ndarray, blur: float = 1.2, strength: float = 0.7) -> np.ndarray:
    """All of the above, in the order in which light and camera do it; one in five stays as it was rendered.

    Scenes come with a light and a camera of their own; this gives every look at one of them another.
    """
    if rng.random() < 0.2:
        return image
    if rng.random() < 0.5:
        image = light(rng, image, strength)
    image = lens(rng, tone(rng, image, strength), blur)
    return sensor(rng, image)
