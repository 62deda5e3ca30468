"""What travels between a table and the venue, and the verdict on a batch."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from engine.errors import GuandanError

VERSION: Final = 1
MAX_EVENTS: Final = 200
"""Events in one batch."""
MAX_BODY: Final = 512 * 1024
"""Bytes of one request's body."""
MAX_EVENT: Final = 32 * 1024
"""Bytes of one event as it travels: pictures go apart."""
MAX_WAIT: Final = 25.0
"""Seconds that a long poll is held open."""
MAX_PACE: Final = 20.0
"""Seconds that a venue may ask its tables to gather events."""
LEISURELY: Final = frozenset({"turn", "tribute", "return", "play", "pass", "report"})
"""Events that may wait while others gather: no level, no call and nobody's screen hangs on them."""
SILENT_AFTER: Final = 25.0
"""Seconds without a word after which either end says that it is not connected."""

ERRORS: Final[dict[str, tuple[int, bool, str]]] = {
    # code: (HTTP status, whether sending again later can help, what it means)
    "unreadable": (400, False, "the request is no message of this protocol"),
    "unknown_device": (401, False, "no such token, or it was revoked: pair again"),
    "bad_code": (403, False, "the pairing code is wrong, used or older than five minutes"),
    "other_device": (403, False, "the token belongs to another device than the one named"),
    "gap": (409, True, "events are missing: send from `expected` on"),
    "conflict": (409, False, "an event of this name is stored with other content; a person must look"),
    "too_large": (413, False, "the batch or one of its events is over the limit"),
    "version": (426, False, "this venue speaks another version of the protocol"),
    "slow_down": (429, True, "too many requests: wait `retry_after` seconds"),
    "unavailable": (503, True, "the venue cannot store at the moment; nothing was taken"),
    "gone": (404, False, "no such file is handed to this table, or not any more"),
    "not_now": (409, True, "an event is on: no release is given out between check-in and prizes"),
}


class SyncError(GuandanError):
    """A message that is refused. *code* is a key of :data:`ERRORS`; *facts* travel with it (``expected``, ``seq``)."""

    def __init__(self, code: str, detail: str, **facts: Any) -> None:
        super().__init__(detail)
        self.code, self.detail, self.facts = code, detail, facts

    @property
    def status(self) -> int:
        """The HTTP status that carries it."""
        return ERRORS[self.code][0]

    @property
    def again(self) -> bool:
        """Whether the same sender may try again later."""
        return ERRORS[self.code][1]

    def to_json(self) -> dict[str, Any]:
        return {"protocol": VERSION, "error": {"code": self.code, "detail": self.detail, **self.facts}}


def canonical(value: Any) -> str:
    """*value* as JSON with sorted keys and no spaces: what two ends compare and hash.

    :raises SyncError: when it holds NaN or infinity, or nests too deeply, which JSON readers disagree about.
    """
    try:
        return _encode(value)
    except (ValueError, TypeError, RecursionError) as error:
        raise SyncError("unreadable", f"this cannot be written as JSON: {error}") from None


_encode: Final = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode


def _plain(value: Any) -> Any:
    """*value* with whole numbers written one way: 5.0 from one JSON writer is 5 from another."""
    kind = type(value)
    if kind is float:
        return int(value) if value.is_integer() and abs(value) < 2**53 else value
    if kind is dict:
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if kind is list or kind is tuple else value


def as_object(value: Any, what: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise SyncError("unreadable", f"{what} must be an object")
    return value


_CONTROL: Final = re.compile(r"[\x00-\x1f]")


def as_text(source: Mapping[str, Any], name: str, longest: int = 80) -> str:
    value = source.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= longest or _CONTROL.search(value):
        raise SyncError("unreadable", f"'{name}' must be a text of 1 to {longest} letters")
    return value


def as_count(source: Mapping[str, Any], name: str, least: int = 0, otherwise: int | None = None) -> int:
    value = source.get(name, otherwise)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value < 2**53:
        raise SyncError("unreadable", f"'{name}' must be a whole number from {least}")
    return value


def as_number(source: Mapping[str, Any], name: str) -> float | None:
    value = source.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) < 1e12:
        raise SyncError("unreadable", f"'{name}' must be a number")
    return float(value)


