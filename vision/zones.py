"""One play zone of one still into cards: the zone is cut out, looked at in the right scale, read and laid out.

Only the part of the picture that holds the zone is touched. How tall this deck's indices are is learned from what is
read; a first look works for anything from 8 to 28 mm.
"""

from __future__ import annotations

import statistics
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Final

import cv2
import numpy as np

from vision.camera import Box, Frame
from vision.changes import Change
from vision.jokers import without_pictures
from vision.layout import FoundIndex, Index, Placed, Shape, lay_out, learn_shape, to_indices
from vision.mat import PLAY, RIGHT, UP, View, Zone, zone_of
from vision.observations import SeenCard
from vision.photo import CANDIDATES, LEAST, Limits, seen_card
from vision.scales import BEST_PX, FindsIndices, ReadsIndices, is_credible
from vision.second_look import HEIGHTS, seen_again
from vision.settle import AROUND_MM

FIRST_GUESS_MM: Final = 16.0
SIZE_FITS: Final = (0.6, 1.55)
JOKER_FITS: Final = (0.35, 3.0)
DOUBTFUL: Final = 0.12
DOUBTFUL_REJECT: Final = 0.3
"""What is less than a credible index and more than this is asked for."""
SURE_PX: Final = 16.0
"""Indices less high than this in the full still, rank and suit together, are read but never surely."""
CLEAR: Final = 0.5
"""Finder's score above which an index need not be looked for again a moment later."""
WHITE_MM: Final = 30.0
"""Something white of at least this width and length that no card explains hides a card."""


DIAGONAL: Final = (56.0, 95.0)
"""Millimetres between a joker's opposite corners: what its lettering leaves of the card's diagonal of 108."""
MIDDLE: Final = Zone("middle", "", 265.0, 265.0, 435.0, 435.0)
"""Where a card's centre lies that belongs to no player's zone."""
PLACES: Final = {**PLAY, MIDDLE.seat: MIDDLE}
"""What can be read, by the seat that says so."""


