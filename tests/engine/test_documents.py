"""Every cell of the Guandan tables of rulesets.md, each with its source."""

from __future__ import annotations

from typing import Any

import pytest

from engine.levels import Race
from engine.rulesets import load, names
from tests.engine.folding import back, deal, finish, fold, last_alert, offence, passes, play, rule, then, tribute

IDS = {
    "national", "zhongqing", "hefei", "hr-cup", "teahouse", "huaer", "bestwestern", "baoding", "yancheng",
    "points-league", "timed-531", "tongsu", "invitational", "lianyungang",
}  # fmt: skip


def test_there_is_a_file_for_every_row() -> None:
    assert set(names()) == IDS
    for name in names():
        assert load(name).source


# --- level, ace and tribute ---

GAINS = {
    "000 art. 2": ("zhongqing", 3, 2, 1), "000 art. 5": ("hr-cup", 3, 2, 1), "000 art. 6": ("teahouse", 3, 2, 1),
    "000 art. 7": ("huaer", 5, 3, 1), "000 art. 9": ("bestwestern", 3, 2, 1), "000 art. 10": ("baoding", 3, 2, 1),
    "000 art. 11": ("yancheng", 3, 2, 1), "000 art. 13": ("timed-531", 5, 3, 1), "001 part 1": ("tongsu", 3, 2, 1),
    "002": ("invitational", 4, 2, 1), "004 part 1": ("lianyungang", 3, 2, 1),
    "baseline": ("national", 3, 2, 1), "000 art. 4 is silent": ("hefei", 3, 2, 1),
    "000 art. 12 is silent": ("points-league", 3, 2, 1),
}  # fmt: skip


@pytest.mark.parametrize("source", GAINS)
def test_gains(source: str) -> None:
    name, *gains = GAINS[source]
    for order, gain in zip(("NSEW", "NESW", "NEWS"), gains, strict=True):
        assert fold(finish(order), ruleset=name).levels == {"NS": "23456789"[gain], "EW": "2"}


PASSING = {
    "000 art. 2": ("zhongqing", "NSEW", "NESW NEWS"), "000 art. 5": ("hr-cup", "NSEW", "NESW NEWS"),
    "000 art. 10": ("baoding", "NSEW NESW", "NEWS"), "000 art. 13": ("timed-531", "NSEW NESW", "NEWS"),
    "001 part 1": ("tongsu", "NSEW NESW", "NEWS"), "002": ("invitational", "NSEW NESW", "NEWS"),
    "004 part 1": ("lianyungang", "NSEW", "NESW NEWS"), "baseline": ("national", "NSEW NESW", "NEWS"),
}  # fmt: skip


@pytest.mark.parametrize("source", PASSING)
def test_passing_a(source: str) -> None:
    name, passing, staying = PASSING[source]
    for order in passing.split():
        match = fold(finish(order), ruleset=name, levels={"NS": "A", "EW": "5"})
        assert match.result and (match.result.winner, match.result.why) == ("NS", "passed_A")
    for order in staying.split():
        match = fold(finish(order), ruleset=name, levels={"NS": "A", "EW": "5"})
        assert match.result is None and match.levels["NS"] == "A" and match.attempts["NS"] == 1


def test_hefei_000_art_4_first_stage_ends_on_reaching_a() -> None:
    first = fold(finish("NSEW"), ruleset="hefei", levels={"NS": "J", "EW": "2"})
    assert first.result and first.result.why == "reached_A"
    second = fold(finish("NSEW"), ruleset="hefei", levels={"NS": "J", "EW": "2"}, options={"stage": 2})
    assert second.result is None and second.levels["NS"] == "A"
    assert then(second, finish("NSEW")).result.why == "passed_A"


FALLS = {
    "000 art. 2": ("zhongqing", ["J", "J"]), "000 art. 5": ("hr-cup", ["J", "J"]), "000 art. 7": ("huaer", ["2", "2"]),
    "000 art. 10": ("baoding", ["2", "2"]), "000 art. 13": ("timed-531", ["2", "2"]),
    "001 part 1": ("tongsu", ["2", "2"]), "004 part 1": ("lianyungang", ["J", "2", "2"]),
}  # fmt: skip


