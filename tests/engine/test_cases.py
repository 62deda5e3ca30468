"""The 61 tricky cases that official texts, rules or playing programs settle, each under its number."""

from __future__ import annotations

from typing import Any

import pytest

from engine.cards import parse_cards
from engine.errors import Impossible
from engine.events import Event
from engine.levels import Race
from engine.match import Match
from engine.plays import legal_plays
from engine.readings import beats, default_reading, readings
from engine.rulesets import load


def read(cards: str, level: str = "2") -> list[tuple[str, str | None]]:
    return [(reading.type, reading.rank) for reading in readings(parse_cards(cards), level)]


def wins(a: str, b: str, level: str = "2") -> bool:
    """Whether some reading of *a* beats the default of *b*."""
    found = readings(parse_cards(b), level)
    over = found[default_reading(found) or 0]
    return any(beats(reading, over) for reading in readings(parse_cards(a), level))


def fold(*lines: tuple[str, dict[str, Any]], ruleset: str = "national", **match: Any) -> Match:
    folded = Match()
    for seq, (do, data) in enumerate([("match", {"ruleset": ruleset, **match}), *lines], 1):
        folded.apply(Event(seq, do, data))
    return folded


def play(seat: str, cards: str, **more: Any) -> tuple[str, dict[str, Any]]:
    return "play", {"seat": seat, "cards": cards.split(), **more}


def passes(*seats: str) -> list[tuple[str, dict[str, Any]]]:
    return [("pass", {"seat": seat}) for seat in seats]


def finish(*order: str) -> tuple[str, dict[str, Any]]:
    return "finish", {"order": list(order)}


DEAL = ("deal", {"leader": "N"})
ALL_OUT = " ".join(f"{suit}{rank}" for suit in "SD" for rank in "23456789TJQKA")
"""26 cards: with one more a whole hand."""


def out(seat: str) -> list[tuple[str, dict[str, Any]]]:
    """Plays that leave *seat* with one card: the rules of play do not matter to the count."""
    return [("play", {"seat": seat, "cards": ALL_OUT.split()})]


# --- sequences ---


