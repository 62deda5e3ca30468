"""The best pairing is the best: against trying all of them, and against its own proof on larger ones."""

import random
from dataclasses import replace
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import Impossible
from venue.desk import swiss
from venue.desk.matching import best_pairs


def all_tried(count, table):
    """The least sum over every perfect matching, by trying them all; None when there is none."""

    @cache
    def least(left):
        if not left:
            return 0
        first, rest = left[0], left[1:]
        sums = []
        for place, other in enumerate(rest):
            price = table.get((first, other))
            if price is not None:
                below = least(rest[:place] + rest[place + 1 :])
                if below is not None:
                    sums.append(price + below)
        return min(sums, default=None)

    return least(tuple(range(count)))


def check(count, table):
    pairs = best_pairs(count, lambda i, j: table.get((i, j)))
    expected = all_tried(count, table)
    if expected is None:
        assert pairs is None
        return
    assert pairs is not None
    assert sorted(vertex for pair in pairs for vertex in pair) == list(range(count))
    assert sum(table[pair] for pair in pairs) == expected


@given(
    st.integers(0, 2**32),
    st.sampled_from([2, 4, 6, 8, 10, 12]),
    st.floats(0.15, 1),
    st.sampled_from([2, 5, 40, 10**12]),
)
@settings(max_examples=400, deadline=None)
def test_no_pairing_is_cheaper(seed, count, density, dearest):
    rng = random.Random(seed)
    check(
        count,
        {
            (i, j): rng.randrange(-dearest, dearest)
            for i in range(count)
            for j in range(i + 1, count)
            if rng.random() < density
        },
    )


def test_rings_within_rings():
    # odd rings that share vertices: each has to be joined, opened and turned
    for seed in range(300):
        rng = random.Random(seed)
        table = {}
        for start in range(0, 12, 3):
            for a, b in ((0, 1), (1, 2), (0, 2)):
                table[start + a, start + b] = rng.randrange(3)
        for _ in range(8):
            i, j = sorted(rng.sample(range(12), 2))
            table.setdefault((i, j), rng.randrange(1, 9))
        check(12, table)


def test_an_odd_number_has_no_pairing():
    assert best_pairs(3, lambda i, j: 0) is None
    assert best_pairs(0, lambda i, j: 0) == []


def test_a_hall_of_pairs_where_the_cheap_games_are_forbidden():
    # everybody's nearest are gone: the thin graph is not enough and the proof has to ask for more
    pairs = best_pairs(60, lambda i, j: (i - j) ** 2 if abs(i - j) > 13 else None)
    assert pairs is not None and len(pairs) == 30


@given(st.integers(0, 2**32), st.integers(2, 9), st.sampled_from([0.5, 0.7, 0.9, 1.0]))
@settings(max_examples=150, deadline=None)
def test_a_round_with_a_club_of_more_than_half_keeps_clubs_apart_as_far_as_can_be_and_then_points(seed, count, share):
    rng = random.Random(seed)
    players = [
        swiss.Player(
            n, rng.randrange(4), frozenset(), "big" if rng.random() < share else rng.choice(["", "small"]),
            rng.random() < 0.3,
        )
        for n in range(1, count + 1)
    ]  # fmt: skip
    met = [(one, two) for one in range(1, count + 1) for two in range(1, one) if rng.random() < 0.2]
    known = {
        player.number: replace(
            player, met=frozenset(sum(pair) - player.number for pair in met if player.number in pair)
        )
        for player in players
    }
    lowest = min(player.points for player in players)

    def rules(one, other):
        """Games within a club, then squared differences; None for what may never be."""
        if other is None:
            return None if known[one].had_bye else (0, (2 * (known[one].points - lowest)) ** 2)
        first, second = known[one], known[other]
        if other in first.met:
            return None
        return int(first.club == second.club != ""), (2 * (first.points - second.points)) ** 2

    @cache
    def best(left):
        if not left:
            return 0, 0
        one, found = left[0], []
        for other in [*left[1:], *([None] if len(left) % 2 else [])]:
            rest = best(tuple(n for n in left[1:] if n != other))
            if rest is not None and (price := rules(one, other)) is not None:
                found.append((rest[0] + price[0], rest[1] + price[1]))
        return min(found, default=None)

    expected = best(tuple(known))
    try:
        games = swiss.pair(list(known.values()), "s")
    except Impossible:
        assert expected is None
        return
    prices = [rules(*game) for game in games]
    assert (sum(price[0] for price in prices), sum(price[1] for price in prices)) == expected
