"""What the hardware refuses: one clear sentence for the person with the screwdriver, never a trace."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Final

STRINGS: Final = Path(__file__).resolve().parent.parent / "assets" / "strings"


class HardwareRefused(Exception):
    """Something about pins, lines or devices cannot work as it is asked for.

    *key* names the sentence in ``assets/strings/hardware.*.toml``, *values* fill it; ``str()`` is the English one.
    """

    def __init__(self, key: str, **values: object) -> None:
        self.key, self.values = key, values
        super().__init__(self.in_language("en"))

    def in_language(self, language: str) -> str:
        """The sentence in ``zh`` or ``en``."""
        return _catalogue(language)[self.key].format(**self.values)


class BadWiring(HardwareRefused, ValueError):
    """A pin map that cannot be: the sentence names file, key and what to do."""


class NoPins(HardwareRefused, OSError):
    """The pin map asks for pins and this machine has none, or they are in use."""


@cache
def _catalogue(language: str) -> dict[str, str]:
    text = (STRINGS / f"hardware.{language}.toml").read_text("utf-8")
    sentences: dict[str, str] = tomllib.loads(text)["refused"]
    return sentences
