"""Which card each sighting of one picture is: by the reader, by its place in a row laid in order, or to be asked.

A person lays a deck suit by suit. Where most of a row is read, the rest follows from the order: between 10 and Q lies
the J, whatever letter this deck prints on it. One deck holds each face once, so two equal names in one picture are
a question, not an answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from engine.cards import DECK, SUITS, Card
from vision.enrolment.sightings import Sighting, usual_size

ORDERS: Final = ("A23456789TJQK", "KQJT98765432A", "23456789TJQKA", "AKQJT98765432")
"""How people lay a suit, left to right."""
ROW: Final = 6
"""From this many cards on a row's order is looked for."""
AGREED: Final = 0.6
"""Share of a row that must be read as the order says."""
READ: Final = 0.5
SURE: Final = 0.9
SURE_JOKER: Final = 0.8
SCORE: Final = 0.3
SKIPPED_PLACE: Final = -1.0
SKIPPED_SIGHTING: Final = -9.0
PIP: Final = (0.8, 0.8)
"""From this rejection on a find below this share of the usual height is a pip, not an index."""
AMONG_CARDS: Final = (0.9, 0.6)
"""Least probability and finder's score of a joker that lies among plain cards: their pips and pictures resemble one."""
COLOURS_TELL: Final = 0.4
"""By so much redder must one joker be read than the other for their colours to tell them apart."""
APART_MM: Final = (50.0, 100.0, 420.0)
"""Between two jokers that lie apart at least so much is bare, and from the first find to the last it is more than one
card's width and no more than an arm's reach."""
MOST_OTHERS: Final = 2
"""More plain indices than this are no jokers laid alone."""
CHANCE: Final = 0.02
"""Of any name for a card that the reader does not know."""
ALONG: Final = 2.4
ACROSS: Final = 0.8
"""Within so many usual index heights of a joker's index lies what else may be found at its corner."""
ALONE: Final = 4.5
"""A joker with no plain index within so many usual index heights of its own lies apart from other cards."""
REACH: Final = 7.5
"""Two corners of one card lie at most so many index heights apart."""

SB: Final = DECK[52]
HR: Final = DECK[53]
Names = Sequence[Mapping[Card, float]]


@dataclass(frozen=True)
class Label:
    """What a sighting is: *how* is ``read``, ``row`` (from its place), ``side`` (of two jokers alike, laid alone) or
    ``ask``; to ask: the likeliest first."""

    card: Card | None
    how: str
    candidates: tuple[Card, ...] = ()


def label(seen: Sequence[Sighting], names: Names | None = None, by_side: float | None = None) -> list[Label | None]:
    """A label for each of *seen*; None for what is no index worth a question.

    *names* are probabilities that replace the reader's own, from what has been enrolled so far. With *by_side*, a
    picture's scale in px/mm, two jokers alike are named by where they lie, small on the left and big on the right.
    """
    if names is None:
        names = [dict(one.read.candidates) for one in seen]
    labels: list[Label | None] = [None] * len(seen)
    for row in rows(seen):
        for place, card in in_order([names[place] for place in row]):
            read = names[row[place]].get(card, 0.0) >= READ
            labels[row[place]] = Label(card, "read" if read else "row")
    _jokers(seen, names, labels, by_side)
    best = [max(each, key=lambda card: each[card]) if each else None for each in names]
    meant = _Meant(best, names, labels)
    for place, one in enumerate(seen):
        top = best[place]
        if labels[place] is None and top is not None and not top.is_joker and one.score >= SCORE and not one.closer:
            meaning = meant.by(top) if names[place][top] >= SURE and one.read.reject < 0.5 else None
            labels[place] = Label(meaning, "read") if meaning is not None else _asked(names[place])
    for place in _twice(seen, labels):
        labels[place] = _asked(names[place])
    return labels


