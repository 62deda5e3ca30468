"""Records of robots: they replay clean, whole matches end, and the offences staged are the ones that are found."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from engine.cards import DECK
from engine.events import Event
from engine.match import Match
from simulator.offences import KINDS
from simulator.truth import play_match


def folded(events: list[Event]) -> Match:
    match = Match()
    for event in events:
        match.apply(event)
    return match


@pytest.mark.parametrize("seed", range(50))
def test_replays_clean_and_only_the_staged_is_found(seed: int) -> None:
    events = play_match(seed, deals=2)
    match = folded([Event.from_line(n, event.to_line()) for n, event in enumerate(events, 1)])
    assert len(match.deals) == 2 and all(record.audit != "violated" for record in match.deals)
    staged = {event.data["alert"] for event in events if event.do == "ruling"}
    assert {alert.id for alert in match.alerts} == staged
    assert {alert.kind for alert in match.alerts} <= set(KINDS)
    assert all(alert.state == "upheld" and alert.certain for alert in match.alerts)
    assert {alert.deal for alert in match.alerts} == {1, 2}, "every deal has one"
    assert match.signed == {"NS", "EW"}


def test_same_arguments_same_record() -> None:
    assert play_match(4, deals=2) == play_match(4, deals=2)
    assert play_match(4, deals=2) != play_match(5, deals=2)
    assert play_match(4, deals=1) == play_match(4, deals=2)[: len(play_match(4, deals=1))]


def test_all_kinds_are_staged() -> None:
    kinds: Counter[str] = Counter()
    for seed in range(8):
        kinds.update(alert.kind for alert in folded(play_match(100 + seed, deals=3)).alerts)
    assert set(kinds) == set(KINDS) and min(kinds.values()) >= 2, kinds


def test_a_whole_match_has_a_winner() -> None:
    events = play_match(3)
    match = folded(events)
    assert match.result is not None and match.result.winner in ("NS", "EW")
    assert match.levels[match.result.winner] == "A" and len(match.deals) >= 5
    done = {event.do for event in events}
    assert {"tribute", "return", "play", "pass", "report", "ruling", "take_back", "sign"} <= done


def test_no_offence_unless_asked_for() -> None:
    for profile in ("championship", "friendly"):
        assert not folded(play_match(9, profile=profile, deals=2, offences=False)).alerts


def test_friendly_tables_press_no_buttons() -> None:
    events = play_match(11, profile="friendly", deals=2)
    assert all(event.data["by"] == "implied" for event in events if event.do == "pass")
    assert all(alert.kind != "out_of_turn" for alert in folded(events).alerts)


@pytest.mark.parametrize("ruleset", ["tongsu", "lianyungang", "baoding", "timed-531", "bestwestern", "huaer"])
def test_other_rulesets_are_played_too(ruleset: str) -> None:
    match = folded(play_match(6, ruleset, deals=4))
    assert len(match.deals) == 4 and all(alert.kind in KINDS for alert in match.alerts)
    assert all(record.audit != "violated" for record in match.deals)


def test_a_match_of_three_games_is_played_to_its_end() -> None:
    match = folded(play_match(1, "bestwestern", offences=False))
    assert match.result is not None and 2 <= len(match.games) <= 3


def test_nobody_plays_a_card_of_another() -> None:
    events = play_match(21, deals=3)
    played: Counter[str] = Counter()
    for event in events:
        if event.do == "deal":
            played.clear()
        elif event.do == "play":
            played.update(event.data["cards"])
            last = event.data["cards"]
        elif event.do == "take_back":
            played.subtract(last)
        assert max(played.values(), default=0) <= 2
    assert len(DECK) == 54


def test_options_change_the_rules() -> None:
    events = play_match(2, deals=1, options={"report_at": 6})
    assert all(event.data["count"] <= 6 for event in events if event.do == "report")
    assert replace(events[0]).data["options"] == {"report_at": 6}
