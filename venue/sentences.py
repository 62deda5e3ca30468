"""What the venue says when it refuses, in the reader's language: keys of ``assets/strings/refused.*.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from engine import errors

LANGUAGES: Final = ("zh", "en")
_STRINGS: Final = Path(__file__).resolve().parent.parent / "assets" / "strings"


@cache
def _patterns(language: str) -> Mapping[str, str]:
    found: dict[str, str] = tomllib.loads((_STRINGS / f"refused.{language}.toml").read_text("utf-8"))["refused"]
    return found


class Sentence(errors.Sentence):
    """One sentence of the venue's catalogue by its key; ``str()`` is the English one."""

    __slots__ = ()

    def in_language(self, language: str) -> str:
        """The sentence in ``zh`` or ``en``, and in it every sentence that fills it."""
        filled = {name: errors.said(value, language) for name, value in self.values.items()}
        return _patterns(language)[self.key].format(**filled)


class Unreadable(errors.Unreadable):
    """What was given cannot be read at all: no table of text, no such option."""

    spoken = Sentence


class Impossible(errors.Impossible):
    """It can be read, but cannot be so, or not now: a draw while results are missing."""

    spoken = Sentence