@pytest.mark.parametrize(
    ("case", "cards", "level", "expected"),
    [
        (1, "SA C2 D3 S4 S5", "9", [("straight", "5")]),
        (2, "S2 C3 D4 S5 S6", "2", [("straight", "6")]),
        (3, "S3 C4 D5 S6 S7", "5", [("straight", "7")]),
        (4, "SK CA D2 S3 S4", "9", []),
        (4, "SJ CQ DK SA S2", "9", []),
        (5, "SA C2 D3 S4 S5", "A", [("straight", "5")]),
        (5, "ST CJ DQ SK SA", "A", [("straight", "A")]),
        (5, "ST CJ DQ SK HA", "A", [("straight", "A"), ("straight", "K")]),
        (6, "SA CA D2 S2 S3 C3", "9", [("tube", "3")]),
        (6, "SQ CQ DK SK SA CA", "9", [("tube", "A")]),
        (6, "SK CK DA SA S2 C2", "9", []),
        (7, "SA CA DA S2 C2 D2", "9", [("plate", "2")]),
        (7, "SK CK DK SA CA DA", "9", [("plate", "A")]),
        (9, "S3 C4 D5 S6 S7 C8", "9", []),
        (9, "S3 C3 D4 S4 S5 C5 S6 C6", "9", []),
        (9, "S3 C3 D4 S4", "9", []),
        (9, "S3 C3 D3 S4 C4 D4 S5 C5 D5", "9", []),
        (10, "SJ CQ DK SA SB", "9", []),
        (10, "SK CK SA CA SB SB", "9", []),
        (12, "H9 SB", "9", []),
        (13, "SB SB HR H9", "9", []),
        (14, "H9", "9", [("single", "9")]),
        (15, "H9 H9", "9", [("pair", "9")]),
        (16, "S4 S5 S6 S7 H9", "9", [(kind, top) for kind in ("straight_flush", "straight") for top in "87"]),
        (17, "S4 S5 S6 D7 H9", "9", [("straight", "8"), ("straight", "7")]),
        (18, "H6 H7 H8 H9 HT", "9", [("straight_flush", "T"), ("straight", "T")]),
        (19, "S4 S5 S6 S7 S8", "9", [("straight_flush", "8")]),
        (20, "SK CK S6 C6 H9", "9", [("full_house", "K"), ("full_house", "6")]),
        (21, "S7 C7 S8 C8 H9 H9", "9", [("tube", "9"), ("plate", "8"), ("tube", "8")]),
        (22, "S8 C8 D8 H9 H9", "9", [("bomb", "8"), ("full_house", "8")]),
        (23, "S8 C8 D8 H8 H9", "9", [("bomb", "8")]),
        (24, "S9 C9 D9 H9 H9", "9", [("bomb", "9"), ("full_house", "9")]),
        (25, "S8 S8 C8 C8 D8 D8 H8 H8 H9 H9", "9", [("bomb", "8")]),
        (25, "S9 S9 C9 C9 D9 D9 H9 H9", "9", [("bomb", "9")]),
        (25, "S9 S9 C9 C9 D9 D9 H9 H9 S8", "9", []),
        (26, "S8 C8 D8 SB SB", "9", [("full_house", "8")]),
        (26, "S8 C8 D8 HR HR", "9", [("full_house", "8")]),
        (26, "S8 C8 D8 SB HR", "9", []),
        (27, "S8 C8 H9 SB SB", "9", [("full_house", "8")]),
        (28, "SB HR", "9", []),
        (28, "SB SB HR", "9", []),
        (29, "SB SB HR HR", "9", [("joker_bomb", None)]),
        (35, "S8 C8 D8 S3", "9", []),
        (35, "S8 C8 D8 H8 S3 C3", "9", []),
    ],
)  # fmt: skip
def test_readings_of_case(case: int, cards: str, level: str, expected: list[tuple[str, str | None]]) -> None:
    assert read(cards, level) == expected


@pytest.mark.parametrize(
    ("case", "a", "b", "level", "expected"),
    [
        (1, "S2 C3 D4 S5 S6", "SA C2 D3 S4 S5", "9", True),
        (8, "S5 C5 D5 S6 C6 D6", "SK CK DK SA CA DA", "5", False),
        (11, "S9 CT DJ SQ SK", "ST CJ DQ SK SA", "9", False),
        (14, "H9", "S9", "9", False),
        (14, "H9", "SA", "9", True),
        (15, "H9 H9", "SA CA", "9", True),
        (29, "SB SB HR HR", "S8 S8 C8 C8 D8 D8 H8 H8 H9 H9", "9", True),
        (30, "S3 C3 D3 S4 C4", "S2 C2 D2 SA CA", "9", True),
        (30, "S9 C9 D9 S4 C4", "SA CA DA SK CK", "9", True),
        (31, "SA S2 S3 S4 S5", "SK SK CK DK HK", "9", True),
        (31, "S2 S2 C2 D2 H2 C2", "ST SJ SQ SK SA", "9", True),
        (32, "S4 S5 S6 S7 S8", "C4 C5 C6 C7 C8", "9", False),
        (32, "S4 S4 C4 D4", "C4 D4 H4 H4", "9", False),
        (32, "S4", "D4", "9", False),
        (33, "S9 S9 C9 D9", "SA SA CA DA", "9", True),
        (34, "SB", "S9", "9", True),
        (34, "HR", "SB", "9", True),
        (34, "S3 S3 C3 D3", "HR", "9", True),
    ],
)  # fmt: skip
def test_beating_of_case(case: int, a: str, b: str, level: str, expected: bool) -> None:
    assert wins(a, b, level) is expected


