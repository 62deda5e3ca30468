"""One deal (一副牌): its phases, whose turn it is, what stands, who is out.

Facts go in, findings come out; nothing is refused because it breaks a rule of play.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engine.cards import PLAY_ORDER, SEATS, Card, partner_of
from engine.errors import Ambiguous, GuandanError, Impossible
from engine.findings import Finding
from engine.readings import Reading, beats, declared, default_reading, readings
from engine.rulesets import Ruleset
from engine.tribute import Given, Tribute, losers_in_order

HAND: Final = 27
PHASES: Final[dict[str, dict[str, str]]] = {
    "tribute": {"paid": "return", "resisted": "play", "played": "play", "scored": "over"},
    "return": {"returned": "play", "played": "play", "scored": "over"},
    "play": {"ended": "over", "scored": "over"},
    "over": {},
}
"""A deal's phases: what happens in each leads to which."""
_AFTER: Final = {seat: PLAY_ORDER[(at + 1) % 4] for at, seat in enumerate(PLAY_ORDER)}


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
    before: tuple[Entry | None, str | None] = (None, None)
    """What stood, and whose it was, before this play."""


@dataclass(slots=True, eq=False)
class Deal:
    """One deal at *level*; with *previous*, the last deal's order, tribute is owed first."""

    level: str
    ruleset: Ruleset
    n: int = 1
    stage: str | None = None
    """The side whose level is played; ``None`` in a first deal."""
    previous: tuple[str, ...] | None = None
    leader: str | None = None
    phase: str = "play"
    tribute: Tribute | None = None
    turn: str | None = None
    trick: list[Entry] = field(default_factory=list)
    tricks: list[list[Entry]] = field(default_factory=list)
    """The tricks that are over; players are never shown them."""
    standing: Entry | None = None
    holder: str | None = None
    """Who takes the trick when all others pass; ``None`` while it is to be led."""
    played: dict[str, list[Card]] = field(default_factory=lambda: {seat: [] for seat in SEATS})
    remaining: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SEATS, HAND))
    held: dict[str, list[Card]] = field(default_factory=lambda: {seat: [] for seat in SEATS})
    """Cards known to be in a hand and not yet played: taken in tribute, or exposed."""
    finished: list[str] = field(default_factory=list)
    order: tuple[str, ...] | None = None
    reports: dict[str, int] = field(default_factory=dict)
    """Counts as they were reported, frozen."""
    due: dict[str, int] = field(default_factory=dict)
    """Seats that owe a report, with the line of the play that made it due."""
    missed_rounds: dict[str, int] = field(default_factory=dict)
    barred: set[str] = field(default_factory=set)
    """Seats that have lost the right to play in this trick."""
    barred_lead: dict[str, str] = field(default_factory=dict)
    """Seats that may not lead a kind when they next lead."""
    void: str | None = None
    """The seat whose hand is void and counts as last."""
    turned: tuple[str, Card] | None = None
    scored_only: bool = False
    unsure: bool = False
    """Whether a card was not read sure: the audit then proves nothing."""
    count_of: dict[Card, int] = field(default_factory=dict)
    acted: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SEATS, 0))
    laid: dict[int, Entry] = field(default_factory=dict)
    """Every play by its line, those taken back among them."""
    _pending: Entry | None = None

    def __post_init__(self) -> None:
        if self.previous is not None:
            self.tribute = Tribute(self.previous, self.level, self.ruleset)
            self.phase = "tribute"
        elif self.leader is not None:
            self.turn = self.leader

    # --- what one can ask ---

    @property
    def over(self) -> bool:
        return self.phase == "over"

    @property
    def owed(self) -> list[dict[str, str | None]]:
        """Tributes or returns still due, as ``{"from": …, "to": …}``."""
        return self.tribute.owed() if self.tribute is not None and self.phase in ("tribute", "return") else []

    def active(self, seat: str) -> bool:
        """Whether the seat still holds cards and may play."""
        return self.remaining[seat] > 0 and seat != self.void

    @property
    def doubted(self) -> bool:
        """Whether what was seen cannot all be so, or was not sure: the audit then proves nothing."""
        return self.unsure or any(entry.doubtful for trick in (*self.tricks, self.trick) for entry in trick)

    # --- before the play ---

    def pay(self, given: Given) -> list[Finding]:
        """A tribute card went over.

        :raises Impossible: when none is owed so.
        """
        tribute = self._owing("tribute")
        found = tribute.pay(given)
        self._hand_over(given)
        if len(tribute.paid) == len(tribute.payers):
            self._move("paid")
        return found

    def give_back(self, given: Given) -> list[Finding]:
        """A returned card went over.

        :raises Impossible: when none is owed so.
        """
        tribute = self._owing("return")
        found = tribute.give_back(given)
        self._hand_over(given)
        if len(tribute.returned) == len(tribute.takers):
            self._move("returned")
            self._open(tribute.leader())
        return found

    def resist(self, seats: Sequence[str], seq: int) -> list[Finding]:
        """The losers showed both red jokers.

        :raises Impossible: when no tribute is owed by them.
        """
        tribute = self._owing("tribute")
        found = tribute.resist(seats, seq)
        if tribute.resisted:
            self._move("resisted")
            self._open(tribute.leader())
        return found

    def _owing(self, phase: str) -> Tribute:
        if self.tribute is None:
            raise Impossible("no tribute is owed in this deal")
        if self.phase != phase:
            raise Impossible(f"the deal is in its phase {self.phase}: no {phase} is due")
        return self.tribute

    def _hand_over(self, given: Given) -> None:
        if given.card in self.held[given.giver]:
            self.held[given.giver].remove(given.card)
        self.held[given.taker].append(given.card)

    def _open(self, leader: str) -> None:
        self.leader = self.turn = leader if self.leader is None else self.leader

    def _move(self, what: str) -> None:
        self.phase = PHASES[self.phase][what]

    # --- play ---

    def play(
        self,
        seat: str,
        cards: Sequence[Card],
        declared_as: Reading | Mapping[str, Any] | str | None = None,
        seq: int = 0,
    ) -> list[Finding]:
        """*seat* laid *cards* on the table.

        :raises Impossible: when the deal is over.
        """
        if self.over:
            raise Impossible("the deal is over")
        found = self._start(seat)
        found += self._settle(seat)
        if self.over:
            return found
        in_turn = seat == self.turn or self._pass_implied(seat)
        entry = Entry(seat, "play", tuple(cards), seq=seq, in_turn=in_turn, before=(self.standing, self.holder))
        faults: list[Finding] = []
        entry.reading, fault = self._judge(cards, declared_as)
        if seat in self.finished:
            pass  # cards beyond the 27th: counted below
        elif not in_turn:
            faults.append(self._out_of_turn(seat, "played"))
        elif fault is not None:
            faults.append(Finding(fault[0], seat, True, fault[1]))
        elif self.holder is None and entry.reading and self.barred_lead.get(seat) == entry.reading.type:
            faults.append(Finding("conduct", seat, True, f"may not lead a {entry.reading.type} now"))
        faults += self._count(entry)
        entry.stands = in_turn and fault is None
        self.trick.append(entry)
        self.laid[seq] = entry
        self.acted[seat] += 1
        self._report_due(entry)
        if in_turn and self.holder is None:
            self.barred_lead.pop(seat, None)
        if entry.stands:
            self.standing, self.holder = entry, seat
        elif in_turn and self.holder is None:
            self.holder = seat  # an unlawful lead: nothing stands, yet the trick is begun
        if faults and self.remaining[seat] <= 0:
            self._pending = entry  # going out with an offence waits until it is ruled on or the play goes on
        elif in_turn and self.remaining[seat] <= 0:
            self._go_out(seat)
        if in_turn and not self.over:
            self._give_turn(_AFTER[seat])
        return found + faults

    def pass_(self, seat: str, by: str = "pressed", seq: int = 0) -> list[Finding]:
        """*seat* passed.

        :raises Impossible: when the deal is over or no card has been led in it.
        """
        if self.over:
            raise Impossible("the deal is over")
        if self.turn is None:
            raise Impossible("nobody has led yet, so there is nothing to pass on")
        found = self._settle(seat)
        if self.over:
            return found
        if seat != self.turn and not self._pass_implied(seat):
            return [*found, self._out_of_turn(seat, "passed")]
        if self.holder is None:
            return [*found, Finding("conduct", seat, True, "whoever leads may not pass")]
        self.trick.append(Entry(seat, "pass", by=by, seq=seq, stands=True))
        self.acted[seat] += 1
        self._give_turn(_AFTER[seat])
        return found

    def _start(self, seat: str) -> list[Finding]:
        """The first card of a deal ends tribute and return, paid or not, and a first leader is whoever leads."""
        found = []
        if self.phase in ("tribute", "return") and self.tribute is not None:
            owing = [str(owed["from"]) for owed in self.owed]
            found = [Finding("tribute_overdue", who, True, f"play began before the {self.phase}") for who in owing]
            leader = self.tribute.leader()
            self._move("played")
            self._open(leader)
        if self.turn is None:
            self.leader = self.turn = seat
        return found

    def _judge(
        self, cards: Sequence[Card], wanted: Reading | Mapping[str, Any] | str | None
    ) -> tuple[Reading | None, tuple[str, str] | None]:
        """What *cards* are played as, and what is wrong with that: (kind, sentence)."""
        over = self.standing.reading if self.standing is not None else None
        meanings = readings(cards, self.level, self.ruleset)
        if not meanings:
            return None, ("not_a_combination", "the cards are no combination")
        default = default_reading(meanings, self.ruleset)
        assert default is not None
        if wanted is not None:
            try:
                reading = declared(meanings, wanted)
            except Ambiguous:
                reading = meanings[default]
            except GuandanError:
                return None, ("not_a_combination", "the cards are not what they were declared to be")
            if over is not None and not beats(reading, over):
                return reading, ("does_not_beat", f"{reading} does not beat {over}")
            return reading, None
        if over is None:
            return meanings[default], None
        able = [reading for reading in meanings if beats(reading, over)]
        if able:
            return able[default_reading(able, self.ruleset) or 0], None
        return meanings[default], ("does_not_beat", f"{meanings[default]} does not beat {over}")

    def _count(self, entry: Entry) -> list[Finding]:
        """Put the cards among those played; a third copy or a 28th card is found here."""
        found = []
        seat, held = entry.seat, self.held[entry.seat]
        for card in entry.cards:
            if card in held:
                held.remove(card)
            self.count_of[card] = self.count_of.get(card, 0) + 1
        copies = self._third_copies(seat, entry.cards)
        found += copies
        entry.doubtful = bool(copies)
        self.played[seat].extend(entry.cards)
        self.remaining[seat] -= len(entry.cards)
        if self.remaining[seat] < 0:
            total = len(self.played[seat])
            found.append(Finding("too_many_cards", seat, True, f"{total} cards were played; a hand has {HAND}"))
            entry.doubtful = True
        return found

    def _third_copies(self, seat: str, cards: Sequence[Card]) -> list[Finding]:
        """Of *cards* those that have now been seen more than twice; a tribute card seen again is one card."""
        found = []
        for card in dict.fromkeys(cards):
            known = sum(held.count(card) for held in self.held.values() if held)
            if self.count_of.get(card, 0) + known > 2:
                found.append(Finding("third_copy", seat, True, f"a third {card} was seen; two decks hold two"))
        return found

    def _out_of_turn(self, seat: str, verb: str) -> Finding:
        certain = all(entry.by in ("pressed", "referee", "missed") for entry in self._since_last_play())
        return Finding("out_of_turn", seat, certain, f"{seat} {verb} while it was {self.turn}'s turn")

    def _since_last_play(self) -> list[Entry]:
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

    # --- turns ---

    def _next_active(self, seat: str) -> tuple[str, bool]:
        """From *seat* on, who acts next and whether the trick is over then."""
        for _ in range(5):
            if seat == self.holder:
                return self._lead_after(seat), True
            if self.active(seat):
                return seat, False
            seat = _AFTER[seat]
        return seat, False

    def _lead_after(self, holder: str) -> str:
        """Who leads when *holder*'s play was left standing: 接风 gives a finisher's lead to the partner."""
        if self.active(holder):
            return holder
        seat = partner_of(holder)
        for _ in range(4):
            if self.active(seat):
                break
            seat = _AFTER[seat]
        return seat

    def _give_turn(self, seat: str) -> None:
        """The turn goes to *seat*, or past it to whoever may act."""
        for _ in range(9):
            seat, ended = self._next_active(seat)
            if ended:
                self._end_trick()
            self.turn = seat
            if not self._passed_over(seat):
                return
            seat = _AFTER[seat]

    def _passed_over(self, seat: str) -> bool:
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

    def _pass_implied(self, seat: str) -> bool:
        """Where the ruleset lets playing on imply passes: pass for all before *seat*, if that explains its act."""
        if not self.ruleset.implied_passes or self.turn is None or not self.active(seat):
            return False
        if self._implied_until(seat) is None:
            return False
        for _ in range(4):
            if self.turn == seat:
                break
            self.trick.append(Entry(self.turn, "pass", by="implied", stands=True))
            self._give_turn(_AFTER[self.turn])
        return True

    def _implied_until(self, seat: str) -> int | None:
        """How many implied passes bring the turn to *seat*; ``None`` when a lead would have to be passed."""
        if self.holder is None:
            return None
        at, passes = self.turn, 0
        while at is not None and at != seat:
            passes += 1
            at, ended = self._next_active(_AFTER[at])
            if ended:
                return passes if at == seat else None
            if passes > 3:
                return None
        return passes

    # --- going out ---

    def _settle(self, seat: str) -> list[Finding]:
        """Another seat acts: what was left open by the last play is settled."""
        found = []
        if self._pending is not None and self._pending.seat != seat:
            self._finish_pending()
        for who in [who for who in self.due if who != seat]:
            line = self.due.pop(who)
            found.append(
                Finding("report_missed", who, True, f"{self.ruleset.report_at} or fewer cards were not reported", line)
            )
        return found

    def _finish_pending(self) -> None:
        entry, self._pending = self._pending, None
        if entry is not None and not entry.taken_back and entry.seat not in self.finished:
            self._go_out(entry.seat)

    def _go_out(self, seat: str) -> None:
        self.finished.append(seat)
        self.due.pop(seat, None)
        self._look_for_end()

    def _look_for_end(self) -> None:
        out = self.finished
        left = [seat for seat in PLAY_ORDER if seat not in out and seat != self.void]
        if len(out) >= 2 and partner_of(out[0]) == out[1]:
            self._end((out[0], out[1], *losers_in_order(out[0], out[1])))
        elif len(out) + (self.void is not None) >= 3 or len(left) <= 1:
            self._end((*out[:3], *left, *([self.void] if self.void else [])))

    def _end(self, order: tuple[str, ...]) -> None:
        self.order = order
        self.turn = None
        self.due.clear()
        self._move("ended")

    # --- reports ---

    def _report_due(self, entry: Entry) -> None:
        limit, left = self.ruleset.report_at, self.remaining[entry.seat]
        first_time = 0 < left <= limit < left + len(entry.cards) and entry.seat not in self.reports
        if first_time and self.ruleset.report_duty:
            self.due[entry.seat] = entry.seq

    def report(self, seat: str, count: int) -> list[Finding]:
        """*seat* reported *count* cards left."""
        self.due.pop(seat, None)
        if count <= (self.ruleset.report_at or HAND):
            self.reports.setdefault(seat, count)
        if count != max(0, self.remaining[seat]):
            left = self.remaining[seat]
            return [Finding("count_mismatch", seat, True, f"{count} cards were reported, {left} are left by count")]
        return []

    # --- what a referee, or a hand, changes ---

    def expose(self, seat: str, cards: Sequence[Card]) -> list[Finding]:
        """Cards of *seat* were seen that were not played."""
        self._show(seat, cards)
        return [Finding("exposed_card", seat, True, "cards were exposed"), *self._third_copies(seat, cards)]

    def _show(self, seat: str, cards: Sequence[Card]) -> None:
        for card in dict.fromkeys(cards):
            lacking = list(cards).count(card) - self.held[seat].count(card)
            self.held[seat].extend([card] * max(0, lacking))

    def show_rest(self, seat: str, cards: Sequence[Card]) -> list[Finding]:
        """After the deal *seat* showed what it had left: no offence, but the count must agree."""
        self._show(seat, cards)
        found = self._third_copies(seat, cards)
        left = max(0, self.remaining[seat])
        if len(cards) != left and not self.scored_only:
            found.append(
                Finding("count_mismatch", seat, True, f"{len(cards)} cards were shown, {left} are left by count")
            )
            self.unsure = True
        return found

    def take_back(self, seat: str) -> Entry:
        """The last play of *seat* went back into its hand.

        :raises Impossible: when nothing of it lies there, or the deal is over.
        """
        if self.over:
            raise Impossible("the deal is over, nothing can be taken back")
        entry = self._last_play(seat)
        if entry is None:
            raise Impossible(f"{seat} has nothing on the table to take back")
        if not self.trick and self.tricks and entry in self.tricks[-1]:
            self.trick = self.tricks.pop()  # nothing was led since: that trick is open again
        played_over = entry not in self.trick or self._played_since(entry)
        entry.taken_back, entry.stands, entry.doubtful = True, False, False
        for card in entry.cards:
            self.played[seat].remove(card)
            self.count_of[card] -= 1
        self.held[seat].extend(entry.cards)
        self.remaining[seat] += len(entry.cards)
        self.due.pop(seat, None)
        if self.remaining[seat] > 0 and seat in self.finished:
            self.finished.remove(seat)
        if self._pending is entry:
            self._pending = None
        if entry in self.trick:
            at = self.trick.index(entry)
            later = self.trick[at + 1 :]
            self.trick.remove(entry)
            if entry.in_turn and not played_over:
                # Passes upon this play fall with it; whoever was passed over for a penalty still owes that.
                for missed in later:
                    if missed.by == "missed" and missed.seat not in self.barred:
                        self.missed_rounds[missed.seat] = self.missed_rounds.get(missed.seat, 0) + 1
                self.trick = self.trick[:at] + [it for it in later if it.kind == "play"]
        if entry.in_turn and not played_over:
            self.standing, self.holder = entry.before
            while self.standing is not None and self.standing.taken_back:
                self.standing, self.holder = self.standing.before
            self.turn = seat
            if self._passed_over(seat):
                self._give_turn(_AFTER[seat])
        return entry

    def _last_play(self, seat: str) -> Entry | None:
        for trick in (self.trick, *reversed(self.tricks)):
            for entry in reversed(trick):
                if entry.seat == seat and entry.kind == "play" and not entry.taken_back:
                    return entry
        return None

    def _played_since(self, entry: Entry) -> bool:
        """Whether a later play in turn lies over *entry* in its trick."""
        later = self.trick[self.trick.index(entry) + 1 :]
        return any(it.kind == "play" and it.in_turn for it in later)

    def let_stand(self, seq: int) -> None:
        """A referee waived: the play of line *seq* stands, and whoever it skipped has passed."""
        entry = next((it for it in self.trick if it.seq == seq and it.kind == "play"), None)
        if entry is None or entry.stands or self.over or self._played_since(entry):
            return
        was_in_turn = entry.in_turn
        if not was_in_turn:
            if entry is not self.trick[-1] or entry.seat in self.finished or self.turn is None:
                return
            self.trick.pop()
            entry.in_turn, entry.before = True, (self.standing, self.holder)
            skipped = self.turn
            while self.holder is not None and skipped not in (entry.seat, self.holder):
                if self.active(skipped):
                    self.trick.append(Entry(skipped, "pass", by="implied", stands=True))
                skipped = _AFTER[skipped]
            self.trick.append(entry)
        entry.stands = True
        self.standing, self.holder = entry, entry.seat
        if self._pending is entry:
            self._finish_pending()
        if not was_in_turn and not self.over:
            self._give_turn(_AFTER[entry.seat])

    def ruled(self, seq: int) -> None:
        """A ruling settled the play of line *seq*; going out by it waits no longer when the cards stay."""
        if self._pending is not None and self._pending.seq == seq:
            self._finish_pending()

    def miss_round(self, seat: str) -> None:
        """*seat* is passed over at its next turn, which may be this one."""
        self.missed_rounds[seat] = self.missed_rounds.get(seat, 0) + 1
        self._skip_now(seat)

    def lose_trick(self, seat: str) -> None:
        """*seat* has lost the right to play in this trick."""
        self.barred.add(seat)
        self._skip_now(seat)

    def _skip_now(self, seat: str) -> None:
        if self.turn == seat and self.phase == "play" and self._passed_over(seat):
            self._give_turn(_AFTER[seat])

    def make_void(self, seat: str) -> None:
        """The hand of *seat* is void and counts as last; the others play for the other places."""
        if self.over or self.void is not None or seat in self.finished:
            return
        self.void = seat
        self.due.pop(seat, None)
        self._look_for_end()
        if not self.over and self.turn == seat:
            self._give_turn(_AFTER[seat])

    def score(self, order: Sequence[str]) -> list[Finding]:
        """The deal is scored by its *order*, its plays seen or not.

        :raises Impossible: when it is over already.
        """
        if self.over:
            raise Impossible("the deal is over")
        whole = tuple(order)
        found = []
        if self.finished and list(whole[: len(self.finished)]) != self.finished:
            seen = " ".join(self.finished)
            found.append(Finding("count_mismatch", None, False, f"by the cards seen {seen} went out first"))
        self.scored_only = True
        self.order, self.turn = whole, None
        self.due.clear()
        self._move("scored")
        return found