@pytest.mark.parametrize("source", FALLS)
def test_three_failed_tries_at_a(source: str) -> None:
    name, falls = FALLS[source]
    race = Race(load(name), {"NS": "A", "EW": "5"})
    for level in falls:
        for tries in (1, 2):
            race.finish("NEWS", "NS")
            assert race.levels["NS"] == "A" and race.attempts["NS"] == tries
        race.finish("NEWS", "NS")
        assert race.levels["NS"] == level and race.attempts["NS"] == 0
        race.levels["NS"] = "A"


@pytest.mark.parametrize("name", sorted(IDS - {name for name, _ in FALLS.values()}))
def test_silent_about_tries_means_any_number(name: str) -> None:
    race = Race(load(name, options={"goal": "pass_A"}), {"NS": "A", "EW": "5"})
    for _ in range(9):
        race.finish("NEWS", "NS")
    assert race.levels["NS"] == "A" and race.attempts["NS"] == 9


def test_losing_at_ones_own_a_is_a_failed_try_and_the_opponents_level_is_none() -> None:
    race = Race(load("tongsu"), {"NS": "A", "EW": "5"})
    race.finish("EWNS", "NS")
    assert race.attempts == {"NS": 1, "EW": 0} and race.levels == {"NS": "A", "EW": "8"}
    race.finish("EWNS", "EW")
    race.finish("NSEW", "EW")
    assert race.attempts["NS"] == 1 and race.levels["NS"] == "A" and race.winner is None


def test_timed_531_000_art_13_a_win_from_2_lands_on_3() -> None:
    match = fold(*[finish("NEWS")] * 3, ruleset="timed-531", levels={"NS": "A", "EW": "5"})
    assert match.levels["NS"] == "2" and match.attempts["NS"] == 0
    then(match, finish("NSEW"))
    assert match.levels["NS"] == "3", "whatever the order was"
    then(match, finish("NSEW"))
    assert match.levels["NS"] == "8", "and then as always"


def test_lianyungang_004_part_1_falls_to_j_then_to_2() -> None:
    match = fold(*[finish("NEWS")] * 3, ruleset="lianyungang", levels={"NS": "A", "EW": "5"})
    assert match.levels["NS"] == "J"
    then(match, finish("NSEW"), *[finish("NEWS")] * 3)
    assert match.levels["NS"] == "2"


def test_bestwestern_000_art_9_streaks_are_options() -> None:
    orders = [finish("NEWS"), finish("NWES"), finish("NEWS"), finish("NEWS")]
    assert fold(*orders, ruleset="bestwestern").levels["NS"] == "6"
    assert fold(*orders, ruleset="bestwestern", options={"streak_bonus": True}).levels["NS"] == "8"
    malus = fold(
        *[finish("NESW")] * 4, ruleset="bestwestern", levels={"NS": "2", "EW": "9"}, options={"streak_malus": True}
    )
    assert malus.levels == {"NS": "T", "EW": "7"}


BOTH = {
    "000 art. 2": "zhongqing", "000 art. 5": "hr-cup", "000 art. 7": "huaer", "000 art. 10": "baoding",
    "000 art. 11": "yancheng", "000 art. 13": "timed-531", "001 part 1": "tongsu", "002": "invitational",
    "004 part 1": "lianyungang", "baseline": "national",
}  # fmt: skip


@pytest.mark.parametrize("source", BOTH)
def test_resisting(source: str) -> None:
    name = BOTH[source]
    single = fold(finish("NEWS"), deal(), ("resist", {"seats": ["S"]}), ruleset=name)
    assert not single.alerts and single.deal.turn == "N"
    for seats in (["E", "W"], ["E"], ["W"]):
        double = fold(finish("NSEW"), deal(), ("resist", {"seats": seats}), ruleset=name)
        assert not double.alerts and double.deal.turn == "N" and not double.deal.owed


