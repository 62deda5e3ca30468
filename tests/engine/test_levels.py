"""The race to A in every variant that a ruleset file can choose."""

from __future__ import annotations

from typing import Any

import pytest

from engine.levels import Race, kind_of
from engine.rulesets import load
from tests.engine.folding import finish, fold


def race(levels: tuple[str, str] = ("2", "2"), **options: Any) -> Race:
    return Race(load("national", options=options), dict(zip(("NS", "EW"), levels, strict=True)))


@pytest.mark.parametrize(("fall", "level"), [("K", "K"), ("J", "J"), ("2", "2"), ("opponents", "7"), ("stay", "A")])
def test_where_a_side_falls(fall: str, level: str) -> None:
    side = race(("A", "7"), A_tries=3, A_falls=[fall])
    for _ in range(3):
        step = side.finish("NEWS", "NS")
    assert side.levels["NS"] == level and side.attempts["NS"] == 0
    assert step.fell == (() if fall == "stay" else ("NS",))


def test_tries_begin_anew_on_coming_back_to_a() -> None:
    side = race(("A", "7"), A_tries=2, A_falls=["K"])
    side.finish("NEWS", "NS")
    side.finish("NEWS", "NS")
    assert side.levels["NS"] == "K"
    side.finish("NSEW", "NS")
    assert side.levels["NS"] == "A" and side.attempts["NS"] == 0


def test_the_try_that_passes_is_no_failed_one() -> None:
    side = race(("A", "7"), A_tries=1, A_falls=["2"])
    step = side.finish("NESW", "NS")
    assert step.won == "NS" and not step.fell and side.position("NS") == 13 and side.margin == 8


def test_must_play_levels_are_stopped_on_and_left_only_by_ones_own_win() -> None:
    side = race(("3", "2"), must_play=["5", "A"])
    side.finish("NSEW", "NS")
    assert side.levels["NS"] == "5", "from 3 by three levels, stopped on 5"
    side.finish("NSEW", "EW")
    assert side.levels["NS"] == "5", "won at the opponents' level"
    side.finish("NSEW", "NS")
    assert side.levels["NS"] == "8"


def test_where_a_need_not_be_played_gains_run_past_it() -> None:
    side = race(("Q", "2"), must_play=[])
    assert side.finish("NSEW", "NS").won == "NS"
    side = race(("Q", "2"), must_play=[])
    assert side.finish("NESW", "NS").won is None and side.levels["NS"] == "A"


def test_both_sides_on_a() -> None:
    side = race(("A", "A"))
    side.finish("NEWS", "NS")
    assert side.attempts == {"NS": 1, "EW": 0}
    side.finish("ENSW", "NS")
    assert side.attempts == {"NS": 2, "EW": 0}, "east-west won at the opponents' A: no try of its own"
    assert side.finish("ENWS", "EW").won == "EW"


def test_penalties_move_a_side_within_the_table() -> None:
    side = race(("K", "2"))
    assert side.shift("NS", 5) == 1 and side.levels["NS"] == "A", "never past A"
    assert side.shift("EW", -2) == 0 and side.levels["EW"] == "2", "never under the start"
    assert side.shift("NS", -1) == -1 and side.levels["NS"] == "K"


def test_who_came_first_to_a_level() -> None:
    side = race()
    assert side.first_to_reach() is None
    side.finish("NESW", None)
    side.finish("ENWS", "NS")
    assert side.levels == {"NS": "4", "EW": "4"} and side.first_to_reach() == "NS"


def test_kinds_of_orders() -> None:
    assert [kind_of(order) for order in ("NSEW", "NESW", "NEWS")] == ["1-2", "1-3", "1-4"]


def test_another_start_level() -> None:
    assert fold(finish("NESW"), options={"start_level": "5"}).levels == {"NS": "7", "EW": "5"}
    unequal = fold(finish("NESW"), levels={"NS": "9", "EW": "5"})
    assert unequal.deals[0].deal.level == "9" and unequal.levels == {"NS": "J", "EW": "5"}
