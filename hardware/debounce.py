"""From the trembling of contacts to presses: pure, no clock and no pin here.

A mechanical contact bounces for some milliseconds, and a long cable catches sparks. A level counts once it has stood
for ``STABLE`` seconds; whatever is shorter never happened. No press is lost by it: the quickest finger is slower.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

STABLE: Final = 0.025
"""Seconds that a level must stand to count (20 to 30 ms: contacts bounce up to 10, fingers press 60 and more)."""
HOLD: Final = 0.5
"""Seconds that a referee button must be held: a sleeve or an elbow calls nobody."""
STUCK: Final = 30.0
"""Seconds after which a button that is still down is taken for broken, or for something lying on it."""


class Debounce:
    """One contact; *down* is the level that counts, first the one found at the start."""

    def __init__(self, stable: float = STABLE, down: bool = False) -> None:
        self.stable, self.down = stable, down
        self._raw, self._since = down, float("-inf")

    @property
    def settled(self) -> bool:
        """Whether the contact stands as it counts; otherwise it wants to be sampled again soon."""
        return self._raw == self.down

    def moved(self, t: float) -> None:
        """Something happened at *t* between two samples: whatever stands now has stood since then at most."""
        self._since = max(self._since, t)

    def sample(self, t: float, level: bool) -> bool:
        """The contact stands at *level* at *t*; true when :attr:`down` has just changed."""
        if level != self._raw:
            self._raw, self._since = level, t
        if level == self.down or t - self._since < self.stable - 1e-6:
            return False
        self.down = level
        return True


@dataclass
class Button:
    """One button: fires when pressed, or with *hold* once it was held that long, and never twice for one press."""

    debounce: Debounce
    hold: float = 0.0
    _pressed_at: float | None = field(default=None, init=False)
    _fired: bool = field(default=False, init=False)

    @property
    def busy(self) -> bool:
        """Whether it must be sampled closely: trembling, or being held."""
        return not self.debounce.settled or (self._pressed_at is not None and not self._fired)

    def stuck(self, t: float) -> bool:
        """Whether it has been down for so long that no finger is on it."""
        return self._pressed_at is not None and t - self._pressed_at > STUCK

    def sample(self, t: float, level: bool) -> bool:
        """The contact stands at *level* at *t*; true when the button fires."""
        if self.debounce.sample(t, level):
            # A press began when its level began to stand: that is when a finger came.
            self._pressed_at = t - self.debounce.stable if self.debounce.down else None
            self._fired = False
        if self._pressed_at is None or self._fired or t - self._pressed_at < self.hold:
            return False
        self._fired = True
        return True
