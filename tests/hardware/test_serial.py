"""Serial devices over real pseudo-terminals: unplugged a thousand times at any byte, no press lost or doubled."""

from __future__ import annotations

import os
import pty
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from hardware.button_box import ButtonBox, Conversation
from hardware.devices import Press
from hardware.frames import frame, parse
from hardware.serial_line import SerialLine
from hardware.shot_clock import ShotClock

AGAIN = 0.001


class Socket:
    """A USB socket: a lasting name under which a pseudo-terminal comes and goes."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "by-id-box"
        self.master = -1

    def plug(self) -> None:
        self.master, slave = pty.openpty()
        os.set_blocking(self.master, False)
        import tty

        tty.setraw(slave)
        fresh = self.path.with_suffix(".new")
        fresh.symlink_to(os.ttyname(slave))
        fresh.rename(self.path)
        self._slave = slave

    def unplug(self) -> None:
        self.path.unlink(missing_ok=True)
        os.close(self._slave)
        os.close(self.master)
        self.master = -1


class Box:
    """The box's end as its firmware keeps it: presses stay until their number was acknowledged."""

    def __init__(self, session: str = "7F3A") -> None:
        self.session, self.made = session, 0
        self.kept: list[tuple[int, str]] = []
        self._got = b""

    def press(self, seat: str) -> None:
        self.made += 1
        self.kept.append((self.made, seat))

    def lines(self) -> bytes:
        oldest = self.kept[0][0] if self.kept else self.made + 1
        hello = frame(f"HELLO guandan-box 1 {self.session}")
        return hello + b"".join(frame(f"P {number} {oldest} {seat} pass 0") for number, seat in self.kept)

    def listen(self, got: bytes) -> list[str]:
        *lines, self._got = (self._got + got).split(b"\n")
        said = [words for line in lines if (words := parse(line)) is not None]
        for words in said:
            if words.startswith("A "):
                self.kept = [(number, seat) for number, seat in self.kept if number > int(words[2:])]
        return said


def read(master: int) -> bytes:
    with suppress(BlockingIOError, OSError):
        return os.read(master, 4096)
    return b""


def patiently(good: Callable[[], bool], seconds: float = 20.0) -> bool:
    """Whether *good* comes true: waits in small steps, so that a busy machine is only slower."""
    pause = threading.Event()
    for _ in range(int(seconds / 0.002)):
        if good():
            return True
        pause.wait(0.002)
    return False


@pytest.fixture
def socket(tmp_path: Path) -> Iterator[Socket]:
    yield Socket(tmp_path)


def test_unplugged_a_thousand_times_without_a_lost_or_doubled_press(socket: Socket) -> None:
    rng, heard, box = Random(3), list[str](), Box()
    table = ButtonBox(str(socket.path), lambda press: heard.append(str(press.seat)), again=AGAIN, silent=None)
    pressed: list[str] = []

    def all_heard() -> bool:
        if not box.kept:
            return True
        with suppress(BlockingIOError):
            os.write(socket.master, b"\n" + box.lines())
        box.listen(read(socket.master))
        return not box.kept

    table.start()
    for _ in range(1000):
        socket.plug()
        for _ in range(rng.randint(0, 3)):
            pressed.append(rng.choice("NWSE"))
            box.press(pressed[-1])
        said = box.lines()
        cut = rng.randrange(len(said)) if rng.random() < 0.8 else len(said)
        if rng.random() < 0.1 and cut > 3:  # a disturbed byte
            said = said[: cut - 2] + bytes([said[cut - 2] ^ 1]) + said[cut - 1 :]
        os.write(socket.master, said[:cut])
        if rng.random() < 0.5:  # pulled before or after the table has answered
            patiently(lambda: bool(box.listen(read(socket.master))), 0.008)
        if rng.random() < 0.1:  # left in until all is heard, however busy the machine
            assert patiently(all_heard)
        box.listen(b"\n" + read(socket.master))
        socket.unplug()
    assert len(heard) > 300, "presses come through between two pulls"
    socket.plug()
    assert patiently(all_heard)
    table.stop()
    socket.unplug()
    assert len(pressed) > 1000 and heard == pressed


