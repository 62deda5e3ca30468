"""Whose turn it is: tricks, passes, who leads next, who is passed over."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from engine.cards import PLAY_ORDER, Card, partner_of
from engine.hands import Hands
from engine.readings import Reading

AFTER: Final = {seat: PLAY_ORDER[(at + 1) % 4] for at, seat in enumerate(PLAY_ORDER)}
"""The seat whose turn comes after each seat: anticlockwise."""


@dataclass(slots=True, eq=False)
class Entry:
    """One thing a seat did in a trick."""

    seat: str
    kind: str
    """``play`` or ``pass``."""
    cards: tuple[Card, ...] = ()
    reading: Reading | None = None
    by: str = "pressed"
    """How a pass is known: ``pressed``, ``referee``, ``implied``; ``missed`` when the seat was passed over."""
    seq: int = 0
    stands: bool = False
    """Whether it was lawful, or a referee let it stand."""
    in_turn: bool = True
    taken_back: bool = False
    doubtful: bool = False
    """Whether its cards cannot all be: a third copy, a 28th card."""
    sure: bool = True
    """Whether its cards are known; what is not known stands provisionally, and anything may lie over it."""
    before: tuple[Entry | None, str | None] = (None, None)
    """What stood, and whose it was, before this play."""


@dataclass(slots=True, eq=False)
class Turns(Hands):
    """The order of play within a deal."""

    turn: str | None = field(default=None, kw_only=True)
    trick: list[Entry] = field(default_factory=list, kw_only=True)
    tricks: list[list[Entry]] = field(default_factory=list, kw_only=True)
    """The tricks that are over; players are never shown them."""
    standing: Entry | None = field(default=None, kw_only=True)
    """The play to beat; ``None`` while the trick is to be led."""
    holder: str | None = field(default=None, kw_only=True)
    """Who takes the trick when all others pass; ``None`` while it is to be led."""
    missed_rounds: dict[str, int] = field(default_factory=dict, kw_only=True)
    """Turns at which a seat will be passed over."""
    barred: set[str] = field(default_factory=set, kw_only=True)
    """Seats that have lost the right to play in this trick."""
    barred_lead: dict[str, str] = field(default_factory=dict, kw_only=True)
    """Seats that may not lead a kind when they next lead."""
    laid: dict[int, Entry] = field(default_factory=dict, kw_only=True)
    """Every play by its line, those taken back among them."""

    # --- going on ---

    def _next_active(self, seat: str) -> tuple[str, bool]:
        """From *seat* on, who acts next and whether the trick is over then."""
        for _ in range(5):
            if seat == self.holder:
                return self._lead_after(seat), True
            if self.active(seat):
                return seat, False
            seat = AFTER[seat]
        return seat, False

    def _lead_after(self, holder: str) -> str:
        """Who leads when *holder*'s play was left standing: 接风 gives a finisher's lead to the partner (case 39)."""
        if self.active(holder):
            return holder
        seat = partner_of(holder)
        for _ in range(4):
            if self.active(seat):
                break
            seat = AFTER[seat]
        return seat

    def give_turn(self, seat: str) -> None:
        """The turn goes to *seat*, or past it to whoever may act."""
        for _ in range(9):
            seat, ended = self._next_active(seat)
            if ended:
                self._end_trick()
            self.turn = seat
            if not self.passed_over(seat):
                return
            seat = AFTER[seat]

    def passed_over(self, seat: str) -> bool:
        """Whether the seat has lost this turn: it misses a round, or has no right to this trick."""
        missed = self.missed_rounds.get(seat, 0)
        if not missed and seat not in self.barred:
            return False
        if missed:
            self.missed_rounds[seat] = missed - 1
        self.trick.append(Entry(seat, "pass", by="missed", stands=True))
        return True

    def _end_trick(self) -> None:
        self.tricks.append(self.trick)
        self.trick = []
        self.standing = self.holder = None
        self.barred = set()

    def pass_implied(self, seat: str) -> bool:
        """Where the ruleset lets playing on imply passes: pass for all before *seat*, if that explains its act."""
        if not self.ruleset.implied_passes or self.turn is None or not self.active(seat):
            return False
        if self._implied_until(seat) is None:
            return False
        for _ in range(4):
            if self.turn == seat:
                break
            self._imply_pass()
        return True

    def may_lead_instead(self, seat: str) -> bool:
        """Whether a play of *seat*, a finisher's partner, may as well be the lead after all passed in silence."""
        holder = self.holder
        implied = self.ruleset.implied_passes and holder is not None
        return implied and not self.active(str(holder)) and seat == self._lead_after(str(holder))

    def all_pass(self) -> None:
        """Everybody has passed in silence: the trick is over."""
        for _ in range(4):
            if self.holder is None:
                break
            self._imply_pass()

    def resume_at(self, seat: str, beats: bool) -> None:
        """*seat* has played and nobody can say whose turn it was: go on from there, and leave open what went before.

        Where its cards *beat* what stands and passes lead to it they were a follow, else the trick was over.
        """
        if seat == self.turn and (beats or self.holder is None):
            return
        passes = self._implied_until(seat) if beats and seat != self.holder and self.turn is not None else None
        if passes is None:
            if self.trick:
                self._end_trick()
            self.holder = self.standing = None
            self.turn = seat
            return
        for _ in range(passes):
            self._imply_pass()

    def _imply_pass(self) -> None:
        seat = str(self.turn)
        self.trick.append(Entry(seat, "pass", by="implied", stands=True))
        self.give_turn(AFTER[seat])

    def _implied_until(self, seat: str) -> int | None:
        """How many implied passes bring the turn to *seat*; ``None`` when a lead would have to be passed."""
        if self.holder is None:
            return None
        at, passes = self.turn, 0
        while at is not None and at != seat:
            passes += 1
            at, ended = self._next_active(AFTER[at])
            if ended:
                return passes if at == seat else None
            if passes > 3:
                return None
        return passes

    # --- looking back ---

    def passes_since_play(self) -> list[Entry]:
        """The passes by which the turn is where it is."""
        passes: list[Entry] = []
        for entry in reversed(self.trick):
            if entry.kind == "play":
                if entry.in_turn:
                    break
                continue
            passes.append(entry)
        if not self.trick and self.tricks:
            passes += [entry for entry in self.tricks[-1] if entry.kind == "pass"]
        return passes

    def last_play(self, seat: str) -> Entry | None:
        """The last play of *seat* that was not taken back, in this trick or an earlier one."""
        for trick in (self.trick, *reversed(self.tricks)):
            for entry in reversed(trick):
                if entry.seat == seat and entry.kind == "play" and not entry.taken_back:
                    return entry
        return None

    def played_since(self, entry: Entry) -> bool:
        """Whether a later play in turn lies over *entry* in its trick."""
        later = self.trick[self.trick.index(entry) + 1 :]
        return any(it.kind == "play" and it.in_turn for it in later)