class _Meant:
    """What this deck means by what the reader says, as far as the rows of the same picture tell.

    A corner outside the rows shows the same letters: where the rows call an 8 a J, or now an 8 and now a J, the
    reader's 8 is no name.
    """

    def __init__(
        self, best: Sequence[Card | None], names: Names, labels: Sequence[Label | None]
    ) -> None:  # fmt: skip
        self._ranks: dict[str, Counter[str]] = {}
        self._suits: dict[str, Counter[str]] = {}
        for top, each, given in zip(best, names, labels, strict=True):
            if top is None or given is None or given.card is None or top.is_joker or given.card.is_joker:
                continue
            if each[top] >= READ:
                self._ranks.setdefault(top.rank, Counter())[given.card.rank] += 1
                self._suits.setdefault(top.suit, Counter())[given.card.suit] += 1

    def by(self, said: Card) -> Card | None:
        """The card; None where the rows disagree, or for a joker."""
        if said.is_joker:
            return None
        rank, suit = _only(self._ranks.get(said.rank), said.rank), _only(self._suits.get(said.suit), said.suit)
        return Card.parse(suit + rank) if rank and suit else None


def _only(count: Counter[str] | None, said: str) -> str | None:
    """What all the rows say, and more than one where it is not *said* itself."""
    if not count or set(count) == {said}:
        return said
    return next(iter(count)) if len(count) == 1 and count.total() >= 2 else None


def _asked(names: Mapping[Card, float]) -> Label:
    return Label(None, "ask", tuple(sorted(names, key=lambda card: -names[card])[:4]))


def rows(seen: Sequence[Sighting]) -> Iterator[list[int]]:
    """The rows of upright cards, each from left to right as one who reads them sees it."""
    plain = [place for place, one in enumerate(seen) if one.score >= SCORE and not one.joker and not one.closer]
    if len(plain) < ROW:
        return
    ways = np.array([(seen[place].dx, seen[place].dy) for place in plain])
    agree = (ways @ ways.T) > np.cos(np.radians(28))
    first = int(np.argmax(agree.sum(1)))
    up = ways[agree[first]].mean(0)
    up /= np.hypot(*up)
    right = np.array([-up[1], up[0]])
    size = float(np.median([seen[place].size for place in plain]))
    # a pip between two cards is of no index's height and no sign to the reader: it is no place of the row
    upright = [
        place
        for place, same in zip(plain, agree[first], strict=True)
        if same and not (seen[place].read.reject > PIP[0] and seen[place].size < PIP[1] * size)
    ]
    spot = {place: np.array([seen[place].x, seen[place].y]) for place in upright}
    upright.sort(key=lambda place: -float(spot[place] @ up))
    row: list[int] = []
    for place in [*upright, -1]:
        if place >= 0 and (not row or float((spot[row[-1]] - spot[place]) @ up) < 0.75 * size):
            row.append(place)
            continue
        row.sort(key=lambda each: float(spot[each] @ right))
        single: list[int] = []
        for each in row:
            if single and float((spot[each] - spot[single[-1]]) @ right) < 0.45 * size:
                single[-1] = max(single[-1], each, key=lambda one: seen[one].score)
            else:
                single.append(each)
        if len(single) >= ROW:
            yield single
        row = [place]


def in_order(row: Names) -> list[tuple[int, Card]]:
    """Places of *row* with their cards, if it is a suit laid in order; empty if it is not.

    A place may be passed over (a card not found), and so may a sighting (a find that is none).
    """
    best: tuple[float, list[tuple[int, Card]]] = (-np.inf, [])
    for suit in SUITS:
        for order in ORDERS:
            best = max(best, _along(row, [Card.parse(suit + rank) for rank in order]), key=lambda each: each[0])
    found = best[1]
    read = sum(row[place].get(card, 0.0) >= READ for place, card in found)
    if len(found) < ROW or read < max(AGREED * len(row), ROW - 1):
        return []
    # Only what has both its neighbours in the order is named by its place.
    steps = [card for _, card in found]
    whole = {card for before, card in pairwise(steps) if _next(before, card)}
    whole &= {card for card, after in pairwise(steps) if _next(card, after)} | {steps[-1]}
    whole |= {steps[0]} if _next(steps[0], steps[1]) else set()
    return [(place, card) for place, card in found if row[place].get(card, 0.0) >= READ or card in whole]


