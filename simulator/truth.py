"""Whole matches of robot players as records: what really happened at a table that exists only here.

A record made here replays clean. Offences are staged in it as facts, and handled as at a real table: the alert is
raised, the referee upholds it, the cards are taken back, play goes on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from random import Random
from typing import Any, Final

from engine.cards import DECK, PLAY_ORDER, RED_JOKER, Card
from engine.deal import Deal
from engine.errors import GuandanError
from engine.events import Event
from engine.match import Match, Outcome, match_event
from engine.readings import power
from simulator import offences as staging
from simulator.offences import Offence
from simulator.robots import Sight, choose, turns

NAMES: Final = {"N": "陈伯", "E": "小林", "S": "周姐", "W": "阿强"}
MOST_DEALS: Final = 400
"""A match of robots that is not over by then is not going to be."""


def play_match(
    seed: int,
    ruleset: str = "national",
    profile: str = "championship",
    deals: int | None = None,
    offences: bool = True,
    options: Mapping[str, Any] | None = None,
    names: Mapping[str, str] | None = None,
) -> list[Event]:
    """The record of a whole match, or of its first *deals* deals; the same for the same arguments.

    With *offences* every deal has at least one: a play that does not beat, a play out of turn, a 28th card.

    :raises GuandanError: when there is no such ruleset, profile or option.
    """
    table = _Table(seed, offences, profile)
    table.note("match", **dict(match_event(ruleset, profile, names or NAMES, options=options).data))
    played = 0
    while table.match.result is None and played < min(deals or MOST_DEALS, MOST_DEALS):
        table.play_deal(played)
        played += 1
    return table.events


def play_on(lines: Sequence[Event], seed: int, deals: int | None = None) -> list[Event]:
    """The record that begins with *lines*, which people played, and that robots play on; the same for the same *seed*.

    Nobody knows the hands of a deal that was on: it is scored by an order, in which whoever is out stays out. *deals*
    are played after it at most.

    :raises GuandanError: when strict replay refuses one of *lines*.
    """
    table = _Table(seed, False, str(lines[0].data.get("profile") or "championship"))
    for event in lines:
        table.match.apply(event)
        table.events.append(event)
    match = table.match
    rng = Random(f"{seed}:{len(lines)}")
    if match.phase == "deal":
        out = list(table.deal.finished)
        table.note("finish", order=[*out, *rng.sample([seat for seat in PLAY_ORDER if seat not in out], 4 - len(out))])
    if match.deals:
        for side in ("NS", "EW"):
            if side not in match.signed:
                table.note("sign", side=side)
    table.enter(len(match.games))
    while match.result is None and len(match.deals) < MOST_DEALS and (deals is None or deals > 0):
        table.play_deal(len(match.deals))
        deals = None if deals is None else deals - 1
    return table.events


class _Table:
    """Four robots, their hands and the record that grows."""

    def __init__(self, seed: int, offences: bool, profile: str) -> None:
        self.seed, self.offences, self.profile = seed, offences, profile
        self.match = Match()
        self.events: list[Event] = []
        self.hands: dict[str, list[Card]] = {}
        self._rng = Random(0)
        # Staging draws its own numbers: what is tried and left undone must not change how the robots play.
        self._staging = Random(0)
        self._plan: list[str] = []
        self._games = 0

    def enter(self, games: int) -> None:
        """Robots sit down after *games* games of the match."""
        self._games = games

    def note(self, do: str, **data: Any) -> Outcome:
        """Add an event to the record and fold it in."""
        event = Event(len(self.events) + 1, do, data, None)
        outcome = self.match.apply(event)
        self.events.append(event)
        return outcome

    @property
    def deal(self) -> Deal:
        assert self.match.deal is not None
        return self.match.deal

    # --- a deal ----------------------------------------------------------------------------------------------------

    def play_deal(self, number: int) -> None:
        rng = self._rng = Random(f"{self.seed}:{number}")
        pack = [*DECK, *DECK]
        rng.shuffle(pack)
        self.hands = {seat: sorted(pack[place::4]) for place, seat in enumerate(PLAY_ORDER)}
        # The first deal of each game of the match: whoever drew the turned card leads.
        begins = number == 0 or len(self.match.games) > self._games
        self._games = len(self.match.games)
        self.note("deal", **({"leader": rng.choice(PLAY_ORDER)} if begins else {}))
        self._pay_tribute()
        draws = self._staging = Random(f"{self.seed}:{number}:offences")
        self._plan = staging.plan(draws, self.profile) if self.offences else []
        wait = draws.randint(2, 9)
        while not self.deal.over:
            wait -= 1
            if self._plan and self._offend(wait):
                wait = draws.randint(3, 9)
            else:
                self._turn()
        for side in rng.sample(["NS", "EW"], 2):
            self.note("sign", side=side)

    def _turn(self) -> None:
        seat = self.deal.turn
        assert seat is not None
        play = choose(self.sight(seat), self._rng)
        if play is None:
            self.note("pass", seat=seat, **({} if self.profile == "championship" else {"by": "implied"}))
            return
        self.lay(seat, play.cards)

    def lay(self, seat: str, cards: Sequence[Card]) -> Outcome:
        """*seat* plays *cards* of its hand, and reports if that is due."""
        outcome = self.note("play", seat=seat, cards=[card.name for card in cards])
        for card in cards:
            self.hands[seat].remove(card)
        self._report(seat)
        return outcome

    def sight(self, seat: str) -> Sight:
        """What the player at *seat* sees."""
        deal = self.deal
        standing = deal.standing
        return Sight(
            seat, tuple(self.hands[seat]), standing.reading if standing else None, standing.seat if standing else None,
            {each: len(cards) for each, cards in self.hands.items()}, deal.level, self.match.ruleset,
            deal.barred_lead.get(seat),
        )  # fmt: skip

    def _report(self, seat: str) -> None:
        if self.match.deal is not None and seat in self.match.deal.due:
            self.note("report", seat=seat, count=len(self.hands[seat]))

    # --- tribute ---------------------------------------------------------------------------------------------------

    def _pay_tribute(self) -> None:
        deal = self.deal
        tribute = deal.tribute
        if tribute is None or deal.phase != "tribute":
            return
        reds = {payer: sum(card.name == RED_JOKER for card in self.hands[payer]) for payer in tribute.payers}
        allowed = deal.ruleset.resist_double if tribute.double else deal.ruleset.resist_single
        if sum(reds.values()) == 2 and allowed:
            self.note("resist", seats=[seat for seat, count in reds.items() if count])
            return
        highest = {payer: self._highest(payer) for payer in tribute.payers}
        takers = list(tribute.takers)
        payers = sorted(highest, key=lambda payer: -power(highest[payer].rank, deal.level))
        if len({power(card.rank, deal.level) for card in highest.values()}) == 1 and tribute.double:
            # Equal cards: each goes to the winner next clockwise of its payer.
            payers.sort(key=lambda payer: PLAY_ORDER[PLAY_ORDER.index(payer) - 1] != takers[0])
        for payer, taker in zip(payers, takers, strict=True):
            self._give("tribute", payer, taker, highest[payer])
        while deal.phase == "return":
            owed = deal.owed[0]
            giver = str(owed["from"])
            free = [payer for payer in tribute.payers if payer not in [given.taker for given in tribute.returned]]
            self._give("return", giver, owed["to"] or free[0], self._returned(giver))

    def _highest(self, seat: str) -> Card:
        level = self.deal.level
        return max(
            (card for card in self.hands[seat] if not card.is_wild(level)),
            key=lambda card: (power(card.rank, level), -card.index),
        )

    def _returned(self, seat: str) -> Card:
        """A low card that is missed least; from a hand with nothing low the lowest."""
        tribute, level = self.deal.tribute, self.deal.level
        assert tribute is not None
        hand = self.hands[seat]
        low = [card for card in hand if tribute.is_low(card)]
        if not low:
            return min(hand, key=lambda card: power(card.rank, level))

        def missed(card: Card) -> tuple[float, int]:
            rest = list(hand)
            rest.remove(card)
            return turns(rest, level), card.index

        return min(low, key=missed)

    def _give(self, do: str, giver: str, taker: str, card: Card) -> None:
        self.note(do, **{"from": giver, "to": taker, "card": card.name})
        self.hands[giver].remove(card)
        self.hands[taker].append(card)
        self.hands[taker].sort()

    # --- offences --------------------------------------------------------------------------------------------------

    def _offend(self, wait: int) -> bool:
        """Commit an offence of the plan, if its time has come and it would come to what it should."""
        first = next((kind for kind in self._plan if kind != staging.LAST_CARD), None)
        for kind in list(self._plan):
            # The 28th card comes with going out; the others when they have waited long enough, in their order.
            if kind != staging.LAST_CARD and (wait > 0 or kind != first):
                continue
            # One that cannot be done for a long time is changed for another.
            if kind != staging.LAST_CARD and wait < -6:
                kind = self._staging.choice(staging.sure_kinds(self.profile))
            offence = staging.find(kind, self, self._staging)
            if offence is not None and self._ends_well(offence):
                self._plan.remove(kind) if kind in self._plan else self._plan.pop(0)
                self._commit(offence)
                return True
        return False

    def _commit(self, offence: Offence) -> None:
        """The offence, the referee's ruling, and what follows from it."""
        seat = offence.seat
        outcome = self.note("play", seat=seat, cards=[card.name for card in offence.cards])
        lying = [*(self.deal.tricks[-1] if self.deal.tricks else []), *self.deal.trick]
        entry = next(each for each in reversed(lying) if each.seq == self.events[-1].seq)
        for alert in outcome.alerts:
            self.note("ruling", alert=alert.id, verdict="uphold")
            if "cards_stay" in alert.penalty:
                for card in offence.cards:
                    if card in self.hands[seat]:
                        self.hands[seat].remove(card)
            elif not entry.taken_back:
                self.note("take_back", seat=seat)

    def _ends_well(self, offence: Offence) -> bool:
        """Whether the deal, played on after *offence*, would raise this one alert and no other."""
        trial = self._copy()
        before = len(trial.match.alerts)
        try:
            trial._commit(offence)
            raised = [alert.kind for alert in trial.match.alerts[before:]]
            while trial.match.deal is not None and not trial.deal.over:
                trial._turn()
        except GuandanError:
            return False
        return raised == [offence.kind] and len(trial.match.alerts) == before + 1

    def _copy(self) -> _Table:
        trial = _Table(self.seed, self.offences, self.profile)
        match = self.match
        # What is over, and what never changes, both may share.
        shared: dict[int, Any] = {id(card): card for card in DECK}
        shared[id(match.ruleset)] = match.ruleset
        for past in (match.events, match.deals, match.moves, match.sheet, match.penalties):
            shared[id(past)] = list(past)
        trial.match = deepcopy(match, shared)
        trial.events = list(self.events)
        trial.hands = {seat: list(cards) for seat, cards in self.hands.items()}
        trial._rng.setstate(self._rng.getstate())
        return trial
