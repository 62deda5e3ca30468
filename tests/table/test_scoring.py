"""Score only: a tap that loses nothing; once it is meant, the rest of that deal times, asks and accuses nobody."""

from __future__ import annotations

import pytest

from engine.match import Match
from table.controller import Controller
from table.effects import Append
from tests.table.scripted import Scripted
from vision.observations import Covered, Uncovered

CLOCK = {"turn_seconds": 20, "turn_warning": 20, "turn_foul": 40, "match_seconds": 3600, "reminders": []}


def begun(**options: object) -> Scripted:
    table = Scripted("championship", **{**CLOCK, **options})
    table.tap("seat", "N")
    table.lay("N", "S3 H3")
    return table


def order(table: Scripted, seats: str) -> None:
    for seat in seats:
        table.tap("pick", seat)
    table.tap("pick_done")


def test_who_opens_the_page_and_goes_back_has_lost_nothing() -> None:
    table = begun()
    table.tap("score_only")
    table.wait(5)
    table.lay("W", "S5 D5", after=0.5)  # the camera goes on reading beneath
    table.tap("close")
    assert table.view.seats["W"].cards and table.view.turn == "S" and not table.view.scoring
    assert table.view.turn_clock is not None and "resume" not in table.did


@pytest.mark.parametrize("how", ["left open", "first seat", "offer"])
def test_once_it_is_meant_nobody_is_timed_asked_or_accused(how: str) -> None:
    table = begun()
    table.lay("W", "S5?D5")
    table.tap("score_this" if how == "offer" else "score_only")
    if how == "first seat":
        table.tap("pick", "N")
        table.tap("pick_clear")
    table.wait(300)
    assert table.did[-1] == "resume" and table.view.screen == "score_only"
    table.tap("close")
    view = table.view
    assert view.scoring and view.turn is None and not any(seat.cards or seat.ask for seat in view.seats.values())
    table.lay("E", "S2")  # far out of turn, if anybody read it
    table.press("N", "report")
    table.tap("fix_turn", "S")
    table.wait(200)
    table.press("N", "call")
    table.tap("resume")
    table.wait(100)
    assert {alert.kind for alert in table.alerts} <= {"call"} and table.view.turn_clock is None
    assert [light for light in table.lights if light.state == "warning"] == []
    table.tap("score_only")
    order(table, "NSEW")
    assert table.view.deal_result is not None and table.view.deal_result.after["NS"] == "5"
    assert {alert.kind for alert in table.alerts} <= {"call"}
    again = Match()
    for event in table.events:
        again.apply(event)
    assert {alert.kind for alert in again.alerts} <= {"call"}, "the record accuses nobody either"


def test_the_next_deal_is_read_again() -> None:
    table = begun()
    table.tap("score_this")
    order(table, "NESW")
    for side in ("NS", "EW"):
        table.tap("confirm", side)
    payer = next(giver for _, giver, _ in table.view.tributes)
    table.lay(payer, "SA")
    assert not table.view.scoring and table.did[-1] == "tribute"


def test_after_a_restart_it_is_still_meant() -> None:
    table = begun()
    table.tap("score_this")
    again = Controller("national", "championship")
    again.resume([(each.event, each.evidence) for each in table.effects if isinstance(each, Append)], table.t)
    assert again.view.scoring and again.view.turn is None and not again.desk.expected["N"]


def test_after_a_restart_between_two_deals_the_next_one_is_read() -> None:
    table = begun()
    table.tap("score_this")
    order(table, "NESW")
    again = Scripted("championship", **CLOCK)
    again.controller = Controller("national", "championship")
    again.controller.resume(
        [(each.event, each.evidence) for each in table.effects if isinstance(each, Append)], again.t
    )
    for side in ("NS", "EW"):
        again.tap("confirm", side)
    payer = next(giver for _, giver, _ in again.view.tributes)
    again.lay(payer, "SA")
    assert not again.view.scoring and again.did[-1] == "tribute"


def test_a_camera_that_sees_nothing_stops_no_clock_of_a_deal_that_is_only_scored() -> None:
    table = begun()
    table.see(Covered(table.t, table.t))
    table.wait(5)
    assert table.did[-1] == "pause"
    table.tap("score_this")
    left = table.view.match_clock.left(table.t)  # type: ignore[union-attr]
    table.wait(60)
    assert left - table.view.match_clock.left(table.t) == pytest.approx(60, abs=1.1)  # type: ignore[union-attr]
    table.see(Uncovered(table.t))
    table.wait(2)
    assert table.did.count("pause") == 1 and table.did[-1] == "resume"


def test_before_a_deal_its_order_is_tapped_in_as_ever() -> None:
    table = Scripted("championship")
    table.tap("score_only")
    table.wait(60)
    order(table, "NSEW")
    assert "resume" not in table.did and table.view.deal_result is not None
