"""What fingers do on the screen: each target's name leads to what it does at the desk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from engine.cards import PLAY_ORDER, SEATS
from engine.events import Event
from engine.rulesets import PROFILES, names
from table import calibration, correcting, fixing, learning, locking, order, pads, scoring, sitting, turns
from table.asks import settle
from table.deals import open_deal
from table.desk import Desk
from table.effects import MakeBundle
from table.inputs import Tapped
from table.settings import ALLOWED
from table.view import Bundle

GUARDED = ("rotation", "touch_rotation", "flat", "sound")
"""Settings that only the code opens; the rest anybody at the table may change."""
PAGES = ("menu", "score_only", "diagnosis", "lesson", "rulesets", "settings")
"""Pages that lie over the game; the game goes on beneath."""


def tapped(desk: Desk, tap: Tapped) -> None:
    """Do what the target *tap* names; one that means nothing now is let go."""
    act = BEFORE.get(tap.what) or (DURING.get(tap.what) if desk.match.phase != "before" else None)
    if act is not None:
        act(desk, tap.t, tap.value)


# -- at any time --------------------------------------------------------------------------------------------------


def _open(page: str) -> Callable[[Desk, float, Any], None]:
    def act(desk: Desk, t: float, value: Any) -> None:
        desk.glass.leave()
        desk.overlay = page
        desk.offer_dismissed |= page == scoring.PAGE
        desk.glass.opened = t
        desk.picked.clear()
        if value in SEATS:
            desk.glass.opener = str(value)

    return act


def _close(desk: Desk, t: float, value: Any) -> None:
    desk.glass.leave()
    desk.overlay = None
    desk.picked.clear()


def _set(desk: Desk, t: float, value: Any) -> None:
    """Step a setting on to its next value."""
    name = str(value)
    if name not in ALLOWED or (name in GUARDED and not desk.glass.admitted):
        return
    allowed = ALLOWED[name]
    at = allowed.index(getattr(desk.glass.settings, name))
    desk.glass.settings = replace(desk.glass.settings, **{name: allowed[(at + 1) % len(allowed)]})


def _four_colours(desk: Desk, t: float, value: Any) -> None:
    desk.four_colours = not desk.four_colours


def _bundle(desk: Desk, t: float, value: Any) -> None:
    """Somebody wants the file that helps from afar; one is enough at a time."""
    glass = desk.glass
    if glass.bundles and desk.overlay == "diagnosis" and (glass.bundle is None or glass.bundle.state != "making"):
        glass.bundle = Bundle("making")
        desk.effects.append(MakeBundle())


def _face(desk: Desk, t: float, value: Any) -> None:
    """On a flat screen a page turns on to the next player."""
    glass = desk.glass
    glass.facing = PLAY_ORDER[(PLAY_ORDER.index(glass.opener or glass.facing) + 1) % 4]
    glass.opener = None


# -- before a match -----------------------------------------------------------------------------------------------


def _check_in(desk: Desk, t: float, value: Any) -> None:
    if desk.match.phase == "before":
        sitting.tapped(desk, str(value))


def _ruleset(desk: Desk, t: float, value: Any) -> None:
    if desk.match.phase == "before" and not desk.seating and value in names():
        desk.ruleset, desk.overlay = str(value), None


def _profile(desk: Desk, t: float, value: Any) -> None:
    if desk.match.phase == "before" and not desk.seating and value in PROFILES:
        desk.profile = str(value)


# -- the game -----------------------------------------------------------------------------------------------------


def _option(desk: Desk, t: float, value: Any) -> None:
    """Somebody at the table says which of the candidates it is."""
    number, choice = value
    ask = desk.asks.get(number)
    if ask is not None and 0 <= choice < len(ask.options):
        settle(desk, number, ask.options[choice], t)


def _call(desk: Desk, t: float, value: Any) -> None:
    pads.call(desk, t)


def _confirm(desk: Desk, t: float, value: Any) -> None:
    pads.confirm(desk, t, str(value))


def _pass(desk: Desk, t: float, value: Any) -> None:
    _close(desk, t, None)
    order.press(desk, t, str(value))


def _report(desk: Desk, t: float, value: Any) -> None:
    _close(desk, t, None)
    turns.report(desk, t, str(value))


def _pause(desk: Desk, t: float, value: Any) -> None:
    desk.overlay = None
    if not desk.paused and (desk.match.clock.paused or desk.attempt(t, "pause", {"why": "players"})):
        desk.paused = True
        turns.stop_turn(desk, t)


def _resume(desk: Desk, t: float, value: Any) -> None:
    pads.go_on_playing(desk, t)


def _keep_reading(desk: Desk, t: float, value: Any) -> None:
    desk.offer_dismissed = True


def _out_yes(desk: Desk, t: float, value: Any) -> None:
    desk.out_question = None


def _out_no(desk: Desk, t: float, value: Any) -> None:
    """Not out after all: a card of that seat's play was not seen, or one too many."""
    seat, desk.out_question = desk.out_question, None
    if seat is not None:
        correcting.open_at(desk, seat, None)


