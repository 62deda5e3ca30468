"""The first plays of a robot match through the real camera picture, the real eye and the controller."""

from __future__ import annotations

from pathlib import Path

import pytest

from table.controller import Controller
from table.effects import Append
from table.headless import PACE
from table.inputs import Tapped
from table.virtual import VirtualTable, record_of

MODELS = Path(__file__).resolve().parents[2] / "assets" / "models"


@pytest.mark.skipif(not (MODELS / "reader.onnx").exists(), reason="the models are not there yet")
def test_the_eye_reads_the_first_plays_of_a_match() -> None:
    record = record_of(7, 1, "championship", 1)
    table = VirtualTable(record, 7001, 1, PACE)
    controller = Controller("national", "championship", None, {"match_seconds": 0})
    journal: list[Append] = []

    def take(given: object) -> None:
        effects = controller.handle(given)  # type: ignore[arg-type]
        journal.extend(effect for effect in effects if isinstance(effect, Append))
        table.people.told(effects, table.now)

    take(Tapped(table.now, "start"))
    wanted = [event for event in record if event.do == "play"][:5]
    while sum(each.event.do == "play" for each in journal) < len(wanted) and table.now < 60:
        for given in table.step(controller.desk):
            take(given)
    read = [each for each in journal if each.event.do == "play"]
    right = sum(
        (one.data["seat"], sorted(one.data["cards"])) == (two.event.data["seat"], sorted(two.event.data["cards"]))
        for one, two in zip(wanted, read, strict=False)
    )
    asked = sum(not each.evidence["sure"] for each in read)
    assert right >= len(wanted) - asked, "what is sure is right"
    assert right >= len(wanted) - 1
    assert all(each.evidence["ms"] > 0 for each in read)
