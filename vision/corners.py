"""Cards that show their index in all four corners: one card each, however many of its corners are seen.

Every deck has an index at the top left and, turned round, at the bottom right; :mod:`vision.layout` joins these. Many
decks with large indices print all four, and some jokers are lettered in between as well. Such a deck gives itself away:
an index straight below another, turned round, a card's length off. Were these two cards, one would hide the other's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, groupby, permutations
from typing import TYPE_CHECKING, Final

import numpy as np

from vision.mat import CARD_MM

if TYPE_CHECKING:
    from vision.layout import Index, Placed, Shape

BESIDE: Final = 0.45
"""Largest miss of a corner's place across, in index heights: two equal cards side by side lie farther off."""
BELOW: Final = 0.5
WIDTH: Final = 0.12
"""By how much of it one card's width may seem to differ from another's of its deck."""
BETWEEN: Final = 0.2
"""Nearer to either side than this share of the way is not between them."""
ROW: Final = 0.5
"""How far, in index heights, an index may lie outside of the two sides' rows and still be between them."""
OTHER_NAME: Final = 0.5
"""What another name adds to a miss: of one card's two corners one may be misread."""
HALF_HIDDEN: Final = 0.05
"""Probability that a corner must give the other corner's name to be of its card."""
ALIGNED: Final = 0.86
JOKER_SIDE: Final = (48.0, 82.0)
"""Where a joker's index at the same side lies, in millimetres down: a card is 88 long, its margins 3 to 5, and a word
written downwards takes up to 30, which puts its middle 18 from the edge."""
JOKER_WIDE: Final = (34.0, 53.0)
"""The same from one side to the other."""
SQUARE: Final = 0.12
"""Largest cosine of the angle at a card's corner."""
EDGE_MM: Final = 4.0
INSIDE_MM: Final = 2.0

Join = Callable[[Sequence["Index"]], list[list["Index"]]]


def gathered(indices: Sequence[Index], join: Join, shape: Shape | None, px_per_mm: float | None) -> list[list[Index]]:
    """*indices* by card; what belongs to no card with more than two corners is left to *join*."""
    plain = [index for index in indices if not index.card.is_joker]
    groups: list[list[Index]] = []
    if shape is not None:
        groups = _four_cornered(plain, shape, join)
    if px_per_mm is not None:
        by_name = sorted((i for i in indices if i.card.is_joker), key=lambda index: index.card.index)
        for _, jokers in groupby(by_name, key=lambda index: index.card.index):
            groups += _lettered(list(jokers), px_per_mm)
    taken = {id(index) for group in groups for index in group}
    return groups + join([index for index in indices if id(index) not in taken])


def _offset(a: Index, b: Index, turned: bool) -> tuple[float, float] | None:
    """Offset of *b* from *a* in pixels, right and down in the card's own frame; *turned*: *b* stands upside down in
    it. None when their directions say otherwise."""
    sign = -1.0 if turned else 1.0
    if sign * (a.dx * b.dx + a.dy * b.dy) < ALIGNED:
        return None
    ux, uy = a.dx + sign * b.dx, a.dy + sign * b.dy
    long = float(np.hypot(ux, uy))
    ux, uy = ux / long, uy / long
    vx, vy = b.x - a.x, b.y - a.y
    return -uy * vx + ux * vy, -(ux * vx + uy * vy)


def _four_cornered(indices: Sequence[Index], shape: Shape, join: Join) -> list[list[Index]]:
    """The cards of a four-cornered deck that show two corners of one side or more; none for any other deck."""
    across, down = shape.opposite()
    sides: list[tuple[float, int, int]] = []
    for one, a in enumerate(indices):
        for two in range(one + 1, len(indices)):
            off, size = _offset(a, indices[two], True), (a.size + indices[two].size) / 2
            if off is not None:
                miss = float(np.hypot(off[0] / size / BESIDE, (off[1] / size - down) / BELOW))
                if miss <= 1:
                    sides.append((miss + (0.0 if a.card is indices[two].card else OTHER_NAME), one, two))
    # Two cards beside each other that show both their own corners each are no such deck.
    single = {id(group[0]) for group in join(indices) if len(group) == 1} if sides else set()
    if not any(
        indices[one].card is indices[two].card and (id(indices[one]) in single or id(indices[two]) in single)
        for _, one, two in sides
    ):
        return []
    pairs = [[indices[one], indices[two]] for one, two in _matched(sides)]
    tops: list[tuple[float, int, int]] = []
    rest = [index for index in indices if not any(index is each for pair in pairs for each in pair)]
    units = pairs + [[index] for index in rest]
    for one, unit in enumerate(units):
        for two in range(one + 1, len(units)):
            if _may_be_one(unit, units[two]) and not _between(unit, units[two], indices):
                miss = float(np.mean([_beside(a, b, across, down) for a in unit for b in units[two]]))
                if miss <= 1:
                    tops.append((miss, one, two))
    joined = _of_one_width(_matched(tops), units)
    alone = set(range(len(pairs))) - {place for pair in joined for place in pair}
    return [units[one] + units[two] for one, two in joined] + [units[place] for place in sorted(alone)]


