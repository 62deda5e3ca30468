"""Touch, release and stillness: under noise, drifting light, shadows and resting hands, and fast enough."""

import time

import cv2
import numpy as np
import pytest

from tests.vision.table_film import TableFilm
from vision.mat import PLAY, Zone
from vision.settle import STILL_S, Sight, Watch

FPS = 15.0


class Run:
    """Shows a film to a watch, frame after frame, and keeps what it said."""

    def __init__(self, film: TableFilm, fps: float = FPS) -> None:
        self.film, self.watch, self.t, self.step = film, Watch(film.view()), 0.0, 1 / fps
        self.said: list[tuple[float, Sight]] = []

    def show(self, seconds: float, accept: bool = True) -> list[tuple[float, Sight]]:
        since = len(self.said)
        for _ in range(round(seconds / self.step)):
            sight = self.watch.see(self.t, self.film.frame())
            self.said.append((self.t, sight))
            if accept:
                for seat in sight.settled:
                    self.watch.accept(seat)
            self.t += self.step
        return self.said[since:]

    def lay(self, seat: str, seconds: float = 1.0) -> list[tuple[float, Sight]]:
        """An arm comes from the seat's side, leaves a card in its zone, and goes."""
        outside = {"S": (350, 760), "N": (350, -60), "W": (-60, 350), "E": (760, 350)}[seat]
        inside = {"S": (350, 570), "N": (350, 130), "W": (130, 350), "E": (570, 350)}[seat]
        said = []
        steps = max(2, round(seconds / self.step / 2))
        for part in [*np.linspace(0, 1, steps), *np.linspace(1, 0, steps)]:
            hand = tuple(o + (i - o) * part for o, i in zip(outside, inside, strict=True))
            self.film.arm = (outside, hand)
            if part == 1:
                self.film.cards[seat + str(len(self.film.cards))] = inside
            said += self.show(self.step)
        self.film.arm = None
        return said


def seats(said: list[tuple[float, Sight]], what: str) -> set[str]:
    return {seat for _, sight in said for seat in getattr(sight, what)}


def test_an_untouched_mat_settles_once_and_stays_silent() -> None:
    run = Run(TableFilm())
    assert seats(run.show(1.0), "settled") == {"N", "E", "S", "W"}
    later = run.show(10.0)
    assert not seats(later, "touched") and not seats(later, "settled")


@pytest.mark.parametrize("size", [(640, 480), (640, 360), (400, 300)])
@pytest.mark.parametrize("seat", "NESW")
def test_a_card_laid_is_touched_then_settled_and_changed(seat: str, size: tuple[int, int]) -> None:
    run = Run(TableFilm(size=size))
    run.show(1.0)
    laying = run.lay(seat)
    assert seat in seats(laying, "touched") and seat not in seats(laying, "settled")
    released = run.t
    after = run.show(1.5)
    assert [seat] == [s for _, sight in after for s in sight.changed]
    settled = next(t for t, sight in after if seat in sight.settled)
    assert settled - released <= STILL_S + 0.25
    assert seats(after, "changed") == {seat}


def test_drifting_light_and_noise_are_no_touch() -> None:
    run = Run(TableFilm(noise=5.0))
    run.lay("S")
    run.show(2.0)
    for step in range(60):
        run.film.light = 1.0 + 0.25 * np.sin(step / 12)
        assert not seats(run.show(0.2), "changed")
    assert len([1 for _, s in run.said[45:] if s.touched]) == 0


def test_a_passing_shadow_changes_nothing() -> None:
    run = Run(TableFilm())
    run.lay("S")
    run.show(1.5)
    said = []
    for x in np.linspace(-200, 900, 30):
        run.film.shadow = float(x)
        said += run.show(run.step)
    run.film.shadow = None
    said += run.show(1.0)
    assert not seats(said, "changed")


def test_a_hand_that_rests_on_its_cards_has_not_released_them() -> None:
    run = Run(TableFilm())
    run.show(1.0)
    run.film.cards["S"] = (350, 560)
    run.film.arm = ((350, 760), (350, 570))
    resting = run.show(2.0)
    assert "S" in seats(resting, "touched") and "S" not in seats(resting, "settled")
    run.film.arm = None
    assert "S" in seats(run.show(1.0), "changed")


def test_covered_and_uncovered() -> None:
    run = Run(TableFilm())
    run.show(1.0)
    run.film.lid = True
    dark = run.show(3.0)
    assert next(round(t, 1) for t, sight in dark if sight.covered) <= 2.3
    assert not seats(dark[3:], "settled")
    run.film.lid = False
    light = run.show(2.0)
    assert not light[-1][1].covered


def test_paper_is_where_the_cards_are_and_only_told_from_a_dark_ground() -> None:
    """Where cards are looked for closely: all of each card, little more, and everywhere if the ground hides them."""
    run = Run(TableFilm())
    run.show(1.0)
    area = PLAY["S"].grown(64)
    assert run.watch.paper_in(area) is None
    run.film.cards["S0"], run.film.cards["S1"] = (330, 560), (400, 570)
    run.show(0.5)
    paper = run.watch.paper_in(area)
    assert paper is not None
    card = np.array([31.5, 44.0])
    for middle in run.film.cards.values():
        (left, top), (right, bottom) = np.array(middle) - card, np.array(middle) + card
        assert paper.x0 <= left + 4 and right - 4 <= paper.x1 and paper.y0 <= top + 4 and bottom - 4 <= paper.y1
    across, down = paper.x1 - paper.x0, paper.y1 - paper.y0
    assert across * down < (area.x1 - area.x0) * (area.y1 - area.y0) / 3
    within = run.watch.paper_in(Zone("play", "S", 376.0, 590.0, 394.0, 606.0))
    assert within is not None and (within.x0, within.x1, within.y0, within.y1) == (376.0, 394.0, 590.0, 606.0)
    film = TableFilm()
    film.cards["S0"] = (330, 560)
    bright = Run(film)
    plain = film.frame
    film.frame = lambda: np.maximum(plain(), 150)  # type: ignore[method-assign]
    bright.show(0.5)
    assert bright.watch.paper_in(area) is None


def test_two_milliseconds_a_frame() -> None:
    cv2.setNumThreads(1)
    film = TableFilm()
    watch, frames = Watch(film.view()), [film.frame() for _ in range(20)]
    spent = []
    for k in range(60):
        begin = time.process_time()
        watch.see(k / FPS, frames[k % 20])
        spent.append(time.process_time() - begin)
    cv2.setNumThreads(-1)
    assert sorted(spent)[len(spent) // 2] < 0.003
