"""From indices to cards: two corners of one card joined, equal cards of two decks kept apart, the fan's order kept.

A card shows its index at two opposite corners, the second turned by half a circle. Seen from the first (x right, y down
in the card's own frame) the second lies at an offset that follows from the card's shape: 88 mm long, 57 (bridge) to 63
(poker) wide, with an index of 8 to 30 mm; large indices leave less card between them. Which shape a picture's deck has
is learned from its own pairs, so that a deck of jumbo indices needs no setting.
Equal names that point the same way are never joined: they are always two cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from engine.cards import Card
from vision import jokers
from vision.corners import gathered, middle_of, opposite, upper_left, without_figures
from vision.fans import order
from vision.mat import CARD_MM, angle_of

if TYPE_CHECKING:
    from vision.reader import Pose

FARTHER: Final = (0.2, 0.05)
"""Largest miss of the opposite corner's distance: index heights, and a share of the distance for heights' errors."""
ASIDE: Final = 14.0
"""Largest miss of the opposite corner's direction in degrees: it takes all of the indices' own errors of direction."""
MOST: Final = 1.1
"""Beyond this many tolerances no two readings make one card."""
SPREAD: Final = 0.3
"""Standard deviation of that miss as a share of the tolerance: twice what held-out designs show, whose pairs all lie
within 0.8, for decks with margins of their own."""
OPPOSED: Final = 0.86
"""Least cosine between one index's direction and the other's turned round: 30 degrees."""
SAME_PLACE: Final = (0.3, 0.5)
"""Two finds nearer than the first, in index heights, are one; nearer than the second, if the worse one is weak."""
WEAK: Final = 0.45
SEEN_APART: Final = 0.4
"""Two finds of one name are two indices where the reader sees them so many index heights apart and names both."""
NAMED: Final = 0.3
JOKER_OPPOSITE: Final = ((-12.0, 55.0), (12.0, 80.0))
JOKER_SLACK: Final = 7.0
"""Where a joker's opposite index lies in millimetres (x right, y down), and how far outside of that is a tolerance.
Its figure, half a card away and often found as an index too, lies less far to the right."""
ABSENT: Final = 2e-3
"""Probability of a card that a reading does not mention, where the other corner does."""


@dataclass(frozen=True)
class Shape:
    """A deck's cards: the card's width and the height of its index in millimetres (all are 88 mm long)."""

    width: float
    index: float

    def opposite(self) -> tuple[float, float]:
        """Where the opposite corner's index lies, in index heights (x right, y down).

        Margins as card makers leave them: 4 mm above the index, its centre 4 mm + 0.12 of its height from the side.
        """
        across = self.width - 2 * (4.0 + 0.12 * self.index)
        down = CARD_MM[1] - 2 * 4.0 - self.index
        return across / self.index, down / self.index


SHAPES: Final = tuple(Shape(width, index / 2) for width in (57.0, 60.0, 63.0) for index in range(16, 61))
OFFSETS: Final = np.array([shape.opposite() for shape in SHAPES])
COMMON: Final = Shape(60.0, 17.0)
"""Assumed of a picture that shows no card's both corners."""


class FoundIndex(Protocol):
    """An index as the detector finds it: centre, up-direction, height in pixels, score."""

    @property
    def x(self) -> float: ...
    @property
    def y(self) -> float: ...
    @property
    def dx(self) -> float: ...
    @property
    def dy(self) -> float: ...
    @property
    def size(self) -> float: ...
    @property
    def score(self) -> float: ...


class ReadIndex(Protocol):
    """An index as the reader names it."""

    @property
    def candidates(self) -> tuple[tuple[Card, float], ...]: ...
    @property
    def reject(self) -> float: ...
    @property
    def place(self) -> Pose | None:
        """Where the reader saw it, if it put the finder's pose straight."""


@dataclass(frozen=True)
class Index:
    """One index with its name: what layout works on. ``probs`` and ``reject`` sum to at most 1."""

    x: float
    y: float
    dx: float
    dy: float
    size: float
    score: float
    probs: dict[Card, float]
    reject: float = 0.0
    seen: bool = False
    """Whether it lies where the reader saw it, which is known better than where the finder did."""

    @cached_property
    def card(self) -> Card:
        return max(self.probs, key=lambda card: self.probs[card])

    @property
    def confidence(self) -> float:
        return self.probs[self.card]


