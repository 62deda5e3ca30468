"""From what the eye notices to events: plays, implied passes, tributes, cards taken back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from engine.cards import RED_JOKER, Card, next_seat, partner_of
from engine.readings import beats, default_reading, power, readings
from engine.tribute import Tribute
from table.desk import UNSURE_BEFORE_OFFER, Desk, Lay, cards_of
from table.effects import Alert, Light
from table.judgement import Judged, declared, judge
from table.turns import start_turn, touch
from table.view import Ask, Cards
from vision.observations import (
    Covered,
    Hidden,
    Laid,
    Moved,
    Observation,
    Removed,
    Revised,
    SeenCard,
    Touched,
    Uncovered,
)

COVERED_TELL = 10.0
"""Seconds of a covered camera before the referee learns of it."""


def notice(desk: Desk, seen: Observation, evidence: Mapping[str, Any]) -> None:
    """Take in one observation."""
    if isinstance(seen, Covered):
        desk.covered_since, desk.covered_told = seen.since, False
    elif isinstance(seen, Uncovered):
        desk.covered_since = None
        if desk.notice == "covered":
            desk.notice = None
    elif isinstance(seen, Moved):
        desk.notice = "moved"
    if desk.score_only or desk.match.phase == "before" or desk.match.result is not None:
        return
    if isinstance(seen, Touched):
        touch(desk, seen.t, seen.seat)
    elif isinstance(seen, Laid):
        if desk.notice == "moved":
            desk.notice = None
        laid(desk, seen, evidence)
    elif isinstance(seen, Revised):
        revised(desk, seen)
    elif isinstance(seen, Removed):
        removed(desk, seen)
    elif isinstance(seen, Hidden):
        desk.notice, desk.notice_seat = "spread", seen.seat


def covered_too_long(desk: Desk, t: float) -> None:
    """Tell the referee of a covered camera once it lasts; the screen says so at once."""
    if desk.covered_since is None:
        return
    if desk.notice is None:
        desk.notice = "covered"
    if not desk.covered_told and t - desk.covered_since >= COVERED_TELL:
        desk.covered_told = True
        desk.effects.append(Alert("camera", "camera_covered", None, True, "referee", "the camera has been covered"))


# -- cards come ---------------------------------------------------------------------------------------------------


def laid(desk: Desk, seen: Laid, evidence: Mapping[str, Any]) -> None:
    """New cards lie in a seat's zone."""
    if not seen.cards or _lay_there_before(desk, seen):
        return
    if desk.notice == "spread" and desk.notice_seat == seen.seat:
        desk.notice = desk.notice_seat = None
    deal = desk.match.deal
    if desk.match.phase == "between":
        # The first cards of a deal: it has begun, whoever was to say so.
        if not _may_begin(desk, seen.seat) or not open_deal(desk, seen.touched_at):
            return
        deal = desk.match.deal
    if deal is None or deal.over:
        return
    if deal.phase in ("tribute", "return") and _handed_over(desk, seen, evidence):
        return
    _play(desk, seen, evidence)


def _may_begin(desk: Desk, seat: str) -> bool:
    """Whether cards before *seat* can open a deal: the last one is confirmed, and who owes tribute comes first."""
    if desk.result_due:
        return False
    due = tribute_due(desk)
    return due is None or seat in due.payers


def tribute_due(desk: Desk) -> Tribute | None:
    """The tribute that the next deal will owe."""
    match = desk.match
    if not match.deals or not match.deals[-1].deal.order:
        return None
    return Tribute(match.deals[-1].deal.order, match.levels[match.on_stage or "NS"], match.ruleset)


def open_deal(desk: Desk, t: float, leader: str | None = None) -> bool:
    """A deal begins; nothing of the last one is left."""
    if not desk.attempt(t, "deal", {"leader": leader} if leader else {}):
        return False
    fresh_deal(desk)
    start_turn(desk, t)
    return True


def fresh_deal(desk: Desk) -> None:
    """Forget what belonged to the last deal."""
    desk.end_trick()
    desk.asks.clear()
    desk.held.clear()
    desk.pending_tribute.clear()
    desk.unsure, desk.offer_dismissed, desk.score_only = 0, False, False
    desk.out_question = desk.overlay = None
    desk.picked.clear()
    if desk.notice in ("look", "spread"):
        desk.notice = desk.notice_seat = None