def _fix_turn(desk: Desk, t: float, value: Any) -> None:
    _close(desk, t, None)
    fixing.give_turn(desk, str(value), t)


def _seat(desk: Desk, t: float, value: Any) -> None:
    """A seat's letter before the first lead: that seat leads."""
    if value in SEATS and desk.match.phase == "between" and not desk.match.deals:
        open_deal(desk, t, str(value))


def _sheet(desk: Desk, t: float, value: Any) -> None:
    """A seat's letter in a deal: what that seat may do."""
    if value in SEATS and desk.match.phase == "deal":
        desk.glass.leave()
        desk.overlay, desk.glass.seat = "seat", str(value)


def _read(desk: Desk, t: float, value: Any) -> None:
    """The venue's message was read."""
    desk.venue = replace(desk.venue, message=None)


# -- a deal's order -----------------------------------------------------------------------------------------------


def _pick(desk: Desk, t: float, value: Any) -> None:
    """Score only: the order is tapped in."""
    if value in SEATS and value not in desk.picked:
        scoring.begin(desk, t)
        desk.picked.append(str(value))


def _pick_clear(desk: Desk, t: float, value: Any) -> None:
    desk.picked.clear()


def _pick_done(desk: Desk, t: float, value: Any) -> None:
    order = list(desk.picked)
    if len(order) != 4:
        return
    again = desk.glass.reorder
    if again:
        done = desk.attempt(t, "correct", {"event": again, "order": order})
    else:
        done = desk.attempt(t, "finish", {"order": order})
    if done:
        desk.asks.clear()
        _close(desk, t, None)
        desk.ended_at = t


def _dispute(desk: Desk, t: float, value: Any) -> None:
    """A deal's result is not right: among friends its order is tapped in, otherwise the referee comes."""
    if not desk.friendly:
        pads.call(desk, t)
        return
    last = next((event for event in reversed(in_force(desk)) if event.do in ("play", "pass", "finish")), None)
    if last is None or not desk.result_due:
        return
    if last.do != "finish" and not desk.attempt(t, "correct", {"event": last.seq, "void": True, "why": "players"}):
        return
    _open("score_only")(desk, t, None)
    desk.glass.reorder = last.seq if last.do == "finish" else 0


def in_force(desk: Desk) -> list[Event]:
    """The match's events without those that were struck out."""
    events = desk.match.events
    struck = {int(event.data["event"]) for event in events if event.do == "correct" and event.data.get("void")}
    return [event for event in events if event.seq not in struck and event.do not in ("correct", "cancel")]


BEFORE: dict[str, Callable[[Desk, float, Any], None]] = {
    **{page: _open(page) for page in PAGES},
    "close": _close, "set": _set, "face": _face, "digit": locking.digit, "rub_out": locking.rub_out,
    "enter": locking.enter,
    "four_colours": _four_colours, "check_in": _check_in, "ruleset": _ruleset, "profile": _profile,
    "message_read": _read, "enrol": learning.open_page, "learn": learning.order,
    "calibration": calibration.open_page, "light": calibration.light, "bundle": _bundle,
}  # fmt: skip
"""Targets that work at any time."""

DURING: dict[str, Callable[[Desk, float, Any], None]] = {
    "option": _option, "call": _call, "confirm": _confirm, "pass": _pass, "report": _report, "pause": _pause,
    "resume": _resume, "keep_reading": _keep_reading, "out_yes": _out_yes, "out_no": _out_no, "fix_turn": _fix_turn,
    "seat": _seat, "sheet": _sheet, "pick": _pick, "pick_clear": _pick_clear, "pick_done": _pick_done,
    "card": correcting.card, "candidate": correcting.candidate, "not_there": correcting.not_there,
    "missing": correcting.missing, "dispute": _dispute, "score_this": scoring.chosen,
}  # fmt: skip
"""Targets of a match that is on."""
