"""Cards that come to lie in the mat's middle, beyond every player's zone: dropped in haste, or a heap of old ones.

What a zone has just lost is a heap, and nobody's play. Anything else was laid by whose hand came last; but nobody can
be sure of that, so it is asked about.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from vision.camera import Camera
from vision.changes import Lying, compare
from vision.mat import UP, View
from vision.observations import Laid, Observation, Removed, SeenCard
from vision.settle import CHANGED, MM_PER_CELL, cells_of
from vision.votes import NEEDED, vote
from vision.zones import MIDDLE, ZoneReader

STILL_S: Final = 0.4
LEAST_MM2: Final = 600.0
"""What has changed in the middle before it is worth a look: a ninth of a card."""
HANDS_S: Final = 4.0
"""Seconds before the middle changed in which the hand that changed it came."""
HEAP_S: Final = 30.0
"""Seconds within which cards that left a zone may come to lie in a heap."""
TURNED: Final = 30.0
"""A card turned no farther from how a player's cards lie than this may be that player's."""


@dataclass
class Middle:
    """Watches the middle in the maps of :class:`vision.settle.Watch`; looks closely only when it has changed and all is
    still."""

    reader: ZoneReader
    _lying: tuple[Lying, ...] = ()
    _checked: np.ndarray | None = None
    _recent: deque[tuple[float, np.ndarray]] = field(default_factory=deque)
    _stills: list[list[SeenCard]] = field(default_factory=list)
    _changed_at: float = 0.0
    _left: deque[tuple[float, SeenCard]] = field(default_factory=deque)
    _hands: dict[str, float] = field(default_factory=dict)
    _owned: list[tuple[SeenCard, str]] = field(default_factory=list)
    """Cards that were told as somebody's play."""

    def heard(self, told: Sequence[Observation], touched: Mapping[str, float]) -> None:
        """What the zones told, and when a hand last came to each."""
        self._hands.update(touched)
        for each in told:
            if isinstance(each, Removed):
                self._left.extend((each.t, card) for card in each.cards)

    def step(self, camera: Camera, view: View, t: float, look: np.ndarray, quiet: bool) -> list[Observation]:
        """Take the map *look* of now; *quiet*: no hand is at any zone. What came to lie in the middle, or left it."""
        while self._left and t - self._left[0][0] > HEAP_S:
            self._left.popleft()
        while len(self._recent) > 1 and self._recent[1][0] <= t - STILL_S:
            self._recent.popleft()
        now, before = look[cells_of(MIDDLE)], self._recent[0] if self._recent else None
        self._recent.append((t, now.copy()))
        if self._checked is None:
            self._checked = now.copy()
            return []
        if not quiet or before is None or before[0] > t - STILL_S + 1e-6 or _differ(now, before[1]):
            self._stills.clear()
            return []
        if not self._stills:
            if not _differ(now, self._checked):
                return []
            self._changed_at = before[0]
        self._stills.append(self.reader.read(camera.still(self.reader.box(view, MIDDLE.seat)), view, MIDDLE.seat))
        if len(self._stills) < NEEDED:
            return []
        self._checked = now.copy()
        return self._verdict(t, look)

    def _verdict(self, t: float, look: np.ndarray) -> list[Observation]:
        cards, self._stills = vote(self._stills).cards, []
        change = compare(self._lying, cards, look=look)
        self._lying = change.lying
        told: list[Observation] = []
        for card in change.gone:
            own = next((each for each in self._owned if each[0].card is card.card), None)
            if own is not None:
                self._owned.remove(own)
                told.append(Removed(t, own[1], (card,), False))
        fresh = [card for card in change.new if not self._of_a_heap(card)]
        seat = self._whose(fresh) if fresh else None
        if seat is not None:
            self._owned += [(card, seat) for card in fresh]
            came = self._hands.get(seat, self._changed_at)
            told.append(Laid(t, seat, tuple(fresh), came, NEEDED, False, self._changed_at))
        return told

    def _of_a_heap(self, card: SeenCard) -> bool:
        """Whether *card* is one that a zone has lost a moment ago."""
        names = {each for each, _ in card.candidates} | {card.card}
        known = next((each for each in self._left if each[1].card in names), None)
        if known is not None:
            self._left.remove(known)
        return known is not None

    def _whose(self, cards: Sequence[SeenCard]) -> str:
        """The seat whose hand came last, of those whose cards lie so; without a hand the one that they point to."""

        def off(seat: str) -> float:
            return min(abs((card.angle - UP[seat] + 90) % 180 - 90) for card in cards)

        came = {seat: at for seat, at in self._hands.items() if -HANDS_S <= at - self._changed_at <= STILL_S}
        if not came:
            return min(UP, key=lambda seat: min(abs((card.angle - UP[seat] + 180) % 360 - 180) for card in cards))
        likely = {seat: at for seat, at in came.items() if off(seat) <= TURNED} or came
        return max(likely, key=lambda seat: likely[seat])


def _differ(now: np.ndarray, then: np.ndarray) -> bool:
    return float((np.abs(now - then) > CHANGED).sum()) * MM_PER_CELL**2 >= LEAST_MM2