def test_case_16_a_ruleset_may_refuse_the_plain_straight() -> None:
    strict = load("national", options={"plain_straight_of_suited_wild_run": False})
    found = readings(parse_cards("S4 S5 S6 S7 H9"), "9", strict)
    assert {reading.type for reading in found} == {"straight_flush"}


def test_case_20_the_larger_unless_declared() -> None:
    cards = "SK CK S6 C6 H2"
    assert fold(DEAL, play("N", cards)).deal.standing.reading.rank == "K"
    declared = fold(DEAL, play("N", cards, **{"as": {"type": "full_house", "size": 5, "rank": "6"}}))
    assert declared.deal.standing.reading.rank == "6"


def test_case_21_a_declaration_is_kept() -> None:
    folded = fold(DEAL, play("N", "S7 C7 S8 C8 H2 H2", **{"as": {"type": "plate", "size": 6, "rank": "8"}}))
    assert folded.deal.standing.reading.type == "plate"


def test_case_24_a_ruleset_may_refuse_the_full_house() -> None:
    strict = load("national", options={"full_house_of_five_level_cards": False})
    assert [r.type for r in readings(parse_cards("S9 C9 D9 H9 H9"), "9", strict)] == ["bomb"]


# --- order of play ---


def test_case_36_the_leader_may_not_pass() -> None:
    folded = fold(DEAL, *passes("N"))
    assert [alert.kind for alert in folded.alerts] == ["conduct"] and folded.deal.turn == "N"


def test_case_37_who_passed_may_play_later_in_the_trick() -> None:
    folded = fold(DEAL, play("N", "S3"), *passes("W"), play("S", "S4"), *passes("E", "N"), play("W", "S5"))
    assert not folded.alerts and folded.deal.standing.seat == "W"


def test_case_38_beating_the_partner_is_lawful() -> None:
    folded = fold(DEAL, play("N", "S3"), *passes("W"), play("S", "S4"))
    assert not folded.alerts and folded.deal.holder == "S"


def last_card_of_north() -> list[tuple[str, dict[str, Any]]]:
    """North, after 26 cards that a referee let stand, plays its last."""
    return [DEAL, *out("N"), ("ruling", {"alert": "3.1", "verdict": "waive"}), *passes("W", "S", "E"), play("N", "C9")]


def test_case_39_the_lead_passes_to_the_partner() -> None:
    folded = fold(*last_card_of_north(), *passes("W", "S", "E"))
    assert folded.deal.finished == ["N"] and folded.deal.turn == "S" and folded.deal.standing is None
    beaten = fold(*last_card_of_north(), play("W", "CT"), *passes("S", "E"))
    assert beaten.deal.turn == "W" and beaten.deal.standing is None


def test_case_40_the_same_for_the_second_out() -> None:
    second = [*last_card_of_north(), ("play", {"seat": "W", "cards": ALL_OUT.replace("S2", "C2").split()})]
    folded = fold(*second, ("ruling", {"alert": "9.1", "verdict": "waive"}), *passes("S", "E"), play("W", "C3"),
                  *passes("S", "E"))  # fmt: skip
    assert folded.deal.finished == ["N", "W"] and folded.deal.turn == "E"


def test_case_41_a_double_down_ends_the_deal_at_once() -> None:
    folded = fold(
        *last_card_of_north(), *passes("W"), ("play", {"seat": "S", "cards": ALL_OUT.split()}),
        ("ruling", {"alert": "10.1", "verdict": "waive"}), *passes("E", "W"), play("S", "CT"),
    )  # fmt: skip
    assert folded.deals[0].deal.order == ("N", "S", "W", "E") and folded.levels == {"NS": "5", "EW": "2"}


def test_case_42_the_third_out_ends_the_deal() -> None:
    folded = fold(
        *last_card_of_north(), ("play", {"seat": "W", "cards": ALL_OUT.split()}),
        ("ruling", {"alert": "9.1", "verdict": "waive"}), *passes("S", "E"), play("W", "CT"),
        ("play", {"seat": "S", "cards": ALL_OUT.replace("S", "C").split()}),
        ("ruling", {"alert": "14.1", "verdict": "waive"}), *passes("E"), play("S", "CJ"),
    )  # fmt: skip
    assert folded.deals[0].deal.order == ("N", "W", "S", "E") and folded.levels == {"NS": "4", "EW": "2"}


