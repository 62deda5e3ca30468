"""From what the eye notices to events: plays, and the passes that nobody pressed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.cards import partner_of
from engine.readings import beats, readings
from table import first_card, order
from table.asks import revised
from table.deals import may_begin, open_deal
from table.desk import Desk, Lay
from table.effects import Alert, Light
from table.judgement import Judged, could_be, judge
from table.lifting import accused, removed, take_back, taken_back_before
from table.movements import added, join
from table.tributes import handed_over
from table.turns import may_be_turned, report, start_turn, touch
from table.view import Ask, Cards
from table.words import Words
from vision.observations import (
    Covered,
    Hidden,
    Laid,
    Moved,
    Observation,
    Removed,
    Reported,
    Revised,
    SeenCard,
    Touched,
    Uncovered,
)

STILL_THERE = 10.0
"""Seconds after a restart in which the last trick may still lie there."""
MAT_LOST = 20.0
"""Seconds after which no tray or arm is in the way: the camera looks elsewhere, or the mat is gone."""
COVERED_TELL = 10.0
"""Seconds of a covered camera before the referee learns of it."""


def notice(desk: Desk, seen: Observation, evidence: Mapping[str, Any]) -> None:
    """Take in one observation."""
    if isinstance(seen, Covered):
        desk.covered_since, desk.covered_told = seen.since, False
    elif isinstance(seen, Uncovered):
        desk.covered_since = None
        desk.blurred = True
        if desk.notice in ("covered", "lost"):
            desk.notice = None
    elif isinstance(seen, Moved):
        desk.notice = "moved"
        desk.blurred = True
    if isinstance(seen, (Laid, Revised, Removed, Hidden)):
        desk.read_at[seen.seat] = seen.t
    if desk.score_only or desk.match.phase == "before" or desk.match.result is not None:
        return
    if isinstance(seen, Touched):
        desk.touched[seen.seat] = seen.t
        touch(desk, seen.t, seen.seat)
    elif isinstance(seen, Laid):
        if desk.notice == "moved":
            desk.notice = None
        laid(desk, seen, evidence)
        waited(desk, seen.t)
    elif isinstance(seen, Revised):
        revised(desk, seen)
    elif isinstance(seen, Removed):
        removed(desk, seen)
    elif isinstance(seen, Reported) and seen.shown:
        report(desk, seen.t, seen.seat)
    elif isinstance(seen, Hidden):
        desk.notice, desk.notice_seat = "spread", seen.seat
        if desk.match.phase == "deal":
            desk.unread = seen.seat


def covered_too_long(desk: Desk, t: float) -> None:
    """Tell the referee of a covered camera once it lasts; the screen says so at once."""
    if desk.covered_since is None:
        return
    if desk.notice in (None, "covered", "lost"):
        desk.notice = "covered" if t - desk.covered_since < MAT_LOST else "lost"
    if not desk.covered_told and t - desk.covered_since >= COVERED_TELL:
        desk.covered_told = True
        if desk.friendly:
            return  # among friends nothing travels but calls
        name = f"camera-{round(desk.covered_since - desk.origin)}"  # each time is an alert of its own
        rule = Words(desk.glass.settings.language)("notice.covered1")
        desk.effects.append(Alert(name, "camera_covered", None, True, "referee", rule))


def laid(desk: Desk, seen: Laid, evidence: Mapping[str, Any]) -> None:
    """New cards lie in a seat's zone."""
    seen = _without_what_lay_there(desk, seen)
    if not seen.cards:
        return
    if desk.notice == "spread" and desk.notice_seat == seen.seat:
        desk.notice = desk.notice_seat = None
    if desk.unread == seen.seat:
        desk.unread = None
    deal = desk.match.deal
    if desk.match.phase == "between":
        # The first cards of a deal: it has begun, whoever was to say so.
        if not may_begin(desk, seen.seat) or not open_deal(desk, seen.touched_at):
            return
        deal = desk.match.deal
    if deal is None or deal.over:
        return
    if deal.phase in ("tribute", "return") and handed_over(desk, seen, evidence):
        return
    if order.waits(desk, seen.seat, seen.touched_at, seen.t):
        desk.waiting.append((seen, evidence))
        return
    _play(desk, seen, evidence)


def waited(desk: Desk, t: float) -> None:
    """Take in the plays that waited for one which was laid before them, once that is read or was none."""
    for seen, evidence in sorted(desk.waiting, key=lambda each: each[0].touched_at):
        deal = desk.match.deal
        if deal is not None and not order.waits(desk, seen.seat, seen.touched_at, t):
            desk.waiting.remove((seen, evidence))
            if not deal.over and desk.match.phase == "deal":
                _play(desk, seen, evidence)


def _without_what_lay_there(desk: Desk, seen: Laid) -> Laid:
    """After a restart the trick's cards still lie there: they are known, and no new play.

    Somebody may have played over them before the table looked again: then the rest is the new play, and as two equal
    cards cannot be told apart by that, it is not sure. Cards that lay under others show only when those are gone.
    """
    seat, first = seen.seat, seen.seat not in desk.looked_at
    known, lays = list(desk.expected.get(seat, [])), desk.lays[seat]
    if first and known and lays and accused(desk, lays[-1]) and _unmet(lays[-1].cards, seen):
        # Between the last event and this look an unlawful play went back into the hand.
        for gone in lays[-1].cards:
            known.remove(gone)
        take_back(desk, seat, seen.touched_at)
    if first and desk.restarted_at is not None and seen.t - desk.restarted_at < STILL_THERE:
        known += desk.last_trick.get(seat, [])
    if not known:
        return seen
    desk.looked_at.add(seat)
    left = Counter(known)
    fresh: list[SeenCard] = []
    for card in seen.cards:
        named = next((each for each in could_be(card) if left[each] > 0), None)
        if named is None:
            fresh.append(card)
        else:
            left[named] -= 1
    met = len(seen.cards) - len(fresh)
    if not first and fresh:
        return seen  # a play of its own, though some of its cards are the twins of what lay there
    desk.expected[seat] = list(left.elements())
    over = bool(fresh) and bool(lays) and not _unmet(lays[-1].cards, seen)
    if met * 2 > len(seen.cards) and not over:
        return replace(seen, cards=())
    return replace(seen, cards=tuple(fresh), steady=False) if met else seen


