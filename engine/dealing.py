"""Who shuffles, cuts, draws first and leads: the duties before a deal, as the ruleset gives them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.cards import BLACK_JOKER, PLAY_ORDER, RANKS, RED_JOKER, Card, next_seat, partner_of, side_of
from engine.rulesets import Ruleset

_PIPS: Final = {**{rank: at + 2 for at, rank in enumerate(RANKS)}, "A": 1}
_JOKERS_MOD4: Final = {RED_JOKER: 6, BLACK_JOKER: 3}


def draws_first(ruleset: Ruleset, turner: str, card: Card) -> str | None:
    """Who draws first when *turner* turned *card* in a first deal; ``None``: turn another card, or nobody is told.

    Counted anticlockwise, whoever turned it is one; after four it goes round again. Pips: text A, a joker turned anew;
    the rank modulo 4, red joker 6 and black joker 3: 000 art. 13, part 5.
    """
    if ruleset.first_draw == "turned_card" or ruleset.first_draw == "any":
        return None
    if card.is_joker:
        if ruleset.first_draw != "mod4":
            return None
        count = _JOKERS_MOD4[card.rank]
    else:
        count = _PIPS[card.rank]
    return PLAY_ORDER[(PLAY_ORDER.index(turner) + count - 1) % 4]


def duties(ruleset: Ruleset, previous: Sequence[str] | None) -> dict[str, str | None]:
    """The seats that shuffle, cut and draw first after the order *previous*; ``None`` where no seat is named.

    In a first deal (*previous* is ``None``) a cutter or drawer found by a draw or a turned card is ``None`` too.
    """
    if previous is None:
        seats = {"N": "N", "E": "E", "W": "W", "higher_draw": "E"}  # the higher draw sits east
        return {
            "shuffles": seats.get(ruleset.first_shuffle), "cuts": seats.get(ruleset.first_cut), "draws_first": None,
        }  # fmt: skip
    first, double = previous[0], partner_of(previous[0]) == previous[1]
    last = None if double else previous[3]
    after = next_seat(first)
    # After a double down both losers are last; the player after first does last's duty unless either may.
    loser = last or (after if ruleset.draw_after_double == "after_first" else None)
    places = {"first": first, "last": loser, "any": None}
    return {
        "shuffles": places[ruleset.later_shuffle],
        "cuts": places[ruleset.later_cut],
        "draws_first": loser if ruleset.later_draw == "last" else None,
    }


def may_draw_first(ruleset: Ruleset, previous: Sequence[str]) -> tuple[str, ...]:
    """Every seat that may draw first after the order *previous*."""
    seat = duties(ruleset, previous)["draws_first"]
    return (seat,) if seat else tuple(each for each in PLAY_ORDER if side_of(each) != side_of(previous[0]))
