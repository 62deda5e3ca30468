"""What the table says to people, in their language, from ``assets/strings/table.*.toml``."""

from __future__ import annotations

import tomllib
from functools import cache

from table.theme import ASSETS

LANGUAGES = ("zh", "en")


@cache
def catalogue(language: str) -> dict[str, str]:
    """Every sentence of one language by its key; a key is ``section.name``."""
    read = tomllib.loads((ASSETS / "strings" / f"table.{language}.toml").read_text("utf-8"))
    return {f"{section}.{name}": text for section, names in read.items() for name, text in names.items()}


class Words:
    """The catalogue of one language: ``words("seat.N")``."""

    def __init__(self, language: str = "zh") -> None:
        self.language = language if language in LANGUAGES else "zh"
        self._texts = catalogue(self.language)

    def __call__(self, key: str, **values: object) -> str:
        return self._texts[key].format(**values)

    def name(self, seat: str, name: str) -> str:
        """A player's name; a robot of the demo has one in each language."""
        robot = f"robot.{seat}"
        return self._texts[robot] if any(catalogue(each)[robot] == name for each in LANGUAGES) else name

    def rank(self, rank: str | None) -> str:
        """A rank as people write it: ``T`` is 10, jokers by name."""
        if rank is None:
            return ""
        return {"T": "10", "SB": self("card.SB"), "HR": self("card.HR")}.get(rank, rank)

    def combination(self, kind: str, size: int, rank: str | None, short: bool = False) -> str:
        """The name of a play in the game's terms: 三带二 K, Full house K; *short* where there is little room."""
        key = f"{'short' if short else 'play'}.{kind}"
        return self(key, rank=self.rank(rank), size=size).strip()
