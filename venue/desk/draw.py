"""Drawing lots that anybody can repeat: the order of SHA-256 over the published seed and each one's number.

``printf '%s' '2026春:17' | sha256sum`` gives number 17's lot; the lowest lot is drawn first. No library, no state, no
order of entry matters, and whoever sees the seed afterwards can check every place of the draw.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from venue.sentences import Impossible

T = TypeVar("T", int, str)

COLOURS: Final = ("orange", "green")
"""Of a tag with four holders: two orange sit north-south, two green east-west; the same colour is a pair."""


def lot(seed: str, who: int | str) -> str:
    """The lot of *who*: 64 hexadecimal digits."""
    return hashlib.sha256(f"{seed}:{who}".encode()).hexdigest()


def order(seed: str, all_of_them: Iterable[T]) -> list[T]:
    """*all_of_them* as they are drawn."""
    return sorted(all_of_them, key=lambda who: (lot(seed, who), who))


def partners(seed: str, singles: Iterable[T]) -> list[tuple[T, T]]:
    """Single entries drawn into pairs: the first two lots, the next two, …

    :raises Impossible: for an odd number.
    """
    drawn = order(seed, singles)
    if len(drawn) % 2:
        raise Impossible("odd_players", n=len(drawn))
    return [(drawn[place], drawn[place + 1]) for place in range(0, len(drawn), 2)]


def tags(seed: str, singles: Iterable[T], letters: Sequence[str] = ("A", "B")) -> dict[T, tuple[str, str]]:
    """Tags and colours as `zhongqing` draws them: the same tag is a table, the same colour a pair.

    Gives each single entry (tag, colour), tags A1, A2, … spread evenly over *letters*.

    :raises Impossible: when the number is no multiple of four times the letters.
    """
    drawn = order(seed, singles)
    tables, over = divmod(len(drawn), 4)
    if over or tables % len(letters):
        raise Impossible("uneven_tables", n=len(drawn), letters=len(letters))
    a_letter = tables // len(letters)
    given: dict[T, tuple[str, str]] = {}
    for place, who in enumerate(drawn):
        letter, number = divmod(place // 4, a_letter)
        given[who] = (f"{letters[letter]}{number + 1}", COLOURS[place % 4 // 2])
    return given


def north_south(seed: str, table: int | str, one: T, other: T) -> tuple[T, T]:
    """Who of two pairs sits north-south at *table*, first in the answer: the lower lot."""
    first, second = order(f"{seed}:{table}", (one, other))
    return first, second