def _may_be_one(unit: Sequence[Index], other: Sequence[Index]) -> bool:
    """Whether both name one card, or one is a half-hidden corner that may well be the other's."""
    a, b = unit[0], other[0]
    return a.card is b.card or max(a.probs.get(b.card, 0.0), b.probs.get(a.card, 0.0)) >= HALF_HIDDEN


def _of_one_width(joined: Sequence[tuple[int, int]], units: Sequence[Sequence[Index]]) -> list[tuple[int, int]]:
    """*joined*, best first, but those whose sides lie otherwise apart than the best one's: a deck's cards are of one
    width, and two equal cards may lie a wide step apart."""
    if not joined:
        return []
    width = _apart(units[joined[0][0]], units[joined[0][1]])
    return [
        pair for pair in joined if abs(_apart(units[pair[0]], units[pair[1]]) - width) <= WIDTH * width
    ]  # fmt: skip


def _apart(unit: Sequence[Index], other: Sequence[Index]) -> float:
    """Pixels from one side to the other, along the card's own right."""
    right = np.array([-unit[0].dy, unit[0].dx])
    middles = [float(np.mean([right @ (i.x, i.y) for i in side])) for side in (unit, other)]
    return abs(middles[1] - middles[0])


def _between(unit: Sequence[Index], other: Sequence[Index], indices: Sequence[Index]) -> bool:
    """Whether an index of another card shows between the two sides: then that card lies over the one, and the other
    side is another card's, two steps on in the fan."""
    axes = np.array([[-unit[0].dy, unit[0].dx], [unit[0].dx, unit[0].dy]])  # right and up of the card
    sides = [np.array([axes @ (i.x, i.y) for i in side]) for side in (unit, other)]
    left, right = sorted(float(side[:, 0].mean()) for side in sides)
    far = right - left
    # Only where both sides show: beneath a card that lies across, one corner of a side may be hidden.
    low, high = (max(s[:, 1].min() for s in sides), min(s[:, 1].max() for s in sides))
    for index in indices:
        if not any(index is each for each in (*unit, *other)):
            x, y = axes @ (index.x, index.y)
            slack = ROW * index.size
            if BETWEEN * far < x - left < (1 - BETWEEN) * far and low - slack <= y <= high + slack:
                return True
    return False


def _matched(edges: Sequence[tuple[float, int, int]]) -> list[tuple[int, int]]:
    """The best edges with no end in common."""
    used: set[int] = set()
    found = []
    for _, one, two in sorted(edges):
        if one not in used and two not in used:
            used |= {one, two}
            found.append((one, two))
    return found


def _beside(a: Index, b: Index, across: float, down: float) -> float:
    """How far *b* is from where a corner at *a*'s other side is, in tolerances."""
    size = (a.size + b.size) / 2
    best = 9.0
    for turned, below in ((False, 0.0), (True, down)):
        off = _offset(a, b, turned)
        if off is not None:
            right = abs(off[0]) / size
            along = (abs(off[1]) if not turned else off[1]) / size
            best = min(best, float(np.hypot((right - across) / BESIDE, (along - below) / BELOW)))
    return best


