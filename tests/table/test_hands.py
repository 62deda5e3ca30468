"""What people do with the screen: put a play right, fix the turn, dispute a result, check in, learn, be interrupted."""

from __future__ import annotations

from typing import Any

import pytest

from engine.match import match_event
from table.inputs import Directed
from table.settings import Settings, fits, hashed, kept, load, save
from tests.table.scripted import Scripted, cards
from vision.observations import Covered, Uncovered

# -- a play that was read wrong -----------------------------------------------------------------------------------


def test_two_taps_put_a_wrong_read_right_and_everybody_is_shown() -> None:
    table = Scripted()
    table.lay("N", "S9~S6")
    table.tap("card", ("N", None))
    shown = table.view.correction
    assert shown is not None and shown.at == 0 and shown.candidates == cards("S6"), "the eye's second thought is first"
    table.tap("candidate", "S6")
    assert table.did[-1] == "correct" and table.view.seats["N"].cards == cards("S6")
    banner = table.view.banner
    assert banner is not None and dict(banner.values) == {"seat": "N", "old": "S9", "new": "S6"}
    table.wait(7.0)
    assert table.view.banner is None


def test_of_several_cards_the_one_the_eye_thought_twice_about_is_meant() -> None:
    table = Scripted()
    table.lay("N", "S9 D9~D6 H9")
    table.tap("card", ("N", None))
    assert table.view.correction is not None and table.view.correction.at == 1
    table.tap("card", ("N", 2))
    assert table.view.correction.at == 2


def test_a_card_too_many_and_one_too_few() -> None:
    table = Scripted()
    table.lay("N", "S9 D9 H9")
    table.tap("card", ("N", 2))
    table.tap("not_there")
    assert table.view.seats["N"].cards == cards("S9 D9")
    table.tap("card", ("N", 0))
    table.tap("missing", "N")
    table.tap("candidate", "C9")
    assert table.view.seats["N"].cards == cards("S9 D9 C9")


def test_half_a_correction_accuses_nobody_but_a_whole_one_is_judged() -> None:
    table = Scripted()
    table.lay("N", "S9 D9")
    table.tap("card", ("N", 0))
    table.tap("candidate", "S6")  # six and nine: no combination, for a moment
    assert not table.alerts
    table.tap("card", ("N", 1))
    table.tap("candidate", "D6")
    table.wait(8.0)
    assert not table.alerts
    table.tap("card", ("N", 1))
    table.tap("candidate", "DK")
    table.wait(8.0)
    assert [alert.kind for alert in table.alerts] == ["not_a_combination"]


def test_only_what_lies_there_can_be_put_right() -> None:
    table = Scripted()
    table.lay("N", "S9")
    table.passes("WSE")
    table.tap("card", ("N", None))
    assert table.view.correction is None and table.view.screen == "playing", "an earlier trick is the referee's"


def test_a_page_over_a_play_that_goes_away_closes() -> None:
    table = Scripted("friendly")
    table.lay("N", "S9")
    table.tap("card", ("N", None))
    assert table.view.screen == "correct"
    table.lay("W", "SJ")
    table.lay("S", "SQ")
    table.lay("E", "SK")
    table.lay("E", "S3")
    assert table.view.screen == "playing"


# -- the turn -----------------------------------------------------------------------------------------------------


def test_fix_turn_forwards_means_that_those_between_have_passed() -> None:
    table = Scripted()
    table.lay("N", "S9")
    table.tap("fix_turn", "E")
    assert table.view.turn == "E" and table.did[-2:] == ["pass", "pass"]


def test_fix_turn_backwards_strikes_the_pass_out() -> None:
    table = Scripted()
    table.lay("N", "S9")
    table.passes("WS")
    table.tap("fix_turn", "W")
    assert table.view.turn == "W" and not table.view.seats["W"].passed and not table.view.seats["S"].passed
    table.lay("W", "SJ")
    assert table.view.turn == "S" and not table.alerts


def test_fix_turn_brings_a_trick_back_that_was_taken_for_over() -> None:
    table = Scripted()
    table.lay("N", "S9")
    table.passes("WSE")
    assert not table.view.seats["N"].cards
    table.tap("fix_turn", "E")
    assert table.view.turn == "E" and table.view.seats["N"].cards == cards("S9")


