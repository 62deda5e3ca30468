"""Help and messages of the command line, from the catalogues in ``assets/strings``."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

STRINGS = Path(__file__).resolve().parent.parent / "assets" / "strings"
_language = "zh"


def use_language(language: str) -> None:
    """Speak *language* (``zh`` or ``en``) from here on; anything else leaves it as it is."""
    global _language
    if language in ("zh", "en"):
        _language = language


def language() -> str:
    return _language


@cache
def _catalogue(language: str) -> dict[str, dict[str, str]]:
    return tomllib.loads((STRINGS / f"cli.{language}.toml").read_text("utf-8"))


def help_of(key: str) -> str:
    """The help line of a verb or an option."""
    return _catalogue(_language)["help"][key].replace("%", "%%")


def say(key: str, **values: object) -> str:
    """A message of the catalogue with its values filled in."""
    return _catalogue(_language)["say"][key].format(**values)