def test_bestwestern_000_art_9_resists_a_double_only() -> None:
    double = fold(finish("NSEW"), deal(), ("resist", {"seats": ["E"]}), ruleset="bestwestern")
    assert not double.alerts
    for order in ("NESW", "NEWS"):
        single = fold(finish(order), deal(), ("resist", {"seats": [order[3]]}), ruleset="bestwestern")
        assert [alert.kind for alert in single.alerts] == ["resist_violated"] and single.deal.owed


RETURNS = {  # may an ace be returned: after 1-3, after 1-4, after a double
    "000 art. 7": ("huaer", True, True, False), "000 art. 10": ("baoding", True, True, True),
    "000 art. 11": ("yancheng", True, True, False), "000 art. 13": ("timed-531", False, False, False),
    "001 part 1": ("tongsu", False, False, False), "002": ("invitational", True, True, True),
    "004 part 1": ("lianyungang", False, False, False), "baseline": ("national", False, False, False),
    "000 art. 2 is silent": ("zhongqing", False, False, False), "000 art. 4 is silent": ("hefei", False, False, False),
    "000 art. 5 is silent": ("hr-cup", False, False, False), "000 art. 6 is silent": ("teahouse", False, False, False),
    "000 art. 9 is silent": ("bestwestern", False, False, False),
    "000 art. 12 is silent": ("points-league", False, False, False),
}  # fmt: skip


@pytest.mark.parametrize("source", RETURNS)
def test_returned_cards(source: str) -> None:
    name, single, partner, double = RETURNS[source]
    for order, payer, lawful in (("NESW", "W", single), ("NEWS", "S", partner)):
        match = fold(finish(order), deal(), tribute(payer, "N", "HR"), back("N", payer, "SA"), ruleset=name)
        assert (match.alerts == []) is lawful
    match = fold(
        finish("NSEW"), deal(), tribute("E", "N", "HR"), tribute("W", "S", "SB"), back("N", "E", "SA"), ruleset=name
    )
    assert (match.alerts == []) is double
    ten = fold(finish("NESW"), deal(), tribute("W", "N", "HR"), back("N", "W", "ST"), ruleset=name)
    assert not ten.alerts, "10 is lawful everywhere"


LEADS = {  # who leads after a single tribute, and after a double of unequal cards: last, of two the payer to first
    "000 art. 2": "zhongqing", "000 art. 5": "hr-cup", "000 art. 7": "huaer", "000 art. 10": "baoding",
    "000 art. 11": "yancheng", "000 art. 13": "timed-531", "001 part 1": "tongsu", "002": "invitational",
    "004 part 1": "lianyungang", "baseline": "national", "000 art. 4 is silent": "hefei",
    "000 art. 6 is silent": "teahouse", "000 art. 9 is silent": "bestwestern", "000 art. 12 is silent": "points-league",
}  # fmt: skip


@pytest.mark.parametrize("source", LEADS)
def test_who_leads_after_tribute(source: str) -> None:
    name = LEADS[source]
    last = fold(finish("NEWS"), deal(), tribute("S", "N", "HR"), back("N", "S", "S3"), ruleset=name)
    assert last.deal.turn == "S", "last leads after a single tribute"
    higher = fold(
        finish("NSEW"), deal(), tribute("E", "N", "HR"), tribute("W", "S", "SB"), back("N", "E", "S3"),
        back("S", "W", "S4"), ruleset=name,
    )  # fmt: skip
    assert higher.deal.turn == "E", "the one whose card went to first"


def equal_tribute(name: str, to_first: str = "W", low: str = "W") -> str | None:
    """Who leads after equal tributes; the lower return goes to *low*."""
    to_second = "E" if to_first == "W" else "W"
    cards = {low: "S3", ("E" if low == "W" else "W"): "S4"}
    match = fold(
        finish("NSEW"), deal(), tribute(to_first, "N", "SA"), tribute(to_second, "S", "CA"),
        back("N", to_first, cards[to_first]), back("S", to_second, cards[to_second]), ruleset=name,
    )  # fmt: skip
    assert not match.alerts, match.alerts
    return match.deal.turn