def test_a_seats_sheet_passes_and_reports_for_it() -> None:
    table = Scripted()
    table.lay("N", "S9")
    table.tap("sheet", "W")
    assert table.view.screen == "seat" and "pass" in table.view.may
    table.tap("pass", "W")
    assert table.view.turn == "S" and table.view.screen == "playing"
    table.tap("sheet", "W")
    assert "pass" not in table.view.may and "turn" in table.view.may
    table.tap("report", "W")
    assert "report" not in table.did, "with 27 cards there is nothing to report"


# -- results ------------------------------------------------------------------------------------------------------


def test_among_friends_a_wrong_order_is_tapped_in_anew() -> None:
    table = Scripted("friendly")
    table.tap("seat", "N")
    for seat in "NSEW":
        table.tap("pick", seat)
    table.tap("pick_done")
    assert table.view.levels == {"NS": "5", "EW": "2"}
    table.tap("dispute", "EW")
    for seat in "NESW":
        table.tap("pick", seat)
    table.tap("pick_done")
    assert table.did[-1] == "correct" and table.view.levels == {"NS": "4", "EW": "2"}
    assert table.view.deal_result is not None and table.view.deal_result.order == tuple("NESW")


def test_in_a_championship_a_wrong_result_calls_the_referee() -> None:
    table = Scripted()
    table.finish("NSEW")
    table.tap("dispute", "EW")
    assert table.view.halt == "called"


def test_the_shared_screen_does_not_say_who_called() -> None:
    table = Scripted()

    def calls() -> list[dict[str, object]]:
        return [dict(event.data) for event in table.events if event.do == "call"]

    table.tap("call")
    assert calls() == [{}] and table.alerts[-1].seat is None and table.view.halt == "called"
    table.tap("resume")
    table.press("E", "call")
    assert calls() == [{}, {"seat": "E"}], "a pad is its seat's own"
    table.tap("resume")
    table.finish("NSEW")
    table.tap("dispute", "NS")  # the button names the winners, not whoever touched it
    assert calls() == [{}, {"seat": "E"}, {}]


# -- interruptions ------------------------------------------------------------------------------------------------


def test_the_wait_for_a_called_referee_is_not_counted() -> None:
    table = Scripted(match_seconds=900)
    table.lay("N", "S9")
    table.press("W", "call")
    left = table.controller.desk.match.clock.match_left
    table.wait(300.0)
    assert table.view.match_clock is not None and not table.view.match_clock.running
    table.rule(table.alerts[-1].id, "waive")
    table.wait(2.0)
    table.press("W")
    assert left is not None and left - table.controller.desk.match.clock.match_left < 8


@pytest.mark.parametrize("withdrawn", [False, True])
def test_a_call_and_a_pause_may_overlap(withdrawn: bool) -> None:
    table = Scripted(match_seconds=900)
    table.lay("N", "S9")
    table.tap("pause")
    table.press("W", "call")
    table.wait(30.0)
    if withdrawn:
        table.tap("resume")
    else:
        table.rule(table.alerts[-1].id, "waive")
        assert table.view.halt == "paused"
        table.tap("resume")
    assert table.view.screen == "playing" and table.view.match_clock is not None and table.view.match_clock.running
    left = table.view.match_clock.left(table.t)
    assert left is not None and left > 880


def test_nobodys_time_runs_while_the_camera_is_covered() -> None:
    table = Scripted(match_seconds=900)
    table.tap("seat", "N")
    table.lay("N", "S9")
    table.wait(5.0)
    since = table.t
    table.t += 0.5
    table.see(Covered(table.t, since))
    table.wait(60.0)
    assert [alert.kind for alert in table.alerts] == ["camera_covered"] and table.view.notice == "lost"
    assert table.view.turn_clock is not None and 14 < table.view.turn_clock.left(table.t) < 15.5
    table.see(Uncovered(table.t))
    table.wait(1.0)
    assert table.view.turn_clock.running and table.view.notice is None
    assert table.view.match_clock is not None and table.view.match_clock.left(table.t) > 885
    table.press("W")
    assert len(table.alerts) == 1
    table.see(Covered(table.t, table.t))
    table.wait(15.0)
    assert len({alert.id for alert in table.alerts}) == 2, "the referee learns of the second time as well"
    assert table.view.notice == "covered" and table.alerts[-1].rule == "镜头被挡住了"


