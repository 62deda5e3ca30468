"""Tells a match move by move, as a referee would: one sentence or more for each line of its record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cli.consequences import Consequences, capital
from cli.questions import rank_in_words, reading_in_words
from cli.spoken import (
    alert_in_words,
    cards_in_words,
    offence_in_words,
    one_line,
    order_in_words,
    seat_in_words,
    seats_in_words,
    verdict_in_words,
)  # fmt: skip
from cli.words import language, say
from engine.cards import shown
from engine.errors import GuandanError
from engine.events import FIELDS, Event
from engine.match import Match, Outcome

_FIELDS = ("order", "card", "cards", "seat", "count")


class Teller:
    """Tells what each event did to *match*; make it before the event is applied, ask after."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self._names: dict[str, str] = {}
        self._consequences = Consequences(match)

    def tell(self, event: Event, outcome: Outcome) -> Iterator[str]:
        """The sentences of *event*, which has just been applied with *outcome*."""
        when = "" if event.t is None else f"{int(event.t) // 60}:{int(event.t) % 60:02d}"
        yield f"{event.seq:>4} {when:>6}  {capital(one_line(self._fact(event, event.data)))}"
        self._names = dict(self.match.names)
        for consequence in self._consequences.tell(event, outcome, self._names):
            yield f"{'':>13}{capital(one_line(consequence))}"

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
            return self._deal_begins()
        if do == "expose" and match.last_deal_ended:
            return say("tell_show_rest", seat=words["seat"], cards=cards_in_words(data["cards"])) + say("full_stop")
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
        if do == "call" and "seat" not in data:
            return say("tell_call_somebody")
        if do == "resume" and data.get("why") == "score_only":
            return say("tell_score_only")
        if do == "finish":
            return say("tell_finish", order=order_in_words(data["order"], self._names))
        if do == "correct":
            return self._correct(data, words["why"])
        if do == "cancel":
            return say("tell_cancel", ruling=data["ruling"])
        return say(f"tell_{do}", **words)

    def _deal_begins(self) -> str:
        deal = self.match.deal
        if deal is None:  # its line came after the bell
            return say("tell_deal", n=len(self.match.deals) + 1, level=rank_in_words(self.match.ruleset.start_level))
        told = {"n": deal.n, "level": rank_in_words(deal.level)}
        if deal.stage is None:
            return say("tell_deal", **told)
        return say("tell_deal_of", side=say(f"side_{deal.stage}"), **told)

    def _reading(self, seq: int) -> str:
        deal = self.match.deal
        entry = deal.laid.get(seq) if deal is not None else None
        return (say("as", reading=reading_in_words(entry.reading)) if entry is not None and entry.reading else
                say("full_stop"))  # fmt: skip

    def _ruling(self, event: Event, data: Mapping[str, Any]) -> str:
        by = say(f"by_{data['by']}") if data.get("by") in ("table", "chief") else say("by_referee")
        alert = self.match.by_id.get(data["alert"])
        about = ""
        if alert is not None and alert.seat is None:
            about = say("about_nobody", kind=alert_in_words(alert))
        elif alert is not None:
            about = say("about", seat=self._name(alert.seat), kind=alert_in_words(alert))
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
