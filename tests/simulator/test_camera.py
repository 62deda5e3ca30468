"""The virtual camera sees the virtual table: where things lie, the same at any pace, fast enough to watch."""

from __future__ import annotations

import time
from itertools import pairwise
from random import Random

import numpy as np
import pytest

from engine.cards import DECK, parse_cards
from simulator import gestures, layout
from simulator.art import Deck
from simulator.camera import VirtualCamera
from simulator.gestures import Pace
from simulator.lens import Lens, Optics
from simulator.light import Light
from simulator.motion import Change, Placed, State, Sweep, Timeline
from vision import mat
from vision.camera import Camera

SIZE = (1312, 986)


class Scene:
    """A table without a record: plays laid by hands at given times."""

    def __init__(self, plays: str = "S:S3 D4 H5 C6 S7|E:H9 D9|N:C4 S4 SK HK DK|W:D8") -> None:
        rng, number = Random(3), 0
        changes: list[Change] = []
        sweeps: list[Sweep] = []
        self.laid: list[tuple[str, list[Placed]]] = []
        for place, play in enumerate(plays.split("|")):
            seat, cards = play[0], parse_cards(play[2:])
            placed = []
            for card, pose in zip(cards, layout.lay(seat, len(cards), rng), strict=True):
                number += 1
                placed.append(Placed(number, card, 0, True, pose))
            gesture = gestures.lay(seat, placed, 1.0 + 4 * place, Pace(), rng)
            self.laid.append((seat, placed))
            changes += gesture.changes
            sweeps += gesture.sweeps
        down, lying = gestures.turn_down("S", self.laid[0][1], 18.0, Pace(), rng)
        self.lying_down = lying
        self.timeline = Timeline(changes + list(down.changes), sweeps + list(down.sweeps), 24.0)
        self.decks = [Deck.own("river")]

    def at(self, t: float) -> State:
        return self.timeline.at(t)

    def done(self, t: float) -> bool:
        return t > self.timeline.end


class Clock:
    t = 0.0

    def __call__(self) -> float:
        return self.t


def camera(clock: Clock, **settings: object) -> VirtualCamera:
    return VirtualCamera(Scene(), clock, **{"size": SIZE, **settings})  # type: ignore[arg-type]


def test_it_is_a_camera() -> None:
    clock = Clock()
    seen = camera(clock)
    assert isinstance(seen, Camera)
    frame = seen.motion()
    assert frame is not None and frame.image.shape == (481, 640, 3) and frame.image.dtype == np.uint8
    still = seen.still()
    assert still.image.shape == (SIZE[1], SIZE[0], 3) and still.t == 0.0
    clock.t = 25.0
    assert seen.motion() is None, "nothing more to see"


@pytest.mark.parametrize("optics", [
    Optics(), Optics(height=980, off=(-60, 40), roll=-2.0), Optics(height=860, off=(10, -50), bend=(-0.12, 0.03)),
])  # fmt: skip
def test_the_mat_is_found_where_it_is(optics: Optics) -> None:
    clock = Clock()
    clock.t = 17.0
    seen = camera(clock, optics=optics)
    view = mat.View.from_markers(seen.still().image)
    assert view is not None and view.markers == (0, 1, 2, 3)
    for marker, corners in mat.find_markers(seen.still().image).items():
        assert np.abs(corners - seen.lens.to_px(mat.marker_corners(marker))).max() < 1.0


@pytest.mark.parametrize("size", [(1280, 720), (720, 1280), (900, 900), (1600, 1000)])
def test_pictures_of_any_shape_hold_the_mat(size: tuple[int, int]) -> None:
    clock = Clock()
    clock.t = 17.0
    view = mat.View.from_markers(camera(clock, size=size).still().image)
    assert view is not None and view.markers == (0, 1, 2, 3)


def test_lens_goes_there_and_back() -> None:
    lens = Lens(Optics(off=(70, -40), roll=3.0, bend=(-0.1, 0.02)), SIZE)
    points = np.array([[0, 0], [700, 0], [350, 350], [123.4, 567.8], [700, 700]])
    assert np.abs(lens.to_mm(lens.to_px(points)) - points).max() < 0.02