def _unmet(cards: Cards, seen: Laid) -> int:
    """How many of *cards* are not among what was seen."""
    left = Counter(cards)
    for card in seen.cards:
        named = next((each for each in could_be(card) if left[each] > 0), None)
        if named is not None:
            left[named] -= 1
    return left.total()


def _play(desk: Desk, seen: Laid, evidence: Mapping[str, Any]) -> None:
    seat, deal = seen.seat, desk.match.deal
    assert deal is not None
    rest_of = added(desk, seen)
    if rest_of is not None and join(desk, rest_of, seen, evidence):
        _after_play(desk, seat, seen)
        return
    if rest_of is None:
        first_card.lies_beside(desk, seat, seen.touched_at)
        deal = desk.match.deal
        assert deal is not None
    taken_back_before(desk, seat, seen.touched_at)
    if desk.match.ruleset.implied_passes:
        _silent_passes(desk, seat, seen)
    else:
        order.explain(desk, seat, seen.touched_at)
    judged = judge(
        seen.cards, held=desk.unseen(),
        legal=lambda cards: _legal(desk, cards),
    )  # fmt: skip
    if judged.sure and (not seen.steady or rest_of is not None):
        # A face that nobody can read, or more cards of a player who has just played: no ground to accuse anybody.
        judged = Judged(judged.cards, False, (judged.cards,))
    if judged.sure and not all(card.sure for card in seen.cards) and len(judged.cards) > deal.remaining[seat]:
        judged = Judged(judged.cards, False, (judged.cards,))  # a 28th card is first of all a misreading
    # The cards keep their order: where the ruleset says so, a wild's place declares it.
    data: dict[str, Any] = {"seat": seat, "cards": [card.name for card in judged.cards]}
    data["settled"] = round(seen.settled_at - desk.origin, 3)
    if desk.notice == "look":
        desk.notice = None
    desk.out_question, desk.restarted_at = None, None
    known = {"sure": judged.sure, **evidence}
    if order.unclear(desk, seat, seen.touched_at, judged.sure, _legal(desk, judged.cards)):
        data["turn"] = "unclear"
    if may_be_turned(desk, judged.cards):
        data["untimed"] = True  # nobody's time is measured from a card that is only shown
    if not judged.sure:
        known["options"] = [[card.name for card in option] for option in judged.options]
        data["sure"] = False  # the audit after the deal must know
        # The question must stand before the fold judges: nothing is raised from an unsure trick.
        desk.asks[desk.seq + 1] = Ask(desk.seq + 1, seat, judged.options)
    number = desk.attempt(seen.touched_at, "play", data, known)
    if not number:
        desk.asks.pop(desk.seq + 1, None)
        return
    if not judged.sure:
        desk.unsure += 1
    # A play that is unlawful may end its trick, the last one its deal; it lies there all the same.
    desk.lays[seat].append(Lay(number, judged.cards, seen.t))
    _after_play(desk, seat, seen)


def _after_play(desk: Desk, seat: str, seen: Laid) -> None:
    deal = desk.match.deal
    since = seen.settled_at if desk.match.ruleset.turn_starts == "settled" else seen.touched_at
    if deal is None:
        return
    stands = deal.standing is not None and deal.standing.seat == seat
    if deal.remaining[seat] <= 0 and stands and desk.match.phase == "deal":
        desk.out_question = seat
    if not deal.over:
        start_turn(desk, since)
        if deal.turn:
            desk.effects.append(Light(deal.turn, "turn"))
    order.laid(desk, seen.touched_at)
    order.catch_up(desk)


def _legal(desk: Desk, cards: Cards) -> bool:
    """Whether *cards* are a combination that beats what stands (whoever lays them)."""
    deal, ruleset = desk.match.deal, desk.match.ruleset
    assert deal is not None
    found = readings(cards, deal.level, ruleset)
    standing = deal.standing
    if standing is None or standing.reading is None or not standing.sure:
        return bool(found)
    return any(beats(reading, standing.reading) for reading in found)


def _silent_passes(desk: Desk, seat: str, seen: Laid) -> None:
    """Who must have passed for *seat* to lay now: those before it, or all, when the trick has been turned down."""
    deal = desk.match.deal
    assert deal is not None
    standing = deal.standing
    if standing is not None and standing.seat in desk.lifted:
        order.all_passed(desk, seen.touched_at)
    if seat != deal.turn:
        order.imply_passes(desk, seat, seen.touched_at)
        return
    # A finisher's partner leads when nobody beats the last cards: then this need not beat them.
    heir = standing is not None and partner_of(standing.seat) == seat and standing.seat in deal.finished
    if heir and not _legal(desk, tuple(card.card for card in seen.cards)):
        order.all_passed(desk, seen.touched_at)
