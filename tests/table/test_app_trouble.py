"""The window over a disk that takes nothing, or takes its time: the game goes on and is told, or waits."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from table.app import App
from table.controller import Controller
from table.inputs import Tapped
from table.journal import Journal, Ticket
from table.ledger import Ledger
from table.screens import trouble
from table.screens.gallery import SIZES
from table.screens.samples import NOW, views
from table.sources import Failed
from table.window import Window
from table.words import LANGUAGES, Words


class Edge:
    """A source that gives nothing by itself."""

    def __init__(self) -> None:
        self.inputs: queue.SimpleQueue = queue.SimpleQueue()  # type: ignore[type-arg]
        self.lock, self.failed, self.t = threading.Lock(), Failed(), 5.0

    def now(self) -> float:
        return self.t

    def told(self, effects: object) -> None: ...
    def picture(self) -> None: ...
    def pause(self, still: bool) -> None: ...
    def stop(self) -> None: ...


@pytest.fixture(autouse=True)
def unseen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    yield
    pygame.display.quit()


def app_on(journal: Journal) -> App:
    return App(Controller("national", "friendly"), Ledger(journal, lambda: 0.0), Edge())  # type: ignore[arg-type]


def said(app: App) -> set[str]:
    strip = app.window.strip
    return {" ".join(written.text for written in strip.written)} if strip is not None else set()


def test_a_disk_that_takes_nothing_does_not_stop_the_game_and_the_screen_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder", "utf-8")
    with Journal(tmp_path / "file" / "a.journal", survive=True) as journal:
        app = app_on(journal)
        app.take(Tapped(5.0, "start"))
        while app.view.screen == "start":
            app.turn()
        app.turn()
        assert journal.unsaved and app.words("trouble.broken") in said(app)


def test_a_slow_disk_is_waited_for_and_the_screen_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("table.app.DISK_WAIT", 0.0)
    with Journal(tmp_path / "a.journal") as journal:
        app, ticket = app_on(journal), Ticket()
        monkeypatch.setattr(journal, "append", lambda entries: ticket)
        app.take(Tapped(5.0, "start"))
        for _ in range(5):
            app.turn()
        assert app.view.screen == "start", "nothing is shown as final before it is on disk"
        assert app.words("trouble.slow") in said(app)
        ticket.settle()
        app.turn()
        app.turn()
        assert app.view.screen != "start" and app.words("trouble.slow") not in said(app)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_trouble_covers_nothing_that_can_be_read_or_touched(size: str, language: str) -> None:
    pygame.display.init()
    width, height = map(int, size.split("x"))
    window, words = Window("test", (width, height)), Words(language)
    for key in trouble.SHOWN:
        for name, view in views().items():
            if name in ("start", "play", "deal-result", "menu", "called", "correct", "flat") or key == "mat":
                window.draw(view, words, NOW, troubles=(key,))
                strip = window.strip
                assert strip is not None and window.canvas.theme.height + strip.theme.height == height
                told = "".join(written.text for written in strip.written).replace(" ", "")
                assert told == words(f"trouble.{key}").replace(" ", "")
                assert strip.written[0].size >= 3.9, key
                for written in window.canvas.written:
                    assert written.ink[1] + written.ink[3] <= window.canvas.height + 0.3, (name, written.text)
                px = window.canvas.theme.px_per_mm
                for target in window.canvas.targets:
                    left, top, wide, high = target.box
                    hit = window.hit(*window.pixel_of(left + wide / 2, top + high / 2))
                    assert hit is not None and top + high / 2 < window.canvas.height, (name, target.what, px)
    window.draw(views()["play"], words, NOW)
    assert window.strip is None and window.canvas.theme.height == height, "gone, the screen has its room again"
