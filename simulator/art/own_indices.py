"""Where our own designs print their indices, so that training scenes can use them as well."""

from __future__ import annotations

from engine.cards import DECK, Card
from simulator.art import Deck, Pixels
from simulator.art.draw import DESIGNS
from simulator.art.indexed import Box, IndexBoxes, IndexedDeck


def own_indexed(name: str) -> IndexedDeck:
    """``river`` or ``pine`` with index geometry."""
    deck, design = Deck.own(name), DESIGNS[name]

    def draw(key: str) -> Pixels:
        return deck.back() if key == "back" else deck.face(Card.parse(key))

    def boxes(card: Card) -> list[IndexBoxes]:
        if card.is_joker:
            bottom = design.top + (21.5 if name == "river" else 18.9)
            return [IndexBoxes(_wide(design.column, 4.4 if name == "river" else 8.8, design.top, bottom), None)]
        wide = design.rank * (0.92 if card.rank == "T" else 0.62) * design.squeeze
        rank = _wide(design.column, wide, design.top, design.top + design.rank)
        top = design.top + design.rank + design.gap
        return [IndexBoxes(rank, _wide(design.column, design.suit, top, top + design.suit))]

    return IndexedDeck(f"own:{name}", draw, boxes, list(DECK), deck.px_per_mm)


def _wide(centre: float, width: float, top: float, bottom: float) -> Box:
    return (centre - width / 2, top, centre + width / 2, bottom)
