"""The diagnostics: what is read out on the phone stands there whole, and every device at the table's edge speaks."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

from hardware import kit
from hardware.fake import FakeButtons
from table import screens
from table.diagnosis import devices
from table.screens.canvas import Canvas
from table.screens.gallery import SIZES
from table.theme import theme
from table.view import Fact, TableView
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
                view = TableView(screen="diagnosis", facts=told, may_learn=True)
                screens.draw(canvas, view, words, 0.0)
                shown = [written.text for written in canvas.written]
                assert {fact.value for fact in told} <= set(shown), (link, disk, ill)
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
