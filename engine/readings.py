"""Readings: what a set of cards can be, and which of two is the stronger.

Every rank pattern that is a combination, with up to two of its cards replaced by wilds, is listed once in a table of
some 2,000 entries; a set of cards becomes one number (:attr:`Card.code`), and reading it is one look-up. Suits matter
for a straight flush alone and are looked at only when the pattern is a straight.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Final, NamedTuple, Protocol

from engine.cards import BLACK_JOKER, DECK, RANKS, RED_JOKER, Card, shown
from engine.errors import Ambiguous, Impossible, Sentence, Unreadable

TYPES: Final = (
    "single", "pair", "triple", "full_house", "straight", "tube", "plate",
    "bomb", "straight_flush", "joker_bomb",
)  # fmt: skip
"""Tube is 三连对 (three consecutive pairs), plate is 钢板 (two consecutive triples)."""
BOMBS: Final = frozenset({"bomb", "straight_flush", "joker_bomb"})
CONSECUTIVE: Final = frozenset({"straight", "tube", "plate", "straight_flush"})
LARGEST: Final = 10
"""Cards in the largest combination: eight of a rank and both wilds."""

# How the bombs stand to each other: the straight flush between five and six equal ranks, four jokers over all.
_BOMB_TIER: Final = {4: 1, 5: 2, 6: 4, 7: 5, 8: 6, 9: 7, 10: 8}
_FLUSH_TIER: Final = 3
_JOKER_TIER: Final = 9


class Reading(NamedTuple):
    """One meaning of a set of cards; ``order`` compares within a type and size, and among bombs."""

    type: str
    size: int
    rank: str | None
    """The rank that decides: highest card of a consecutive one, triple of a full house, ``None`` for four jokers."""
    order: tuple[int, int]
    """Bomb tier (0 for what is no bomb), then the rank's power."""

    @property
    def is_bomb(self) -> bool:
        return self.order[0] > 0

    def to_dict(self) -> dict[str, Any]:
        return {"type": self.type, "size": self.size, "rank": self.rank}

    @property
    def sentence(self) -> Sentence:
        """As people say it, in either language."""
        rank = {BLACK_JOKER: Sentence("black_joker"), RED_JOKER: Sentence("red_joker"), "T": "10"}
        return Sentence(f"type_{self.type}", rank=rank.get(self.rank or "", self.rank), size=self.size)

    def __str__(self) -> str:
        return str(self.sentence)


class Disputes(Protocol):
    """What a ruleset says about the readings that documents dispute."""

    @property
    def plain_straight_of_suited_wild_run(self) -> bool: ...
    @property
    def full_house_of_five_level_cards(self) -> bool: ...
    @property
    def joker_pair_in_full_house(self) -> bool: ...
    @property
    def undeclared_wild(self) -> str: ...


def power(rank: str, level: str) -> int:
    """The power of *rank* outside consecutive combinations: 2 is 0 … A 12, level 13, black joker 14, red joker 15."""
    if rank == level:
        return 13
    return {BLACK_JOKER: 14, RED_JOKER: 15}.get(rank) or RANKS.index(rank)


def order_of(type: str, size: int, rank: str | None, level: str) -> tuple[int, int]:
    """What :attr:`Reading.order` is for this meaning at *level*."""
    if rank is None:
        return _JOKER_TIER, 0
    if type == "straight_flush":
        return _FLUSH_TIER, RANKS.index(rank)
    if type == "bomb":
        return _BOMB_TIER[size], power(rank, level)
    return 0, RANKS.index(rank) if type in CONSECUTIVE else power(rank, level)


# --- the table of patterns ------------------------------------------------------------------------------------------

_Shape = tuple[str, int, str | None]
_RANKS_AND_JOKERS: Final = (*RANKS, BLACK_JOKER, RED_JOKER)
_CODES: Final = tuple(1 << 4 * place for place in range(15))


def _run(length: int) -> Iterator[tuple[str, list[int]]]:
    """Each run of *length* ranks with its highest rank; A stands low next to 2 and high next to K."""
    for low in range(-1, 14 - length):
        yield RANKS[low + length - 1], [(low + step) % 13 for step in range(length)]


