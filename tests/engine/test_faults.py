"""None of the 45 faults of public engines under their numbers: each time the right answer."""

from __future__ import annotations

from typing import Any

import pytest

from engine.cards import Card, parse_cards
from engine.deal import Deal
from engine.plays import legal_plays
from engine.readings import LARGEST, beats, default_reading, readings
from engine.rulesets import load
from tests.engine.folding import back, deal, finish, fold, passes, play, rule, then, tribute


def read(cards: str, level: str = "9") -> set[tuple[str, str | None]]:
    return {(reading.type, reading.rank) for reading in readings(parse_cards(cards), level)}


def plays(hand: str, level: str = "9", over: str | None = None) -> set[tuple[str, int, str | None]]:
    found = readings(parse_cards(over), level) if over else []
    standing = found[default_reading(found) or 0] if found else None
    return {tuple(found.reading[:3]) for found in legal_plays(parse_cards(hand), standing, level)}


def wins(a: str, b: str, level: str = "9") -> bool:
    over = readings(parse_cards(b), level)[0]
    return any(beats(reading, over) for reading in readings(parse_cards(a), level))


@pytest.mark.parametrize(
    ("fault", "cards", "level", "meaning", "is_one"),
    [
        (1, "S8 C8 D8 H9 SB", "9", ("full_house", "8"), False),
        (4, "S4 S5 S6 S7 H9", "9", ("straight_flush", "8"), True),
        (5, "ST CJ DQ SK H9", "9", ("straight", "A"), True),
        (6, "SK CK DK SA CA H9", "9", ("plate", "A"), True),
        (7, "S3 C3 D4 S4 S6 C6", "9", ("tube", "6"), False), (7, "S3 C3 D3 S5 C5 D5", "9", ("plate", "5"), False),
        (8, "S8 C8 H9 SB SB", "9", ("full_house", "8"), True),
        (12, "S7 C7 S8 C8 H9 H9", "9", ("plate", "8"), True), (13, "S8 C8 D8 SB SB", "9", ("full_house", "8"), True),
        (14, "SK CK S6 C6 H9", "9", ("full_house", "6"), True), (15, "S8 C8 D8 H9 H9", "9", ("full_house", "8"), True),
        (16, "S3 C4 D5 S6 S7", "5", ("straight", "7"), True), (17, "SA C2 D3 S4 S5", "2", ("straight", "5"), True),
        (21, "S8 S8 C8 C8 D8 D8 H8 H8 H9 H9", "9", ("bomb", "8"), True),
        (22, "S8 H9", "9", ("pair", "8"), True), (26, "SA CA S2 C2 S3 C3", "9", ("tube", "3"), True),
        (27, "SA CA DA S2 C2 D2", "9", ("plate", "2"), True), (28, "S8 C8 D8 HR HR", "9", ("full_house", "8"), True),
        (41, "S10 C10", "9", ("pair", "T"), True), (42, "S3 C3 S4 C4", "9", ("tube", "4"), False),
        (43, "S2 C3 D4 S5 S6", "9", ("straight", "6"), True),
        (43, "SK SA S2 S3 S4", "9", ("straight_flush", "4"), False),
        (44, "S3 C3 S4 C4 S5 C5 S6 C6", "9", ("tube", "6"), False),
    ],
)  # fmt: skip
def test_reading_of_fault(fault: int, cards: str, level: str, meaning: tuple[str, str | None], is_one: bool) -> None:
    assert (meaning in read(cards, level)) is is_one


@pytest.mark.parametrize(
    ("fault", "a", "b", "level", "expected"),
    [
        (3, "S9 C9 D9", "SA CA DA", "9", True), (3, "S9 C9 D9 S3 C3", "SA CA DA SK CK", "9", True),
        (11, "S3 C3 D3 S4 C4 D4", "S3 C3 S4 C4 S5 C5", "9", False),
        (18, "SA C2 D3 S4 S5", "S2 C3 D4 S5 S6", "9", False),
        (19, "S8 C8 D8 H8", "S7 C7 D7 H7", "9", True), (19, "S4 S5 S6 S7 S8", "S3 S4 S5 S6 S7", "9", True),
        (20, "S3 C3 D3 SA CA", "S4 C4 D4 S2 C2", "9", False),
        (23, "SB SB HR HR", "S4 S5 S6 S7 S8", "9", True), (23, "SB SB HR HR", "S8 S8 C8 C8 D8", "9", True),
        (24, "S4 S5 S6 S7 S8", "C4 C5 C6 C7 C8", "9", False),
        (25, "S9 C9 D9 ST CT DT", "SJ CJ DJ SQ CQ DQ", "9", False),
        (39, "S9", "SA", "9", True), (45, "S6 C6 D6 S2 C2", "SJ CJ DJ S3 C3", "9", False),
    ],
)  # fmt: skip
def test_beating_of_fault(fault: int, a: str, b: str, level: str, expected: bool) -> None:
    assert wins(a, b, level) is expected


