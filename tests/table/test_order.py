"""Presses and plays out of their order: what explains them, and that nothing else accuses anybody."""

from __future__ import annotations

from dataclasses import replace

from table.inputs import Directed, Pressed, Seen
from tests.table.scripted import Scripted, seen
from vision.observations import Covered, Hidden, Laid, Removed, Touched, Uncovered


def _passes(table: Scripted) -> list[tuple[str, str]]:
    return [(event.data["seat"], event.data["by"]) for event in table.events if event.do == "pass"]


def test_a_play_that_was_misread_as_none_still_ends_the_turn_and_keeps_the_presses() -> None:
    table = Scripted()
    table.lay("N", "S2 D2")
    table.passes("WS")
    table.lay("E", "HR HR H9?HR", steady=False)  # two red jokers; the third card is none
    (ask,) = table.controller.desk.asks.values()
    table.press("N")
    table.give(Directed(table.t, "correct", {"event": ask.id, "cards": ["HR", "HR"]}))
    table.passes("WS")
    assert table.view.turn == "E" and not table.controller.desk.match.alerts
    table.lay("E", "C4 H5 C6 H7 C8")
    assert not table.controller.desk.match.alerts and table.view.turn == "N"


def test_a_lone_candidate_that_may_be_no_card_at_all_is_asked_about() -> None:
    table = Scripted()
    table.touch("N")
    joker = seen("HR")
    ghost = replace(joker, confidence=0.76, sure=False, candidates=((joker.card, 0.76),))
    table.see(Laid(table.t + 1.0, "N", (joker, ghost), table.t, 3, True, table.t + 0.7))
    assert len(table.controller.desk.asks) == 1, "a pair of jokers would be lawful; that makes it no pair"


def test_what_was_unsure_is_judged_when_it_is_known() -> None:
    table = Scripted()
    table.lay("N", "S9")
    table.lay("W", "S5?S6")
    assert not table.controller.desk.match.alerts, "in the record as well nothing is found of it"
    table.lay("S", "S7")
    table.tap("option", (next(iter(table.controller.desk.asks)), 0))
    assert ("does_not_beat", "W") in [(alert.kind, alert.seat) for alert in table.controller.desk.match.alerts]


def test_a_pass_pressed_while_the_play_before_it_is_being_read_counts() -> None:
    for profile in ("championship", "friendly"):
        table = Scripted(profile)
        table.lay("N", "S9")
        table.touch("W")
        touched = table.t
        table.press("S", after=0.7)  # south has seen west's jack; the eye has not read it yet
        table.t += 0.8
        table.see(Laid(table.t, "W", (seen("SJ"),), touched, 3, True, table.t - 0.3))
        assert _passes(table) == [("S", "pressed")], profile
        assert table.view.turn == "E" and not table.controller.desk.match.alerts


def test_where_passes_are_silent_a_press_does_not_wait_for_a_hand_that_lays_nothing() -> None:
    table = Scripted("friendly")
    table.lay("N", "S9")
    table.touch("W")
    table.press("S", after=0.5)
    assert not _passes(table)
    table.wait(6.0)
    assert _passes(table) == [("W", "implied"), ("S", "pressed")] and table.view.turn == "E"


def test_one_who_forgot_to_press_has_passed_when_the_next_have() -> None:
    table = Scripted()
    table.lay("N", "S9")
    table.press("S")  # west passed without a press
    assert not _passes(table), "west may yet play"
    table.lay("E", "SJ")
    assert _passes(table) == [("W", "implied"), ("S", "pressed")]
    assert not table.controller.desk.match.alerts and table.view.turn == "N"


def test_presses_in_the_wrong_order_are_taken_when_all_are_there() -> None:
    table = Scripted()
    table.lay("N", "S9")
    table.press("S")
    table.press("W")
    assert _passes(table) == [("W", "pressed")], "south pressed before it was its turn: it may think again"
    table.press("E")
    assert _passes(table) == [("W", "pressed"), ("S", "pressed"), ("E", "pressed")]
    assert table.view.turn == "N" and not table.controller.desk.match.alerts


def test_one_who_pressed_too_soon_may_still_play() -> None:
    table = Scripted()
    table.lay("N", "S9")
    table.press("S")
    table.lay("W", "ST")
    table.lay("S", "SJ")
    assert not _passes(table) and not table.controller.desk.match.alerts and table.view.turn == "E"


def test_nobody_is_timed_while_the_turn_is_in_doubt() -> None:
    table = Scripted()
    table.tap("seat", "N")
    table.lay("N", "S9")
    assert table.view.turn_clock.running
    table.press("S")
    assert not table.view.turn_clock.running


def test_all_hands_turning_their_cards_end_a_trick_whose_last_press_was_lost() -> None:
    table = Scripted()
    table.lay("N", "S9")
    table.lay("W", "SJ")
    table.passes("SE")  # north passes without a press
    table.touch("N")
    table.touch("W", after=0.4)
    for seat, card in (("N", "S9"), ("W", "SJ")):
        table.t += 0.4
        table.see(Removed(table.t, seat, (seen(card),), True))
    table.wait(2.0)
    assert "take_back" not in table.did and _passes(table)[-1] == ("N", "implied") and table.view.turn == "W"
    table.lay("W", "S3")
    assert not table.controller.desk.match.alerts


def test_the_play_that_stands_lifted_alone_was_taken_back() -> None:
    table = Scripted()
    table.lay("N", "S9")
    table.lay("W", "SJ")
    table.t += 3
    table.touch("W")
    table.lift("W", "SJ")
    table.wait(2.0)
    assert table.did[-1] == "take_back" and table.view.turn == "W"