def test_equal_tributes_under_each_rule() -> None:
    # national (texts A and B): clockwise, each payer to the winner next clockwise; the payer to first leads
    assert equal_tribute("national") == "W"
    # 000 art. 13: freely chosen, the one whose card went to first leads
    assert equal_tribute("timed-531", to_first="E") == "E"
    # 001 part 1: who took the lower return leads; all equal, the player after first
    assert equal_tribute("tongsu", to_first="E", low="W") == "W"
    assert equal_tribute("tongsu", to_first="W", low="E") == "E"
    same = fold(
        finish("NSEW"), deal(), tribute("E", "N", "SA"), tribute("W", "S", "CA"), back("N", "E", "S3"),
        back("S", "W", "C3"), ruleset="tongsu",
    )  # fmt: skip
    assert same.deal.turn == "W"
    # 000 art. 2, 5, 7, 10, 11 (last leads†) and 002: of two, the one whose card went to first
    for name in ("zhongqing", "hr-cup", "huaer", "baoding", "yancheng", "invitational"):
        assert equal_tribute(name, to_first="W") == "W", name
    # 004 part 1: the player after first
    assert equal_tribute("lianyungang", to_first="E") == "W"


def test_in_a_double_tribute_the_higher_card_goes_to_first() -> None:
    match = fold(finish("NSEW"), deal(), tribute("E", "S", "HR"), tribute("W", "N", "SB"))
    assert [(alert.kind, alert.certain) for alert in match.alerts] == [("tribute_violated", True)]


def test_face_down_until_both_are_returned() -> None:
    assert load("lianyungang").returns_shown_together == "double"
    assert load("national").returns_shown_together == "equal"


def test_lianyungang_004_part_1_the_higher_reading_counts_whatever_its_place() -> None:
    for cards in ("H2 S4 C5 D6 S7", "S4 C5 D6 S7 H2"):
        match = fold(deal("N"), play("N", cards), ruleset="lianyungang")
        assert match.deal.standing.reading.rank == "8"


# --- order of play ---


def test_dealing_duties() -> None:
    from engine.cards import Card
    from engine.dealing import draws_first, duties, may_draw_first

    for name in ("zhongqing", "hr-cup", "teahouse"):  # 000 art. 2, 5, 6
        assert duties(load(name), None) == {"shuffles": "N", "cuts": "W", "draws_first": None}
        assert duties(load(name), "NEWS") == {"shuffles": "N", "cuts": "N", "draws_first": "S"}
    timed = load("timed-531")  # 000 art. 13
    assert duties(timed, "NEWS") == {"shuffles": "S", "cuts": "N", "draws_first": "S"}
    assert may_draw_first(timed, "NSEW") == ("W", "E"), "after a double either loser"
    assert may_draw_first(load("national"), "NSEW") == ("W",), "after a double the player after first"
    assert draws_first(timed, "N", Card.parse("SK")) == "N", "13 mod 4 is 1: whoever turned it"
    assert draws_first(timed, "N", Card.parse("S8")) == "E", "0 is the fourth"
    assert draws_first(timed, "N", Card.parse("HR")) == "W", "the red joker counts 6"
    assert draws_first(timed, "N", Card.parse("SB")) == "S", "the black joker counts 3"
    assert draws_first(load("national"), "N", Card.parse("SB")) is None, "a joker: again"
    assert draws_first(load("national"), "N", Card.parse("S2")) == "W", "anticlockwise"
    assert load("lianyungang").least_shuffles == 3 and load("lianyungang").later_shuffle == "first"  # 004 part 1
    assert load("hefei").first_lead == "highest_draw"  # 000 art. 4


def test_turns_go_anticlockwise() -> None:
    match = fold(deal("N"), play("N", "S3"), *passes("W", "S", "E"), ruleset="tongsu")
    assert not match.alerts and match.deal.turn == "N"


@pytest.mark.parametrize("name", ["zhongqing", "hr-cup", "teahouse", "huaer", "bestwestern", "baoding", "lianyungang"])
def test_no_change_of_players(name: str) -> None:
    match = fold(("substitute", {"seat": "N", "name": "x"}), ruleset=name)
    assert [alert.kind for alert in match.alerts] == ["conduct"]
    if name in ("zhongqing", "lianyungang"):
        then(match, rule(last_alert(match), by="chief"))
        assert match.result and (match.result.winner, match.result.why) == ("EW", "match_lost")