def as_list(source: Mapping[str, Any], name: str, most: int) -> Sequence[Any]:
    value = source.get(name, [])
    if not isinstance(value, list):
        raise SyncError("unreadable", f"'{name}' must be a list")
    if len(value) > most:
        raise SyncError("too_large", f"'{name}' may hold {most} entries at most")
    return value


@dataclass(frozen=True, kw_only=True)
class SyncEvent:
    """One event of a device's log as it travels.

    *event* is a line of the match record, word for word (``{"do":"play",…}``), or one of the :data:`TABLE_EVENTS`;
    *match* and *line* say whose record and which line of it, and are None for what belongs to no record. *wall* is the
    device's own clock in seconds since 1970, shown and never trusted: order is by *seq*.
    """

    seq: int
    event: Mapping[str, Any]
    match: str | None = None
    line: int | None = None
    wall: float | None = None

    @property
    def do(self) -> str:
        return str(self.event["do"])

    @cached_property
    def text(self) -> str:
        """The event as :func:`canonical` writes it."""
        return canonical(self.event)

    def to_json(self) -> dict[str, Any]:
        body: dict[str, Any] = {"seq": self.seq, "event": dict(self.event)}
        for name in ("match", "line", "wall"):
            if (value := getattr(self, name)) is not None:
                body[name] = value
        return body

    @classmethod
    def from_json(cls, source: Any) -> SyncEvent:
        source = as_object(source, "an event")
        event = dict(as_object(source.get("event"), "'event'"))
        as_text(event, "do", 40)
        match = as_text(source, "match") if source.get("match") is not None else None
        line = as_count(source, "line", 1) if source.get("line") is not None else None
        if (match is None) != (line is None):
            raise SyncError("unreadable", "'match' and 'line' come together or not at all")
        made = cls(seq=as_count(source, "seq", 1), event=event, match=match, line=line, wall=as_number(source, "wall"))
        if len(made.text.encode()) > MAX_EVENT:
            raise SyncError("too_large", f"event {made.seq} is over {MAX_EVENT} bytes", seq=made.seq)
        return made

    def fingerprint(self) -> str:
        """The hash of everything but the name: equal for a repeat, other for a forgery."""
        event = self.text
        if ".0" in event:  # only then can a whole number be written with a point
            event = canonical(_plain(self.event))
        parts = [f'"event":{event}']
        if self.line is not None:
            parts.append(f'"line":{self.line}')
        if self.match is not None:
            parts.append(f'"match":{canonical(self.match)}')
        if self.wall is not None:
            parts.append(f'"wall":{canonical(_plain(self.wall))}')
        return hashlib.sha256(f"{{{','.join(parts)}}}".encode()).hexdigest()


TABLE_EVENTS: Final = {
    # what a table's log may hold beside the lines of match records
    "alert": "an alert that the table raised: id, kind, certain, seat, rule, route, and evidence for the referee",
    "evidence": "pictures of an alert that are ready: alert, files (sha256, size, type, kind), sent apart by hash",
    "check_in": "who sits here says so: sides (NS, EW) that did, match they were seated for or null, profile",
    "case_seen": "the players were shown that a referee comes: alert",
    "paired": "this log begins: version; alerts true: this table says itself which alerts it raises",
    "deck_learned": "a deck profile was learned here: sha256, size, name; sent apart by hash",
    "trouble": "the device reports itself: camera, power, heat, disk: kind, words",
}


@dataclass(frozen=True, kw_only=True)
class Directive:
    """One thing the venue tells a table. *id* counts up over the whole venue; *do* is a key of :data:`DIRECTIVES`."""

    id: int
    do: str
    data: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {"id": self.id, "do": self.do, "data": dict(self.data)}

    @classmethod
    def from_json(cls, source: Any) -> Directive:
        source = as_object(source, "a directive")
        data = dict(as_object(source.get("data", {}), "'data'"))
        return cls(id=as_count(source, "id", 1), do=as_text(source, "do", 40), data=data)


