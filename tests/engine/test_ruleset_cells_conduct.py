"""Clocks, conduct, routes and events of the source documents, cell by cell; see ``test_ruleset_cells.py``.

A document that names no clock, no report, no penalty and no limit has none: no accusation without a rule.
"""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from engine.errors import Impossible
from engine.keys import OFFENCES, SEEN_BY_REFEREE
from engine.match import Match
from engine.rulesets import DIRECTORY, load, names
from tests.engine.folding import back, deal, finish, fold, offence, passes, play, rule, then, tribute

BELL = ("time", {"left": 0})
NAMES = sorted(names())


def kinds(match: Match) -> list[tuple[str, str | None, str]]:
    return [(alert.kind, alert.seat, alert.route) for alert in match.alerts]


# --- clocks ----------------------------------------------------------------------------------------------------------


def turn(name: str) -> tuple[int | None, int | None]:
    """The second of a turn at which the warning comes, and the one at which it is the referee's."""
    found: dict[str, int] = {}
    for seconds in range(1, 62):
        match = fold(deal("N", t=0.0), play("N", "S3", t=1.0), play("W", "S4", t=1.0 + seconds), ruleset=name)
        for _, seat, route in kinds(match):
            assert seat == "W"
            found.setdefault(route, seconds)
    return found.get("count"), found.get("referee")


TURN = {
    "national": (21, 40),  # 20 s; over it a warning; 10 s after 30 a foul †
    "zhongqing": (None, 31),  # 000 art. 2, discipline 6: 每次出牌时间为30秒，违者取消比赛资格
    "timed-531": (26, None),  # 000 art. 13: 原则上25秒以内 †, a warning only
    "tongsu": (None, 31),  # 001 part 1, section 4: 不超过30秒
    "lianyungang": (26, 31),  # 004 part 1, 10.4: 0-25秒正常；26-30秒警告，警告后5秒内仍不出牌犯规 †
}


@pytest.mark.parametrize("name", NAMES)
def test_the_turn_s_clock(name: str) -> None:
    assert turn(name) == TURN.get(name, (None, None))


def opening(name: str, seconds: float) -> list[tuple[str, str | None, str]]:
    return kinds(fold(deal("N", t=0.0), play("N", "S3", t=seconds), ruleset=name))


@pytest.mark.parametrize("name", NAMES)
def test_the_opening_lead(name: str) -> None:
    limit = {"tongsu": 180, "lianyungang": 20}.get(name)  # 开局不超过3分钟; 每局先出牌者必须在20秒内
    assert opening(name, 9000.0 if limit is None else float(limit)) in ([], [("match_limit", None, "both")])
    if limit:
        assert opening(name, limit + 1.0) == [("turn_time", "N", "referee")]


@pytest.mark.parametrize("name", NAMES)
def test_tribute_and_return_have_their_time(name: str) -> None:
    """national 15 s and 30 s, 15 s more a foul; 004 part 1, 6.4 and 10.4: 45 s, and 20 s after the tribute †."""
    limits = {"national": (30, 45), "lianyungang": (45, 20)}.get(name)
    pay, give = limits or (600, 600)
    start = [finish("NESW", t=0.0), deal(t=1.0)]
    in_time = fold(*start, tribute("W", "N", "HR", t=pay + 0.5), back("N", "W", "S3", t=pay + give + 0.4), ruleset=name)
    assert not in_time.alerts
    if limits:
        late = fold(*start, tribute("W", "N", "HR", t=pay + 2.0), ruleset=name)
        slow = fold(*start, tribute("W", "N", "HR", t=2.0), back("N", "W", "S3", t=give + 3.0), ruleset=name)
        assert kinds(late) == [("tribute_overdue", "W", "both")] and kinds(slow) == [("tribute_overdue", "N", "both")]


MINUTES = {"national": 60, "zhongqing": 60, "hefei": 60, "hr-cup": 40, "baoding": 60, "points-league": 60,
           "timed-531": 40, "tongsu": 60, "lianyungang": 90}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_the_match_limit(name: str) -> None:
    minutes = MINUTES.get(name)
    before = fold(finish("NESW", t=60.0), ("deck", {"t": 60.0 * (minutes or 600) - 1}), ruleset=name)
    assert not before.alerts and before.result is None
    after = then(before, ("deck", {"t": 60.0 * (minutes or 600) + 1}))
    assert (after.result is not None) is (minutes is not None)
    if minutes:
        assert kinds(after) == [("match_limit", None, "both")]
        assert (after.result.winner, after.result.why) == ("NS", "higher_level")


