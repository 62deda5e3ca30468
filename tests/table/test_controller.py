"""The controller by scripted inputs: what is journaled, what is shown, whom it tells, and what it keeps to itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from table.controller import Controller
from table.effects import Append, Show
from table.view import TableView
from tests.table.scripted import Scripted, cards

# -- plays and passes ---------------------------------------------------------------------------------------------


def test_a_trick_with_pressed_passes() -> None:
    table = Scripted()
    table.lay("N", "S3 H3")
    table.lay("W", "S5 D5")
    table.passes("SEN")
    assert table.did == ["match", "deal", "play", "play", "pass", "pass", "pass"]
    assert [event.data["by"] for event in table.events if event.do == "pass"] == ["pressed"] * 3
    assert table.view.turn == "W" and not table.view.seats["W"].cards, "a new trick: the old one is gone"
    table.lay("W", "S9")
    assert table.view.seats["W"].combination == ("single", 1, "9")


def test_the_match_line_carries_the_rules_it_was_played_by() -> None:
    table = Scripted(match_seconds=1800)
    line = table.events[0].data
    assert line["resolved"]["match_seconds"] == 1800 and line["engine"]
    assert line["ruleset"] == "national" and line["profile"] == "championship"


def test_a_pad_pressed_out_of_turn_is_no_fact_of_the_game() -> None:
    table = Scripted()
    table.lay("N", "S3")
    table.press("E")
    assert "pass" not in table.did and not table.alerts


def test_silent_passes_are_journaled_as_implied() -> None:
    table = Scripted("friendly")
    table.lay("N", "S3")
    table.lay("E", "S5")
    assert [(event.data["seat"], event.data["by"]) for event in table.events if event.do == "pass"] == [
        ("W", "implied"), ("S", "implied"),
    ]  # fmt: skip
    table.lay("E", "S9")
    assert table.view.seats["E"].cards == cards("S9") and table.view.turn == "N", "all passed: east leads anew"
    assert not table.alerts


def test_a_wild_in_its_place_declares_the_play() -> None:
    table = Scripted(place_declares_wild=True)
    table.lay("N", "S7 D7 H2 S8 D8 H2")
    assert table.view.seats["N"].combination == ("plate", 6, "8")
    assert table.events[-1].data["cards"] == ["S7", "D7", "H2", "S8", "D8", "H2"], "as they lie"
    table = Scripted(place_declares_wild=True)
    table.lay("N", "S7 D7 S8 D8 H2 H2")
    assert table.view.seats["N"].combination == ("tube", 6, "9")


def test_a_reading_that_was_not_declared_is_not_shown() -> None:
    table = Scripted()
    table.lay("N", "S6 H6 H2 DK CK")
    assert table.view.seats["N"].cards and table.view.seats["N"].combination is None
    friends = Scripted("friendly")
    friends.lay("N", "S6 H6 H2 DK CK")
    assert friends.view.seats["N"].combination == ("full_house", 5, "K"), "the larger reading"


# -- offences -----------------------------------------------------------------------------------------------------


def test_a_sure_play_that_does_not_beat_stops_the_table_and_calls_the_referee() -> None:
    table = Scripted()
    table.lay("N", "S9")
    table.lay("W", "S5")
    (alert,) = table.alerts
    assert (alert.kind, alert.seat, alert.certain, alert.route) == ("does_not_beat", "W", True, "both")
    assert table.view.notice == "stop"
    table.rule(alert.id)
    assert table.view.notice is None
    table.lift("W", "S5")
    assert table.did[-1] == "take_back" and table.view.turn == "W" and not table.view.seats["W"].cards
    table.lay("W", "SJ")
    assert table.view.turn == "S" and len(table.alerts) == 1


def test_among_friends_the_same_play_gets_a_friendly_look_and_no_more() -> None:
    table = Scripted("friendly")
    table.lay("N", "S9")
    table.lay("W", "S5")
    assert not table.alerts and table.view.notice == "look"
    table.lift("W", "S5")
    table.lay("W", "SJ")
    assert table.view.notice is None and table.view.seats["W"].cards == cards("SJ")


def test_a_trick_stays_on_the_screen_while_the_table_asks_about_its_last_play() -> None:
    table = Scripted("friendly")
    table.lay("N", "S9")
    table.lay("E", "S5")  # west and south passed in silence: for the fold the trick is over and north leads
    assert table.view.notice == "look"
    assert table.view.seats["N"].cards == cards("S9") and table.view.seats["E"].cards == cards("S5")
    table.lift("E", "S5")
    table.lay("E", "SJ")
    assert table.view.notice is None and table.view.seats["E"].cards == cards("SJ")


def test_out_of_turn_over_pressed_passes_is_certain() -> None:
    table = Scripted()
    table.lay("N", "S9")
    table.press("W")
    table.lay("E", "SJ")
    (alert,) = table.alerts
    assert alert.kind == "out_of_turn" and alert.certain and alert.seat == "E"


def test_a_missed_report_goes_to_the_referee_alone() -> None:
    table = Scripted()
    _down_to_ten(table)
    table.press("W")
    (alert,) = table.alerts
    assert (alert.kind, alert.route) == ("report_missed", "referee")
    assert table.view.notice is None, "the table is not told"


def _down_to_ten(table: Scripted) -> None:
    """North plays seventeen cards; the others pass."""
    for play in ("S3 H4 D5 C6 S7", "S8 H9 DT CJ SQ", "H3 S4 H5 D6 C7"):
        table.lay("N", play)
        table.passes("WSE")
    table.lay("N", "S9 H9")


# -- unsure plays -------------------------------------------------------------------------------------------------


def test_an_unsure_play_stands_provisionally_and_accuses_nobody() -> None:
    table = Scripted()
    table.lay("N", "S9")
    table.lay("W", "S5?S6")
    ask = table.view.seats["W"].ask
    assert ask is not None and ask.options == (cards("S5"), cards("S6"))
    assert table.view.turn == "S" and not table.alerts and table.view.notice is None
    assert table.view.turn_clock is not None and table.view.turn_clock.running, "the game goes on"


def test_what_is_legal_ranks_the_eyes_own_candidates() -> None:
    table = Scripted()
    table.lay("N", "S9")
    table.lay("W", "S5?SJ")
    ask = table.view.seats["W"].ask
    assert ask is not None and ask.options == (cards("SJ"), cards("S5")), "the jack beats, the five does not"


def test_a_candidate_that_would_make_the_play_legal_keeps_the_table_silent() -> None:
    table = Scripted()
    table.lay("N", "S9")
    table.lay("W", "S5~SJ")
    assert not table.alerts and table.view.seats["W"].ask is not None


def test_a_candidate_that_changes_nothing_does_not_make_a_play_unsure() -> None:
    table = Scripted()
    table.lay("N", "S9~H9")
    assert table.view.seats["N"].ask is None


def test_a_card_that_was_played_twice_is_no_candidate() -> None:
    table = Scripted()
    table.lay("N", "S5 S5")
    table.passes("WSE")
    table.lay("N", "D7?S5")
    assert table.view.seats["N"].ask is None and table.view.seats["N"].cards == cards("D7")


def test_a_tap_settles_the_question_and_then_the_rules_speak() -> None:
    table = Scripted()
    table.lay("N", "S9")
    table.lay("W", "S5?S6")
    ask = table.view.seats["W"].ask
    table.tap("option", (ask.id, 1))
    assert table.view.seats["W"].ask is None and table.view.seats["W"].cards == cards("S6")
    assert table.events[-1].do == "correct" and [alert.kind for alert in table.alerts] == ["does_not_beat"]


def test_a_tap_on_the_lawful_candidate_raises_nothing() -> None:
    table = Scripted()
    table.lay("N", "S9")
    table.lay("W", "S5~SJ")
    ask = table.view.seats["W"].ask
    lawful = ask.options.index(cards("SJ"))
    table.tap("option", (ask.id, lawful))
    assert not table.alerts and table.view.seats["W"].cards == cards("SJ")


def test_an_open_question_goes_to_the_margin_when_its_trick_is_over() -> None:
    table = Scripted()
    table.lay("N", "S9?H9")
    table.passes("WSE")
    assert [ask.seat for ask in table.view.margin] == ["N"] and table.view.seats["N"].ask is None
    table.lay("N", "D4")
    assert table.view.turn == "W" and table.view.margin, "nothing waits for the answer"
    table.tap("option", (table.view.margin[0].id, 0))
    assert not table.view.margin


def test_three_unsure_plays_offer_score_only_and_no_ends_the_offer() -> None:
    table = Scripted()
    for count, play in enumerate(("S9?H9", "ST?HT", "SJ?HJ"), 1):
        assert not table.view.offer_score_only
        table.lay("NWS"[count - 1], play)
    assert table.view.offer_score_only
    table.tap("keep_reading")
    assert not table.view.offer_score_only


def test_stills_that_disagree_make_a_play_unsure() -> None:
    table = Scripted()
    table.lay("N", "S9", steady=False)
    assert table.view.seats["N"].ask is not None


# -- taking back among friends ------------------------------------------------------------------------------------


def test_cards_lifted_alone_and_laid_anew_were_taken_back() -> None:
    table = Scripted("friendly")
    table.lay("N", "S5")
    table.lay("W", "S9")
    table.lift("W", "S9")
    table.lay("W", "S7")
    assert "take_back" in table.did and table.view.seats["W"].cards == cards("S7")
    assert table.view.seats["N"].cards == cards("S5")


def test_cards_lifted_with_the_others_mean_that_the_trick_is_over() -> None:
    table = Scripted("friendly")
    table.lay("N", "S5")
    table.lay("W", "S9")
    for seat, card in (("N", "S5"), ("W", "S9")):
        table.lift(seat, card)
    table.lay("W", "S7")
    assert "take_back" not in table.did and table.view.turn == "S" and not table.view.seats["N"].cards


# -- counts and reports -------------------------------------------------------------------------------------------


def test_a_report_is_frozen_and_no_count_runs_in_a_championship() -> None:
    table = Scripted()
    _down_to_ten(table)
    assert table.view.seats["N"].count is None and table.view.seats["N"].report is None
    table.press("N", "report")
    assert table.view.seats["N"].report == 10 and not table.alerts
    table.passes("WSE")
    table.lay("N", "H7")
    assert table.view.seats["N"].report == 10, "frozen as it was made"
    assert all(seat.count is None for seat in table.view.seats.values())


def test_among_friends_the_count_runs_from_the_threshold_on() -> None:
    table = Scripted("friendly")
    for play in ("S3 H4 D5 C6 S7", "S8 H9 DT CJ SQ", "H3 S4 H5 D6 C7"):
        table.lay("N", play)
        assert table.view.seats["N"].count is None
    table.lay("N", "S9 H9")
    assert table.view.seats["N"].count == 10
    table.lay("N", "H7")
    assert table.view.seats["N"].count == 9


# -- tribute ------------------------------------------------------------------------------------------------------


def _second_deal(profile: str, order: str) -> Scripted:
    table = Scripted(profile)
    table.finish(order)
    for side in ("NS", "EW"):
        table.tap("confirm", side)
    return table


def test_a_single_tribute_and_its_return_are_read_from_the_mat() -> None:
    table = _second_deal("championship", "NESW")
    assert table.view.tributes == (("tribute", "W", "N"),), "shown before a card has moved"
    table.lay("W", "SA")
    table.lift("W", "SA")
    assert table.events[-1].data["to"] == "N" and table.view.tributes == (("return", "N", "W"),)
    table.lay("N", "S3")
    assert table.view.turn == "W" and not table.alerts
    table.lay("W", "S4")
    assert table.view.turn == "S"


def test_of_two_tributes_the_higher_goes_to_first() -> None:
    table = _second_deal("championship", "NSEW")
    assert table.view.tributes == (("tribute", "E", "NS"), ("tribute", "W", "NS")), "open while no card lies"
    table.lay("E", "SK")
    assert "tribute" not in table.did, "who gets it shows with the other card"
    assert {to for _, _, to in table.view.tributes} == {"NS"}
    table.lay("W", "SA")
    paid = {event.data["from"]: event.data["to"] for event in table.events if event.do == "tribute"}
    assert paid == {"W": "N", "E": "S"} and not table.alerts


def test_two_equal_tributes_go_clockwise() -> None:
    table = _second_deal("championship", "NSEW")
    table.lay("E", "SA")
    table.lay("W", "HA")
    paid = {event.data["from"]: event.data["to"] for event in table.events if event.do == "tribute"}
    assert paid == {"W": "N", "E": "S"} and not table.alerts


def test_two_red_jokers_resist() -> None:
    single = _second_deal("championship", "NESW")
    single.lay("W", "HR HR")
    assert single.events[-1].do == "resist" and single.view.turn == "N"
    double = _second_deal("championship", "NSEW")
    double.lay("E", "HR")
    double.lay("W", "HR")
    assert double.events[-1].do == "resist" and sorted(double.events[-1].data["seats"]) == ["E", "W"]
    assert double.view.turn == "N" and not double.alerts


def test_one_red_joker_of_two_losers_is_a_tribute() -> None:
    table = _second_deal("championship", "NSEW")
    table.lay("E", "HR")
    table.lay("W", "SA")
    assert "resist" not in table.did and not table.alerts
    paid = {event.data["from"]: event.data["to"] for event in table.events if event.do == "tribute"}
    assert paid == {"E": "N", "W": "S"}


# -- from deal to deal --------------------------------------------------------------------------------------------


def test_both_sides_confirm_a_deal_in_a_championship() -> None:
    table = Scripted()
    table.finish("NSEW")
    result = table.view.deal_result
    assert table.view.screen == "deal_result" and result is not None
    assert (result.winner, result.gain, result.before, result.after) == (
        "NS", 3, {"NS": "2", "EW": "2"}, {"NS": "5", "EW": "2"},
    )  # fmt: skip
    table.press("S", "confirm")
    table.wait(20)
    assert table.view.screen == "deal_result" and table.view.deal_result.confirmed == {"NS"}
    table.press("W", "confirm")
    assert table.view.screen == "playing" and table.view.level == "5" and table.view.on_stage == "NS"


def test_among_friends_a_deal_confirms_itself_after_ten_seconds() -> None:
    table = Scripted("friendly")
    table.finish("NSEW")
    table.wait(9)
    assert table.view.screen == "deal_result"
    table.wait(2)
    assert table.view.screen == "playing" and table.did[-2:] == ["sign", "sign"]


def test_going_out_is_asked_and_the_game_goes_on() -> None:
    table = Scripted()
    _down_to_ten(table)
    table.press("N", "report")
    table.passes("WSE")
    table.lay("N", "S3 S4 S5 S6 S8")
    table.passes("WSE")
    table.lay("N", "D3 D4 D7 D8 D9")
    assert table.view.out_question is None, "five cards that are no combination are an offence first"
    table = Scripted()
    _down_to_ten(table)
    table.press("N", "report")
    table.passes("WSE")
    table.lay("N", "S3 S4 S5 S6 C7")
    table.passes("WSE")
    table.lay("N", "D9 DT DJ DQ DK")
    assert table.view.out_question == "N" and table.view.seats["N"].place is None
    table.press("W")
    assert table.view.out_question is None and table.view.seats["N"].place == 1


def test_score_only_takes_the_order_by_four_taps() -> None:
    table = Scripted("friendly")
    table.lay("N", "S9?H9")
    table.tap("score_only")
    for seat in "ENWS":
        table.tap("pick", seat)
    table.tap("pick_done")
    assert table.view.screen == "deal_result" and table.view.deal_result.order[0] == "E"
    assert not table.view.margin


def test_the_match_is_signed_and_the_next_one_begins() -> None:
    table = Scripted("championship", start_level="A", match_seconds=0)
    table.finish("NSEW")
    assert table.view.screen == "match_result" and table.view.match_result["winner"] == "NS"
    for seat in "NE":
        table.press(seat, "confirm")
    assert table.view.signed == {"NS", "EW"}
    table.tap("next_match")
    assert table.did[-1] == "match" and table.view.screen == "playing" and table.events[-1].seq == 1


# -- clocks -------------------------------------------------------------------------------------------------------


def test_the_turn_runs_from_settled_cards_to_the_first_touch() -> None:
    table = Scripted()
    table.tap("seat", "N")
    table.lay("N", "S3", laying=2.0)
    settled = table.t
    clock = table.view.turn_clock
    assert clock is not None and clock.since == settled and clock.limit == 20
    table.touch("W", after=5.0)
    table.t += 8.0
    clock = table.view.turn_clock
    assert not clock.running and clock.elapsed(table.t) == pytest.approx(5.0)


def test_the_lamp_warns_and_nobody_is_accused_for_the_time_cards_take_to_lie() -> None:
    table = Scripted()
    table.tap("seat", "N")
    table.lay("N", "S3", laying=4.0)
    table.wait(19.0)
    assert not [light for light in table.lights if light.state == "warning"]
    table.lay("W", "S5", after=0.5)
    assert not [alert for alert in table.controller.desk.match.alerts if alert.kind == "turn_time"]
    table.wait(21.0)
    assert [light.seat for light in table.lights if light.state == "warning"] == ["S"]


def test_a_turn_over_the_foul_mark_goes_to_the_referee() -> None:
    table = Scripted()
    table.tap("seat", "N")
    table.lay("N", "S3")
    table.wait(45.0)
    table.lay("W", "S5", after=1.0)
    assert [(alert.kind, alert.seat) for alert in table.alerts] == [("turn_time", "W")]


def test_the_bell_rings_while_nobody_acts() -> None:
    table = Scripted(match_seconds=60)
    table.lay("N", "S3")
    clock = table.view.match_clock
    assert clock is not None and clock.left(table.t) == pytest.approx(60 - (table.t - 101.0), abs=0.5)
    table.wait(61.0)
    assert "match_limit" in [alert.kind for alert in table.alerts]
    assert table.view.screen == "match_result" and table.view.match_result["winner"] is None


# -- referee, pause -----------------------------------------------------------------------------------------------


def test_a_call_halts_the_table_once_and_the_ruling_lets_it_go_on() -> None:
    table = Scripted()
    table.lay("N", "S3")
    table.press("W", "call")
    table.press("E", "call")
    assert [alert.kind for alert in table.alerts] == ["call"] and table.view.screen == "halted"
    assert not table.view.turn_clock.running
    table.rule(table.alerts[0].id, "other")
    assert table.view.screen == "playing" and table.view.turn == "W"


def test_a_pause_stops_the_clocks() -> None:
    table = Scripted()
    table.lay("N", "S3")
    table.tap("pause")
    assert table.view.halt == "paused" and not table.view.match_clock.running
    before = table.view.match_clock.left(table.t)
    table.wait(30)
    table.tap("resume")
    assert table.view.screen == "playing" and table.view.match_clock.left(table.t) == pytest.approx(before, abs=0.6)


# -- the house's promises -----------------------------------------------------------------------------------------


def _long_play(profile: str) -> Scripted:
    table = Scripted(profile)
    table.lay("N", "S9")
    table.lay("W", "S5?S6")
    table.press("S")
    table.lay("E", "SJ")
    table.tap("option", ((table.controller.desk.asks and next(iter(table.controller.desk.asks))) or 0, 0))
    table.press("N")
    for alert in table.alerts:
        table.rule(alert.id, "waive")
    table.finish("NSEW")
    table.tap("confirm", "NS")
    table.tap("confirm", "EW")
    table.lay("E", "SK")
    table.lay("W", "SA")
    table.lay("N", "S3")
    return table


@pytest.mark.parametrize("profile", ["friendly", "championship"])
def test_the_same_inputs_give_the_same_effects(profile: str) -> None:
    table = _long_play(profile)
    again = Controller("national", profile, {"N": "甲"})
    effects: list[Any] = []
    for given in table.inputs:
        effects += again.handle(given)
    assert effects == table.effects


@pytest.mark.parametrize("profile", ["friendly", "championship"])
def test_after_a_kill_at_any_event_the_screen_is_what_was_shown(profile: str) -> None:
    table = _long_play(profile)
    journal: list[Append] = []
    compared = 0
    for place, effect in enumerate(table.effects):
        if isinstance(effect, Append):
            journal.append(effect)
        if not isinstance(effect, Show) or not journal or isinstance(table.effects[place - 1], Show):
            continue
        resumed = Controller("national", profile)
        resumed.resume([(each.event, each.evidence) for each in journal], 500.0)
        assert _steady(resumed.view) == _steady(effect.view), journal[-1]
        compared += 1
    assert compared >= 12


def _steady(view: TableView) -> TableView:
    """The view without what runs with the time, what a screen forgets, and what the eye will see anew on the mat."""
    seats = {seat: replace(each, laid_at=0.0) for seat, each in view.seats.items()}
    result = replace(view.deal_result, confirms_at=None) if view.deal_result else None
    notice = view.notice if view.notice == "stop" else None
    still = {"turn_clock": None, "match_clock": None, "paid": frozenset[str]()}
    return replace(view, seats=seats, deal_result=result, notice=notice, **still)  # type: ignore[arg-type]


def test_nothing_is_shown_before_its_event_goes_to_the_disk() -> None:
    table = _long_play("championship")
    known = 0
    for effect in table.effects:
        if isinstance(effect, Append):
            known += 1
        elif isinstance(effect, Show):
            shown = sum(len(seat.cards) for seat in effect.view.seats.values())
            assert known or not shown


def test_no_file_of_the_table_reads_a_clock_but_those_at_its_edge() -> None:
    edge = {
        "app.py",
        "camera_service.py",
        "demo.py",
        "finding.py",
        "first_run_screen.py",
        "headless.py",
        "real.py",
        "sources.py",
        "sync.py",
        "virtual.py",
    }
    for path in (Path(__file__).resolve().parents[2] / "table").rglob("*.py"):
        text = path.read_text("utf-8")
        assert path.name in edge or ("import time" not in text and "datetime" not in text), path


def test_the_record_itself_says_which_cards_were_not_read_surely() -> None:
    table = Scripted()
    table.lay("N", "S9?D9")
    match = table.controller.desk.match
    assert table.events[-1].data["sure"] is False and match.deal.unsure
    table.tap("option", (table.view.seats["N"].ask.id, 1))
    assert table.did[-1] == "correct" and not table.controller.desk.match.deal.unsure
