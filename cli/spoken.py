"""The game's things as a referee says them: cards, seats, orders, alerts, penalties, in the language of the shell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from cli.words import language, say
from engine.alerts import Alert, Penalty
from engine.cards import Card, face, parse_cards
from engine.errors import said
from engine.keys import OFFENCES, SEEN_BY_REFEREE
from engine.levels import kind_of

_PLACES = ("first", "second", "third", "last")


def one_line(sentence: str) -> str:
    """*sentence* without what a terminal would obey: somebody else's names and notes may hold anything."""
    return "".join(sign if sign.isprintable() else " " for sign in sentence)


def card_in_words(card: Card) -> str:
    """``♠8``, ``♥10``, 小王."""
    return str(said(face(card), language()))


def cards_in_words(names: Iterable[str]) -> str:
    return " ".join(card_in_words(card) for card in parse_cards(names))


def seat_in_words(seat: str | None, names: Mapping[str, str]) -> str:
    """The seat with its player's name, where that is known."""
    if seat is None:
        return say("nobody")
    word = say(f"seat_{seat}")
    return say("seat_named", seat=word, name=names[seat]) if names.get(seat) else word


def seats_in_words(seats: Iterable[str], names: Mapping[str, str]) -> str:
    return say("and").join(seat_in_words(seat, names) for seat in seats)


def order_in_words(order: Sequence[str], names: Mapping[str, str]) -> str:
    """Who came first, second …; after a double down nobody tells the losers apart."""
    double = kind_of(order) == "1-2"
    shown = order[:2] if double else order
    places = say("comma").join(
        say(f"place_{place}", seat=seat_in_words(seat, names)) for place, seat in zip(_PLACES, shown, strict=False)
    )
    return places + say("double_down") if double else places


def levels_in_words(levels: Mapping[str, str | int]) -> str:
    """Both sides' levels, or any two numbers of theirs."""
    return say("sides", **{side.lower(): "10" if level == "T" else level for side, level in levels.items()})


def offence_in_words(kind: str, of: str | None = None) -> str:
    """The kind of an alert; of conduct what the referee called it."""
    if of is not None and of.startswith("total."):
        return say("kind_total")
    if of in SEEN_BY_REFEREE:
        return say(f"kind_{of}")
    if kind == "conduct" and of:
        return of
    return say(f"kind_{kind}") if kind in (*OFFENCES, *SEEN_BY_REFEREE) else kind


def alert_in_words(alert: Alert) -> str:
    """The kind, and whether it is certain."""
    return offence_in_words(alert.kind, alert.of) + ("" if alert.certain else say("suspected"))


def penalty_in_words(penalty: Penalty) -> str:
    """The effect, and by how much it moved a side's level."""
    told = say(f"effect_{penalty.effect}")
    if penalty.side is None or penalty.effect not in ("opponents_gain", "own_drop"):
        return told
    if not penalty.levels:
        return told + say("levels_stay")
    key = "levels_up" if penalty.levels > 0 else "levels_down"
    return told + say(key, side=say(f"side_{penalty.side}"), levels=abs(penalty.levels))


def verdict_in_words(verdict: str, alert: str) -> str:
    return say(f"tell_{verdict}", alert=alert)