@dataclass(frozen=True)
class Placed:
    """One physical card: its probabilities, its visible indices (best first), centre in pixels and up-direction."""

    probs: tuple[tuple[Card, float], ...]
    """Best first."""
    indices: tuple[Index, ...]
    x: float
    y: float
    dx: float
    dy: float
    size: float
    """Index height, pixels."""
    shape: Shape
    """As learned from the picture, or assumed."""

    @property
    def card(self) -> Card:
        return self.probs[0][0]

    @property
    def confidence(self) -> float:
        return self.probs[0][1]

    @property
    def angle(self) -> float:
        """Where the top points, degrees clockwise from up in the picture."""
        return angle_of(self.dx, self.dy)

    @property
    def px_per_mm(self) -> float:
        return self.size / self.shape.index

    def corners(self) -> np.ndarray:
        """(4, 2) pixels: the card's outline, from its top left clockwise."""
        half_w, half_h = self.shape.width / 2 * self.px_per_mm, CARD_MM[1] / 2 * self.px_per_mm
        up, right = np.array([self.dx, self.dy]), np.array([-self.dy, self.dx])
        middle = np.array([self.x, self.y])
        signs = ((-1, 1), (1, 1), (1, -1), (-1, -1))
        return np.array([middle + x * half_w * right + y * half_h * up for x, y in signs])


def to_indices(founds: Sequence[FoundIndex], reads: Sequence[ReadIndex], most_reject: float = 0.5) -> list[Index]:
    """Finds and their readings as indices; what the reader takes for no index is dropped."""
    indices = []
    for found, read in zip(founds, reads, strict=True):
        if read.reject <= most_reject and read.candidates:
            probs = dict(read.candidates)
            # What looks like a face that was enrolled is an index, however faintly the finder saw it.
            score = max(found.score, getattr(read, "vouched", 0.0))
            # The reader's direction is off by a degree where the finder's is by three; a joker's star has none.
            at = found if read.place is None or read.candidates[0][0].is_joker else read.place
            indices.append(Index(at.x, at.y, at.dx, at.dy, at.size, score, probs, read.reject, at is not found))
    return indices


def lay_out(
    indices: Sequence[Index], shape: Shape | None = None, px_per_mm: float | None = None, up: float = 0.0
) -> list[Placed]:
    """The physical cards that *indices* belong to, ordered along their fans.

    *shape* and *px_per_mm* are the deck's and the picture's where they are known; without them the picture's own pairs
    tell. *up* is where the tops of the reader's cards point, degrees clockwise from up in the picture.
    """
    single = suppress(indices)
    learned = shape or learn_shape(single)
    sizes = [index.size for index in single if not index.card.is_joker]
    scale = px_per_mm or (float(np.median(sizes)) / (learned or COMMON).index if sizes else None)
    towards, placed = float(np.radians(up)), []
    if px_per_mm is not None:
        # On a table it is known how large a card is, and how its player lays it.
        signs = [index for index in single if index.card.is_joker]
        single = [index for index in single if not index.card.is_joker]
        whole, lone = jokers.by_card(signs, single, px_per_mm, towards)
        placed = [_placed_joker(members, learned or COMMON, px_per_mm, towards) for members in whole]
        single += [jokers.upright(index, towards) for index in lone]
    cards = gathered(single, lambda rest: join(rest, learned, scale), learned, scale)
    placed += [_placed(members, learned or COMMON, scale, towards) for members in cards]
    return order(placed if px_per_mm is not None else without_figures(placed))


def suppress(indices: Sequence[Index]) -> list[Index]:
    """Each index once: of finds at one place (or of one name, nearly so) the best stays."""
    best_first = sorted(indices, key=lambda i: -(i.confidence * (1 - i.reject) * min(1.0, i.score + 0.2)))
    kept: list[Index] = []
    for index in best_first:
        for other in kept:
            size = max(index.size, other.size)
            right, down = index.x - other.x, index.y - other.y
            far = np.hypot(right, down) / size
            aligned = index.dx * other.dx + index.dy * other.dy
            # One index whose rank and suit were found apart gives the same name half a height away along its own
            # direction; a neighbour in a squeezed fan lies beside it, and of an equal card shifted by as much the
            # reader sees an index of its own.
            along = abs(right * other.dx + down * other.dy) / size
            own = index.seen and other.seen and index.confidence >= NAMED and far >= SEEN_APART
            same_name = index.card is other.card and aligned > 0.8 and far < 0.75 and along > 0.8 * far and not own
            weak = index.confidence * index.score < WEAK
            if far < SAME_PLACE[0] or (far < SAME_PLACE[1] and weak) or same_name:
                break
        else:
            kept.append(index)
    return kept