def _lay_there_before(desk: Desk, seen: Laid) -> bool:
    """After a restart the trick's cards still lie there: they are known, and no new play."""
    known = desk.expected.pop(seen.seat, None)
    if not known:
        return False
    left, met = Counter(known), 0
    for card in seen.cards:
        named = next((each for each, _ in card.candidates or ((card.card, 1.0),) if left[each] > 0), None)
        if named is not None:
            left[named] -= 1
            met += 1
    return met * 2 > len(seen.cards)


def _play(desk: Desk, seen: Laid, evidence: Mapping[str, Any]) -> None:
    seat, deal = seen.seat, desk.match.deal
    assert deal is not None
    _taken_back_before(desk, seat, seen.touched_at)
    if desk.match.ruleset.implied_passes:
        _silent_passes(desk, seat, seen)
    judged = judge(
        seen.cards, held=desk.unseen(),
        legal=lambda cards: _legal(desk, cards),
    )  # fmt: skip
    if not seen.steady and judged.sure:
        judged = Judged(judged.cards, False, (judged.cards,))
    data = _as_event(desk, seat, judged.cards)
    if desk.notice == "look":
        desk.notice = None
    desk.out_question = None
    known = {"sure": judged.sure, **evidence}
    if not judged.sure:
        known["options"] = [[card.name for card in option] for option in judged.options]
        # The question must stand before the fold judges: nothing is raised from an unsure trick.
        desk.asks[desk.seq + 1] = Ask(desk.seq + 1, seat, judged.options)
    number = desk.attempt(seen.touched_at, "play", data, known)
    if not number:
        desk.asks.pop(desk.seq + 1, None)
        return
    if not judged.sure:
        desk.unsure += 1
    if desk.match.phase == "deal":
        # A play that is unlawful may end its trick; it lies there all the same.
        desk.lays[seat].append(Lay(number, judged.cards, seen.t))
    _after_play(desk, seat, seen.settled_at, seen.t)


def _after_play(desk: Desk, seat: str, settled: float, t: float) -> None:
    deal = desk.match.deal
    if deal is None:
        return
    stands = deal.standing is not None and deal.standing.seat == seat
    if deal.remaining[seat] <= 0 and stands and desk.match.phase == "deal":
        desk.out_question = seat
    if not deal.over:
        start_turn(desk, settled)
        if deal.turn:
            desk.effects.append(Light(deal.turn, "turn"))


def _as_event(desk: Desk, seat: str, cards: Sequence[Card]) -> dict[str, Any]:
    data: dict[str, Any] = {"seat": seat, "cards": [card.name for card in cards]}
    deal, ruleset = desk.match.deal, desk.match.ruleset
    if deal is not None and ruleset.place_declares_wild:
        found = readings(cards, deal.level, ruleset)
        usual = default_reading(found, ruleset)
        meant = declared(tuple(cards), deal.level, found)
        if meant is not None and usual is not None and meant != found[usual]:
            data["as"] = meant.to_dict()
    return data


def _legal(desk: Desk, cards: Cards) -> bool:
    """Whether *cards* are a combination that beats what stands (whoever lays them)."""
    deal, ruleset = desk.match.deal, desk.match.ruleset
    assert deal is not None
    found = readings(cards, deal.level, ruleset)
    standing = deal.standing
    if standing is None or standing.reading is None:
        return bool(found)
    return any(beats(reading, standing.reading) for reading in found)


def _silent_passes(desk: Desk, seat: str, seen: Laid) -> None:
    """Who must have passed for *seat* to lay now: those before it, or all, when the trick has been turned down."""
    deal = desk.match.deal
    assert deal is not None
    standing = deal.standing
    if standing is not None and standing.seat in desk.lifted:
        _all_passed(desk, seen.touched_at)
    if seat != deal.turn:
        imply_passes(desk, seat, seen.touched_at)
        return
    # A finisher's partner leads when nobody beats the last cards: then this need not beat them.
    heir = standing is not None and partner_of(standing.seat) == seat and standing.seat in deal.finished
    if heir and not _legal(desk, tuple(card.card for card in seen.cards)):
        _all_passed(desk, seen.touched_at)


def _all_passed(desk: Desk, t: float) -> None:
    """The trick is over: everybody after the standing play has passed."""
    deal = desk.match.deal
    assert deal is not None
    for _ in range(4):
        if deal.over or deal.turn is None or deal.holder is None:
            return
        if not desk.attempt(t, "pass", {"seat": deal.turn, "by": "implied"}):
            return


