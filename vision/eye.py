"""The eye of a table: frames in, observations out; it looks closely only where and when something has settled.

One call of :meth:`Eye.step` takes one frame of the small stream. While a hand moves in a play zone nothing is judged;
once it has been still, full stills are taken one a step until three have voted, or five where those leave a doubt, and
what is new against what lay there is said. The same frames give the same observations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from engine.cards import SEATS
from vision.areas import both, common, meet
from vision.camera import Camera, Frame
from vision.changes import Change, Lying, compare, lost_a_corner, outline_mm, with_known
from vision.mat import PLAY, SIZE_MM, View, Zone
from vision.middle import Middle
from vision.observations import (
    Covered,
    Hidden,
    Laid,
    Moved,
    Observation,
    Removed,
    Revised,
    SeenCard,
    Touched,
    Uncovered,
)
from vision.photo import Limits
from vision.reports import Reports
from vision.scales import FindsIndices, ReadsIndices
from vision.settle import AROUND_MM, Watch
from vision.votes import MOST, NEEDED, Verdict, same_place, vote
from vision.zones import ZoneReader, in_order, without_shadows

LOOK_AGAIN_S: Final = 0.8
"""Cards that stayed unsure are looked at again after this long, at most LOOKS times."""
LOOKS: Final = 3
HIDDEN_MM2: Final = 900.0
"""White area without a card that is worth asking for: a sixth of a card."""
PAPER_SHARE: Final = 0.25
"""Least white of what came to lie, where it is cards: a joker's picture leaves that much."""
EDGE_MM: Final = 10.0
"""Round what has changed, against the small stream's coarseness."""
SPARE_MM: Final = 7.0
"""Round a card that is read: its edge's place is only known so well."""
FIND_MAT_S: Final = 1.0
MOVED_MM: Final = 2.5


@dataclass
class _Zone:
    """What the eye knows of one seat's play zone."""

    lying: tuple[Lying, ...] = ()
    stills: list[list[SeenCard]] = field(default_factory=list)
    settled_at: float = 0.0
    touched_at: float = 0.0
    looked_at: float | None = None
    looks: int = 0
    area: Zone | None = None
    """What of the zone has changed and is being read; None: all of it."""
    paper: Zone | None = None
    """What of that is as bright as cards are: where indices are looked for; None: everywhere."""
    asked_to_spread: bool = False
    hidden: Zone | None = None
    """Where cards came to lie of which nothing was read."""