def test_points_league_000_art_12_later_stages_are_half_an_hour_a_game() -> None:
    match = fold(finish("NESW", t=60.0), ("deck", {"t": 1801.0}), ruleset="points-league", options={"stage": 2})
    assert match.result and match.result.small == {"NS": 2, "EW": -2}, "高几级，积几分"


def test_teahouse_000_art_6_eight_deals() -> None:
    assert fold(*[finish("NEWS")] * 7, ruleset="teahouse").result is None
    assert fold(*[finish("NEWS")] * 8, ruleset="teahouse").result.why == "higher_level"


def at_equal_levels(name: str, *more: Any, **match: Any) -> Match:
    """The bell at 4 each; north-south came there first, east-west is on stage."""
    return fold(finish("NESW"), finish("ENWS"), BELL, *more, ruleset=name, **match)


EQUAL = {  # winner and why, or what must decide
    "national": (None, "draw"), "hefei": ("NS", "off_stage"), "timed-531": ("NS", "first_to_reach"),
    "tongsu": ("NS", "first_to_reach"), "lianyungang": ("EW", "on_stage"),
    "zhongqing": "extra_deal", "hr-cup": "extra_deal", "teahouse": "extra_deal", "baoding": "extra_deal",
    "points-league": "play_on",
}  # fmt: skip


@pytest.mark.parametrize("name", EQUAL)
def test_the_level_at_the_limit(name: str) -> None:
    expected = EQUAL[name]
    if isinstance(expected, tuple):
        result = at_equal_levels(name).result
        assert result and (result.winner, result.why) == expected
        return
    match = at_equal_levels(name)
    assert match.result is None and match.next["what"] == "deal"
    then(match, finish("SEWN"))
    assert match.result.winner == "NS"
    assert match.result.why == ("extra_deal" if expected == "extra_deal" else "higher_level")


def test_national_in_a_knock_out_one_more_deal_decides() -> None:
    match = at_equal_levels("national", options={"knockout": True})
    assert match.result is None and then(match, finish("EWNS")).result.winner == "EW"


def test_hefei_000_art_4_unequal_levels_at_the_bell_are_decided_by_the_higher() -> None:
    assert fold(finish("NESW"), BELL, ruleset="hefei").result.why == "higher_level"


@pytest.mark.parametrize("name", NAMES)
def test_a_deal_in_progress_at_the_limit(name: str) -> None:
    """national: it does not count †; tongsu: whatever was begun is finished; elsewhere silent: finished †."""
    begun = [finish("NESW"), deal(), tribute("W", "N", "HR"), back("N", "W", "S3"), play("W", "S4"), BELL]
    match = fold(*begun, ruleset=name)
    assert match.games == (["NS"] if name == "national" else [])
    if name != "national":
        assert then(match, finish("EWNS")).deals[-1].levels["EW"] != "2" and match.games == ["EW"]


LATE = {"zhongqing": 1, "teahouse": 600, "baoding": 300, "yancheng": 1200, "tongsu": 600, "lianyungang": 1}


@pytest.mark.parametrize("name", NAMES)
def test_who_is_late_forfeits(name: str) -> None:
    assert load(name).late_seconds == LATE.get(name, 0)
    assert load(name).late_seconds_with_leave == (900 if name == "lianyungang" else 0)
    match = fold(offence("N", "late"), rule("2.1", by="chief"), ruleset=name)
    assert (match.result is not None and (match.result.winner, match.result.why) == ("EW", "match_lost")) is (
        name in LATE
    )


def test_001_part_3_reminders_at_half_time_and_five_minutes_before_the_end() -> None:
    office = {"reminders": ["half", 300]}
    times = [("deck", {"t": t}) for t in (1799.0, 1800.0, 3299.0, 3300.0)]
    match = fold(finish("NESW", t=1.0), *times, options=office)
    assert [(alert.event, alert.route) for alert in match.alerts] == [(4, "count"), (6, "count")]


# --- conduct and penalties -------------------------------------------------------------------------------------------

