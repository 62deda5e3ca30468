"""What a table refuses, in the reader's language: keys of ``refused`` in ``assets/strings/table.*.toml``."""

from __future__ import annotations

from engine import errors
from table.words import catalogue


class Sentence(errors.Sentence):
    """One sentence of the table's catalogue by its key; ``str()`` is the English one."""

    __slots__ = ()

    def in_language(self, language: str) -> str:
        """The sentence in ``zh`` or ``en``, and in it every sentence that fills it."""
        filled = {name: errors.said(value, language) for name, value in self.values.items()}
        return catalogue(language)[f"refused.{self.key}"].format(**filled)


class Unreadable(errors.Unreadable):
    """What was given cannot be read at all: no such setting, no address of a venue."""

    spoken = Sentence


class Impossible(errors.Impossible):
    """It can be read, but cannot be so now: a match that nobody was seated for."""

    spoken = Sentence
