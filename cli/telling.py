"""Tells a match move by move, as a referee would: one sentence or more for each line of its record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cli.questions import rank_in_words, reading_in_words
from cli.spoken import (
    alert_in_words,
    cards_in_words,
    levels_in_words,
    offence_in_words,
    order_in_words,
    penalty_in_words,
    seat_in_words,
    seats_in_words,
    verdict_in_words,
)  # fmt: skip
from cli.words import language, say
from engine.alerts import Alert
from engine.audit import CLEAN, VIOLATED
from engine.cards import SIDES, Card, shown
from engine.corrections import Change
from engine.deal import Deal
from engine.dealing import draws_first, duties, may_draw_first
from engine.errors import GuandanError
from engine.events import FIELDS, Event
from engine.match import Match, Outcome

_SAYS_NO_MORE = ("note_called", "note_no_combination", "note_seen", "note_no_substitutes")
_FIELDS = ("order", "card", "cards", "seat", "count")
_AUDIT = {CLEAN: "audit_clean", VIOLATED: "audit_violated"}


class Teller:
    """Tells what each event did to *match*; make it before the event is applied, ask after."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self._names: dict[str, str] = {}
        self._deals = 0
        self._deal: Deal | None = None
        self._tricks = 0
        self._out = 0
        self._penalties = 0
        self._decided = False

    def tell(self, event: Event, outcome: Outcome) -> Iterator[str]:
        """The sentences of *event*, which has just been applied with *outcome*."""
        when = "" if event.t is None else f"{int(event.t) // 60}:{int(event.t) % 60:02d}"
        yield f"{event.seq:>4} {when:>6}  {_capital(self._fact(event, event.data))}"
        self._names = dict(self.match.names)
        for consequence in self._consequences(event, outcome):
            yield f"{'':>13}{_capital(consequence)}"

    # --- the fact ---

    def _name(self, seat: str | None) -> str:
        return seat_in_words(seat, self._names)

    def _fact(self, event: Event, data: Mapping[str, Any]) -> str:
        do, match = event.do, self.match
        words: dict[str, Any] = {key: value for key, value in data.items() if isinstance(value, (str, int, float))}
        fields = (name.rstrip("?") for name in FIELDS[do])  # what else a line carries is nobody's to tell
        for name in fields:
            if name in ("seat", "from", "to") and name in data:
                words[name] = self._name(data[name])
            elif name == "side":
                words["side"] = say(f"side_{data['side']}")
            elif name == "card":
                words["card"] = cards_in_words([data["card"]])
        words["giver"] = words.pop("from", "")
        words["why"] = say("why", why=data["why"]) if data.get("why") else ""
        if do == "match":
            title = match.ruleset.name_zh if language() == "zh" else match.ruleset.name_en
            return say("tell_match", title=title, profile=say(f"profile_{match.profile}"))
        if do == "deal":
            deal = match.deal
            return say("tell_deal", n=deal.n if deal else "", level=rank_in_words(deal.level) if deal else "")
        if do in ("play", "expose"):
            return say(f"tell_{do}", seat=words["seat"], cards=cards_in_words(data["cards"])) + self._reading(event.seq)
        if do == "pass":
            return say(f"tell_pass_{data.get('by') or 'pressed'}", **words)
        if do == "ruling":
            return self._ruling(event, data)
        if do == "offence":
            return say("tell_offence", seat=words["seat"], kind=offence_in_words("conduct", data["kind"])
                       if data["kind"] not in match.ruleset.route else offence_in_words(data["kind"]),
                       note=say("why", why=data["note"]) if data.get("note") else "")  # fmt: skip
        if do == "resist":
            return say("tell_resist", seats=seats_in_words(data["seats"], self._names))
        if do == "finish":
            return say("tell_finish", order=order_in_words(data["order"], self._names))
        if do == "correct":
            return self._correct(data, words["why"])
        if do == "cancel":
            return say("tell_cancel", ruling=data["ruling"])
        return say(f"tell_{do}", **words)

    def _reading(self, seq: int) -> str:
        deal = self.match.deal
        entry = deal.laid.get(seq) if deal is not None else None
        return (say("as", reading=reading_in_words(entry.reading)) if entry is not None and entry.reading else
                say("full_stop"))  # fmt: skip

    def _ruling(self, event: Event, data: Mapping[str, Any]) -> str:
        by = say(f"by_{data['by']}") if data.get("by") in ("table", "chief") else say("by_referee")
        alert = self.match.by_id.get(data["alert"])
        about = say("about", seat=self._name(alert.seat), kind=alert_in_words(alert)) if alert else ""
        return by + verdict_in_words(data["verdict"], data["alert"]) + about + say("full_stop")

    def _correct(self, data: Mapping[str, Any], why: str) -> str:
        if data.get("void") is True:
            return say("tell_struck", event=data["event"], why=why)
        fields = say("comma").join(
            say("field_now", name=say(f"field_{name}") if name in _FIELDS else name, value=self._corrected(name, value))
            for name, value in data.items()
            if name not in ("event", "why", "void")
        )  # fmt: skip
        return say("tell_correct", event=data["event"], fields=fields, why=why)

    def _corrected(self, name: str, value: Any) -> str:
        """A corrected field's value, in words where it is a thing of the game; a field of no use is told as it came."""
        try:
            if name == "order":
                return order_in_words(value, self._names)
            if name in ("card", "cards"):
                return cards_in_words([value] if name == "card" else value)
            return self._name(value) if name == "seat" else str(value)
        except (GuandanError, KeyError, TypeError, ValueError):
            return shown(value)

    # --- what came of it ---

    def _consequences(self, event: Event, outcome: Outcome) -> Iterator[str]:
        match = self.match
        for alert in outcome.alerts:
            yield self._alert(alert)
        for change in outcome.changes:
            yield self._change(change)
        if event.do in ("correct", "cancel"):
            self._penalties = min(self._penalties, len(match.penalties))
        for penalty in match.penalties[self._penalties :]:
            yield say("tell_penalty", effect=penalty_in_words(penalty), seat=self._name(penalty.seat))
        self._penalties = len(match.penalties)
        deal = match.deal
        if deal is not self._deal:
            self._deal, self._tricks, self._out = deal, 0, 0
            if event.do in ("correct", "cancel") and deal is not None:
                self._tricks, self._out = len(deal.tricks), len(deal.finished)
        if event.do == "turn":
            yield from self._turned(event.data)
        if event.do == "deal" and deal is not None:
            yield from self._dealing(deal)
        if deal is not None and event.do not in ("correct", "cancel"):
            yield from self._course(deal)
        if event.do in ("deal", "redeal", "return", "resist", "tribute") and deal is not None and match.phase == "deal":
            yield from self._duty(deal)
        if len(match.deals) != self._deals:
            over = len(match.deals) > self._deals
            self._deals = len(match.deals)
            if over:
                yield from self._deal_over()
        if match.result is not None and not self._decided:
            yield from result_in_words(match)
        self._decided = match.result is not None

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
        if what == "deal":
            return say("semicolon").join([order_in_words(value["order"], {}), levels_in_words(value["levels"])])
        return levels_in_words(value) if isinstance(value, dict) else say(f"side_{value}")

    def _alert(self, alert: Alert) -> str:
        what = f"{self._name(alert.seat)} {alert_in_words(alert)}" if alert.seat else alert_in_words(alert)
        note = alert.note.in_language(language())
        if alert.kind == "match_limit":
            what = _capital(note)  # the time is over, or how much of it is left
        elif alert.note.key not in _SAYS_NO_MORE:
            what += say("colon") + note
        rule = alert.article.in_language(language())
        return say("tell_alert", id=alert.id, what=what, route=say(f"route_{alert.route}"), rule=rule)

    def _turned(self, data: Mapping[str, Any]) -> Iterator[str]:
        """In a first deal the turned card says who draws first."""
        match = self.match
        if match.deals or (match.deal is not None and match.deal.previous is not None):
            return
        first = draws_first(match.ruleset, data["seat"], Card.parse(data["card"]))
        if first is not None:
            yield say("tell_draws_first", seat=self._name(first))

    def _dealing(self, deal: Deal) -> Iterator[str]:
        """Who shuffles, cuts and draws first, as far as the rules name a seat."""
        found = duties(deal.ruleset, deal.previous)
        told = [say(f"duty_{what}", seat=self._name(seat)) for what, seat in found.items() if seat is not None]
        if deal.previous is not None and found["draws_first"] is None:
            seats = seats_in_words(may_draw_first(deal.ruleset, deal.previous), self._names)
            told.append(say("duty_either_draws", seats=seats))
        if told:
            yield say("comma").join(told) + say("full_stop")

    def _course(self, deal: Deal) -> Iterator[str]:
        """Who went out, who won a trick and leads."""
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
        for owed in deal.owed:
            key = f"tell_owes_{deal.phase}" if owed["to"] else f"tell_owes_{deal.phase}_open"
            yield say(key, seat=self._name(owed["from"]), to=self._name(owed["to"]))
        if deal.phase == "play" and deal.turn is not None and not deal.trick:
            yield say("tell_lead", seat=self._name(deal.turn))

    def _deal_over(self) -> Iterator[str]:
        match = self.match
        record = match.deals[-1]
        side = say(f"side_{record.step.side}")
        gain = say("tell_gain" if record.step.gain else "tell_no_gain", side=side, gain=record.step.gain)
        gain = _capital(gain)
        yield say(
            "tell_deal_over", n=record.deal.n, order=order_in_words(record.deal.order or (), self._names), gain=gain,
            levels=levels_in_words(record.levels),
        )  # fmt: skip
        for side_ in SIDES:
            if match.attempts[side_]:
                yield say("tell_tries", side=say(f"side_{side_}"), n=match.attempts[side_])
            if side_ in record.step.fell:
                yield say("tell_fell", side=say(f"side_{side_}"), level=rank_in_words(record.levels[side_]))
        for verdict in record.verdicts:
            what = say(f"audited_{verdict.what}", seat=self._name(verdict.seat))
            yield what + say(_AUDIT.get(verdict.verdict, "audit_unproved"))


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


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