def imply_passes(desk: Desk, seat: str, t: float, by: str = "implied") -> bool:
    """Those between the turn and *seat* have passed; whether it is now *seat*'s turn."""
    for _ in range(3):
        deal = desk.match.deal
        if deal is None or deal.over or deal.turn in (seat, None) or deal.holder is None:
            break
        if not desk.attempt(t, "pass", {"seat": deal.turn, "by": by}):
            break
    return desk.match.deal is not None and desk.match.deal.turn == seat


# -- tribute, return, resistance ----------------------------------------------------------------------------------


def _handed_over(desk: Desk, seen: Laid, evidence: Mapping[str, Any]) -> bool:
    """A card for another player lies on the mat: who owes one, and to whom, the fold knows."""
    deal = desk.match.deal
    assert deal is not None
    owed = {each["from"]: each["to"] for each in deal.owed}
    judged = judge(seen.cards, held=dict.fromkeys(desk.unseen(), 2))
    red = [card for card in judged.cards if card.name == RED_JOKER]
    if seen.seat not in owed:
        return False
    known = {"sure": judged.sure, **evidence}
    if deal.phase == "tribute" and len(red) == len(judged.cards) == 2:
        return bool(desk.attempt(seen.t, "resist", {"seats": [seen.seat]}, known)) and _next(desk, seen.t)
    if len(judged.cards) != 1:
        return False
    if deal.phase == "tribute" and len(owed) == 2:
        # Of two tributes who gets which shows only with both; and two red jokers are no tribute but resistance.
        desk.pending_tribute[seen.seat] = (judged.cards[0], seen.t)
        return _pair_of_tributes(desk, seen.t, known)
    card, taker = judged.cards[0], owed[seen.seat]
    data = {"from": seen.seat, "to": taker or _left_over(desk), "card": card.name}
    return bool(desk.attempt(seen.t, deal.phase, data, known)) and _next(desk, seen.t)


def _next(desk: Desk, t: float) -> bool:
    start_turn(desk, t)
    return True


def _pair_of_tributes(desk: Desk, t: float, known: Mapping[str, Any]) -> bool:
    deal = desk.match.deal
    assert deal is not None and deal.tribute is not None
    pending = desk.pending_tribute
    if len(pending) < 2:
        return True
    cards = {seat: card for seat, (card, _) in pending.items()}
    pending.clear()
    if all(card.name == RED_JOKER for card in cards.values()):
        return bool(desk.attempt(t, "resist", {"seats": list(cards)}, known)) and _next(desk, t)
    first, second = deal.tribute.takers
    high, low = sorted(cards, key=lambda seat: -power(cards[seat].rank, deal.level))
    if power(cards[high].rank, deal.level) == power(cards[low].rank, deal.level):
        # Equal cards: to the winner next clockwise, which is the seat before in the order of play.
        high, low = (high, low) if next_seat(first) == high else (low, high)
    for giver, taker in ((high, first), (low, second)):
        desk.attempt(t, "tribute", {"from": giver, "to": taker, "card": cards[giver].name}, known)
    return _next(desk, t)


def _left_over(desk: Desk) -> str:
    """Whoever is still without a card, where the fold leaves it open."""
    deal = desk.match.deal
    assert deal is not None and deal.tribute is not None
    if deal.phase == "tribute":
        return next(seat for seat in deal.tribute.takers if seat not in [given.taker for given in deal.tribute.paid])
    return next(seat for seat in deal.tribute.payers if seat not in [given.taker for given in deal.tribute.returned])


# -- cards go -----------------------------------------------------------------------------------------------------


def removed(desk: Desk, seen: Removed) -> None:
    """Cards left a zone: taken back, or turned down at the trick's end."""
    lays, deal = desk.lays[seen.seat], desk.match.deal
    if not lays or deal is None:
        return
    last = lays[-1]
    gone = Counter(card.card for card in seen.cards)
    if not seen.emptied and sum((Counter(last.cards) & gone).values()) * 2 <= len(last.cards):
        return
    standing, silent = deal.standing, desk.match.ruleset.implied_passes
    accused = _accused(desk, last)
    if (accused and (deal.trick or not silent)) or (not silent and standing is not None and standing.seq == last.seq):
        take_back(desk, seen.seat, seen.t)
    else:
        # Where passes are silent this may be the trick's end as well: the next cards will tell.
        desk.lifted[seen.seat] = seen.t


def _accused(desk: Desk, lay: Lay) -> bool:
    return any(alert.event == lay.seq and alert.state != "waived" for alert in desk.match.alerts)


