"""The devices at the table's edge, on the fakes that ship: presses go in, lamps, clock, tones and slips come out."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware import kit
from hardware.fake import FakeButtons, FakeClock, FakeLamps, FakePrinter, FakeSounder
from hardware.paper import Bitmap, escpos, printed
from table.effects import Effect, Show, Sound
from table.fittings import Fittings
from table.inputs import Pressed
from table.slip import _level, draw, slip_of
from table.words import Words
from tests.table.scripted import Scripted


class Fitted(Scripted):
    """A scripted table with fake devices at its edge."""

    def __init__(self, profile: str = "championship") -> None:
        self.fittings: Fittings | None = None
        super().__init__(profile)
        self.put: list[Pressed] = []
        self.fittings = Fittings(
            kit.fake, self.put.append, lambda: self.t,  # type: ignore[arg-type]
            slip=lambda dots: draw(slip_of(self.controller.desk, "2026-11-30 21:40"), Words("zh"), dots),
        )  # fmt: skip
        self.fittings.start()
        self.buttons, self.lamps, self.sounder, self.clock, self.printer = self.fittings.kit.devices  # type: ignore[misc]
        self.buttons: FakeButtons
        self.lamps: FakeLamps
        self.sounder: FakeSounder
        self.clock: FakeClock
        self.printer: FakePrinter

    def give(self, given) -> list[Effect]:  # type: ignore[no-untyped-def,override]
        effects = super().give(given)
        if self.fittings is not None:
            self.fittings.told(effects)
            self.fittings.beat()
        return effects

    def push(self, seat: str | None, button: str = "pass", age: float = 0.0) -> None:
        self.buttons.press(seat, button, age)
        while self.put:
            self.give(self.put.pop(0))


def test_a_pad_passes_and_the_lamps_follow_the_turn() -> None:
    table = Fitted()
    table.lay("N", "S9 H9")
    assert table.lamps.shown == {"N": "off", "W": "turn", "S": "off", "E": "off"}
    table.t += 2
    table.push("W", age=0.5)
    assert table.did[-1] == "pass" and table.view.turn == "S"
    assert table.events[-1].data["by"] == "pressed"
    assert table.lamps.shown == {"N": "off", "W": "off", "S": "turn", "E": "off"}


def test_the_one_referee_button_calls_and_every_lamp_says_so() -> None:
    table = Fitted()
    table.lay("N", "S9 H9")
    table.push(None, "call")
    (called,) = (event for event in table.events if event.do == "call")
    assert called.data["seat"] == "W"
    assert set(table.lamps.shown.values()) == {"call"}
    assert table.clock.shown[-1][1] == "stop"


def test_the_clock_counts_on_the_shot_clock_and_the_lamp_warns() -> None:
    table = Fitted()
    table.lay("N", "S9 H9")
    limit = table.view.turn_clock.limit  # type: ignore[union-attr]
    assert limit is not None
    table.wait(limit + 1)
    shown = [seconds for seconds, state in table.clock.shown if state != "stop" and seconds is not None]
    assert shown[-1] == 0 and all(a - b == 1 for a, b in pairwise(shown[1:]))
    states = [state for _, state in table.clock.shown]
    assert "warning" in states and ("W", "warning") in table.lamps.told
    table.push("W")
    assert table.lamps.shown["W"] == "off" and table.clock.shown[-1][1] == "run"


def test_tones_are_the_controllers_word() -> None:
    table = Fitted()
    assert table.sounder.played == []
    table.fittings.told([Sound("notice")])  # type: ignore[union-attr]
    assert table.sounder.played == [], "silent until somebody switches sound on"
    on = replace(table.view, settings=replace(table.view.settings, sound=True))
    table.fittings.told([Show(on), Sound("notice")])  # type: ignore[union-attr]
    assert table.sounder.played == ["notice"]


def whole_match(profile: str = "championship") -> Fitted:
    table = Fitted(profile)
    for _ in range(12):
        table.finish("NSWE")
        for seat in "NE":
            table.press(seat, "confirm")
        if table.controller.desk.match.result is not None:
            break
    assert table.controller.desk.match.result is not None
    return table


def as_picture(slip: Bitmap) -> np.ndarray:
    rows = np.frombuffer(slip.rows, np.uint8).reshape(slip.height, slip.stride)
    return np.where(np.unpackbits(rows, axis=1)[:, : slip.width], 0, 255).astype(np.uint8)


def test_the_slip_prints_once_when_both_sides_have_signed() -> None:
    table = whole_match()
    assert table.printer.slips == [] or table.controller.desk.match.signed == {"NS", "EW"}
    for seat in "NE":
        table.press(seat, "confirm")
    table.wait(5)
    assert len(table.printer.slips) == 1
    (slip,) = table.printer.slips
    assert printed(escpos(slip)) == [slip]


@pytest.mark.parametrize("dots", [384, 576])
def test_the_code_on_the_slip_says_what_the_slip_says(dots: int) -> None:
    desk = whole_match().controller.desk
    desk.names.update({"N": "欧阳明月", "E": "Margaret"})
    made = slip_of(desk, "2026-11-30 21:40", ['{"do":"match"}'])
    picture = as_picture(draw(made, Words("zh"), dots))
    large = cv2.resize(picture, None, fx=2, fy=2, interpolation=cv2.INTER_NEAREST)
    text, *_ = cv2.QRCodeDetector().detectAndDecode(
        cv2.copyMakeBorder(large, 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=255)
    )
    said = json.loads(text)
    assert said == json.loads(made.code)
    assert said["winner"] == "NS" and said["names"]["N"] == "欧阳明月" and len(said["record"]) == 16


def test_who_went_past_A_is_past_A_on_the_slip_and_in_no_deal_before() -> None:
    made = slip_of(whole_match().controller.desk, "")
    assert made.past_A and made.winner == "NS"
    said = [_level(made, Words("en"), "NS", levels, number == len(made.deals)) for number, _, _, levels in made.deals]
    assert said[-1] == "past A" and said[-2] == "A" and "past A" not in said[:-1]
    assert _level(made, Words("en"), "EW", made.levels) == "2"


def test_nothing_on_the_slip_leaves_the_paper() -> None:
    """The longest names stay between white edges; only the rules go across."""
    desk = whole_match().controller.desk
    desk.names.update(dict.fromkeys("NESW", "司马相如欧阳修诸葛亮" * 2))
    picture = as_picture(draw(slip_of(desk, ""), Words("en"), 384))
    ruled = (picture == 0).all(axis=1)
    assert ruled.sum() == 4
    assert (picture[~ruled][:, :4] == 255).all() and (picture[~ruled][:, -4:] == 255).all()


def save(path: Path) -> None:
    """For a look at it: ``python -c "from tests.table.test_fittings import save; …"``."""
    desk = whole_match().controller.desk
    desk.names.update({"N": "欧阳明月", "S": "李雷", "E": "Margaret", "W": "韩梅梅"})
    cv2.imwrite(str(path), as_picture(draw(slip_of(desk, "2026-11-30 21:40"), Words("zh"))))