def _lettered(jokers: list[Index], px_per_mm: float) -> list[list[Index]]:
    """Jokers of one name that show three corners or more; none when no three of them lie as a card's corners do.

    Places alone tell: a star in a ring has no direction.
    """
    at = [np.array([index.x, index.y]) / px_per_mm for index in jokers]
    groups: list[list[Index]] = []
    left = list(range(len(jokers)))
    sides: list[np.ndarray] = []
    for one, corner, two in permutations(range(len(jokers)), 3):
        if not {one, corner, two} <= set(left):
            continue
        across, down = at[one] - at[corner], at[two] - at[corner]
        wide, long = float(np.hypot(*across)), float(np.hypot(*down))
        if not (JOKER_WIDE[0] <= wide <= JOKER_WIDE[1] and JOKER_SIDE[0] <= long <= JOKER_SIDE[1]):
            continue
        if abs(float(across @ down)) > SQUARE * wide * long:
            continue
        inside = [
            each for each in left
            if -EDGE_MM <= (at[each] - at[corner]) @ across / wide <= wide + EDGE_MM
            and -EDGE_MM <= (at[each] - at[corner]) @ down / long <= long + EDGE_MM
        ]  # fmt: skip
        groups.append(sorted((jokers[each] for each in inside), key=lambda index: -index.confidence))
        left = [each for each in left if each not in inside]
        sides.append(down / long)
    # Of a joker under another one side shows.
    for one, two in combinations(list(left), 2):
        apart = at[two] - at[one]
        far = float(np.hypot(*apart))
        straight = any(abs(float(apart @ side)) > 0.97 * far for side in sides)
        if one in left and two in left and straight and JOKER_SIDE[0] <= far <= JOKER_SIDE[1]:
            groups.append([jokers[one], jokers[two]])
            left = [each for each in left if each not in (one, two)]
    return groups


def opposite(members: Sequence[Index]) -> list[Index]:
    """Two opposite ones of a card's corners; empty when it does not show any. What was joined as two corners by itself
    stays two corners."""
    best: list[Index] = []
    far = 0.0
    for one, a in enumerate(members):
        for b in members[one + 1 :]:
            off = _offset(a, b, True)
            if off is not None and off[1] > 0 and abs(off[0]) > max(far, 0.35 * off[1]):
                best, far = [a, b], abs(off[0])
    if not best and len(members) == 2 and not _one_side(members[0], members[1]):
        return list(members)
    return best


def _one_side(a: Index, b: Index) -> bool:
    """Whether *a* and *b* are two corners of one side: one below the other, or both upper or both lower ones."""
    below = _offset(a, b, True)
    return (below is not None and abs(below[0]) < 0.35 * abs(below[1])) or _offset(a, b, False) is not None


def upper_left(members: Sequence[Index], up: float) -> Index:
    """Of corners at one side of a card the one that is its upper left, either end up; *up* (radians) is where the tops
    of the reader's cards point."""
    first = max(members, key=lambda i: i.dx * np.sin(up) - i.dy * np.cos(up))
    for other in members:
        off = _offset(first, other, False) if other is not first else None
        if off is not None:  # side by side: the left one as the index stands
            return first if off[0] > 0 else other
    return first


def middle_of(members: Sequence[Index], up: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Centre and up-direction of a joker that shows three corners or more, by their places alone; of its two ends the
    one nearer to *up* (radians)."""
    at = [np.array([index.x, index.y]) for index in members]
    one, two = max(combinations(at, 2), key=lambda ends: float(np.hypot(*(ends[1] - ends[0]))))
    # Of the other corners the one that makes the squarest angle: lettering lies in between.
    others = [each for each in at if each is not one and each is not two]
    corner = min(others, key=lambda each: abs(float((one - each) @ (two - each))))
    long = max((one - corner, two - corner), key=lambda side: float(np.hypot(*side)))
    long = long / np.hypot(*long)
    if long @ np.array([np.sin(up), -np.cos(up)]) < 0:
        long = -long
    centre = (one + two) / 2
    return (float(centre[0]), float(centre[1])), (float(long[0]), float(long[1]))


def without_figures(cards: Sequence[Placed]) -> list[Placed]:
    """*cards* without what lies within a joker that shows both its corners and has its name: lettering, a cap."""
    whole = [card for card in cards if card.card.is_joker and len(card.indices) >= 2]
    return [
        card for card in cards
        if not (card.card.is_joker and len(card.indices) == 1 and any(_within(card, other) for other in whole))
    ]  # fmt: skip


def _within(card: Placed, joker: Placed) -> bool:
    if joker.card is not card.card:
        return False
    half_w, half_h = joker.shape.width / 2 - INSIDE_MM, CARD_MM[1] / 2 - INSIDE_MM
    up, right = np.array([joker.dx, joker.dy]), np.array([-joker.dy, joker.dx])
    off = np.array([card.indices[0].x - joker.x, card.indices[0].y - joker.y]) / joker.px_per_mm
    return bool(abs(off @ right) <= half_w and abs(off @ up) <= half_h)
