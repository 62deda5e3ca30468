"""Exposure that lamps do not stripe: locked, in whole half-waves of the mains. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

HALF_WAVE_US: Final = {50: 10_000, 60: 8_333}
"""Microseconds in which a lamp on the mains becomes bright and dark once."""
LONGEST_US: Final = 40_000
"""Beyond, moving cards smear."""
GAINS: Final = (1.0, 12.0)


@dataclass(frozen=True)
class Locked:
    """A camera's settings that no longer change by themselves: microseconds, a factor, red and blue gain, dioptres."""

    exposure: int
    gain: float = 1.0
    colours: tuple[float, float] | None = None
    focus: float | None = None

    def to_dict(self) -> dict[str, Any]:
        return {"exposure": self.exposure, "gain": self.gain, "colours": self.colours, "focus": self.focus}

    @staticmethod
    def of(given: Mapping[str, Any]) -> Locked:
        """What :meth:`to_dict` gave.

        :raises ValueError: for anything else.
        """
        try:
            red_blue = given["colours"]
            return Locked(
                int(given["exposure"]), float(given["gain"]),
                (float(red_blue[0]), float(red_blue[1])) if red_blue is not None else None,
                float(given["focus"]) if given["focus"] is not None else None,
            )  # fmt: skip
        except (KeyError, TypeError, IndexError) as error:
            raise ValueError(f"no camera settings: {error}") from None


def steady(exposure_us: float, gain: float, hertz: int = 50) -> tuple[int, float]:
    """The exposure of whole half-waves nearest to what the camera chose, and the gain that keeps its brightness."""
    wave = HALF_WAVE_US[hertz]
    waves = max(1, min(LONGEST_US // wave, round(exposure_us / wave)))
    exposure = wave * waves
    return exposure, min(GAINS[1], max(GAINS[0], gain * exposure_us / exposure))