# --- conduct and penalties ---


def test_tongsu_001_part_1_out_of_turn_gives_the_opponents_a_level() -> None:
    match = fold(deal("N"), play("N", "S3"), play("S", "S4"), ruleset="tongsu")
    assert match.levels == {"NS": "2", "EW": "2"} and match.deal.turn == "W"
    then(match, rule("4.1"))
    assert match.levels == {"NS": "2", "EW": "3"}
    assert [penalty.to_dict() for penalty in match.penalties] == [
        {"alert": "4.1", "seat": "S", "side": "NS", "effect": "foul", "levels": 0},
        {"alert": "4.1", "seat": "S", "side": "EW", "effect": "opponents_gain", "levels": 1},
    ]
    then(match, ("cancel", {"ruling": 5}))
    assert match.levels == {"NS": "2", "EW": "2"} and not match.penalties and match.alerts[0].state == "open"


def test_tongsu_001_part_1_two_gestures_of_a_side_are_a_foul() -> None:
    match = fold(deal("N"), offence("N", "gesture"), rule("3.1"), offence("S", "gesture"), ruleset="tongsu")
    assert match.levels["EW"] == "2"
    then(match, rule(last_alert(match)))
    assert match.levels["EW"] == "3"
    then(match, offence("E", "gesture"))
    then(match, rule(last_alert(match)))
    assert match.levels["NS"] == "2"


def test_lianyungang_004_part_1_out_of_turn_misses_one_round() -> None:
    match = fold(deal("N"), play("N", "S3"), play("S", "S4"), rule("4.1"), ("take_back", {"seat": "S"}),
                 play("W", "S5"), ruleset="lianyungang")  # fmt: skip
    assert match.deal.turn == "E", "south is passed over"
    then(match, *passes("E", "N"), play("W", "S6"))
    assert match.deal.turn == "S", "once"


@pytest.mark.parametrize("cards", ["S3", "S6 S7"])
def test_lianyungang_004_part_1_a_wrong_play_stays_and_misses_one_round(cards: str) -> None:
    match = fold(deal("N"), play("N", "S4"), play("W", cards), ruleset="lianyungang")
    then(match, rule("4.1"))
    assert match.deal.played["W"] and match.deal.turn == "S" and match.deal.standing.seat == "N"
    then(match, play("S", "S8"), *passes("E", "N"))
    assert match.deal.turn == "S", "west is passed over: south leads"


@pytest.mark.parametrize("name", ["timed-531", "tongsu"])
def test_000_art_13_and_001_part_1_a_wrong_play_stays(name: str) -> None:
    match = fold(deal("N"), play("N", "S4"), play("W", "S3"), rule("4.1"), ruleset=name)
    assert match.alerts[0].penalty == ["cards_stay"] and match.deal.turn == "S"


def test_lianyungang_004_part_1_an_exposed_card_misses_one_round() -> None:
    match = fold(deal("N"), play("N", "S4"), ("expose", {"seat": "S", "cards": ["S9"]}), rule("4.1"), *passes("W"),
                 ruleset="lianyungang")  # fmt: skip
    assert match.deal.turn == "E"


THRESHOLDS = {"national": 10, "tongsu": 7, "timed-531": 7, "lianyungang": 6, "yancheng": 8}
TWENTY = "S2 S3 S4 S5 S6 S7 S8 S9 ST SJ SQ SK SA D2 D3 D4 D5 D6 D7 D8 D9 DT DJ DQ DK DA"


@pytest.mark.parametrize("name", sorted(IDS))
def test_report_threshold(name: str) -> None:
    threshold = THRESHOLDS.get(name, 0)
    for left in range(1, 13):
        cards = " ".join(TWENTY.split()[: 27 - left])
        match = fold(deal("N"), play("N", cards), *passes("W"), ruleset=name)
        missed = [alert for alert in match.alerts if alert.kind == "report_missed"]
        assert len(missed) == (left <= threshold), (name, left)
        told = fold(deal("N"), play("N", cards), ("report", {"seat": "N", "count": left}), *passes("W"), ruleset=name)
        assert not [alert for alert in told.alerts if alert.kind in ("report_missed", "count_mismatch")]


