"""Random matches for tests: honest players, and now and then a fact that breaks a rule."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

from engine.cards import DECK, SEATS, Card
from engine.deal import Deal
from engine.errors import GuandanError
from engine.events import FIELDS, Event
from engine.match import Match
from engine.plays import legal_plays
from engine.readings import power
from engine.tribute import Tribute

RED = DECK[53]
CLOCKWISE = dict(zip("NESW", "ESWN", strict=True))


class Table:
    """Four players, their hands and the record that grows."""

    def __init__(
        self, seed: int, ruleset: str, profile: str = "championship", offences: float = 0.0, *,
        seconds: float = 0.0, **more: Any,
    ) -> None:  # fmt: skip
        self.rng = random.Random(seed)
        self.match = Match()
        self.hands: dict[str, list[Card]] = {}
        self.offences, self.seconds, self.time = offences, seconds, 0.0
        self.note("match", ruleset=ruleset, profile=profile, **more)

    def note(self, do: str, **data: Any) -> list[Any]:
        """Apply the next event; with *seconds* most come with a time, up to so many after the last."""
        seq, t = len(self.match.events) + 1, None
        if self.seconds and self.rng.random() < 0.7:
            self.time += self.rng.random() * self.seconds
            t = round(self.time, 2)
        return self.match.apply(Event(seq, do, data, t)).alerts

    def play_match(self, deals: int = 60) -> Match:
        for _ in range(deals):
            if self.match.result is not None:
                break
            self.play_deal()
        return self.match

    def play_deal(self) -> None:
        pack = list(DECK) * 2
        self.rng.shuffle(pack)
        self.hands = {seat: pack[27 * at : 27 * at + 27] for at, seat in enumerate(SEATS)}
        self.note("deal")
        deal = self.match.deal
        assert deal is not None
        if deal.tribute is not None:
            self.pay(deal, deal.tribute)
        for _ in range(1500):
            if self.match.phase != "deal":
                return
            assert sum(map(len, self.hands.values())) + sum(map(len, deal.played.values())) == 108
            if self.rng.random() < self.offences:
                self.offend(deal)
            else:
                self.turn(deal)
        raise AssertionError("the deal stalls")

    def pay(self, deal: Deal, tribute: Tribute) -> None:
        rules = deal.ruleset
        reds = sum(self.hands[payer].count(RED) for payer in tribute.payers)
        if reds == 2 and (rules.resist_double if tribute.double else rules.resist_single):
            self.note("resist", seats=list(tribute.payers))
            return

        def height(card: Card) -> int:
            return power(card.rank, deal.level)

        best = {
            payer: max((card for card in self.hands[payer] if not card.is_wild(deal.level)), key=height)
            for payer in tribute.payers
        }
        payers = sorted(tribute.payers, key=lambda payer: -height(best[payer]))
        takers = dict(zip(payers, tribute.takers, strict=True))
        if tribute.double and height(best[payers[0]]) == height(best[payers[1]]):
            takers = {payer: CLOCKWISE[payer] for payer in payers}
        for payer in tribute.payers:
            self.give("tribute", payer, takers[payer], best[payer])
        while deal.phase == "return":
            due = deal.owed[0]
            giver = str(due["from"])
            free = [payer for payer in tribute.payers if payer not in [back.taker for back in tribute.returned]]
            low = [card for card in self.hands[giver] if tribute.is_low(card)]
            lowest = min((card for card in self.hands[giver] if not card.is_wild(deal.level)), key=height)
            self.give("return", giver, due["to"] or self.rng.choice(free), self.rng.choice(low) if low else lowest)

    def give(self, do: str, giver: str, taker: str, card: Card) -> None:
        self.hands[giver].remove(card)
        self.hands[taker].append(card)
        self.note(do, **{"from": giver, "to": taker, "card": card.name})

    def turn(self, deal: Deal) -> None:
        seat = deal.turn or self.rng.choice(SEATS)
        assert deal.active(seat), f"{seat} holds nothing and is on turn"
        over = deal.standing.reading if deal.standing else None
        plays = legal_plays(self.hands[seat], over, deal.level, deal.ruleset)
        barred = deal.barred_lead.get(seat) if deal.holder is None else None
        plays = [play for play in plays if play.reading.type != barred] or plays
        if plays and (deal.holder is None or self.rng.random() < 0.75):
            play = self.rng.choice(plays[: max(3, len(plays) // 2)])
            self.lay(seat, list(play.cards), **{"as": play.reading.to_dict()})
            if seat in deal.due:
                self.note("report", seat=seat, count=deal.remaining[seat])
        else:
            self.note("pass", seat=seat)

    def lay(self, seat: str, cards: list[Card], **more: Any) -> list[Any]:
        alerts = self.note("play", seat=seat, cards=[card.name for card in cards], **more)
        for card in cards:
            self.hands[seat].remove(card)
        return alerts

    def offend(self, deal: Deal) -> None:
        """Some cards by somebody, whatever the rules say, and what a referee may make of it."""
        seat = self.rng.choice([seat for seat in SEATS if self.hands[seat]])
        if self.rng.random() < 0.15:
            self.note("pass", seat=seat)
            return
        hand = self.hands[seat]
        cards = self.rng.sample(hand, self.rng.randint(1, min(4, len(hand))))
        alerts = self.lay(seat, cards)
        if alerts and self.rng.random() < 0.8:
            self.note("ruling", alert=alerts[0].id, verdict=self.rng.choice(["uphold", "waive"]))
        if alerts and self.match.phase == "deal" and self.rng.random() < 0.5 and not deal.over:
            last = deal.last_play(seat)
            if last is not None and list(last.cards) == cards:
                self.note("take_back", seat=seat)
                hand.extend(cards)


_PLAIN = frozenset({str, int, float, bool, type(None)})


@cache
def _slots(kind: type) -> tuple[str, ...]:
    return tuple(name for base in kind.__mro__ for name in getattr(base, "__slots__", ()))


def state(thing: Any, seen: dict[int, int] | None = None) -> Any:
    """Everything a match holds, as plain values that can be compared."""
    kind = type(thing)
    if kind in _PLAIN:
        return thing
    if kind is Card:
        return thing.name
    seen = {} if seen is None else seen
    if id(thing) in seen:
        return f"<{seen[id(thing)]}>"
    if kind is dict:
        return {str(key): state(value, seen) for key, value in thing.items() if key not in ("law", "events", "_new")}
    if kind is list or isinstance(thing, tuple):
        return [item.name if type(item) is Card else state(item, seen) for item in thing]
    if kind in (set, frozenset):
        return sorted(map(str, thing))
    seen[id(thing)] = len(seen)
    if hasattr(thing, "__dict__"):
        return {kind.__name__: state(vars(thing), seen)}
    return {name: state(getattr(thing, name), seen) for name in _slots(kind)}


def nonsense(rng: random.Random, seq: int, now: float) -> Event:
    """An event of any kind, mostly impossible or malformed."""
    do = rng.choice([*FIELDS, "dance"])
    seat = lambda: rng.choice([*SEATS, "X"])  # noqa: E731
    card = lambda: rng.choice([*(card.name for card in DECK), "S1", 7])  # noqa: E731
    cards = [card() for _ in range(rng.randint(0, 5))]
    values: dict[str, Any] = {
        "seat": seat(), "from": seat(), "to": seat(), "card": card(), "cards": cards,
        "seats": [seat()], "order": rng.sample("NESW", rng.choice([3, 4])), "count": rng.choice([-1, 3, "x"]),
        "alert": rng.choice(["1.1", "5.1", "x"]), "verdict": rng.choice(["uphold", "maybe"]),
        "event": rng.randint(0, 9), "ruling": rng.randint(0, 9), "leader": seat(), "seconds": rng.choice([5, "x"]),
        "left": rng.choice([50, None]),
        "side": rng.choice(["NS", "XX"]), "name": "x", "kind": "conduct", "ruleset": rng.choice(["national", "none"]),
    }  # fmt: skip
    kept = {name: value for name, value in values.items() if rng.random() < 0.9}
    return Event(seq, do, kept, rng.choice([None, None, now + 1, -1.0, now - 5]))


def hidden_again(match: Match, rng: random.Random, share: float | None = None) -> Match:
    """The same match where nobody saw *share* of its plays, and each deal is scored by its order.

    It ends early where what was seen makes another order: people at a table would put that right.
    """
    share = rng.random() if share is None else share
    hidden = Match()
    seq = 0
    orders = {record.deal.n: record.deal.order for record in match.deals}
    for event in match.events:
        if event.do in ("play", "pass", "report", "return") and rng.random() < share:
            continue
        if event.do == "deal" and hidden.phase == "deal" and hidden.deal is not None:
            seq += 1
            hidden.apply(Event(seq, "finish", {"order": list(orders[hidden.deal.n] or ())}))
        if event.do == "deal" and any(record.deal.order != orders[record.deal.n] for record in hidden.deals[-1:]):
            break
        seq += 1
        try:
            hidden.apply(Event(seq, event.do, event.data))
        except GuandanError:
            seq -= 1
    return hidden
