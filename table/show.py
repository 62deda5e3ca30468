"""The view of the desk: only what players may see goes in."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from engine.cards import SEATS, SIDES, Card, side_of
from engine.readings import power, readings
from engine.rulesets import load, names
from table import learning, locking
from table.asks import offers_score_only
from table.correcting import correction
from table.deals import tribute_due
from table.desk import Desk, Lay
from table.glass import WRONG_CODES
from table.pads import CONFIRMS_ITSELF
from table.training import lesson
from table.view import Clock, DealResult, SeatView, TableView


def view_of(desk: Desk) -> TableView:
    """What the screens may show of *desk* now."""
    match, deal = desk.match, desk.match.deal
    if match.phase == "before":
        return _before(desk)
    called = any(alert.kind == "call" for alert in desk.standing_alerts())
    rules = match.ruleset
    playing = match.phase == "deal"
    clock = desk.turn_clock if rules.turn_clock_shown and desk.turn_clock.limit else None
    return TableView(
        screen=_screen(desk, called),
        profile=desk.profile,
        ruleset=desk.ruleset,
        seats={seat: _seat(desk, seat) for seat in SEATS},
        levels=dict(match.levels),
        on_stage=match.on_stage,
        level=deal.level if playing and deal is not None else match.levels[match.on_stage or "NS"],
        deal=deal.n if playing and deal is not None else len(match.deals) + 1,
        attempts=dict(match.attempts),
        turn=deal.turn if playing and deal is not None and not desk.score_only else None,
        scoring=desk.score_only,
        turn_clock=clock,
        match_clock=_match_clock(desk),
        notice=_notice(desk),
        notice_seat=desk.notice_seat,
        margin=tuple(ask for ask in desk.asks.values() if ask.margin),
        out_question=desk.out_question,
        offer_score_only=offers_score_only(desk),
        tributes=_owed(desk),
        paid=frozenset(desk.pending_tribute),
        deal_result=_deal_result(desk),
        match_result=_result(desk),
        signed=frozenset(match.signed) if match.result is not None else frozenset(),
        halt="called" if called else "paused" if desk.paused else None,
        waits_for_hall=desk.waits_for_hall,
        picked=tuple(desk.picked),
        four_colours=desk.four_colours,
        venue=desk.venue,
        banner=desk.glass.banner,
        first_lead=rules.first_lead if match.phase == "between" and not match.deals else None,
        turned=_turned(desk),
        closed_return=_closed(desk),
        bell=match.bell and playing,
        correction=correction(desk),
        sheet=desk.glass.seat if desk.overlay == "seat" else None,
        may=_may(desk),
        lesson=lesson(desk),
        **_page(desk),
    )


def _before(desk: Desk) -> TableView:
    """Nobody plays yet: who sits here and by which rules, or what somebody opened."""
    seated = bool(desk.seating)
    people = desk.names if seated else {}
    return TableView(
        screen=desk.overlay or ("check_in" if seated else "start"),
        profile=desk.profile,
        ruleset=desk.ruleset,
        seats={seat: SeatView(seat, name=people.get(seat, "")) for seat in SEATS},
        four_colours=desk.four_colours,
        venue=desk.venue,
        checked_in=frozenset(desk.glass.checked_in),
        **_page(desk),
    )


def _page(desk: Desk) -> dict[str, Any]:
    """What the pages over the game need, whichever is open."""
    glass = desk.glass
    lock = "open" if glass.admitted else "wrong" if glass.wrong else "shut"
    if glass.code is None and not glass.admitted:
        lock = "choose" if locking.may_choose(desk) else "none"
    if glass.wrong >= WRONG_CODES and not glass.admitted:
        lock = "wait"
    choosing = desk.overlay in ("rulesets", None) and desk.match.phase == "before"
    return {
        "overlaid": desk.overlay is not None,
        "settings": glass.settings,
        "rulesets": rulesets() if choosing else (),
        "entered": len(glass.entered),
        "lock": lock,
        "choosing": glass.choosing,
        "locked_until": glass.locked_until,
        "facts": glass.facts if desk.overlay == "diagnosis" else (),
        "learning": glass.learning,
        "calibration": glass.calibration,
        "bundle": glass.bundle if desk.overlay == "diagnosis" else None,
        "may_bundle": glass.bundles and desk.overlay == "diagnosis",
        "may_calibrate": glass.calibrates and desk.overlay in ("settings", "diagnosis"),
        "may_learn": learning.allowed(desk) and desk.overlay in ("settings", "diagnosis"),
        "facing": glass.opener or glass.facing,
    }


@cache
def rulesets() -> tuple[tuple[str, str, str], ...]:
    """The rulesets that one may choose: id, Chinese and English name."""
    return tuple((each.id, each.name_zh, each.name_en) for each in map(load, names()))


def _turned(desk: Desk) -> tuple[str, Card] | None:
    match = desk.match
    return match.turned if match.phase == "between" and not match.deals else None


def _closed(desk: Desk) -> bool:
    """Whether the returns that are due go over face down: nobody can be asked to show one."""
    deal = desk.match.deal
    if deal is None or desk.match.phase != "deal" or deal.phase != "return" or deal.tribute is None:
        return False
    together = desk.match.ruleset.returns_shown_together
    if together == "never" or len(deal.tribute.payers) < 2:
        return False
    equal = len({power(given.card.rank, deal.level) for given in deal.tribute.paid}) == 1
    return together == "double" or equal


def _may(desk: Desk) -> frozenset[str]:
    """What the seat whose sheet is open may do with a tap."""
    seat, deal, rules = desk.glass.seat, desk.match.deal, desk.match.ruleset
    if desk.overlay != "seat" or seat is None or deal is None or desk.match.phase != "deal" or desk.score_only:
        return frozenset()
    may = set()
    if deal.holder is not None and deal.phase == "play" and (deal.turn == seat or rules.implied_passes):
        may.add("pass")
    # Whether a report is due is the player's to know: the button is always there, and only then does anything.
    if rules.report_at and seat not in deal.finished and seat not in deal.reports:
        may.add("report")
    if desk.lays[seat]:
        may.add("correct")
    if deal.turn != seat and seat not in deal.finished:
        may.add("turn")
    return frozenset(may)


def _deal_result(desk: Desk) -> DealResult | None:
    match = desk.match
    if not desk.result_due:
        return None
    last = match.deals[-1]
    before = dict(match.deals[-2].levels) if len(match.deals) > 1 else dict.fromkeys(SIDES, match.ruleset.start_level)
    order = tuple(last.deal.order or SEATS)
    itself = match.ruleset.confirm != "both_sides" and match.result is None
    return DealResult(
        number=last.deal.n, order=order, winner=side_of(order[0]), gain=last.step.gain, before=before,
        after=dict(last.levels), confirmed=frozenset(match.signed),
        confirms_at=desk.ended_at + CONFIRMS_ITSELF if itself else None,
    )  # fmt: skip


def _screen(desk: Desk, called: bool) -> str:
    if called or desk.paused:
        return "halted"
    if desk.overlay and (desk.overlay, correction(desk)) != ("correct", None):
        return desk.overlay
    if desk.match.result is not None:
        return "match_result"
    if desk.result_due:
        return "deal_result"
    return "playing"


def _notice(desk: Desk) -> str | None:
    if any(alert.route == "both" and alert.kind != "call" for alert in desk.standing_alerts()):
        return "stop"
    return desk.notice


def _seat(desk: Desk, seat: str) -> SeatView:
    deal, rules = desk.match.deal, desk.match.ruleset
    name = desk.names.get(seat, "")
    if deal is None or desk.score_only or (desk.match.phase == "between" and not desk.result_due):
        return SeatView(seat, name=name)
    last = next((entry for entry in reversed(_trick_on_the_table(desk)) if entry.seat == seat), None)
    lay = desk.lays[seat][-1] if desk.lays[seat] else None
    shown = last is not None and last.kind == "play"
    ask = next((ask for ask in desk.asks.values() if lay is not None and ask.id == lay.seq and not ask.margin), None)
    report = deal.reports.get(seat)
    left = deal.remaining[seat]
    count = left if rules.running_count and report is None and 0 < left <= rules.report_at else None
    return SeatView(
        seat=seat,
        name=name,
        cards=last.cards if shown and last is not None else (),
        combination=_combination(desk, last) if shown else None,
        passed=last is not None and last.kind == "pass",
        turn=deal.turn == seat and desk.match.phase == "deal",
        report=report if not deal.over and seat not in deal.finished else None,
        count=count,
        place=deal.finished.index(seat) + 1 if seat in deal.finished and seat != desk.out_question else None,
        ask=ask,
        laid_at=_laid_at(lay),
        beaten=shown and deal.standing is not None and last is not deal.standing,
    )


def _trick_on_the_table(desk: Desk) -> Sequence[Any]:
    """The trick as it lies: one whose last play a notice is about still lies there, though the fold has ended it."""
    deal = desk.match.deal
    assert deal is not None
    return deal.tricks[-1] if not deal.trick and deal.tricks and _notice(desk) in ("look", "stop") else deal.trick


def _laid_at(lay: Lay | None) -> float:
    return lay.t if lay is not None else -1e9


def _combination(desk: Desk, entry: Any) -> tuple[str, int, str | None] | None:
    """The play's name, where the cards leave no doubt or it was declared; never a guess at what was meant."""
    deal, rules = desk.match.deal, desk.match.ruleset
    assert deal is not None
    reading = entry.reading
    if reading is None:
        return None
    found = readings(entry.cards, deal.level, rules)
    if len({(each.type, each.rank) for each in found}) > 1 and not rules.place_declares_wild and not desk.friendly:
        return None
    return reading.type, reading.size, reading.rank


def _owed(desk: Desk) -> tuple[tuple[str, str, str], ...]:
    """Tributes and returns due, before the first card of the deal has shown too."""
    match = desk.match
    if desk.score_only:
        return ()
    if match.phase == "between" and not desk.result_due:
        due, kind = tribute_due(desk), "tribute"
        owed = due.owed() if due is not None else []
    elif match.deal is not None and match.phase == "deal":
        due, kind, owed = match.deal.tribute, match.deal.phase, match.deal.owed
    else:
        return ()
    open_to = "" if due is None else "".join(due.takers if kind == "tribute" else due.payers)
    return tuple((kind, str(each["from"]), str(each["to"] or open_to)) for each in owed)


def _match_clock(desk: Desk) -> Clock | None:
    """The match's clock as it runs on the table's own time."""
    clock = desk.match.clock
    if clock.match_left is None or desk.match.phase not in ("between", "deal"):
        return None
    running = not (clock.stopped or desk.paused)
    return Clock(since=desk.origin + clock.now, limit=max(0.0, clock.match_left), running=running)


def _result(desk: Desk) -> dict[str, Any] | None:
    result = desk.match.result
    return None if result is None else {**result.to_dict(), "past_A": result.why == "passed_A"}
