"""The eye on the virtual table, with the real networks: plays read, taken back, covered; its parts on single stills."""

from dataclasses import dataclass, field

import cv2
import numpy as np
import pytest

from engine.cards import Card
from simulator.art import Deck
from vision.camera import Box, Frame, cut
from vision.eye import Eye
from vision.mat import PLAY, RIGHT, UP, View
from vision.mat_drawing import draw
from vision.observations import Covered, Hidden, Laid, Moved, Observation, Removed, Touched, Uncovered
from vision.photo import MODELS

pytestmark = pytest.mark.skipif(not (MODELS / "reader.onnx").exists(), reason="no trained models here")
PX_PER_MM = 2.25
OFFSET = (248, 45)
MAT = draw(PX_PER_MM)
GRAIN = np.repeat(np.random.default_rng(5).normal(0, 2.5, (256, 256, 1)), 3, axis=2)


@pytest.fixture(scope="module")
def networks() -> tuple[object, object]:
    from vision.detector import Detector
    from vision.reader import Reader

    return Detector(), Reader()


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
                cv2.line(image, (x, image.shape[0] + 50), (x, y), (100, 135, 185), round(66 * PX_PER_MM))
                cv2.circle(image, (x, y), round(43 * PX_PER_MM), (110, 145, 195), -1)
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


def watch(eye: Eye, table: Table, seconds: float) -> list[Observation]:
    return [seen for _ in range(round(seconds * 10)) for seen in eye.step(table)]


def by_hand(eye: Eye, table: Table, seat: str, act: object) -> list[Observation]:
    """An arm comes over the seat's zone, *act* happens under it, and it goes; then the table is still."""
    x, y = PLAY[seat].centre
    seen = []
    for away in (300, 150, 20, 20, 150, 300):
        table.arm = (x, y + away)
        if away == 20:
            act()  # type: ignore[operator]
            act = lambda: None  # noqa: E731
        seen += watch(eye, table, 0.1)
    table.arm = None
    return seen + watch(eye, table, 1.2)


def names(seen: list[Observation], kind: type) -> list[tuple[str, list[str]]]:
    return [(one.seat, [card.card.name for card in one.cards]) for one in seen if type(one) is kind]  # type: ignore[attr-defined]


@pytest.mark.parametrize("design", ["river", "pine"])
def test_a_trick(networks: tuple, design: str) -> None:
    table = Table(Deck.own(design))
    eye = Eye(*networks)
    assert not names(watch(eye, table, 1.5), Laid)
    first = by_hand(eye, table, "S", lambda: table.fan("S", "S5 S5 D5 H9 H9"))
    assert names(first, Laid) == [("S", ["S5", "S5", "D5", "H9", "H9"])]
    laid = next(one for one in first if isinstance(one, Laid))
    assert all(card.sure for card in laid.cards) and laid.steady and laid.votes == 3
    touched = next(one for one in first if isinstance(one, Touched) and one.seat == "S")
    assert laid.touched_at == touched.t < laid.settled_at < laid.t < laid.settled_at + 0.5
    second = by_hand(eye, table, "E", lambda: table.fan("E", "C7 D7 CJ SJ DJ"))
    assert names(second, Laid) == [("E", ["C7", "D7", "CJ", "SJ", "DJ"])]
    over = by_hand(eye, table, "S", lambda: table.fan("S", "SQ HQ SQ CQ", forward=32))
    assert names(over, Laid) == [("S", ["SQ", "HQ", "SQ", "CQ"])] and not names(over, Removed)
    jokers = by_hand(eye, table, "N", lambda: table.fan("N", "SB SB HR HR"))
    assert names(jokers, Laid) == [("N", ["SB", "SB", "HR", "HR"])]
    back = by_hand(eye, table, "N", lambda: table.lying.__delitem__(slice(-4, None)))
    assert [seat for seat, _ in names(back, Removed)] == ["N"]

    def turn_down() -> None:
        table.lying[:] = [(None, 560, 560, 10)] * 2 + [card for card in table.lying if card[2] < 475]

    down = by_hand(eye, table, "S", turn_down)
    assert [(seat, len(cards)) for seat, cards in names(down, Removed)] == [("S", 9)] and not names(down, Laid)
    assert not [one for one in first + second + over + jokers + back + down if isinstance(one, Hidden | Moved)]


def test_two_movements_make_two_layings_and_nothing_twice(networks: tuple) -> None:
    table = Table(Deck.own("river"))
    eye = Eye(*networks)
    watch(eye, table, 1.0)
    one = by_hand(eye, table, "S", lambda: table.fan("S", "S5 H5 D5"))
    table_was = list(table.lying)

    def more() -> None:
        table.lying[:] = [(c, x - 4, y + 2, a) for c, x, y, a in table_was]
        table.lying.append((Card.parse("C5"), 392.0, 556.0, 4.0))

    two = by_hand(eye, table, "S", more)
    assert names(one, Laid) == [("S", ["S5", "H5", "D5"])]
    assert names(two, Laid) == [("S", ["C5"])] and not names(two, Removed)


def test_a_face_that_shows_no_index_is_asked_for(networks: tuple) -> None:
    table = Table(Deck.own("river"))
    eye = Eye(*networks)
    watch(eye, table, 1.0)

    def strip() -> None:
        table.lying.append((Card.parse("SA"), 350.0, 560.0, 0.0))
        for x in (318.0, 382.0):  # turned cards over both sides, so that only the middle of the ace shows
            table.lying.append((None, x + (-12 if x < 350 else 12), 560.0, 0.0))

    seen = by_hand(eye, table, "S", strip)
    assert [one.seat for one in seen if isinstance(one, Hidden)] == ["S"] and not names(seen, Laid)


def test_covered_moved_and_back(networks: tuple) -> None:
    table = Table(Deck.own("pine"))
    eye = Eye(*networks)
    watch(eye, table, 1.0)
    by_hand(eye, table, "S", lambda: table.fan("S", "H8"))
    table.lid = True
    dark = watch(eye, table, 2.0)
    assert [type(one) for one in dark if not isinstance(one, Touched)] == [Covered]
    table.lid = False
    light = watch(eye, table, 2.0)
    assert any(isinstance(one, Uncovered) for one in light) and not names(light, Laid) and not names(light, Removed)
    table.shift = 60
    bumped = watch(eye, table, 4.0)
    assert any(isinstance(one, Moved) for one in bumped)
    assert not names(bumped, Laid) and not names(bumped, Removed)
    view = View.from_markers(table.still().image)
    assert view is not None and eye.view is not None and eye.view.drift(view) < 2
