"""The table as a pure function: an input goes in, effects come out. No clock, no thread, no device here.

The same inputs give the same effects; what a screen shows is a fold of the events that went to the journal and of the
little that is no event. See :mod:`table.inputs` and :mod:`table.effects`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.cards import SIDES
from engine.events import Event
from engine.match import match_event
from table import (
    asks,
    calibration,
    deals,
    learning,
    lifting,
    order,
    pads,
    plays,
    scoring,
    sitting,
    sync_orders,
    taps,
    timekeeping,
    turns,
)
from table.desk import Desk, Lay, cards_of
from table.effects import Effect, Show
from table.glass import Glass
from table.inputs import (
    Bundled,
    Calibrated,
    Coded,
    Directed,
    Input,
    Learned,
    Linked,
    Measured,
    Pressed,
    Seen,
    Tapped,
    Ticked,
)
from table.settings import Settings
from table.show import view_of
from table.view import Ask, Bundle, TableView
from vision.observations import Laid


class Controller:
    """One table, one match at a time."""

    def __init__(
        self,
        ruleset: str = "national",
        profile: str = "friendly",
        names: Mapping[str, str] | None = None,
        options: Mapping[str, Any] | None = None,
        settings: Settings | None = None,
        code: str | None = None,
        learns: str = "",
        calibrates: bool = False,
        bundles: bool = False,
    ) -> None:
        """*settings* are the screen's, *code* the hash of the one that guards them; *learns*, *calibrates* and
        *bundles* as in :class:`table.glass.Glass`."""
        self.desk = Desk(ruleset, profile, dict(names or {}), dict(options or {}))
        self.desk.glass = Glass(settings=settings or Settings(), code=code, learns=learns, calibrates=calibrates,
                                bundles=bundles)  # fmt: skip
        self._shown: TableView | None = None

    def handle(self, given: Input) -> list[Effect]:
        """Take in *given*; the effects are to be carried out in their order.

        :raises GuandanError: for a referee's directive that is impossible; nothing has changed then.
        """
        desk = self.desk
        desk.effects, noticed = [], _noticed(desk)
        if isinstance(given, Seen):
            self._seen(given)
        elif isinstance(given, Pressed):
            pads.pressed(desk, given)
        elif isinstance(given, Tapped):
            self._tapped(given)
        elif isinstance(given, Directed):
            self._directed(given)
        elif isinstance(given, Linked):
            sync_orders.linked(desk, given)
        elif isinstance(given, Measured):
            desk.glass.facts = given.facts
        elif isinstance(given, Learned):
            learning.learned(desk, given.learning)
        elif isinstance(given, Calibrated):
            calibration.looked(desk, given.calibration)
        elif isinstance(given, Coded):
            desk.glass.code = given.digest
        elif isinstance(given, Bundled):
            desk.glass.bundle = Bundle("made", given.path) if given.path else Bundle("failed")
        learning.ended(desk, self.desk)
        calibration.ended(desk, self.desk)
        desk = self.desk  # the next match may have begun
        if desk.match.phase != "before":
            pads.watch_for_end(desk, given.t)
        if isinstance(given, Ticked) and desk.match.phase != "before":
            turns.warn(desk, given.t)
            lifting.alone_again(desk, given.t)
            lifting.turned_down(desk, given.t)
            plays.waited(desk, given.t)
            order.waited(desk, given.t)
            scoring.waited(desk, given.t)
            plays.covered_too_long(desk, given.t)
            timekeeping.keep(desk, given.t)
            pads.ring(desk, given.t)
            pads.confirm_by_itself(desk, given.t)
        if isinstance(given, Ticked) and not desk.effects and _noticed(desk) == noticed:
            return []
        timekeeping.wait_for_referee(desk, given.t)
        if turns.halted(desk) and desk.turn_clock.running:
            turns.stop_turn(desk, given.t)
        return [*self.desk.effects, *self._show()]

    def _tapped(self, tap: Tapped) -> None:
        desk = self.desk
        if tap.what == "start" and desk.match.phase == "before":
            sitting.begun(desk)
            self._begin(desk, tap.t)
        elif tap.what == "restart" or (
            tap.what == "next_match" and desk.match.result is not None and desk.match.signed == set(SIDES)
        ):
            if desk.seating and tap.what == "next_match":
                self.desk = sync_orders.next_desk(desk)  # others sit down: they check in first
            else:
                self._again(tap.t)
        else:
            taps.tapped(desk, tap)

    def _seen(self, given: Seen) -> None:
        desk, seen = self.desk, given.observation
        resisted = sum(event.do == "resist" for event in desk.match.events[-1:])
        if isinstance(seen, Laid):
            desk.glass.see(seen.seat, tuple(seen.cards))
        plays.notice(desk, seen, given.evidence)
        last = desk.match.events[-1] if desk.match.events else None
        if last is not None and last.do == "resist" and not resisted:
            timekeeping.told(desk, last, given.t)

    def _again(self, t: float) -> None:
        """The next match at this table: the same people again, at once."""
        self.desk = sync_orders.next_desk(self.desk)
        self._begin(self.desk, t)

    def _begin(self, desk: Desk, t: float) -> None:
        if desk.overlay in (learning.PAGE, calibration.PAGE):
            desk.overlay = None  # the camera is wanted for the game
        line = match_event(desk.ruleset, desk.profile, desk.names, options=desk.options)
        desk.append(t, "match", line.data, sync_orders.named(desk))

    def _directed(self, order: Directed) -> None:
        if order.do != "start":
            sync_orders.directed(self.desk, order)
        elif sync_orders.may_start(self.desk, order):
            if self.desk.match.phase == "before":
                self._begin(self.desk, order.t)
            else:
                self._again(order.t)

    def _show(self) -> list[Effect]:
        view = view_of(self.desk)
        if view == self._shown:
            return []
        self._shown = view
        return [Show(view)]

    @property
    def view(self) -> TableView:
        """What the screen shows now."""
        return view_of(self.desk)

    # -- after a restart ------------------------------------------------------------------------------------------

    def resume(self, events: Iterable[tuple[Event, Mapping[str, Any]]], t: float) -> list[Effect]:
        """Fold what the journal holds, each event with its evidence, as if the table had never been away.

        *t* is now; time did not run while the table was off, so the match goes on at the last event's time.

        :raises GuandanError: at the first event that cannot be folded.
        """
        desk = self.desk
        desk.effects = []
        for event, evidence in events:
            self._fold(event, evidence)
        desk.origin = t - desk.last
        desk.effects = []
        if desk.match.phase == "before":
            return self._show()
        waiting = {alert.id for alert in desk.held}
        desk.raised = {alert.id for alert in desk.match.alerts if alert.state != "open"}
        for alert in desk.match.alerts:
            if alert.state == "open" and alert.id not in waiting:
                desk.raise_alert(alert)
        lying = max((lay.seq for lays in desk.lays.values() for lay in lays), default=0)
        asked = {alert.event for alert in desk.match.alerts if alert.state == "open"}
        if desk.notice == "look" and lying not in asked:
            desk.notice = None  # the look was gone with the play after it
        desk.expected = {seat: [card for lay in lays for card in lay.cards] for seat, lays in desk.lays.items()}
        desk.restarted_at = t
        if desk.match.phase == "deal":
            desk.ended, desk.ended_at = len(desk.match.deals), t
            turns.start_turn(desk, t)
        else:
            pads.ended(desk, t)
        return [*desk.effects, *self._show()]

    def _fold(self, event: Event, evidence: Mapping[str, Any]) -> None:
        desk, data = self.desk, event.data
        if event.do == "match":
            desk.ruleset, desk.profile = str(data["ruleset"]), str(data.get("profile") or desk.profile)
            desk.names, desk.options = dict(data.get("names") or {}), dict(data.get("options") or {})
            desk.match_name = evidence.get("match")
        if event.do in ("play", "tribute", "return") and not evidence.get("sure", True):
            options, play = tuple(cards_of(option) for option in evidence.get("options", ())), event.do == "play"
            desk.asks[event.seq] = Ask(event.seq, str(data["seat" if play else "from"]), options, margin=not play)
            desk.unsure += play
        desk.fold(event)
        if event.do == "play" and desk.match.phase in ("deal", "between"):
            desk.lays[str(data["seat"])].append(Lay(event.seq, cards_of(data["cards"]), -1e9))
        elif event.do == "deal":
            deals.fresh_deal(desk)
        elif event.do == "take_back":
            pads.lift(desk, str(data["seat"]))
        elif event.do == "correct":
            asks.corrected(desk, int(data["event"]), data)
        elif event.do in ("pause", "resume"):
            self._stood(event)
        elif event.do == "redeal":
            deals.fresh_deal(desk)

    def _stood(self, event: Event) -> None:
        """A pause or its end: whether people paused, or the table itself for a referee or a covered lens."""
        desk, why = self.desk, event.data.get("why") if event.do == "pause" else None
        if event.do == "resume" and event.data.get("why") == scoring.WHY:
            scoring.quiet(desk)
        desk.glass.waiting, desk.glass.blind = why == "referee", why == "camera"
        desk.paused = event.do == "pause" and why not in ("referee", "camera")
        desk.hall_stopped = why == sync_orders.ROUND_STOPPED


def _noticed(desk: Desk) -> tuple[Any, ...]:
    """What may change on the screen while time goes by without an event."""
    return desk.notice, desk.glass.banner, desk.venue.message, desk.glass.blind