def _patterns() -> Iterator[tuple[_Shape, list[int]]]:
    """Every combination as places of its cards, wilds not yet considered."""
    for place, rank in enumerate(_RANKS_AND_JOKERS):
        yield ("single", 1, rank), [place]
        yield ("pair", 2, rank), [place] * 2
    for place, rank in enumerate(RANKS):
        yield ("triple", 3, rank), [place] * 3
        for other in range(15):
            if other != place:
                yield ("full_house", 5, rank), [place] * 3 + [other] * 2
        for size in range(4, LARGEST + 1):
            yield ("bomb", size, rank), [place] * size
    for rank, run in _run(5):
        yield ("straight", 5, rank), run
    for rank, run in _run(3):
        yield ("tube", 6, rank), run * 2
    for rank, run in _run(2):
        yield ("plate", 6, rank), run * 3
    yield ("joker_bomb", 4, None), [13, 13, 14, 14]


def _table() -> tuple[dict[int, tuple[_Shape, ...]], ...]:
    """For 0, 1 and 2 wilds: the rank code of the natural cards to every shape they make with those wilds."""
    tables: list[dict[int, dict[_Shape, None]]] = [{}, {}, {}]
    for shape, places in _patterns():
        for wilds, table in enumerate(tables):
            if wilds >= len(places):
                break  # wilds alone stand for nothing: they are level cards
            replaceable = [at for at, place in enumerate(places) if place < 13]
            for gone in combinations(replaceable, wilds):
                code = sum(_CODES[place] for at, place in enumerate(places) if at not in gone)
                table.setdefault(code, {})[shape] = None
    return tuple({code: tuple(shapes) for code, shapes in table.items()} for table in tables)


_SHAPES: Final = _table()
_RANK_BITS: Final = (1 << 60) - 1
# Suit counts (four bits each, above the ranks) of naturals that all have one suit, by number of wilds among five cards.
_ONE_SUIT: Final = tuple(frozenset((5 - wilds) << 4 * suit for suit in range(4)) for wilds in range(3))


class _Level:
    """One level's look-ups: pattern tables with finished readings, filled as they are asked for."""

    def __init__(self, level: str) -> None:
        self.level = level
        self.wild = DECK[13 + RANKS.index(level)]
        self.plain: tuple[dict[int, tuple[Reading, ...]], ...] = tuple(
            {code: self._finish(shapes) for code, shapes in table.items()} for table in _SHAPES
        )
        self.suited: tuple[dict[int, tuple[Reading, ...]], ...] = tuple(
            {
                code: self._finish([("straight_flush", 5, shape[2]) for shape in straights] + straights * (wilds > 0))
                for code, shapes in table.items()
                if (straights := [shape for shape in shapes if shape[0] == "straight"])
            }
            for wilds, table in enumerate(_SHAPES)
        )
        # Wilds alone are level cards.
        self.alone = (
            (),
            self._finish([("single", 1, level)]),
            self._finish([("pair", 2, level)]),
        )

    def _finish(self, shapes: Sequence[_Shape]) -> tuple[Reading, ...]:
        found = [Reading(*shape, order_of(shape[0], shape[1], shape[2], self.level)) for shape in shapes]
        found.sort(key=strength, reverse=True)
        return tuple(found)


_levels: dict[str, _Level] = {}


def level_tables(level: str) -> _Level:
    """The look-ups of *level*, made on first use.

    :raises Unreadable: when *level* is no rank letter.
    """
    tables = _levels.get(level)
    if tables is None:
        if level not in RANKS or len(level) != 1:
            raise Unreadable("no_level", value=shown(level))
        tables = _levels[level] = _Level(level)
    return tables


# --- reading --------------------------------------------------------------------------------------------------------


def strength(reading: Reading) -> tuple[tuple[int, int], int]:
    """Sorts readings of one set: what an undeclared wild is taken for is the largest by this.

    Bombs before the rest, then the higher deciding rank. Where two kinds share the rank (KKAA with two wilds is
    QQKKAA and KKKAAA), the kind later in :data:`TYPES`: the plate, which takes the rarer cards.
    """
    return reading.order, TYPES.index(reading.type)