def _pair(a: Index, b: Index, unit: float | None = None) -> tuple[float, float, float] | None:
    """Offset of *b* from *a* (x right, y down in the card's frame) in index heights, or in *unit* pixels, and how
    opposed they are; None when they cannot be two corners of one card."""
    opposed = -(a.dx * b.dx + a.dy * b.dy)
    if opposed < OPPOSED or (unit is None and not 0.6 < a.size / b.size < 1.67):
        return None
    ux, uy = a.dx - b.dx, a.dy - b.dy
    long = np.hypot(ux, uy)
    ux, uy = ux / long, uy / long
    size = unit or (a.size + b.size) / 2
    vx, vy = (b.x - a.x) / size, (b.y - a.y) / size
    across, down = -uy * vx + ux * vy, -(ux * vx + uy * vy)
    return (across, down, opposed) if unit is not None or (across > 0.5 and down > 0.5) else None


def _misses(expected: np.ndarray, pair: tuple[float, float, float]) -> np.ndarray:
    """How far *pair*'s offset is from each of the *expected* (n, 2), as a share of the tolerance."""
    far = np.hypot(expected[:, 0], expected[:, 1])
    distance = (np.hypot(pair[0], pair[1]) - far) / (FARTHER[0] + FARTHER[1] * far)
    aside = np.degrees(np.arctan2(expected[:, 0], expected[:, 1]) - np.arctan2(pair[0], pair[1])) / ASIDE
    return np.asarray(np.hypot(distance, aside))


def _miss(a: Index, b: Index, expected: np.ndarray, px_per_mm: float | None) -> tuple[float, float] | None:
    """How far *b* is from where *a*'s opposite corner is expected, in tolerances, and how opposed they are."""
    jokers = a.card.is_joker + b.card.is_joker
    if jokers == 2 and px_per_mm:
        # Their lettering differs so much in height and place that the card's own size is all there is to go by.
        pair = _pair(a, b, px_per_mm)
        if pair is None:
            return None
        (left, right), (top, bottom) = JOKER_OPPOSITE
        aside, along = max(left - pair[0], 0.0, pair[0] - right), max(top - pair[1], 0.0, pair[1] - bottom)
        return 0.4 + float(np.hypot(aside, along)) / JOKER_SLACK, pair[2]
    # Of a card's corners one may be taken for a joker's: the other's height counts.
    unit = (b if a.card.is_joker else a).size if jokers == 1 else None
    pair = _pair(a, b, unit)
    if pair is None:
        return None
    return float(_misses(OFFSETS if jokers == 2 else expected, pair).min()), pair[2]


def _same_card(a: Index, b: Index) -> float:
    """How much likelier the two readings are if both are one card than if they are any two: 54 for two sure equals."""
    both = sum(p * b.probs.get(card, 0.0) for card, p in a.probs.items())
    # One of two corners may be misread, the more easily the less sure it is; even a sure one now and then.
    misread = 0.0005 + 0.01 * max(0.0, 1 - a.confidence * b.confidence)
    return 54 * max(both, misread)


def learn_shape(indices: Sequence[Index]) -> Shape | None:
    """The shape that the picture's equal-named opposed pairs agree on; None when there are none."""
    votes = np.zeros(len(SHAPES))
    for place, a in enumerate(indices):
        for b in indices[place + 1 :]:
            pair = _pair(a, b) if a.card is b.card and not a.card.is_joker else None
            if pair is None:
                continue
            miss = _misses(OFFSETS, pair)
            votes += a.confidence * b.confidence * np.exp(-((miss / SPREAD) ** 2) / 2)
    if votes.max(initial=0.0) < 0.3:
        return None
    # A weak pull towards the common size decides between what the pairs leave open.
    pull = np.array([np.exp(-((np.log(shape.index / COMMON.index) / 0.6) ** 2) / 2) for shape in SHAPES])
    return SHAPES[int(np.argmax(votes * (0.7 + 0.3 * pull)))]


def join(indices: Sequence[Index], shape: Shape | None = None, px_per_mm: float | None = None) -> list[list[Index]]:
    """Indices grouped by card, one or two each; the likeliest pairs first."""
    expected = np.array([shape.opposite()]) if shape else OFFSETS
    pairs = []
    for place, a in enumerate(indices):
        for other, b in enumerate(indices[place + 1 :], place + 1):
            fit = _miss(a, b, expected, px_per_mm)
            if fit is None or fit[0] > MOST:
                continue
            likely = _same_card(a, b) * 30 * np.exp(-((fit[0] / SPREAD) ** 2) / 2)
            if likely > 1:
                pairs.append((likely * fit[1] ** 8, place, other))
    partner: dict[int, int] = {}
    for _, one, two in sorted(pairs, key=lambda pair: (-pair[0], pair[1], pair[2])):
        if one not in partner and two not in partner:
            partner[one], partner[two] = two, one
    groups = []
    for place, index in enumerate(indices):
        mate = partner.get(place)
        if mate is None:
            groups.append([index])
        elif place < mate:
            groups.append([index, indices[mate]])
    return groups