class Eye:
    """Watches one table through a camera.

    *mat* is the view of the mat where it is known (touched corners, a stored calibration); without it the mat's markers
    are looked for, and until they are found nothing is seen.
    """

    def __init__(
        self, detector: FindsIndices, reader: ReadsIndices, mat: View | None = None, limits: Limits | None = None
    ) -> None:
        self._zone_reader = ZoneReader(detector, reader, limits)
        self._view = mat
        self._given = mat is not None
        self._watch: Watch | None = None
        self._zones = {seat: _Zone() for seat in SEATS}
        self._reports = Reports()
        self._middle = Middle(self._zone_reader)
        self._covered = False
        self._searched_at: float | None = None
        self.ended = False
        """The camera gave no frame any more."""

    @property
    def view(self) -> View | None:
        """How full stills see the mat; None until it has been found."""
        return self._view

    @property
    def index_mm(self) -> float:
        """Height of this deck's indices in millimetres as far as it is known."""
        return self._zone_reader.index_mm

    def lying(self, seat: str) -> tuple[SeenCard, ...]:
        """The cards that lie in the seat's play zone as far as the eye knows, covered ones too."""
        return tuple(lying.seen for lying in self._zones[seat].lying)

    def step(self, camera: Camera) -> list[Observation]:
        """Take the next frame of the small stream and tell what became of it."""
        frame = camera.motion()
        if frame is None:
            self.ended = True
            return self._close()
        if self._view is None and not self._find_mat(camera, frame):
            return []
        assert self._view is not None
        if self._watch is None:
            self._watch = Watch(self._view)
        sight = self._watch.see(frame.t, frame.image)
        told: list[Observation] = []
        # A camera that was pushed aside loses the markers' places as a covered one does, but finds them elsewhere.
        if (sight.covered or sight.markers_off) and self._was_moved(camera, frame, told):
            return told
        self._note_cover(frame.t, sight.covered, told)
        if sight.covered:
            return told
        told.extend(Touched(frame.t, seat) for seat in sight.touched)
        if self._watch.look is not None:
            told.extend(self._reports.step(camera, self._view, frame.t, self._watch.look))
        for seat, zone in self._zones.items():
            if seat in sight.settled:
                told.extend(self._settled(camera, frame.t, seat, seat in sight.changed))
            elif self._watch.touched_at(seat) is not None:
                zone.stills.clear()
                zone.looked_at, zone.looks = None, 0
            else:
                told.extend(self._look_again(camera, frame.t, seat))
        told.extend(self._look_at_middle(camera, frame.t, told, sight.touched))
        return told

    def _look_at_middle(
        self, camera: Camera, t: float, told: Sequence[Observation], touched: Sequence[str]
    ) -> list[Observation]:
        """What came to lie beyond all zones, once all of them lie still and have been read."""
        assert self._watch is not None and self._view is not None
        self._middle.heard(told, dict.fromkeys(touched, t))
        if self._watch.look is None:
            return []
        quiet = all(self._watch.touched_at(seat) is None for seat in SEATS)
        return self._middle.step(camera, self._view, t, self._watch.look, quiet)

    def _find_mat(self, camera: Camera, frame: Frame) -> bool:
        if self._searched_at is not None and frame.t - self._searched_at < FIND_MAT_S:
            return False
        self._searched_at = frame.t
        self._view = View.from_markers(camera.still().image)
        return self._view is not None

    def _note_cover(self, t: float, covered: bool, told: list[Observation]) -> None:
        if covered and not self._covered:
            assert self._watch is not None
            told.append(Covered(t, self._watch.dark_since or t))
            for zone in self._zones.values():
                zone.stills.clear()
        elif self._covered and not covered:
            told.append(Uncovered(t))
        self._covered = covered

    def _was_moved(self, camera: Camera, frame: Frame, told: list[Observation]) -> bool:
        """Whether the markers lie elsewhere now; if so, the eye starts from there."""
        if self._given or (self._searched_at is not None and frame.t - self._searched_at < FIND_MAT_S):
            return False
        self._searched_at = frame.t
        view = View.from_markers(camera.still().image)
        if view is None or self._view is None:
            return False
        if self._view.drift(view) < MOVED_MM * self._view.px_per_mm(SIZE_MM / 2, SIZE_MM / 2):
            return False
        self._view, self._watch, self._reports = view, Watch(view), Reports()
        self._middle = Middle(self._zone_reader)
        for zone in self._zones.values():
            zone.stills.clear()
        self._note_cover(frame.t, False, told)
        told.append(Moved(frame.t))
        return True

    def _read(self, camera: Camera, seat: str) -> tuple[list[SeenCard], Frame]:
        assert self._view is not None
        area = self._zones[seat].area
        still = camera.still(self._zone_reader.box(self._view, seat, area))
        if still.full_size != self._view.size:
            self._view = self._view.scaled(still.full_size)
            still = camera.still(self._zone_reader.box(self._view, seat, area))
        area = self._zones[seat].paper or area
        # The first still and the last are searched for indices, the one between is read where they are.
        taken = len(self._zones[seat].stills)
        thorough = taken >= NEEDED or self._zones[seat].asked_to_spread
        return self._zone_reader.read(still, self._view, seat, area, taken == NEEDED - 2, thorough), still

    def _area(self, seat: str) -> Zone | None:
        """What must be read of a zone that has changed: what cards have changed, and every known card that may be."""
        assert self._watch is not None
        changed = self._watch.changed_area(seat)
        if changed is None:
            return None
        paper = self._watch.changed_area(seat, paper=True)
        cards = [outline_mm(lying.seen, EDGE_MM) for lying in self._zones[seat].lying]
        boxes = [Zone("play", seat, *map(float, (*each.min(axis=0), *each.max(axis=0)))) for each in cards]
        area = paper.grown(EDGE_MM) if paper is not None else None
        for box in boxes:
            if meet(box, changed):
                area = box if area is None else both(area, box)
        # A card that lies over another in part makes the whole of that one doubtful, and so on.
        before = None
        while area != before:
            before = area
            for box in boxes:
                if area is not None and meet(box, area):
                    area = both(area, box)
        return area or changed.grown(EDGE_MM)

    def _begin(self, seat: str, area: Zone | None) -> None:
        """The stills to come are of this *area*; where the ground shows in it no index can be."""
        assert self._watch is not None
        zone = self._zones[seat]
        zone.area = area
        whole = area or PLAY[seat].grown(AROUND_MM)
        paper = self._watch.paper_in(whole)
        zone.paper = None if paper is None else common(paper.grown(EDGE_MM), whole)

    def _settled(self, camera: Camera, t: float, seat: str, changed: bool) -> list[Observation]:
        """One more still of a zone that lies still after a touch; with the last that is wanted the verdict."""
        assert self._watch is not None
        zone = self._zones[seat]
        if not changed and not zone.stills:
            self._watch.accept(seat)
            return []
        if not zone.stills:
            zone.settled_at = self._watch.still_since(seat) or t
            zone.touched_at = self._watch.touched_at(seat) or t
            self._begin(seat, self._area(seat))
        cards, still = self._read(camera, seat)
        zone.stills.append(cards)
        if self._wants_more(seat, still):
            return []
        told = self._verdict(t, seat, still)
        self._watch.accept(seat)
        return told

    def _wants_more(self, seat: str, still: Frame) -> bool:
        """Whether another still of the zone may settle what those that there are leave open."""
        zone = self._zones[seat]
        if not NEEDED <= len(zone.stills) < MOST:
            return len(zone.stills) < NEEDED
        before, _ = _read_again(zone)
        verdict = _voted(zone, before)
        known = [lying.seen for lying in before if lying.seen.sure]
        doubted = [card for card in verdict.cards if not card.sure and not any(same_place(card, k) for k in known)]
        if doubted or not verdict.steady:
            return True
        return self._new_paper(seat, still, self._outlines(zone, verdict)) is not None

    @staticmethod
    def _outlines(zone: _Zone, verdict: Verdict) -> list[np.ndarray]:
        """Where the zone's cards lie, those of the *verdict* and those known before."""
        return [outline_mm(card, SPARE_MM) for card in (*verdict.cards, *(lying.seen for lying in zone.lying))]

    def _verdict(self, t: float, seat: str, still: Frame | None, again: bool = False) -> list[Observation]:
        zone = self._zones[seat]
        before, outside = _read_again(zone)
        verdict, votes = _voted(zone, before), len(zone.stills)
        zone.stills = []
        change = compare(
            before, verdict.cards,
            lambda lying: self._lies_yet(lying, verdict.cards), self._watch.look if self._watch else None,
        )  # fmt: skip
        change = without_shadows(change)
        if again:
            # Nobody has touched the zone: nothing can have come or gone, whatever a second look makes of it.
            stayed = tuple(lying for lying in change.lying if lying.seen not in change.new)
            missed = tuple(lying for lying in zone.lying if lying.seen in change.gone)
            told: list[Observation] = []
            if change.renamed:
                told.append(Revised(t, seat, change.renamed, change.was))
            if zone.asked_to_spread and (found := tuple(card for card in change.new if card.sure)):
                # Something lies there that could not be read, and now it can: still not surely, as often as it failed.
                told.append(Laid(t, seat, in_order(found, seat), zone.touched_at, votes, False, zone.settled_at))
                stayed += tuple(lying for lying in change.lying if lying.seen in found)
                zone.asked_to_spread = False
            zone.lying, zone.looked_at = outside + stayed + missed, t
            return told
        stacked = not change.new and not change.gone and lost_a_corner(zone.lying, change.lying)
        zone.lying = outside + change.lying
        emptied = not zone.lying
        zone.looked_at, zone.looks = t, 0
        told = []
        if change.gone:
            told.append(Removed(t, seat, in_order(change.gone, seat), emptied))
        if change.renamed:
            told.append(Revised(t, seat, change.renamed, change.was))
        hidden = self._hidden(t, seat, still, change, verdict, stacked) if still is not None else []
        new, whole = change.new, verdict.steady and not zone.asked_to_spread
        if not new and zone.hidden is not None and (guess := self._guess(seat)) is not None:
            # What can be asked about is better asked about than spread by all hands.
            new = (guess,)
            zone.lying = (*zone.lying, Lying(guess, look=self._watch.look if self._watch else None))
        if new:
            told.append(Laid(t, seat, in_order(new, seat), zone.touched_at, votes, whole, zone.settled_at))
        return [*told, *hidden]

    def _guess(self, seat: str) -> SeenCard | None:
        """The likeliest card of those that lie where nothing was read surely enough to be one."""
        area = self._zones[seat].hidden
        return self._zone_reader.guess(self._view, seat, area) if area is not None and self._view is not None else None

    def _lies_yet(self, lying: Lying, seen: Sequence[SeenCard]) -> bool:
        """Whether the place of a card whose index is not seen looks as it did: a hand or a thing is over the index."""
        if self._watch is None or lying.look is None or lying.seen.place is None:
            return False
        return self._watch.unchanged(lying.look, outline_mm(lying.seen, -4.0), [outline_mm(card, 4.0) for card in seen])

    def _hidden(
        self, t: float, seat: str, still: Frame, change: Change, verdict: Verdict, stacked: bool
    ) -> list[Hidden]:
        """Ask to spread the cards when a face lies there that nobody can read; turned cards are no face. *stacked*:
        something lies over a corner that was seen before, and nothing new was read."""
        assert self._view is not None
        zone = self._zones[seat]
        zone.hidden = None
        if change.gone and not change.new:
            zone.asked_to_spread = False
            return []
        outlines = self._outlines(zone, verdict)
        area = self._zone_reader.unexplained(still, self._view, seat, outlines, zone.area)
        paper = self._new_paper(seat, still, outlines)
        zone.hidden = paper if not verdict.cards or not change.new else None
        hidden = area >= HIDDEN_MM2 or stacked or paper is not None
        why = "stack" if stacked else "few" if verdict.cards else "no_index"
        told = [Hidden(t, seat, why)] if hidden and not zone.asked_to_spread else []
        zone.asked_to_spread = hidden
        return list(told)

    def _new_paper(self, seat: str, still: Frame, outlines: list[np.ndarray]) -> Zone | None:
        """Where in the zone cards came to lie that are none of those in *outlines*, whatever is printed on them."""
        assert self._view is not None
        others = [outline_mm(lying.seen, SPARE_MM) for each, zone in self._zones.items() if each != seat
                  for lying in zone.lying]  # fmt: skip
        found = self._watch.new_paper(seat, [*outlines, *others]) if self._watch is not None else None
        if found is None or found[1] < HIDDEN_MM2:
            return None
        return found[0] if self._zone_reader.white_share(still, self._view, found[0]) >= PAPER_SHARE else None

    def _look_again(self, camera: Camera, t: float, seat: str) -> list[Observation]:
        """More stills of a zone at rest in which a card stayed unsure."""
        zone = self._zones[seat]
        unsure = any(not lying.seen.sure and not lying.covered for lying in zone.lying)
        if not (unsure or zone.asked_to_spread) or zone.looks >= LOOKS or zone.looked_at is None:
            return []
        if not zone.stills and t - zone.looked_at < LOOK_AGAIN_S:
            return []
        if not zone.stills:
            self._begin(seat, None)
        cards, still = self._read(camera, seat)
        zone.stills.append(cards)
        if self._wants_more(seat, still):
            return []
        looks = zone.looks + 1
        if not zone.asked_to_spread:
            zone.touched_at = zone.settled_at = t
        told = self._verdict(t, seat, None, again=True)
        zone.looks = looks
        return told

    def _close(self) -> list[Observation]:
        """The video ended while stills were voting: what they saw, unsure."""
        told: list[Observation] = []
        for seat, zone in self._zones.items():
            if zone.stills and self._watch is not None and self._watch.touched_at(seat) is not None:
                told.extend(self._verdict(zone.settled_at, seat, None))
            zone.stills = []
        return told


def _read_again(zone: _Zone) -> tuple[list[Lying], tuple[Lying, ...]]:
    """The known cards of which an index lies in what is being read, and the others."""
    area = zone.area
    outside = tuple(lying for lying in zone.lying if area is not None and not _inside(area, lying.seen))
    return [lying for lying in zone.lying if lying not in outside], outside


def _voted(zone: _Zone, before: Sequence[Lying]) -> Verdict:
    return vote([with_known(before, still) for still in zone.stills])


def _inside(area: Zone, card: SeenCard) -> bool:
    """Whether an index of *card* lies in *area*, so that it must be seen again if it is still there."""
    return any(area.holds(x, y) for x, y in card.corners or (card.place or (0.0, 0.0),))
