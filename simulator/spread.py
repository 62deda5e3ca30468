"""Cards laid open on the virtual table to be looked at, look after look: how a deck is shown to be enrolled.

A spread is a world that the virtual camera can film: nobody plays, the cards lie, then they lie otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engine.cards import DECK, SUITS, Card
from simulator.art import Deck
from simulator.layout import Pose
from simulator.motion import Change, Placed, State, Timeline
from vision.mat import SIZE_MM

ROW_MM = 98.0
"""From one row of cards to the next."""
STEP_MM = 36.0
"""From one card of a row to the next; less where a row would not fit."""
LOOK_S = 4.0
"""How long each look lies still."""
BARE_S = 1.0
"""How long the table is bare in between."""

Look = list[tuple[Card, Pose]]
"""Cards and where they lie, bottom to top."""


def suit_by_suit(rng: Random, jokers: bool = True) -> Look:
    """A whole deck as the guide asks for it: four rows, ace to king, and the jokers below, the big one on the right."""
    rows: list[Sequence[Card]] = [
        sorted(
            (card for card in DECK if card.suit == suit and not card.is_joker),
            key=lambda card: "A23456789TJQK".index(card.rank),
        )
        for suit in SUITS
    ]
    return in_rows([*rows, [card for card in DECK if card.is_joker]] if jokers else rows, rng)


def shuffled(rng: Random, rows: int = 5) -> Look:
    """The deck in any order, a few cards upside down, in *rows* rows."""
    cards = list(DECK)
    rng.shuffle(cards)
    share = -(-len(cards) // rows)
    return in_rows([cards[start : start + share] for start in range(0, len(cards), share)], rng, upside_down=0.2)


def in_rows(rows: Sequence[Sequence[Card]], rng: Random, upside_down: float = 0.0) -> Look:
    """Rows across the mat, each card laid by hand over the right part of the one before.

    *upside_down* is the share of cards whose top points to the other side.
    """
    look: Look = []
    top = SIZE_MM / 2 - ROW_MM * (len(rows) - 1) / 2
    for number, cards in enumerate(rows):
        step = min(STEP_MM if len(cards) > 2 else 120.0, (SIZE_MM - 110) / max(len(cards) - 1, 1))
        left = SIZE_MM / 2 - step * (len(cards) - 1) / 2
        lean = rng.gauss(0, 1.0)
        for place, card in enumerate(cards):
            turn = 180.0 if rng.random() < upside_down else 0.0
            x, y = left + step * place + rng.gauss(0, 1.5), top + ROW_MM * number + rng.gauss(0, 2.0)
            look.append((card, Pose(x, y, (turn + lean + rng.gauss(0, 2.5)) % 360)))
    return look


class Spread:
    """The world of *looks*, each lying for :data:`LOOK_S`; what :class:`simulator.camera.VirtualCamera` films."""

    def __init__(self, deck: Deck, looks: Sequence[Look], look_s: float = LOOK_S) -> None:
        self.decks = [deck]
        self.looks = list(looks)
        self.starts = [BARE_S + number * (look_s + BARE_S) for number in range(len(self.looks))]
        changes: list[Change] = []
        for number, (start, look) in enumerate(zip(self.starts, self.looks, strict=True)):
            laid = tuple(Placed(100 * number + place, card, 0, True, pose) for place, (card, pose) in enumerate(look))
            changes.append(Change(start, (), laid))
            changes.append(Change(start + look_s, tuple(each.number for each in laid)))
        self.end = BARE_S + len(self.looks) * (look_s + BARE_S)
        self._timeline = Timeline(changes, [], self.end)

    def at(self, t: float) -> State:
        """The table at *t* s."""
        return self._timeline.at(t)

    def done(self, t: float) -> bool:
        """Whether there is nothing more to see at *t*."""
        return t > self.end