def _placed_joker(members: list[Index], shape: Shape, px_per_mm: float, up: float) -> Placed:
    """A joker of which several signs show, opposite corners first."""
    probs, score = jokers.together(members)
    x, y, dx, dy = jokers.pose(members, px_per_mm, up)
    shape = Shape(shape.width, _joker_height(members, px_per_mm))
    return Placed(probs, (replace(members[0], score=score), *members[1:]), x, y, dx, dy, shape.index * px_per_mm, shape)


def _joker_height(members: Sequence[Index], px_per_mm: float) -> float:
    """A joker's lettering has a height of its own, in millimetres: the other cards tell how large the card is."""
    return float(np.clip(np.mean([i.size for i in members]) / px_per_mm, 6.0, 44.0))


def _placed(members: list[Index], shape: Shape, px_per_mm: float | None, up: float = 0.0) -> Placed:
    if members[0].card.is_joker and px_per_mm:
        shape = Shape(shape.width, _joker_height(members, px_per_mm))
    if members[0].card.is_joker and px_per_mm and len(members) > 2:
        (x, y), (ux, uy) = middle_of(members, up)
        named = sorted(members[0].probs.items(), key=lambda pair: (-pair[1], pair[0].index))
        return Placed(tuple(named), tuple(members), x, y, ux, uy, shape.index * px_per_mm, shape)
    pair = opposite(members)
    if len(members) > 2 or (len(members) == 2 and not pair):
        # Two opposite corners tell where the card lies, or the one that is its upper left, either end up.
        first = upper_left(members, up)
        best = _placed(pair or [first], shape, px_per_mm)
        other = max((i for i in members if i.card is not best.card), key=lambda i: i.confidence, default=None)
        strong = dict(max((i for i in members if i.card is best.card), key=lambda i: i.confidence, default=first).probs)
        both = tuple(_combined(strong, strong if other is None else other.probs))
        return replace(best, probs=both, indices=(*best.indices, *(i for i in members if i not in best.indices)))
    members = sorted(members, key=lambda i: -i.confidence)
    first = members[0]
    if len(members) == 2:
        second = members[1]
        probs = _combined(first.probs, second.probs)
        ux, uy = first.dx - second.dx, first.dy - second.dy
        long = np.hypot(ux, uy)
        ux, uy = float(ux / long), float(uy / long)
        x, y = (first.x + second.x) / 2, (first.y + second.y) / 2
        size = (first.size + second.size) / 2
    else:
        probs = sorted(first.probs.items(), key=lambda pair: (-pair[1], pair[0].index))
        ux, uy, size = first.dx, first.dy, first.size
        across, down = shape.opposite()
        x = first.x + size / 2 * (-uy * across - ux * down)
        y = first.y + size / 2 * (ux * across - uy * down)
    return Placed(tuple(probs), tuple(members), x, y, ux, uy, size, shape)


def _combined(one: dict[Card, float], two: dict[Card, float]) -> list[tuple[Card, float]]:
    """Both corners' evidence on one card. Where they agree the better one stands (the same glare or blur often hits
    both, so they are not multiplied into certainty); where they differ the product decides and doubt remains."""
    cards = set(one) | set(two)
    if max(one, key=lambda c: one[c]) is max(two, key=lambda c: two[c]):
        mixed = {card: max(one.get(card, 0.0), two.get(card, 0.0)) for card in cards}
        best = max(mixed, key=lambda card: mixed[card])
        rest = sum(p for card, p in mixed.items() if card is not best)
        room = 1 - mixed[best]
        if rest > room > 0:
            mixed = {card: p if card is best else p * room / rest for card, p in mixed.items()}
    else:
        # Their errors have common causes, so the product counts for less than two independent witnesses would.
        product = {card: (one.get(card, ABSENT) * two.get(card, ABSENT)) ** 0.7 for card in cards}
        total = sum(product.values())
        mixed = {card: p / total for card, p in product.items()}
    return sorted(mixed.items(), key=lambda pair: (-pair[1], pair[0].index))
