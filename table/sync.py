"""The table's line to its venue: the journal goes up, directives come down, and nothing here waits for it.

Two threads. The mouth sends what the journal holds beyond what was acknowledged, as soon as there is something, and
backs off when nobody answers. The ear keeps one request open, so that what the venue says arrives at once. The table
plays on whatever becomes of either: they read the journal and put inputs into its queue, and that is all they share.
"""

from __future__ import annotations

import logging
import queue
import random
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from table.effects import Alert, Effect, Send
from table.inputs import Directed, Input, Linked
from table.journal import Journal
from table.refusals import Sentence
from table.sitting import CHECK_IN
from table.sync_errands import Errands, Reason, Ties, in_words
from table.sync_log import SyncLog
from table.sync_pairing import Pairing
from table.sync_pictures import ShelfPictures
from venue.protocol import Acknowledgement, Directive, SyncError, TableSide, check_directive, line_of

LOG = logging.getLogger("guandan.sync")
HELD_OPEN: Final = 15.0
"""Seconds that the ear's request is held open: the venue hears of the table at least that often."""
ANSWERED_WITHIN: Final = 20.0
"""Seconds for an answer to the mouth, and beyond the time held open to the ear."""
LOOKS: Final = 5.0
"""Seconds between two looks at the journal when nobody said that there is something new."""
HEALTH_STANDS: Final = 10.0
"""Seconds for which what was read of the machine is good."""
TELLS: Final = 2.0
"""Seconds between two words to the screen about how the line is, unless its state changes."""

ONLY_COUNTED: Final = frozenset({"laying_order", "turn_time", "match_limit"})
"""What no table's referee is called for at a friendly table, a demo's neither."""


