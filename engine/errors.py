"""Errors keep three things apart: it cannot be read, it is impossible, it has several readings.

What the engine says is a :class:`Sentence`: a key of ``assets/strings/rules.*.toml`` and what fills it, so that whoever
shows it can do so in the reader's language.
"""

from __future__ import annotations

from typing import Any


class Sentence:
    """One sentence by its key, in either language; ``str()`` is the English one. A text that is no key says itself."""

    __slots__ = ("key", "values")

    def __init__(self, key: str, /, **values: Any) -> None:
        self.key, self.values = key, values

    def in_language(self, language: str) -> str:
        """The sentence in ``zh`` or ``en``, and in it every sentence that fills it."""
        from engine.rulesets import sentences  # the one file that reads what ships

        pattern = sentences(language).get(self.key)
        try:
            filled = {name: said(value, language) for name, value in self.values.items()}
            return self.key if pattern is None else pattern.format(**filled)
        except KeyError:  # somebody's own words, which happen to be a key
            return self.key

    def __str__(self) -> str:
        return self.in_language("en")

    def __repr__(self) -> str:
        return f"Sentence({self.key!r}, {self.values!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sentence) and (self.key, self.values) == (other.key, other.values)

    def __hash__(self) -> int:
        return hash(self.key)


def said(value: Any, language: str) -> Any:
    """*value* as it stands in a sentence: what speaks languages speaks this one, lists are joined by commas."""
    if isinstance(value, (Sentence, GuandanError)):
        return value.in_language(language)
    if isinstance(value, (list, tuple)):
        return ("、" if language == "zh" else ", ").join(str(said(item, language)) for item in value)
    return value


class GuandanError(ValueError):
    """Root of everything the engine refuses. Nothing has changed when it is raised."""

    spoken: type[Sentence] = Sentence
    """Whose sentences its keys are: another package's errors name a catalogue of their own."""

    def __init__(self, key: str, /, **values: Any) -> None:
        super().__init__(key)
        self.sentence = self.spoken(key, **values)

    def in_language(self, language: str) -> str:
        """What is wrong and what to do, in ``zh`` or ``en``."""
        return self.sentence.in_language(language)

    def __str__(self) -> str:
        return self.in_language("en")


class Unreadable(GuandanError):
    """What was given cannot be read at all: no such card, no such field, no such key."""


class Impossible(GuandanError):
    """It can be read, but cannot be so: a seat that does not exist, a deal before a match."""


class Ambiguous(GuandanError):
    """It has several readings and needs a declaration."""