def test_case_43_finished_seats_are_skipped() -> None:
    folded = fold(*last_card_of_north(), play("W", "CT"), play("S", "CJ"), play("E", "CQ"))
    assert folded.deal.turn == "W" and not any(entry.seat == "N" for entry in folded.deal.trick if entry.kind == "pass")


# --- tribute ---


def audited(paid: str, held: str, level: str) -> str | None:
    """The audit's verdict on a tribute of *paid* by last, who held *held* and more."""
    start = {"A": "J", "9": "6", "T": "7"}[level]  # 1-2 gains three levels
    folded = Match()
    lines: list[tuple[str, dict[str, Any]]] = [
        ("match", {"ruleset": "national", "levels": {"NS": start, "EW": "2"}}),
        finish("N", "S", "W", "E"), ("deal", {}),
        ("tribute", {"from": "W", "to": "N", "card": paid}), ("tribute", {"from": "E", "to": "S", "card": "S2"}),
        ("return", {"from": "N", "to": "W", "card": "S3"}), ("return", {"from": "S", "to": "E", "card": "S3"}),
        ("play", {"seat": "W", "cards": [held.split()[0]]}),
    ]  # fmt: skip
    for seq, (do, data) in enumerate(lines, 1):
        folded.apply(Event(seq, do, data))
    assert folded.deal.level == level
    for card in held.split()[1:]:
        folded.apply(Event(folded.events[-1].seq + 1, "expose", {"seat": "W", "cards": [card]}))
    folded.apply(Event(99, "finish", {"order": ["N", "E", "S", "W"]}))
    return next(verdict.verdict for verdict in folded.deals[-1].verdicts if verdict.seat == "W")


@pytest.mark.parametrize(
    ("case", "paid", "held", "level", "violated"),
    [
        (44, "S9", "H9 SA", "9", False), (44, "SA", "H9 S9", "9", True),
        (45, "SK", "H9 H9", "9", False), (46, "HR", "SB S9", "9", False), (46, "SB", "HR S9", "9", True),
        (47, "SQ", "H9 H9 SJ", "9", False), (48, "SA", "CA", "9", False), (51, "ST", "SA", "T", False),
        (51, "SA", "ST", "T", True),
    ],
)  # fmt: skip
def test_the_highest_card_of_case(case: int, paid: str, held: str, level: str, violated: bool) -> None:
    assert (audited(paid, held, level) == "violated") is violated


def test_case_49_the_return_is_ten_or_lower_and_no_level_card() -> None:
    for level, card, over in (
        ("9", "S9", True),
        ("9", "ST", False),
        ("9", "SJ", True),
        ("T", "ST", True),
        ("T", "S9", False),
    ):
        start = {"9": "7", "T": "8"}[level]
        folded = fold(
            finish("N", "E", "S", "W"), ("deal", {}), ("tribute", {"from": "W", "to": "N", "card": "HR"}),
            ("return", {"from": "N", "to": "W", "card": card}), levels={"NS": start, "EW": "2"},
        )  # fmt: skip
        assert folded.deal.level == level
        assert [(alert.kind, alert.certain) for alert in folded.alerts] == (
            [("return_violated", False)] if over else []
        )


def test_case_50_with_nothing_low_the_lowest_is_lawful() -> None:
    def returned(shown: str, **options: Any) -> str | None:
        folded = fold(
            finish("N", "E", "S", "W"), ("deal", {}), ("tribute", {"from": "W", "to": "N", "card": "HR"}),
            ("return", {"from": "N", "to": "W", "card": "SJ"}),
            ("expose", {"seat": "N", "cards": shown.split()}), finish("N", "E", "S", "W"), options=options,
        )  # fmt: skip
        return next(verdict.verdict for verdict in folded.deals[-1].verdicts if verdict.what == "return")

    assert returned("SQ SK") == "cannot be proved"
    assert returned("SQ S8") == "violated"
    assert returned("SQ H9", return_nothing_low="any") == "violated", "9 is low"
    assert returned("ST SQ") == "violated" and returned("SQ SK", return_nothing_low="any") == "cannot be proved"


