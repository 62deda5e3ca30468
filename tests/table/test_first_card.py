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
    table.lay("W", "HR")  # a joker is turned anew: this one is led
    table.wait(12)  # everybody passes in silence
    table.lift("W", "HR")
    assert table.view.turned is None and table.controller.desk.match.phase == "deal"


@pytest.mark.parametrize("profile", PROFILES)
def test_however_long_it_lies_nobodys_time_runs_and_it_is_no_lead(profile: str) -> None:
    table = Scripted(profile, turn_seconds=20, turn_warning=10, turn_foul=40)
    table.lay("W", "HK")
    table.wait(150)  # all 108 cards are dealt meanwhile
    assert not table.alerts and not [light for light in table.lights if light.state == "warning"]
    assert not table.controller.desk.turn_clock.running
    table.lift("W", "HK")
    assert table.view.turned == ("W", Card.parse("HK")) and table.view.turn is None
    table.lay("W", "S3 H3")
    assert not table.alerts and table.controller.desk.match.deal.remaining["W"] == 25
    table.wait(12)
    if profile == "championship":
        assert [light.seat for light in table.lights if light.state == "warning"] == ["S"], "this lead counts"


@pytest.mark.parametrize("profile", PROFILES)
def test_the_lead_may_be_laid_beside_the_card_that_still_lies_there(profile: str) -> None:
    table = Scripted(profile)
    table.lay("W", "HK")
    table.wait(90)
    table.lay("W", "S3 H3")
    deal = table.controller.desk.match.deal
    assert deal.turned == ("W", Card.parse("HK")) and deal.leader == "W" and deal.remaining["W"] == 25
    assert [card.name for card in table.view.seats["W"].cards] == ["S3", "H3"] and not table.alerts
    table.lift("W", "HK", emptied=False)
    table.lay("S", "S5 H5")
    assert deal.remaining["S"] == 25 and not table.alerts and not table.view.seats["W"].ask


def test_who_cut_shows_it_and_so_does_who_draws_it() -> None:
    table = Scripted("championship")
    table.lay("S", "HK")
    table.wait(15)
    table.lift("S", "HK")
    table.lay("E", "HK", after=40)
    table.wait(30)
    table.lift("E", "HK")
    assert table.view.turned == ("E", Card.parse("HK")) and not table.alerts
    table.lay("E", "C5")  # a single lead, of another card
    table.wait(30)
    table.lift("E", "C5")
    assert table.controller.desk.match.phase == "deal", "taken back as ever, and no card that was turned"


def test_a_single_lead_counts_from_when_somebody_answers() -> None:
    table = Scripted("championship", turn_seconds=20, turn_warning=10, turn_foul=40)
    table.lay("W", "C5")
    table.wait(60)
    table.lay("S", "C9")
    assert table.controller.desk.turn_clock.running and not table.alerts
    table.wait(12)
    assert [light.seat for light in table.lights if light.state == "warning"] == ["E"]
    table.press("E")
    table.lift("W", "C5")
    deal = table.controller.desk.match.deal
    assert table.view.turned is None and deal.remaining["W"] == 26 and deal.remaining["S"] == 26


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
