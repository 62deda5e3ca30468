"""What hands do at the table, as motions: laying cards, tidying them, turning them down, taking them away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import cos, radians, sin
from random import Random

from simulator import layout
from simulator.layout import Pose
from simulator.motion import ARM, REACH_IN, Carry, Change, Placed, Sweep
from vision import mat

_OUT_OF_SIGHT = {"N": 580.0, "S": 580.0, "E": 730.0, "W": 730.0}
"""Millimetres from the mat's centre at which a hand is outside the picture."""
_GRIP = 17.0
"""Fingertips hold a card this far below its centre, at its right."""


@dataclass(frozen=True)
class Pace:
    """How fast people are, in seconds; pairs are drawn between."""

    lead: tuple[float, float] = (1.4, 3.2)
    """Thinking before a lead."""
    follow: tuple[float, float] = (0.8, 2.4)
    passing: tuple[float, float] = (0.5, 1.4)
    reach: tuple[float, float] = (0.38, 0.55)
    """Between out of sight and the cards."""
    card: tuple[float, float] = (0.10, 0.19)
    """From one card of a play to the next."""
    still: float = 1.4
    """Cards lie untouched with the hand away at least this long before anything else happens."""
    press: tuple[float, float] = (0.35, 0.8)
    """From one button to the next; also between a still table and a report."""
    ruling: tuple[float, float] = (1.6, 3.0)
    """The referee's coming and word."""
    shuffle: float = 2.5
    """Between two deals, for what nobody films."""

    def quicker(self, factor: float) -> Pace:
        """Thinking takes *factor* of the time; hands move and cards lie as ever."""

        def less(pair: tuple[float, float]) -> tuple[float, float]:
            return pair[0] * factor, pair[1] * factor

        return replace(
            self, lead=less(self.lead), follow=less(self.follow), passing=less(self.passing),
            ruling=less(self.ruling), shuffle=self.shuffle * factor,
        )  # fmt: skip


@dataclass(frozen=True)
class Gesture:
    """One thing done by one hand: its motion, what it changes, when it first touched and last released cards."""

    sweeps: tuple[Sweep, ...]
    changes: tuple[Change, ...]
    touched: float
    released: float
    end: float
    """The hand is out of sight."""


def _away(seat: str, x: float, y: float) -> tuple[float, float]:
    """Where a hand over (x, y) comes from and goes to."""
    dx, dy = REACH_IN[seat]
    far, middle = _OUT_OF_SIGHT[seat], mat.SIZE_MM / 2
    return (middle + dx * far, y) if dx else (x, middle + dy * far)


def _tip(pose: Pose, seat: str) -> tuple[float, float]:
    """The fingertips' place when they hold a card at *pose*."""
    turn = radians(ARM[seat])
    along, toward = 9.0, _GRIP
    return pose.x + along * cos(turn) - toward * sin(turn), pose.y + along * sin(turn) + toward * cos(turn)


def _held(placed: Placed, rng: Random, turn: float = 0.0) -> Placed:
    """The card as it is held: its pose in the hand's own frame."""
    return replace(placed, pose=Pose(-9 + rng.gauss(0, 1.5), -_GRIP + rng.gauss(0, 1.5), turn + rng.gauss(0, 2.0)))


