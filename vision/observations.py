"""What the eye says: facts about the mat with a time, never a judgement about the game.

Times are seconds on the camera's clock (``Frame.t``). Every card carries all its candidates: what the table knows ranks
them, the eye does not. Places are pixels of the full still (``indices``) and millimetres on the mat (``place``).
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.cards import Card

Point = tuple[float, float]


@dataclass(frozen=True)
class SeenCard:
    """One physical card as the eye sees it, with every visible corner index of it."""

    card: Card
    """The best candidate."""
    confidence: float
    """Calibrated probability of ``card``, 0..1."""
    sure: bool
    """At or above the threshold (in a play: in three settled frames)."""
    candidates: tuple[tuple[Card, float], ...]
    """All cards worth naming with their probabilities, best first; the first is ``card``."""
    indices: tuple[Point, ...]
    """Centres of its visible indices, pixels of the full picture."""
    angle: float
    """Where the card's top points, degrees clockwise from up in the picture (of a play: from north on the mat), 0..360;
    of the two ends of a card that shows both corners, the one nearer to up, or to the player's direction."""
    place: Point | None = None
    """Centre of the card on the mat in millimetres; None in a photo."""
    corners: tuple[Point, ...] = ()
    """Its indices' places on the mat in millimetres, in the order of ``indices``; empty in a photo."""


@dataclass(frozen=True)
class Observation:
    """Something the eye noticed at ``t``."""

    t: float


@dataclass(frozen=True)
class Touched(Observation):
    """A hand came to a seat's play zone: the first touch since that zone last lay still."""

    seat: str


@dataclass(frozen=True)
class Laid(Observation):
    """New cards lie still in a seat's play zone: only what was not there when it last lay still."""

    seat: str
    cards: tuple[SeenCard, ...]
    """Left to right as the player sees them."""
    touched_at: float
    """When the hand first touched the zone."""
    votes: int
    """How many settled stills were read."""
    steady: bool
    """All stills gave the same cards in the same number, and no face lies there that none of them explains."""
    settled_at: float
    """The first still frame after the release; ``t`` is when the reading was complete."""


@dataclass(frozen=True)
class Revised(Observation):
    """Later stills settled or unsettled cards that still lie where they were laid."""

    seat: str
    cards: tuple[SeenCard, ...]
    """The cards concerned as they are read now."""
    was: tuple[SeenCard, ...]
    """The same cards, in the same order, as they were read before."""


@dataclass(frozen=True)
class Removed(Observation):
    """Cards that lay in a seat's play zone are gone: taken back or turned down."""

    seat: str
    cards: tuple[SeenCard, ...]
    emptied: bool
    """Nothing readable is left in the zone."""


@dataclass(frozen=True)
class Hidden(Observation):
    """Something lies in the zone whose index cannot be seen: please spread the cards."""

    seat: str
    why: str
    """``"no_index"`` a face without a readable index, ``"stack"`` cards under cards, ``"few"`` more area than cards."""


@dataclass(frozen=True)
class Reported(Observation):
    """A player's report card came to lie in its strip (``shown``), or left it."""

    seat: str
    shown: bool


@dataclass(frozen=True)
class Covered(Observation):
    """The camera sees nothing of the mat; ``since`` is when that began."""

    since: float


@dataclass(frozen=True)
class Uncovered(Observation):
    """The mat is in view again."""


@dataclass(frozen=True)
class Moved(Observation):
    """The camera or the mat was moved; the eye has found the mat's markers anew."""