class ZoneReader:
    """Reads play zones; remembers how large this deck's indices are."""

    def __init__(self, detector: FindsIndices, reader: ReadsIndices, limits: Limits | None = None) -> None:
        self._detector, self._reader = detector, reader
        self.limits = limits or Limits.load()
        self._heights: deque[float] = deque(maxlen=80)
        self._widths: deque[float] = deque(maxlen=15)
        self._clear: dict[str, Sequence[FoundIndex]] = {}
        self._faint: dict[str, list[Index]] = {}
        deck = getattr(reader, "profile", None)  # a reader that knows the venue's own deck knows its size as well
        if deck is not None and deck.index_mm is not None:
            self._heights.extend([deck.index_mm] * 2)
            self._widths.extend([deck.width_mm] if deck.width_mm is not None else [])

    @property
    def index_mm(self) -> float:
        """Height of this deck's indices in millimetres as far as it is known."""
        return statistics.median(self._heights) if len(self._heights) >= 2 else FIRST_GUESS_MM

    @property
    def _shape(self) -> Shape | None:
        if len(self._heights) < 2:
            return None
        return Shape(statistics.median(self._widths) if self._widths else 60.0, self.index_mm)

    def box(self, view: View, seat: str, area: Zone | None = None) -> Box:
        """The part of the full still that must be seen to read the seat's zone, or the *area* of it."""
        return view.box(area or PLACES[seat].grown(AROUND_MM))

    def read(
        self, still: Frame, view: View, seat: str, area: Zone | None = None, same_places: bool = False,
        thorough: bool = False,
    ) -> list[SeenCard]:  # fmt: skip
        """The cards in the seat's play zone, left to right as the player sees them; *view* is the full still's.

        With *area* only the indices inside of it are looked for. With *same_places* nothing has moved since the seat's
        zone was read last: if all its indices were found beyond doubt, they are read again where they are. *thorough*
        looks in other sizes as well for a joker's sign that the usual one misses.
        """
        part, origin = self._part(still, self.box(view, seat, area))
        if part.size == 0:
            return []
        indices = self._indices(part, origin, view, seat, self._clear.get(seat) if same_places else None)
        cards = self._cards(indices, view, seat)
        # What is sure needs no second look; a joker's sign that belongs to no sure card is doubtful too.
        sure = {at for card in cards if card.sure for at in card.indices}
        seen = {at for card in cards for at in card.indices}
        doubtful = {
            place for place, index in enumerate(indices)
            if (index.x, index.y) not in sure and (index.card.is_joker or (index.x, index.y) in seen)
        }  # fmt: skip
        if doubtful or thorough:
            px_per_mm = view.px_per_mm(*PLACES[seat].centre)
            looks = [self._look(part, px_per_mm, self.index_mm * BEST_PX / height)[0] for height in HEIGHTS]
            moved = [[replace(i, x=i.x + origin[0], y=i.y + origin[1]) for i in look] for look in looks]
            cards = self._cards(seen_again(indices, doubtful, moved), view, seat)
        return list(in_order(cards, seat))

    def _cards(self, indices: Sequence[Index], view: View, seat: str) -> list[SeenCard]:
        """The seat's cards that have these *indices*."""
        up = self._up_in_picture(view, seat, view.to_px([PLACES[seat].centre])[0])
        shape = self._shape or learn_shape(indices)
        placed = without_pictures(lay_out(indices, shape, view.px_per_mm(*PLACES[seat].centre), up))
        cards = [card for each in placed if (card := self._on_mat(each, view, seat, up)) is not None]
        return perhaps_one(cards)

    def guess(self, view: View, seat: str, area: Zone) -> SeenCard | None:
        """The likeliest of what was seen too faintly to be a card, in a part of the seat's zone where one lies: never
        sure, but something to ask about. None when nothing was seen there at all."""
        here = [index for index in self._faint.get(seat, ()) if area.holds(*view.to_mm([(index.x, index.y)])[0])]
        if not here:
            return None
        best = max(here, key=lambda index: index.score * index.confidence)
        named = tuple(sorted(best.probs.items(), key=lambda pair: (-pair[1], pair[0].index)))[:CANDIDATES]
        x, y = area.centre
        corner = view.to_mm([(best.x, best.y)])[0]
        return SeenCard(
            named[0][0], named[0][1], False, named, ((best.x, best.y),), UP.get(seat, 0.0), (x, y),
            ((float(corner[0]), float(corner[1])),),
        )  # fmt: skip

    def _part(self, still: Frame, box: Box) -> tuple[np.ndarray, tuple[int, int]]:
        x0, y0, x1, y1 = box
        ox, oy = still.origin
        height, width = still.image.shape[:2]
        left, top = max(0, x0 - ox), max(0, y0 - oy)
        part = still.image[top : min(height, max(top, y1 - oy)), left : min(width, max(left, x1 - ox))]
        return part, (left + ox, top + oy)

    def _indices(
        self, part: np.ndarray, origin: tuple[int, int], view: View, seat: str, at: Sequence[FoundIndex] | None
    ) -> list[Index]:
        """Named indices in pixels of the full still; *at* where they have been found before."""
        known = len(self._heights) >= 2
        px_per_mm = view.px_per_mm(*PLACES[seat].centre)
        indices, founds = self._look(part, px_per_mm, self.index_mm, at)
        clear = indices and all(i.score > CLEAR and i.confidence >= self.limits.sure for i in indices)
        self._clear[seat] = founds if clear and len(indices) == len(founds) else ()
        heights = _sure_heights(indices, px_per_mm)
        if not known and heights and not 0.8 < np.median(heights) / FIRST_GUESS_MM < 1.25:
            indices, _ = self._look(part, px_per_mm, float(np.median(heights)))
            self._clear[seat] = ()
            heights = _sure_heights(indices, px_per_mm)
        self._heights.extend(heights)
        learned = learn_shape(indices)
        if learned and heights and 0.8 < learned.index / self.index_mm < 1.25:
            self._widths.append(learned.width)
        expected = self.index_mm * px_per_mm
        known = len(self._heights) >= 2
        up = np.radians(self._up_in_picture(view, seat, view.to_px([PLACES[seat].centre])[0]))
        self._faint[seat] = [replace(i, x=i.x + origin[0], y=i.y + origin[1]) for i in indices if not is_credible(i)]
        indices = [index if is_credible(index) else _doubtful(index, up) for index in indices]
        return [
            replace(
                index,
                x=index.x + origin[0],
                y=index.y + origin[1],
                # All indices of a deck are of one height; a joker's lettering has its own.
                size=0.8 * expected + 0.2 * index.size if known and not index.card.is_joker else index.size,
            )
            for index in indices
            if index.score * index.confidence >= DOUBTFUL and (_fits(index, expected) or not known)
        ]

    def _look(
        self, part: np.ndarray, px_per_mm: float, index_mm: float, at: Sequence[FoundIndex] | None = None
    ) -> tuple[list[Index], Sequence[FoundIndex]]:
        founds = at or self._detector.find(part, BEST_PX / (index_mm * px_per_mm))
        return to_indices(founds, self._reader.read(part, founds)), founds

    def _up_in_picture(self, view: View, seat: str, middle: np.ndarray) -> float:
        """Where the top of the seat's upright cards points in the picture, degrees."""
        turn = np.radians(UP.get(seat, 0.0))
        x, y = PLACES[seat].centre
        there = view.to_px([(x + 10 * np.sin(turn), y - 10 * np.cos(turn))])[0]
        return float(np.degrees(np.arctan2(there[0] - middle[0], -(there[1] - middle[1]))) % 360)

    def _on_mat(self, placed: Placed, view: View, seat: str, up: float) -> SeenCard | None:
        """The card with its place on the mat; None when it belongs to another zone."""
        card = seen_card(placed, self.limits, up)
        turn = np.radians(card.angle)
        angle = view.up_on_mat(placed.x, placed.y, float(np.sin(turn)), float(-np.cos(turn)))
        x, y = view.to_mm([(placed.x, placed.y)])[0]
        zone = zone_of(float(x), float(y), angle)
        here = MIDDLE.holds(float(x), float(y)) if zone is None else zone.kind == "play" and zone.seat == seat
        if (zone is None) != (seat == MIDDLE.seat) or not here or card.confidence < LEAST:
            return None
        if self.index_mm * view.px_per_mm(*PLACES[seat].centre) < SURE_PX:
            card = replace(card, sure=False)
        corners = tuple((float(p[0]), float(p[1])) for p in view.to_mm(card.indices))
        return replace(card, place=(float(x), float(y)), angle=angle, corners=corners)

    def white_share(self, still: Frame, view: View, area: Zone) -> float:
        """Which share of the *area* is as white as a card's paper, 0..1: a hand is not, a printed face is in part."""
        white = self._paper(still, view, area)
        return 0.0 if white is None else float(white.mean())

    def _paper(self, still: Frame, view: View, zone: Zone) -> np.ndarray | None:
        """1 where the *zone* of the mat is white in *still*, else 0, two millimetres a pixel; None where it is not
        seen."""
        if zone.x1 - zone.x0 < 4 or zone.y1 - zone.y0 < 4:
            return None
        part, origin = self._part(still, view.box(zone))
        if part.size == 0:
            return None
        width, height = round((zone.x1 - zone.x0) / 2), round((zone.y1 - zone.y0) / 2)
        corners = (view.to_px(zone.corners()) - np.array(origin)).astype(np.float32)
        flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        matrix = cv2.getPerspectiveTransform(corners, flat)
        return _white(cv2.warpPerspective(part, matrix, (width, height), flags=cv2.INTER_AREA))

    def unexplained(
        self, still: Frame, view: View, seat: str, outlines: list[np.ndarray], area: Zone | None = None
    ) -> float:
        """Square millimetres of white in the zone (or the *area* of it) outside *outlines* ((4, 2) mm each): a face
        that nobody can read."""
        zone = PLACES[seat].grown(10)
        if area is not None:
            zone = replace(
                zone, x0=max(zone.x0, area.x0), y0=max(zone.y0, area.y0),
                x1=min(zone.x1, area.x1), y1=min(zone.y1, area.y1),
            )  # fmt: skip
        white = self._paper(still, view, zone)
        if white is None:
            return 0.0
        for outline in outlines:
            points = np.round((outline - np.array([zone.x0, zone.y0])) / 2).astype(np.int32)
            cv2.fillConvexPoly(white, points, 0)
        solid = cv2.morphologyEx(white, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
        count, _, stats, _ = cv2.connectedComponentsWithStats(solid)
        wide = [
            stats[k, cv2.CC_STAT_AREA] * 4.0
            for k in range(1, count)
            if 2 * min(stats[k, cv2.CC_STAT_WIDTH], stats[k, cv2.CC_STAT_HEIGHT]) >= 12
            and 2 * max(stats[k, cv2.CC_STAT_WIDTH], stats[k, cv2.CC_STAT_HEIGHT]) >= WHITE_MM
        ]
        return float(max(wide, default=0.0))


def in_order(cards: Sequence[SeenCard], seat: str) -> tuple[SeenCard, ...]:
    """*cards* left to right as the player at *seat* sees them."""
    right = RIGHT.get(seat, (1.0, 0.0))
    return tuple(sorted(cards, key=lambda c: c.place[0] * right[0] + c.place[1] * right[1] if c.place else 0.0))


def may_be_one(a: SeenCard, b: SeenCard, least: float = DIAGONAL[0]) -> bool:
    """Whether two lone corners of one joker's name lie as far apart as one card's corners, *least* mm or more: 0 takes
    a card of four indices, whose corners are nearer along its short side."""
    if a.card is not b.card or not a.card.is_joker or len(a.corners) != 1 or len(b.corners) != 1:
        return False
    return least <= float(np.hypot(*np.subtract(a.corners[0], b.corners[0]))) <= DIAGONAL[1]


def perhaps_one(cards: list[SeenCard]) -> list[SeenCard]:
    """*cards*, unsure where two jokers of one name show one corner each, as far apart as one card's two corners are: a
    star in a ring has no direction that would tell."""
    doubted = {id(card) for pair in combinations(cards, 2) if may_be_one(*pair) for card in pair}
    return [replace(card, sure=False) if id(card) in doubted else card for card in cards]


def without_shadows(change: Change) -> Change:
    """*change* without what never lay there: of one joker that was taken for two, the one half goes with the other."""
    gone = [card for card in change.gone if not card.sure]
    return replace(change, lying=tuple(
        each for each in change.lying
        if not each.covered or each.seen.sure or not any(may_be_one(each.seen, card, 0.0) for card in gone)
    ))  # fmt: skip


def _doubtful(index: Index, up: float) -> Index:
    """An index too faint to be named, made one that is asked for, if it lies as the player's cards do.

    A card of a fan whose index nearly escapes the finder would else be missing in silence.
    """
    if index.card.is_joker:  # alone it is none; beside others of its card it counts
        return index
    along = index.dx * np.sin(up) - index.dy * np.cos(up)
    if index.reject > DOUBTFUL_REJECT or along < 0.8:
        return replace(index, score=0.0)
    return replace(index, probs={card: 0.6 * p for card, p in index.probs.items()}, score=max(index.score, 0.3))


def _white(seen: np.ndarray) -> np.ndarray:
    """1 where a (h, w, 3) picture is as bright as paper and nearly colourless, else 0."""
    low, high = seen.min(axis=2).astype(np.float32), seen.max(axis=2).astype(np.float32)
    paper = max(90.0, 0.62 * float(np.percentile(high, 99)))
    return ((high >= paper) & (low >= 0.72 * high)).astype(np.uint8)


def _sure_heights(indices: list[Index], px_per_mm: float) -> list[float]:
    return [i.size / px_per_mm for i in indices if i.confidence > 0.9 and i.score > 0.4 and not i.card.is_joker]


def _fits(index: Index, expected: float) -> bool:
    low, high = JOKER_FITS if index.card.is_joker else SIZE_FITS
    return low <= index.size / expected <= high