def lay(seat: str, cards: Sequence[Placed], start: float, pace: Pace, rng: Random, tidy: bool = False) -> Gesture:
    """Lay *cards* one after another where their poses say; *tidy*: straighten them before the hand goes."""
    turn = rng.uniform(-7, 7)
    t = start + rng.uniform(*pace.reach)
    touched = t
    tips = [_tip(card.pose, seat) for card in cards]
    keys = [(start, *_away(seat, *tips[0]), turn)]
    changes: list[Change] = []
    carries: list[Carry] = []
    for card, tip in zip(cards, tips, strict=True):
        keys.append((t, *tip, turn))
        changes.append(Change(t, (), (card,)))
        carries.append(Carry(start, t, (_held(card, rng, 3.0),)))
        t += rng.uniform(*pace.card)
    released = t
    keys.append((released, *tips[-1], turn))
    if tidy:
        final = layout.straightened([card.pose for card in cards], rng)
        middle = tips[len(tips) // 2]
        keys.append((released + 0.25, *middle, turn + 3))
        released += 0.5
        moved = tuple(replace(card, pose=pose) for card, pose in zip(cards, final, strict=True))
        changes.append(Change(released - 0.12, tuple(card.number for card in moved), moved))
        keys.append((released, middle[0] + rng.gauss(0, 3), middle[1] + rng.gauss(0, 3), turn))
    end = released + rng.uniform(*pace.reach)
    keys.append((end, *_away(seat, *keys[-1][1:3]), turn))
    return Gesture((Sweep(seat, tuple(keys), tuple(reversed(carries))),), tuple(changes), touched, released, end)


def straighten(
    seat: str, cards: Sequence[Placed], start: float, pace: Pace, rng: Random
) -> tuple[Gesture, list[Placed]]:
    """A hand comes back to tidy what lies there; also the cards as they lie then."""
    turn = rng.uniform(-7, 7)
    middle = _tip(cards[len(cards) // 2].pose, seat)
    touched = start + rng.uniform(*pace.reach)
    released = touched + rng.uniform(0.3, 0.5)
    poses = layout.straightened([card.pose for card in cards], rng)
    moved = [replace(card, pose=pose) for card, pose in zip(cards, poses, strict=True)]
    end = released + rng.uniform(*pace.reach)
    away = _away(seat, *middle)
    keys = (
        (start, *away, turn), (touched, *middle, turn),
        (released, middle[0] + 3, middle[1] - 2, turn), (end, *away, turn),
    )  # fmt: skip
    change = Change(released - 0.15, tuple(card.number for card in cards), tuple(moved))
    return Gesture((Sweep(seat, keys),), (change,), touched, released, end), moved


def carry_off(seat: str, cards: Sequence[Placed], start: float, pace: Pace, rng: Random) -> Gesture:
    """A hand of *seat* takes *cards* from where they lie and goes with them."""
    turn = rng.uniform(-6, 6)
    first, last = _tip(cards[0].pose, seat), _tip(cards[-1].pose, seat)
    far = abs(first[0] - _away(seat, *first)[0]) + abs(first[1] - _away(seat, *first)[1])
    touched = start + rng.uniform(*pace.reach) * max(1.0, far / 420)
    gathered = touched + (0.22 if len(cards) > 1 else 0.1)
    end = gathered + rng.uniform(*pace.reach) * max(1.0, far / 420)
    keys = (
        (start, *_away(seat, *first), turn), (touched, *first, turn),
        (gathered, *last, turn), (end, *_away(seat, *last), turn),
    )  # fmt: skip
    return Gesture(
        (Sweep(seat, keys, (Carry(touched, end, _bundle(cards, rng)),)),),
        (Change(touched, tuple(card.number for card in cards)),), touched, gathered, end,
    )  # fmt: skip


def turn_down(
    seat: str, cards: Sequence[Placed], start: float, pace: Pace, rng: Random
) -> tuple[Gesture, list[Placed]]:
    """A player turns own cards face down into the own zone for turned cards; also the cards as they lie then."""
    turn = rng.uniform(-6, 6)
    poses = layout.turned(seat, len(cards), rng)
    lying = [replace(card, up=False, pose=pose) for card, pose in zip(cards, poses, strict=True)]
    first, last = _tip(cards[0].pose, seat), _tip(cards[-1].pose, seat)
    goal = _tip(poses[-1], seat)
    touched = start + rng.uniform(*pace.reach)
    gathered = touched + (0.22 if len(cards) > 1 else 0.1)
    down = gathered + rng.uniform(0.35, 0.5)
    end = down + 0.08 + rng.uniform(*pace.reach)
    keys = (
        (start, *_away(seat, *first), turn), (touched, *first, turn), (gathered, *last, turn), (down, *goal, turn + 8),
        (down + 0.08, *goal, turn + 8), (end, *_away(seat, *goal), turn),
    )  # fmt: skip
    sweep = Sweep(seat, keys, (Carry(touched, down, _bundle(cards, rng), turns=True),))
    changes = (Change(touched, tuple(card.number for card in cards)), Change(down, (), tuple(lying)))
    return Gesture((sweep,), changes, touched, down, end), lying


def _bundle(cards: Sequence[Placed], rng: Random) -> tuple[Placed, ...]:
    """Cards gathered in a hand: of many only the upper ones show."""
    return tuple(_held(card, rng) for card in cards[-6:])
