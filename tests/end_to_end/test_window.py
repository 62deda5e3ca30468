"""The demo's window as its user has it: the real loop, a virtual table, keys and taps, the journal on disk."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import pygame

from table.demo import stage as stage_of
from table.journal import Journal
from table.ledger import events_of
from table.tally import tally
from table.virtual import record_of
from table.words import Words
from tests.table.perfect_eye import studio


class Stage:
    """A demo window and what a visitor does with it."""

    def __init__(self, path: Path, profile: str = "friendly", doubt: float = 0.0) -> None:
        self.journal = Journal(path)
        self.app = stage_of(self.journal, 3, profile, speed=8.0, studio=studio(doubt))
        self.controller, self.source = self.app.controller, self.app.source

    def until(self, wanted: Callable[[], bool], seconds: float = 180.0) -> None:
        end = time.monotonic() + seconds
        while not wanted():
            assert time.monotonic() < end, "it never came to that"
            assert self.source.failed.error is None, self.source.failed.error
            self.app.turn()

    def key(self, key: int) -> None:
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key, mod=0, unicode=""))
        self.app.turn()

    def tap(self, what: str) -> None:
        """Press the mouse in the middle of a target, in pixels of the window."""
        target = next(target for target in self.app.canvas.targets if target.what == what)
        left, top, wide, high = target.box
        spot = self.app.window.pixel_of(left + wide / 2, top + high / 2)
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=spot, touch=False))
        self.app.turn()

    def close(self) -> None:
        self.source.stop()
        self.journal.close()
        pygame.display.quit()


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    made = Stage(tmp_path / "demo.journal")
    yield made
    made.close()


def _plays(stage: Stage) -> int:
    return sum(event.do == "play" for event in stage.controller.desk.match.events)


def test_plays_come_on_the_screen_and_are_on_disk_before(stage: Stage) -> None:
    stage.until(lambda: any(seat.cards for seat in stage.app.view.seats.values()))
    shown = {seat: view.cards for seat, view in stage.app.view.seats.items() if view.cards}
    stored = [event for event, _ in events_of(stage.journal.entries()) if event.do == "play"]
    for seat, cards in shown.items():
        assert any(e.data["seat"] == seat and e.data["cards"] == [c.name for c in cards] for e in stored)
    stage.until(lambda: _plays(stage) >= 3)
    assert stage.app.inset is not None and stage.app.inset.open


def test_a_visitor_may_hold_the_demo_call_a_referee_and_go_on(stage: Stage) -> None:
    stage.until(lambda: _plays(stage) >= 1)
    stage.key(pygame.K_r)
    stage.until(lambda: stage.app.view.screen == "halted")
    stopped = stage.source.table.now
    for _ in range(10):
        stage.app.turn()
    assert stage.source.table.now - stopped <= 0.3, "the robots wait"
    stage.tap("resume")
    stage.until(lambda: stage.app.view.screen == "playing")
    now = stage.source.table.now
    stage.until(lambda: stage.source.table.now > now + 1.0)


def test_keys_change_language_suits_and_inset(stage: Stage) -> None:
    stage.until(lambda: _plays(stage) >= 1)
    stage.key(pygame.K_l)
    stage.until(lambda: stage.app.words.language == "en")
    stage.key(pygame.K_4)
    stage.until(lambda: stage.app.view.four_colours)
    assert stage.app.window.side is not None
    narrow = stage.app.canvas.width
    stage.key(pygame.K_c)
    assert not stage.app.inset.open and stage.app.window.side is None
    assert stage.app.canvas.theme.width == stage.app.window.size[0] and stage.app.canvas.width > narrow, (
        "no empty column"
    )
    stage.key(pygame.K_SPACE)
    assert stage.app.held
    stage.key(pygame.K_q)
    assert not stage.app.running


def test_escape_goes_back_a_step_before_it_ends_anything(stage: Stage) -> None:
    stage.until(lambda: _plays(stage) >= 1)
    stage.tap("menu")
    stage.until(lambda: stage.app.view.screen == "menu")
    stage.key(pygame.K_ESCAPE)
    stage.until(lambda: stage.app.view.screen == "playing")
    assert stage.app.running
    stage.key(pygame.K_ESCAPE)
    assert not stage.app.running


def test_robots_have_a_name_in_each_language(stage: Stage) -> None:
    names = stage.controller.desk.names
    assert {Words("en").name(seat, name) for seat, name in names.items()} == {"Nora", "Eli", "Sue", "Walt"}
    assert Words("en").name("N", "北方") == "北方", "people keep their own"


def test_the_menu_opens_and_closes_by_taps(stage: Stage) -> None:
    stage.until(lambda: _plays(stage) >= 1)
    stage.tap("menu")
    stage.until(lambda: stage.app.view.screen == "menu")
    stage.tap("close")
    stage.until(lambda: stage.app.view.screen == "playing")


def test_a_question_is_answered_by_a_tap(tmp_path: Path) -> None:
    stage = Stage(tmp_path / "demo.journal", doubt=1.0)
    try:
        stage.until(lambda: any(target.what == "option" for target in stage.app.canvas.targets))
        asked = next(target.value[0] for target in stage.app.canvas.targets if target.what == "option")
        stage.tap("option")
        stage.until(lambda: asked not in stage.controller.desk.asks)
        assert any(event.do == "correct" for event, _ in events_of(stage.journal.entries()))
    finally:
        stage.close()


@pytest.mark.parametrize("moment", ["at rest", "while a play fades in"])
def test_nothing_is_drawn_while_nothing_changes(stage: Stage, moment: str) -> None:
    stage.app.turn()
    stage.key(pygame.K_c)
    if moment == "while a play fades in":
        stage.app.canvas.theme = replace(stage.app.canvas.theme, motion=1e6)
    stage.until(lambda: any(seat.cards for seat in stage.app.view.seats.values()))
    stage.key(pygame.K_SPACE)
    for _ in range(10):
        stage.app.turn()
    frames = stage.app.frames
    for _ in range(20):
        stage.app.turn()
    assert stage.app.frames - frames <= 2


def test_a_demo_that_was_cut_off_goes_on_in_the_same_trick(tmp_path: Path) -> None:
    path = tmp_path / "demo.journal"
    first = Stage(path)
    try:
        first.until(lambda: _plays(first) >= 4)
    finally:
        first.close()
    before = len(first.controller.desk.match.events)
    again = Stage(path)
    try:
        assert len(again.controller.desk.match.events) == before
        again.until(lambda: _plays(again) >= 7)
        journaled = events_of(again.journal.entries())
        plays = sum(event.do == "play" for event, _ in journaled)
        record = [event for event in record_of(3, 1, "friendly") if event.do == "play"][:plays]
        assert tally(record, journaled).right == plays, "every play once, in order"
    finally:
        again.close()
