"""Between controller and journal: effects to entries on disk, and entries back to events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from engine.events import Event
from table.effects import Append, Effect
from table.journal import Entry, Journal, Ticket
from table.tally import Journaled


class Ledger:
    """Writes one match after another into a journal; *wall* tells the time of day in seconds."""

    def __init__(self, journal: Journal, wall: Callable[[], float], device: str = "table", epoch: int = 0) -> None:
        self.journal, self.wall, self.device = journal, wall, device
        self.epoch = epoch

    def put(self, effects: Iterable[Effect]) -> Ticket | None:
        """Send what has to be written to the disk; the receipt, or None when there was nothing."""
        entries = [self._entry(effect) for effect in effects if isinstance(effect, Append)]
        return self.journal.append(entries) if entries else None

    def _entry(self, effect: Append) -> Entry:
        event = effect.event
        if event.do == "match":
            self.epoch += 1
        payload = dict(event.data) if event.t is None else {**event.data, "t": event.t}
        return Entry(
            event.do, payload, self.device, self.epoch, event.seq, effect.monotonic, self.wall(), dict(effect.evidence)
        )

    @property
    def trouble(self) -> str | None:
        """What keeps the disk from taking events, see :attr:`table.journal.Journal.trouble`; None when all is well."""
        return self.journal.trouble if self.journal.unsaved else None

    def match(self, epoch: int) -> list[Journaled]:
        """The events of one match with their evidence."""
        return events_of(self.journal.entries(epoch))


def events_of(entries: Sequence[Entry]) -> list[Journaled]:
    """Journal entries as events."""
    found: list[Journaled] = []
    for entry in entries:
        data = dict(entry.payload)
        t = data.pop("t", None)
        found.append((Event(entry.seq, entry.kind, data, t), entry.evidence))
    return found
