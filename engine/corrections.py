"""Corrections: a new event names the one it replaces, and the match is folded again from what is then in force."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final, NamedTuple

from engine.errors import GuandanError, Impossible, Sentence
from engine.events import Event, check

_OWN: Final = ("event", "why", "void")
"""A correction's own fields; every other field replaces the one of that name. ``void`` strikes the event out."""
_RULES: Final = frozenset({"ruleset", "profile", "options"})
"""What the rules that a match line carries were resolved from."""


def effective_events(events: Sequence[Event]) -> list[Event]:
    """The events in force: corrected fields in place, struck events and cancelled rulings left out.

    A correction may itself be corrected or struck out, which restores what it had changed.

    :raises Impossible: when a correction names no earlier event that it could change.
    """
    corrections = [event for event in events if event.do in ("correct", "cancel")]
    if not corrections:
        return list(events)
    by_seq = {event.seq: event for event in events}
    patches: dict[int, dict[str, Any]] = {}
    struck: dict[int, int] = {}
    by: dict[int, Event] = {}
    # Latest first: only a correction that is itself in force changes anything.
    for event in reversed(corrections):
        if event.seq in struck:
            continue
        data: Mapping[str, Any] = {**event.data, **patches.get(event.seq, {})}
        field = "event" if event.do == "correct" else "ruling"
        target = by_seq.get(data[field])
        if target is None or target.seq >= event.seq:
            raise _refused(event, f"nothing_to_{event.do}", line=data[field])
        if event.do == "cancel":
            if target.do != "ruling":
                raise _refused(event, "no_ruling", line=target.seq, do=target.do)
            if target.seq in struck:
                raise _refused(event, "cancelled_already", line=target.seq)
            struck[target.seq] = event.seq
        elif data.get("void") is True:
            if target.do == "match":
                raise _refused(event, "match_line_stays")
            struck.setdefault(target.seq, event.seq)
        else:
            changed = {name: value for name, value in data.items() if name not in _OWN}
            if not changed:
                raise _refused(event, "nothing_to_change")
            patches[target.seq] = {**changed, **patches.get(target.seq, {})}
            by.setdefault(target.seq, event)
    found = []
    for event in events:
        if event.seq in struck:
            continue
        if event.seq in patches:
            patch, data = patches[event.seq], dict(event.data)
            if event.do == "match" and not _RULES.isdisjoint(patch) and "resolved" not in patch:
                data.pop("resolved", None)  # other rules from here on: those that were resolved are no more
            if not {"cards", "card"}.isdisjoint(patch):
                data.pop("sure", None)  # what was not sure has been put right
            event = Event(event.seq, event.do, {**data, **patch}, event.t)
            try:
                check(event)
            except GuandanError as error:
                raise _refused(by[event.seq], "corrected_so", error=error.sentence) from None
        found.append(event)
    return found


def _refused(event: Event, key: str, /, **values: Any) -> Impossible:
    return Impossible("line", line=event.seq, error=Sentence(key, **values))


class Change(NamedTuple):
    """One thing that stands otherwise after the match was folded again."""

    what: str
    """A key of the replay object, ``deal``, ``audit``, ``alert`` or ``line``."""
    which: str
    """The deal's number, the alert's id, the line; empty for a key."""
    before: Any
    after: Any
    """``None`` for an alert that is gone."""

    def __str__(self) -> str:
        name = f"{self.what} {self.which}".strip()
        if self.what == "deal":
            before, after = (_deal_shown(deal) for deal in (self.before, self.after))
            return f"{name}: {before} is now {after}"
        if self.what == "line":
            return f"{name} no longer applies: {self.after}"
        if self.what == "alert":
            return f"{name} ({self.before or self.after}) is {'gone' if self.after is None else 'new'}"
        return f"{name}: {self.before} is now {self.after}"


def differences(before: Mapping[str, Any], after: Mapping[str, Any], lapsed: Mapping[int, Sentence]) -> list[Change]:
    """What stands otherwise between two replay objects; *lapsed* are the lines that no longer apply."""
    found = [
        Change(key, "", before[key], after[key])
        for key in ("levels", "on_stage", "attempts_at_A", "result", "next")
        if before[key] != after[key]
    ]
    for number, (one, two) in enumerate(zip_longest(before["deals"], after["deals"]), 1):
        if _deal(one) != _deal(two):
            found.append(Change("deal", str(number), _deal(one), _deal(two)))
        if one is not None and two is not None and one["audit"] != two["audit"]:
            found.append(Change("audit", str(number), one["audit"], two["audit"]))
    kinds = [{alert["id"]: alert["kind"] for alert in report["alerts"]} for report in (before, after)]
    for id in dict.fromkeys([*kinds[0], *kinds[1]]):
        one, two = (known.get(id) for known in kinds)
        if one != two:
            found.append(Change("alert", id, one, two))
    return found + [Change("line", str(line), None, reason) for line, reason in lapsed.items()]


def _deal(deal: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """What of a deal a change tells: its order and the levels after it."""
    return None if deal is None else {"order": deal["order"], "levels": deal["levels"]}


def _deal_shown(deal: Mapping[str, Any] | None) -> str | None:
    return None if deal is None else f"{' '.join(deal['order'])} {deal['levels']['NS']}-{deal['levels']['EW']}"