def test_a_play_that_nobody_saw_accuses_nobody_to_the_end_of_the_deal() -> None:
    table = Scripted()
    table.lay("S", "C2")
    table.touch("E")
    table.see(Hidden(table.t + 1.0, "E", "stack"))  # east's joker, which the eye could not read
    table.passes("NWS")
    table.touch("S")
    table.touch("E", after=0.4)
    for seat, gone in (("S", "C2"), ("E", "DA")):
        table.t += 0.4
        table.see(Removed(table.t, seat, (seen(gone),), True))
    table.wait(2.0)
    table.lay("E", "S4 C5 H6 S7 C8")
    assert table.events[-1].data.get("turn") == "unclear" or table.view.turn == "N"
    table.passes("NWS")
    table.lay("E", "S3")
    table.lay("W", "HR")  # for the table north skipped its turn: after a lost play nobody can tell
    assert not table.controller.desk.match.alerts and table.view.turn == "S"


def test_one_whose_cards_nobody_could_read_has_not_passed() -> None:
    table = Scripted()
    table.lay("N", "S9")
    table.touch("W")
    table.see(Hidden(table.t + 1.0, "W", "no_index"))
    table.passes("SE")
    table.lay("N", "H2")
    assert ("W", "implied") not in _passes(table), "west's cards lie there"
    assert table.events[-1].data["turn"] == "unclear"
    assert not table.controller.desk.match.alerts and table.view.turn == "W"


def test_one_wrong_alarm_is_not_followed_by_another() -> None:
    table = Scripted()
    table.lay("N", "S9")
    table.lay("E", "SJ")
    (alert,) = table.alerts
    assert alert.kind == "out_of_turn"
    table.rule(alert.id, "waive")
    table.lay("W", "SQ")  # for the table it was north's turn
    table.lay("E", "SK")
    assert len(table.controller.desk.match.alerts) == 1 and table.view.turn == "N"


def test_what_the_camera_did_not_see_is_held_against_nobody() -> None:
    table = Scripted()
    table.lay("N", "S9")
    table.see(Covered(table.t + 1.0, table.t))
    table.see(Uncovered(table.t + 6.0))
    table.t += 6.0
    table.lay("S", "SJ")
    assert not table.controller.desk.match.alerts and table.view.turn == "E"


def test_plays_are_judged_in_the_order_in_which_they_were_laid() -> None:
    table = Scripted()
    table.lay("N", "S9")
    west, south = table.t + 1.0, table.t + 2.0
    table.give(Seen(Touched(west, "W")))
    table.give(Seen(Touched(south, "S")))
    table.t += 3.0
    # West's arm rested on the cards: south's are read first.
    table.see(Laid(table.t, "S", (seen("SQ"),), south, 3, True, table.t - 0.3))
    assert [event.data["seat"] for event in table.events if event.do == "play"] == ["N"]
    table.see(Laid(table.t + 0.5, "W", (seen("SJ"),), west, 3, True, table.t + 0.2))
    assert [event.data["seat"] for event in table.events if event.do == "play"] == ["N", "W", "S"]
    assert not table.controller.desk.match.alerts


def test_a_hand_that_came_in_its_turn_may_have_laid_what_the_eye_did_not_find() -> None:
    table = Scripted()
    table.lay("N", "S9")
    table.touch("W")
    table.lay("S", "SQ", after=0.5)
    assert [event.data["seat"] for event in table.events if event.do == "play"] == ["N"], "west's may be read yet"
    table.wait(6.0)
    assert not table.controller.desk.match.alerts and table.view.turn == "E"


def test_a_report_pressed_while_the_play_is_being_read_is_none_missed() -> None:
    table = Scripted()
    for count in range(2):
        table.lay("N", " ".join(f"{suit}{3 + count}" for suit in "SHCDSHC"))
        table.passes("WSE")
    table.touch("N")
    touched = table.t
    table.press("N", "report", after=1.0)
    laid = tuple(seen(card) for card in ("HJ", "CJ", "DJ"))
    table.see(Laid(table.t + 0.5, "N", laid, touched, 3, True, table.t + 0.2))
    table.t += 1.0
    table.press("W")
    assert ("report", 10) in [(event.do, event.data.get("count")) for event in table.events]
    assert not table.controller.desk.match.alerts


def test_a_reported_count_follows_the_cards_when_they_are_put_right() -> None:
    table = Scripted()
    for count in range(2):
        table.lay("N", " ".join(f"{suit}{3 + count}" for suit in "SHCDSHC"))
        table.passes("WSE")
    table.lay("N", "HJ CJ DJ SJ?D3")  # the last is none
    table.press("N", "report")
    (ask,) = table.controller.desk.asks.values()
    table.give(Directed(table.t, "correct", {"event": ask.id, "cards": ["HJ", "CJ", "DJ"]}))
    assert not table.controller.desk.match.alerts and table.controller.desk.match.deal.reports == {"N": 10}


def test_a_press_in_the_lead_is_a_slip() -> None:
    table = Scripted()
    table.lay("N", "S9")
    table.passes("WSE")
    table.give(Pressed(table.t + 1.0, "N", "pass"))
    table.t += 1.0
    table.lay("N", "S4")
    table.lay("S", "S5")
    assert [(alert.kind, alert.seat) for alert in table.alerts] == [("out_of_turn", "S")]
