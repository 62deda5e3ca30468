"""A table that was cut off: what lies on the mat is known when it comes back, and is no new play."""

from __future__ import annotations

from table.controller import Controller
from table.effects import Append
from tests.table.scripted import Scripted, cards


def _restarted(table: Scripted, profile: str = "championship") -> Scripted:
    journal = [(each.event, each.evidence) for each in table.effects if isinstance(each, Append)]
    again = Scripted(profile=profile)
    again.controller = Controller("national", profile)
    again.controller.resume(journal, again.t)
    again.effects.clear()
    return again


def test_a_restart_does_not_take_the_lying_trick_for_new_plays() -> None:
    table = Scripted()
    table.lay("N", "S9 H9")
    table.lay("W", "SJ DJ")
    journal = [(each.event, each.evidence) for each in table.effects if isinstance(each, Append)]
    again = Scripted()
    again.controller = Controller("national", "championship")
    again.controller.resume(journal, again.t)
    again.effects.clear()
    for seat, text in (("N", "S9 H9"), ("W", "SJ DJ")):
        again.lay(seat, text)
    assert again.did == []
    again.lay("S", "SK DK")
    assert again.did == ["play"] and not again.alerts


def test_after_a_restart_a_play_over_an_older_one_is_told_from_it_and_asked_about() -> None:
    table = Scripted()
    for seat, text in (("N", "S5"), ("W", "S9"), ("S", "SJ"), ("E", "SQ")):
        table.lay(seat, text)
    journal = [(each.event, each.evidence) for each in table.effects if isinstance(each, Append)]
    again = Scripted()
    again.controller = Controller("national", "championship")
    again.controller.resume(journal, again.t)
    again.effects.clear()
    again.lay("N", "S5 SK")  # the king over the five, before the table has looked once
    assert again.did == ["play"] and again.view.seats["N"].cards == cards("SK") and again.view.seats["N"].ask
    assert not again.alerts


def test_a_trick_that_is_over_but_not_turned_down_is_known_after_a_restart() -> None:
    table = Scripted()
    table.lay("N", "S9 H9")
    table.lay("W", "SJ DJ")
    table.passes("SEN")
    again = _restarted(table)
    for seat, text in (("N", "S9 H9"), ("W", "SJ DJ")):
        again.lay(seat, text, after=0.3, laying=0.1)
    assert again.did == []
    again.lift("W", "SJ DJ")
    again.lay("W", "S4")
    assert again.did == ["play"] and not again.alerts


def test_cards_that_lay_under_a_play_taken_back_are_no_new_play() -> None:
    table = Scripted()
    table.lay("W", "S3 H3")
    table.lay("S", "S5 D5")
    table.passes("EN")
    table.lay("W", "S4 D4")
    again = _restarted(table)
    (alert,) = again.controller.desk.standing_alerts()
    again.lay("W", "S4 D4", after=0.3, laying=0.1)
    again.rule(alert.id)
    again.lift("W", "S4 D4", emptied=False)
    again.lay("W", "S3 H3")
    assert again.did == ["ruling", "take_back"]
    again.lay("W", "S7 D7")
    assert again.did[-1] == "play" and not again.alerts


def test_a_friendly_look_comes_back_with_the_play_that_it_is_about_and_with_no_later_one() -> None:
    table = Scripted(profile="friendly")
    table.lay("N", "S9 H9")
    table.lay("W", "S8 D8")
    assert table.view.notice == "look"
    assert _restarted(table, "friendly").view.notice == "look"
    table.lift("W", "S8 D8")
    table.lay("W", "SJ DJ")
    assert table.view.notice is None and _restarted(table, "friendly").view.notice is None
