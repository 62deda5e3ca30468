"""A camera straight above a mat on which a test puts cards by hand: full stills and a small stream, with grain."""

from dataclasses import dataclass, field

import cv2
import numpy as np

from engine.cards import Card
from simulator.art import Deck
from vision.camera import Box, Frame, cut
from vision.mat import PLAY, RIGHT, UP
from vision.mat_drawing import draw

PX_PER_MM = 2.25
OFFSET = (248, 45)
MAT = draw(PX_PER_MM)
GRAIN = np.repeat(np.random.default_rng(5).normal(0, 2.5, (256, 256, 1)), 3, axis=2)


@dataclass
class Table:
    """A camera straight above a mat on which the test puts cards; a picture a tenth of a second."""

    deck: Deck
    lying: list[tuple[Card | None, float, float, float]] = field(default_factory=list)
    """Card (None: its back), centre in mm, angle on the mat."""
    arm: tuple[float, float] | None = None
    t: float = 0.0
    lid: bool = False
    shift: int = 0
    shots: int = 0
    skin: tuple[int, int, int] = (105, 140, 190)
    _table: tuple[object, np.ndarray] | None = None
    _seen: tuple[object, np.ndarray, np.ndarray] | None = None

    def _picture(self) -> tuple[np.ndarray, np.ndarray]:
        """The full picture of now and its small one, drawn anew only when something changed."""
        key = (tuple(self.lying), self.arm, self.lid, self.shift)
        if self._seen is None or self._seen[0] != key:
            cards = (tuple(self.lying), self.shift)
            if self._table is None or self._table[0] != cards:
                self._table = (cards, self._draw())
            image = self._table[1].copy()
            if self.lid:
                image[:] = 30
            if self.arm is not None:
                left, top = OFFSET[0] + self.shift, OFFSET[1]
                x, y = round(left + self.arm[0] * PX_PER_MM), round(top + self.arm[1] * PX_PER_MM)
                cv2.line(image, (x, image.shape[0] + 50), (x, y), self.skin, round(66 * PX_PER_MM))
                cv2.circle(image, (x, y), round(43 * PX_PER_MM), self.skin, -1)
            self._seen = (key, image, cv2.resize(image, (640, 515), interpolation=cv2.INTER_AREA))
        return self._seen[1:]

    def _grain(self, image: np.ndarray) -> np.ndarray:
        """*image* with a sensor's noise, another at each call."""
        self.shots += 1
        rows = np.arange(image.shape[0]) + 37 * self.shots
        columns = np.arange(image.shape[1]) + 101 * self.shots
        return cv2.add(image, GRAIN[np.ix_(rows % 256, columns % 256)], dtype=cv2.CV_8U)

    def _draw(self) -> np.ndarray:
        image = np.full((round(740 * PX_PER_MM), round(920 * PX_PER_MM), 3), (70, 95, 120), np.uint8)
        left, top, side = OFFSET[0] + self.shift, OFFSET[1], round(700 * PX_PER_MM)
        image[top : top + side, left : left + side] = MAT
        for card, x, y, angle in self.lying:
            face = self.deck.back() if card is None else self.deck.face(card)
            scale = PX_PER_MM / self.deck.px_per_mm
            face = cv2.resize(face, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            height, width = face.shape[:2]
            room = 2 * max(width, height)
            turn = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), -angle, 1.0)
            turn[:, 2] += np.array([room - width, room - height]) / 2
            laid = cv2.warpAffine(face, turn, (room, room), flags=cv2.INTER_LINEAR)
            x0, y0 = round(left + x * PX_PER_MM - room / 2), round(top + y * PX_PER_MM - room / 2)
            below = image[y0 : y0 + room, x0 : x0 + room]
            share = laid[:, :, 3:].astype(np.float32) / 255
            below[:] = (below * (1 - share) + laid[:, :, 2::-1] * share).astype(np.uint8)
        return image

    def motion(self) -> Frame | None:
        self.t += 0.1
        return Frame(self.t, self._grain(self._picture()[1]))

    def still(self, box: Box | None = None) -> Frame:
        part = cut(Frame(self.t, self._picture()[0]), box)
        return Frame(part.t, self._grain(part.image), part.origin, part.full)

    def close(self) -> None: ...

    def fan(self, seat: str, names: str, step: float = 18.0, forward: float = 0.0) -> None:
        """A fan in a seat's play zone, left to right as the player sees it, *forward* mm towards the mat's middle."""
        right, up = np.array(RIGHT[seat]), np.radians(UP[seat])
        ahead = np.array([np.sin(up), -np.cos(up)])
        cards = names.split()
        for k, name in enumerate(cards):
            x, y = np.array(PLAY[seat].centre) + right * step * (k - (len(cards) - 1) / 2) + ahead * forward
            self.lying.append((Card.parse(name), float(x), float(y), UP[seat] + 2.0 * (k - len(cards) / 2)))
