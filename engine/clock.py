"""Clocks of a match: they follow the times of the events, stand still in a pause, and say when a limit was passed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from engine.rulesets import Ruleset


class Limit(NamedTuple):
    """What a duty allows, in seconds: the time given, the warning, the foul; 0 is off."""

    seconds: int
    warning: int
    foul: int


NO_LIMIT = Limit(0, 0, 0)


def limit_of(ruleset: Ruleset, duty: str) -> Limit:
    """The limit of a duty: ``opening``, ``play``, ``tribute`` or ``return``; none of any other.

    Neither warning nor foul comes before the time that is given is over, whichever of them an option has changed.
    """
    if duty == "play":
        seconds = ruleset.turn_seconds
        warning, foul = (at and max(at, seconds) for at in (ruleset.turn_warning, ruleset.turn_foul))
        return Limit(seconds, warning, foul)
    if duty == "opening":
        return Limit(ruleset.opening_seconds, 0, ruleset.opening_seconds)
    seconds = {"tribute": ruleset.tribute_seconds, "return": ruleset.return_seconds}.get(duty, 0)
    return Limit(seconds, 0, seconds + ruleset.tribute_grace if seconds else 0)


@dataclass(slots=True)
class Clock:
    """The match's time and the time of whoever must act."""

    match_left: float | None = None
    """Seconds to the bell; ``None`` without a limit."""
    now: float = 0.0
    paused: bool = False
    waiting: bool = False
    """Whether play stands still for a referee: no turn's time runs; the match's time does, unless it is paused too."""
    elapsed: float = 0.0
    """Seconds of the present duty."""
    limit: Limit = NO_LIMIT
    warned: bool = False
    fouled: bool = False

    @property
    def stopped(self) -> bool:
        """Whether the match's time stands still."""
        return self.paused

    @property
    def turn_left(self) -> float | None:
        return max(0.0, self.limit.seconds - max(0.0, self.elapsed)) if self.limit.seconds else None

    def advance(self, t: float) -> str | None:
        """Go on to *t*; ``warning`` or ``foul`` when the present duty has just passed that."""
        passed, self.now = t - self.now, t
        if self.paused:
            return None
        if self.match_left is not None:
            self.match_left -= passed
        if self.waiting:
            return None
        self.elapsed += passed
        if self._beyond(self.limit.foul) and not self.fouled:
            self.fouled = self.warned = True
            return "foul"
        if self._beyond(self.limit.warning) and not self.warned:
            self.warned = True
            return "warning"
        return None

    def _beyond(self, seconds: int) -> bool:
        if not seconds:
            return False
        # The time that is allowed must be exceeded; a later threshold counts when it is reached.
        return self.elapsed > seconds if seconds == self.limit.seconds else self.elapsed >= seconds

    def start(self, limit: Limit, wait: float = 0.0) -> None:
        """A new duty begins, *wait* seconds from now."""
        self.elapsed, self.limit, self.warned, self.fouled = -wait, limit, False, False
