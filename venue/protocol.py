"""How a table and the venue speak: events up, directives down, over plain HTTP. Pure: no socket, no clock, no disk.

Each device is the only writer of its own append-only log; the venue appends what it gets. An event is named by
(device, epoch, seq): seq counts 1, 2, 3… within an epoch, and an epoch is a new random word whenever a device starts a
new log. A batch carries the events after the last acknowledged one; the reply acknowledges by number. Sending again is
always right: what is known is acknowledged, a hole is refused with the seq that is expected, and the same name with
other content is refused for good. Directives travel in the replies and have ids of their own.

The state tables of both ends are literals at the end of this file; ``docs/protocol-sync.md`` is written from them.
This file does not know which end it runs on: :class:`TableSide` and :func:`judge` are the two ends' whole logic.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
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
        return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (ValueError, TypeError, RecursionError) as error:
        raise SyncError("unreadable", f"this cannot be written as JSON: {error}") from None


def _plain(value: Any) -> Any:
    """*value* with whole numbers written one way: 5.0 from one JSON writer is 5 from another."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, (list, tuple)) else value


def _mapping(value: Any, what: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise SyncError("unreadable", f"{what} must be an object")
    return value


def _text(source: Mapping[str, Any], name: str, longest: int = 80) -> str:
    value = source.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= longest or any(ord(letter) < 32 for letter in value):
        raise SyncError("unreadable", f"'{name}' must be a text of 1 to {longest} letters")
    return value


def _count(source: Mapping[str, Any], name: str, least: int = 0, otherwise: int | None = None) -> int:
    value = source.get(name, otherwise)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value < 2**53:
        raise SyncError("unreadable", f"'{name}' must be a whole number from {least}")
    return value


def _number(source: Mapping[str, Any], name: str) -> float | None:
    value = source.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) < 1e12:
        raise SyncError("unreadable", f"'{name}' must be a number")
    return float(value)


def _list(source: Mapping[str, Any], name: str, most: int) -> Sequence[Any]:
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

    def to_json(self) -> dict[str, Any]:
        body: dict[str, Any] = {"seq": self.seq, "event": dict(self.event)}
        for name in ("match", "line", "wall"):
            if (value := getattr(self, name)) is not None:
                body[name] = value
        return body

    @classmethod
    def from_json(cls, source: Any) -> SyncEvent:
        source = _mapping(source, "an event")
        event = dict(_mapping(source.get("event"), "'event'"))
        _text(event, "do", 40)
        match = _text(source, "match") if source.get("match") is not None else None
        line = _count(source, "line", 1) if source.get("line") is not None else None
        if (match is None) != (line is None):
            raise SyncError("unreadable", "'match' and 'line' come together or not at all")
        made = cls(seq=_count(source, "seq", 1), event=event, match=match, line=line, wall=_number(source, "wall"))
        if len(canonical(event).encode()) > MAX_EVENT:
            raise SyncError("too_large", f"event {made.seq} is over {MAX_EVENT} bytes", seq=made.seq)
        return made

    def fingerprint(self) -> str:
        """The hash of everything but the name: equal for a repeat, other for a forgery."""
        body = self.to_json()
        del body["seq"]
        return hashlib.sha256(canonical(_plain(body)).encode()).hexdigest()