PENALTIES = {
    # (ruleset, kind): what one upheld, and a second one of that player upheld, costs
    ("tongsu", "out_of_turn"): ["foul, opponents_gain", "foul, opponents_gain"],
    ("lianyungang", "out_of_turn"): ["miss_round", "miss_round"],
    ("national", "out_of_turn"): ["take_back, lose_trick, bar_kind"] * 2,
    ("tongsu", "gesture"): ["warning", "warning, foul, opponents_gain"],
    ("lianyungang", "not_a_combination"): ["cards_stay, miss_round"] * 2,
    ("lianyungang", "does_not_beat"): ["cards_stay, miss_round"] * 2,
    ("timed-531", "not_a_combination"): ["cards_stay"] * 2, ("timed-531", "does_not_beat"): ["cards_stay"] * 2,
    ("tongsu", "not_a_combination"): ["cards_stay"] * 2, ("tongsu", "does_not_beat"): ["cards_stay"] * 2,
    ("lianyungang", "exposed_card"): ["miss_round"] * 2,
    ("national", "report_missed"): ["take_back, warning", "foul, lose_trick"],
    ("lianyungang", "report_missed"): ["take_back", "take_back"],
    ("yancheng", "report_missed"): ["", ""],
    ("national", "turn_time"): ["foul, lose_trick"] * 2, ("timed-531", "turn_time"): ["warning"] * 2,
    ("lianyungang", "turn_time"): ["foul", "foul, own_drop"],
    ("lianyungang", "tribute_overdue"): ["foul", "foul, own_drop"], ("national", "tribute_overdue"): ["foul"] * 2,
    ("lianyungang", "cards_not_held"): ["foul", "foul"],
    ("tongsu", "looked_back"): ["", ""], ("lianyungang", "looked_back"): ["", ""],  # forbidden, no penalty named
    ("timed-531", "looked_back"): ["", ""],
    ("national", "laying_order"): ["warning", "foul, lose_trick"],
    ("national", "asking"): ["warning", "foul, lose_trick"],
    ("baoding", "signals"): ["warning", "disqualified"], ("hr-cup", "signals"): ["disqualified"],
    ("teahouse", "signals"): ["annulled"], ("lianyungang", "signals"): ["disqualified"],
    ("zhongqing", "signals"): ["annulled"], ("yancheng", "signals"): ["annulled"],
    ("national", "signals"): ["warning", "foul"],
    ("national", "not_a_combination"): ["take_back"] * 2, ("national", "does_not_beat"): ["take_back"] * 2,  # no play
    **{(name, "leaving"): ["match_lost"] for name in
       ("zhongqing", "hr-cup", "teahouse", "huaer", "bestwestern", "baoding", "lianyungang")},
}  # fmt: skip


@pytest.mark.parametrize(("name", "kind"), PENALTIES)
def test_what_an_offence_costs(name: str, kind: str) -> None:
    expected = PENALTIES[name, kind]
    match = fold(deal("N"), ruleset=name, levels={"NS": "8", "EW": "8"})
    for penalty in expected:
        then(match, offence("N", kind))
        alert = match.alerts[-1]
        assert alert.article.source and alert.article.zh and alert.article.en
        then(match, rule(alert.id, by="chief"))
        assert ", ".join(match.alerts[-1].penalty if match.alerts[-1] is not alert else alert.penalty) == penalty
    assert match.levels == {
        "NS": "7" if "own_drop" in expected[-1] else "8",
        "EW": {0: "8", 1: "9", 2: "T"}[sum("opponents_gain" in step for step in expected)],
    }
    lost = any(word in expected[-1] for word in ("disqualified", "annulled", "match_lost"))
    assert (match.result is not None and match.result.winner == "EW") is lost


@pytest.mark.parametrize("name", NAMES)
def test_no_penalty_where_the_document_names_none(name: str) -> None:
    rules = load(name)
    named = {kind for ruleset, kind in PENALTIES if ruleset == name}
    more = {  # asserted elsewhere in these two files
        "national": {"tribute_violated", "return_violated", "resist_violated"},
        "zhongqing": {"late"}, "teahouse": {"late"}, "baoding": {"late"}, "yancheng": {"late"}, "tongsu": {"late"},
        "lianyungang": {"late"},
    }.get(name, set())  # fmt: skip
    for kind in (*OFFENCES, *SEEN_BY_REFEREE):
        ladder = rules.offence.get(kind)
        if kind not in named | more and ladder is not None:
            assert not any(ladder.steps) and not ladder.late and not ladder.before_play, kind


def missed(name: str, rounds: int) -> Match:
    """North comes down to six, says nothing; the referee rules after *rounds* more plays of north's."""
    low = [f"{suit}{rank}" for suit in "SD" for rank in "23456789TJQ"][:21]
    match = fold(deal("N"), play("N", " ".join(low)), rule("3.1", "waive"), *passes("W", "S", "E"),
                 ruleset=name, levels={"NS": "8", "EW": "8"})  # fmt: skip
    for card in ("C3", "C4", "C5")[:rounds]:
        then(match, play("N", card), *passes("W", "S", "E"))
    return then(match, rule("5.1", by="chief"))


