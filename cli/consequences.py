"""What came of each line of a record, in a referee's words: alerts, penalties, leads, tribute owed, levels, the result.

A :class:`Consequences` remembers what it has told, and tells what is new since.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cli.questions import rank_in_words
from cli.spoken import (
    alert_in_words,
    levels_in_words,
    order_in_words,
    penalty_in_words,
    seat_in_words,
    seats_in_words,
)  # fmt: skip
from cli.words import language, say
from engine.alerts import Alert
from engine.audit import CLEAN, VIOLATED
from engine.cards import RANKS, SIDES, Card
from engine.corrections import Change
from engine.deal import Deal
from engine.dealing import draws_first, duties, may_draw_first
from engine.events import Event
from engine.match import Match, Outcome
from engine.record import DealRecord

_SAYS_NO_MORE = ("note_called", "note_no_combination", "note_seen", "note_no_substitutes")
_AUDIT = {CLEAN: "audit_clean", VIOLATED: "audit_violated"}
_FOLDED_AGAIN = ("correct", "cancel")


class Consequences:
    """What *match* has come to since it was last told of; make it before the first event is applied."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self._names: Mapping[str, str] = {}
        self._deal: Deal | None = None
        self._tricks = self._out = self._passed_over = 0
        self._remember()

    def tell(self, event: Event, outcome: Outcome, names: Mapping[str, str]) -> Iterator[str]:
        """What *event* brought, which has just been applied with *outcome*; players by *names*."""
        self._names = names
        again = event.do in _FOLDED_AGAIN
        for alert in outcome.alerts:
            yield self._alert(alert)
            if alert.note.key == "note_time_over":
                yield from self._at_the_bell()
        told = {alert.id for alert in outcome.alerts}
        for change in outcome.changes:
            if change.what != "alert" or change.which not in told:
                yield self._change(change)
        yield from self._penalties_since(again)
        if event.do == "ruling":
            yield from self._moved()
        yield from self._in_the_deal(event, again)
        if len(self.match.deals) > self._deals and not again:
            yield from self._deal_over(self.match.deals[-1])
        yield from self._of_the_match()
        self._remember()

    def _remember(self) -> None:
        match = self.match
        self._deals, self._games, self._penalties = len(match.deals), len(match.games), len(match.penalties)
        self._levels, self._attempts = dict(match.levels), dict(match.attempts)
        self._orders = [record.deal.order for record in match.deals]
        self._decided, self._extra_deal = match.result is not None, match.extra_deal

    def _name(self, seat: str | None) -> str:
        return seat_in_words(seat, self._names)

    # --- alerts, penalties, corrections ---

    def _alert(self, alert: Alert) -> str:
        what = f"{self._name(alert.seat)} {alert_in_words(alert)}" if alert.seat else alert_in_words(alert)
        note = alert.note.in_language(language())
        route = say(f"route_{alert.route}")
        if alert.kind == "match_limit":
            what = capital(note)  # the time is over, or how much of it is left
            route = say("route_all") if alert.route == "both" else route  # the deal may well be finished
        elif alert.note.key not in _SAYS_NO_MORE:
            what += say("colon") + note
        return say("tell_alert", id=alert.id, what=what, route=route, rule=alert.article.in_language(language()))

    def _at_the_bell(self) -> Iterator[str]:
        """What becomes of the deal that is played."""
        match = self.match
        if match.phase == "deal":
            yield say("tell_deal_finished")
        elif match.sheet and match.sheet[-1][:2] == (match.at, "stopped"):
            yield say("tell_deal_stopped", n=match.sheet[-1][2]["deal"])

    def _penalties_since(self, again: bool) -> Iterator[str]:
        penalties = self.match.penalties
        for penalty in [] if again else penalties[self._penalties :]:
            yield say("tell_penalty", effect=penalty_in_words(penalty), seat=self._name(penalty.seat))

    def _moved(self) -> Iterator[str]:
        """What a ruling moved: the levels, or the order of a deal that was over."""
        for record, was in zip(self.match.deals, self._orders, strict=False):
            if record.deal.order != was:
                shown = [order_in_words(order or (), self._names) for order in (was, record.deal.order)]
                yield say("changed_deal", which=record.deal.n, before=shown[0], after=shown[1])
        if self.match.levels != self._levels and len(self.match.deals) == self._deals:
            before, after = levels_in_words(self._levels), levels_in_words(self.match.levels)
            yield say("changed_levels", before=before, after=after)

    def _change(self, change: Change) -> str:
        """What a correction changed, in words."""
        if change.what == "line":
            return say("changed_line", line=change.which, reason=change.after.in_language(language()))
        if change.what == "alert":
            kind = say(f"kind_{change.before or change.after}")
            return say("changed_gone" if change.after is None else "changed_new", id=change.which, kind=kind)
        before, after = (self._value(change.what, value) for value in (change.before, change.after))
        return say(f"changed_{change.what}", which=change.which, before=before, after=after)

    def _value(self, what: str, value: Any) -> str:
        if value is None:
            return say("nothing")
        if what == "next":
            return say(f"next_{value['what']}", seat=self._name(value["seat"]) if value["seat"] else "")
        if what == "result":
            return say(f"side_{value['winner']}") if value["winner"] else say("draw")
        if what == "audit":
            return say(_AUDIT.get(value, "audit_unproved"))
        if what == "deal":
            return say("semicolon").join(
                [order_in_words(value["order"], self._names), levels_in_words(value["levels"])]
            )
        return levels_in_words(value) if isinstance(value, dict) else say(f"side_{value}")

    # --- the deal ---

    def _in_the_deal(self, event: Event, again: bool) -> Iterator[str]:
        match, deal = self.match, self.match.deal
        if event.do == "turn":
            yield from self._turned(event.data)
        if deal is None:
            return
        if deal is not self._deal or again:
            fresh = not again
            self._deal = deal
            self._tricks = 0 if fresh else len(deal.tricks)
            self._out = 0 if fresh else len(deal.finished)
            self._passed_over = 0 if fresh else len(_missed(deal))
        if event.do == "deal":
            yield from self._dealing(deal)
        if event.do == "play" and deal.due.get(str(event.data.get("seat"))) == event.seq:
            seat = event.data["seat"]
            yield say("tell_must_report", seat=self._name(seat), left=deal.remaining[seat])
        yield from self._course(deal)
        if event.do in ("deal", "redeal", "return", "resist", "tribute") and match.phase == "deal":
            yield from self._duty(deal)

    def _turned(self, data: Mapping[str, Any]) -> Iterator[str]:
        """In a first deal the turned card says who draws first, and who leads."""
        match = self.match
        if any(record.game == len(match.games) for record in match.deals):
            return
        first = draws_first(match.ruleset, data["seat"], Card.parse(data["card"]))
        if first is not None:
            yield say("tell_draws_first", seat=self._name(first))
        if match.ruleset.first_lead == "turned_card":
            yield say("tell_turned_leads")

    def _dealing(self, deal: Deal) -> Iterator[str]:
        """Who shuffles, cuts and draws first, as far as the rules name a seat."""
        found = duties(deal.ruleset, deal.previous)
        of_seat: dict[str, list[str]] = {}
        for what, seat in found.items():
            if seat is not None:
                of_seat.setdefault(seat, []).append(say(f"duty_{what}"))
        told = [f"{self._name(seat)} {say('and').join(does)}" for seat, does in of_seat.items()]
        if deal.previous is not None and found["draws_first"] is None:
            seats = seats_in_words(may_draw_first(deal.ruleset, deal.previous), self._names)
            told.append(say("duty_either_draws", seats=seats))
        if told:
            yield say("comma").join(told) + say("full_stop")

    def _course(self, deal: Deal) -> Iterator[str]:
        """Who was passed over, who went out, who won a trick and leads."""
        missed = _missed(deal)
        for seat in missed[self._passed_over :]:
            yield say("tell_passed_over", seat=self._name(seat))
        self._passed_over = len(missed)
        for seat in deal.finished[self._out :]:
            place = ("first", "second", "third", "last")[deal.finished.index(seat)]
            yield say("tell_out", place=say(f"place_{place}", seat=self._name(seat)))
        self._out = len(deal.finished)
        if len(deal.tricks) > self._tricks and deal.turn is not None:
            winner = next((it.seat for it in reversed(deal.tricks[-1]) if it.kind == "play" and it.stands), None)
            passed_on = winner is not None and winner != deal.turn
            yield say("tell_lead_passes" if passed_on else "tell_lead", seat=self._name(deal.turn))
        self._tricks = len(deal.tricks)

    def _duty(self, deal: Deal) -> Iterator[str]:
        """Who owes a tribute or a return, and to whom that is known to go; else who leads."""
        open_ = [str(owed["from"]) for owed in deal.owed if owed["to"] is None]
        if open_:
            yield say(f"tell_owes_{deal.phase}_open", seats=seats_in_words(open_, self._names))
        for owed in deal.owed:
            if owed["to"] is not None:
                yield say(f"tell_owes_{deal.phase}", seat=self._name(owed["from"]), to=self._name(owed["to"]))
        if deal.phase == "play" and deal.turn is not None and not deal.trick:
            yield say("tell_lead", seat=self._name(deal.turn))

    def _deal_over(self, record: DealRecord) -> Iterator[str]:
        key = "tell_deal_scored" if record.deal.scored_only else "tell_deal_over"
        yield say(
            key, n=record.deal.n, order=order_in_words(record.deal.order or (), self._names),
            gain=capital(self._gain(record)), levels=levels_in_words(record.levels),
        )  # fmt: skip
        for side in SIDES:
            if side in record.step.fell:
                level, tries = rank_in_words(record.levels[side]), self.match.ruleset.A_tries
                yield say("tell_fell", side=say(f"side_{side}"), level=level, n=tries)
            elif self.match.attempts[side] > self._attempts[side]:
                yield say("tell_tries", side=say(f"side_{side}"), n=self.match.attempts[side])
        for verdict in record.verdicts:
            what = say(f"audited_{verdict.what}", seat=self._name(verdict.seat))
            yield what + say(_AUDIT.get(verdict.verdict, "audit_unproved")) + say("full_stop")

    def _gain(self, record: DealRecord) -> str:
        """What the winning side gained, and why no more than that."""
        step, ruleset = record.step, self.match.ruleset
        side, level = say(f"side_{step.side}"), record.levels[step.side]
        if step.won is not None and ruleset.goal == "pass_A":
            return say("tell_passed_A", side=side)
        if step.gain:
            moved = RANKS.index(level) - RANKS.index(self._levels[step.side])
            told = say("tell_gain", side=side, gain=step.gain)
            if step.gain > ruleset.gain(step.kind):
                told += say("tell_streak", gain=step.gain - ruleset.gain(step.kind))
            if level in ruleset.must_play and moved < step.gain and step.won is None:
                told += say("tell_capped", level=rank_in_words(level))
            return told
        if level == "A" and record.stage not in (None, step.side):
            return say("tell_no_try", side=side, other=say(f"side_{record.stage}"))
        return say("tell_no_gain", side=side)

    # --- the match ---

    def _of_the_match(self) -> Iterator[str]:
        """A game that is over, a deal more that must decide, the result."""
        match = self.match
        if match.result is not None:
            if not self._decided:
                yield from result_in_words(match)
            return
        if len(match.games) > self._games:
            wins = {side: match.games.count(side) for side in SIDES}
            winner = say(f"side_{match.games[-1]}") if match.games[-1] else say("nobody")
            yield say("tell_game_over", n=len(match.games), winner=winner, games=levels_in_words(wins),
                      level=rank_in_words(match.ruleset.start_level))  # fmt: skip
        if match.extra_deal and not self._extra_deal:
            yield say("tell_play_on" if match.ruleset.equal_at_limit == "play_on" else "tell_extra_deal")


def _missed(deal: Deal) -> list[str]:
    """The seats that were passed over for a penalty, in the order of time."""
    return [entry.seat for trick in (*deal.tricks, deal.trick) for entry in trick if entry.by == "missed"]


def result_in_words(match: Match) -> Iterator[str]:
    """Who has won, why, and the points."""
    result = match.result
    assert result is not None
    why = say(f"why_{result.why}")
    if result.winner is None:
        yield say("result_draw", why=why)
    else:
        yield say("result_line", winner=say(f"side_{result.winner}"), why=why)
    yield say("points_line", ns=result.points["NS"], ew=result.points["EW"], sns=result.small["NS"],
              sew=result.small["EW"])  # fmt: skip


def capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
