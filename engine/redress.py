"""What undoes a play, or lets it stand: cards taken back, a referee's waiver."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.cards import seat_said
from engine.errors import Impossible
from engine.turns import AFTER, Entry

if TYPE_CHECKING:
    from engine.deal import Deal


def take_back(deal: Deal, seat: str) -> Entry:
    """The last play of *seat* went back into its hand; passes upon it fall, and the turn is that seat's again.

    A play that others have played over leaves the turn where it is.

    :raises Impossible: when nothing of it lies there, or the deal is over.
    """
    if deal.over:
        raise Impossible("nothing_taken_back_now")
    entry = deal.last_play(seat)
    if entry is None:
        raise Impossible("nothing_to_take_back", seat=seat_said(seat))
    if entry.in_turn and not deal.trick and deal.tricks and entry in deal.tricks[-1]:
        deal.trick = deal.tricks.pop()  # nothing was led since: that trick is open again
    entry.taken_back, entry.stands, entry.doubtful = True, False, False
    deal.count_out(seat, entry.cards)
    if deal.remaining[seat] > 0 and seat in deal.finished:
        deal.finished.remove(seat)
    if deal.pending is entry:
        deal.pending = None
    if entry not in deal.trick:
        return entry
    turns_back = entry.in_turn and not deal.played_since(entry)
    at = deal.trick.index(entry)
    later = deal.trick[at + 1 :]
    deal.trick.remove(entry)
    if turns_back:
        for missed in later:  # whoever was passed over for a penalty still owes that
            if missed.by == "missed" and missed.seat not in deal.barred:
                deal.missed_rounds[missed.seat] = deal.missed_rounds.get(missed.seat, 0) + 1
        deal.trick[at:] = [it for it in later if it.kind == "play"]
        deal.standing, deal.holder = entry.before
        while deal.standing is not None and deal.standing.taken_back:
            deal.standing, deal.holder = deal.standing.before
        deal.turn = seat
        if deal.passed_over(seat):
            deal.give_turn(AFTER[seat])
    return entry


def let_stand(deal: Deal, seq: int) -> None:
    """A referee waived: the play of line *seq* stands, and whoever it skipped has passed.

    What has been played over meanwhile is left as it is.
    """
    entry = next((it for it in deal.trick if it.seq == seq and it.kind == "play"), None)
    if entry is None or entry.stands or deal.over or deal.played_since(entry):
        return
    was_in_turn = entry.in_turn
    if not was_in_turn:
        if entry is not deal.trick[-1] or entry.seat in deal.finished or deal.turn is None:
            return
        deal.trick.pop()
        entry.in_turn, entry.before = True, (deal.standing, deal.holder)
        skipped = deal.turn
        while deal.holder is not None and skipped not in (entry.seat, deal.holder):
            if deal.active(skipped):
                deal.trick.append(Entry(skipped, "pass", by="implied", stands=True))
            skipped = AFTER[skipped]
        deal.trick.append(entry)
    entry.stands = True
    deal.standing, deal.holder = entry, entry.seat
    if deal.pending is entry:
        deal.finish_pending()
    if not was_in_turn and not deal.over:
        deal.give_turn(AFTER[entry.seat])
