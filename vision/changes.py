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
            if now.card is not lying.seen.card or now.sure != lying.seen.sure:
                renamed.append(now)
                was.append(lying.seen)
            lying_now.append(Lying(now, look=look))
        elif any(_covers(card, lying.seen) for card in seen) or lies_yet(lying):
            lying_now.append(replace(lying, covered=True))
        else:
            gone.append(lying.seen)
    new = tuple(seen[s] for s in left)
    lying_now.extend(Lying(card, look=look) for card in new)
    return Change(new, tuple(gone), tuple(renamed), tuple(was), tuple(lying_now))


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


def _covers(over: SeenCard, under: SeenCard) -> bool:
    """Whether *over* lies on the place of *under*'s visible index (its top left corner as the player sees it)."""
    if over.place is None or under.place is None:
        return False
    corners = outline_mm(under, -8.0)
    outline = outline_mm(over).reshape(-1, 1, 2)
    return all(
        cv2.pointPolygonTest(outline, (float(corner[0]), float(corner[1])), False) >= 0
        for corner in ((corners[0],) if len(under.indices) < 2 else (corners[0], corners[2]))
    )
