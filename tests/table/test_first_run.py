"""The first start: a page behind a key that stands only in the code on the glass, filled in once."""

from __future__ import annotations

import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from urllib.parse import urlencode

import cv2
import numpy as np
import pygame
import pytest

from engine.errors import Unreadable
from table import first_run_screen
from table.first_run import Answers, SetUp, read
from table.screens.canvas import Canvas
from table.settings import Settings, fits
from table.theme import theme
from table.words import Words

FORM = {"language": "en", "rotation": "90", "touch_rotation": "270", "guard": "482915"}


@pytest.fixture
def told() -> list[Answers]:
    return []


@pytest.fixture
def setup(told: list[Answers]) -> Iterator[SetUp]:
    def apply(answers: Answers) -> None:
        if answers.code == "000001":
            raise Unreadable("the venue does not know this code")
        told.append(answers)

    served = SetUp(apply, "en", port=0)
    yield served
    served.close()


def ask(url: str, form: dict[str, str] | None = None) -> tuple[int, str]:
    data = urlencode(form).encode() if form is not None else None
    try:
        with urllib.request.urlopen(url, data, timeout=20) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.read().decode()


def test_the_page_is_filled_in_once_and_then_gone(setup: SetUp, told: list[Answers]) -> None:
    url = setup.url("127.0.0.1")
    status, page = ask(url)
    assert status == 200 and "Set up this table" in page and "name=guard" in page
    status, page = ask(url, {**FORM, "venue": "10.0.0.2:8080", "code": "000001"})
    assert status == 400 and "the venue does not know this code" in page and 'value="10.0.0.2:8080"' in page
    status, page = ask(url, {**FORM, "guard": "1234"})
    assert status == 400 and "easy to guess" in page and not told
    status, page = ask(url, {**FORM, "venue": "10.0.0.2:8080", "code": "482 913"})
    assert status == 200 and "All set" in page and setup.done.is_set()
    (answers,) = told
    assert answers.settings == Settings(language="en", rotation=90, touch_rotation=270)
    assert answers.venue == "http://10.0.0.2:8080" and fits("482915", answers.guard)
    assert ask(url)[0] == 404


def test_without_the_key_there_is_nothing(setup: SetUp, told: list[Answers]) -> None:
    base = setup.url("127.0.0.1").rsplit("/", 1)[0]
    for path in ("", "/", "/x", f"/{setup.key}x", f"/{setup.key.swapcase()}"):
        assert ask(base + path)[0] == 404 and ask(base + path, FORM)[0] == 404
    assert ask(setup.url("127.0.0.1"), {**FORM, "venue": "x" * 5000})[0] == 413
    assert not told and not setup.done.is_set()


def test_what_was_typed_comes_back_as_text(setup: SetUp) -> None:
    page = setup.page({"venue": '"><script>'}, "<b>")
    assert "<script>" not in page and "&lt;b&gt;" in page


@pytest.mark.parametrize("change", [{"rotation": "45"}, {"rotation": "x"}, {"language": "fr"}, {"guard": ""},
                                    {"venue": "http://x"}, {"code": "482913"}])  # fmt: skip
def test_what_cannot_be_is_refused(change: dict[str, str]) -> None:
    with pytest.raises(Unreadable):
        read({**FORM, **change})


@pytest.mark.parametrize("size", [(1280, 720), (720, 1280), (800, 480)])
def test_the_code_on_the_glass_leads_to_the_page(size: tuple[int, int]) -> None:
    canvas, url = Canvas(theme(*size)), "http://192.168.1.23:8600/AbCdEf123456"
    first_run_screen.draw(canvas, Words("zh"), url)
    grey = np.ascontiguousarray(pygame.surfarray.array3d(canvas.surface).mean(axis=2).T.astype(np.uint8))
    assert cv2.QRCodeDetector().detectAndDecode(grey)[0] == url
    for written in canvas.written:
        x, y, wide, high = written.ink
        assert x >= 0 and y >= 0 and x + wide <= canvas.width and y + high <= canvas.height
    first_run_screen.draw(canvas, Words("en"), None)
    assert any("No network" in written.text for written in canvas.written)


def test_a_venue_of_the_network_is_offered_and_taken_where_it_is_the_only_one(told: list[Answers]) -> None:
    one, another = "http://192.168.1.10:8080", "https://192.168.1.11:8443"
    assert read(FORM | {"code": "74753780"}, [one]).venue == one
    assert read(FORM | {"code": "74753780", "venue": another}, [one]).venue == another
    assert read(FORM, [one]).venue == ""
    for venues in ([], [one, another]):
        with pytest.raises(Unreadable):
            read(FORM | {"code": "74753780"}, venues)
    served = SetUp(told.append, "en", port=0, venues=lambda: [one, '"><script>'])
    try:
        while not served.venues:
            threading.Event().wait(0.01)
        page = served.page({})
        assert f'<option value="{one}">' in page and "list=venues" in page and "<script>" not in page
    finally:
        served.close()


def test_a_tap_goes_past_it_and_a_filled_page_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    urls: list[str] = []
    monkeypatch.setattr(
        SetUp, "url", lambda self, host: urls.append(f"http://{host}:{self.port}/{self.key}") or urls[-1]
    )

    def phone() -> None:
        while not urls:
            threading.Event().wait(0.01)
        ask(urls[0], FORM)

    threading.Thread(target=phone, daemon=True).start()
    told: list[Answers] = []
    beats: list[int] = []
    assert first_run_screen.run(told.append, "en", False, lambda: "127.0.0.1", beat=lambda: beats.append(1))
    assert len(told) == 1 and beats, "the watchdog waits here as well"
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=(5, 5)))
    assert not first_run_screen.run(told.append, "en", False, lambda: None)
    pygame.display.quit()
