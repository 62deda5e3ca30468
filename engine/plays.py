"""Legal plays: every combination a hand can lead, or that beats what lies on the table.

The hand is sorted into ranks and suits once; each kind of combination is then counted, never tried: a combination is in
the hand when the cards it lacks are no more than the wilds. One play is given for each distinct meaning, made with as
few wilds as can be, its cards in the order in which they are laid: small to large, a wild where it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from engine.cards import BLACK_JOKER, DECK, RANKS, RED_JOKER, Card
from engine.readings import Disputes, Reading, level_tables, order_of

_NAMES: Final = (*RANKS, BLACK_JOKER, RED_JOKER)


class Play(NamedTuple):
    """Cards from a hand and what they are played as."""

    cards: tuple[Card, ...]
    reading: Reading

    def to_dict(self) -> dict[str, Any]:
        return {"cards": [card.name for card in self.cards], **self.reading.to_dict()}


@cache
def _readings_at(level: str) -> dict[str, list[Reading]]:
    """Each kind's finished readings at *level* by the place of its rank; bombs of n cards under ``bomb n``."""
    kinds: dict[str, tuple[str, int, int]] = {
        "single": ("single", 1, 15), "pair": ("pair", 2, 15), "triple": ("triple", 3, 13),
        "full_house": ("full_house", 5, 13), "straight": ("straight", 5, 13), "tube": ("tube", 6, 13),
        "plate": ("plate", 6, 13), "straight_flush": ("straight_flush", 5, 13),
        **{f"bomb {size}": ("bomb", size, 13) for size in range(4, 11)},
    }  # fmt: skip
    return {
        name: [Reading(type, size, rank, order_of(type, size, rank, level)) for rank in _NAMES[:places]]
        for name, (type, size, places) in kinds.items()
    }


_JOKER_BOMB: Final = Reading("joker_bomb", 4, None, order_of("joker_bomb", 4, None, "2"))


@cache
def _windows(mask: int, wilds: int) -> tuple[tuple[int, int], ...]:
    """Runs of five in 13 bits of ranks lacking no more than *wilds*: (place of the lowest, -1 the ace; lacking)."""
    around = mask << 1 | mask >> 12  # bit 0 is the low ace
    return tuple((low - 1, lacking) for low in range(10) if (lacking := 5 - (around >> low & 31).bit_count()) <= wilds)


