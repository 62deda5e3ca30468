"""Tribute, return and resisting (进贡、还贡、抗贡): who owes whom, whether what was given is lawful, who leads then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.cards import PLAY_ORDER, RED_JOKER, Card, next_seat, partner_of, seat_said, side_of
from engine.errors import Impossible, Sentence
from engine.findings import Finding
from engine.readings import power
from engine.rulesets import Ruleset

_CLOCKWISE: Final = {seat: PLAY_ORDER[at - 1] for at, seat in enumerate(PLAY_ORDER)}


@dataclass(frozen=True, slots=True)
class Given:
    """A card that went from one seat to another before the play."""

    giver: str
    taker: str
    card: Card
    seq: int

    def to_dict(self) -> dict[str, str]:
        return {"from": self.giver, "to": self.taker, "card": self.card.name}


@dataclass(slots=True)
class Tribute:
    """What the last deal's order makes this deal owe, and what has been given so far."""

    order: tuple[str, ...]
    """The last deal's finishing order; after a double down its last two stand in the order of play."""
    level: str
    ruleset: Ruleset
    paid: list[Given] = field(default_factory=list)
    returned: list[Given] = field(default_factory=list)
    resisted: tuple[str, ...] = ()
    resist_seq: int = 0

    @property
    def double(self) -> bool:
        return partner_of(self.order[0]) == self.order[1]

    @property
    def payers(self) -> tuple[str, ...]:
        return self.order[2:] if self.double else self.order[3:]

    @property
    def takers(self) -> tuple[str, ...]:
        return self.order[:2] if self.double else self.order[:1]

    def owed(self) -> list[dict[str, str | None]]:
        """Tributes still due, or else returns; ``to`` is ``None`` while both cards of a double are not known."""
        if self.resisted:
            return []
        givers = [given.giver for given in self.paid]
        due = [payer for payer in self.payers if payer not in givers]
        if due:
            free = [taker for taker in self.takers if taker not in [given.taker for given in self.paid]]
            return [{"from": payer, "to": free[0] if len(due) == len(free) == 1 else None} for payer in due]
        done = [given.giver for given in self.returned]
        return [{"from": taker, "to": self._payer_to(taker)} for taker in self.takers if taker not in done]

    def _payer_to(self, taker: str) -> str | None:
        """Who gets *taker*'s return: the one it took from, unless the losers choose or only one is left."""
        if self.double and self.equal and self.ruleset.equal_return == "losers_choose":
            got = [given.taker for given in self.returned]
            left = [payer for payer in self.payers if payer not in got]
            return left[0] if len(left) == 1 else None
        return next((given.giver for given in self.paid if given.taker == taker), None)

    @property
    def equal(self) -> bool:
        """Whether both tributes of a double have been paid and are equally high."""
        return len(self.paid) == 2 and len({power(given.card.rank, self.level) for given in self.paid}) == 1

    # --- giving ---

    def pay(self, given: Given) -> list[Finding]:
        """Take a tribute.

        :raises Impossible: when that seat owes none, or to nobody there.
        """
        due = [owed["from"] for owed in self.owed()] if len(self.paid) < len(self.payers) else []
        if given.giver not in due:
            raise Impossible("owes_no_tribute", seat=seat_said(given.giver))
        if given.taker not in self.takers:
            raise Impossible("tribute_to_whom", seats=[*map(seat_said, self.takers)], seat=seat_said(given.taker))
        self.paid.append(given)
        found = []
        if given.card.is_wild(self.level):
            found.append(Finding("tribute_violated", given.giver, True, Sentence("note_wild_paid")))
        if len(self.paid) == 2:
            found += self._judge_double()
        return found

    def _judge_double(self) -> list[Finding]:
        one, two = self.paid
        if one.taker == two.taker:
            return [Finding("tribute_violated", two.giver, True, Sentence("note_one_card_each"))]
        if not self.equal:
            high = max(self.paid, key=lambda given: power(given.card.rank, self.level))
            if high.taker != self.order[0]:
                return [Finding("tribute_violated", high.giver, True, Sentence("note_higher_to_first"))]
        elif self.ruleset.equal_double == "clockwise" and one.taker != _CLOCKWISE[one.giver]:
            return [Finding("tribute_violated", one.giver, True, Sentence("note_equal_clockwise"))]
        return []

    def give_back(self, given: Given) -> list[Finding]:
        """Take a return.

        :raises Impossible: when that seat owes none, or to nobody there.
        """
        took = given.giver in [paid.taker for paid in self.paid]
        if not took or given.giver in [back.giver for back in self.returned]:
            raise Impossible("owes_no_return", seat=seat_said(given.giver))
        if given.taker not in self.payers or given.taker in [back.taker for back in self.returned]:
            raise Impossible("owed_no_return", seat=seat_said(given.taker))
        expected = self._payer_to(given.giver)
        self.returned.append(given)
        found = []
        if expected is not None and expected != given.taker:
            found.append(Finding("return_violated", given.giver, True, Sentence("note_return_to_payer")))
        if not self.may_return(given):
            # Lawful only from a hand with nothing low: the audit will know.
            note = "note_return_level_card" if given.card.place <= 8 else "note_return_too_high"
            found.append(Finding("return_violated", given.giver, False, Sentence(note)))
        return found

    def may_return(self, given: Given) -> bool:
        """Whether the card is within the ruleset's limit whatever else the hand held."""
        return self.limit(given) == "any" or self.is_low(given.card)

    def limit(self, given: Given) -> str:
        if self.double:
            return self.ruleset.return_double
        partner = partner_of(given.giver) == given.taker
        return self.ruleset.return_partner if partner else self.ruleset.return_single

    def is_low(self, card: Card) -> bool:
        """10 or lower, and not of the level's rank unless the ruleset lets that count (text B; case 49)."""
        return card.place <= 8 and (card.rank != self.level or self.ruleset.return_level_card)

    def resist(self, seats: Sequence[str], seq: int) -> list[Finding]:
        """Resist the tribute with both red jokers.

        :raises Impossible: when these seats owe nothing.
        """
        if self.paid or self.resisted:
            raise Impossible("nothing_to_resist")
        if any(seat not in self.payers for seat in seats):
            raise Impossible("who_may_resist", seats=[*map(seat_said, self.payers)])
        allowed = self.ruleset.resist_double if self.double else self.ruleset.resist_single
        if not allowed:
            return [Finding("resist_violated", seats[0], True, Sentence("note_no_resisting"))]
        self.resisted, self.resist_seq = tuple(seats), seq
        return []

    # --- who leads ---

    def leader(self) -> str:
        """Who leads the deal, as far as the tribute tells.

        First when resisted; last after a single; of two losers the one whose card went to first, and of equal cards
        whom ``equal_lead`` names (texts A, B; 001 part 1, section 4; 004 part 1, section 4.4).
        """
        first = self.order[0]
        if self.resisted:
            return first
        if not self.double:
            return self.order[3]
        to_first = next((given.giver for given in self.paid if given.taker == first), self.payers[0])
        if not self.equal or self.ruleset.equal_lead == "payer_to_first":
            return to_first
        if self.ruleset.equal_lead == "after_first":
            return next_seat(first)
        backs = sorted(self.returned, key=lambda given: power(given.card.rank, self.level))
        if len(backs) < 2 or power(backs[0].card.rank, self.level) == power(backs[1].card.rank, self.level):
            return next_seat(first)
        return backs[0].taker

    def possible_leaders(self) -> tuple[str, ...]:
        """Everyone who may lead by what was seen: more than one where a card was not seen on which that hangs."""
        if self.resisted or not self.double:
            return (self.leader(),)
        if len(self.paid) < 2:
            return self.payers
        if self.equal and self.ruleset.equal_lead == "took_lower_return" and len(self.returned) < 2:
            return (*self.payers, next_seat(self.order[0]))
        return (self.leader(),)

    def to_dict(self) -> dict[str, object]:
        return {
            "paid": [given.to_dict() for given in self.paid],
            "returned": [given.to_dict() for given in self.returned],
            "resisted": list(self.resisted),
        }


def losers_in_order(first: str, second: str) -> tuple[str, str]:
    """The two losers of a double down in the order of play after *first*: places 3 and 4 are theirs together."""
    after = next_seat(first)
    assert side_of(after) != side_of(first) and second == partner_of(first)
    return after, partner_of(after)


RED: Final = Card.parse(RED_JOKER)
