"""What people press and tap: passes, reports, calls, confirmations, answers to questions."""

from __future__ import annotations

from engine.cards import SIDES, side_of
from table import order
from table.asks import corrected
from table.deals import fresh_deal, open_deal
from table.desk import Desk
from table.effects import Sound
from table.inputs import Directed, Pressed
from table.timekeeping import told
from table.turns import go_on, halted, report, start_turn, stop_turn

CONFIRMS_ITSELF = 10.0
"""Seconds after which a deal is taken as confirmed where the ruleset says so."""


# -- pads ---------------------------------------------------------------------------------------------------------


def pressed(desk: Desk, pad: Pressed) -> None:
    if pad.button == "call":
        call(desk, pad.t, pad.seat)
    elif pad.button == "confirm":
        confirm(desk, pad.t, side_of(pad.seat), pad.seat)
    elif pad.button == "pass":
        order.press(desk, pad.t, pad.seat)
    elif pad.button == "report":
        report(desk, pad.t, pad.seat)


def call(desk: Desk, t: float, seat: str | None = None) -> None:
    """Somebody wants a referee, from the shared screen nobody knows who: one call stands until it is answered."""
    if desk.match.phase == "before" or any(alert.kind == "call" for alert in desk.standing_alerts()):
        return
    if desk.attempt(t, "call", {} if seat is None else {"seat": seat}):
        desk.overlay = None
        stop_turn(desk, t)


def confirm(desk: Desk, t: float, side: str, seat: str | None = None) -> None:
    """A side says yes: to a going out that is asked about, to a deal, to the match."""
    if desk.out_question is not None and desk.match.phase == "deal":
        if seat is None or side_of(desk.out_question) == side:
            desk.out_question = None
        return
    signs = (desk.result_due or desk.match.result is not None) and side not in desk.match.signed
    if signs and desk.attempt(t, "sign", {"side": side}) and desk.match.signed == set(SIDES):
        desk.effects.append(Sound("confirmed"))


# -- from deal to deal --------------------------------------------------------------------------------------------


def watch_for_end(desk: Desk, t: float) -> None:
    """Notice that a deal has just ended."""
    desk.ended = min(desk.ended, len(desk.match.deals))  # a correction may have opened the last one again
    if len(desk.match.deals) > desk.ended:
        ended(desk, t)
        stop_turn(desk, t)


def ended(desk: Desk, t: float) -> None:
    """The last deal is over: the next one is read, however that one was scored."""
    desk.ended, desk.ended_at = len(desk.match.deals), t
    desk.out_question, desk.overlay, desk.score_only = None, None, False
    desk.lifted.clear()


def confirm_by_itself(desk: Desk, t: float) -> None:
    """Where the ruleset says so, a deal that nobody objects to is confirmed."""
    if not desk.result_due or desk.match.ruleset.confirm == "both_sides" or desk.match.result is not None:
        return
    if not halted(desk) and t - desk.ended_at >= CONFIRMS_ITSELF:
        for side in SIDES:
            confirm(desk, t, side)


def ring(desk: Desk, t: float) -> None:
    """The bell of the match: the fold learns that the time is over, even when nobody acts."""
    clock = desk.match.clock
    if clock.match_left is None or clock.stopped or desk.match.bell or desk.match.phase not in ("between", "deal"):
        return
    if clock.match_left - (t - desk.origin - clock.now) > 0:
        return
    drawn = desk.match.phase == "between" and not desk.result_due and bool(desk.match.deals)
    if drawn and desk.match.ruleset.deal_at_limit == "finish_if_drawn":
        open_deal(desk, t)  # both sides agreed to the last one: the next is being drawn
    if desk.attempt(t, "time", {"left": 0}):
        desk.effects.append(Sound("bell"))


# -- halts ---------------------------------------------------------------------------------------------------------


def go_on_playing(desk: Desk, t: float) -> None:
    """The table goes on: a pause ends, and a call that its players withdraw."""
    if desk.paused and not desk.waits_for_hall and desk.attempt(t, "resume", {}):
        desk.paused = desk.hall_stopped = False
    for alert in desk.standing_alerts():
        if alert.kind == "call":
            desk.attempt(t, "ruling", {"alert": alert.id, "verdict": "waive", "by": "players"})
    if not halted(desk):
        go_on(desk, t)


# -- the referee --------------------------------------------------------------------------------------------------


def directed(desk: Desk, order: Directed) -> None:
    """An event from the referee's console; it says what happened, the fold what follows.

    :raises GuandanError: when the fold finds it impossible.
    """
    stood = halted(desk)
    evidence = {"by": "referee"} if order.id is None else {"by": "referee", "directive": order.id}
    desk.append(order.t, order.do, order.data, evidence)
    told(desk, desk.match.events[-1], order.t)
    if order.do == "pause":
        desk.paused = True
        stop_turn(desk, order.t)
    elif order.do == "resume":
        desk.paused = desk.hall_stopped = False
    elif order.do == "take_back":
        lift(desk, str(order.data["seat"]))
        start_turn(desk, order.t)
    elif order.do == "correct":
        corrected(desk, int(order.data["event"]), order.data)
    elif order.do == "redeal":
        fresh_deal(desk)
    if stood and not halted(desk):
        start_turn(desk, order.t)


def lift(desk: Desk, seat: str) -> None:
    if desk.lays[seat]:
        desk.asks.pop(desk.lays[seat].pop().seq, None)