def test_lianyungang_004_part_1_section_6_6_two_rounds_later_the_side_drops_a_level() -> None:
    assert [missed("lianyungang", rounds).alerts[1].penalty for rounds in (0, 1, 2, 3)] == [
        ["take_back"], ["take_back"], ["own_drop"], ["own_drop"],
    ]  # fmt: skip
    assert missed("lianyungang", 2).levels == {"NS": "7", "EW": "8"}


REPORT_AT = {"national": 10, "tongsu": 7, "timed-531": 7, "lianyungang": 6, "yancheng": 8}


@pytest.mark.parametrize("name", NAMES)
def test_remaining_cards_are_reported(name: str) -> None:
    low = [f"{suit}{rank}" for suit in "SDC" for rank in "23456789TJQKA"]
    due = {
        left for left in range(1, 14)
        if ("report_missed", "N", "referee") in kinds(fold(deal("N"), play("N", " ".join(low[: 27 - left])),
                                                           *passes("W"), ruleset=name))
    }  # fmt: skip
    assert due == set(range(1, REPORT_AT.get(name, 0) + 1))


def test_yancheng_000_art_11_three_unreported_times_lose_the_match() -> None:
    match = fold(*[offence("N", "report_missed")] * 3, *[rule(f"{at}.1", by="chief") for at in (2, 3)],
                 ruleset="yancheng")  # fmt: skip
    assert match.result is None
    assert then(match, rule("4.1", by="chief")).result.why == "match_lost"


def test_lianyungang_004_part_1_section_9_4_three_of_one_player_disqualify_by_the_chief() -> None:
    three = [offence("N", "exposed_card"), offence("N", "out_of_turn"), offence("N", "cards_not_held")]
    match = fold(*three, offence("S", "exposed_card"), *[rule(f"{at}.1", by="table") for at in (2, 5, 3)],
                 ruleset="lianyungang")  # fmt: skip
    assert match.alerts[-1].of is None, "two of north and one of south are not three of one player"
    then(match, rule("4.1", by="table"))
    assert match.result is None and match.alerts[-1].of == "total.fouls"
    with pytest.raises(Impossible):
        then(match, rule(match.alerts[-1].id, by="table"))
    assert then(match, rule(match.alerts[-1].id, by="chief")).result.why == "disqualified"


def test_zhongqing_000_art_2_a_breach_of_time_may_disqualify_by_the_chief_s_choice() -> None:
    match = fold(offence("N", "turn_time"), ruleset="zhongqing")
    with pytest.raises(Impossible):
        then(match, rule("2.1", by="table", penalty="disqualified"))
    assert then(match, rule("2.1", by="chief", penalty="disqualified")).result.winner == "EW"
    assert fold(offence("N", "turn_time"), rule("2.1"), ruleset="zhongqing").alerts[0].penalty == []


def test_lianyungang_004_part_1_section_8_any_player_calls_and_play_stops() -> None:
    match = fold(deal("N", t=0.0), play("N", "S3", t=1.0), ("call", {"seat": "E", "t": 2.0}), ruleset="lianyungang")
    assert kinds(match) == [("call", "E", "both")] and match.clock.waiting


@pytest.mark.parametrize("name", NAMES)
def test_out_of_turn_does_not_move_the_turn_and_a_waived_play_stands(name: str) -> None:
    match = fold(deal("N"), play("N", "S3"), play("S", "S4"), ruleset=name)
    assert kinds(match) == [("out_of_turn", "S", "both")] and match.next["seat"] == "W"
    then(match, rule("4.1", "waive"))
    assert match.next["seat"] == "E" and match.deal.standing.seat == "S"
    assert [(each.seat, each.by) for each in match.deal.trick if each.kind == "pass"] == [("W", "implied")]


def test_to_miss_a_round_is_to_be_passed_over_at_one_s_next_turn() -> None:
    match = fold(deal("N"), play("N", "S3"), offence("W", "exposed_card"), rule("4.1"), ruleset="lianyungang")
    assert match.next["seat"] == "S", "the turn was west's"
    then(match, play("S", "S5"), *passes("E", "N"), play("W", "S6"))
    assert match.alerts[-1].kind == "exposed_card", "and once is enough"


# --- where alerts go -------------------------------------------------------------------------------------------------

BOTH = {"out_of_turn", "not_a_combination", "does_not_beat", "call", "tribute_overdue", "match_limit"}


