"""The turned card of the first deal: shown, taken into the hand, and its player leads when the dealing is over."""

from __future__ import annotations

import pytest

from engine.cards import Card
from table.controller import Controller
from table.effects import Append
from tests.table.scripted import Scripted

PROFILES = ("friendly", "championship")


@pytest.mark.parametrize("profile", PROFILES)
def test_a_card_shown_and_taken_into_the_hand_names_the_leader_and_begins_nothing(profile: str) -> None:
    table = Scripted(profile, turn_seconds=20, turn_foul=40)
    table.lay("W", "HK")
    table.lift("W", "HK")
    assert table.view.turned == ("W", Card.parse("HK")) and table.view.turn is None
    table.wait(90)  # the dealing goes on
    assert not table.alerts and not table.view.seats["W"].cards
    table.lay("W", "S3 H3")
    assert table.view.deal == 1 and table.controller.desk.match.deal.leader == "W"
    table.lay("S", "S5 H5")
    table.passes("ENW") if profile == "championship" else None
    table.lay("S", "HK") if profile == "championship" else None
    assert not table.alerts and table.view.notice is None


def test_the_journal_tells_the_same_after_a_restart() -> None:
    table = Scripted("championship")
    table.lay("W", "HK")
    table.lift("W", "HK")
    again = Controller("national", "championship")
    again.resume([(each.event, each.evidence) for each in table.effects if isinstance(each, Append)], table.t)
    assert again.view.turned == ("W", Card.parse("HK")) and again.view.screen == "playing"
    assert not again.desk.lays["W"] and not again.desk.expected["W"], "nothing of it is waited for on the mat"


def test_a_lead_that_somebody_answered_or_that_lay_for_long_is_a_lead() -> None:
    table = Scripted("championship")
    table.lay("W", "HK")
    table.press("S")
    table.lift("W", "HK")
    assert table.view.turned is None and table.controller.desk.match.phase == "deal"
    table = Scripted("friendly")
    table.lay("W", "HK")
    table.wait(12)  # everybody passes in silence
    table.lift("W", "HK")
    assert table.view.turned is None and table.controller.desk.match.phase == "deal"


def test_a_single_led_after_a_tap_on_the_seat_may_be_taken_back_as_ever() -> None:
    table = Scripted("championship")
    table.tap("seat", "W")
    table.lay("W", "HK")
    table.lift("W", "HK")
    assert table.view.turned is None and table.controller.desk.match.phase == "deal"


def test_where_the_highest_draw_leads_nothing_is_turned() -> None:
    table = Scripted("championship", ruleset="hefei")
    table.lay("W", "HK")
    table.lift("W", "HK")
    assert table.view.turned is None


def test_a_card_that_was_not_read_surely_is_not_named() -> None:
    table = Scripted("championship")
    table.lay("W", "HK?DK")
    table.lift("W", "HK?DK")
    assert table.view.turned is None and table.controller.desk.match.phase == "between"
    assert table.view.first_lead == "turned_card" and not table.view.seats["W"].ask
