"""How well a match was read: plays filmed against plays journaled, and where the record stands in the journal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.cards import parse_cards
from engine.events import Event

Journaled = tuple[Event, Mapping[str, Any]]
"""An event of the journal and its evidence."""
WINDOW = 40
"""Events of the record looked ahead for the one that a journaled event is."""
_WHO = {"tribute": "from", "return": "from", "sign": "side"}


@dataclass(frozen=True)
class Tally:
    """Plays filmed, and what became of them: ``plays = right + asked + silent``."""

    plays: int
    right: int
    asked: int
    silent: int


def tally(record: Sequence[Event], journal: Sequence[Journaled]) -> Tally:
    """Compare order, seat and cards of every play of the two."""
    filmed = [_play(event) for event in record if event.do == "play"]
    read = read_plays(journal)
    pairs = _aligned(filmed, [(seat, cards) for seat, cards, _ in read])
    right = sum(not read[there][2] for _, there in pairs)
    asked = sum(read[there][2] for _, there in pairs)
    invented = len(read) - len(pairs)
    # An invented play is as silent a fault as a missed one; it may not make the plays more than were filmed.
    silent = max(len(filmed) - len(pairs), min(invented, len(filmed)))
    right = max(0, len(filmed) - asked - silent)
    return Tally(len(filmed), right, min(asked, len(filmed) - silent), silent)


def read_plays(journal: Sequence[Journaled]) -> list[tuple[str, tuple[str, ...], bool]]:
    """Every play as the journal has it in the end, corrections done: seat, sorted cards, whether it was asked about."""
    plays: dict[int, tuple[str, tuple[str, ...], bool]] = {}
    for event, evidence in journal:
        if event.do == "play":
            plays[event.seq] = (*_play(event), not evidence.get("sure", True))
        elif event.do == "correct" and event.data["event"] in plays and "cards" in event.data:
            seat, _, _ = plays[event.data["event"]]
            # A play that had to be put right after it was taken as sure is still a play that was asked about.
            plays[event.data["event"]] = (seat, _sorted(event.data["cards"]), True)
    return [plays[number] for number in sorted(plays)]


def _play(event: Event) -> tuple[str, tuple[str, ...]]:
    return str(event.data["seat"]), _sorted(event.data["cards"])


def _sorted(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(card.name for card in parse_cards(names)))


def _aligned(filmed: Sequence[Any], read: Sequence[Any]) -> list[tuple[int, int]]:
    """The longest common subsequence, as pairs of places."""
    start = 0
    while start < min(len(filmed), len(read)) and filmed[start] == read[start]:
        start += 1
    end = 0
    while end < min(len(filmed), len(read)) - start and filmed[-1 - end] == read[-1 - end]:
        end += 1
    left, right = filmed[start : len(filmed) - end], read[start : len(read) - end]
    table = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for a in range(len(left) - 1, -1, -1):
        for b in range(len(right) - 1, -1, -1):
            table[a][b] = 1 + table[a + 1][b + 1] if left[a] == right[b] else max(table[a + 1][b], table[a][b + 1])
    pairs = [(place, place) for place in range(start)]
    a = b = 0
    while a < len(left) and b < len(right):
        if left[a] == right[b]:
            pairs.append((start + a, start + b))
            a, b = a + 1, b + 1
        elif table[a + 1][b] >= table[a][b + 1]:
            a += 1
        else:
            b += 1
    pairs += [(len(filmed) - end + place, len(read) - end + place) for place in range(end)]
    return pairs


def stands_at(record: Sequence[Event], journal: Sequence[Journaled]) -> int:
    """How many events of *record* the journal already holds: where a match that was cut off goes on.

    What the journal has and the record has not (corrections, a referee's waiving of a false alert) is passed over.
    """
    at = 0
    for event, _ in journal:
        if event.do == "correct":
            continue
        for place in range(at, min(at + WINDOW, len(record))):
            if _same(record[place], event):
                at = place + 1
                break
    return at


def _same(true: Event, read: Event) -> bool:
    if true.do != read.do:
        return False
    who = _WHO.get(true.do, "seat")
    if true.data.get(who) != read.data.get(who):
        return False
    if true.do == "ruling":
        return bool(true.data["verdict"] == read.data["verdict"])
    if true.do == "play":
        # A misread card or two still tells which play it was.
        names, others = _sorted(true.data["cards"]), _sorted(read.data["cards"])
        return len(set(names) & set(others)) * 2 >= len(set(names)) or len(names) == len(others)
    return True