@pytest.mark.parametrize("kind", OFFENCES)
@pytest.mark.parametrize("profile", ["championship", "friendly"])
def test_where_an_alert_goes(profile: str, kind: str) -> None:
    usual = "both" if kind in BOTH else "count" if kind == "laying_order" else "referee"
    expected = usual if profile == "championship" else "both" if kind == "call" else "count"
    for name in NAMES:
        assert fold(offence("N", kind), ruleset=name, profile=profile).alerts[0].route == expected, name


# --- events ----------------------------------------------------------------------------------------------------------

EVENTS: dict[str, tuple[str, list[dict[str, Any]]]] = {
    "zhongqing": ("zhongqing", [{"format": "knockout", "until": 8}, {"format": "knockout"}]),
    "hefei": ("hefei", [{"format": "knockout"}, {"format": "knockout", "ruleset_options": {"stage": 2}}]),
    "hr-cup": ("hr-cup", [{"format": "knockout"}]),
    "teahouse-week": ("teahouse", [{"format": "knockout"}]),
    "huaer": ("huaer", [{"format": "knockout", "best_of": 3}]),
    "bestwestern": ("bestwestern", [{"ruleset_options": {"best_of": 1}}, {"format": "knockout", "best_of": 3}]),
    "baoding": ("baoding", [{"format": "knockout", "third_place": True}]),
    "points-league": ("points-league", [{"format": "drawn_tables"}, {"score": "margin", "take": 4}, {"rounds": 3}]),
    "tongsu": ("tongsu", [{"format": "swiss", "rounds": 3}]),
    "invitational": ("invitational", [{"format": "drawn_knockout"}]),
    "group-event": ("national", [{"groups": 3, "take": 1}, {"format": "round_robin"}]),
    "round-robin": ("national", [{"format": "round_robin", "rounds": 5}]),
    "office": ("national", [{"take": 2, "ruleset_options": {"reminders": ["half", 300]}}, {"format": "knockout"}]),
}  # fmt: skip


@pytest.mark.parametrize("event", EVENTS)
def test_an_event_of_the_documents(event: str) -> None:
    ruleset, stages = EVENTS[event]
    found = tomllib.loads((DIRECTORY.parent / "events" / f"{event}.toml").read_text("utf-8"))
    assert found["ruleset"] == ruleset and len(found["stage"]) == len(stages)
    for stage, wanted in zip(found["stage"], stages, strict=True):
        assert {key: stage.get(key) for key in wanted} == wanted
        rules = load(ruleset, "championship", stage.get("ruleset_options"))
        if stage["format"] in ("knockout", "drawn_knockout") and ruleset != "national":
            assert rules.knockout, "somebody must go on"
        assert stage.get("best_of", rules.best_of) == rules.best_of


# --- daggers: a reading that was chosen stands as a comment in the file that chose it ---------------------------------

DAGGERS = {
    "base": ["each payer to the winner next clockwise", "the one whose card went to first", "it is finished"],
    "national": ["each payer to the winner next clockwise", "read as 40 s", "at the bell does not count",
                 "equal levels are a draw"],
    "zhongqing": ["红心除外"], "hefei": ["first past A", "the higher level"], "hr-cup": ["one extra deal"],
    "teahouse": ["one extra deal"],
    "bestwestern": ["streak_bonus", "streak_malus", "never resisted", "single game until the final"],
    "baoding": ["the winning side has no last"], "yancheng": ["garbled"],
    "timed-531": ["in principle", "may not go past 30 s", "2不必打"],
    "tongsu": ["10 or lower", "equal cards that are not jokers", "choose from the returned", "all equal: the player"],
    "invitational": ["prizes 2, 3, 4 and merit"],
    "lianyungang": ["equal: the player after first", "5 s after the warning", "within 20 s of the tribute", "2不必打",
                    "passed over at one's next turn"],
}  # fmt: skip
_LAST_LEADS = ("zhongqing", "hr-cup", "huaer", "baoding", "yancheng")


@pytest.mark.parametrize("name", DAGGERS)
def test_a_dagger_stands_in_its_file(name: str) -> None:
    comments: list[str] = []
    for line in (DIRECTORY / f"{name}.toml").read_text("utf-8").splitlines():
        code, sign, comment = line.partition("#")
        if sign and not code and comments and comments[-1].startswith("#"):
            comments[-1] += " " + comment.strip()  # a comment of more than one line
        else:
            comments.append(("" if code else "#") + comment.strip())
    for words in (*DAGGERS[name], *(["of two, the one whose card went to first"] if name in _LAST_LEADS else [])):
        assert any(words in comment and "†" in comment for comment in comments), words
