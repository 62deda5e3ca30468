"""Privacy: what lies outside the mat's zones is blackened before a picture is stored or sent.

Hands reach in from the sides and faces lean over the edge; neither belongs in a picture of the cards.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import cv2
import numpy as np

from vision.camera import Frame
from vision.mat import ZONES, View, Zone

STORED: Final = tuple(zone for zone in ZONES if zone.kind in ("play", "turned"))
OVERHANG_MM: Final = 12.0
"""A card may stick out of its zone by this much and still be whole in the picture."""


def mask(frame: Frame, view: View, zones: Iterable[Zone] = STORED, overhang_mm: float = OVERHANG_MM) -> Frame:
    """A copy of *frame* (a whole still or a part of one) that is black outside *zones*.

    *view* is that of the full still; of another size it is scaled to it.
    """
    view = view.scaled(frame.full_size)
    keep = np.zeros(frame.image.shape[:2], np.uint8)
    for zone in zones:
        corners = view.to_px(zone.grown(overhang_mm).corners()) - np.array(frame.origin)
        cv2.fillConvexPoly(keep, np.round(corners * 16).astype(np.int32), 255, cv2.LINE_8, 4)
    return Frame(frame.t, cv2.bitwise_and(frame.image, frame.image, mask=keep), frame.origin, frame.full)
