"""Light and camera of a training scene: shadows, glare, casts, blur, noise, sharpening, JPEG."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.art import Pixels

Rng = np.random.Generator
Float = NDArray[np.float32]


def light(rng: Rng, picture: Float) -> Float:
    """Uneven light over a BGR float32 picture (0..255): a gradient, hard shadows, glare."""
    size = picture.shape[0]
    field = _gradient(rng, size)
    for _ in range(int(rng.choice([0, 1, 2, 3], p=[0.45, 0.3, 0.15, 0.1]))):
        field *= _hard_shadow(rng, size)
    picture = picture * field[:, :, None]
    if rng.random() < 0.25:
        picture = picture + _glare(rng, size)[:, :, None] * rng.uniform(0.4, 1.0)
    return np.asarray(picture, np.float32)


def _gradient(rng: Rng, size: int) -> Float:
    corners = rng.normal(1.0, rng.uniform(0.02, 0.2), (2, 2)).astype(np.float32)
    field = cv2.resize(corners, (size, size), interpolation=cv2.INTER_LINEAR)
    return np.asarray(np.clip(field, 0.45, 1.5), np.float32)


def _hard_shadow(rng: Rng, size: int) -> Float:
    small = size // 2
    mask = np.zeros((small, small), np.float32)
    centre = rng.uniform(-0.1, 1.1, 2) * small
    if rng.random() < 0.5:
        count = int(rng.integers(3, 9))
        turns = np.sort(rng.uniform(0, 2 * np.pi, count))
        reach = rng.uniform(0.15, 0.8, count) * small
        points = centre + np.stack([np.cos(turns), np.sin(turns)], 1) * reach[:, None]
    else:
        turn, wide = rng.uniform(0, np.pi), rng.uniform(0.03, 0.3) * small
        along = np.array([np.cos(turn), np.sin(turn)]) * small * 2
        across = np.array([-np.sin(turn), np.cos(turn)]) * wide
        points = np.array(
            [centre - along - across, centre + along - across, centre + along + across, centre - along + across]
        )
    cv2.fillPoly(mask, [points.astype(np.int32)], 1.0, cv2.LINE_AA)
    soft = cv2.GaussianBlur(mask, (0, 0), float(rng.choice([0.5, 1.5, 4, 10])))
    return np.asarray(1 - rng.uniform(0.15, 0.6) * cv2.resize(soft, (size, size)), np.float32)


def _glare(rng: Rng, size: int) -> Float:
    small = size // 4
    mask = np.zeros((small, small), np.float32)
    for _ in range(int(rng.integers(1, 3))):
        centre = tuple(int(v) for v in rng.integers(0, small, 2))
        axes = tuple(int(v) for v in rng.uniform(0.03, 0.25, 2) * small)
        cv2.ellipse(mask, centre, axes, float(rng.uniform(0, 180)), 0, 360, float(rng.uniform(40, 170)), -1)
    soft = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(2, 14)))
    return np.asarray(cv2.resize(soft, (size, size)), np.float32)


def expose(rng: Rng, picture: Float, blur_px: float) -> Pixels:
    """What a camera makes of *picture*: cast, gamma, blur of up to *blur_px*, noise, processing, JPEG."""
    if rng.random() < 0.6:
        picture = picture * rng.normal(1.0, rng.choice([0.03, 0.1]), 3).astype(np.float32)
    if rng.random() < 0.15:
        grey = picture.mean(axis=2, keepdims=True)
        picture = grey + (picture - grey) * rng.uniform(0.4, 1.3)
    picture = _unsharp_lens(rng, picture, blur_px)
    gain, lift = rng.uniform(0.62, 1.2), rng.uniform(0, 22) * (rng.random() < 0.4)
    gamma = float(rng.uniform(0.7, 1.5)) if rng.random() < 0.7 else 1.0
    curve = (np.clip((np.arange(2048) / 4 * gain + lift) / 255, 0, 1) ** gamma * 255).astype(np.float32)
    picture = curve[np.clip(picture * 4, 0, 2047).astype(np.int16)]
    if rng.random() < 0.8:
        sigma = float(rng.uniform(0.5, 5) if rng.random() < 0.8 else rng.uniform(5, 11))
        cv2.setRNGSeed(int(rng.integers(1 << 30)))
        noise: NDArray[Any] = np.empty(picture.shape, np.float32)
        cv2.randn(noise, np.zeros(3), np.full(3, sigma))
        if rng.random() < 0.3:
            noise = cv2.GaussianBlur(noise, (0, 0), 0.8) * 2
        picture = picture + noise
    return _processed(rng, np.clip(picture, 0, 255).astype(np.uint8))


def _processed(rng: Rng, out: NDArray[Any]) -> Pixels:
    """What a camera's software does: denoising, sharpening, JPEG."""
    kind = rng.random()
    if kind < 0.08:
        out = cv2.medianBlur(out, 3)
    elif kind < 0.16:
        out = cv2.bilateralFilter(out, 5, 25, 3)
    if rng.random() < 0.3:
        soft = cv2.GaussianBlur(out, (0, 0), float(rng.uniform(0.8, 2.0)))
        strength = float(rng.uniform(0.3, 1.5))
        out = cv2.addWeighted(out, 1 + strength, soft, -strength, 0)
    if rng.random() < 0.65:
        quality = int(rng.uniform(35, 96))
        decoded = cv2.imdecode(cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR)
        out = out if decoded is None else decoded
    return np.asarray(out, np.uint8)


def _unsharp_lens(rng: Rng, picture: Float, blur_px: float) -> Float:
    kind = rng.random()
    if kind < 0.3:
        return picture
    if kind < 0.72:
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), max(0.3, float(rng.uniform(0.2, blur_px)))), np.float32)
    if kind < 0.86:
        length = max(2, int(rng.uniform(1.5, 4.2) * blur_px))
        kernel = np.zeros((2 * length + 1, 2 * length + 1), np.float32)
        turn = rng.uniform(0, np.pi)
        reach = np.array([np.cos(turn), np.sin(turn)]) * length * 0.5
        start, end = ((length - reach), (length + reach))
        cv2.line(
            kernel, tuple(round(float(v)) for v in start), tuple(round(float(v)) for v in end), 1.0, 1, cv2.LINE_AA
        )
        return np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.float32)
    factor = float(rng.uniform(1.1, 1.0 + 0.6 * blur_px))
    size = picture.shape[0]
    small = cv2.resize(picture, (int(size / factor),) * 2, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (size, size), interpolation=cv2.INTER_CUBIC), np.float32)
