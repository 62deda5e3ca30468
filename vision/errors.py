"""What the eye refuses: one clear sentence for a person, never a trace."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Final

STRINGS: Final = Path(__file__).resolve().parent.parent / "assets" / "strings"


class CannotSee(OSError):
    """There is no picture to look at: a camera that is not there, a video that is no video, a file that is no image.

    *key* names the sentence in ``assets/strings/eye.*.toml``, *values* fill it; ``str()`` is the English one.
    """

    def __init__(self, key: str, **values: object) -> None:
        self.key, self.values = key, values
        super().__init__(self.in_language("en"))

    def in_language(self, language: str) -> str:
        """The sentence in ``zh`` or ``en``."""
        return _catalogue(language)[self.key].format(**self.values)


@cache
def _catalogue(language: str) -> dict[str, str]:
    text = (STRINGS / f"eye.{language}.toml").read_text("utf-8")
    sentences: dict[str, str] = tomllib.loads(text)["cannot_see"]
    return sentences


@cache
def words(language: str, section: str) -> dict[str, str]:
    """Another section of the eye's catalogue."""
    found: dict[str, str] = tomllib.loads((STRINGS / f"eye.{language}.toml").read_text("utf-8"))[section]
    return found
