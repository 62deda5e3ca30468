"""Clocks, limits and tie-breaks, as each document gives them."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import Impossible
from engine.match import Match
from engine.rulesets import load
from tests.engine.folding import back, deal, finish, fold, passes, play, rule, then, tribute

BELL = ("time", {"left": 0})


def times(name: str, seconds: float, **more: Any) -> list[tuple[str, str]]:
    """Alerts of a turn that took *seconds*."""
    match = fold(deal("N", t=0.0), play("N", "S3", t=5.0), play("W", "S4", t=5.0 + seconds), ruleset=name, **more)
    return [(alert.kind, alert.route) for alert in match.alerts]


WARNING, FOUL = [("turn_time", "count")], [("turn_time", "referee")]


@pytest.mark.parametrize(
    ("name", "seconds", "expected"),
    [
        # 000 art. 2: 30 s, breach may disqualify
        ("zhongqing", 30, []), ("zhongqing", 30.5, FOUL),
        # 000 art. 13: 25 s in principle, past it a warning only
        ("timed-531", 25, []), ("timed-531", 26, WARNING), ("timed-531", 300, WARNING),
        # 001 part 1: 30 s
        ("tongsu", 30, []), ("tongsu", 31, FOUL),
        # 004 part 1: 0-25 s normal, warning at 26 s, a foul 5 s after the warning
        ("lianyungang", 25, []), ("lianyungang", 26, WARNING), ("lianyungang", 30, WARNING), ("lianyungang", 31, FOUL),
        # text A: 20 s, warning 20 to 30 s, a foul at 40 s
        ("national", 20, []), ("national", 21, WARNING), ("national", 39, WARNING), ("national", 40, FOUL),
        # silent: no accusation without a rule
        ("hefei", 900, []), ("hr-cup", 900, []), ("teahouse", 900, []), ("baoding", 900, []), ("yancheng", 900, []),
        ("points-league", 900, []), ("huaer", 900, []), ("bestwestern", 900, []), ("invitational", 900, []),
    ],
)  # fmt: skip
def test_turn_time(name: str, seconds: float, expected: list[tuple[str, str]]) -> None:
    assert times(name, seconds) == expected


def test_a_friendly_match_has_no_turn_clock() -> None:
    assert times("national", 300, profile="friendly") == []


def test_a_warning_comes_once_and_then_the_foul() -> None:
    match = fold(deal("N", t=0.0), play("N", "S3", t=1.0), ("deck", {"why": "x", "t": 22.0}),
                 ("deck", {"why": "x", "t": 23.0}), ("deck", {"why": "x", "t": 45.0}),
                 play("W", "S4", t=50.0))  # fmt: skip
    assert [(alert.id, alert.route) for alert in match.alerts] == [("4.1", "count"), ("6.1", "referee")]
    assert all(alert.seat == "W" for alert in match.alerts)


def test_opening_lead() -> None:
    for name, late, intime in (("tongsu", 181.0, 180.0), ("lianyungang", 21.0, 20.0)):  # 001 part 1; 004 part 1
        assert not fold(deal("N", t=0.0), play("N", "S3", t=intime), ruleset=name).alerts
        match = fold(deal("N", t=0.0), play("N", "S3", t=late), ruleset=name)
        assert [(alert.kind, alert.seat) for alert in match.alerts] == [("turn_time", "N")]


def test_tribute_and_return_time() -> None:
    for name, tribute_at, return_at in (("lianyungang", 45.0, 20.0), ("national", 30.0, 45.0)):
        start = [finish("NESW", t=0.0), deal(t=10.0)]
        on_time = [tribute("W", "N", "HR", t=9.9 + tribute_at), back("N", "W", "S3", t=9.8 + tribute_at + return_at)]
        assert not fold(*start, *on_time, ruleset=name).alerts
        late = fold(*start, tribute("W", "N", "HR", t=11.0 + tribute_at), ruleset=name)
        assert [(alert.kind, alert.seat, alert.route) for alert in late.alerts] == [("tribute_overdue", "W", "both")]
        slow = fold(*start, tribute("W", "N", "HR", t=11.0), back("N", "W", "S3", t=12.0 + return_at), ruleset=name)
        assert [(alert.kind, alert.seat) for alert in slow.alerts] == [("tribute_overdue", "N")]


def test_clocks_stand_still_in_a_pause_and_turns_while_the_referee_is_awaited() -> None:
    paused = fold(deal("N", t=0.0), play("N", "S3", t=1.0), ("pause", {"why": "tea", "t": 2.0}),
                  ("resume", {"t": 500.0}), play("W", "S4", t=515.0))  # fmt: skip
    assert not paused.alerts and paused.report()["clock"]["match_left"] == 3600 - 17
    called = fold(deal("N", t=0.0), play("N", "S3", t=1.0), ("call", {"seat": "S", "t": 2.0}),
                  rule("4.1", "waive", t=400.0), play("W", "S4", t=410.0))  # fmt: skip
    assert [alert.kind for alert in called.alerts] == ["call"]
    assert called.report()["clock"]["match_left"] == 3600 - 410, "no turn's time ran, the match's did: t rings the bell"


def test_extra_time_and_a_clock_that_is_set() -> None:
    match = fold(("extra", {"seconds": 60}), finish("NESW", t=3600.0))
    assert match.result is None and match.report()["clock"]["match_left"] == 60
    then(match, ("time", {"left": 30}), finish("NESW", t=3631.0))
    assert match.result is not None


LIMITS = {
    "zhongqing": 3600, "hefei": 3600, "hr-cup": 2400, "teahouse": 0, "baoding": 3600, "yancheng": 0,
    "points-league": 3600, "timed-531": 2400, "tongsu": 3600, "lianyungang": 5400, "national": 3600,
    "huaer": 0, "bestwestern": 0, "invitational": 0,
}  # fmt: skip


@pytest.mark.parametrize("name", LIMITS)
def test_match_limit(name: str) -> None:
    limit = LIMITS[name]
    before = fold(finish("NESW", t=1.0), ("deck", {"why": "x", "t": (limit or 99999) - 1.0}), ruleset=name)
    assert before.result is None
    match = then(before, ("deck", {"why": "x", "t": (limit or 199999) + 1.0}))
    if limit:
        assert match.result and (match.result.winner, match.result.why) == ("NS", "higher_level")
        assert [alert.kind for alert in match.alerts] == ["match_limit"]
    else:
        assert match.result is None


def test_points_league_000_art_12_later_stages_are_30_minutes() -> None:
    assert load("points-league", options={"stage": 2}).match_seconds == 1800


def equal(name: str, *more: Any, **match: Any) -> Match:
    """The bell at 4 each: NS came there first, EW is on stage."""
    return fold(finish("NESW"), finish("ENWS"), BELL, *more, ruleset=name, **match)


def test_equal_levels_at_the_limit_under_every_rule() -> None:
    assert equal("hr-cup").levels == {"NS": "4", "EW": "4"}
    for name in ("zhongqing", "hr-cup", "baoding"):  # 000 art. 2, 5, 10: one extra deal, first to gain wins
        match = equal(name)
        assert match.result is None and match.next["what"] == "deal"
        then(match, finish("SEWN"))
        assert match.result and (match.result.winner, match.result.why) == ("NS", "extra_deal")
    # 000 art. 4: the side that is off stage
    hefei = equal("hefei").result
    assert hefei and (hefei.winner, hefei.why) == ("NS", "off_stage")
    # 000 art. 13 and 001 part 1: first to reach that level
    for name in ("timed-531", "tongsu"):
        match = fold(finish("NSEW"), finish("EWNS"), BELL, ruleset=name)
        assert match.result and (match.result.winner, match.result.why) == ("NS", "first_to_reach")
    # 004 part 1: the side on stage
    lianyungang = equal("lianyungang").result
    assert lianyungang and (lianyungang.winner, lianyungang.why) == ("EW", "on_stage")
    # the baseline: a draw, in a knock-out one more deal
    draw = equal("national").result
    assert draw and (draw.winner, draw.why) == (None, "draw") and draw.points == {"NS": 1, "EW": 1}
    knockout = equal("national", options={"knockout": True})
    assert knockout.result is None
    assert then(knockout, finish("SEWN")).result.winner == "NS"


def test_points_league_000_art_12_plays_on_until_decided() -> None:
    match = equal("points-league")
    assert match.result is None
    then(match, finish("SEWN"))
    assert match.result and (match.result.winner, match.result.why) == ("NS", "higher_level")
    assert match.result.small == {"NS": 1, "EW": -1}, "each winner scores the level margin"


def test_teahouse_000_art_6_ends_after_eight_deals() -> None:
    seven = fold(*[finish("NEWS")] * 7, ruleset="teahouse")
    assert seven.result is None
    assert then(seven, finish("NEWS")).result.winner == "NS"
    even = fold(*[finish("NEWS"), finish("ENSW")] * 4, ruleset="teahouse")
    assert even.result is None and even.levels["NS"] == even.levels["EW"], "one extra deal"
    assert then(even, finish("ENSW")).result.why == "extra_deal"


def test_a_deal_in_progress_at_the_limit() -> None:
    lines = [finish("NESW"), deal("W"), tribute("W", "N", "HR"), back("N", "W", "S3"), play("W", "S4"), BELL]
    stopped = fold(*lines)  # the baseline: it does not count
    assert stopped.result and stopped.result.winner == "NS" and len(stopped.deals) == 1
    for name in ("tongsu", "hr-cup"):  # 001 part 1: finished; elsewhere silent, finished
        match = fold(*lines, ruleset=name)
        assert match.result is None
        then(match, finish("EWNS"))
        assert match.result and match.result.winner == "EW" and len(match.deals) == 2


def test_cards_that_fall_after_the_bell_count_no_more() -> None:
    match = fold(finish("NESW"), deal("W"), BELL, play("W", "S4"), finish("EWNS"))
    assert match.result and match.result.winner == "NS" and len(match.deals) == 1


def test_t_past_the_limit_rings_the_bell() -> None:
    match = fold(finish("NESW", t=100.0), deal(t=200.0), play("W", "S4", t=3601.0))
    assert match.result and match.result.why == "higher_level"
    assert [alert.kind for alert in match.alerts if alert.kind == "match_limit"] == ["match_limit"]


def test_best_of_three() -> None:
    for name in ("huaer", "bestwestern"):  # 000 art. 7, 9
        match = fold(ruleset=name, options={"start_level": "A"})
        then(match, finish("NSEW"))
        assert match.result is None and match.games == ["NS"] and match.levels == {"NS": "A", "EW": "A"}
        then(match, finish("EWNS"), finish("NSEW"))
        assert match.result and match.result.winner == "NS" and match.result.games == {"NS": 2, "EW": 1}
    assert load("bestwestern", options={"best_of": 1}).best_of == 1


def test_late_forfeits_are_known() -> None:
    expected = {"teahouse": 600, "baoding": 300, "yancheng": 1200, "tongsu": 600, "lianyungang": 1, "zhongqing": 1}
    assert {name: load(name).late_seconds for name in LIMITS if load(name).late_seconds} == expected
    assert load("lianyungang").late_seconds_with_leave == 900


def test_points_and_small_points() -> None:
    match = fold(finish("NSEW"), levels={"NS": "A", "EW": "9"})
    assert match.result and match.result.points == {"NS": 2, "EW": 0} and match.result.small == {"NS": 6, "EW": -6}
    three = fold(BELL, options={"points": [3, 1, 0], "small_points": "26"})
    assert three.result and three.result.points == {"NS": 1, "EW": 1} and three.result.small == {"NS": 13, "EW": 13}


def test_forfeit_and_withdrawal() -> None:
    for do, why in (("forfeit", "forfeit"), ("withdraw", "withdrawal")):
        match = fold((do, {"side": "NS", "why": "late"}))
        assert match.result and (match.result.winner, match.result.why) == ("EW", why)


def test_turn_passes_after_the_trick_keep_the_clock_of_the_next_seat() -> None:
    match = fold(deal("N", t=0.0), play("N", "S3", t=1.0), *passes("W", "S", t=3.0), *passes("E", t=60.0))
    assert [(alert.seat, alert.route) for alert in match.alerts] == [("E", "referee")]


def test_the_next_time_begins_when_the_cards_have_settled_unless_the_ruleset_says_otherwise() -> None:
    lines = [deal("N", t=0.0), play("N", "S3", t=10.0, settled=14.0)]
    assert not fold(*lines, play("W", "S4", t=34.0)).alerts
    assert fold(*lines, play("W", "S4", t=35.0)).alerts
    assert fold(*lines, play("W", "S4", t=36.0), ruleset="lianyungang").alerts, "from the touch (004 part 1, 10.4)"


def test_a_deal_begun_after_the_bell() -> None:
    late = fold(finish("NESW", t=100.0), deal(t=3700.0), play("W", "S4"))
    assert late.result and late.result.winner == "NS", "its line rings the bell and is kept; it counts no more"
    with pytest.raises(Impossible, match="over"):
        then(late, deal())


def test_a_fourth_number_is_for_what_was_forfeited() -> None:
    four = {"options": {"points": [3, 2, 1, 0]}}
    assert fold(("forfeit", {"side": "NS"}), **four).result.points == {"NS": 0, "EW": 3}
    assert fold(finish("NSEW"), levels={"NS": "A", "EW": "9"}, **four).result.points == {"NS": 3, "EW": 1}
    assert fold(BELL, **four).result.points == {"NS": 2, "EW": 2}


def test_a_turn_may_end_when_the_cards_have_settled() -> None:
    lines = [deal("N", t=0.0), play("N", "S3", t=10.0), play("W", "S4", t=29.0, settled=32.0)]
    assert not fold(*lines).alerts
    assert [alert.kind for alert in fold(*lines, options={"turn_ends": "settled"}).alerts] == ["turn_time"]


def test_a_deal_that_is_scored_by_its_order_accuses_nobody_of_slowness() -> None:
    for name in ("national", "tongsu", "lianyungang"):
        match = fold(deal("N", t=0.0), finish("NESW", t=900.0), deal(t=910.0), finish("NESW", t=1900.0), ruleset=name)
        assert not match.alerts, name


def test_neither_warning_nor_foul_comes_before_the_time_is_over() -> None:
    longer = {"options": {"turn_seconds": 60}}
    assert times("tongsu", 59, **longer) == [] and times("tongsu", 61, **longer) == FOUL
    assert times("lianyungang", 60, **longer) == [] and times("lianyungang", 61, **longer) == FOUL


def test_seconds_may_be_taken_off_and_the_bell_rings_at_once() -> None:
    match = fold(finish("NESW", t=10.0), ("extra", {"seconds": -3600, "t": 20.0}))
    assert match.result and [alert.id for alert in match.alerts] == ["3.1"]


def test_each_game_of_a_match_is_reminded_of_its_time() -> None:
    games = {"start_level": "A", "best_of": 3, "match_seconds": 600, "reminders": [300]}
    match = fold(finish("NSEW", t=400.0), ("deck", {"t": 690.0}), ("deck", {"t": 710.0}), options=games)
    assert [(alert.event, alert.route) for alert in match.alerts] == [(2, "count"), (4, "count")]
