"""A play laid in two movements, and cards that leave beside it: no play of their own, no accusation, no taking back."""

from __future__ import annotations

from tests.table.scripted import Scripted, cards, seen
from vision.observations import Hidden, Removed


def test_cards_added_before_anybody_acts_belong_to_the_play() -> None:
    table = Scripted()
    table.lay("N", "S9 H9")
    table.lay("W", "SJ", after=1.0)
    table.lay("N", "S9 D9", after=1.0)  # somebody else has acted: a play of its own, out of turn
    assert [alert.kind for alert in table.alerts] == ["does_not_beat", "out_of_turn"]
    table = Scripted()
    table.lay("N", "S9 H9")
    table.lay("N", "D9", after=1.0)
    assert table.did[-1] == "correct" and not table.alerts and not table.controller.desk.asks
    assert table.view.seats["N"].cards == cards("S9 H9 D9") and table.view.turn == "W"


def test_an_unsure_card_that_is_added_makes_a_question_of_the_whole_play() -> None:
    table = Scripted()
    table.lay("N", "S9 H9")
    table.lay("N", "D9?D8", after=1.0)
    (ask,) = table.controller.desk.asks.values()
    assert ask.options[0] == cards("S9 H9 D9") and not table.alerts
    table.tap("option", (ask.id, 0))
    assert not table.controller.desk.asks and table.view.seats["N"].cards == cards("S9 H9 D9")


def test_cards_that_make_no_play_together_are_asked_about_and_accuse_nobody() -> None:
    table = Scripted()
    table.lay("N", "S9 H9")
    table.lay("N", "S4", after=1.0)
    assert not table.alerts and len(table.controller.desk.asks) == 1


def test_long_after_the_play_the_same_is_out_of_turn() -> None:
    table = Scripted()
    table.lay("N", "S9 H9")
    table.lay("N", "SK", after=9.0)
    assert [alert.kind for alert in table.alerts] == ["out_of_turn"]


def test_another_card_of_the_zone_that_leaves_takes_no_play_back() -> None:
    table = Scripted()
    table.lay("N", "S9")
    table.lay("W", "SJ")
    table.passes("SE")
    table.lay("N", "SK")
    table.see(Removed(table.t + 0.1, "N", (seen("S9"),), False))
    assert "take_back" not in table.did and table.view.seats["N"].cards[-1:] == cards("SK")


def test_nobody_is_accused_in_a_trick_with_cards_that_nobody_can_read() -> None:
    table = Scripted()
    table.lay("N", "S9")
    table.touch("W")
    table.see(Hidden(table.t + 1.0, "W", "no_index"))
    assert table.view.notice == "spread"
    table.lay("S", "SJ")  # west has played, though the table could not read it
    assert not table.controller.desk.match.alerts and table.view.turn == "E"
    table = Scripted()
    table.lay("N", "S9")
    table.see(Hidden(table.t + 1.0, "W", "no_index"))
    table.lay("W", "S5")  # spread, and read
    assert [alert.kind for alert in table.alerts] == ["does_not_beat"]


def test_among_friends_a_trick_that_all_hands_turned_down_is_gone_from_the_screen() -> None:
    table = Scripted("friendly")
    table.lay("N", "S9 H9")
    table.lay("W", "SJ HJ")
    table.lift("N", "S9 H9")
    table.wait(2.0)
    assert table.view.seats["W"].cards == cards("SJ HJ"), "his still lie there"
    table.lift("W", "SJ HJ")
    table.wait(2.0)
    assert not any(seat.cards for seat in table.view.seats.values())
    assert table.did[-3:] == ["pass", "pass", "pass"] and table.view.turn == "W"
    table.lay("W", "S3 H3")
    assert table.view.seats["W"].cards == cards("S3 H3") and table.view.turn == "S"


def test_among_friends_what_one_hand_takes_back_is_no_end_of_the_trick() -> None:
    table = Scripted("friendly")
    table.lay("N", "S9 H9")
    table.lay("W", "SJ HJ")
    table.lift("N", "S9 H9")  # beaten, and put away at once
    table.wait(20.0)
    table.lift("W", "SJ HJ")
    table.wait(6.0)
    assert table.view.turn == "S" and "pass" not in table.did, "west may lay another pair"
    table = Scripted("friendly")
    table.lay("N", "S9 H9")
    table.lift("N", "S9 H9")
    table.wait(6.0)
    assert table.view.turn == "W" and "pass" not in table.did


def test_among_friends_going_out_is_answered_before_the_trick_is_over() -> None:
    table = Scripted("friendly")
    table.lay("N", "S9 H9")
    table.lay("W", "SJ HJ")
    table.controller.desk.out_question = "W"
    table.lift("N", "S9 H9")
    table.lift("W", "SJ HJ")
    table.wait(6.0)
    assert "pass" not in table.did and table.controller.desk.out_question == "W"
