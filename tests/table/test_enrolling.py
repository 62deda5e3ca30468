"""A deck is learned at the table: touches on the window, cards on the virtual camera; the eye reads with it after."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pygame
import pytest

from engine.cards import DECK, Card
from simulator.art import Deck
from simulator.shown_deck import ShownDeck
from table.app import App
from table.controller import Controller
from table.effects import Effect, Learn
from table.enrolling import Enrolling
from table.inputs import Learned, Tapped
from table.journal import Journal
from table.ledger import Ledger
from table.settings import hashed
from table.sources import CameraSource, VirtualSource
from table.view import Learning
from tests.table.perfect_eye import studio
from vision.camera import Frame
from vision.detector import Detector
from vision.enrolment.session import Question
from vision.observations import SeenCard
from vision.profiles import DeckProfile
from vision.reader import Reader

STILL = (2050, 1540)


@pytest.fixture(autouse=True)
def unseen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    yield
    pygame.display.quit()


def orders(effects: list[Effect]) -> list[tuple[str, object]]:
    return [(effect.what, effect.value) for effect in effects if isinstance(effect, Learn)]


def tapping(controller: Controller) -> Callable[..., list[tuple[str, object]]]:
    def tap(what: str, value: object = None) -> list[tuple[str, object]]:
        return orders(controller.handle(Tapped(5.0, what, value)))

    return tap


def test_the_page_is_as_guarded_as_the_settings_are() -> None:
    controller = Controller(code=hashed("2468"), learns="between")
    tap = tapping(controller)
    tap("diagnosis")
    assert not controller.view.may_learn and tap("enrol") == [] and controller.view.screen == "diagnosis"
    tap("settings")
    for digit in "2468":
        tap("digit", digit)
    tap("enter")
    assert controller.view.may_learn
    assert tap("enrol") == [("begin", None)] and controller.view.screen == "enrol"
    assert tap("close") == [("stop", None)] and controller.view.learning is None
    tap("settings")
    assert controller.view.lock == "shut", "leaving the page leaves the settings too"


def test_a_table_without_a_camera_offers_none() -> None:
    controller = Controller()
    tap = tapping(controller)
    tap("diagnosis")
    assert not controller.view.may_learn and tap("enrol") == [] and controller.view.screen == "diagnosis"


def test_while_a_match_is_on_nothing_is_learned_and_a_match_that_begins_ends_it() -> None:
    controller = Controller(learns="between")
    tap = tapping(controller)
    tap("diagnosis")
    assert tap("enrol") == [("begin", None)]
    assert tap("start") == [("stop", None)]
    assert controller.view.screen == "playing" and controller.view.learning is None
    tap("diagnosis")
    assert tap("enrol") == []
    assert controller.view.screen == "enrol" and controller.view.learning == Learning(step="match")
    assert tap("learn", "save") == [] and tap("close") == []
    assert controller.view.screen == "playing"


def test_an_answer_goes_to_the_question_that_is_shown() -> None:
    controller = Controller(learns="between")
    tap = tapping(controller)
    tap("diagnosis")
    tap("enrol")
    asked = Learning(question=(7, (Card.parse("SJ"), Card.parse("S8"))))
    controller.handle(Learned(5.0, asked))
    assert controller.view.learning == asked
    assert tap("learn", (6, "SJ")) == []
    assert tap("learn", (7, "SJ")) == [("answer", (7, "SJ"))]
    tap("close")
    controller.handle(Learned(5.0, asked))
    assert controller.view.learning is None, "what comes late is let go"


class Lying:
    """A camera over a table on which one picture lies."""

    def __init__(self, image: np.ndarray) -> None:
        self.image, self.t = image, 0.0

    def motion(self) -> Frame:
        self.t += 0.1
        return Frame(self.t, self.image)

    def still(self, box: object = None) -> Frame:
        return Frame(self.t, self.image)

    def close(self) -> None: ...


def steps(enrolling: Enrolling, camera: object, until: Callable[[Learning], bool]) -> Learning:
    for _ in range(2000):
        for told in enrolling.step(camera, lambda: 1.0):  # type: ignore[arg-type]
            if until(told.learning):
                return told.learning
        if enrolling._reading is not None:
            enrolling._reading.join(0.05)
    raise AssertionError("it never came so far")


def test_what_is_saved_is_told_and_a_disk_that_takes_nothing_is_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "none" / "venue.deck"
    enrolling = Enrolling(path, Detector(), Reader(), lambda: "2026-11-30")
    camera = Lying(np.full((240, 320, 3), 60, np.uint8))
    assert not enrolling.wanted
    enrolling.told([Learn("begin")])
    assert enrolling.wanted
    assert steps(enrolling, camera, lambda now: now.said == "none").seen == frozenset()
    crop = np.full((84, 60, 3), 200, np.uint8)
    crop[20:60, 20:40] = 20
    question = Question(1, crop, (Card.parse("SJ"), Card.parse("S8")))
    asked = {1: question}
    enrolment = enrolling.enrolment
    monkeypatch.setattr(type(enrolment), "doubtful", property(lambda self: tuple(asked.values())))
    monkeypatch.setattr(enrolment, "answer", lambda number, card: enrolment._take(card, asked.pop(number).crop, False))
    enrolling.told([Learn("answer", (1, "SJ")), Learn("answer", (1, "SJ"))])
    now = steps(enrolling, camera, lambda now: now.said == "answered")
    assert now.seen == {Card.parse("SJ")} and now.question is None
    (tmp_path / "none").write_text("no folder", "utf-8")
    enrolling.told([Learn("save")])
    assert steps(enrolling, camera, lambda now: now.said == "unsaved").saved == "" and enrolling.taken_up() is None
    (tmp_path / "none").unlink()
    enrolling.told([Learn("save")])
    assert steps(enrolling, camera, lambda now: now.said == "saved").saved == str(path)
    kept = enrolling.taken_up()
    assert kept is not None and enrolling.taken_up() is None
    assert DeckProfile.load(path).cards == {Card.parse("SJ")} and DeckProfile.load(path).made == "2026-11-30"
    enrolling.told([Learn("stop")])
    enrolling.step(camera, lambda: 1.0)  # type: ignore[arg-type]
    assert not enrolling.wanted


def test_who_leaves_the_page_has_the_camera_back_at_once_whatever_is_being_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    enrolling = Enrolling(tmp_path / "venue.deck", Detector(), Reader())
    goes_on = threading.Event()
    monkeypatch.setattr("table.enrolling.View.from_markers", lambda image: goes_on.wait())
    camera = Lying(np.full((240, 320, 3), 60, np.uint8))
    enrolling.told([Learn("begin")])
    steps(enrolling, camera, lambda now: now.busy)
    reading = enrolling._reading
    assert reading is not None and reading.is_alive()
    enrolling.told([Learn("save"), Learn("stop")])
    enrolling.step(camera, lambda: 1.0)  # type: ignore[arg-type]
    assert not enrolling.wanted and enrolling.taken_up() is None
    monkeypatch.undo()
    enrolling.told([Learn("begin")])
    goes_on.set()
    reading.join()
    assert steps(enrolling, camera, lambda now: now.said == "none").seen == frozenset(), "the next one starts anew"


def test_a_proof_waits_until_all_the_cards_lie_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    enrolling = Enrolling(tmp_path / "venue.deck", Detector(), Reader())
    enrolling.told([Learn("begin")])
    camera = Lying(np.full((240, 320, 3), 60, np.uint8))
    enrolling.step(camera, lambda: 1.0)  # type: ignore[arg-type]
    enrolling.enrolment.step = "prove"
    lying = [SeenCard(card, 0.99, True, ((card, 0.99),), ((0.0, 0.0),), 0.0) for card in DECK]
    monkeypatch.setattr(enrolling.enrolment, "reader", lambda: None)
    monkeypatch.setattr("table.enrolling.read_photo", lambda *given: lying[: 12 if camera.t < 3 else 54])
    few = steps(enrolling, camera, lambda now: now.said == "few")
    assert few.proof is None and few.count == 12 and few.step == "prove"
    more = camera.image.copy()
    more[80:160, 60:260] = 230
    camera.t, camera.image = 4.0, more
    now = steps(enrolling, camera, lambda now: now.said == "proved")
    assert now.proof is not None and now.proof.passed and now.step == "done"


class Watched:
    """An eye that only notes that it was asked."""

    def __init__(self) -> None:
        self.asked, self.ended, self.view, self.index_mm = 0, False, None, 15.0

    def step(self, camera: object) -> list[object]:
        self.asked += 1
        return []


@pytest.fixture
def odd() -> Deck:
    """Our own deck, but its J says Q and its Q says J: no reader can know."""
    own = Deck.own("pine")
    swapped = {"J": "Q", "Q": "J"}

    def draw(key: str) -> np.ndarray:
        return own._picture(key if key == "back" else key[0] + swapped.get(key[1], key[1]))

    return Deck("odd", draw, own.px_per_mm, own.size_mm)


def test_a_deck_is_learned_with_touches_proves_itself_and_is_read_with_from_then_on(
    odd: Deck, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("table.sources.yield_to_the_window", lambda: None)  # on a busy machine it would never come up
    path = tmp_path / "venue.deck"
    enrolling = Enrolling(path, Detector(), Reader(), lambda: "2026-11-30")
    camera = ShownDeck(odd, 3, lambda: enrolling.enrolment, lambda: enrolling.looks, STILL)
    eye, after = Watched(), Watched()
    decks: list[DeckProfile] = []

    def eye_of(deck: DeckProfile) -> Watched:
        decks.append(deck)
        return after

    source = CameraSource(camera, eye, None, enrolling, eye_of)  # type: ignore[arg-type]
    with Journal(tmp_path / "a.journal") as journal:
        app = App(Controller(learns="between"), Ledger(journal, lambda: 0.0), source, "en", size=(800, 480))

        def until(condition: Callable[[], bool]) -> None:
            for _ in range(100_000):
                app.turn()
                if source.failed.error is not None:
                    raise source.failed.error
                if condition():
                    return
            raise AssertionError(f"it never came so far: {app.view.screen} {app.view.learning}")

        def tap(what: str, value: object = None) -> None:
            until(lambda: any((each.what, each.value) == (what, value) for each in app.canvas.targets))
            target = next(each for each in app.canvas.targets if (each.what, each.value) == (what, value))
            px = app.canvas.theme.px_per_mm
            app.tap(round((target.box[0] + target.box[2] / 2) * px), round((target.box[1] + target.box[3] / 2) * px))

        def learning() -> Learning:
            return app.view.learning or Learning()

        source.start(lambda: app.controller.desk)
        until(lambda: eye.asked > 2)
        tap("diagnosis")
        tap("enrol")
        until(lambda: app.view.screen == "enrol" and len(learning().seen) >= 50)
        seen = eye.asked
        until(lambda: learning().step in ("prove", "done"))
        assert learning().seen == set(DECK) and eye.asked == seen, "the eye saw nothing of it"
        until(lambda: learning().step == "done")
        proof = learning().proof
        assert proof is not None and proof.passed and proof.wrong == ()
        tap("learn", "save")
        until(lambda: learning().saved == str(path))
        tap("close")
        until(lambda: after.asked > 2 and app.view.screen == "start")
        source.stop()
    assert decks[0].cards == DeckProfile.load(path).cards == frozenset(DECK)
    assert DeckProfile.load(path).proof["wrong"] == 0


def test_in_a_demo_a_virtual_person_shows_the_demos_own_cards(tmp_path: Path) -> None:
    learner = Enrolling(tmp_path / "demo.deck", Detector(), Reader())
    source = VirtualSource(1, "friendly", enrolling=lambda: learner, studio=studio())
    table = source.picture()
    source.pause(True)
    source.told([Learn("begin")])
    source._learn()
    assert learner.wanted and source.picture() is not table, "the visitor sees what the enrolment's camera sees"
    shown = source.picture()
    assert shown is not None and shown.std() > 20
    source.told([Learn("stop")])
    source._learn()
    assert not learner.wanted and source.picture() is table
