"""Rate limits: a bucket a caller and a kind of request, refilled as time passes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Final

RATES: Final[dict[str, tuple[float, float]]] = {
    # kind: (requests a second in the long run, how many may come at once)
    "page": (20.0, 120.0),
    "act": (5.0, 40.0),
    "enter": (0.2, 10.0),  # sign-in and pairing: guesses must stay rare
    "enter_all": (2.0, 60.0),  # the same from everywhere together
    "sync": (500.0, 4000.0),  # a whole hall may come through one address
    "device": (10.0, 60.0),
    "file": (40.0, 120.0),  # pieces of a file for one table
    "file_all": (80.0, 160.0),  # for all of them together: some 40 MB a second, so that events still pass
    "refused": (0.5, 60.0),  # doors that stayed shut
}
MOST_BUCKETS: Final = 20_000


class Limits:
    """Buckets by (kind, caller). *clock* gives seconds that never go back."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def wait(self, kind: str, caller: str) -> float:
        """Take one request of *caller*: 0 when it may pass, else the seconds until one may."""
        rate, most = RATES[kind]
        now = self._clock()
        left, at = self._buckets.pop((kind, caller), (most, now))
        left = min(most, left + (now - at) * rate)
        passes = left >= 1
        self._buckets[kind, caller] = (left - 1 if passes else left, now)
        if len(self._buckets) > MOST_BUCKETS:
            self._buckets.popitem(last=False)
        return 0.0 if passes else (1 - left) / rate
