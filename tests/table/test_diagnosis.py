"""The diagnostics: what is read out on the phone stands there whole, and every device at the table's edge speaks."""

from __future__ import annotations

import json
import os
import queue
import threading
import time
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

from cli import doctor
from hardware import kit
from hardware.fake import FakeButtons
from table import screens
from table.app import App
from table.controller import Controller
from table.diagnosis import devices
from table.effects import Effect, MakeBundle
from table.inputs import Input, Tapped
from table.journal import Journal
from table.ledger import Ledger
from table.screens.canvas import Canvas
from table.screens.gallery import SIZES
from table.sources import Failed
from table.theme import theme
from table.view import Bundle, Fact, TableView
from table.words import LANGUAGES, Words

LINKS = ("syncing", "online", "offline", "barred", "replaced")
DISKS = ("well", "full", "readonly", "broken")
EDGE = ("contacts", "lamps", "box", "clock", "printer", "buzzer", "speaker")


def facts(words: Words, link: str, disk: str, ill: int) -> tuple[Fact, ...]:
    """A machine of which everything is told; the first *ill* of its devices are not there."""
    states = {name: "stuck" if name == "contacts" else "away" for name in EDGE[:ill]} or {"lamps": "ok"}
    return (
        Fact("camera", words("diagnosis.lost"), False),
        Fact("journal", words(f"diagnosis.{disk}"), disk == "well"), Fact("disk", "118.4 GB", True),
        Fact("heat", "81 °C", False), Fact("power", "< 4.63 V", False), Fact("memory", "38%", True),
        Fact("venue", words(f"venue.{link}"), link == "online"), *devices(states, words, True),
        Fact("touch", words("diagnosis.never"), None), Fact("display", "1920x1080 wayland", None),
        Fact("version", "10.12.100", None),
    )  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
def test_no_value_is_cut_however_much_is_to_be_told(size: str, language: str) -> None:
    words, canvas = Words(language), Canvas(theme(*map(int, size.split("x"))))
    for link in LINKS:
        for disk in DISKS:
            for ill in (0, 1, 3, 7):
                told = facts(words, link, disk, ill)
                if ill < 7:
                    told = (*told, Fact("deck", words("diagnosis.aside"), False))
                file = Bundle("made", "/srv/guandan/.local/state/guandan/diagnosis.zip")
                view = TableView(screen="diagnosis", facts=told, may_learn=True, may_calibrate=True, may_bundle=True,
                                 bundle=file)  # fmt: skip
                screens.draw(canvas, view, words, 0.0)
                shown = [written.text for written in canvas.written]
                assert {fact.value for fact in told} <= set(shown), (link, disk, ill)
                assert file.path in "".join(shown), "it has to be found"
                screens.draw(canvas, replace(view, bundle=None), words, 0.0)
                assert words("diagnosis.bundle") in [written.text for written in canvas.written]
                ends = max(written.ink[1] + written.ink[3] for written in canvas.written)
                assert ends <= canvas.height
                assert min(written.size for written in canvas.written) >= 2.6, "small, but there"


def test_what_needs_a_hand_stands_first() -> None:
    words, canvas = Words("en"), Canvas(theme(1280, 720))
    screens.draw(canvas, TableView(screen="diagnosis", facts=facts(words, "online", "well", 1)), words, 0.0)
    tops = {written.text: written.ink[1] for written in canvas.written}
    assert tops["something lies on it"] < tops["1920x1080 wayland"]
    assert tops["< 4.63 V"] < tops["well"]


def test_a_device_that_is_away_or_stuck_is_named_and_no_more_of_the_others() -> None:
    words = Words("en")
    told = {fact.key: fact for fact in devices({"contacts": "stuck", "lamps": "ok", "printer": "away"}, words, False)}
    assert set(told) == {"contacts", "printer"} and not any(fact.good for fact in told.values())
    assert [fact.key for fact in devices({"contacts": "ok", "lamps": "ok"}, words, False)] == ["devices"]