def test_among_friends_a_covered_camera_is_said_on_the_screen_alone() -> None:
    table = Scripted("friendly")
    table.lay("N", "S9")
    table.see(Covered(table.t, table.t))
    table.wait(60.0)
    assert not table.alerts and table.view.notice == "lost"


# -- training -----------------------------------------------------------------------------------------------------


def test_training_explains_and_judges_nobody() -> None:
    table = Scripted("friendly")
    table.tap("set", "training")
    table.lay("N", "S9")
    lesson = table.view.lesson
    assert lesson is not None and (lesson.verdict, lesson.play) == ("led", ("single", 1, "9"))
    table.lay("W", "S5")
    lesson = table.view.lesson
    assert lesson is not None and (lesson.verdict, lesson.over) == ("short", ("single", 1, "9"))
    assert table.view.notice is None and not table.alerts
    table.lift("W", "S5")
    table.lay("W", "SJ DQ")
    assert table.view.lesson is not None and table.view.lesson.verdict == "nothing"


def test_where_results_count_nobody_is_taught() -> None:
    table = Scripted()
    table.tap("set", "training")
    table.lay("N", "S9")
    assert table.view.lesson is None


# -- seats and settings -------------------------------------------------------------------------------------------


def test_the_seats_of_the_next_match_wait_for_the_last_one_to_be_signed() -> None:
    table = Scripted(start_level="A")
    record: dict[str, Any] = dict(match_event("national", "championship", {"N": "孙立"}).data)
    table.give(Directed(table.t, "seat", {"match": "R2", "record": record}))
    table.finish("NSEW")
    assert table.view.match_result is not None and table.view.venue.seated == (("N", "孙立"),)
    table.tap("next_match")
    assert table.view.screen == "match_result", "not before both have signed"
    table.tap("confirm", "NS")
    table.tap("confirm", "EW")
    table.tap("next_match")
    assert table.view.screen == "check_in" and table.view.seats["N"].name == "孙立"
    table.tap("check_in", "NS")
    assert table.view.checked_in == frozenset({"NS"})
    table.tap("check_in", "NS")
    assert not table.view.checked_in, "a slip of the finger is undone by another"
    table.tap("start")
    assert table.view.screen == "playing" and table.controller.desk.match_name == "R2"


def test_guarded_settings_need_the_code() -> None:
    table = Scripted("friendly")
    table.tap("set", "rotation")
    assert table.view.settings.rotation == 0
    table.tap("set", "language")
    assert table.view.settings.language == "en", "anybody may choose the language"


def test_a_code_is_kept_as_a_hash_that_tells_nothing() -> None:
    one, two = hashed("2718"), hashed("2718")
    assert one != two and "2718" not in one and fits("2718", one) and fits("2718", two) and not fits("2719", one)
    assert not fits("2718", "scrypt::") and not fits("", "nonsense")


@pytest.mark.parametrize("code", ["", "123", "0000", "1234", "9876", "123456789", "12a4", "１２３４"])
def test_codes_that_will_not_do(code: str) -> None:
    with pytest.raises(ValueError, match="code"):
        hashed(code)


def test_settings_last_and_a_spoilt_file_spoils_no_evening(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "deep" / "settings.toml"
    assert load(path) == Settings()
    wanted = Settings(language="en", rotation=270, touch_rotation=90, flat=True, sound=True)
    save(path, wanted)
    assert load(path) == wanted and not list(path.parent.glob("*.new"))
    path.write_text("rotation = 45\n")
    with pytest.raises(ValueError, match="rotation must be one of"):
        load(path)
    assert kept(path) == Settings()
    assert kept(tmp_path / "none.toml", "en") == Settings(language="en"), "never set: as it was started"
    save(path, wanted)
    assert kept(path, "zh").language == "en"
