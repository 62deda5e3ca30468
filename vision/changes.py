"""What is new in a zone against what lay there: laid, straightened, covered, taken back or turned down."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import cv2
import numpy as np

from vision.mat import CARD_MM
from vision.observations import SeenCard
from vision.votes import distance_mm, same_place, turned_apart

SHIFTED_MM: Final = 25.0
"""A card of the same name this near, when the zone lies still again, is the same card straightened."""
PUSHED_MM: Final = 120.0
"""The same, when the whole of what lay there was moved at once."""
CORNER_MM: Final = 7.0
"""A known card's other corner lies this near to where its place says."""
INSET_MM: Final = 10.0
"""What lies nearer to the card's middle lines than this is no corner of it."""
CORNER_TURN: Final = 25.0
"""And is turned no farther from it."""
OVER_MM: Final = 2.0
"""A card hides an index whose centre lies so little outside of it."""
MAY_BE: Final = 0.02
"""Least probability that a corner gives the card of which it may be."""


@dataclass(frozen=True)
class Lying:
    """A card that is known to lie in a zone; ``covered`` when a later card hides its index."""

    seen: SeenCard
    covered: bool = False
    look: np.ndarray | None = field(default=None, compare=False, repr=False)
    """How the mat looked when the card was last seen."""


@dataclass(frozen=True)
class Change:
    """The difference between what lay in a zone and what is seen there now."""

    new: tuple[SeenCard, ...]
    gone: tuple[SeenCard, ...]
    renamed: tuple[SeenCard, ...]
    """Cards that stayed where they were and are read otherwise, or surer, than before: as they are read now."""
    was: tuple[SeenCard, ...]
    """The renamed cards as they were read before."""
    lying: tuple[Lying, ...]
    """All that lies there now."""


def compare(
    known: Sequence[Lying],
    seen: Sequence[SeenCard],
    lies_yet: Callable[[Lying], bool] = lambda lying: False,
    look: np.ndarray | None = None,
) -> Change:
    """What changed between *known* and *seen*, both of one play zone, places in millimetres.

    Place tells first: what lies where it lay is the same card, whatever it was taken for. Then name: an equal card a
    little aside was straightened. A known card that is not seen any more is covered when a card now lies over its
    index, else it is gone; when nothing readable is left everything is gone.
    """
    left = list(range(len(seen)))
    matched: dict[int, int] = {}

    def take(pairs: list[tuple[float, int, int]]) -> None:
        for _, k, s in sorted(pairs):
            if k not in matched and s in left:
                matched[k] = s
                left.remove(s)

    take([
        (distance_mm(lying.seen, card), k, s)
        for k, lying in enumerate(known)
        for s, card in enumerate(seen)
        if same_place(lying.seen, card) and (lying.seen.card is card.card or not (lying.seen.sure and card.sure))
    ])  # fmt: skip
    whole = _moved_whole(known, seen, matched, left)
    reach = PUSHED_MM if whole else SHIFTED_MM
    take([
        (distance_mm(lying.seen, seen[s]), k, s)
        for k, lying in enumerate(known)
        for s in left
        if k not in matched
        and not (lying.covered and not whole)
        and lying.seen.card is seen[s].card
        and distance_mm(lying.seen, seen[s]) <= reach
        and turned_apart(lying.seen, seen[s]) <= 60
    ])  # fmt: skip
    lying_now, gone, renamed, was = [], [], [], []
    for k, lying in enumerate(known):
        if k in matched:
            now = seen[matched[k]]
            if now.card is not lying.seen.card and lying.seen.sure:
                now = replace(now, sure=False)
            elif lying.seen.sure and not now.sure and now.card is lying.seen.card:
                # Sure once in three stills, and still in its place: a later glare does not unsettle it.
                now = replace(now, sure=True, confidence=max(now.confidence, lying.seen.confidence))
            if len(now.corners) < len(lying.seen.corners) and _in_place(now, lying.seen):
                # Half of it lies under another card now: where it lies was known better before.
                now = replace(now, place=lying.seen.place, angle=lying.seen.angle)
            if now.card is not lying.seen.card or now.sure != lying.seen.sure:
                renamed.append(now)
                was.append(lying.seen)
            lying_now.append(Lying(now, look=look))
        elif _covered(lying.seen, seen) or lies_yet(lying):
            lying_now.append(replace(lying, covered=True))
        else:
            gone.append(lying.seen)
    new = tuple(seen[s] for s in left)
    lying_now.extend(Lying(card, look=look) for card in new)
    return Change(new, tuple(gone), tuple(renamed), tuple(was), tuple(lying_now))


