"""Cards that leave the mat: taken back, or turned down because the trick is over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine.cards import Card
from table import first_card, order
from table.desk import Desk, Lay
from table.judgement import could_be
from table.turns import start_turn
from vision.observations import Removed, SeenCard

ALONE = 1.0
"""Seconds to wait for other hands before cards that left are taken to have left by themselves."""
TOGETHER = 1.6
"""Hands that come to the mat within this many seconds of each other turn a trick down together."""
HANDS_S = 4.0
"""Seconds within which hands turn a trick down where nobody presses for a pass."""


def removed(desk: Desk, seen: Removed) -> None:
    """Cards left a zone: taken back, or turned down at the trick's end."""
    lays, deal = desk.lays[seen.seat], desk.match.deal
    if not lays or deal is None:
        return
    last = lays[-1]
    if not seen.emptied and not _are(seen.cards, last.cards) and not _are(seen.cards, last.first):
        return
    if seen.emptied and first_card.was_shown(desk, seen.seat, last, seen.t):
        return
    if accused(desk, last) and (deal.trick or not desk.match.ruleset.implied_passes):
        take_back(desk, seen.seat, seen.t)
    else:
        # This may be the trick's end as well, though not all have pressed: the other hands will tell.
        desk.lifted[seen.seat] = (seen.t, desk.touched.get(seen.seat, seen.t))


def _are(gone: Sequence[SeenCard], cards: Sequence[Card]) -> bool:
    """Whether what left is that play, or most of it, by any of the eye's candidates."""
    left = Counter(cards)
    for card in gone:
        named = next((each for each in could_be(card) if left[each] > 0), None)
        if named is not None:
            left[named] -= 1
    return left.total() * 2 < len(cards)


def taken_back_before(desk: Desk, seat: str, t: float) -> None:
    """A seat lays again after its cards left: alone, so it took them back; with others', the trick was over."""
    deal, lays = desk.match.deal, desk.lays[seat]
    if seat not in desk.lifted or deal is None or not lays:
        return
    if not desk.match.ruleset.implied_passes:
        alone_again(desk, desk.lifted[seat][0] + ALONE)
        return
    if accused(desk, lays[-1]) and seat != deal.turn:
        take_back(desk, seat, t)
        return
    if deal.standing is None or deal.standing.seq != lays[-1].seq:
        return
    others = [each for each, lays in desk.lays.items() if lays and each != seat]
    if others and not any(each in desk.lifted for each in others):
        take_back(desk, seat, t)


def alone_again(desk: Desk, t: float) -> None:
    """Cards that left by themselves were taken back: those of an unlawful play, and where passes are pressed of the
    one that stands. Those that left when all hands turned their cards were not: the trick is over."""
    if desk.match.phase != "deal":
        return
    silent = desk.match.ruleset.implied_passes
    for seat, (since, own) in list(desk.lifted.items()):
        lays, deal = desk.lays[seat], desk.match.deal
        if not lays or deal is None or t - since < ALONE or seat not in desk.lifted:
            continue
        stands = not silent and deal.standing is not None and deal.standing.seq == lays[-1].seq
        if not stands and not accused(desk, lays[-1]):
            continue
        together = any(abs(other - own) < TOGETHER for each, other in desk.touched.items() if each != seat)
        if stands and (together or any(at < since for at in desk.early.values())):
            order.all_passed(desk, since)
        elif together:
            del desk.lifted[seat]
            lays.pop()
        else:
            take_back(desk, seat, since)


def turned_down(desk: Desk, t: float) -> None:
    """Where passes are silent, a trick whose cards have all gone from two hands or more is over: nothing of it stays on
    the screen. One hand alone may have taken its cards back; a question to that player is answered first."""
    deal = desk.match.deal
    if not desk.match.ruleset.implied_passes or desk.match.phase != "deal" or deal is None or deal.over:
        return
    standing, lying = deal.standing, {seat for seat, lays in desk.lays.items() if lays}
    if standing is None or deal.phase != "play" or len(lying) < 2 or not lying <= desk.lifted.keys():
        return
    last = max(desk.lifted[seat][0] for seat in lying)
    asked = desk.out_question is not None or desk.unread is not None or desk.waiting
    if t - last < ALONE or asked or any(accused(desk, desk.lays[seat][-1]) for seat in lying):
        return
    stood = desk.lifted.get(standing.seat, (-1e9, 0.0))[0]
    if not any(abs(desk.lifted[seat][0] - stood) <= HANDS_S for seat in lying - {standing.seat}):
        return  # that of whoever stands left by itself
    order.all_passed(desk, last)


def accused(desk: Desk, lay: Lay) -> bool:
    return any(alert.event == lay.seq and alert.state != "waived" for alert in desk.match.alerts)


def take_back(desk: Desk, seat: str, t: float) -> None:
    if desk.attempt(t, "take_back", {"seat": seat}):
        if desk.lays[seat]:
            gone = desk.lays[seat].pop()
            desk.asks.pop(gone.seq, None)
        desk.lifted.pop(seat, None)
        if desk.out_question == seat:
            desk.out_question = None
        start_turn(desk, t)
