"""Alerts: what judgement found, with its rule, its evidence and where it goes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engine.errors import Sentence
from engine.keys import Ladder, Total


@dataclass(frozen=True, slots=True)
class Article:
    """The rule that an alert rests on: the ruleset's own words and source, or what holds everywhere."""

    kind: str
    ruleset: tuple[str, str] = ("", "")
    """The ruleset's name in Chinese and English."""
    source: str = ""
    zh: str = ""
    en: str = ""

    @staticmethod
    def of(kind: str, ladder: Ladder | Total | None, ruleset: tuple[str, str]) -> Article:
        if ladder is None or not (ladder.source or ladder.zh or ladder.en):
            return Article(kind)
        return Article(kind, ruleset, ladder.source, ladder.zh, ladder.en)

    def in_language(self, language: str) -> str:
        """In ``zh`` 《规则》 and the article's words, in ``en`` the source and the words."""
        words = self.zh if language == "zh" else self.en
        if not self.source and not words:
            return Sentence(f"rule_{self.kind}").in_language(language)
        if language == "zh":
            return f"《{self.ruleset[0]}》{words or self.source}"
        return f"{self.source}: {words}" if self.source and words else words or self.source


@dataclass(slots=True)
class Alert:
    """One alert; its state and penalty change when it is ruled on."""

    id: str
    """``<line>.<n>``: the line whose fact raised it, and its place among that line's alerts."""
    kind: str
    certain: bool
    seat: str | None
    article: Article
    """The rule that was broken."""
    event: int
    """The line of the fact that broke the rule."""
    route: str
    state: str = "open"
    penalty: list[str] = field(default_factory=list)
    note: Sentence = field(default_factory=lambda: Sentence("none"))
    """What happened."""
    of: str | None = None
    """The kind of conduct a referee named."""
    deal: int = 0
    """The deal in which it was raised; 0: before the first, or in one that was dealt anew."""
    trick: int = 0
    ruled_at: int | None = None
    before_play: bool = False
    acted: int = 0
    """How often the seat had acted in the deal when it was raised."""

    @property
    def rule(self) -> str:
        """The rule in English, with its source; :attr:`article` says it in either language."""
        return self.article.in_language("en")

    def to_dict(self, language: str = "en") -> dict[str, Any]:
        """As ``replay --json`` prints it; ``rule`` and ``note`` in ``zh`` or ``en``."""
        return {
            "id": self.id, "kind": self.kind, "certain": self.certain, "seat": self.seat,
            "rule": self.article.in_language(language), "source": self.article.source or None, "event": self.event,
            "route": self.route, "state": self.state, "penalty": ", ".join(self.penalty) or None,
            "note": self.note.in_language(language),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Penalty:
    """One effect of an upheld alert."""

    alert: str
    seat: str | None
    side: str | None
    """The side it touches: the offender's, or of ``opponents_gain`` the one that gains."""
    effect: str
    levels: int
    """Levels by which that side moved."""

    def to_dict(self) -> dict[str, Any]:
        return {
            "alert": self.alert, "seat": self.seat, "side": self.side, "effect": self.effect, "levels": self.levels,
        }  # fmt: skip
