"""The table's tones, made by us: short, low, told apart by their shape and not by their loudness alone.

Pure: samples come out, nothing is played here. The same tones as patterns of a buzzer that knows one pitch.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from typing import Final

RATE: Final = 22_050
"""Samples a second."""
TONES: Final[dict[str, Sequence[tuple[float, float]]]] = {
    "warning": ((440.0, 0.12), (0.0, 0.08), (440.0, 0.12)),
    "reminder": ((523.25, 0.3),),
    "notice": ((392.0, 0.18), (0.0, 0.06), (392.0, 0.18)),
    "call": ((659.25, 0.14), (523.25, 0.14), (659.25, 0.14)),
    "confirmed": ((523.25, 0.09), (783.99, 0.14)),
    "bell": ((587.33, 0.35), (0.0, 0.1), (587.33, 0.35), (0.0, 0.1), (587.33, 0.5)),
}
"""Name → notes: hertz (0 is a rest) and seconds."""
RISE: Final = 0.012
"""Seconds in which a note comes and goes: no click."""


def samples(name: str, volume: float = 0.5, rate: int = RATE) -> array[int]:
    """A tone as signed 16-bit mono; empty for an unknown name. *volume* is 0 to 1."""
    found = array("h")
    for hertz, seconds in TONES.get(name, ()):
        count = round(seconds * rate)
        for k in range(count):
            if not hertz:
                found.append(0)
                continue
            t = k / rate
            edge = min(1.0, t / RISE, (seconds - t) / RISE)
            # A little of the octave makes it wood rather than a test signal; it dies away as a struck bar does.
            wave = math.sin(2 * math.pi * hertz * t) + 0.25 * math.sin(4 * math.pi * hertz * t)
            found.append(round(32_767 * min(1.0, volume) * 0.6 * max(0.0, edge) * math.exp(-2.5 * t) * wave / 1.25))
    return found


def beeps(name: str) -> list[tuple[bool, float]]:
    """A tone for a buzzer: (sounding, seconds) in turn; lower notes become longer ones, so that shapes stay apart."""
    return [
        (hertz > 0, seconds if not hertz else max(0.05, seconds * (1.0 if hertz >= 400 else 1.5)))
        for hertz, seconds in TONES.get(name, ())
    ]