class Link:
    """The line of one table. *status* gives how the device fares, *now* the table's own time.

    *demo*: alerts that stay among friends travel too, so that a demo's console has something to show.
    """

    def __init__(
        self,
        log: SyncLog,
        journal: Journal,
        put: Callable[[Input], None],
        now: Callable[[], float],
        status: Callable[[], Mapping[str, Any]] = dict,
        version: str = "",
        demo: bool = False,
        pictures: ShelfPictures | None = None,
        errands: Errands | None = None,
    ) -> None:
        self.log, self.journal, self.put, self.now = log, journal, put, now
        self.status, self.version, self.demo, self.pictures = status, version, demo, pictures
        self.errands = errands or Errands()
        self.pairing: Pairing | None = None
        self.side = TableSide("", "", state="unpaired")
        self.language = "zh"
        """What the people at this table, and so its referees, read."""
        self.lease = "held"
        self._contact: float | None = None
        self._said: queue.SimpleQueue[tuple[Alert | Send, float]] = queue.SimpleQueue()
        self._wake, self._stopped = threading.Event(), threading.Event()
        self._lock = threading.Lock()  # the protocol's end is not made for two threads
        self._given: set[int] = set()
        self._sent_at, self._gathering, self._hurried, self._saying = -1e9, 0.0, False, False
        self._told_at, self._told_as = -1e9, ""
        self._looked_at = -1e9
        self._health: Mapping[str, Any] = {}
        self._threads: list[threading.Thread] = []
        self._lines: list[Any] = []
        self._errands_given: queue.SimpleQueue[Directive] = queue.SimpleQueue()

    # -- what the table calls -------------------------------------------------------------------------------------

    def join(self, pairing: Pairing, continues: tuple[str, int] | None = None) -> None:
        """Begin to speak; *continues* names the match that the venue has, and its last line there."""
        self.log.open(pairing.device, self.journal, continues)
        self.pairing = pairing
        log = self.log
        self.side = TableSide(pairing.device, log.epoch, log.acked, int(log.get("cursor", "0")))
        for answer in log.answers():
            self.side.answer(answer)
        log.say({"do": "paired", "version": self.version, "alerts": True}, time.time(), f"paired {log.epoch}")
        if self.pictures is not None:
            self.pictures.begin(log, self.journal)
        self.errands.begin(Ties(log, self._answer, time.time, self._tell, self._wake.set))
        self._lines = [pairing.line(), pairing.line()]
        for name, work in (("venue", self._speak), ("venue-ear", self._listen)):
            self._threads.append(threading.Thread(target=work, name=name, daemon=True))
            self._threads[-1].start()

    def told(self, effects: Iterable[Effect]) -> None:
        """What the table did, once it is on disk: alerts go up at once, and so does everything else."""
        if self.pairing is None:
            return
        for effect in effects:
            if isinstance(effect, Alert) or (isinstance(effect, Send) and self._travels(effect)):
                self._said.put((effect, time.time()))
        self._wake.set()

    def _travels(self, effect: Send) -> bool:
        return effect.topic == CHECK_IN or (self.demo and effect.data.get("kind") not in ONLY_COUNTED)

    def handled(self, given: Input, refusal: str | None = None) -> None:
        """The controller took *given*, or refused it. A directive that became a line is done once that is on disk."""
        if not isinstance(given, Directed) or given.id is None:
            return
        if refusal is not None:
            self._settle(given.id, "refused", refusal[:200])
        elif line_of(Directive(id=given.id, do=given.do, data=given.data)) is None:
            self._settle(given.id, "done", None)
        self._wake.set()

    def flush(self, seconds: float) -> bool:
        """Wait until all is sent, at most *seconds*; whether it is."""
        end, self._hurried = time.monotonic() + seconds, True
        while self.pairing is not None and time.monotonic() < end:
            self._wake.set()
            if not self._unfollowed() and self._all_said() and (self.pictures is None or self.pictures.idle):
                return True
            time.sleep(0.05)
        return self.pairing is None

    def stop(self) -> None:
        """Hang up. What is not sent goes with the next start."""
        self._stopped.set()
        self._wake.set()
        for line in self._lines:
            line.close()
        for thread in self._threads:
            thread.join(3.0)

    def close(self) -> None:
        """Hang up and let go of the file."""
        self.stop()
        self.log.close()

    def _unfollowed(self) -> bool:
        place = int(self.log.get("followed_epoch", "0")), int(self.log.get("followed_line", "0"))
        return bool(self.journal.after(*place, 1))

    def _settle(self, directive: int, state: str, why: str | None) -> None:
        if self.log.settle(directive, state, why):
            with self._lock:
                self.side.answer(Acknowledgement(id=directive, state=state, why=why))

    def _answer(self, directive: int, state: str, why: Reason | None) -> None:
        """An errand says how it stands. That it is on its way is said, and not kept: it goes on after a restart."""
        if state == "shown":
            with self._lock:
                self.side.answer(Acknowledgement(id=directive, state=state))
        else:
            self._settle(directive, state, in_words(why, self.language))
        self._wake.set()

    def _tell(self, sentence: Reason) -> None:
        self.put(Directed(self.now(), "message", {"text": sentence.in_language(self.language)}))

    # -- the mouth ------------------------------------------------------------------------------------------------

    def _speak(self) -> None:
        while not self._stopped.is_set():
            self._wake.clear()
            pause: float | None = None
            self._tend()
            try:
                sent = self._exchange()
                if sent and self.side.state != "barred" and (self._gathering or self._all_said()):
                    pause = 0.0 if not self._gathering and self._sent_a_picture() else self._run_an_errand()
            except Exception:  # whatever stumbled here, what is not sent is in the journal and goes later
                LOG.exception("the line to the venue stumbled")
                sent = False
            self._report()
            if self._stopped.is_set():
                return
            if self.side.state == "barred":
                self._stopped.wait(60.0)
            elif not sent:
                self._stopped.wait(self.side.delay(random.random()))
            elif self._gathering or self._all_said():
                self._wake.wait(min(LOOKS, self._gathering or LOOKS, LOOKS if pause is None else pause))

    def _all_said(self) -> bool:
        return self._said.empty() and not self._saying and self.side.acked >= self.log.last

    def _sent_a_picture(self) -> bool:
        """One piece at a time, so that an event waits for one piece at most."""
        if self.pictures is None or self.pairing is None:
            return False
        try:
            return self.pictures.send_one(self._lines[0], self.pairing.token)
        except OSError:
            return False

    def _tend(self) -> None:
        """Errands look how they stand; those that the venue gave meanwhile begin."""
        try:
            while not self._errands_given.empty():
                self.errands.give(self._errands_given.get())
            self.errands.tend()
        except Exception:  # no errand keeps an event from going up
            LOG.exception("an errand of the venue's stumbled")

    def _run_an_errand(self) -> float | None:
        """Seconds until an errand wants the line again, None while none does."""
        if self.pairing is None or self.lease != "held":
            return None
        try:
            return self.errands.step(self._lines[0], self.pairing.token)
        except OSError:
            return None
        except Exception:
            LOG.exception("an errand of the venue's stumbled")
            return None

    def _exchange(self) -> bool:
        """Send what there is; False when nobody answered."""
        assert self.pairing is not None
        self._saying = True
        said = [self._said.get() for _ in range(self._said.qsize())]
        self.log.follow(self.journal)  # after what was said was taken: the lines it is about are in the journal by now
        for each in said:
            self._say(*each)
        self._saying = False
        if self.pictures is not None:
            for event, name, epoch, line in self.pictures.ready():
                self.log.say(event, time.time(), name, epoch, line)
        self._answer_what_is_done()
        with self._lock:
            batch = self.side.batch(lambda after, most: self.log.events(self.journal, after, most), self._status(), 0)
        self._gathering = 0.0
        if not batch.events and not batch.acks and self._contact is not None:
            return True  # the ear keeps in touch
        since = time.monotonic() - self._sent_at
        if not self._hurried and self.side.may_wait(batch, since):
            self._gathering = max(0.05, self.side.pace - since)
            return True
        self._sent_at = time.monotonic()
        try:
            status, body = self._lines[0].post("/v1/sync", batch.to_json(), self.pairing.token, ANSWERED_WITHIN)
        except OSError:
            with self._lock:
                self.side.failed()
            return False
        with self._lock:
            directives = self.side.received(status, body)
            self.log.acked = self.side.acked
        if status != 200 and self.side.state == "offline":
            return False
        self._heard(status, body, directives)
        return True

    def _answer_what_is_done(self) -> None:
        with self._lock:
            open_here = set(self._given)
        if open_here:
            for answer in self.log.answers():
                if answer.id in open_here:
                    with self._lock:
                        self._given.discard(answer.id)
                        self.side.answer(answer)

    def _say(self, effect: Alert | Send, wall: float) -> None:
        """An alert, with what the table knows of the line that raised it; or who sits here, which is of no line."""
        if isinstance(effect, Send) and effect.topic == CHECK_IN:
            self.log.say({"do": effect.topic, **effect.data}, wall, None)
            return
        epoch = int(self.log.get("followed_epoch", "0"))
        if isinstance(effect, Send):
            event = {"do": effect.topic, **effect.data, "route": "referee"}
        else:
            event = {
                "do": "alert", "id": effect.id, "kind": effect.kind, "certain": effect.certain, "seat": effect.seat,
                "rule": effect.rule, "route": effect.route,
            }  # fmt: skip
        number = str(event.get("id", "")).partition(".")[0]
        if not number.isdecimal() or not epoch:  # of no line: a covered camera
            event.pop("id", None)
            self.log.say(event, wall, None)
            return
        line = int(number)
        event["evidence"] = self._evidence(epoch, line)
        name = f"{self.log.name_of(epoch, self.journal)} {event['id']}"
        self.log.say(event, wall, name, epoch, line)

    def _evidence(self, epoch: int, line: int) -> dict[str, Any]:
        found = self.journal.after(epoch, line - 1, 1)
        if not found or (found[0].epoch, found[0].seq) != (epoch, line):
            return {}
        entry = found[0]
        told = {
            "touched": entry.payload.get("t"), "settled": entry.payload.get("settled"),
            "sure": entry.evidence.get("sure"), "options": entry.evidence.get("options"),
            "reading_ms": entry.evidence.get("ms"), "camera": self._fares().get("camera"),
        }  # fmt: skip
        return {name: value for name, value in told.items() if value is not None}

    def _fares(self) -> Mapping[str, Any]:
        if time.monotonic() - self._looked_at > HEALTH_STANDS:
            self._looked_at, self._health = time.monotonic(), self.status()
        return self._health

    def _status(self) -> dict[str, Any]:
        unsent, oldest = max(0, self.log.last - self.side.acked), self.log.oldest(self.side.acked)
        age = 0.0 if oldest is None else max(0.0, time.time() - oldest)
        told = {"unsent": unsent, "oldest_unsent": round(age, 1), "version": self.version, **self._fares(),
                **self.errands.status()}  # fmt: skip
        return told | ({"asks_per_deal": round(self.log.asked / self.log.deals, 2)} if self.log.deals else {})

    # -- the ear --------------------------------------------------------------------------------------------------

    def _listen(self) -> None:
        for directive in self.log.unsettled():
            if not self._journaled(directive):
                self._give(directive)
        while not self._stopped.is_set():
            if self._contact is None or self.side.state in ("offline", "barred"):
                self._stopped.wait(0.2)  # the mouth finds the way back
                self._report()
                continue
            try:
                self._hold_open()
            except OSError:
                with self._lock:
                    self.side.failed()
                self._wake.set()
                self._stopped.wait(0.5)
            except Exception:
                LOG.exception("the line to the venue stumbled")
                self._stopped.wait(1.0)

    def _journaled(self, directive: Directive) -> bool:
        """Whether the line that carries *directive* out was written just before the power went."""
        self.log.follow(self.journal)
        return all(each.id != directive.id for each in self.log.unsettled())

    def _hold_open(self) -> None:
        assert self.pairing is not None
        with self._lock:
            batch = self.side.ear(self._status(), HELD_OPEN)
        within = HELD_OPEN + ANSWERED_WITHIN
        status, body = self._lines[1].post("/v1/sync", batch.to_json(), self.pairing.token, within)
        with self._lock:
            directives = self.side.overheard(batch, status, body)
        self._heard(status, body, directives)
        if status != 200:
            self._stopped.wait(1.0)

    # -- both -----------------------------------------------------------------------------------------------------

    def _heard(self, status: int, body: Any, directives: Iterable[Directive]) -> None:
        if status == 200:
            self._contact = self.now()
            self.lease = str(body.get("lease", "held"))
        new = self.log.keep(directives)
        with self._lock:
            for each in new:
                self.side.kept(each.id)
        for each in new:
            self._give(each)
        self._report()

    def _give(self, directive: Directive) -> None:
        self._given.add(directive.id)
        try:
            check_directive(directive.do, directive.data)
        except SyncError:  # of a newer venue, or none of ours
            told = Sentence("unclear", name=directive.do).in_language(self.language)
            self._settle(directive.id, "refused", told[:200])
            return
        if self.errands.does(directive.do):
            self._errands_given.put(directive)  # it runs on the mouth's thread
            self._wake.set()
            return
        wanted, name = directive.data.get("match"), self._match()
        if wanted is not None and wanted != name and directive.do not in ("seat", "start"):
            # of a match that is over here, or was another device's
            self._settle(directive.id, "refused", Sentence("not_on", match=wanted).in_language(self.language)[:200])
            self._wake.set()
            return
        self.put(Directed(self.now(), directive.do, dict(directive.data), directive.id))

    def _match(self) -> str | None:
        self.log.follow(self.journal)
        epoch = int(self.log.get("followed_epoch", "0"))
        return self.log.name_of(epoch, self.journal) if epoch else None

    def _report(self) -> None:
        """Tell the screen how the line is: at once when its state changed, else now and then."""
        now, state = time.monotonic(), self.side.state if self.lease == "held" else self.lease
        if state == self._told_as and now - self._told_at < TELLS:
            return
        self._told_at, self._told_as = now, state
        unsent = max(0, self.log.last - self.side.acked)
        self.put(Linked(self.now(), state, unsent, self._contact, self.pairing.table if self.pairing else ""))