def test_fault_2_smaller_bombs_inside_a_larger_group_are_found() -> None:
    sizes = {size for kind, size, rank in plays("S8 S8 C8 C8 D8 D8 H9") if kind == "bomb"}
    assert sizes == {4, 5, 6, 7}


def test_fault_9_jokers_and_level_cards_are_not_returned() -> None:
    for card in ("HR", "SB", "S4", "SJ"):
        match = fold(finish("NESW"), deal(), tribute("W", "N", "HR"), back("N", "W", card))
        assert [alert.kind for alert in match.alerts] == ["return_violated"], card
        assert ("level's rank" in match.alerts[0].note.in_language("en")) is (card == "S4"), card


def test_fault_10_the_tribute_is_the_highest() -> None:
    match = fold(finish("NESW"), deal(), tribute("W", "N", "SK"), back("N", "W", "S3"), play("W", "SA"), finish("NESW"))
    assert match.deals[1].audit == "violated"


def test_fault_11_a_wrong_plate_strands_no_turn() -> None:
    match = fold(deal("N"), play("N", "S3 C3 S4 C4 S5 C5"), play("W", "S6 C6 D6 S7 C7 D7"))
    assert [alert.kind for alert in match.alerts] == ["does_not_beat"] and match.deal.turn == "S"


def test_fault_29_bombs_go_to_ten() -> None:
    assert LARGEST == 10
    assert ("bomb", 10, "8") in plays("S8 S8 C8 C8 D8 D8 H8 H8 H9 H9")


def test_fault_30_the_level_card_is_not_returned() -> None:
    start = [finish("NESW"), deal(), tribute("W", "N", "HR")]
    assert fold(*start, back("N", "W", "S4")).alerts and not fold(*start, back("N", "W", "S3")).alerts


CARDS = "S2 S3 S4 S5 S6 S7 S8 S9 ST SJ SQ SK SA D2 D3 D4 D5 D6 D7 D8 D9 DT DJ DQ DK DA"


def nearly_out(seat: str, cards: str) -> list[tuple[str, dict[str, Any]]]:
    return [("play", {"seat": seat, "cards": cards.split()})]


def north_out() -> Any:
    match = fold(deal("N"), *nearly_out("N", CARDS), rule("3.1", "waive"), *passes("W", "S", "E"), play("N", "C9"))
    assert match.deal.finished == ["N"]
    return match


def test_fault_31_a_double_down_ends_the_deal_at_once() -> None:
    match = then(north_out(), *passes("W"), *nearly_out("S", CARDS))
    then(match, rule(match.alerts[-1].id, "waive"), *passes("E", "W"), play("S", "CT"))
    assert match.deals[0].deal.order[:2] == ("N", "S")


def test_fault_32_the_lead_passes_only_when_unbeaten() -> None:
    assert then(north_out(), *passes("W", "S", "E")).deal.turn == "S"
    assert then(north_out(), play("W", "CT"), *passes("S", "E")).deal.turn == "W"


def test_fault_33_the_second_finisher_of_the_other_side_does_not_end_the_deal() -> None:
    match = then(north_out(), *nearly_out("W", CARDS))
    then(match, rule(match.alerts[-1].id, "waive"), *passes("S", "E"), play("W", "CT"))
    assert match.deal.finished == ["N", "W"] and not match.deal.over


def test_fault_34_only_winners_move() -> None:
    assert fold(finish("NSEW"), levels={"NS": "5", "EW": "7"}).levels == {"NS": "8", "EW": "7"}


def test_fault_35_reaching_a_wins_nothing() -> None:
    match = fold(finish("NSEW"), levels={"NS": "J", "EW": "2"})
    assert match.levels["NS"] == "A" and match.result is None


def test_fault_36_bombs_gain_no_levels() -> None:
    match = fold(deal("N"), play("N", "S3 S3 C3 C3"), *passes("W", "S", "E"), finish("NESW"))
    assert match.levels["NS"] == "4"


def test_fault_37_who_passed_may_come_back() -> None:
    match = fold(deal("N"), play("N", "S3"), *passes("W"), play("S", "S4"), *passes("E", "N"), play("W", "S5"))
    assert not match.alerts


def test_fault_38_both_copies_of_a_card_count() -> None:
    assert read("S8 S8") == {("pair", "8")}
    match = fold(deal("N"), play("N", "S8 S8"))
    assert match.deal.played["N"] == [Card.parse("S8")] * 2


def test_fault_40_two_red_jokers_resist() -> None:
    match = fold(finish("NESW"), deal(), ("resist", {"seats": ["W"]}))
    assert not match.alerts and match.deal.turn == "N"


def test_fault_45_the_smallest_full_house_uses_the_least_useful_pair() -> None:
    found = next(p for p in legal_plays(parse_cards("SJ CJ DJ S3 C3 SB SB SK CK"), None, "9") if p.reading.rank == "J"
                 and p.reading.type == "full_house")  # fmt: skip
    assert [card.name for card in found.cards[3:]] == ["S3", "C3"]


def test_a_deal_can_be_played_without_a_match() -> None:
    table = Deal("2", load("national"), leader="N")
    assert table.play("N", parse_cards("S3")) == [] and table.turn == "W"
