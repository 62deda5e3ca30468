"""Events: the facts of a match, one vocabulary for journal, sync, record and tests.

An event is something seen, pressed, said or ruled. Its kind is the ``do`` of a record's line, its number the line's.
Any field beyond those listed here is kept as it came, so that a record is written as it was read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, Final

from engine.cards import SEATS, SIDES, parse_cards, parse_level, shown
from engine.errors import GuandanError, Sentence, Unreadable
from engine.readings import TYPES

VERDICTS: Final = ("uphold", "waive", "other")
PASS_SOURCES: Final = ("pressed", "referee", "implied")
_MOST_SECONDS: Final = 1e9
"""Thirty years: what is more is no time of a match, and may be no number that a clock can count with."""


@dataclass(frozen=True, slots=True)
class Event:
    """One fact: number, kind, the kind's fields as JSON has them, and seconds since the match began if known."""

    seq: int
    do: str
    data: Mapping[str, Any]
    t: float | None = None
    checked: bool = field(default=False, compare=False, repr=False)
    """Whether :func:`check` has passed it."""

    @staticmethod
    def from_line(seq: int, text: str | bytes) -> Event:
        """Read one line of a record; *seq* is its number.

        :raises Unreadable: naming the line and the field.
        """
        try:
            found = read_object(text)
        except Unreadable as error:
            raise Unreadable("line", line=seq, error=error.sentence) from None
        do, t = found.pop("do", None), found.pop("t", None)
        check(Event(seq, do, found, t))
        return Event(seq, do, found, t, checked=True)

    def to_line(self) -> str:
        """The line of a record, without its end; :meth:`from_line` reads it back."""
        when = {} if self.t is None else {"t": self.t}
        return json.dumps({"do": self.do, **self.data, **when}, ensure_ascii=False, separators=(",", ":"))


# --- what each kind must hold ---------------------------------------------------------------------------------------

_Check = Callable[[Any], Sentence | None]


def _one_of(*words: str) -> _Check:
    return lambda value: None if value in words and isinstance(value, str) else Sentence("one_of", words=words)


def _text(value: Any) -> Sentence | None:
    return None if isinstance(value, str) else Sentence("a_text")


def _whole(least: int) -> _Check:
    return lambda value: (
        None
        if isinstance(value, int) and not isinstance(value, bool) and value >= least
        else Sentence("whole_number", least=least)
    )


def _seconds(value: Any) -> Sentence | None:
    fits = isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= _MOST_SECONDS
    return None if fits else Sentence("number_of_seconds")


def _yes_or_no(value: Any) -> Sentence | None:
    return None if isinstance(value, bool) else Sentence("true_or_false")


def _cards(value: Any) -> Sentence | None:
    if not isinstance(value, list) or not value:
        return Sentence("list_of_cards")
    try:
        parse_cards(value)
    except GuandanError as error:
        return error.sentence
    return None


def _card(value: Any) -> Sentence | None:
    return _cards([value])


def _level(value: Any) -> Sentence | None:
    try:
        parse_level(value)
    except GuandanError as error:
        return error.sentence
    return None


def _reading(value: Any) -> Sentence | None:
    kind = value.get("type") if isinstance(value, dict) else value
    return None if isinstance(kind, str) and kind in TYPES else Sentence("a_reading", types=TYPES)


def _order(value: Any) -> Sentence | None:
    fits = isinstance(value, list) and len(value) == 4 and all(seat in value for seat in SEATS)
    return None if fits else Sentence("four_seats")


def _seats(value: Any) -> Sentence | None:
    fits = isinstance(value, list) and value and all(seat in SEATS for seat in value) and len(set(value)) == len(value)
    return None if fits else Sentence("list_of_seats")


def _mapping(value: Any) -> Sentence | None:
    return None if isinstance(value, dict) else Sentence("an_object")


def _names(value: Any) -> Sentence | None:
    fits = isinstance(value, dict) and all(seat in SEATS and isinstance(name, str) for seat, name in value.items())
    return None if fits else Sentence("names_by_seat")


def _levels(value: Any) -> Sentence | None:
    fits = isinstance(value, dict) and set(value) == set(SIDES) and not any(map(_level, value.values()))
    return None if fits else Sentence("levels_of_both")


def _attempts(value: Any) -> Sentence | None:
    fits = isinstance(value, dict) and set(value) == set(SIDES) and not any(map(_whole(0), value.values()))
    return None if fits else Sentence("tries_of_both")


_seat = _one_of(*SEATS)
_side = _one_of(*SIDES)
_ruleset: _Check = lambda value: None if isinstance(value, str) and value else Sentence("ruleset_id")  # noqa: E731

