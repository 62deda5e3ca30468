"""Robots play lawfully, sensibly and the same again."""

from __future__ import annotations

from random import Random

import pytest

from engine.cards import DECK, parse_cards
from engine.plays import legal_plays
from engine.readings import beats, readings
from simulator.robots import Sight, choose, turns

FULL = {"N": 27, "E": 27, "S": 27, "W": 27}


def sight(hand: str, over: str = "", by: str = "W", left: dict[str, int] | None = None, level: str = "2") -> Sight:
    cards = tuple(parse_cards(hand))
    standing = readings(parse_cards(over), level)[0] if over else None
    return Sight("S", cards, standing, by if over else None, {**(left or FULL), "S": len(cards)}, level)


@pytest.mark.parametrize("seed", range(30))
def test_what_they_play_is_legal(seed: int) -> None:
    rng = Random(seed)
    pack = [*DECK, *DECK]
    rng.shuffle(pack)
    hand = tuple(pack[:27])
    lead = choose(Sight("S", hand, None, None, FULL, "7"), rng)
    assert lead is not None and lead in legal_plays(hand, None, "7")
    answer = choose(Sight("W", tuple(pack[27:54]), lead.reading, "S", FULL, "7"), rng)
    if answer is not None:
        assert beats(answer.reading, lead.reading) and all(pack[27:54].count(card) for card in answer.cards)


def test_same_seed_same_choice() -> None:
    hand = sight("S3 H3 D4 C5 S6 H7 D8 SK HK C9 D9 SA")
    assert [choose(hand, Random(5)) for _ in range(3)] == [choose(hand, Random(5))] * 3


def test_goes_out_when_it_can() -> None:
    play = choose(sight("S9 H9 D9 C4 S4", left={**FULL, "N": 1}), Random(0))
    assert play is not None and play.reading.type == "full_house"


def test_keeps_a_bomb_over_a_low_single() -> None:
    play = choose(sight("S8 H8 D8 C8 SQ C3 C4 HJ D6 ST HT SA DA", "D9"), Random(0))
    assert play is not None and not play.reading.is_bomb


def test_bombs_what_would_go_out() -> None:
    play = choose(sight("S8 H8 D8 C8 C3 C4", "SA HA DA S4 H4", left={**FULL, "W": 2}), Random(0))
    assert play is not None and play.reading.is_bomb


def test_leaves_the_partners_high_card() -> None:
    assert choose(sight("HR SB C3 C4 D6 S8 H9", "SA", by="N"), Random(0)) is None


def test_leads_low() -> None:
    play = choose(sight("HR SA C4 D4 S9 H9 HQ DQ C6"), Random(1))
    assert play is not None and play.reading.rank in ("4", "6")


def test_turns_counts_what_is_left_to_do() -> None:
    loose = turns(parse_cards("S3 H5 D7 C9"), "2")
    assert turns(parse_cards("S3 H3 D3 C3"), "2") < 1 < turns(parse_cards("S3 H3 D3 C5 H5"), "2") + 1 < loose + 1
