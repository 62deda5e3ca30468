"""The values of a ruleset's keys: each checked by its type and its choices, and all of them against one another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from engine.cards import RANKS, shown
from engine.errors import Sentence, Unreadable
from engine.keys import BY_NAME, EFFECTS, OFFENCES, ROUTES, SEEN_BY_REFEREE, Keys, Ladder, Total, is_effect

ORDERS: Final = ("1-2", "1-3", "1-4")
"""How a deal may end, from the winning side's view: the places of first and of first's partner."""
_MOST: Final = 10**9
"""No number of a ruleset is larger: a clock must be able to count with it."""


def checked(name: str, value: Any, file: str) -> Any:
    """*value* as the key *name* keeps it.

    :raises Unreadable: when type or value do not fit, with file, key and reason.
    """
    entry = BY_NAME[name]
    kind, meta = str(entry.type), entry.metadata

    def refuse(reason: str, /, **values: Any) -> Unreadable:
        return Unreadable("key_value", file=file, name=name, reason=Sentence(reason, **values), value=shown(value))

    if name in ("route", "offence", "total"):
        return _law(name, value, file)
    if kind == "bool":
        if not isinstance(value, bool):
            raise refuse("true_or_false")
        return value
    if kind == "int":
        if isinstance(value, bool) and name.startswith("streak_"):
            return int(value)
        if isinstance(value, bool) or not isinstance(value, int) or value < meta["least"]:
            raise refuse("whole_number", least=meta["least"])
        if value > _MOST:
            raise refuse("number_too_large", most=_MOST)
        return value
    if kind == "str":
        if not isinstance(value, str) or (meta["choices"] and value not in meta["choices"]):
            raise refuse("one_of" if meta["choices"] else "a_text", words=meta["choices"])
        if name == "win_after_fall" and value and value not in tuple(RANKS):
            raise refuse("level_or_empty")
        return value
    if not isinstance(value, (list, tuple)):
        raise refuse("a_list")
    for item in value:
        if not _item_fits(item, meta["each"]):
            raise refuse(f"each_{meta['each']}")
    return tuple(value)


def _item_fits(item: Any, each: str) -> bool:
    if each == "count":
        return isinstance(item, int) and not isinstance(item, bool) and 0 <= item <= _MOST
    if each == "reminder":
        return item == "half" or _item_fits(item, "count")
    choices = {
        "rank": tuple(RANKS), "order": ORDERS, "fall": (*RANKS, "stay", "opponents"),
        "pass": ("pressed", "referee", "implied"),
    }  # fmt: skip
    return item in choices[each]


def _law(name: str, value: Any, file: str) -> dict[str, Any]:
    """The tables ``[route]``, ``[offence.KIND]`` and ``[total.NAME]``."""
    if not isinstance(value, Mapping):
        raise Unreadable("a_table", where=f"{file}: {name}")
    for kind, content in value.items():
        if name != "total" and kind not in OFFENCES and not (name == "offence" and kind in SEEN_BY_REFEREE):
            kinds = OFFENCES if name == "route" else (*OFFENCES, *SEEN_BY_REFEREE)
            raise Unreadable("no_kind", file=file, section=name, kind=kind, kinds=kinds)
        if name == "route" and content not in ROUTES:
            one_of = Sentence("one_of", words=ROUTES)
            raise Unreadable("key_value", file=file, name=f"route.{kind}", reason=one_of, value=shown(content))
    if name == "route":
        return dict(value)
    maker = Ladder if name == "offence" else Total
    return {kind: _entry(maker, content, f"{file}: {name}.{kind}") for kind, content in value.items()}


def _entry(maker: type[Ladder] | type[Total], content: Any, where: str) -> Ladder | Total:
    if not isinstance(content, Mapping):
        raise Unreadable("a_table", where=where)
    known = {entry.name for entry in fields(maker)}
    made: dict[str, Any] = {}
    for name, value in content.items():
        if name not in known:
            raise Unreadable("no_key_here", where=where, name=name, names=sorted(known))
        words = {
            "counts": ("player", "side", "pair"), "within": ("trick", "deal", "match"), "ruled_by": ("table", "chief"),
        }.get(name)  # fmt: skip
        if words and value not in words:
            raise odd(where, name, Sentence("one_of", words=words), value)
        if name in _LISTS and not isinstance(value, (list, tuple)):
            raise odd(where, name, Sentence("a_list"), value)
        if name in ("before_play", "late", "choices", "effects"):
            value = _effects(value, f"{where}.{name}")
        elif name == "steps":
            value = tuple(_effects(step, f"{where}.steps") for step in value)
        elif name in ("kinds", "together"):
            unknown = [kind for kind in value if kind not in (*OFFENCES, *SEEN_BY_REFEREE, "foul")]
            if unknown:
                raise Unreadable("no_offence", where=f"{where}.{name}", kind=shown(unknown[0]))
            value = tuple(value)
        elif name in ("at", "late_after") and not _item_fits(value, "count"):
            raise odd(where, name, Sentence("whole_number", least=0), value)
        elif name in ("source", "zh", "en") and not isinstance(value, str):
            raise odd(where, name, Sentence("a_text"), value)
        elif name in ("repeat", "automatic") and not isinstance(value, bool):
            raise odd(where, name, Sentence("true_or_false"), value)
        made[name] = value
    try:
        return maker(**made)
    except TypeError:
        missing = next(name for name in ("kinds", "at", "effects") if name not in made)
        raise Unreadable("key_lacking", where=where, name=missing) from None


def odd(where: str, name: str, reason: Sentence, value: Any) -> Unreadable:
    file, _, path = where.partition(": ")
    return Unreadable("key_value", file=file, name=f"{path}.{name}".strip("."), reason=reason, value=shown(value))


_LISTS: Final = ("steps", "before_play", "late", "choices", "effects", "kinds", "together")


def _effects(value: Any, where: str) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)):
        raise Unreadable("lists_of_effects", where=where, value=shown(value))
    for effect in value:
        if not is_effect(effect):
            raise Unreadable("no_effect", name=where, effect=shown(effect), effects=EFFECTS)
    return tuple(value)


def refuse_contradictions(ruleset: Keys, file: str) -> None:
    """Refuse keys that cannot stand together.

    :raises Unreadable: at the first two, naming *file*.
    """
    told = [
        (ruleset.A_tries > 0 and not ruleset.A_falls, "clash_tries"),
        (0 < ruleset.turn_foul < ruleset.turn_warning, "clash_turn"),
        (ruleset.knockout and ruleset.best_of % 2 == 0, "clash_best_of"),
        (len(ruleset.gains) != 3, "clash_gains"),
        (len(ruleset.points) not in (3, 4), "clash_points"),
        (not ruleset.passing_A, "clash_passing_A"),
        (ruleset.report_at > 26, "clash_report_at"),
    ]
    keys = ("turn_foul", "turn_warning", "report_at")
    for wrong, key in told:
        if wrong:
            raise Unreadable(key, file=file, **{name: getattr(ruleset, name) for name in keys})