def test_a_table_that_is_to_be_silent_misses_no_loudspeaker() -> None:
    words = Words("en")
    assert [fact.good for fact in devices({"lamps": "ok", "speaker": "away"}, words, sound=False)] == [True]
    assert [fact.key for fact in devices({"lamps": "ok", "speaker": "away"}, words, sound=True)] == ["speaker"]


class Quiet:
    """A source of inputs from which nothing comes by itself."""

    def __init__(self) -> None:
        self.inputs: queue.SimpleQueue[Input] = queue.SimpleQueue()
        self.lock, self.failed = threading.Lock(), Failed()

    def now(self) -> float:
        return 5.0

    def told(self, effects: list[Effect]) -> None: ...
    def picture(self) -> None: ...
    def pause(self, still: bool) -> None: ...
    def stop(self) -> None: ...


def test_a_touch_writes_the_report_file_and_says_where_it_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    state = tmp_path / "guandan"
    state.mkdir()
    (state / "table.journal.venue").write_text('{"token": "Zk3vQ9x7Wc5Tb1Rn8Ly6Hd4Gf2Js0Pa_"}', "utf-8")
    with Journal(state / "table.journal") as journal:
        app = App(Controller(bundles=True), Ledger(journal, time.time), Quiet(), "en", size=(1280, 720))
        app.bundle = doctor.bundle_beside_a_table

        def tap(what: str) -> None:
            target = next(each for each in app.canvas.targets if each.what == what)
            x, y, wide, high = target.box
            scale = app.canvas.theme.px_per_mm
            app.tap(round((x + wide / 2) * scale), round((y + high / 2) * scale))

        def until(state: str) -> None:
            end = time.monotonic() + 60
            while app.view.bundle is None or app.view.bundle.state != state:
                assert time.monotonic() < end
                app.turn()

        app.take(Tapped(1.0, "diagnosis"))
        app.turn()
        tap("bundle")
        until("made")
        assert app.view.bundle is not None and app.view.bundle.path == str(state / "diagnosis.zip")
        with zipfile.ZipFile(state / "diagnosis.zip") as file:
            checks = json.loads(file.read("doctor.json"))
            assert {"display", "camera", "deck", "disk"} <= {check["topic"] for check in checks}
            assert b"Zk3vQ9x7" not in b"".join(file.read(name) for name in file.namelist())
        app.take(Tapped(2.0, "close"))
        app.take(Tapped(3.0, "diagnosis"))
        app.turn()
        assert app.view.bundle is None, "what was said is over"

        def full() -> Path:
            raise OSError(28, "No space left on device")

        app.bundle = full
        tap("bundle")
        until("failed")


def test_where_nothing_can_be_written_nothing_is_offered() -> None:
    controller = Controller()
    controller.handle(Tapped(1.0, "diagnosis"))
    assert not controller.view.may_bundle
    assert not [effect for effect in controller.handle(Tapped(2.0, "bundle")) if isinstance(effect, MakeBundle)]


def test_stand_ins_are_no_devices_and_a_buzzer_is_enough() -> None:
    assert kit.fake(lambda press: None).states() == {}

    class Away(FakeButtons):
        name, state = "speaker", "away"

    class Buzzes(FakeButtons):
        name = "buzzer"

    quiet, buzzer = Away(lambda press: None), Buzzes(lambda press: None)
    assert kit.Kit([quiet], sounders=[quiet]).states() == {"speaker": "away"}
    assert kit.Kit([quiet, buzzer], sounders=[quiet, buzzer]).states() == {"buzzer": "ok"}


def test_a_real_tables_page_tells_of_its_devices() -> None:
    """Every state that a device may have has words."""
    for language in LANGUAGES:
        for name in EDGE:
            for state in ("away", "stuck"):
                (fact,) = devices({name: state}, Words(language), True)
                assert fact.value and replace(fact, good=True).key == name
                assert Words(language)(f"diagnosis.{name}")
