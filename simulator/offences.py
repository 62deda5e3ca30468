"""Offences that robots commit on purpose: which, when, and with what cards.

Each is an offence and nothing else: a card that belongs to nobody else, the right number, no second rule broken by it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final, Protocol

from engine.cards import PLAY_ORDER, Card
from engine.deal import Deal
from engine.plays import legal_plays
from engine.readings import beats, default_reading, readings
from simulator.robots import Sight

LAST_CARD: Final = "too_many_cards"
KINDS: Final = ("does_not_beat", "out_of_turn", LAST_CARD)


class Table(Protocol):
    """What staging needs of the table."""

    hands: dict[str, list[Card]]

    @property
    def deal(self) -> Deal: ...
    def sight(self, seat: str) -> Sight: ...


@dataclass(frozen=True)
class Offence:
    """*seat* lays *cards*; *borrowed* is the card of another hand that got into this one, and *owner* whose it is."""

    kind: str
    seat: str
    cards: tuple[Card, ...]
    borrowed: Card | None = None
    owner: str | None = None


def plan(rng: Random, profile: str) -> list[str]:
    """The kinds that one deal will see, in this order: always one that can be staged in every deal."""
    sure = sure_kinds(profile)
    kinds = [rng.choice(sure)]
    if rng.random() < 0.25:
        kinds.append(rng.choice(sure))
    # A 28th card shows only when someone goes out, and only with cards that fit: wanted often, had sometimes.
    if rng.random() < 0.6:
        kinds.append(LAST_CARD)
    return kinds


def sure_kinds(profile: str) -> list[str]:
    """The kinds for which every deal has an occasion."""
    # Where passes are not pressed nobody can prove that a play was out of turn.
    return ["does_not_beat", "out_of_turn"] if profile == "championship" else ["does_not_beat"]


def find(kind: str, table: Table, rng: Random) -> Offence | None:
    """An offence of *kind* that can be committed now, if there is one."""
    return _FINDERS[kind](table, rng)


def _does_not_beat(table: Table, rng: Random) -> Offence | None:
    """The seat whose turn it is follows with something of the right kind that is too low."""
    seat = table.deal.turn
    sight = table.sight(seat) if seat else None
    if sight is None or sight.over is None or sight.over.is_bomb or sight.by == seat:
        return None
    over = sight.over
    low = [
        play
        for play in legal_plays(sight.hand, None, sight.level, sight.ruleset)
        if play.reading.type == over.type and play.reading.size == over.size
        and not beats(play.reading, over) and _only_reading(play.cards, sight)
        and len(play.cards) < len(sight.hand)
    ]  # fmt: skip
    return Offence("does_not_beat", sight.seat, rng.choice(low).cards) if low else None


def _out_of_turn(table: Table, rng: Random) -> Offence | None:
    """A player who is not the next lays cards that would have been a good play in turn."""
    turn = table.deal.turn
    standing = table.deal.standing
    seats = [
        seat
        for seat in PLAY_ORDER
        if table.hands[seat] and seat != turn and seat not in table.deal.finished
        and (standing is None or seat != standing.seat)
    ]  # fmt: skip
    rng.shuffle(seats)
    for seat in seats:
        sight = table.sight(seat)
        good = [
            play
            for play in legal_plays(sight.hand, sight.over, sight.level, sight.ruleset)
            if not play.reading.is_bomb and _only_reading(play.cards, sight) and len(play.cards) < len(sight.hand)
        ]
        if good:
            return Offence("out_of_turn", seat, rng.choice(good[:8]).cards)
    return None


def _too_many_cards(table: Table, rng: Random) -> Offence | None:
    """The seat whose turn it is goes out with one card too many: it stuck to its hand in the draw."""
    seat = table.deal.turn
    if seat is None or len(table.hands[seat]) > 5:
        return None
    sight = table.sight(seat)
    found = readings(sight.hand, sight.level, sight.ruleset)
    if not any(sight.over is None or beats(reading, sight.over) for reading in found):
        return None
    choices: list[Offence] = []
    for owner in PLAY_ORDER:
        if owner == seat or not table.hands[owner]:
            continue
        for card in sorted(set(table.hands[owner])):
            cards = (*sight.hand, card)
            more = readings(cards, sight.level, sight.ruleset)
            place = default_reading(more, sight.ruleset)
            if place is None or card.is_wild(sight.level):
                continue
            if sight.over is None or beats(more[place], sight.over):
                choices.append(Offence("too_many_cards", seat, cards, card, owner))
    return rng.choice(choices) if choices else None


def _only_reading(cards: tuple[Card, ...], sight: Sight) -> bool:
    """Whether nobody can doubt what *cards* are: no wild among them."""
    return not any(card.is_wild(sight.level) for card in cards)


_FINDERS: Final[dict[str, Callable[[Table, Random], Offence | None]]] = {
    "does_not_beat": _does_not_beat,
    "out_of_turn": _out_of_turn,
    "too_many_cards": _too_many_cards,
}
