"""What is known of the hands in a deal: cards played and counted, cards known to be held, reports made and due."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Final

from engine.cards import SEATS, Card, face
from engine.errors import Sentence
from engine.findings import Finding
from engine.rulesets import Ruleset

HAND: Final = 27


@dataclass(slots=True, eq=False)
class Hands:
    """The four hands as the table knows them."""

    level: str
    ruleset: Ruleset
    _: KW_ONLY
    played: dict[str, list[Card]] = field(default_factory=lambda: {seat: [] for seat in SEATS})
    remaining: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SEATS, HAND))
    """27 less the cards played; below 0 when more were seen."""
    held: dict[str, list[Card]] = field(default_factory=lambda: {seat: [] for seat in SEATS})
    """Cards known to be in a hand and not yet played: taken in tribute, taken back, or exposed."""
    count_of: dict[Card, int] = field(default_factory=dict)
    """How often each card has been played."""
    reports: dict[str, int] = field(default_factory=dict)
    """Counts as they were reported, frozen."""
    due: dict[str, int] = field(default_factory=dict)
    """Seats that owe a report, with the line of the play that made it due."""
    void: str | None = None
    """The seat whose hand is void and counts as last."""

    def active(self, seat: str) -> bool:
        """Whether the seat still holds cards and may play."""
        return self.remaining[seat] > 0 and seat != self.void

    def count_in(self, seat: str, cards: Sequence[Card]) -> list[Finding]:
        """Put *cards* among those that *seat* has played; a third copy or a 28th card is found here."""
        held = self.held[seat]
        for card in cards:
            if card in held:
                held.remove(card)
            self.count_of[card] = self.count_of.get(card, 0) + 1
        found = self.third_copies(seat, cards)
        self.played[seat].extend(cards)
        self.remaining[seat] -= len(cards)
        if self.remaining[seat] < 0:
            total = len(self.played[seat])
            found.append(Finding("too_many_cards", seat, True, Sentence("note_28th", count=total)))
        return found

    def count_out(self, seat: str, cards: Sequence[Card]) -> None:
        """*cards* went back into the hand of *seat*, where they are known to be."""
        for card in cards:
            self.played[seat].remove(card)
            self.count_of[card] -= 1
        self.held[seat].extend(cards)
        self.remaining[seat] += len(cards)
        self.due.pop(seat, None)

    def third_copies(self, seat: str, cards: Sequence[Card]) -> list[Finding]:
        """Of *cards* those that have now been seen more than twice; a tribute card seen again is one card."""
        found = []
        for card in dict.fromkeys(cards):
            known = sum(held.count(card) for held in self.held.values() if held)
            if self.count_of.get(card, 0) + known > 2:
                found.append(Finding("third_copy", seat, True, Sentence("note_third_copy", card=face(card))))
        return found

    def show(self, seat: str, cards: Sequence[Card]) -> None:
        """*cards* are known to be held by *seat*."""
        for card in dict.fromkeys(cards):
            lacking = list(cards).count(card) - self.held[seat].count(card)
            self.held[seat].extend([card] * max(0, lacking))

    def owe_report(self, seat: str, cards: Sequence[Card], seq: int) -> None:
        """After a play of *cards* in line *seq*: whether *seat* must now report for the first time (``report_at``)."""
        limit, left = self.ruleset.report_at, self.remaining[seat]
        first_time = 0 < left <= limit < left + len(cards) and seat not in self.reports
        if first_time and self.ruleset.report_duty:
            self.due[seat] = seq

    def missed_reports(self, acting: str) -> list[Finding]:
        """*acting* acts: whoever else owes a report has missed it."""
        note = Sentence("note_not_reported", count=self.ruleset.report_at)
        late = [seat for seat in self.due if seat != acting]
        return [Finding("report_missed", seat, True, note, self.due.pop(seat)) for seat in late]