def test_lamps_are_told_anew_when_the_box_comes_back(socket: Socket) -> None:
    table = ButtonBox(str(socket.path), lambda press: None, again=AGAIN, silent=None)
    table.start()
    table.light("S", "turn")  # nobody is there to hear it
    assert table.state == "away"
    for session in ("1", "2"):
        box, said = Box(session), list[str]()
        socket.plug()
        assert patiently(lambda: "HELLO" in box.listen(read(socket.master)))  # noqa: B023
        os.write(socket.master, box.lines())
        assert patiently(lambda: said.extend(box.listen(read(socket.master))) or "L E off" in said)  # type: ignore[func-returns-value] # noqa: B023
        assert "L S turn" in said and "A 0" in said and table.state == "ok"
        socket.unplug()
        assert patiently(lambda: table.state == "away")
    table.stop()


def test_a_line_that_falls_silent_is_opened_anew(socket: Socket) -> None:
    opened: list[int] = []
    line = SerialLine(str(socket.path), lambda words: None, lambda: opened.append(1), again=AGAIN, silent=0.05)
    socket.plug()
    line.start()
    assert patiently(lambda: len(opened) >= 3)
    line.stop()
    socket.unplug()


def test_two_programs_cannot_have_one_box(socket: Socket) -> None:
    socket.plug()
    first = SerialLine(str(socket.path), lambda words: None, again=AGAIN, silent=None)
    second = SerialLine(str(socket.path), lambda words: None, again=AGAIN, silent=None)
    first.start()
    assert patiently(lambda: first.state == "ok")
    second.start()
    threading.Event().wait(0.05)
    assert second.state == "away"
    first.stop()
    assert patiently(lambda: second.state == "ok")
    second.stop()
    socket.unplug()


def test_the_shot_clock_shows_what_is_current_when_it_comes_back(socket: Socket) -> None:
    clock, box, said = ShotClock(str(socket.path), again=AGAIN, silent=None), Box(), list[str]()
    clock.start()
    clock.show(25, "run")
    clock.show(24, "run")
    socket.plug()
    assert patiently(lambda: said.extend(box.listen(read(socket.master))) or bool(said))  # type: ignore[func-returns-value]
    assert said == ["T 24 run"]
    clock.show(5, "warning")
    clock.show(5, "warning")
    clock.show(None, "stop")
    assert patiently(lambda: said.extend(box.listen(read(socket.master))) or len(said) == 3)  # type: ignore[func-returns-value]
    assert said[1:] == ["T 5 warning", "T - stop"]
    clock.stop()
    socket.unplug()


def test_frames_fit_their_checksum_or_were_never_said() -> None:
    line = frame("P 17 17 N pass 0")
    assert parse(line) == "P 17 17 N pass 0"
    assert parse(b"\0\0" + line.strip() + b"\r\n") == "P 17 17 N pass 0"
    for k in range(len(line) - 1):
        assert parse(line[:k] + bytes([line[k] ^ 4]) + line[k + 1 :]) is None
        assert parse(line[:k]) is None
    assert parse(b"A" * 500 + b"*00") is None and parse(b"") is None


def test_the_conversation_hears_each_number_once() -> None:
    talk = Conversation()
    assert talk.hear("P 1 1 N pass 0") == ([], ["HELLO"], False)  # before the box has said who it is
    assert talk.hear("HELLO guandan-box 1 AB") == ([], ["A 0"], True)
    assert talk.hear("P 1 1 N pass 20") == ([Press("N", "pass", 0.02)], ["A 1"], False)
    assert talk.hear("P 1 1 N pass 320") == ([], ["A 1"], False)
    assert talk.hear("P 3 1 N pass 0") == ([], ["A 1"], False)  # 2 was disturbed: it comes again first
    assert talk.hear("P 9 9 - call 0") == ([Press(None, "call")], ["A 9"], False)  # the box no longer has 2 to 8
    assert talk.hear("HELLO guandan-box 1 AB") == ([], ["A 9"], True)
    assert talk.hear("HELLO guandan-box 1 CD") == ([], ["A 0"], True)  # it was switched off meanwhile
    assert talk.hear("P 1 1 S report 0") == ([Press("S", "report")], ["A 1"], False)
    for noise in ("", "P", "P x y N pass 0", "P 2 2 N", "K", "HELLO other 1 AB"):
        assert talk.hear(noise)[0] == [], noise
    assert talk.hear("P 2 2 N dance 0") == ([], ["A 2"], False)