def _taken_back_before(desk: Desk, seat: str, t: float) -> None:
    """A seat lays again after its cards left: alone, so it took them back; with others', the trick was over."""
    deal, lays = desk.match.deal, desk.lays[seat]
    if seat not in desk.lifted or deal is None or not lays:
        return
    if _accused(desk, lays[-1]) and seat != deal.turn:
        take_back(desk, seat, t)
        return
    if deal.standing is None or deal.standing.seq != lays[-1].seq:
        return
    others = [each for each, lays in desk.lays.items() if lays and each != seat]
    if others and not any(each in desk.lifted for each in others):
        take_back(desk, seat, t)


def take_back(desk: Desk, seat: str, t: float) -> None:
    if desk.attempt(t, "take_back", {"seat": seat}):
        if desk.lays[seat]:
            gone = desk.lays[seat].pop()
            desk.asks.pop(gone.seq, None)
        desk.lifted.pop(seat, None)
        if desk.out_question == seat:
            desk.out_question = None
        start_turn(desk, t)


# -- what was unsure ----------------------------------------------------------------------------------------------


def revised(desk: Desk, seen: Revised) -> None:
    """Later stills settled or unsettled cards of a play: its question answers itself, or a new one stands."""
    deal = desk.match.deal
    lay = next((lay for lay in reversed(desk.lays[seen.seat]) if _holds(lay.cards, seen.was)), None)
    if lay is None or deal is None:
        return
    held = desk.unseen()
    for card in lay.cards:
        held[card] += 1
    rest = list(lay.cards)
    for old in seen.was:
        rest.remove(old.card)
    judged = judge(
        seen.cards, held={card: count - rest.count(card) for card, count in held.items()},
        legal=lambda cards: _legal_again(desk, lay.seq, (*rest, *cards)),
    )  # fmt: skip
    cards = _in_place(lay.cards, seen.was, judged.cards)
    if judged.sure and (lay.seq in desk.asks or Counter(cards) != Counter(lay.cards)):
        settle(desk, lay.seq, cards, seen.t)
    elif not judged.sure and Counter(cards) != Counter(lay.cards) and lay.seq not in desk.asks:
        desk.asks[lay.seq] = Ask(lay.seq, seen.seat, (lay.cards, cards))
        desk.unsure += 1


def _holds(cards: Cards, was: Sequence[SeenCard]) -> bool:
    return not Counter(card.card for card in was) - Counter(cards)


def _in_place(cards: Cards, was: Sequence[SeenCard], now: Sequence[Card]) -> Cards:
    """*cards* with those of *was* replaced by those of *now*."""
    found = list(cards)
    for old, new in zip(was, now, strict=True):
        found[found.index(old.card)] = new
    return tuple(found)


def _legal_again(desk: Desk, seq: int, cards: Cards) -> bool:
    """As :func:`_legal` when the play itself stands: it need not beat itself."""
    deal = desk.match.deal
    assert deal is not None
    found = readings(cards, deal.level, desk.match.ruleset)
    entry = next((entry for entry in deal.trick if entry.seq == seq), None)
    before = entry.before[0] if entry is not None else None
    if before is None or before.reading is None:
        return bool(found)
    return any(beats(reading, before.reading) for reading in found)


def settle(desk: Desk, seq: int, cards: Cards, t: float) -> bool:
    """The play of event *seq* was *cards*: as a correction, so that the journal knows the question is closed."""
    ask = desk.asks.get(seq)
    seat = ask.seat if ask else next((s for s, lays in desk.lays.items() if any(lay.seq == seq for lay in lays)), None)
    if seat is None:
        return False
    data = {"event": seq, **{key: value for key, value in _as_event(desk, seat, cards).items() if key != "seat"}}
    waiting = desk.asks.pop(seq, None)
    if not desk.attempt(t, "correct", data, {"sure": True}):
        if waiting is not None:
            desk.asks[seq] = waiting
        return False
    corrected(desk, seq, data)
    return True


def corrected(desk: Desk, seq: int, data: Mapping[str, Any]) -> None:
    """A correction of event *seq* is in force: its question is closed, and what waited for it goes its way."""
    desk.asks.pop(seq, None)
    for lays in desk.lays.values():
        for lay in lays:
            if lay.seq == seq and "cards" in data:
                lay.cards = cards_of(data["cards"])
    desk.release()


def offers_score_only(desk: Desk) -> bool:
    return desk.unsure >= UNSURE_BEFORE_OFFER and not desk.offer_dismissed and not desk.score_only