def readings(cards: Sequence[Card], level: str, ruleset: Disputes | None = None) -> list[Reading]:
    """Every meaning of *cards* at *level*, strongest first; empty when they are no combination.

    Each wild among other cards stands for any card but a joker; wilds alone are level cards. Without a ruleset every
    disputed reading counts. The number of copies is not looked at: see :func:`engine.cards.check_pack`.
    """
    tables = _levels.get(level) or level_tables(level)
    size = len(cards)
    if size > LARGEST:
        return []
    code = 0
    for card in cards:
        code += card.code
    wild = tables.wild
    wilds = cards.count(wild)
    if wilds:
        if wilds > 2:
            return []
        if wilds == size:
            return list(tables.alone[wilds])
        code -= wilds * wild.code
    found = tables.plain[wilds].get(code & _RANK_BITS)
    if found is None:
        return []
    if size == 5 and code >> 60 in _ONE_SUIT[wilds]:
        found = tables.suited[wilds].get(code & _RANK_BITS, found)
    if ruleset is None:
        return list(found)
    return [reading for reading in found if _counts(reading, cards, level, wilds, found, ruleset)]


def _counts(
    reading: Reading, cards: Sequence[Card], level: str, wilds: int, found: Sequence[Reading], ruleset: Disputes
) -> bool:
    """Whether *ruleset* lets a disputed *reading* count."""
    if reading.type == "straight":
        return ruleset.plain_straight_of_suited_wild_run or all(other.type != "straight_flush" for other in found)
    if reading.type == "full_house":
        if not ruleset.joker_pair_in_full_house and any(card.is_joker for card in cards):
            return False
        if not ruleset.full_house_of_five_level_cards and wilds == 2:
            return not all(card.rank == level for card in cards)
    return True


def default_reading(found: Sequence[Reading], ruleset: Disputes | None = None) -> int | None:
    """Which of *found* counts when nothing was declared: its place in the list; ``None`` of none.

    ``national`` takes the larger: of KK66 and a wild KKK66, of 7788 and two wilds 778899, the bomb before the rest
    (:func:`strength`).
    """
    if not found:
        return None
    if ruleset is not None and ruleset.undeclared_wild == "smaller":
        return len(found) - 1
    return 0


def beats(a: Reading, b: Reading, level: str | None = None) -> bool:
    """Whether *a* beats *b*: any bomb beats what is no bomb, bombs by tier and rank, others within type and size.

    With *level* both are compared at that level, whatever level they were read at.
    """
    if level is not None:
        a, b = (reading._replace(order=order_of(*reading[:3], level)) for reading in (a, b))
    if a.order[0] or b.order[0]:
        return a.order > b.order
    return a.type == b.type and a.size == b.size and a.order > b.order


def declared(found: Sequence[Reading], wanted: Reading | Mapping[str, Any] | str) -> Reading:
    """The one of *found* that *wanted* names: a reading, a mapping (size and rank may be left out), or a type's name.

    :raises Unreadable: when *wanted* is no reading.
    :raises Impossible: when the cards have no such reading.
    :raises Ambiguous: when several fit and rank or size would tell them apart.
    """
    wanted = {"type": wanted} if isinstance(wanted, str) else wanted
    if isinstance(wanted, Reading):
        wanted = wanted.to_dict()
    if not isinstance(wanted, Mapping) or wanted.get("type") not in TYPES:
        raise Unreadable("no_reading", wanted=_shown(wanted), types=TYPES)
    size, rank = wanted.get("size"), wanted.get("rank")
    if rank is not None and isinstance(rank, str):
        rank = {"10": "T", "小王": BLACK_JOKER, "大王": RED_JOKER}.get(rank, rank.upper())
    fits = [
        reading
        for reading in found
        if reading.type == wanted["type"] and size in (None, reading.size) and rank in (None, reading.rank)
    ]
    if not fits:
        offered = [reading.sentence for reading in found] or Sentence("note_no_combination")
        raise Impossible("not_so_read", wanted=_shown(wanted), offered=offered)
    if len(fits) > 1:
        raise Ambiguous("several_readings", wanted=_shown(wanted), ranks=[reading.rank for reading in fits])
    return fits[0]


def _shown(wanted: object) -> str:
    if isinstance(wanted, Mapping):
        words = [str(wanted[key]) for key in ("type", "size", "rank") if wanted.get(key) is not None]
        return " ".join(words)[:60] or "{}"
    return shown(wanted)
