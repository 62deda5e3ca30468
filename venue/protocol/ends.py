"""A device's end of the protocol without its socket."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from venue.protocol.messages import (
    ERRORS,
    LEISURELY,
    MAX_BODY,
    MAX_EVENTS,
    Acknowledgement,
    Batch,
    Directive,
    Reply,
    SyncError,
    SyncEvent,
    as_count,
    as_object,
    as_text,
    canonical,
)
from venue.protocol.states import LINK, step


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
        self.pace = 0.0
        """Seconds for which the venue lets leisurely events gather."""
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
        self.cursor = directive  # a venue that was restored counts from where it was

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
        """Take a reply: moves *acked*, and gives the directives, for the device to store and carry out.

        One may come again, and after a restore from an old backup a venue may use an id again for something else: id
        and content together say whether a directive is known.
        """
        try:
            if status == 200:
                reply = Reply.from_json(body)
                self._failures, self.acked, self.refusal, self.pace = 0, reply.acked, None, reply.pace
                sent = self._answers_sent
                self._answers = {key: ack for key, ack in self._answers.items() if sent.get(key) is not ack}
                self._happened("more" if reply.acked < self._last else "all_acked")
                return reply.directives
            error = as_object(as_object(body, "a refusal").get("error"), "'error'")
            code = as_text(error, "code")
            if code == "gap":
                self.acked = as_count(error, "expected", 1) - 1
                self._happened("more")
            elif code in ERRORS and not ERRORS[code][1]:
                self.refusal = SyncError(code, str(error.get("detail", "")))
                self._happened("refused")
            else:
                self._happened("failed")
        except SyncError:  # a captive portal's page, a proxy's error: no word from the venue
            self._happened("failed")
        return ()

    # -- a second line, held open for what the venue has to say ---------------------------------------------------

    def ear(self, status: Mapping[str, Any], wait: float) -> Batch:
        """A batch that carries nothing up, to be held open beside the sender's line: a directive comes at once."""
        return Batch(
            device=self.device, epoch=self.epoch, after=self.acked, cursor=self.cursor, status=status, wait=wait
        )  # fmt: skip

    def overheard(self, asked: Batch, status: int, body: Any) -> tuple[Directive, ...]:
        """Take the reply to :meth:`ear`'s batch *asked*: its directives.

        It was held open, so what it says of *acked* may be old news. Only a venue that holds less than it did when
        the line was opened, and nobody has spoken since, has lost something: it was restored, and gets it again.
        """
        if status != 200:
            return self.received(status, body)
        try:
            reply = Reply.from_json(body)
        except SyncError:
            self._happened("failed")
            return ()
        if reply.acked < asked.after == self.acked:
            self.acked = reply.acked
            self._happened("more")
        return reply.directives

    def may_wait(self, batch: Batch, since: float) -> bool:
        """Whether *batch* may gather more, *since* seconds after the last one: it holds nothing that is urgent."""
        full = len(batch.events) >= MAX_EVENTS or batch.acks
        return since < self.pace and not full and all(event.do in LEISURELY for event in batch.events)

    def failed(self) -> None:
        """No reply came: refused connection, time over, garbage."""
        self._happened("failed")

    def delay(self, chance: float) -> float:
        """Seconds until the next try after a failure; *chance* in 0..1 spreads a hall of tables apart."""
        self._failures = min(self._failures + 1, 10)
        return min(self.LONGEST_DELAY, self.FIRST_DELAY * 2.0**self._failures) * (0.5 + chance / 2)
