"""What the virtual table refuses, in the reader's language: keys of ``assets/strings/simulator.*.toml``."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Final

from engine import errors

STRINGS: Final = Path(__file__).resolve().parent.parent / "assets" / "strings"


class Sentence(errors.Sentence):
    """One sentence of the simulator's catalogue by its key; ``str()`` is the English one."""

    __slots__ = ()

    def in_language(self, language: str) -> str:
        """The sentence in ``zh`` or ``en``, and in it every sentence that fills it."""
        filled = {name: errors.said(value, language) for name, value in self.values.items()}
        return _catalogue(language)[self.key].format(**filled)


class Unreadable(errors.Unreadable):
    """What was given cannot be filmed or drawn: no such design, a picture that is none, nowhere to write the film."""

    spoken = Sentence


@cache
def _catalogue(language: str) -> dict[str, str]:
    sentences: dict[str, str] = tomllib.loads((STRINGS / f"simulator.{language}.toml").read_text("utf-8"))["refused"]
    return sentences
