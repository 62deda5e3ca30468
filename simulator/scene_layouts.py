"""Where cards lie in a training scene: fans, rows, cascades, heaps, in millimetres on the table.

A layout is a list of :class:`Lying`, bottom card first.  Nothing here looks at pixels.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from engine.cards import Card
from simulator.art.indexed import IndexedDeck


@dataclass(frozen=True)
class Lying:
    """One card on the table: centre in mm, direction in degrees clockwise, None for face down."""

    card: Card | None
    x: float
    y: float
    angle: float
    deck: IndexedDeck


Rng = np.random.Generator
Local = list[tuple[float, float, float]]
"""x, y (mm) and angle (degrees) of each card of a group in the group's own frame."""


def group(
    rng: Rng, deck: IndexedDeck, x: float, y: float, angle: float, strangers: list[IndexedDeck], jokers: float
) -> list[Lying]:
    """A group of cards of one deck (or its twin) around *x*, *y*, laid as people lay them.

    *jokers* is the share of cards that are made jokers; most of them come from one of *strangers*, if there are any.
    """
    kinds: list[tuple[float, Callable[[Rng, IndexedDeck], Local]]] = [
        (0.26, _line),
        (0.26, _fan),
        (0.12, _cascade),
        (0.12, _row),
        (0.1, _single),
        (0.08, _heap),
        (0.06, _wheel),
    ]
    weights = np.array([weight for weight, _ in kinds])
    local = kinds[int(rng.choice(len(kinds), p=weights / weights.sum()))][1](rng, deck)
    cards = _cards(rng, deck, len(local), jokers)
    if rng.random() < 0.15:
        local, cards = local[::-1], cards[::-1]
    turn = np.deg2rad(angle)
    cosine, sine = np.cos(turn), np.sin(turn)
    middle = np.mean([place[:2] for place in local], axis=0)
    lying = []
    for card, (px, py, pa) in zip(cards, local, strict=True):
        px, py = px - middle[0], py - middle[1]
        upside_down = 180.0 if rng.random() < 0.2 else 0.0
        whose = deck
        if card and card.is_joker and strangers and rng.random() < 0.6:
            whose = strangers[int(rng.integers(len(strangers)))]
        lying.append(
            Lying(card, x + px * cosine - py * sine, y + px * sine + py * cosine, angle + pa + upside_down, whose)
        )
    return lying


def _cards(rng: Rng, deck: IndexedDeck, count: int, jokers: float) -> list[Card | None]:
    """Which cards: any, sorted, of one suit, equal ranks, equal cards of two decks, rich in jokers, face down."""
    faces = deck.cards
    style = rng.random()
    if style < 0.06:
        return [None] * count
    both = [card for card in faces if card.is_joker]
    if style < 0.2:
        rank = faces[int(rng.integers(len(faces)))].rank
        pool = [card for card in faces if card.rank == rank] * 2
        chosen = [pool[int(i)] for i in rng.permutation(len(pool))[:count]]
        chosen += [faces[int(i)] for i in rng.integers(len(faces), size=max(0, count - len(chosen)))]
    elif style < 0.3:
        half = [faces[int(i)] for i in rng.integers(len(faces), size=(count + 1) // 2)]
        chosen = [card for card in half for _ in range(2)][:count]
    else:
        chosen = [faces[int(i)] for i in rng.integers(len(faces), size=count)]
        if rng.random() < 0.3:
            chosen.sort()
    for i in range(count):
        if both and rng.random() < jokers:
            chosen[i] = both[int(rng.integers(len(both)))]
    hidden: list[Card | None] = [None if rng.random() < 0.015 else card for card in chosen]
    return hidden


def _step(rng: Rng, deck: IndexedDeck) -> float:
    """How far along a fan the next card lies: from covering the index partly to showing much."""
    index = max(abs(place.width) for place in deck.places(deck.cards[0]))
    return float(index + rng.uniform(1.0, 4.0) + max(0.0, rng.normal(3.0, 5.0)))


def _line(rng: Rng, deck: IndexedDeck) -> Local:
    count = int(rng.integers(2, 11))
    step, sway = _step(rng, deck), rng.uniform(0, 4)
    slope = rng.normal(0, 0.12) * step
    return [
        (i * step + rng.normal(0, step * 0.15), i * slope + rng.normal(0, sway), rng.normal(0, 1 + sway * 0.6))
        for i in range(count)
    ]


def _fan(rng: Rng, deck: IndexedDeck) -> Local:
    count = int(rng.integers(3, 14))
    radius = rng.uniform(70, 260)
    spread = min(_step(rng, deck) / radius, 0.32) * (1 if rng.random() < 0.85 else -0.6)
    first = -spread * (count - 1) / 2
    noise = rng.uniform(0.2, 2.5)
    places = []
    for i in range(count):
        turn = first + i * spread + rng.normal(0, 0.012 * noise)
        x, y = radius * np.sin(turn), radius * (1 - np.cos(turn))
        places.append(
            (
                float(x + rng.normal(0, noise)),
                float(y + rng.normal(0, noise)),
                float(np.degrees(turn) + rng.normal(0, noise)),
            )
        )
    return places


def _cascade(rng: Rng, deck: IndexedDeck) -> Local:
    count = int(rng.integers(2, 9))
    step = deck.index_height() + rng.uniform(2, 14)
    lean = rng.normal(0, 4)
    return [(i * lean + rng.normal(0, 1.5), i * step, rng.normal(0, 2.5)) for i in range(count)]


def _row(rng: Rng, deck: IndexedDeck) -> Local:
    count = int(rng.integers(2, 7))
    step = deck.size_mm[0] * rng.uniform(0.55, 1.25)
    return [(i * step, rng.normal(0, 3), rng.normal(0, 4)) for i in range(count)]


def _single(rng: Rng, deck: IndexedDeck) -> Local:
    return [(0.0, 0.0, rng.normal(0, 10))]


def _heap(rng: Rng, deck: IndexedDeck) -> Local:
    count, spread = int(rng.integers(3, 12)), rng.uniform(8, 45)
    return [(rng.normal(0, spread), rng.normal(0, spread), rng.uniform(0, 360)) for _ in range(count)]


def _wheel(rng: Rng, deck: IndexedDeck) -> Local:
    """A hand fanned wide around one corner."""
    count = int(rng.integers(4, 14))
    spread = rng.uniform(7, 22)
    width, height = deck.size_mm
    places = []
    for i in range(count):
        turn = float((i - (count - 1) / 2) * spread + rng.normal(0, 1.5))
        angle = np.deg2rad(turn)
        arm_x, arm_y = width * 0.35, -height * 0.45
        places.append(
            (
                float(arm_x * np.cos(angle) - arm_y * np.sin(angle)),
                float(arm_x * np.sin(angle) + arm_y * np.cos(angle)),
                turn,
            )
        )
    return places