def missed_report(name: str, **more: Any) -> Any:
    cards = " ".join(TWENTY.split()[:21])
    return fold(deal("N"), play("N", cards), rule("3.1", "waive"), *passes("W"), ruleset=name, **more)


def test_lianyungang_004_part_1_a_missed_report_costs_a_level_two_rounds_later() -> None:
    early = then(missed_report("lianyungang"), rule("5.1"))
    assert early.alerts[-1].penalty == ["take_back"] and early.levels["NS"] == "2"
    late = missed_report("lianyungang", levels={"NS": "5", "EW": "5"})
    then(late, *passes("S", "E"), play("N", "C3"), *passes("W", "S", "E"), play("N", "C4"), rule("5.1"))
    assert late.alerts[1].penalty == ["own_drop"] and late.levels["NS"] == "4"


def test_yancheng_000_art_11_three_unreported_times_lose_the_match() -> None:
    match = fold(*[offence(seat, "report_missed") for seat in "NSN"], ruleset="yancheng")
    then(match, rule("2.1"), rule("3.1"))
    assert match.result is None
    then(match, rule("4.1"))
    assert match.result and (match.result.winner, match.result.why) == ("EW", "match_lost")


def test_national_a_missed_report_first_and_second() -> None:
    match = then(missed_report("national"), rule("5.1"))
    assert match.alerts[-1].penalty == ["take_back", "warning"]
    then(match, offence("N", "report_missed"))
    then(match, rule(last_alert(match)))
    assert match.alerts[-1].penalty == ["foul", "lose_trick"]


def test_lianyungang_004_part_1_two_time_breaches_drop_a_level() -> None:
    match = fold(offence("N", "turn_time"), offence("S", "tribute_overdue"), rule("2.1"), ruleset="lianyungang",
                 levels={"NS": "5", "EW": "5"})  # fmt: skip
    assert match.levels["NS"] == "5"
    then(match, rule("3.1"))
    assert match.levels == {"NS": "4", "EW": "5"}


def test_lianyungang_004_part_1_cards_not_held_and_three_fouls() -> None:
    match = fold(offence("N", "cards_not_held"), offence("N", "exposed_card"), offence("S", "exposed_card"),
                 rule("2.1"), rule("3.1"), rule("4.1"), ruleset="lianyungang")  # fmt: skip
    assert match.alerts[0].penalty == ["foul"] and match.result is None
    then(match, offence("N", "exposed_card"))
    then(match, rule(last_alert(match)))
    assert match.result and (match.result.winner, match.result.why) == ("EW", "disqualified")


@pytest.mark.parametrize(
    ("name", "source", "steps"),
    [
        ("baoding", "000 art. 10", ["warning", "disqualified"]), ("hr-cup", "000 art. 5", ["disqualified"]),
        ("teahouse", "000 art. 6", ["annulled"]), ("lianyungang", "004 part 1", ["disqualified"]),
        ("zhongqing", "000 art. 2", ["annulled"]), ("yancheng", "000 art. 11", ["annulled"]),
    ],
)  # fmt: skip
def test_signals(name: str, source: str, steps: list[str]) -> None:
    match = fold(*[offence("N", "signals")] * len(steps), ruleset=name)
    for at, step in enumerate(steps):
        assert match.result is None
        then(match, rule(f"{at + 2}.1", by="chief"))
        assert match.alerts[at].penalty == [step]
    assert match.result and match.result.winner == "EW"


