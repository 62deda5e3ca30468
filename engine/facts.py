"""What each kind of fact does to a match: one function a kind.

Each looks first whether the fact can be, and changes the match only then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from engine import ending, phases
from engine.cards import Card, parse_cards
from engine.clock import NO_LIMIT
from engine.deal import Deal
from engine.errors import Impossible, Sentence
from engine.findings import Finding
from engine.keys import OFFENCES, SEEN_BY_REFEREE
from engine.levels import other
from engine.rulesets import DEFAULT_PROFILE, from_dict, load
from engine.timing import look_at_the_time
from engine.tribute import Given

if TYPE_CHECKING:
    from engine.match import Match


def _match(match: Match, data: Mapping[str, Any]) -> None:
    profile = data.get("profile") or DEFAULT_PROFILE
    if data.get("resolved"):
        ruleset = from_dict(data["resolved"])
    else:
        ruleset = load(data["ruleset"], profile, data.get("options") or {})
    match.ruleset, match.profile = ruleset, profile
    match.names = dict(data.get("names") or {})
    match.start = {key: data.get(key) or {} for key in ("levels", "attempts_at_A")}
    match.race = match.fresh_race()
    match.race.on_stage = data.get("on_stage")
    match.clock.match_left = float(ruleset.match_seconds) if ruleset.match_seconds else None
    match.phase = phases.MATCH[match.phase]["match"]


def _deal(match: Match, data: Mapping[str, Any]) -> None:
    if match.phase == "deal" and match.deal is not None:
        raise Impossible("deal_not_over", n=match.deal.n)
    match.open_deal(data.get("leader"))


def _turn(match: Match, data: Mapping[str, Any]) -> None:
    turned = (data["seat"], Card.parse(data["card"]))
    if match.phase == "deal" and match.deal is not None:
        match.deal.turned = turned
    else:
        match.turned = turned


def _tribute(match: Match, data: Mapping[str, Any]) -> None:
    given = Given(data["from"], data["to"], Card.parse(data["card"]), match.at)
    deal = match.playing()
    findings = deal.pay(given)
    _read_surely(deal, data)
    match.raise_alerts(findings)


def _return(match: Match, data: Mapping[str, Any]) -> None:
    given = Given(data["from"], data["to"], Card.parse(data["card"]), match.at)
    deal = match.playing()
    findings = deal.give_back(given)
    _read_surely(deal, data)
    match.raise_alerts(findings)


def _read_surely(deal: Deal, data: Mapping[str, Any]) -> None:
    """A card that the table did not read surely leaves the audit nothing to prove."""
    if data.get("sure") is False:
        deal.unsure = True


def _resist(match: Match, data: Mapping[str, Any]) -> None:
    match.raise_alerts(match.playing().resist(data["seats"], match.at))


def _play(match: Match, data: Mapping[str, Any]) -> None:
    deal = match.playing()
    _read_surely(deal, data)
    sure, clear = data.get("sure") is not False, data.get("turn") != "unclear"
    match.raise_alerts(deal.play(data["seat"], parse_cards(data["cards"]), data.get("as"), match.at, sure, clear))


def _pass(match: Match, data: Mapping[str, Any]) -> None:
    match.raise_alerts(match.playing().pass_(data["seat"], data.get("by") or "pressed", match.at))


def _report(match: Match, data: Mapping[str, Any]) -> None:
    deal, seat = match.playing(), data["seat"]
    # A button says no number: the table fills in what the cards leave, and a correction of those is no one's mistake.
    count = deal.remaining[seat] if data.get("by") == "pressed" and deal.remaining[seat] > 0 else data["count"]
    match.raise_alerts(deal.report(seat, count))


def _finish(match: Match, data: Mapping[str, Any]) -> None:
    match.raise_alerts(match.playing().score(data["order"]))


def _expose(match: Match, data: Mapping[str, Any]) -> None:
    seat, cards = data["seat"], parse_cards(data["cards"])
    if match.last_deal_ended:
        record = match.deals[-1]
        match.raise_alerts(record.deal.show_rest(seat, cards))
        match.audit(record)
    else:
        match.raise_alerts(match.playing().expose(seat, cards))


def _take_back(match: Match, data: Mapping[str, Any]) -> None:
    match.playing().take_back(data["seat"])


def _offence(match: Match, data: Mapping[str, Any]) -> None:
    kind, told = data["kind"], data.get("note")
    known = kind in OFFENCES
    note = Sentence("note_seen") if not told and (known or kind in SEEN_BY_REFEREE) else None
    note = note or Sentence("note_said", text=told or kind)
    match.raise_alert(Finding(kind if known else "conduct", data["seat"], True, note, of=None if known else kind))


def _call(match: Match, data: Mapping[str, Any]) -> None:
    match.raise_alert(Finding("call", data.get("seat"), True, Sentence("note_called")))


def _ruling(match: Match, data: Mapping[str, Any]) -> None:
    alert = match.by_id.get(data["alert"])
    if alert is None:
        raise Impossible("no_such_alert", alert=data["alert"])
    match.law.rule(alert, data)
    match.sheet.append((match.at, "ruling", data))
    match.clock.waiting = any(each.state == "open" and each.route == "both" for each in match.alerts[-4:])
    deal = match.deal
    if deal is not None and alert.deal == deal.n and not deal.over and match.phase == "deal":
        if alert.state == "waived" and alert.kind in ("out_of_turn", "not_a_combination", "does_not_beat"):
            deal.let_stand(alert.event)
        elif "cards_stay" in alert.penalty:
            deal.ruled(alert.event)


def _pause(match: Match, data: Mapping[str, Any]) -> None:
    if match.clock.paused:
        raise Impossible("paused_already")
    match.clock.paused = match.was_stopped = True
    match.sheet.append((match.at, "pause", data))


def _resume(match: Match, data: Mapping[str, Any]) -> None:
    unseen = data.get("why") == "score_only"  # play goes on, and its plays are not seen any more
    if not match.was_stopped and not unseen:
        raise Impossible("never_paused")
    match.clock.paused = match.clock.waiting = False
    if unseen:
        match.clock.limit = NO_LIMIT


def _extra(match: Match, data: Mapping[str, Any]) -> None:
    if match.clock.match_left is not None:
        match.clock.match_left += data["seconds"]
        match.reminded = {mark for mark in match.reminded if mark >= match.clock.match_left}
        if match.clock.match_left > 0 and match.phase != "over":
            match.bell = False
        look_at_the_time(match)  # seconds may be taken off as well
    match.sheet.append((match.at, "extra", data))


def _time(match: Match, data: Mapping[str, Any]) -> None:
    match.clock.match_left = float(data["left"])
    look_at_the_time(match)


def _redeal(match: Match, data: Mapping[str, Any]) -> None:
    deal = match.playing()
    match.deal = Deal(
        deal.level, match.ruleset, deal.n, deal.stage, deal.previous, None if deal.previous else deal.leader,
        turned=deal.turned,
    )  # fmt: skip
    for alert in match.alerts:
        if alert.deal == deal.n:
            alert.deal = 0  # a ruling on it may still come, and touches nothing of the new hands
    match.sheet.append((match.at, "redeal", data))


def _deck(match: Match, data: Mapping[str, Any]) -> None:
    match.sheet.append((match.at, "deck", data))


def _substitute(match: Match, data: Mapping[str, Any]) -> None:
    if not match.ruleset.substitutes:
        note = Sentence("note_no_substitutes")
        match.raise_alert(Finding("conduct", data["seat"], True, note, of="leaving"))
    match.names[data["seat"]] = data["name"]
    match.sheet.append((match.at, "substitute", data))


def _forfeit(match: Match, data: Mapping[str, Any]) -> None:
    _give_up(match, data, "forfeit")


def _withdraw(match: Match, data: Mapping[str, Any]) -> None:
    _give_up(match, data, "withdrawal")


def _give_up(match: Match, data: Mapping[str, Any], why: str) -> None:
    if match.phase == "over":
        raise Impossible("match_over")
    ending.end(match, other(data["side"]), why)
    match.sheet.append((match.at, why, data))


def _sign(match: Match, data: Mapping[str, Any]) -> None:
    if not match.deals and match.result is None:
        raise Impossible("nothing_to_sign")
    match.signed.add(data["side"])


HANDLERS: Final[dict[str, Callable[[Match, Mapping[str, Any]], None]]] = {
    "match": _match,
    "deal": _deal,
    "turn": _turn,
    "tribute": _tribute,
    "return": _return,
    "resist": _resist,
    "play": _play,
    "pass": _pass,
    "report": _report,
    "finish": _finish,
    "expose": _expose,
    "take_back": _take_back,
    "offence": _offence,
    "call": _call,
    "ruling": _ruling,
    "pause": _pause,
    "resume": _resume,
    "extra": _extra,
    "time": _time,
    "redeal": _redeal,
    "deck": _deck,
    "substitute": _substitute,
    "forfeit": _forfeit,
    "withdraw": _withdraw,
    "sign": _sign,
}
"""What each kind of event does; corrections and cancelled rulings fold the match again instead."""
