"""One deal (一副牌): its phases, whose turn it is, what stands, who is out.

Facts go in, findings come out; nothing is refused because it breaks a rule of play.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine import phases, redress
from engine.cards import PLAY_ORDER, SEATS, Card, face, partner_of, seat_said
from engine.errors import Ambiguous, GuandanError, Impossible, Sentence
from engine.findings import Finding
from engine.hands import HAND
from engine.laying import by_place
from engine.readings import Reading, beats, declared, default_reading, readings
from engine.tribute import Given, Tribute, losers_in_order
from engine.turns import AFTER, Entry, Turns


@dataclass(slots=True, eq=False)
class Deal(Turns):
    """One deal at *level*; with *previous*, the last deal's order, tribute is owed first."""

    n: int = 1
    stage: str | None = None
    """The side whose level is played; ``None`` in a first deal."""
    previous: tuple[str, ...] | None = None
    leader: str | None = None
    phase: str = "play"
    tribute: Tribute | None = None
    finished: list[str] = field(default_factory=list)
    order: tuple[str, ...] | None = None
    turned: tuple[str, Card] | None = None
    scored_only: bool = False
    unsure: bool = False
    """Whether a card was not read sure: the audit then proves nothing."""
    counted: bool = True
    """Whether every play of the deal was seen, as far as anybody knows."""
    acted: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SEATS, 0))
    pending: Entry | None = None
    """The play by which a seat went out with an offence: it waits for a ruling, or until play goes on."""

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
        tribute = self._owing("tribute", "return")  # one winner may return before the other has been paid
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

    def _owing(self, *in_phases: str) -> Tribute:
        if self.tribute is None:
            raise Impossible("no_tribute_in_deal")
        if self.phase not in in_phases:
            raise Impossible(f"no_{in_phases[-1]}_due", phase=Sentence(f"phase_{self.phase}"))
        return self.tribute

    def _hand_over(self, given: Given) -> None:
        if given.card in self.held[given.giver]:
            self.held[given.giver].remove(given.card)
        self.held[given.taker].append(given.card)

    def _open(self, leader: str) -> None:
        self.leader = self.turn = leader if self.leader is None else self.leader

    def _move(self, what: str) -> None:
        self.phase = phases.DEAL[self.phase][what]

    # --- play ---

    def play(
        self,
        seat: str,
        cards: Sequence[Card],
        declared_as: Reading | Mapping[str, Any] | str | None = None,
        seq: int = 0,
        sure: bool = True,
        clear: bool = True,
    ) -> list[Finding]:
        """*seat* laid *cards* on the table; not *sure*: what they are is only supposed; not *clear*: whose turn it was
        nobody can say. Of neither is anything found.

        :raises Impossible: when the deal is over.
        """
        if self.over:
            raise Impossible("deal_over")
        found = self._start(seat)
        found += self._settle(seat)
        if self.over:
            return found
        if not clear and self.active(seat):
            self._lose_track(seat, cards, declared_as)
        in_turn = seat == self.turn or self.pass_implied(seat)
        if in_turn and self.may_lead_instead(seat) and self._judge(cards, declared_as)[1] is not None:
            self.all_pass()
        entry = Entry(
            seat, "play", tuple(cards), seq=seq, in_turn=in_turn, before=(self.standing, self.holder), sure=sure
        )
        faults: list[Finding] = []
        entry.reading, fault = self._judge(cards, declared_as)
        if not sure:
            fault = None  # it stands provisionally: what it really was a correction will tell, and then it is judged
        if seat in self.finished:
            pass  # cards beyond the 27th: counted below
        elif not in_turn:
            faults.append(self._out_of_turn(seat, "played"))
        elif fault is not None:
            faults.append(Finding(fault[0], seat, True, fault[1]))
        elif clear and self.holder is None and entry.reading and self.barred_lead.get(seat) == entry.reading.type:
            faults.append(Finding("conduct", seat, True, Sentence("note_barred_lead", type=_kind(entry.reading))))
        miscounted = self.count_in(seat, entry.cards)
        entry.doubtful = bool(miscounted)
        faults = [*faults, *(miscounted if self.counted else ())] if sure else []
        entry.stands = in_turn and fault is None
        self.trick.append(entry)
        self.laid[seq] = entry
        self.acted[seat] += 1
        if self.counted:
            self.owe_report(seat, entry.cards, seq)
        if in_turn and self.holder is None:
            self.barred_lead.pop(seat, None)
        if entry.stands:
            self.standing, self.holder = entry, seat
        elif in_turn and self.holder is None:
            self.holder = seat  # an unlawful lead: nothing stands, yet the trick is begun
        if faults and self.remaining[seat] <= 0:
            self.pending = entry  # going out with an offence waits until it is ruled on or the play goes on
        elif in_turn and self.remaining[seat] <= 0:
            self._go_out(seat)
        if in_turn and not self.over:
            self.give_turn(AFTER[seat])
        return found + faults

    def _lose_track(
        self, seat: str, cards: Sequence[Card], declared_as: Reading | Mapping[str, Any] | str | None
    ) -> None:
        """Something of this deal was not seen: the order goes on from *seat*'s play, counts are known no more."""
        self.unsure, self.counted = True, False
        self.due.clear()
        self.resume_at(seat, self._judge(cards, declared_as)[1] is None)

    def pass_(self, seat: str, by: str = "pressed", seq: int = 0) -> list[Finding]:
        """*seat* passed.

        :raises Impossible: when the deal is over.
        """
        if self.over:
            raise Impossible("deal_over")
        if self.turn is None:  # whoever leads first may not pass, and who that is nobody has said
            return [Finding("conduct", seat, True, Sentence("note_lead_passed"))]
        found = self._settle(seat)
        if self.over:
            return found
        if seat != self.turn and not self.pass_implied(seat):
            return [*found, self._out_of_turn(seat, "passed")]
        if self.holder is None:
            return [*found, Finding("conduct", seat, True, Sentence("note_lead_passed"))]
        self.trick.append(Entry(seat, "pass", by=by, seq=seq, stands=True))
        self.acted[seat] += 1
        self.give_turn(AFTER[seat])
        return found

    def _start(self, seat: str) -> list[Finding]:
        """The first card of a deal ends tribute and return, and a first leader is whoever leads.

        A tribute that was not paid by then is overdue; a return may have gone over closed, and is never demanded.
        """
        found = []
        if self.phase in ("tribute", "return") and self.tribute is not None:
            if self.phase == "tribute":
                owing = [str(owed["from"]) for owed in self.owed]
                found = [Finding("tribute_overdue", who, True, Sentence("note_played_before_tribute")) for who in owing]
            leader = seat if seat in self.tribute.possible_leaders() else self.tribute.leader()
            self._move("played")
            self._open(leader)
        if self.turn is None:
            self.leader = self.turn = seat
        return found

    def _judge(
        self, cards: Sequence[Card], wanted: Reading | Mapping[str, Any] | str | None
    ) -> tuple[Reading | None, tuple[str, Sentence] | None]:
        """What *cards* are played as, and what is wrong with that: (kind, sentence)."""
        over = self.standing.reading if self.standing is not None and self.standing.sure else None
        meanings = readings(cards, self.level, self.ruleset)
        if not meanings:
            return None, ("not_a_combination", Sentence("note_no_combination"))
        default = default_reading(meanings, self.ruleset)
        assert default is not None
        if wanted is None and self.ruleset.place_declares_wild and len(meanings) > 1:
            wanted = by_place(meanings, cards, self.level)
        if wanted is not None:
            try:
                reading = declared(meanings, wanted)
            except Ambiguous:
                reading = meanings[default]
            except GuandanError:
                return None, ("not_a_combination", Sentence("note_not_as_declared"))
            if over is not None and not beats(reading, over):
                return reading, ("does_not_beat", _not_over(reading, over))
            return reading, None
        if over is None:
            return meanings[default], None
        able = [reading for reading in meanings if beats(reading, over)]
        if able:
            return able[default_reading(able, self.ruleset) or 0], None
        return meanings[default], ("does_not_beat", _not_over(meanings[default], over))

    def _out_of_turn(self, seat: str, verb: str) -> Finding:
        known = (*self.ruleset.known_passes, "missed")
        certain = all(entry.by in known for entry in self.passes_since_play())
        of = "gesture" if verb == "passed" else None
        note = Sentence(f"note_{verb}_out_of_turn", seat=seat_said(seat), turn=seat_said(self.turn))
        return Finding("out_of_turn", seat, certain, note, of=of)

    # --- going out ---

    def _settle(self, seat: str) -> list[Finding]:
        """Another seat acts: what was left open by the last play is settled."""
        if self.pending is not None and self.pending.seat != seat:
            self.finish_pending()
        return self.missed_reports(seat)

    def finish_pending(self) -> None:
        """The play that went out with an offence was not taken back: its seat is out."""
        entry, self.pending = self.pending, None
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

    def report(self, seat: str, count: int) -> list[Finding]:
        """*seat* reported *count* cards left."""
        self.due.pop(seat, None)
        if count <= (self.ruleset.report_at or HAND):
            self.reports.setdefault(seat, count)
        if count != max(0, self.remaining[seat]):
            left = self.remaining[seat]
            return [Finding("count_mismatch", seat, True, Sentence("note_report_differs", count=count, left=left))]
        return []

    # --- what a referee, or a hand, changes ---

    def expose(self, seat: str, cards: Sequence[Card]) -> list[Finding]:
        """Cards of *seat* were seen that were not played."""
        self.show(seat, cards)
        note = Sentence("note_exposed", cards=[face(card) for card in cards])
        return [Finding("exposed_card", seat, True, note), *self.third_copies(seat, cards)]

    def show_rest(self, seat: str, cards: Sequence[Card]) -> list[Finding]:
        """After the deal *seat* showed what it had left: no offence, but the count must agree."""
        self.show(seat, cards)
        found = self.third_copies(seat, cards)
        left = max(0, self.remaining[seat])
        if len(cards) != left and not self.scored_only:
            note = Sentence("note_shown_differs", count=len(cards), left=left)
            found.append(Finding("count_mismatch", seat, True, note))
            self.unsure = True
        return found

    def take_back(self, seat: str) -> Entry:
        """The last play of *seat* went back into its hand: see :func:`engine.redress.take_back`."""
        return redress.take_back(self, seat)

    def let_stand(self, seq: int) -> None:
        """A referee let the play of line *seq* stand: see :func:`engine.redress.let_stand`."""
        redress.let_stand(self, seq)

    def ruled(self, seq: int) -> None:
        """A ruling settled the play of line *seq*; going out by it waits no longer when the cards stay."""
        if self.pending is not None and self.pending.seq == seq:
            self.finish_pending()

    def miss_round(self, seat: str) -> None:
        """*seat* is passed over at its next turn, which may be this one."""
        self.missed_rounds[seat] = self.missed_rounds.get(seat, 0) + 1
        self._skip_now(seat)

    def lose_trick(self, seat: str) -> None:
        """*seat* has lost the right to play in this trick."""
        self.barred.add(seat)
        self._skip_now(seat)

    def _skip_now(self, seat: str) -> None:
        if self.turn == seat and self.phase == "play" and self.passed_over(seat):
            self.give_turn(AFTER[seat])

    def make_void(self, seat: str) -> None:
        """The hand of *seat* is void and counts as last; the others play for the other places."""
        if self.over or self.void is not None or seat in self.finished:
            return
        self.void = seat
        self.due.pop(seat, None)
        self._look_for_end()
        if not self.over and self.turn == seat:
            self.give_turn(AFTER[seat])

    def score(self, order: Sequence[str]) -> list[Finding]:
        """The deal is scored by its *order*, its plays seen or not.

        :raises Impossible: when it is over already.
        """
        if self.over:
            raise Impossible("deal_over")
        whole = tuple(order)
        found = []
        if self.finished and list(whole[: len(self.finished)]) != self.finished:
            note = Sentence("note_order_differs", seats=[seat_said(seat) for seat in self.finished])
            found.append(Finding("count_mismatch", None, False, note))
        self.scored_only = True
        self.order, self.turn = whole, None
        self.due.clear()
        self._move("scored")
        return found


def _kind(reading: Reading) -> Sentence:
    return Sentence(f"kind_{reading.type}", size=reading.size)


def _not_over(reading: Reading, over: Reading) -> Sentence:
    return Sentence("note_does_not_beat", a=reading.sentence, b=over.sentence)