DIRECTIVES: Final[dict[str, tuple[str, ...]]] = {
    # do: fields that must be there. A table that does not know a directive answers "refused".
    "seat": ("match", "record"),  # who sits here next; record is the match line that begins the record
    "start": ("match",),
    "stop": ("match", "why"),  # play stops: the round is over or the referee says so
    "extra": ("seconds",),
    "ruling": ("match", "alert", "verdict", "by", "who"),  # `by` is table or chief, `who` a name
    "cancel": ("match", "ruling", "who", "why"),  # takes that ruling's line back
    "offence": ("match", "seat", "kind", "note", "who"),  # the referee saw it himself
    "correct": ("match", "event", "who", "why"),
    "case": ("match", "alert", "state"),  # how the call stands, for the players' screen; `who` when taken
    "deck": ("why",),
    "message": ("text",),
    "blink": (),
    "deck_profile": ("sha256", "size", "name"),  # read with it from the next deal on; sha256 "": as common cards
    "release": ("sha256", "size", "release", "version", "python", "processor"),  # take it, start it when no match is on
}


RECORD_DIRECTIVES: Final = frozenset({"ruling", "cancel", "offence", "correct", "extra"})
"""Directives that the table carries out by appending a line to its match's record."""


def line_of(directive: Directive) -> dict[str, Any] | None:
    """The line of the record by which a table carries out *directive*, None when it is no line's business."""
    if directive.do not in RECORD_DIRECTIVES:
        return None
    return {"do": directive.do} | {
        name: value for name, value in directive.data.items() if name not in ("match", "case")
    }


def check_directive(do: str, data: Mapping[str, Any]) -> None:
    """Refuse a directive that no table could carry out.

    :raises SyncError: for a kind that does not exist or a field that is missing.
    """
    if do not in DIRECTIVES:
        raise SyncError("unreadable", f"there is no directive '{do}'")
    for name in DIRECTIVES[do]:
        if data.get(name) is None:
            raise SyncError("unreadable", f"directive '{do}' needs '{name}'")


@dataclass(frozen=True, kw_only=True)
class Acknowledgement:
    """What a table says of a directive: a word of :data:`DIRECTIVE_STATES` that ends it, or ``"shown"``."""

    id: int
    state: str
    why: str | None = None

    def to_json(self) -> dict[str, Any]:
        return {"id": self.id, "state": self.state} | ({"why": self.why} if self.why else {})

    @classmethod
    def from_json(cls, source: Any) -> Acknowledgement:
        source = as_object(source, "an acknowledgement")
        state = as_text(source, "state", 20)
        if state not in ("shown", "done", "refused"):
            raise SyncError("unreadable", "'state' of an acknowledgement is shown, done or refused")
        why = as_text(source, "why", 200) if source.get("why") is not None else None
        return cls(id=as_count(source, "id", 1), state=state, why=why)


STATUS: Final = {
    # how a device fares; what it does not know it leaves out
    "unsent": "events that are not acknowledged",
    "oldest_unsent": "seconds since the oldest of them",
    "version": "the program's",
    "index_px": "height in pixels of an index at the seat where it is smallest",
    "light": "a word of LIGHTS",
    "temperature": "degrees Celsius",
    "undervoltage": "whether power fell too low since the start",
    "wifi": "dBm",
    "disk": "gigabytes free",
    "asks_per_deal": "questions put to the players",
    "deck": "SHA-256 of the deck profile that it reads with, empty for common cards",
    "release": "name of the installed release, where one is installed",
    "platform": "Python and processor that a release has to be made for",
    "update": "how far it is with a release: a word of UPDATES",
    "fetched": "per cent of it that are here",
}
LIGHTS: Final = ("fine", "dark", "bright", "uneven")
UPDATES: Final = ("fetching", "checking", "staging", "waiting", "switching")