TABLE_EVENTS: Final = {
    # what a table's log may hold beside the lines of match records
    "alert": "an alert that the table raised: id, kind, certain, seat, rule, route, and evidence for the referee",
    "case_seen": "the players were shown that a referee comes: alert",
    "paired": "this log begins: what software, which table, what it continues",
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
        source = _mapping(source, "a directive")
        data = dict(_mapping(source.get("data", {}), "'data'"))
        return cls(id=_count(source, "id", 1), do=_text(source, "do", 40), data=data)


DIRECTIVES: Final[dict[str, tuple[str, ...]]] = {
    # do: fields that must be there. A table that does not know a directive answers "refused".
    "seat": ("match", "record"),  # who sits here next; record is the match line that begins the record
    "start": ("match",),
    "stop": ("match", "why"),  # play stops: the round is over or the referee says so
    "extra": ("seconds",),
    "ruling": ("match", "alert", "verdict", "by"),  # becomes a `ruling` line of the record
    "cancel": ("match", "ruling", "by", "why"),  # takes that ruling's line back
    "offence": ("match", "seat", "kind", "note", "by"),  # the referee saw it himself
    "correct": ("match", "event", "by", "why"),
    "case": ("match", "alert", "state"),  # how the call stands, for the players' screen; `who` when taken
    "deck": ("why",),
    "message": ("text",),
    "blink": (),
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
        source = _mapping(source, "an acknowledgement")
        state = _text(source, "state", 20)
        if state not in ("shown", "done", "refused"):
            raise SyncError("unreadable", "'state' of an acknowledgement is shown, done or refused")
        why = _text(source, "why", 200) if source.get("why") is not None else None
        return cls(id=_count(source, "id", 1), state=state, why=why)


@dataclass(frozen=True, kw_only=True)
class Batch:
    """What a table sends: ``POST /v1/sync`` with ``Authorization: Bearer <token>``.

    *after* is the seq that the device holds for acknowledged; *cursor* the last directive's id that it has on disk;
    *status* is how the device fares (unsent, oldest_unsent, version, index_px, light, temperature, wifi, disk…), kept
    as it is.
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
        source = _mapping(source, "a batch")
        if source.get("protocol") != VERSION:
            raise SyncError("version", f"this venue speaks version {VERSION}", speaks=[VERSION])
        events = tuple(SyncEvent.from_json(item) for item in _list(source, "events", MAX_EVENTS))
        for first, second in itertools.pairwise(events):
            if second.seq != first.seq + 1:
                raise SyncError("unreadable", f"event {second.seq} stands after event {first.seq} in one batch")
        status = dict(_mapping(source.get("status", {}), "'status'"))
        if len(canonical(status)) > 4096:
            raise SyncError("too_large", "'status' is over 4096 letters")
        return cls(
            device=_text(source, "device"), epoch=_text(source, "epoch"), after=_count(source, "after", 0, 0),
            events=events, cursor=_count(source, "cursor", 0, 0),
            acks=tuple(Acknowledgement.from_json(item) for item in _list(source, "acks", MAX_EVENTS)),
            status=status, wait=min(max(_number(source, "wait") or 0.0, 0.0), MAX_WAIT),
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What the venue answers to a batch that it took. *lease* is a word of :data:`LEASES`."""

    acked: int
    directives: tuple[Directive, ...] = ()
    time: float = 0.0
    lease: str = "held"

    def to_json(self) -> dict[str, Any]:
        told = [directive.to_json() for directive in self.directives]
        return {"protocol": VERSION, "acked": self.acked, "directives": told, "time": self.time, "lease": self.lease}

    @classmethod
    def from_json(cls, source: Any) -> Reply:
        source = _mapping(source, "a reply")
        told = tuple(Directive.from_json(item) for item in _list(source, "directives", 10_000))
        lease = _text(source, "lease", 20)
        return cls(acked=_count(source, "acked"), directives=told, time=_number(source, "time") or 0.0, lease=lease)


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


# --- the state tables: what each thing may become, and by what -------------------------------------------------------

LINK: Final[dict[str, dict[str, str]]] = {
    # a table's view of its venue; "silent" is SILENT_AFTER seconds without a reply
    "unpaired": {"paired": "syncing"},
    "syncing": {"all_acked": "online", "more": "syncing", "failed": "offline", "silent": "offline",
                "refused": "barred"},
    "online": {"appended": "syncing", "more": "syncing", "all_acked": "online", "failed": "offline",
               "silent": "offline", "refused": "barred"},
    "offline": {"all_acked": "online", "more": "syncing", "failed": "offline", "silent": "offline",
                "appended": "offline", "refused": "barred"},
    "barred": {"paired": "syncing", "appended": "barred"},  # a person must look; the log keeps growing
}  # fmt: skip

DIRECTIVE_STATES: Final[dict[str, dict[str, str]]] = {
    "queued": {"sent": "sent", "shown": "shown", "done": "done", "refused": "refused", "withdrawn": "withdrawn"},
    "sent": {"sent": "sent", "shown": "shown", "done": "done", "refused": "refused"},
    "shown": {"sent": "shown", "shown": "shown", "done": "done", "refused": "refused"},
    "done": {}, "refused": {}, "withdrawn": {},
}  # fmt: skip

CASE_STATES: Final[dict[str, dict[str, str]]] = {
    # a call or an alert on its way through the referees
    "launched": {"take": "in_progress", "defer": "deferred", "resolve": "resolved", "withdraw": "resolved"},
    "in_progress": {"take": "in_progress", "release": "launched", "defer": "deferred", "resolve": "resolved",
                    "withdraw": "resolved"},
    "deferred": {"take": "in_progress", "resolve": "resolved", "withdraw": "resolved"},
    "resolved": {"reopen": "in_progress"},
}  # fmt: skip


def step(table: Mapping[str, Mapping[str, str]], state: str, happening: str) -> str | None:
    """The state after *happening*, or None where the table has no such step: nothing changes then."""
    return table[state].get(happening)


class TableSide:
    """A device's end of the protocol without its socket: what to send next, and what a reply means.

    The device's journal is the outbox: nothing is deleted for being acknowledged, so that a venue restored from an old
    backup gets everything again. *acked* and *cursor* are the only things to remember besides the log, and even they
    may be forgotten (0): the venue's replies set them right.
    """

    FIRST_DELAY: Final = 0.5
    LONGEST_DELAY: Final = 30.0

    def __init__(self, device: str, epoch: str, acked: int = 0, cursor: int = 0, state: str = "syncing") -> None:
        self.device, self.epoch, self.acked, self.cursor, self.state = device, epoch, acked, cursor, state
        self.refusal: SyncError | None = None
        """Why the venue will not have this log; a person must look."""
        self._answers: dict[int, Acknowledgement] = {}
        self._answers_sent: dict[int, Acknowledgement] = {}
        self._failures = 0
        self._last = 0

    def _happened(self, happening: str) -> None:
        self.state = step(LINK, self.state, happening) or self.state

    def answer(self, ack: Acknowledgement) -> None:
        """Say *ack* with the next batch, and with each one after it until a reply shows that it arrived."""
        self._answers[ack.id] = ack

    def kept(self, directive: int) -> None:
        """The directive of this id is on this device's disk: it need not come again."""
        self.cursor = max(self.cursor, directive)

    def batch(self, log: Callable[[int, int], Sequence[SyncEvent]], status: Mapping[str, Any], wait: float) -> Batch:
        """The next thing to send; ``log(after, most)`` reads the journal, *wait* counts when all is sent."""
        events = tuple(log(self.acked, MAX_EVENTS))
        while len(events) > 1 and sum(len(canonical(event.to_json())) for event in events) * 2 > MAX_BODY:
            events = events[: len(events) // 2]
        self._answers_sent = dict(self._answers)
        self._last = events[-1].seq if events else self.acked
        return Batch(
            device=self.device, epoch=self.epoch, after=self.acked, events=events, cursor=self.cursor,
            acks=tuple(self._answers.values()), status=status, wait=0.0 if events or self._answers else wait,
        )  # fmt: skip

    def received(self, status: int, body: Any) -> tuple[Directive, ...]:
        """Take a reply: moves *acked*, and gives the directives that are new, for the device to store and carry out."""
        try:
            if status == 200:
                reply = Reply.from_json(body)
                self._failures, self.acked, self.refusal = 0, reply.acked, None
                sent = self._answers_sent
                self._answers = {key: ack for key, ack in self._answers.items() if sent.get(key) is not ack}
                self._happened("more" if reply.acked < self._last else "all_acked")
                return tuple(directive for directive in reply.directives if directive.id > self.cursor)
            error = _mapping(_mapping(body, "a refusal").get("error"), "'error'")
            code = _text(error, "code")
            if code == "gap":
                self.acked = _count(error, "expected", 1) - 1
                self._happened("more")
            elif code in ERRORS and not ERRORS[code][1]:
                self.refusal = SyncError(code, str(error.get("detail", "")))
                self._happened("refused")
            else:
                self._happened("failed")
        except SyncError:  # a captive portal's page, a proxy's error: no word from the venue
            self._happened("failed")
        return ()

    def failed(self) -> None:
        """No reply came: refused connection, time over, garbage."""
        self._happened("failed")

    def delay(self, chance: float) -> float:
        """Seconds until the next try after a failure; *chance* in 0..1 spreads a hall of tables apart."""
        self._failures = min(self._failures + 1, 10)
        return min(self.LONGEST_DELAY, self.FIRST_DELAY * 2.0**self._failures) * (0.5 + chance / 2)