def _next(one: Card, two: Card) -> bool:
    return abs(one.place - two.place) in (1, 12)


def _along(row: Names, cards: Sequence[Card]) -> tuple[float, list[tuple[int, Card]]]:
    """The likeliest way to lay *row* along *cards*: its logarithm, and the pairs."""
    many, places = len(row), len(cards)
    score = np.full((many + 1, places + 1), -np.inf)
    step = np.zeros((many + 1, places + 1), int)
    score[0] = SKIPPED_PLACE * np.arange(places + 1) * 0.5
    score[:, 0] = SKIPPED_SIGHTING * np.arange(many + 1)
    for one in range(1, many + 1):
        for place in range(1, places + 1):
            fits = float(np.log(CHANCE + (1 - CHANCE) * row[one - 1].get(cards[place - 1], 0.0)))
            ways = (
                score[one - 1, place - 1] + fits,
                score[one - 1, place] + SKIPPED_SIGHTING,
                score[one, place - 1] + (SKIPPED_PLACE if one < many else 0.5 * SKIPPED_PLACE),
            )
            step[one, place] = int(np.argmax(ways))
            score[one, place] = ways[step[one, place]]
    pairs, one, place = [], many, places
    while one and place:
        way = step[one, place]
        if way == 0:
            pairs.append((one - 1, cards[place - 1]))
        one, place = one - (way != 2), place - (way != 1)
    return float(score[many, places]), pairs[::-1]


def _jokers(seen: Sequence[Sighting], names: Names, labels: list[Label | None], by_side: float | None) -> None:
    """Both jokers side by side: the small one left, as the guide asks; else by colour, where that is sure."""

    def chance(place: int) -> float:
        return names[place].get(SB, 0.0) + names[place].get(HR, 0.0)

    found = [place for place, one in enumerate(seen)
             if labels[place] is None and one.score >= SCORE and chance(place) >= READ and not one.closer]  # fmt: skip
    alone = {place for place in found if _alone(seen, place)}
    sided = _sides(seen, [place for place in found if place in alone])
    placed = _by_side(seen, by_side) if by_side else {}
    for place, card in placed.items():
        labels[place] = Label(card, "side")
    for place in found:
        red = names[place].get(HR, 0.0) / max(chance(place), 1e-6)
        by_colour = HR if red >= 0.5 else SB
        sure = max(red, 1 - red) * chance(place) >= (SURE_JOKER if place in alone else AMONG_CARDS[0])
        sure = sure and (place in alone or seen[place].score >= AMONG_CARDS[1])
        other = SB if by_colour is HR else HR
        side = sided.get(place)
        if place in placed:
            continue
        if sure and side in (None, by_colour):
            labels[place] = Label(by_colour, "read")
        elif side is not None:
            labels[place] = Label(None, "ask", (side, SB if side is HR else HR))
        elif place in alone or seen[place].score >= AMONG_CARDS[1]:
            labels[place] = Label(None, "ask", (by_colour, other))
    _adopted(seen, labels)


def _adopted(seen: Sequence[Sighting], labels: list[Label | None]) -> None:
    """Other finds at a joker's corner are that joker's too: its word and its star are found now so, now so.

    What the reader takes for no joker is taken for its part only where the joker lies alone: in a fan or a shuffled
    spread a neighbour's corner is as near.
    """
    unit = usual_size(seen)
    known = [(place, each.card) for place, each in enumerate(labels)
             if each is not None and each.card is not None and each.card.is_joker]  # fmt: skip
    alone = {other for other, _ in known if _alone(seen, other)}
    for place, one in enumerate(seen):
        each = labels[place]
        if each is not None and (each.card is not None or not one.joker):
            continue
        near = set()
        for other, card in known:
            joker = seen[other]
            size = unit or joker.size
            right, down = one.x - joker.x, one.y - joker.y
            along = abs(right * joker.dx + down * joker.dy)
            across = abs(-right * joker.dy + down * joker.dx)
            if (
                (one.joker or other in alone)
                and along < ALONG * size
                and across < ACROSS * size
                and one.dx * joker.dx + one.dy * joker.dy > 0.85
            ):
                near.add(card)
        if len(near) == 1:
            labels[place] = Label(near.pop(), "read")


