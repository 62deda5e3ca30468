"""Corrections: a new event names the one it replaces, and the match is folded again from what is then in force."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.errors import Impossible
from engine.events import Event, check

_OWN: Final = ("event", "why", "void")
"""A correction's own fields; every other field replaces the one of that name. ``void`` strikes the event out."""


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
    # Latest first: only a correction that is itself in force changes anything.
    for event in reversed(corrections):
        if event.seq in struck:
            continue
        data: Mapping[str, Any] = {**event.data, **patches.get(event.seq, {})}
        field = "event" if event.do == "correct" else "ruling"
        target = by_seq.get(data[field])
        if target is None or target.seq >= event.seq:
            raise Impossible(f"line {event.seq}: there is no earlier line {data[field]} to {event.do}")
        if event.do == "cancel":
            if target.do != "ruling":
                raise Impossible(f"line {event.seq}: line {target.seq} is no ruling but a {target.do}")
            if target.seq in struck:
                raise Impossible(f"line {event.seq}: the ruling of line {target.seq} is cancelled already")
            struck[target.seq] = event.seq
        elif data.get("void") is True:
            if target.do == "match":
                raise Impossible(f"line {event.seq}: the match line cannot be struck out")
            struck.setdefault(target.seq, event.seq)
        else:
            changed = {name: value for name, value in data.items() if name not in _OWN}
            if not changed:
                raise Impossible(f"line {event.seq}: a correction gives the fields to change, or void: true")
            patches[target.seq] = {**changed, **patches.get(target.seq, {})}
    found = []
    for event in events:
        if event.seq in struck:
            continue
        if event.seq in patches:
            event = Event(event.seq, event.do, {**event.data, **patches[event.seq]}, event.t)
            check(event)
        found.append(event)
    return found
