"""The storm's tables: links that lose, hold up, double and overtake what is sent; plugs that are pulled.

Nothing here is kind to the venue: a request that its table has given up on may arrive seconds later, after newer ones,
or at another worker at the same moment; an answer may get lost after everything in it was stored; a table that comes
back knows its journal and nothing else, perhaps not even how far it was sent.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

from benchmarks.venue_tables import Measured, Table, Wire
from venue.protocol import Acknowledgement, Directive, TableSide, line_of

DROPPED: Final = 0.04
OVERTAKEN: Final = 0.03
UNHEARD: Final = 0.04
TWICE: Final = 0.03
SLOW: Final = 0.06
"""Shares of a table's requests that never arrive; that arrive after newer ones, when nobody waits for them any more;
whose answer never arrives; that arrive twice at the same moment; that are held up."""
LATEST: Final = 6.0
"""Seconds within which what was overtaken arrives."""
DEATHS: Final = 0.75
"""How often a table's plug is pulled in a storm, on average."""


class Stormy(Table):
    """A table on a bad link, in a building with bad wiring. *dies* are the moments at which its plug is pulled."""

    def __init__(
        self, device: str, token: str, port: Callable[[], int], seen: Measured, rng: random.Random,
        weather: Counter[str], dies: Sequence[float] = (),
    ) -> None:  # fmt: skip
        super().__init__(device, token, port, seen)
        self.rng, self.weather, self.port = rng, weather, port
        self.retry = 0.2  # sooner than a hall's tables would: a storm is short
        self.dies = sorted(dies)
        self.taken_back = 0
        """Answers that acknowledged less than an earlier one had: something that was promised to be stored was not."""
        self.inherited: list[dict[str, Any]] = []
        """Lines of the match that another machine had begun here."""
        self.sent_lines: dict[str, list[dict[str, Any]]] = {}
        """By match: its record as this table knows it."""
        self._promised = 0
        self._answers: dict[int, Acknowledgement] = {}
        self._off = False
        self._strays: set[asyncio.Task[None]] = set()
        self._send, self.mouth.send = self.mouth.send, self._through_weather  # type: ignore[method-assign]
        self._hear, self.ear.send = self.ear.send, self._overhear  # type: ignore[method-assign]

    # --- the link -------------------------------------------------------------------------------------------------

    async def _through_weather(self, head: bytes, body: bytes) -> tuple[int, bytes]:
        chance = self.rng.random()
        if chance < DROPPED:
            self.weather["dropped"] += 1
            raise OSError("dropped")
        if chance < DROPPED + OVERTAKEN:
            self.weather["overtaken"] += 1
            self._later(head, body, self.rng.uniform(0.1, LATEST))
            raise OSError("nobody answered in time")
        if chance < DROPPED + OVERTAKEN + SLOW:
            self.weather["held up"] += 1
            await asyncio.sleep(self.rng.random())
        if self.rng.random() < TWICE:
            self.weather["doubled"] += 1
            self._later(head, body, 0.0)
        answer = await self._send(head, body)
        if self.rng.random() < UNHEARD:
            self.weather["unheard"] += 1
            raise OSError("the answer got lost")
        self._hold_to(answer)
        return answer

    def _hold_to(self, answer: tuple[int, bytes]) -> None:
        """What was acknowledged once is on a disk, whatever dies afterwards."""
        status, body = answer
        if status == 200:
            acked = int(json.loads(body)["acked"])
            self.taken_back += acked < self._promised
            self._promised = max(self._promised, acked)

    def _later(self, head: bytes, body: bytes, seconds: float) -> None:
        async def stray() -> None:
            await asyncio.sleep(seconds)
            wire = Wire(self.port)
            with contextlib.suppress(OSError):
                await wire.send(head, body)
            wire.close()

        task = asyncio.create_task(stray())
        self._strays.add(task)
        task.add_done_callback(self._strays.discard)

    async def _overhear(self, head: bytes, body: bytes) -> tuple[int, bytes]:
        if self._off or self.rng.random() < DROPPED:
            raise OSError("dropped")
        answer = await self._hear(head, body)
        if self._off or self.rng.random() < UNHEARD:
            self.weather["unheard"] += 1
            raise OSError("the answer got lost")
        return answer

    # --- what the venue says --------------------------------------------------------------------------------------

    def carry_out(self, directives: Sequence[Directive]) -> None:
        """Each once, whatever comes twice: what was told and answered is on the disk with the journal."""
        for directive in directives:
            if directive not in self.told:
                self.told.append(directive)
                line = line_of(directive)
                mine = directive.data.get("match") in (None, self.match)
                state = "done" if line is None or mine else "refused"
                if line is not None and mine:
                    self.append(line)
                self._answers[directive.id] = Acknowledgement(id=directive.id, state=state)
            self.side.kept(directive.id)
            self.side.answer(self._answers[directive.id])
        self.woken.set()

    def know(self, directives: Sequence[Directive]) -> None:
        """The people here know of *directives* already."""
        self.told += directives
        self._answers |= {each.id: Acknowledgement(id=each.id, state="done") for each in directives}

    def append(self, event: dict[str, Any]) -> int:
        self.sent_lines.setdefault(self.match, [*self.inherited]).append(event)
        return super().append(event)

    # --- the plug -------------------------------------------------------------------------------------------------

    async def die(self, seconds: float) -> None:
        """The plug is pulled; the journal is all that is left, and how far it was sent perhaps not even that."""
        self.weather["plugs pulled"] += 1
        self._off = True
        acked, cursor = self.rng.choice([0, self.side.acked]), self.side.cursor
        self.close()
        await asyncio.sleep(seconds)
        self.side = TableSide(self.device, self.side.epoch, acked=acked, cursor=cursor)
        for answer in self._answers.values():
            self.side.answer(answer)
        self._off = False

    def leave(self) -> None:
        """This machine is dead for good, as far as the hall knows."""
        self._off = True
        self.close()

    async def comes_to_light(self) -> None:
        """It was not: somebody plugs it in again, and it sends what it still holds."""
        self.side = TableSide(self.device, self.side.epoch)
        while self.unsent:
            await self.exchange()
            await asyncio.sleep(self.rng.uniform(0.1, 0.5))

    # --- a round --------------------------------------------------------------------------------------------------

    def seated(self, round: str) -> Directive | None:
        """What told this table who plays in *round*."""
        of_round = (each for each in self.told if each.do == "seat" and str(each.data["match"]).startswith(round))
        return next(of_round, None)

    async def play(self, round: str, record: list[dict[str, Any]], seconds: float, until: int | None = None) -> None:
        """Wait to be seated for *round*, then play *record* within *seconds* and send until all is acknowledged; with
        *until* only so many lines, sent or not: then this machine dies.
        """
        if not self.inherited:
            while not (seat := self.seated(round)):
                await self.exchange()
                await asyncio.sleep(0.2)
            self.begin(str(seat.data["match"]))
            record = [dict(seat.data["record"]), *record[1:]]
        where = [number for number, line in enumerate(self.inherited, 1) if line["do"] != "extra"]
        began, done, first = time.monotonic(), len(where), len(where)
        last = len(record) if until is None else min(until, len(record))
        while done < last or (until is None and (self.unsent or not self.answered)):
            due = first + (len(record) - first) * (time.monotonic() - began) / seconds
            while done < min(due, last):
                where.append(self.append(_moved(record[done], where)))
                done += 1
            if self.dies and time.monotonic() > self.dies[0]:
                self.dies.pop(0)
                await self.die(self.rng.uniform(0.5, 4))
            if done < last or until is None:
                await self.exchange()
            await asyncio.sleep(self.rng.uniform(0.1, 0.5))

    @property
    def answered(self) -> bool:
        """Whether the venue has every answer of this table's."""
        return not self.side.batch(lambda after, most: (), {}, 0).acks

    def inherit(self, match: str, lines: list[dict[str, Any]]) -> None:
        """Go on with *match*, of which the venue has *lines*."""
        self.match, self.line, self.inherited = match, len(lines), lines
        self.sent_lines[match] = [*lines]


def _moved(line: dict[str, Any], where: Sequence[int]) -> dict[str, Any]:
    """*line* of a record as it is said when time was added meanwhile: its alerts have other numbers. *where* is the
    line at which each line of the record before it stands.
    """
    if "alert" not in line:
        return line
    number, _, rest = str(line["alert"]).partition(".")
    return line | {"alert": f"{where[int(number) - 1]}.{rest}"}
