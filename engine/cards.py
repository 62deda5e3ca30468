"""Cards, ranks, seats: the nouns every other module speaks.

A card is suit then rank, as the field's platforms write it: ``S8``, ``HT``, ``SB`` (black joker), ``HR`` (red joker).
There is one :class:`Card` object for each of the 54 names, so ``is`` and ``==`` agree; two decks hold each twice, and a
hand is a plain list of cards in which a card may stand twice.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

from engine.errors import Impossible, Sentence, Unreadable

SUITS: Final = "SHCD"
RANKS: Final = "23456789TJQKA"
LEVELS: Final = RANKS
SEATS: Final = ("N", "E", "S", "W")
PLAY_ORDER: Final = ("N", "W", "S", "E")
"""Anticlockwise seen from above: the order in which turns go round the table."""
SIDES: Final = ("NS", "EW")
BLACK_JOKER: Final = "SB"
RED_JOKER: Final = "HR"

_SPOKEN: Final = {"小王": "SB", "大王": "HR"}
_SIGNS: Final = str.maketrans(dict(zip("♠♥♣♦♤♡♧♢", "SHCDSHCD", strict=True)) | {"\ufe0f": None, "\ufe0e": None})
"""Suits as people type them; a picture sign may carry a variation mark."""


class Card:
    """One of the 54 card names, interned: ``Card.parse("s10") is Card.parse("ST")``."""

    __slots__ = ("code", "index", "name", "place", "rank", "suit")

    name: str
    """Suit then rank, ``"S8"``; jokers ``"SB"`` and ``"HR"``."""
    suit: str
    """``S H C D``; a joker has the letter of its name, which no rule compares."""
    rank: str
    """``2 … 9 T J Q K A``; jokers ``"SB"`` and ``"HR"``."""
    index: int
    """0 to 51 by suit then rank, 52 the black joker, 53 the red one."""
    place: int
    """The rank's natural place: 2 is 0 … A is 12, black joker 13, red joker 14."""
    code: int
    """A number whose sum over cards counts them: four bits for each of 15 places, then four for each suit."""

    def __init__(self, name: str, index: int) -> None:
        self.name, self.index = name, index
        self.suit = name[0]
        self.rank = name if name in (BLACK_JOKER, RED_JOKER) else name[1]
        self.place = index % 13 if index < 52 else index - 39
        self.code = 1 << 4 * self.place
        if index < 52:
            self.code |= 1 << 60 + 4 * (index // 13)

    @staticmethod
    def parse(text: str) -> Card:
        """The card that *text* names; accepts ``10``, lower case, suit signs (``♠8``), 小王 and 大王.

        :raises Unreadable: when *text* names no card.
        """
        card = _BY_NAME.get(text) if isinstance(text, str) else None
        if card is None and isinstance(text, str):
            plain = text.strip().translate(_SIGNS)
            plain = _SPOKEN.get(plain, plain).upper().replace("10", "T")
            card = _BY_NAME.get(plain)
        if card is None:
            raise Unreadable("no_card", text=shown(text))
        return card

    @property
    def is_joker(self) -> bool:
        return self.index >= 52

    def is_wild(self, level: str) -> bool:
        """Whether this is the heart of *level* (逢人配)."""
        return self.suit == "H" and self.rank == level

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"Card.parse({self.name!r})"

    def __lt__(self, other: Card) -> bool:
        return self.index < other.index

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return Card.parse, (self.name,)


DECK: Final = tuple(
    Card(name, index)
    for index, name in enumerate([suit + rank for suit in SUITS for rank in RANKS] + [BLACK_JOKER, RED_JOKER])
)
"""The 54 cards of one deck; a game uses two."""

_BY_NAME: Final = {card.name: card for card in DECK}


def face(card: Card) -> str | Sentence:
    """The card as a person reads it: ``♠8``, ``♥10``; a joker by its name in either language."""
    if card.is_joker:
        return Sentence("black_joker" if card.name == BLACK_JOKER else "red_joker")
    return "♠♥♣♦"[SUITS.index(card.suit)] + ("10" if card.rank == "T" else card.rank)


def seat_said(seat: str | None) -> Sentence:
    """The seat as a person says it, in either language."""
    return Sentence(f"seat_{seat}")


def parse_cards(texts: Iterable[str] | str) -> list[Card]:
    """The cards that *texts* name: a list of names, or one string with spaces between.

    :raises Unreadable: at the first that names no card.
    """
    names = texts.split() if isinstance(texts, str) else list(texts)
    try:
        return [_BY_NAME[name] for name in names]
    except (KeyError, TypeError):
        return [Card.parse(name) for name in names]  # other spellings, or the one that is no card


def check_pack(cards: Sequence[Card]) -> None:
    """Refuse cards that two decks cannot hold.

    :raises Impossible: at a card that stands more than twice.
    """
    for card in cards:
        if cards.count(card) > 2:
            raise Impossible("three_copies", card=card.name, count=cards.count(card))


def parse_level(value: object) -> str:
    """The rank letter that *value* names; accepts ``10``, lower case and whole numbers.

    :raises Unreadable: when *value* names no rank.
    """
    text = str(value).strip().upper() if isinstance(value, (str, int)) and not isinstance(value, bool) else ""
    text = "T" if text == "10" else text
    if len(text) != 1 or text not in RANKS:
        raise Unreadable("no_level", value=shown(value))
    return text


def shown(value: Any) -> str:
    """*value* as it was given, for a sentence: JSON, cut short."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else f"{text[:60]}…"


def side_of(seat: str) -> str:
    """``"NS"`` or ``"EW"``."""
    return "NS" if seat in "NS" else "EW"


def partner_of(seat: str) -> str:
    return {"N": "S", "S": "N", "E": "W", "W": "E"}[seat]


def next_seat(seat: str) -> str:
    """The seat whose turn comes after *seat*: anticlockwise."""
    return PLAY_ORDER[(PLAY_ORDER.index(seat) + 1) % 4]
