"""Swiss rounds by general matching: the pairing is the best there is by these rules, in this order.

Never: a game that was played, a second bye. As little as possible: games within a club; squared differences of points;
the same entrant floating the same way again. What is left is decided by lot with the round's published seed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from venue.desk.draw import order
from venue.desk.knockout import Game
from venue.desk.matching import best_pairs
from venue.sentences import Impossible


@dataclass(frozen=True)
class Player:
    """One entrant before a round. *points* count in halves if need be; *met* are the numbers it has played."""

    number: int
    points: float = 0.0
    met: frozenset[int] = frozenset()
    club: str = ""
    had_bye: bool = False
    floated: int = 0
    """1 when it met somebody with more points in the last round, -1 with fewer, 0 neither."""


def pair(players: Sequence[Player], seed: str) -> list[Game]:
    """The round's games, highest points first, and the bye last.

    :raises Impossible: when the rules leave no pairing, naming what stands in the way.
    """
    if len(players) < 2:
        raise Impossible("two_for_round")
    drawn = order(seed, [player.number for player in players])
    lots = {number: place for place, number in enumerate(drawn)}
    ordered = sorted(players, key=lambda player: (-player.points, lots[player.number]))
    odd = len(ordered) % 2 == 1
    if odd and all(player.had_bye for player in ordered):
        raise Impossible("byes_used")
    lowest = min(player.points for player in ordered)
    count = len(ordered)
    # each weight outweighs everything below it, summed over all games
    by_lot = max(count, 2)
    float_weight = by_lot * count
    score_weight = float_weight * 2 * count
    widest = max(int(2 * (player.points - lowest)) for player in ordered) + 1
    club_weight = score_weight * widest * widest * count
    # A club of more than half the field must meet itself, and once more for each game among the others. To charge these
    # for it instead adds the same to every pairing, and lets the games that have to be look as cheap as they are.
    clubs = Counter(player.club for player in ordered if player.club)
    largest = max(clubs, key=clubs.__getitem__, default="")
    crowded = 2 * clubs[largest] > count + odd
    aside = [1 if player.club == largest else 0 for player in ordered]

    def cost(i: int, j: int) -> int | None:
        one = ordered[i]
        if j == count:  # the bye
            if one.had_bye:
                return None
            price = score_weight * int(2 * (one.points - lowest)) ** 2 + count - 1 - lots[one.number]
            return price + (club_weight if crowded and not aside[i] else 0)
        other = ordered[j]
        if other.number in one.met:
            return None
        difference = int(2 * (one.points - other.points))
        price = score_weight * difference * difference
        if one.club and one.club == other.club:
            price += club_weight
        if crowded:
            price += club_weight * (1 - aside[i] - aside[j])
        if difference > 0:
            price += float_weight * ((one.floated == -1) + (other.floated == 1))
        return price + _lot(lots[one.number], lots[other.number]) % by_lot

    pairs = best_pairs(count + odd, cost)
    if pairs is None:
        raise _why_not(ordered, odd)
    games: list[Game] = [(ordered[i].number, ordered[j].number if j < count else None) for i, j in pairs]
    return sorted(games, key=lambda game: game[1] is None)


def _lot(one: int, other: int) -> int:
    """32 bits that tell nothing of the two places they come from, mixed as hashes are finished: a plain sum's remainder
    favours some games over others, and is the slowest there is to tell apart."""
    mixed = (one * 0x9E3779B1 + other * 0x85EBCA77) & 0xFFFFFFFF
    mixed = (mixed ^ mixed >> 15) * 0x2C1B3C6D & 0xFFFFFFFF
    mixed = (mixed ^ mixed >> 12) * 0x297A2D39 & 0xFFFFFFFF
    return mixed ^ mixed >> 15


def _why_not(players: Sequence[Player], odd: bool) -> Impossible:
    numbers = {player.number for player in players}
    for player in players:
        if not numbers - player.met - {player.number} and not (odd and not player.had_bye):
            return Impossible("met_everybody", number=player.number)
    return Impossible("no_pairing")


def warnings(games: Sequence[Game], players: Mapping[int, Player]) -> list[tuple[str, Game]]:
    """What a pairing made by hand breaks: "rematch", "same_club", "second_bye", "far_apart" or "twice"; and where."""
    found: list[tuple[str, Game]] = []
    seen: set[int] = set()
    for game in games:
        one, other = players[game[0]], players[game[1]] if game[1] is not None else None
        if other is None:
            if one.had_bye:
                found.append(("second_bye", game))
        else:
            if other.number in one.met:
                found.append(("rematch", game))
            if one.club and one.club == other.club:
                found.append(("same_club", game))
            if abs(one.points - other.points) > 2:
                found.append(("far_apart", game))
        for number in game:
            if number is not None and number in seen:
                found.append(("twice", game))
            if number is not None:
                seen.add(number)
    return found


def floats(games: Collection[Game], points: Mapping[int, float]) -> dict[int, int]:
    """Who floated which way in a round, by the points before it."""
    way: dict[int, int] = {}
    for one, other in games:
        if other is not None and points[one] != points[other]:
            way[one] = 1 if points[one] < points[other] else -1
            way[other] = -way[one]
    return way