def test_case_52_after_1_4_last_pays_its_own_partner() -> None:
    folded = fold(finish("N", "E", "W", "S"), ("deal", {}))
    assert folded.deal.owed == [{"from": "S", "to": "N"}]


def test_case_53_equal_double_tribute_goes_clockwise() -> None:
    lines = [finish("N", "S", "W", "E"), ("deal", {})]
    right = fold(
        *lines, ("tribute", {"from": "E", "to": "S", "card": "SA"}), ("tribute", {"from": "W", "to": "N", "card": "CA"})
    )
    assert not right.alerts
    wrong = fold(
        *lines, ("tribute", {"from": "E", "to": "N", "card": "SA"}), ("tribute", {"from": "W", "to": "S", "card": "CA"})
    )
    assert [alert.kind for alert in wrong.alerts] == ["tribute_violated"]


def test_case_54_one_red_joker_does_not_resist_single_tribute() -> None:
    lines = [finish("N", "E", "S", "W"), ("deal", {}), ("resist", {"seats": ["W"]})]
    folded = fold(*lines, play("N", "HR"), finish("N", "E", "S", "W"))
    assert folded.deals[-1].audit == "violated" and [a.kind for a in folded.alerts] == ["resist_violated"]
    with pytest.raises(Impossible):
        fold(*lines[:2], ("resist", {"seats": ["S"]}))


def test_case_55_first_leads_when_resisted() -> None:
    folded = fold(finish("N", "S", "E", "W"), ("deal", {}), ("resist", {"seats": ["E", "W"]}))
    assert folded.deal.phase == "play" and folded.deal.turn == "N"


def test_case_56_two_red_jokers_are_enough() -> None:
    folded = fold(finish("N", "E", "S", "W"), ("deal", {}), ("resist", {"seats": ["W"]}), play("N", "SB"),
                  finish("N", "E", "S", "W"))  # fmt: skip
    assert not folded.alerts


def test_case_57_the_first_deal_has_no_tribute() -> None:
    assert fold(DEAL).deal.owed == []
    with pytest.raises(Impossible):
        fold(DEAL, ("tribute", {"from": "W", "to": "N", "card": "HR"}))


# --- levels ---


def race(level: str = "2", other: str = "2") -> Race:
    return Race(load("national"), {"NS": level, "EW": other})


def test_case_58_gains_are_3_2_1_and_losers_never_move() -> None:
    for order, level in (("NSEW", "5"), ("NESW", "4"), ("NEWS", "3")):
        side = race()
        side.finish(order, None)
        assert side.levels == {"NS": level, "EW": "2"}


def test_case_59_q_and_three_stops_at_a() -> None:
    side = race("Q")
    assert side.finish("NSEW", "NS").won is None and side.levels["NS"] == "A"


def test_case_60_at_a_with_the_partner_last_is_no_win() -> None:
    side = race("A")
    assert side.finish("NEWS", "NS").won is None and side.levels["NS"] == "A" and side.attempts["NS"] == 1


def test_case_61_a_deal_at_the_opponents_level_is_no_try() -> None:
    side = race("A", "9")
    side.finish("NSEW", "EW")
    assert side.attempts["NS"] == 0 and side.winner is None


def test_legal_plays_hold_the_cases_too() -> None:
    kinds = {
        (p.reading.type, p.reading.rank)
        for p in legal_plays(parse_cards("SA CA D2 S2 S3 C3 SB SB S8 C8 D8"), None, "9")
    }
    assert {("tube", "3"), ("full_house", "8"), ("pair", "SB")} <= kinds