def test_cards_lie_where_they_were_laid() -> None:
    clock = Clock()
    clock.t = 17.0
    seen = camera(clock, noise=0.0)
    image = seen.still().image
    for _, placed in seen.world.laid:  # type: ignore[attr-defined]
        top = placed[-1].pose  # nothing lies on the last card
        x, y = seen.lens.to_px(np.array([[top.x, top.y]]))[0].round().astype(int)
        assert image[y - 4 : y + 5, x - 4 : x + 5].mean() > 120, "a card's face is bright"
    x, y = seen.lens.to_px(np.array([[350.0, 350.0]]))[0].round().astype(int)
    assert image[y - 4 : y + 5, x - 4 : x + 5].mean() < 80, "the mat is dark"


def test_hands_are_seen_while_they_lay_and_not_after() -> None:
    clock = Clock()
    seen = camera(clock, noise=0.0, light=Light(drift=0.0))
    busy = [t for t in np.arange(0.5, 17.5, 0.1) if seen.world.at(t).hands]
    assert 4 < len(busy) < 120

    def picture(t: float) -> np.ndarray:
        clock.t = t
        frame = seen.motion()
        assert frame is not None
        return frame.image.astype(int)

    pairs = [(first, second) for first, second in pairwise(busy) if second - first < 0.15]
    moving = [np.abs(picture(first) - picture(second)).max() > 20 for first, second in pairs]
    assert np.mean(moving) > 0.7, "a hand moves; only at its way's ends it is out of the picture"
    assert np.abs(picture(4.5) - picture(4.9)).max() == 0, "between two plays the table lies still"


def test_same_picture_whatever_was_seen_before() -> None:
    watched, asked = Clock(), Clock()
    seen = camera(watched)
    for t in np.arange(0.0, 18.4, 0.37):
        watched.t = float(t)
        seen.motion()
        if int(t * 10) % 3 == 0:
            seen.still((160, 240, 720, 880))
    for t in (1.45, 9.3, 18.6, 23.0):
        watched.t = asked.t = t
        fresh = camera(asked)
        assert np.array_equal(seen.still().image, fresh.still().image)
        one, other = seen.motion(), fresh.motion()
        assert one is not None and other is not None and np.array_equal(one.image, other.image)


def test_part_of_a_still_is_that_part() -> None:
    clock = Clock()
    clock.t = 17.0
    seen = camera(clock, noise=0.0)
    box = (240, 400, 720, 880)
    part = seen.still(box)
    assert part.origin == (240, 400) and part.full_size == SIZE
    assert np.array_equal(part.image, seen.still().image[400:880, 240:720])
    assert seen.still((-50, -50, 99999, 20)).image.shape == (20, SIZE[0], 3)


def test_turned_cards_show_their_backs() -> None:
    clock = Clock()
    clock.t = 23.0
    seen = camera(clock, noise=0.0)
    state = seen.world.at(23.0)
    down = [card for card in state.lying if not card.up]
    assert [card.number for card in down] == [card.number for card in seen.world.lying_down]  # type: ignore[attr-defined]
    assert not state.hands and not state.held


def test_light_drifts_and_flickers() -> None:
    light = Light(flicker=0.05)
    bands = light.bands(0.0, 480)
    assert bands is not None and 0.94 < bands.min() < 0.96 < 1.04 < bands.max() < 1.06
    values = [Light(drift=0.05).exposure(t) for t in range(0, 600)]
    assert 0.94 < min(values) < 0.98 < 1.02 < max(values) < 1.06
    dark, plain = camera(Clock(), light=Light(hard_shadow=True), noise=0.0), camera(Clock(), noise=0.0)
    assert (plain.still().image.astype(int) - dark.still().image).max() > 15


def test_fast_enough() -> None:
    """Processor time: a motion frame 8 ms, a whole still 80 ms at the median, hands moving."""
    clock = Clock()
    seen = camera(clock, size=(3280, 2464))
    seen.motion(), seen.still()  # the first ones make the maps
    spent: dict[str, list[float]] = {"motion": [], "still": []}
    for t in np.arange(0.0, 20.0, 0.25):
        clock.t = float(t)
        began = time.process_time()
        seen.motion()
        spent["motion"].append(time.process_time() - began)
        if len(spent["motion"]) % 4 == 0:
            began = time.process_time()
            seen.still()
            spent["still"].append(time.process_time() - began)
    assert np.median(spent["motion"]) < 0.008, spent["motion"]
    assert np.median(spent["still"]) < 0.080, spent["still"]


def test_every_card_has_a_face() -> None:
    deck = Deck.own("pine")
    assert {deck.face(card).shape for card in DECK} == {deck.back().shape}