FIELDS: Final[dict[str, dict[str, _Check]]] = {
    "match": {
        "ruleset": _ruleset, "profile?": _text, "names?": _names, "options?": _mapping, "levels?": _levels,
        "on_stage?": _one_of(*SIDES),
        "attempts_at_A?": _attempts,
        "resolved?": _mapping, "engine?": _text,
    },
    "deal": {"leader?": _seat},
    "turn": {"seat": _seat, "card": _card},
    "tribute": {"from": _seat, "to": _seat, "card": _card, "sure?": _yes_or_no},
    "return": {"from": _seat, "to": _seat, "card": _card, "sure?": _yes_or_no},
    "resist": {"seats": _seats},
    "play": {
        "seat": _seat, "cards": _cards, "as?": _reading, "settled?": _seconds, "untimed?": _yes_or_no,
        "sure?": _yes_or_no, "turn?": _one_of("unclear"),
    },
    "pass": {"seat": _seat, "by?": _one_of(*PASS_SOURCES)},
    "report": {"seat": _seat, "count": _whole(0), "by?": _one_of("pressed")},
    "finish": {"order": _order},
    "expose": {"seat": _seat, "cards": _cards},
    "take_back": {"seat": _seat},
    "offence": {"seat": _seat, "kind": _text, "note?": _text},
    "call": {"seat?": _seat},
    "ruling": {"alert": _text, "verdict": _one_of(*VERDICTS), "by?": _text},
    "cancel": {"ruling": _whole(1)},
    "correct": {"event": _whole(1)},
    "pause": {"why?": _text},
    "resume": {"why?": _text},
    "extra": {"seconds": _seconds},
    "time": {"left": _seconds},
    "redeal": {"why?": _text},
    "deck": {"why?": _text},
    "substitute": {"seat": _seat, "name": _text, "why?": _text},
    "forfeit": {"side": _side, "why?": _text},
    "withdraw": {"side": _side, "why?": _text},
    "sign": {"side": _side},
}  # fmt: skip
"""Each kind's fields; ``?`` marks those that may be left out."""

_REQUIRED: Final = {
    do: tuple((name, check) for name, check in kinds.items() if not name.endswith("?")) for do, kinds in FIELDS.items()
}
_OPTIONAL: Final = {
    do: tuple((name[:-1], check) for name, check in kinds.items() if name.endswith("?")) for do, kinds in FIELDS.items()
}


def check(event: Event) -> None:
    """Refuse an event that is malformed.

    :raises Unreadable: naming the line and the field.
    """
    if event.checked:
        return
    do, data = event.do, event.data
    required = _REQUIRED.get(do) if isinstance(do, str) else None
    if required is None:
        raise _refused(event, "no_such_kind", kinds=list(FIELDS), do=shown(do))
    if event.t is not None and (_seconds(event.t) or event.t < 0):
        raise _refused(event, "no_time", t=shown(event.t))
    for name, fits in required:
        if name not in data:
            raise _refused(event, "field_missing", do=do, name=name)
        reason = fits(data[name])
        if reason:
            raise _odd(event, name, reason)
    for name, fits in _OPTIONAL[do]:
        if data.get(name) is not None:
            reason = fits(data[name])
            if reason:
                raise _odd(event, name, reason)


def _refused(event: Event, key: str, /, **values: Any) -> Unreadable:
    return Unreadable("line", line=event.seq, error=Sentence(key, **values))


def _odd(event: Event, name: str, reason: Sentence) -> Unreadable:
    if reason.key in ("no_card", "no_level"):  # these say themselves what was given
        return _refused(event, "within", name=name, error=reason)
    return _refused(event, "field", name=name, reason=reason, value=shown(event.data[name]))


def read_object(text: str | bytes) -> dict[str, Any]:
    """The one JSON object of a line, in UTF-8 with or without its mark; no key twice, every number one that counts.

    :raises Unreadable: saying why it is none.
    """
    try:
        plain = text.decode("utf-8-sig") if isinstance(text, bytes) else text.removeprefix("\ufeff")
        found = _READER.decode(plain)
    except json.JSONDecodeError as error:
        raise Unreadable("no_json", at=error.colno) from None
    except UnicodeDecodeError:
        raise Unreadable("no_utf8") from None
    except RecursionError:
        raise Unreadable("too_deep") from None
    except Unreadable:
        raise
    except ValueError:  # Python reads no whole number of more than 4,300 digits
        raise Unreadable("number_too_long") from None
    if not isinstance(found, dict):
        raise Unreadable("no_object")
    return found


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise Unreadable("key_twice", name=shown(name))
            seen.add(name)
    return found


def _number(text: str) -> float:
    number = float(text)
    return number if isfinite(number) else _no_number(text)


def _no_number(text: str) -> float:
    """``NaN`` and ``Infinity``, which Python would read, are no JSON; nobody can count with ``1e999``."""
    raise Unreadable("no_number", text=text[:60])


_READER: Final = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_no_number, parse_float=_number)