def test_what_decides_a_match_is_for_the_chief_referee() -> None:
    from engine.errors import Impossible

    match = fold(offence("N", "signals"), ruleset="lianyungang")
    for more in ({}, {"verdict": "other", "penalty": "disqualified"}):
        with pytest.raises(Impossible, match="chief"):
            then(match, ("ruling", {"alert": "2.1", "verdict": "uphold", "by": "table", **more}))
    yancheng = fold(*[offence("N", "report_missed")] * 3, rule("2.1", by="table"), rule("3.1", by="table"),
                    ruleset="yancheng")  # fmt: skip
    with pytest.raises(Impossible, match="chief"):
        then(yancheng, rule("4.1", by="table"))  # the first two decide nothing, the third does
    assert then(yancheng, rule("4.1", by="chief")).result.why == "match_lost"


def test_lianyungang_004_part_1_a_total_waits_for_the_chief() -> None:
    match = fold(*[offence("N", "exposed_card")] * 3, *[rule(f"{line}.1", by="table") for line in (2, 3, 4)],
                 ruleset="lianyungang")  # fmt: skip
    assert match.result is None and match.alerts[-1].of == "total.fouls"
    then(match, rule(last_alert(match), "waive", by="chief"))
    assert match.result is None and match.alerts[-1].state == "waived"
    then(match, ("cancel", {"ruling": 8}), rule(last_alert(match), by="chief"))
    assert match.result and (match.result.winner, match.result.why) == ("EW", "disqualified")


def test_001_part_3_reminders_at_half_time_and_five_minutes_before_the_end() -> None:
    office = {"match_seconds": 3600, "reminders": ["half", 300], "equal_at_limit": "extra_deal", "knockout": True}
    match = fold(finish("NESW", t=1700.0), ("deck", {"t": 1800.0}), ("deck", {"t": 1900.0}), ("deck", {"t": 3310.0}),
                 options=office)  # fmt: skip
    assert [(alert.id, alert.kind, alert.route, alert.note.in_language("zh")) for alert in match.alerts] == [
        ("3.1", "match_limit", "count", "比赛时间过半，还剩 30 分钟"),
        ("5.1", "match_limit", "count", "比赛还剩 290 秒"),
    ]
    then(match, ("extra", {"seconds": 600, "t": 3320.0}), ("deck", {"t": 3900.0}))
    assert [alert.id for alert in match.alerts[2:]] == ["7.1"], "after extra time there is a second five minutes' mark"
    assert match.result is None and then(match, ("deck", {"t": 4200.0})).result is not None


def test_zhongqing_000_art_2_the_chief_may_disqualify_for_time() -> None:
    match = fold(deal("N", t=0.0), play("N", "S3", t=5.0), play("W", "S4", t=36.0), ruleset="zhongqing")
    assert [(alert.kind, alert.route) for alert in match.alerts] == [("turn_time", "referee")]
    then(match, rule("4.1", penalty="disqualified", by="chief"))
    assert match.result and match.result.winner == "NS"


def test_looking_at_earlier_tricks_is_known_where_it_is_forbidden() -> None:
    for name in ("tongsu", "lianyungang"):
        assert "looked_back" in load(name).offence


# --- daggers: a reading that was chosen stands as a comment in the file that chose it ---

DAGGERS = {
    "base": ["clockwise", "leads", "finished"],
    "national": ["clockwise", "40 s", "does not count", "draw"],
    "zhongqing": ["红心除外", "leads"],
    "hefei": ["higher level"],
    "hr-cup": ["extra deal"],
    "teahouse": ["extra deal"],
    "bestwestern": ["streak_bonus", "streak_malus", "never resisted", "single game"],
    "baoding": ["no last"],
    "yancheng": ["garbled"],
    "timed-531": ["in principle", "30 s", "2不必打"],
    "tongsu": ["10以下", "equal cards that are not jokers", "choose from the returned", "lower leads"],
    "invitational": ["prizes"],
    "lianyungang": ["player after first", "5 s after", "within 20 s", "2不必打", "miss a round"],
}


@pytest.mark.parametrize("name", DAGGERS)
def test_daggers(name: str) -> None:
    from engine.rulesets import DIRECTORY

    text = (DIRECTORY / f"{name}.toml").read_text("utf-8")
    # A comment may run over several lines: the dagger belongs to all of them.
    blocks = [block for block in text.replace("\n#", " ").splitlines() if "†" in block]
    for words in DAGGERS[name]:
        assert any(words in block for block in blocks), words