class _Hand:
    """A hand sorted for one level: natural cards by place and by suit, wilds apart."""

    __slots__ = ("by_place", "count", "disputes", "level", "level_place", "readings", "suits", "wild", "wilds")

    def __init__(self, cards: Sequence[Card], level: str, disputes: Disputes | None) -> None:
        self.level, self.disputes = level, disputes
        self.readings = _readings_at(level)
        self.wild = wild = level_tables(level).wild
        self.level_place = wild.place
        by_place: list[list[Card]] = [[], [], [], [], [], [], [], [], [], [], [], [], [], [], []]
        suits = [0, 0, 0, 0, 0]
        wilds = 0
        for card in cards:
            if card is wild:
                wilds += 1
            else:
                place = card.place
                by_place[place].append(card)
                suits[card.index // 13] |= 1 << place
        self.by_place, self.suits, self.wilds = by_place, suits, wilds
        self.count = [len(group) for group in by_place]

    # --- equal ranks ---

    def equals(self, type: str, size: int, above: int, plays: list[Play]) -> None:
        """Singles, pairs and triples with a power over *above*."""
        readings, by_place, wild, wilds = self.readings[type], self.by_place, self.wild, self.wilds
        for place, count in enumerate(self.count):
            lacking = size - count
            if lacking <= 0:
                reading = readings[place] if place < 13 or size < 3 else None
                if reading is not None and reading.order[1] > above:
                    plays.append(Play(tuple(by_place[place][:size]), reading))
            elif lacking <= wilds and place < 13 and (count or (place == self.level_place and size < 3)):
                reading = readings[place]
                if reading.order[1] > above:
                    plays.append(Play((*by_place[place], *(wild,) * lacking), reading))

    def bombs(self, above: tuple[int, int], plays: list[Play]) -> None:
        """Bombs of equal ranks and the straight flushes and four jokers that stand over *above*."""
        wilds = self.wilds
        for place, count in enumerate(self.count[:13]):
            most = count + wilds
            if most < 4 or not count:
                continue
            cards = (*self.by_place[place], *(self.wild,) * wilds)
            for size in range(4, most + 1):
                reading = self.readings[_BOMB_OF[size]][place]
                if reading.order > above:
                    plays.append(Play(cards[:size], reading))
        if above < _JOKER_BOMB.order:
            self._straight_flushes(above, plays)
        if self.count[13] + self.count[14] == 4:
            plays.append(Play((*self.by_place[13], *self.by_place[14]), _JOKER_BOMB))

    # --- consecutive ranks ---

    def _straight_flushes(self, above: tuple[int, int], plays: list[Play]) -> None:
        found: dict[int, tuple[int, int]] = {}
        wilds = self.wilds
        for suit in range(4):
            for low, lacking in _windows(self.suits[suit], wilds):
                if low not in found or lacking < found[low][0]:
                    found[low] = (lacking, suit)
        readings = self.readings["straight_flush"]
        for low in sorted(found):
            reading = readings[low + 4]
            if reading.order > above:
                suit = found[low][1]
                mask, first = self.suits[suit], 13 * suit
                plays.append(
                    Play(
                        tuple([DECK[first + place] if mask >> place & 1 else self.wild for place in _RUN_OF_5[low]]),
                        reading,
                    )
                )

    def straights(self, above: int, plays: list[Play]) -> None:
        """Straights that are not of one suit by nature, highest rank over *above*."""
        by_place, wild, readings = self.by_place, self.wild, self.readings["straight"]
        mask = 0
        for place in range(13):
            if self.count[place]:
                mask |= 1 << place
        for low, lacking in _windows(mask, self.wilds):
            if low + 4 <= above:
                continue
            groups = [by_place[place] for place in _RUN_OF_5[low]]
            cards = [group[0] if group else wild for group in groups]
            suits = {card.suit for card in cards if card is not wild}
            if len(suits) == 1 and not self._mix(cards, groups, suits.pop(), lacking):
                continue
            plays.append(Play(tuple(cards), readings[low + 4]))

    def multiples(self, type: str, each: int, length: int, above: int, plays: list[Play]) -> None:
        """Tubes (*each* 2, *length* 3) and plates (3, 2) with their highest rank over *above*."""
        by_place, wild, wilds, readings = self.by_place, self.wild, self.wilds, self.readings[type]
        lacking = [each - count if count < each else 0 for count in self.count[:13]]
        lacking.insert(0, lacking[12])  # the ace stands below 2 as well
        for low in range(max(0, above - length + 3), 15 - length):
            if sum(lacking[low : low + length]) <= wilds:
                cards: list[Card] = []
                for step in range(low, low + length):
                    cards += by_place[(step - 1) % 13][:each]
                    if lacking[step]:
                        cards += [wild] * lacking[step]
                plays.append(Play(tuple(cards), readings[low + length - 2]))

    def _mix(self, cards: list[Card], groups: list[list[Card]], suit: str, lacking: int) -> bool:
        """Make a run of one suit a plain straight: by another natural card, else by a wild where that counts."""
        for at, group in enumerate(groups):
            for card in group:
                if card.suit != suit:
                    cards[at] = card
                    return True
        if self.disputes is not None and not self.disputes.plain_straight_of_suited_wild_run:
            return False
        if not lacking and self.wilds:
            # A level card's own place first: there the wild stands for itself.
            cards[next((at for at, card in enumerate(cards) if card.rank == self.level), 4)] = self.wild
            return True
        return lacking > 0

    # --- full houses ---

    def full_houses(self, above: int, plays: list[Play]) -> None:
        """One for each rank of the triple over *above*, with the least useful pair that costs the fewest wilds."""
        by_place, wild, wilds, readings = self.by_place, self.wild, self.wilds, self.readings["full_house"]
        pairs: list[tuple[int, int, int]] | None = None
        for place, count in enumerate(self.count[:13]):
            if count + wilds < 3 or not count or readings[place].order[1] <= above:
                continue
            if pairs is None:
                pairs = self._pairs()
            lacking = 3 - count if count < 3 else 0
            left = wilds - lacking
            for needs, _, other in pairs:
                if needs > left:
                    continue
                if other != place:
                    pair = by_place[other][:2] if not needs else [*by_place[other], wild]
                    break
            else:
                if left < 2 or not self._wild_pair_counts(place):
                    continue
                pair = [wild, wild]
            plays.append(Play((*by_place[place][:3], *(wild,) * lacking, *pair), readings[place]))

    def _pairs(self) -> list[tuple[int, int, int]]:
        """Pairs for a full house, best first: (wilds it needs, how much it would be missed, place)."""
        found: list[tuple[int, int, int]] = []
        jokers = self.disputes is None or self.disputes.joker_pair_in_full_house
        for place, count in enumerate(self.count):
            if count >= 2:
                if place < 13 or jokers:
                    # An even pair is given before a triple is broken, a bomb last, jokers after all.
                    found.append((0, 100 * (count - 2 if place < 13 else 9) + place, place))
            elif count and place < 13 and self.wilds:
                found.append((1, place, place))
        found.sort()
        return found

    def _wild_pair_counts(self, place: int) -> bool:
        return place != self.level_place or self.disputes is None or self.disputes.full_house_of_five_level_cards


_RUN_OF_5: Final = {low: tuple((low + step) % 13 for step in range(5)) for low in range(-1, 9)}
_BOMB_OF: Final = {size: f"bomb {size}" for size in range(4, 11)}

_LED: Final[dict[str, Callable[[_Hand, int, list[Play]], None]]] = {
    "single": lambda hand, above, plays: hand.equals("single", 1, above, plays),
    "pair": lambda hand, above, plays: hand.equals("pair", 2, above, plays),
    "triple": lambda hand, above, plays: hand.equals("triple", 3, above, plays),
    "full_house": _Hand.full_houses,
    "straight": _Hand.straights,
    "tube": lambda hand, above, plays: hand.multiples("tube", 2, 3, above, plays),
    "plate": lambda hand, above, plays: hand.multiples("plate", 3, 2, above, plays),
}
"""How each kind but the bombs is found, over a power or a place."""
_NO_BOMB: Final = (0, 99)


def legal_plays(hand: Sequence[Card], over: Reading | None, level: str, ruleset: Disputes | None = None) -> list[Play]:
    """One play for each (type, size, rank) that *hand* can lead, or with *over* that beats it; smallest kinds first.

    Natural cards are preferred to wilds. Without a ruleset every disputed reading counts. A pass is no play.
    """
    sorted_hand = _Hand(hand, level, ruleset)
    plays: list[Play] = []
    if over is None:
        for find in _LED.values():
            find(sorted_hand, -1, plays)
        sorted_hand.bombs(_NO_BOMB, plays)
    elif over.is_bomb:
        sorted_hand.bombs(over.order, plays)
    else:
        _LED[over.type](sorted_hand, over.order[1], plays)
        sorted_hand.bombs(_NO_BOMB, plays)
    return plays
