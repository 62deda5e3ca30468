"""The storm's reckoning notices what it is there to notice: each fault by itself, and nothing where there is none."""

from dataclasses import asdict
from types import SimpleNamespace

import pytest

from benchmarks.venue_compare import against_journals, differing, fold, standings_of, wrongly_flagged
from venue.protocol import SyncEvent
from venue.store.log import Entry


def entry(position, device, seq, event, late=False, place="1"):
    return Entry(position, device, "e", seq, event["do"], place, "m", seq, event, None, 0.0, late, None)


WRITTEN = {"one": ["match", "deal", "call"], "other": ["match", "finish"]}
JOURNALS = [
    SimpleNamespace(device=name, log=[SyncEvent(seq=n, event={"do": do}, match="m", line=n)
                                      for n, do in enumerate(words, 1)])
    for name, words in WRITTEN.items()
]  # fmt: skip
STORED = [("one", 1), ("other", 1), ("one", 2), ("one", 3), ("other", 2)]


def stored(rows=STORED, change=lambda entry: entry):
    made = [entry(at, name, seq, {"do": WRITTEN[name][seq - 1]}) for at, (name, seq) in enumerate(rows, 1)]
    return [change(each) for each in made]


FAULTS = {
    "lost": stored(STORED[:-1]),
    "doubled": [*stored(), entry(6, "one", 2, {"do": "deal"})],
    "invented": [*stored(), entry(6, "one", 4, {"do": "pass"})],
    "changed": stored(change=lambda each: each._replace(event={"do": "pass"}) if each.position == 3 else each),
    "out_of_order": stored([STORED[3], *STORED[:3], STORED[4]]),
    "holes": stored(change=lambda each: each._replace(position=each.position + (each.position > 4))),
}


def found(entries):
    return {name for name, count in asdict(against_journals(entries, JOURNALS)).items() if count}


def test_what_is_as_it_was_written_is_no_fault():
    assert found(stored()) == set()


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_is_noticed_as_what_it_is(fault):
    assert fault in found(FAULTS[fault]) and "lost" in found(stored(STORED[1:]))
    moved = stored(change=lambda each: each._replace(line=9) if each.position == 2 else each)
    assert found(moved) == {"changed"} and found([*stored(), entry(6, "third", 1, {"do": "match"})]) == {"invented"}


def test_who_was_replaced_is_flagged_and_nobody_else():
    pair = lambda position, device: entry(position, "venue", position, {"do": "device_paired", "device": device})  # noqa: E731
    call = lambda position, device, late: entry(position, device, position, {"do": "call"}, late)  # noqa: E731
    told = [pair(1, "old"), call(2, "old", False), pair(3, "new"), call(4, "old", True), call(5, "new", False)]
    assert wrongly_flagged(told) == 0
    assert wrongly_flagged([*told[:3], call(4, "old", False), call(5, "new", True)]) == 2


def test_a_page_that_shows_another_level_is_noticed():
    items = [{"table": {"place": "1", "level": "9"}}, {"case": {"id": "c", "state": "open"}}]
    gone = {"items": items[:1]}
    other = {"items": [{"table": {"place": "1", "level": "T"}}, items[1]]}
    assert differing({"items": items}, {"items": items}) == 0
    assert differing({"items": items}, gone) == differing({"items": items}, other) == 1


def test_the_standings_follow_from_acts_and_records_alone():
    acts = [
        {"act": "create", "title": "x", "format": "swiss", "options": {"rounds": 2}},
        {"act": "enter", "entrants": [{"number": n, "names": [f"a{n}", f"b{n}"]} for n in (1, 2)]},
        {"act": "draw", "round": 1, "stage": 0, "seed": "s", "games": [{"one": 1, "other": 2, "match": "m"}]},
    ]  # fmt: skip
    told = [entry(at, "venue", at, {"do": "desk", "competition": "c", **act}) for at, act in enumerate(acts, 1)]
    match = fold([{"do": "match", "ruleset": "national", "options": {"start_level": "A"}}] + [
        {"do": "finish", "order": ["N", "S", "E", "W"]}
    ])  # fmt: skip
    assert match.result is not None and match.result.winner == "NS"
    lines = standings_of(told, {"m": match}, "c")["standings"]
    assert [(line["number"], line["figures"][0]) for line in lines] == [(1, 2), (2, 0)]
