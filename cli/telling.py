"""Tells a match move by move, as a referee would: one sentence or more for each line of its record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cli.questions import rank_in_words, reading_in_words
from cli.words import language, say
from engine.alerts import Alert
from engine.audit import CLEAN, VIOLATED
from engine.cards import SIDES
from engine.corrections import Change
from engine.deal import Deal
from engine.events import Event
from engine.match import Match, Outcome

_AUDIT = {CLEAN: "audit_clean", VIOLATED: "audit_violated"}


class Teller:
    """Tells what each event did to *match*; make it before the event is applied, ask after."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self._deals = 0
        self._tricks = 0
        self._out = 0
        self._penalties = 0
        self._decided = False

    def tell(self, event: Event, outcome: Outcome) -> Iterator[str]:
        """The sentences of *event*, which has just been applied with *outcome*."""
        when = "" if event.t is None else f" {int(event.t) // 60}:{int(event.t) % 60:02d}"
        sentence = self._fact(event, event.data)
        yield f"{event.seq:>4}{when}  {sentence}"
        for consequence in self._consequences(event, outcome):
            yield f"      {consequence}"

    # --- the fact ---

    def _name(self, seat: str | None) -> str:
        if seat is None:
            return "-"
        name = self.match.names.get(seat)
        return say("seat_named", seat=say(f"seat_{seat}"), name=name) if name else say(f"seat_{seat}")

    def _fact(self, event: Event, data: Mapping[str, Any]) -> str:
        do = event.do
        words: dict[str, Any] = {key: value for key, value in data.items() if isinstance(value, (str, int, float))}
        for key in ("seat", "from", "to", "leader"):
            if key in data:
                words[key] = self._name(data[key])
        words["giver"] = words.pop("from", "")
        if "side" in data:
            words["side"] = say(f"side_{data['side']}")
        words["why"] = f" ({data['why']})" if data.get("why") else ""
        words["cards"] = " ".join(data["cards"]) if isinstance(data.get("cards"), list) else ""
        words["seats"] = say("and").join(self._name(seat) for seat in data.get("seats", ()))
        words["order"] = " ".join(self._name(seat) for seat in data.get("order", ()))
        if do == "match":
            ruleset = self.match.ruleset
            title = ruleset.name_zh if language() == "zh" else ruleset.name_en
            return say("tell_match", title=title, profile=say(f"profile_{self.match.profile}"))
        if do == "deal":
            deal = self.match.deal
            return say("tell_deal", n=deal.n if deal else "", level=rank_in_words(deal.level) if deal else "")
        if do == "play":
            return say("tell_play", **words) + self._reading(event.seq)
        if do == "pass":
            return say(f"tell_pass_{data.get('by') or 'pressed'}", **words)
        if do == "ruling":
            return say(f"tell_{data['verdict']}", alert=data["alert"])
        if do == "offence":
            kind = data["kind"]
            words["kind"] = say(f"kind_{kind}") if kind in self.match.ruleset.route else kind
        return say(f"tell_{do}", **words)

    def _reading(self, seq: int) -> str:
        deal = self.match.deal
        entry = deal.laid.get(seq) if deal is not None else None
        return f"{say('as')}{reading_in_words(entry.reading)}" if entry is not None and entry.reading else ""

    # --- what came of it ---

    def _consequences(self, event: Event, outcome: Outcome) -> Iterator[str]:
        match = self.match
        for alert in outcome.alerts:
            yield self._alert(alert)
        for change in outcome.changes:
            yield self._change(change)
        for penalty in match.penalties[self._penalties :]:
            side = say(f"side_{penalty.side}") if penalty.side else "-"
            levels = say("tell_levels", side=side, levels=penalty.levels) if penalty.levels else ""
            yield say("tell_penalty", effect=say(f"effect_{penalty.effect}"), seat=self._name(penalty.seat)) + levels
        self._penalties = len(match.penalties)
        deal = match.deal
        if event.do in ("deal", "redeal"):
            self._tricks = self._out = 0
        if deal is not None:
            yield from self._course(deal)
        if event.do in ("deal", "return", "resist", "tribute") and deal is not None and match.phase == "deal":
            yield from self._duty(deal)
        if len(match.deals) != self._deals:
            self._deals = len(match.deals)
            yield from self._deal_over()
        if match.result is not None and not self._decided:
            winner = match.result.winner
            yield say("result_line", winner=say(f"side_{winner}") if winner else say("nobody"),
                      why=say(f"why_{match.result.why}"))  # fmt: skip
        self._decided = match.result is not None

    def _change(self, change: Change) -> str:
        """What a correction changed, in words."""
        if change.what == "line":
            return say("changed_line", line=change.which, reason=change.after)
        if change.what == "alert":
            kind = say(f"kind_{change.before or change.after}")
            return say("changed_gone" if change.after is None else "changed_new", id=change.which, kind=kind)
        before, after = (self._value(change.what, value) for value in (change.before, change.after))
        return say(f"changed_{change.what}", which=change.which, before=before, after=after)

    def _value(self, what: str, value: Any) -> str:
        if value is None:
            return say("nothing")
        if what == "next":
            return say(f"next_{value['what']}") + (f" {self._name(value['seat'])}" if value["seat"] else "")
        if what == "result":
            return say(f"side_{value['winner']}") if value["winner"] else say("nobody")
        if isinstance(value, dict):
            return say("sides", ns=value["NS"], ew=value["EW"])
        return say(f"side_{value}") if value in SIDES else str(value)

    def _alert(self, alert: Alert) -> str:
        return say(
            "tell_alert", id=alert.id, kind=say(f"kind_{alert.kind}"), seat=self._name(alert.seat), rule=alert.rule,
            suspected="" if alert.certain else say("suspected"), route=say(f"route_{alert.route}"),
        )  # fmt: skip

    def _course(self, deal: Deal) -> Iterator[str]:
        """Who went out, who won a trick and leads."""
        for seat in deal.finished[self._out :]:
            yield say("tell_out", seat=self._name(seat), place=deal.finished.index(seat) + 1)
        self._out = len(deal.finished)
        if len(deal.tricks) > self._tricks and deal.turn is not None:
            winner = next((it.seat for it in reversed(deal.tricks[-1]) if it.kind == "play" and it.stands), None)
            passed_on = winner is not None and winner != deal.turn
            yield say("tell_lead_passes" if passed_on else "tell_lead", seat=self._name(deal.turn))
        self._tricks = len(deal.tricks)

    def _duty(self, deal: Deal) -> Iterator[str]:
        for owed in deal.owed:
            yield say(f"tell_owes_{deal.phase}", seat=self._name(owed["from"]), to=self._name(owed["to"]))
        if deal.phase == "play" and deal.turn is not None and not deal.trick:
            yield say("tell_lead", seat=self._name(deal.turn))

    def _deal_over(self) -> Iterator[str]:
        match = self.match
        if not match.deals:
            return
        record = match.deals[-1]
        yield say(
            "tell_deal_over", n=record.deal.n, order=" ".join(self._name(seat) for seat in record.deal.order or ()),
            kind=record.step.kind, side=say(f"side_{record.step.side}"), gain=record.step.gain,
            ns=record.levels["NS"], ew=record.levels["EW"],
        )  # fmt: skip
        for side in SIDES:
            if match.attempts[side]:
                yield say("tell_tries", side=say(f"side_{side}"), n=match.attempts[side])
            if side in record.step.fell:
                yield say("tell_fell", side=say(f"side_{side}"), level=record.levels[side])
        for verdict in record.verdicts:
            what = say(f"audited_{verdict.what}", seat=self._name(verdict.seat))
            yield what + say(_AUDIT.get(verdict.verdict, "audit_unproved"))
