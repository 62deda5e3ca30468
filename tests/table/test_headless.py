"""Whole robot matches through world, controller and journal, watched by an eye that knows the truth."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.events import Event
from table.headless import Plan, run
from table.journal import Entry, Journal
from table.tally import stands_at, tally
from table.virtual import record_of
from tests.table.perfect_eye import studio

PLAN = Plan(matches=1, seed=7, deals=2)


def _play(
    path: Path, plan: Plan = PLAN, resume: bool = False, doubt: float = 0.0, wrong: float = 0.0
) -> dict[str, Any]:
    (figures,) = run(plan, path, resume, studio(doubt, wrong))
    return figures


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], list[Entry]]:
    path = tmp_path_factory.mktemp("demo") / "whole.journal"
    figures = _play(path)
    with Journal(path) as journal:
        return figures, journal.entries()


def test_a_table_that_sees_all_reads_all_and_accuses_only_offenders(played: tuple[dict[str, Any], list[Entry]]) -> None:
    figures, _ = played
    assert figures["right"] == figures["plays"] > 40 and figures["silent"] == figures["asked"] == 0
    offences = figures["offences"]
    assert offences["alerted"] == offences["filmed"] >= 2 and offences["false"] == 0
    assert figures["levels"] == figures["truth"] and figures["deals"] == 2


def test_an_eye_with_doubts_asks_and_is_never_wrong_in_silence(tmp_path: Path) -> None:
    figures = _play(tmp_path / "a.journal", doubt=0.05, wrong=0.4)
    assert figures["asked"] > 0 and figures["silent"] == 0
    assert figures["plays"] == figures["right"] + figures["asked"]
    assert figures["levels"] == figures["truth"] and figures["offences"]["false"] == 0


def test_a_match_cut_off_at_any_event_goes_on_to_the_same_end(
    played: tuple[dict[str, Any], list[Entry]], tmp_path: Path
) -> None:
    figures, entries = played
    rng = Random(3)
    cuts = [1, 2, *rng.sample(range(3, len(entries)), 6), len(entries)]
    for cut in cuts:
        path = tmp_path / f"{cut}.journal"
        with Journal(path) as journal:
            journal.append(entries[:cut]).wait()
        again = _play(path, resume=True)
        same = ("levels", "truth", "plays", "right", "silent", "offences", "deals")
        assert {key: again[key] for key in same} == {key: figures[key] for key in same}, f"cut after {cut} events"


def test_a_friendly_table_needs_no_pads(tmp_path: Path) -> None:
    figures = _play(tmp_path / "a.journal", Plan(1, 5, 2, "friendly"))
    assert figures["right"] == figures["plays"] and figures["levels"] == figures["truth"]


# -- the tally itself ---------------------------------------------------------------------------------------------


def _record() -> list[Event]:
    return record_of(4, 1, "championship", 1)


def test_a_play_that_was_misread_missed_or_invented_is_silent() -> None:
    record = _record()
    whole = [(event, {"sure": True}) for event in record]
    plays = [place for place, event in enumerate(record) if event.do == "play"]
    assert tally(record, whole).right == len(plays)
    missed = whole[: plays[5]] + whole[plays[5] + 1 :]
    assert (tally(record, missed).silent, tally(record, missed).plays) == (1, len(plays))
    wrong = list(whole)
    old = record[plays[5]]
    wrong[plays[5]] = (Event(old.seq, "play", {**old.data, "cards": ["SB"]}, None), {})
    assert tally(record, wrong).silent == 1
    invented = [*whole[: plays[5]], (Event(9999, "play", {"seat": "N", "cards": ["SB"]}, None), {}), *whole[plays[5] :]]
    assert tally(record, invented).silent == 1
    asked = list(whole)
    asked[plays[5]] = (old, {"sure": False})
    assert (tally(record, asked).asked, tally(record, asked).silent) == (1, 0)


def test_where_the_record_stands_is_found_in_every_prefix_of_the_journal() -> None:
    record = _record()
    for length in range(len(record) + 1):
        assert stands_at(record, [(event, {}) for event in record[:length]]) == length
