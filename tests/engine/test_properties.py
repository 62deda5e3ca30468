"""Properties of the fold over random matches."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from cli.replay import summary
from cli.telling import Teller
from cli.words import use_language
from engine.errors import GuandanError
from engine.events import Event
from engine.match import Match
from engine.rulesets import names
from tests.engine.random_play import Table, hidden_again, nonsense, state

SLOW = settings(
    max_examples=12, deadline=None, derandomize=True, phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)  # fmt: skip
RULESETS = names()


def folded(events: list[Event]) -> Match:
    match = Match()
    for seq, event in enumerate(events, 1):
        match.apply(Event.from_line(seq, event.to_line()))
    return match


@pytest.mark.parametrize("name", RULESETS)
def test_an_honest_match_ends_without_an_alert(name: str) -> None:
    for seed in (1, 2):
        match = Table(seed, name, profile=("championship", "friendly")[seed % 2]).play_match(120)
        assert match.result is not None or len(match.deals) == 120
        assert not match.alerts
        assert {record.audit for record in match.deals} <= {None, "clean", "cannot be proved"}
        assert json.loads(json.dumps(match.report())) == match.report()


@SLOW
@given(st.integers(0, 10**6), st.sampled_from(RULESETS), st.sampled_from(["championship", "friendly"]))
def test_offences_never_raise_and_a_record_folds_to_the_same_state(seed: int, name: str, profile: str) -> None:
    match = Table(seed, name, profile, offences=0.08).play_match(4)
    assert state(folded(match.events)) == state(match)


@SLOW
@given(st.integers(0, 10**6), st.sampled_from(RULESETS))
def test_a_friendly_match_whose_passes_nobody_pressed_comes_to_the_same(seed: int, name: str) -> None:
    match = Table(seed, name, "friendly").play_match(4)
    silent = folded([event for event in match.events if event.do != "pass"])
    assert not silent.alerts
    assert silent.levels == match.levels
    assert [record.deal.order for record in silent.deals] == [record.deal.order for record in match.deals]


@SLOW
@given(st.integers(0, 10**6), st.data())
def test_any_prefix_folds_to_the_same_state(seed: int, data: st.DataObject) -> None:
    table = Table(seed, random.Random(seed).choice(RULESETS), offences=0.05)
    table.play_match(2)
    events = table.match.events
    cut = data.draw(st.integers(1, len(events)))
    match = folded(events[:cut])
    for event in events[cut:]:
        match.apply(event)
    assert state(match) == state(table.match)


@SLOW
@given(st.integers(0, 10**6), st.sampled_from(RULESETS))
def test_clocks_warnings_and_the_bell_fold_to_the_same_state(seed: int, name: str) -> None:
    """Turns too slow, half time, the bell in the middle of a deal; from any cut on, and with a correction undone."""
    limits = {"match_seconds": 600, "reminders": ["half", 60], "start_level": "K"}
    match = Table(seed, name, offences=0.02, seconds=35, options=limits).play_match(30)
    assert match.result is not None
    before, events, cut = state(match), list(match.events), seed % len(match.events) + 1
    again = folded(events[:cut])
    for event in events[cut:]:
        again.apply(event)
    assert state(again) == before
    seq = events[-1].seq
    slow = next(event.seq for event in events if event.do == "play")
    match.apply(Event(seq + 1, "correct", {"event": slow, "void": True}))
    match.apply(Event(seq + 2, "correct", {"event": seq + 1, "void": True}))
    assert state(match) == before


@SLOW
@given(st.integers(0, 10**6))
def test_a_refused_line_changes_nothing(seed: int) -> None:
    rng = random.Random(seed)
    table = Table(seed, rng.choice(RULESETS), offences=0.05)
    table.play_match(rng.choice([0, 1, 2]))
    match = table.match
    refused = 0
    for _ in range(25):
        before, count = state(match), len(match.events)
        try:
            match.apply(nonsense(rng, match.events[-1].seq + 1, match.clock.now))
        except GuandanError as error:
            refused += 1
            assert str(error).startswith("line ")
            assert state(match) == before and len(match.events) == count
    assert refused


@SLOW
@given(st.integers(0, 10**6), st.data())
def test_a_correction_that_is_undone_restores_the_state(seed: int, data: st.DataObject) -> None:
    table = Table(seed, "national", offences=0.03)
    table.play_match(2)
    match = table.match
    before = state(match)
    plays = [event for event in match.events if event.do == "play"]
    target = data.draw(st.sampled_from(plays))
    seq = match.events[-1].seq
    match.apply(Event(seq + 1, "correct", {"event": target.seq, "cards": ["S3"]}))
    match.apply(Event(seq + 2, "correct", {"event": seq + 1, "void": True}))
    assert state(match) == before


@SLOW
@given(st.integers(0, 10**6), st.data())
def test_hidden_cards_never_make_an_honest_match_guilty(seed: int, data: st.DataObject) -> None:
    """Plays that nobody saw, and the deal scored by its order: no verdict of `violated`, no alert by the audit."""
    table = Table(seed, data.draw(st.sampled_from(RULESETS)))
    table.play_match(3)
    hidden = hidden_again(table.match, random.Random(seed), data.draw(st.floats(0, 1)))
    assert not [alert for alert in hidden.alerts if alert.kind.endswith("_violated")]
    assert all(record.audit != "violated" for record in hidden.deals)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_whatever_a_record_holds_can_be_told(language: str) -> None:
    """Lawful play, offences, rulings and lines of every kind, sensible or not."""
    use_language(language)
    try:
        for seed in range(6):
            rng = random.Random(seed)
            events = Table(seed, rng.choice(RULESETS), offences=0.1).play_match(1).events
            match = Match()
            teller = Teller(match)
            told = 0
            for event in events[:120]:
                for fact in (event, *(nonsense(rng, 0, match.clock.now) for _ in range(2))):
                    line = Event(match.events[-1].seq + 1 if match.events else 1, fact.do, fact.data, fact.t)
                    try:
                        outcome = match.apply(line)
                    except GuandanError as error:
                        assert error.in_language(language)
                        continue
                    told += sum(1 for sentence in teller.tell(line, outcome) if sentence.strip())
            assert told >= len(match.events) > 5
            assert all(sentence for sentence in summary(match))
    finally:
        use_language("zh")