@dataclass(frozen=True, kw_only=True)
class Batch:
    """What a table sends: ``POST /v1/sync`` with ``Authorization: Bearer <token>``.

    *after* is the seq that the device holds for acknowledged; *cursor* the last directive's id that it has on disk;
    *status* is how the device fares, by the names of :data:`STATUS`; what else stands there is kept as it is.
    """

    device: str
    epoch: str
    after: int = 0
    events: tuple[SyncEvent, ...] = ()
    cursor: int = 0
    acks: tuple[Acknowledgement, ...] = ()
    status: Mapping[str, Any] = field(default_factory=dict)
    wait: float = 0.0

    def to_json(self) -> dict[str, Any]:
        return {
            "protocol": VERSION, "device": self.device, "epoch": self.epoch, "after": self.after,
            "events": [event.to_json() for event in self.events], "cursor": self.cursor,
            "acks": [ack.to_json() for ack in self.acks], "status": dict(self.status), "wait": self.wait,
        }  # fmt: skip

    @classmethod
    def from_json(cls, source: Any) -> Batch:
        source = as_object(source, "a batch")
        if source.get("protocol") != VERSION:
            raise SyncError("version", f"this venue speaks version {VERSION}", speaks=[VERSION])
        events = tuple(SyncEvent.from_json(item) for item in as_list(source, "events", MAX_EVENTS))
        for first, second in itertools.pairwise(events):
            if second.seq != first.seq + 1:
                raise SyncError("unreadable", f"event {second.seq} stands after event {first.seq} in one batch")
        status = dict(as_object(source.get("status", {}), "'status'"))
        if len(canonical(status)) > 4096:
            raise SyncError("too_large", "'status' is over 4096 letters")
        return cls(
            device=as_text(source, "device"), epoch=as_text(source, "epoch"), after=as_count(source, "after", 0, 0),
            events=events, cursor=as_count(source, "cursor", 0, 0),
            acks=tuple(Acknowledgement.from_json(item) for item in as_list(source, "acks", MAX_EVENTS)),
            status=status, wait=min(max(as_number(source, "wait") or 0.0, 0.0), MAX_WAIT),
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What the venue answers to a batch that it took. *lease* is a word of :data:`LEASES`.

    *pace*: seconds for which the device may gather events of :data:`LEISURELY` before it sends again; a large hall
    asks for some, so that it need not answer every card by itself.
    """

    acked: int
    directives: tuple[Directive, ...] = ()
    time: float = 0.0
    lease: str = "held"
    pace: float = 0.0

    def to_json(self) -> dict[str, Any]:
        told = [directive.to_json() for directive in self.directives]
        said = {"protocol": VERSION, "acked": self.acked, "directives": told, "time": self.time, "lease": self.lease}
        return said | ({"pace": self.pace} if self.pace else {})

    @classmethod
    def from_json(cls, source: Any) -> Reply:
        source = as_object(source, "a reply")
        told = tuple(Directive.from_json(item) for item in as_list(source, "directives", 10_000))
        return cls(
            acked=as_count(source, "acked"), directives=told, time=as_number(source, "time") or 0.0,
            lease=as_text(source, "lease", 20), pace=min(max(as_number(source, "pace") or 0.0, 0.0), MAX_PACE),
        )  # fmt: skip


LEASES: Final = {
    "held": "this device is its table's one voice",
    "replaced": "another device has the table; late events are still taken, and flagged",
    "none": "this device has no table yet; its events wait for one",
}


@dataclass(frozen=True)
class Verdict:
    """What is to be done with a batch: store *fresh*, acknowledge up to *acked*."""

    fresh: tuple[SyncEvent, ...]
    acked: int


def judge(events: Iterable[SyncEvent], known: int, fingerprint_of: Callable[[int], str | None]) -> Verdict:
    """Split *events* of one (device, epoch) into fresh ones and repeats; *known* is the highest seq stored.

    :raises SyncError: ``gap`` with ``expected``, or ``conflict`` with ``seq``; nothing is to be stored then.
    """
    fresh: list[SyncEvent] = []
    for event in events:
        if event.seq <= known:
            if fingerprint_of(event.seq) != event.fingerprint():
                raise SyncError("conflict", f"event {event.seq} is stored with other content", seq=event.seq)
        elif event.seq != known + len(fresh) + 1:
            expected = known + len(fresh) + 1
            raise SyncError("gap", f"event {expected} is missing before event {event.seq}", expected=expected)
        else:
            fresh.append(event)
    return Verdict(tuple(fresh), known + len(fresh))
