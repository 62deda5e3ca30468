"""The tables of the source documents, cell by cell, written down from the documents and asked of a folded match.

Each row is a ruleset, each column a property; what is asserted is what happens at the table (levels, who leads, which
card may be returned, where an alert goes), and only where nothing happens the ruleset's own value. Clocks, conduct and
events are in ``test_ruleset_cells_conduct.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from engine.cards import RANKS, Card, parse_cards
from engine.dealing import draws_first, duties, may_draw_first
from engine.match import Match
from engine.readings import beats, readings
from engine.rulesets import load, names
from tests.engine.folding import back, deal, finish, fold, passes, play, then, tribute

DOUBLE, THIRD, FOURTH = "NSWE", "NESW", "NEWS"
"""Finishing orders: 1-2, 1-3 (west is last), 1-4 (south, first's partner, is last)."""


# --- what happens at the table ---------------------------------------------------------------------------------------


def gains(name: str) -> tuple[int, ...]:
    """Levels that 1-2, 1-3 and 1-4 bring; the losers never move."""
    found = []
    for order in (DOUBLE, THIRD, FOURTH):
        levels = fold(finish(order), ruleset=name).levels
        assert levels["EW"] == "2"
        found.append(RANKS.index(levels["NS"]))
    return tuple(found)


def passes_a(name: str) -> str:
    """The orders that pass A from A."""
    at_a = {"levels": {"NS": "A", "EW": "5"}, "on_stage": "NS"}
    found = []
    for kind, order in (("1-2", DOUBLE), ("1-3", THIRD), ("1-4", FOURTH)):
        match = fold(finish(order), ruleset=name, **at_a)
        found += [kind] if match.games == ["NS"] else []
        assert match.result is None or match.result.why == "passed_A"
        assert match.games or (match.levels["NS"], match.attempts["NS"]) == ("A", 1)
    return " ".join(found)


def falls(name: str) -> str:
    """Where the third failed try in a row leads, and after coming back to A the next third; none: six tries stay."""
    match, found = fold(ruleset=name, levels={"NS": "A", "EW": "5"}, on_stage="NS"), []
    for _ in range(2):
        for _ in range(2):
            then(match, finish(FOURTH))
            if match.levels["NS"] != "A":
                return "fell early"
        then(match, finish(FOURTH))
        found.append(match.levels["NS"])
        while match.levels["NS"] != "A":
            then(match, finish(DOUBLE))
    return " ".join(found) if set(found) != {"A"} else "none"


def resists(name: str, order: str, *seats: str) -> str | None:
    """Who leads when *seats* show both red jokers; ``None`` when that is no resisting here."""
    match = fold(finish(order), deal(), ("resist", {"seats": [*seats]}), ruleset=name)
    return None if [alert.kind for alert in match.alerts] == ["resist_violated"] else match.next["seat"]


def resisting(name: str) -> tuple[bool, ...]:
    """After 1-3 and 1-4 last with both red jokers; after 1-2 one each, one with both. First leads then."""
    tries = [(THIRD, "W"), (FOURTH, "S"), (DOUBLE, "EW"), (DOUBLE, "E"), (DOUBLE, "W")]
    leaders = [resists(name, order, *seats) for order, seats in tries]
    assert set(leaders) <= {"N", None}
    return tuple(leader == "N" for leader in leaders)


def returned(name: str) -> str:
    """What may go back without an alert after 1-3, 1-4 and 1-2: ``any`` card, or ten and lower."""
    found = []
    for order, payer in ((THIRD, "W"), (FOURTH, "S"), (DOUBLE, "W")):
        paid = [tribute(payer, "N", "HR"), *([tribute("E", "S", "SB")] if order == DOUBLE else [])]
        lawful = {}
        for card in ("ST", "SA"):
            match = fold(finish(order), deal(), *paid, back("N", payer, card), ruleset=name)
            lawful[card] = not match.alerts
        assert lawful["ST"], "ten goes back everywhere"
        found.append("any" if lawful["SA"] else "ten")
    return " ".join(found)


def leads(name: str) -> str:
    """Who leads after 1-3, 1-4 and after 1-2 with the higher card from either loser."""
    last = fold(finish(THIRD), deal(), tribute("W", "N", "HR"), back("N", "W", "S3"), ruleset=name)
    partner = fold(finish(FOURTH), deal(), tribute("S", "N", "HR"), back("N", "S", "S3"), ruleset=name)
    found = [last.next["seat"], partner.next["seat"]]
    for high, low in ("WE", "EW"):
        match = fold(
            finish(DOUBLE), deal(), tribute(high, "N", "HR"), tribute(low, "S", "SA"), back("N", high, "S3"),
            back("S", low, "S4"), ruleset=name,
        )  # fmt: skip
        assert not match.alerts
        found.append(match.next["seat"])
    return "".join(str(seat) for seat in found)


def equal_lead(name: str, to_first: str = "W", lower: str = "W", *, same: bool = False) -> str | None:
    """Who leads after two aces as tribute, *to_first*'s to north; the lower return (or an equal one) to *lower*."""
    to_second = "E" if to_first == "W" else "W"
    cards = {lower: "S3", "E" if lower == "W" else "W": "C3" if same else "S4"}
    match = fold(
        finish(DOUBLE), deal(), tribute(to_first, "N", "SA"), tribute(to_second, "S", "CA"),
        back("N", to_first, cards[to_first]), back("S", to_second, cards[to_second]), ruleset=name,
    )  # fmt: skip
    return "violated" if match.alerts else match.next["seat"]


# --- the table "Level, Ace and tribute" ------------------------------------------------------------------------------

_ALL = (True, True, True, True, True)
_LAST = "WSWE"
"""Last leads; of two, the one whose card went to first."""

LEVELS: dict[str, dict[Callable[[str], Any], Any]] = {
    # the 2017 competition rules with the tribute clause of 2022
    "national": {gains: (3, 2, 1), passes_a: "1-2 1-3", falls: "none", resisting: _ALL, returned: "ten ten ten",
                 leads: _LAST},
    # 000 art. 2: 头家和尾家升1级，头家和3家升2级，双中升3级；连续三次不过则从J开始；只有头家和2家方为取胜；红心除外
    "zhongqing": {gains: (3, 2, 1), passes_a: "1-2", falls: "J J", resisting: _ALL, leads: _LAST},
    # 000 art. 5, 001 parts 4, 5: as 000 art. 2, 40 minutes
    "hr-cup": {gains: (3, 2, 1), passes_a: "1-2", falls: "J J", resisting: _ALL, leads: _LAST},
    # 000 art. 6, 8: gains alone
    "teahouse": {gains: (3, 2, 1)},
    # 000 art. 7: 双下升5级，对手一家末游升3级，对门末游升1级；打A三次不过重新从2；单下还一张任意牌；共有两张大王抗贡
    "huaer": {gains: (5, 3, 1), falls: "2 2", resisting: _ALL, returned: "any any ten", leads: _LAST},
    # 000 art. 9, annex 2: 1-2 升三级 1-3 两级 1-4 一级；双下两张大王都在可抗供，其余不抗
    "bestwestern": {gains: (3, 2, 1), resisting: (False, False, True, True, True)},
    # 000 art. 10: 己方不出现末游就算通过；三次打不过从头打2；还一张任意牌；每人各一张大王或一人两张
    "baoding": {gains: (3, 2, 1), passes_a: "1-2 1-3", falls: "2 2", resisting: _ALL, returned: "any any any",
                leads: _LAST},
    # 000 art. 11: the double's sentence is garbled; single any; both red jokers in either hand or together
    "yancheng": {gains: (3, 2, 1), resisting: _ALL, returned: "any any ten", leads: _LAST},
    # 000 art. 13: 5/3/1；必须一家上游且对家不是下游；三次不过降至2；还牌小于或等于10
    "timed-531": {gains: (5, 3, 1), passes_a: "1-2 1-3", falls: "2 2", resisting: _ALL, returned: "ten ten ten",
                  leads: _LAST},
    # 001 part 1: 头家对家非末游；A三牌不过返回2；还10以下任意牌；进贡大牌的一方先出
    "tongsu": {gains: (3, 2, 1), passes_a: "1-2 1-3", falls: "2 2", resisting: _ALL, returned: "ten ten ten",
               leads: _LAST},
    # 002: 4/2/1；對家都沒有末遊；還一張任意牌；進貢最大牌的輸方先出
    "invitational": {gains: (4, 2, 1), passes_a: "1-2 1-3", falls: "none", resisting: _ALL, returned: "any any any",
                     leads: _LAST},
    # 004 part 1: 上游和二游才可以最终赢；三次没过从J，第二次三次没过从2；10以下（包括10）
    "lianyungang": {gains: (3, 2, 1), passes_a: "1-2", falls: "J 2", resisting: _ALL, returned: "ten ten ten",
                    leads: _LAST},
    # 000 art. 4 and art. 12 are silent here: as national
    "hefei": {gains: (3, 2, 1), resisting: _ALL, returned: "ten ten ten", leads: _LAST},
    "points-league": {gains: (3, 2, 1), passes_a: "1-2 1-3", falls: "none", resisting: _ALL, returned: "ten ten ten",
                      leads: _LAST},
}  # fmt: skip

_CELLS = [
    pytest.param(name, ask, expected, id=f"{name}: {ask.__name__}")
    for name, row in LEVELS.items() for ask, expected in row.items()
]  # fmt: skip


@pytest.mark.parametrize(("name", "ask", "expected"), _CELLS)
def test_a_cell_of_levels_ace_and_tribute(name: str, ask: Callable[[str], Any], expected: Any) -> None:
    assert ask(name) == expected


def test_every_row_is_a_ruleset_that_can_be_picked() -> None:
    assert set(names()) == set(LEVELS)


@pytest.mark.parametrize("name", sorted(set(LEVELS) - {"hefei"}))
def test_a_silent_cell_is_as_the_baseline(name: str) -> None:
    for ask, expected in LEVELS["national"].items():
        if ask not in LEVELS[name]:
            assert ask(name) == expected, ask.__name__


@pytest.mark.parametrize("name", sorted(LEVELS))
def test_a_side_stops_on_a_whatever_the_gain(name: str) -> None:
    match = fold(finish(DOUBLE), ruleset=name, levels={"NS": "K", "EW": "5"}, on_stage="NS")
    assert match.levels["NS"] == "A"
    assert (match.result is not None) is (name == "hefei"), "000 art. 4: first to A, in its first stage"


@pytest.mark.parametrize("name", sorted(set(LEVELS) - {"hefei"}))
def test_the_opponents_level_is_no_try_at_a(name: str) -> None:
    match = fold(finish(DOUBLE), ruleset=name, levels={"NS": "A", "EW": "5"}, on_stage="EW")
    assert match.result is None and match.levels["NS"] == "A" and match.attempts["NS"] == 0
    lost = fold(finish("EWNS"), ruleset=name, levels={"NS": "A", "EW": "5"}, on_stage="NS")
    assert lost.attempts["NS"] == 1, "lost at its own A is one"


def test_hefei_000_art_4_reaches_a_in_the_first_stage_and_passes_it_in_the_second() -> None:
    start = {"levels": {"NS": "J", "EW": "2"}, "on_stage": "NS"}
    assert fold(finish(DOUBLE), ruleset="hefei", **start).result.why == "reached_A"
    second = fold(finish(DOUBLE), ruleset="hefei", options={"stage": 2}, **start)
    assert second.result is None
    assert then(second, finish(THIRD)).result.why == "passed_A"


def test_timed_531_000_art_13_the_next_win_after_a_fall_lands_on_3() -> None:
    for order in (DOUBLE, THIRD, FOURTH):
        fell = fold(*[finish(FOURTH)] * 3, ruleset="timed-531", levels={"NS": "A", "EW": "5"}, on_stage="NS")
        then(fell, finish("EWNS"), finish(order))
        assert fell.levels["NS"] == "3"


def test_bestwestern_000_art_9_a_third_first_in_a_row_and_each_further_one_gain_one_more() -> None:
    orders = [finish("NEWS"), finish("NEWS"), finish("NEWS"), finish("NEWS"), finish("SEWN")]
    assert fold(*orders, ruleset="bestwestern").levels["NS"] == "7", "off: some want it, some do not"
    assert fold(*orders, ruleset="bestwestern", options={"streak_bonus": 1}).levels["NS"] == "9"
    thrice = [finish("NESW")] * 3
    reverse = fold(*thrice, ruleset="bestwestern", options={"streak_malus": 1}, levels={"NS": "2", "EW": "9"})
    assert reverse.levels == {"NS": "8", "EW": "8"}


def test_the_higher_card_of_a_double_goes_to_first_and_each_return_to_the_payer() -> None:
    for name in LEVELS:
        wrong = fold(finish(DOUBLE), deal(), tribute("W", "S", "HR"), tribute("E", "N", "SA"), ruleset=name)
        assert [alert.kind for alert in wrong.alerts] == ["tribute_violated"], name
        paid = [tribute("W", "N", "HR"), tribute("E", "S", "SA")]
        crossed = fold(finish(DOUBLE), deal(), *paid, back("N", "E", "S3"), ruleset=name)
        assert [alert.kind for alert in crossed.alerts] == ["return_violated"], name


EQUAL = {
    # text B: each payer to the winner next clockwise; the payer to first leads; the other way is wrong
    ("national", "W", "W"): "W", ("national", "W", "E"): "W", ("national", "E", "E"): "violated",
    # 000 art. 13: 赢家可以任选，输家也可以任选；贡上游牌的输家先出
    ("timed-531", "E", "W"): "E", ("timed-531", "W", "E"): "W",
    # 001 part 1: 选择牌值小的人先出牌
    ("tongsu", "E", "W"): "W", ("tongsu", "W", "E"): "E", ("tongsu", "E", "E"): "E",
    # 004 part 1: 任意拿，上游的下家先出牌
    ("lianyungang", "E", "E"): "W", ("lianyungang", "W", "E"): "W",
}  # fmt: skip


@pytest.mark.parametrize(("name", "to_first", "lower"), EQUAL)
def test_equal_tributes(name: str, to_first: str, lower: str) -> None:
    assert equal_lead(name, to_first, lower) == EQUAL[name, to_first, lower]


def test_tongsu_001_part_1_all_equal_the_player_after_first_leads() -> None:
    assert equal_lead("tongsu", "E", "E", same=True) == "W"


def test_face_down_until_both_are_returned() -> None:
    """A closed return is nobody's fault; the table shows both together (004 part 1, 4.4; text B of equal cards)."""
    assert [load(name).returns_shown_together for name in ("lianyungang", "national", "tongsu")] == [
        "double", "equal", "equal",
    ]  # fmt: skip
    paid = [tribute("W", "N", "HR"), tribute("E", "S", "SA")]
    closed = fold(finish(DOUBLE), deal(), *paid, play("W", "S3"), ruleset="lianyungang")
    assert not closed.alerts and closed.next == {"what": "play", "seat": "S"}


# --- the baseline's own paragraph ------------------------------------------------------------------------------------


def proved(match: Match) -> list[tuple[str, list[str]]]:
    return [(alert.kind, alert.penalty) for alert in match.alerts]


def test_national_the_level_card_does_not_go_back_and_nothing_low_means_the_lowest() -> None:
    for level, card, lawful in (("8", "S8", False), ("8", "S9", True), ("T", "ST", False), ("T", "S9", True)):
        match = fold(
            finish(THIRD), deal(), tribute("W", "N", "HR"), back("N", "W", card),
            levels={"NS": RANKS[RANKS.index(level) - 2], "EW": "2"},
        )  # fmt: skip
        assert match.deal.level == level and (not match.alerts) is lawful, (level, card)
        assert all(not alert.certain for alert in match.alerts), "lawful from a hand with nothing low"


def test_national_2017_option_any_card_to_an_opponent() -> None:
    two = {"return_single": "any", "return_double": "any"}
    for order, payer, lawful in ((THIRD, "W", True), (FOURTH, "S", False)):
        match = fold(finish(order), deal(), tribute(payer, "N", "HR"), back("N", payer, "SA"), options=two)
        assert (not match.alerts) is lawful


def test_national_a_wrong_tribute_before_play_is_corrected_and_after_play_voids_the_hand() -> None:
    wild = [finish(THIRD), deal(), tribute("W", "N", "H4")]
    early = fold(*wild, ("ruling", {"alert": "4.1", "verdict": "uphold"}))
    assert proved(early) == [("tribute_violated", ["corrected", "warning"])]
    late = fold(*wild, back("N", "W", "S3"), play("W", "S5"), ("ruling", {"alert": "4.1", "verdict": "uphold"}))
    assert proved(late) == [("tribute_violated", ["hand_void"])] and late.deal.void == "W"
    assert then(late, finish("NESW")).deals[-1].deal.order[3] == "W"


# --- the table "Combinations" ----------------------------------------------------------------------------------------

SHAPES = [
    ("S3", "single 3"), ("S3 C3", "pair 3"), ("S3 C3 D3", "triple 3"), ("S3 C3 D3 S4 C4", "full_house 3"),
    ("S3 C4 D5 S6 C7", "straight 7"), ("SA C2 D3 S4 C5", "straight 5"), ("ST CJ DQ SK CA", "straight A"),
    ("S3 C3 S4 C4 S5 C5", "tube 5"), ("SA CA S2 C2 S3 C3", "tube 3"), ("SQ CQ SK CK SA CA", "tube A"),
    ("S3 C3 D3 S4 C4 D4", "plate 4"), ("SA CA DA S2 C2 D2", "plate 2"), ("SK CK DK SA CA DA", "plate A"),
    ("S3 C3 D3 H3", "bomb 3"), ("S3 C3 D3 H3 S3 C3 D3 H3 H9 H9", "bomb 3"), ("S3 S4 S5 S6 S7", "straight_flush 7"),
    ("SB SB HR HR", "joker_bomb None"),
]  # fmt: skip


@pytest.mark.parametrize("name", sorted(LEVELS))
def test_combinations_of_all_documents(name: str) -> None:
    rules = load(name)
    for cards, expected in SHAPES:
        found = readings(parse_cards(cards), "9", rules)
        assert [f"{reading.type} {reading.rank}" for reading in found][:1] == [expected], cards
    for none in ("S3 C4 D5 S6", "S3 C4 D5 S6 C7 D8", "S3 C3 S4 C4", "S3 C3 D3 S4 C4 D4 S5 C5 D5", "SB HR",
                 "SK CA D2 S3 C4", "SB SB HR", "S9 C9 DT ST CT DT SB"):  # fmt: skip
        assert readings(parse_cards(none), "9", rules) == [], none


def test_the_order_of_the_bombs_and_of_the_ranks() -> None:
    rising = [
        "S3", "SA", "S9", "SB", "HR",  # single ranks at level 9
        "S3 C3 D3 H3", "SA CA DA HA", "S9 C9 D9 S9", "S3 C3 D3 H3 S3", "SA S2 S3 S4 S5", "ST SJ SQ SK SA",
        "S3 C3 D3 H3 S3 C3", "S4 C4 D4 H4 S4 C4", "S3 C3 D3 H3 S3 C3 D3", "SB SB HR HR",
    ]  # fmt: skip
    found = [readings(parse_cards(cards), "9")[0] for cards in rising]
    for low, high in pairwise(found):
        assert beats(high, low) and not beats(low, high) and not beats(low, low)


def test_a_wild_alone_is_a_level_card_and_one_in_a_combination_weighs_no_less() -> None:
    wild, plain = (readings(parse_cards(cards), "9")[0] for cards in ("H9", "S9"))
    assert (wild.order, wild.rank) == (plain.order, plain.rank)
    # 000 art. 9, 004 part 1 section 1.5: 打2时10-J-Q-K-A与10-J-Q-2-A一样大；9999与9992一样大
    for natural, made in (("ST CJ DQ SK CA", "ST CJ DQ H2 CA"), ("S9 C9 D9 H9", "S9 C9 D9 H2")):
        one, two = (readings(parse_cards(cards), "2")[0] for cards in (natural, made))
        assert not beats(one, two) and not beats(two, one) and one.type == two.type


def test_lianyungang_004_part_1_the_higher_reading_counts_whatever_its_place() -> None:
    for cards, rank in (("H2 S4 C5 D6 S7", "8"), ("H2 S6 C6 SK CK", "K"), ("S6 C6 H2 SK CK", "K")):
        assert fold(deal("N"), play("N", cards), ruleset="lianyungang").deal.standing.reading.rank == rank


# --- the table "Order of play" ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(LEVELS))
def test_turns_go_anticlockwise_and_the_lead_of_one_who_is_out_passes_to_the_partner(name: str) -> None:
    match = fold(deal("N"), play("N", "S3"), *passes("W", "S", "E"), ruleset=name)
    assert not match.alerts and match.next["seat"] == "N"
    led = [[play("N", f"S{rank} C{rank} D{rank} H{rank} " * 2), *passes("W", "S", "E")] for rank in "345"]
    led[2].insert(1, ("report", {"seat": "N", "count": 3}))
    out = [deal("N"), *led, play("N", "S6 C6 D6"), *passes("W", "S")]
    unbeaten = fold(*out, *passes("E"), ruleset=name)
    beaten = fold(*out, play("E", "S7 C7 D7"), *passes("W", "S"), ruleset=name)
    for match, leader in ((unbeaten, "S"), (beaten, "E")):
        assert not match.alerts and match.deal.finished == ["N"] and match.next["seat"] == leader


def seats(name: str, order: str | None) -> tuple[str | None, ...]:
    """Who shuffles, cuts and draws first."""
    return tuple(duties(load(name), order).values())


def test_who_shuffles_cuts_and_draws_first() -> None:
    for name in ("zhongqing", "hr-cup", "teahouse"):  # 北洗牌，西切牌；头家洗牌、切牌，尾家抓牌
        assert seats(name, None) == ("N", "W", None) and seats(name, THIRD) == ("N", "N", "W")
    assert seats("lianyungang", None) == ("E", None, None), "east, the higher draw; the player before the first drawer"
    assert seats("lianyungang", THIRD)[0] == "N" and load("lianyungang").least_shuffles == 3
    assert seats("timed-531", THIRD) == ("W", "N", "W")
    assert set(may_draw_first(load("timed-531"), DOUBLE)) == {"E", "W"}, "双下由下游任意一方先摸"
    assert seats("national", None) == (None, None, None) and seats("national", THIRD) == ("W", "N", "W")
    assert may_draw_first(load("national"), DOUBLE) == ("W",), "the player after first"
    assert load("national").dealing_machine


@pytest.mark.parametrize(
    ("name", "card", "first"),
    [
        # 000 art. 13: rank mod 4 from whoever turned it (east), 0 the fourth; red joker 6, black joker 3
        ("timed-531", "SK", "E"), ("timed-531", "S8", "S"), ("timed-531", "S2", "N"), ("timed-531", "HR", "N"),
        ("timed-531", "SB", "W"),
        # text A: its pips from the cutter; a joker is turned again
        ("national", "SA", "E"), ("national", "S3", "W"), ("national", "SB", None), ("national", "HR", None),
    ],
)  # fmt: skip
def test_who_draws_first_in_the_first_deal(name: str, card: str, first: str | None) -> None:
    assert draws_first(load(name), "E", Card.parse(card)) == first


def test_who_leads_the_first_deal() -> None:
    assert [name for name in LEVELS if load(name).first_lead == "highest_draw"] == ["hefei"]  # 抽中最大牌者先出牌
    for name in LEVELS:  # whoever drew it leads: the table knows when that seat plays
        match = fold(("turn", {"seat": "W", "card": "S5"}), deal(), play("E", "S3"), ruleset=name)
        assert not match.alerts and match.next["seat"] == "N"