def with_known(known: Sequence[Lying], seen: Sequence[SeenCard]) -> list[SeenCard]:
    """*seen*, the corners of each card that lay there before as one card: of a deck with an index in every corner a
    card that another hides in part shows some of them, and nothing else tells that they belong together. A corner of
    it that is half hidden, and read as anything, goes with them."""
    cards = list(seen)
    for lying in known:
        parts = [card for card in cards if _is_part(card, lying.seen)]
        if not parts or (len(parts) == 1 and same_place(lying.seen, parts[0]) and parts[0].card is lying.seen.card):
            continue
        named = [card for card in parts if card.card is lying.seen.card]
        if not named and lying.seen.sure:
            # Only a corner that is half hidden: if it may be that card's, all it says is that this lies there yet.
            known_as = ((lying.seen.card, lying.seen.confidence),)
            named = [
                replace(card, card=known_as[0][0], confidence=known_as[0][1], candidates=known_as)
                for card in parts if dict(card.candidates).get(lying.seen.card, 0.0) >= MAY_BE
            ]  # fmt: skip
        if not named:
            continue
        best = max(named, key=lambda card: card.confidence)
        whole = replace(
            best, sure=any(card.sure for card in parts), place=lying.seen.place, angle=lying.seen.angle,
            indices=tuple(each for card in parts for each in card.indices),
            corners=tuple(each for card in parts for each in card.corners),
        )  # fmt: skip
        cards = [card for card in cards if not any(card is part for part in parts)] + [whole]
    return cards


def _is_part(card: SeenCard, known: SeenCard) -> bool:
    """Whether all that is seen of *card* lies where *known* has its corners, turned as they are, and is surely no other
    card."""
    if not card.corners or not _in_place(card, known):
        return False
    if card.card is not known.card and (card.sure or len(card.corners) > 1):
        return False
    if known.card.is_joker or len(card.corners) != 1:  # a star has no direction
        return True
    turn = np.radians(known.angle)
    off = np.subtract(card.corners[0], known.place or (0.0, 0.0))
    upper = float(off[0] * np.sin(turn) - off[1] * np.cos(turn)) > 0
    return abs((card.angle - known.angle + (0 if upper else 180) + 180) % 360 - 180) <= CORNER_TURN


def _in_place(card: SeenCard, known: SeenCard) -> bool:
    """Whether every index of *card* lies at one of the four corners of *known*, as far as those are known."""
    if known.place is None or not known.corners:
        return False
    turn = np.radians(known.angle)
    axes = np.array([[np.cos(turn), np.sin(turn)], [np.sin(turn), -np.cos(turn)]])  # right and up of the card
    own = [np.abs(axes @ np.subtract(corner, known.place)) for corner in known.corners]
    own = [each for each in own if each.min() >= INSET_MM]
    return bool(own) and all(
        any(float(np.hypot(*(np.abs(axes @ np.subtract(corner, known.place)) - each))) <= CORNER_MM for each in own)
        for corner in card.corners
    )


def lost_a_corner(before: Sequence[Lying], now: Sequence[Lying]) -> bool:
    """Whether of a card that still lies where it lay fewer corners are seen than before."""
    return any(
        was.seen.card is each.seen.card and same_place(was.seen, each.seen)
        and (len(each.seen.corners) < len(was.seen.corners) or (each.covered and not was.covered))
        for was in before
        for each in now
    )  # fmt: skip


def _moved_whole(
    known: Sequence[Lying], seen: Sequence[SeenCard], matched: dict[int, int], left: Sequence[int]
) -> bool:
    """Whether all that lay open and is not in its place any more is seen again by name elsewhere: one push."""
    moved = sorted(lying.seen.card.name for k, lying in enumerate(known) if k not in matched and not lying.covered)
    there = [seen[s].card.name for s in left]
    return (
        bool(moved)
        and all(moved.count(name) <= there.count(name) for name in set(moved))
        and (len(moved) > 1 or len(there) == 1)
    )


def outline_mm(card: SeenCard, grow: float = 0.0) -> np.ndarray:
    """(4, 2) float32 millimetres: the card's edges on the mat, *grow* mm outside of them. Its angle is the mat's."""
    assert card.place is not None
    turn = np.radians(card.angle)
    up, right = np.array([np.sin(turn), -np.cos(turn)]), np.array([np.cos(turn), np.sin(turn)])
    half_w, half_h = CARD_MM[0] / 2 + grow, CARD_MM[1] / 2 + grow
    corners = [x * half_w * right + y * half_h * up for x, y in ((-1, 1), (1, 1), (1, -1), (-1, -1))]
    return (np.array(card.place) + np.array(corners)).astype(np.float32)


def _covered(under: SeenCard, seen: Sequence[SeenCard]) -> bool:
    """Whether *seen* cards lie over every index of *under* that showed: one over this, another over that."""
    if under.place is None:
        return False
    outlines = [outline_mm(card, OVER_MM).reshape(-1, 1, 2) for card in seen if card.place is not None]
    corners: Sequence[Sequence[float]] = under.corners
    if not corners:
        edges = outline_mm(under, -8.0)
        corners = [edges[0]] if len(under.indices) < 2 else [edges[0], edges[2]]
    return all(
        any(cv2.pointPolygonTest(outline, (float(x), float(y)), False) >= 0 for outline in outlines) for x, y in corners
    )