def _alone(seen: Sequence[Sighting], place: int) -> bool:
    """Whether no plain index lies near the joker's at *place*."""
    joker = seen[place]
    reach = ALONE * (usual_size(seen) or joker.size)
    return not any(
        np.hypot(one.x - joker.x, one.y - joker.y) < reach
        for one in seen
        if not one.joker and one.score >= SCORE and one.read.reject < 0.5
    )


def _sides(seen: Sequence[Sighting], found: Sequence[int]) -> dict[int, Card]:
    """Joker sightings that lie left (small) and right (big) of the widest gap between them; empty of one card alone."""
    if len(found) < 2:
        return {}
    first = seen[found[0]]
    sided: dict[int, Card] = {}
    for way in (1, -1):
        same = [place for place in found if way * (seen[place].dx * first.dx + seen[place].dy * first.dy) > 0.8]
        if len(same) < 2:
            continue
        along = sorted(same, key=lambda place: -seen[place].x * first.dy + seen[place].y * first.dx)
        where = [-seen[place].x * first.dy + seen[place].y * first.dx for place in along]
        gap = int(np.argmax(np.diff(where)))
        turned = first.dy > 0.5  # the picture is upside down: its left is the reader's right
        for number, place in enumerate(along):
            left = number <= gap
            sided[place] = SB if left is not turned else HR
    return sided


def _by_side(seen: Sequence[Sighting], px_per_mm: float) -> dict[int, Card]:
    """Finds on two jokers that lie apart with no other card, by the side of the picture: small left, big right.

    A teapot has no direction that would tell which way up the cards are seen. Empty where their colours tell, so that
    nobody need believe the side, and where it may be one card.
    """
    found = [place for place, one in enumerate(seen) if one.joker and one.score >= SCORE]
    others = sum(not one.joker and one.score >= SCORE and one.read.confidence >= SURE for one in seen)
    if len(found) < 2 or others > MOST_OTHERS:
        return {}
    along = {place: seen[place].x / px_per_mm for place in found}
    found.sort(key=lambda place: along[place])
    split = int(np.argmax(np.diff([along[place] for place in found]))) + 1
    gap, extent = along[found[split]] - along[found[split - 1]], along[found[-1]] - along[found[0]]
    if gap < APART_MM[0] or not APART_MM[1] <= extent <= APART_MM[2]:
        return {}
    sides = {SB: found[:split], HR: found[split:]}
    red = {card: np.mean([seen[p].chance(HR) / max(seen[p].chance(HR) + seen[p].chance(SB), 1e-6) for p in side])
           for card, side in sides.items()}  # fmt: skip
    if abs(float(red[HR] - red[SB])) >= COLOURS_TELL:
        return {}
    return {place: card for card, side in sides.items() for place in side}


def _twice(seen: Sequence[Sighting], labels: Sequence[Label | None]) -> set[int]:
    """Sightings that are read as a face which another card of this picture is read as too."""
    count = Counter(each.card for each in labels if each is not None and each.card is not None)
    doubtful: set[int] = set()
    for card, many in count.items():
        if many < 2 or card is None or card.is_joker:
            continue
        places = [place for place, each in enumerate(labels) if each is not None and each.card is card]
        for number, one in enumerate(places):
            for two in places[number + 1 :]:
                a, b = seen[one], seen[two]
                apart = float(np.hypot(a.x - b.x, a.y - b.y)) / max(a.size, b.size)
                if a.dx * b.dx + a.dy * b.dy < -0.8 and apart < REACH:
                    continue
                doubtful |= {place for place in (one, two) if not _by_row(labels, place, places)}
    return doubtful


def _by_row(labels: Sequence[Label | None], place: int, rivals: Sequence[int]) -> bool:
    """Whether a sighting's name comes from its row's order and no rival's does."""
    mine = labels[place]
    return mine is not None and mine.how == "row" and not any(
        other != place and (each := labels[other]) is not None and each.how == "row" for other in rivals
    )  # fmt: skip
