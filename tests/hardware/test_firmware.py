"""The button box's own sketch, compiled for this machine, on a pseudo-terminal with the table at the other end."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
import threading
import tty
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, Queue

import pytest

from hardware.button_box import ButtonBox
from hardware.devices import Press
from hardware.shot_clock import ShotClock

FIRMWARE = Path(__file__).resolve().parents[2] / "firmware"
CALL, PASS = {"N": 18, "E": 21}, {"N": 2, "W": 3, "S": 4, "E": 5}
LAMPS = {"N": 10, "S": 14}
BUZZER = 1

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no C++ compiler here")


def compiled(sketch: str, folder: Path) -> Path:
    """A sketch as a program; the Arduino IDE's declarations in advance are made here."""
    source = (FIRMWARE / sketch / f"{sketch}.ino").read_text("utf-8")
    program = folder / sketch
    whole = folder / f"{sketch}.cpp"
    whole.write_text(f'#include "Arduino.h"\nvoid beep(const char *);\n#line 1 "{sketch}.ino"\n{source}', "utf-8")
    subprocess.run(
        ["g++", "-Wall", "-Wextra", "-Werror", "-std=c++17", f"-I{FIRMWARE / 'host'}", str(whole),
         str(FIRMWARE / "host" / "run.cpp"), "-o", str(program)],
        check=True,
    )  # fmt: skip
    return program


class Cable:
    """Two pseudo-terminals that pass on what they get: the board's end stays, the table's is pulled and plugged."""

    def __init__(self, folder: Path) -> None:
        self.board, board_end = pty.openpty()
        tty.setraw(board_end)
        self.board_name = os.ttyname(board_end)
        self.path = folder / "box"
        self._table: tuple[int, int] | None = None
        self._lock = threading.Lock()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._carry, daemon=True)
        os.set_blocking(self.board, False)
        self._thread.start()

    def plug(self) -> None:
        master, slave = pty.openpty()
        tty.setraw(slave)
        os.set_blocking(master, False)
        self.path.symlink_to(os.ttyname(slave))
        with self._lock:
            self._table = (master, slave)

    def pull(self) -> None:
        with self._lock:
            ends, self._table = self._table, None
            self.path.unlink()
            for end in ends or ():
                os.close(end)

    def close(self) -> None:
        self._done.set()
        self._thread.join()

    def _carry(self) -> None:
        while not self._done.wait(0.002):
            with self._lock:
                table = self._table[0] if self._table else None
                for source, target in ((self.board, table), (table, self.board)):
                    try:
                        got = os.read(source, 4096) if source is not None else b""
                        if got and target is not None:  # what nobody is there to hear is gone
                            os.write(target, got)
                    except OSError:
                        continue


@pytest.fixture
def cable(tmp_path: Path) -> Iterator[Cable]:
    made = Cable(tmp_path)
    yield made
    made.close()


def test_the_box_keeps_what_was_pressed_while_its_cable_was_out(cable: Cable, tmp_path: Path) -> None:
    board = subprocess.Popen(
        [compiled("button_box", tmp_path), cable.board_name],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert board.stdin is not None and board.stdout is not None
    heard: Queue[Press] = Queue()
    table = ButtonBox(str(cable.path), heard.put, again=0.01)
    pause = threading.Event()

    def press(pin: int, seconds: float = 0.12) -> None:
        for level in (0, 1):
            for bounce in (level, 1 - level, level):
                print(pin, bounce, file=board.stdin, flush=True)
            pause.wait(seconds)

    table.start()
    cable.plug()
    press(PASS["N"])
    got = heard.get(timeout=20)
    assert (got.seat, got.button) == ("N", "pass") and got.age < 10
    cable.pull()
    for seat in "WSE":
        press(PASS[seat])
    cable.plug()
    late = [heard.get(timeout=20) for _ in range(3)]
    assert [press.seat for press in late] == ["W", "S", "E"] and late[0].age >= 0.2
    press(CALL["E"], 0.25)  # too short for the referee's button
    press(CALL["N"], 0.9)
    called = heard.get(timeout=20)
    assert (called.seat, called.button) == ("N", "call")
    with pytest.raises(Empty):
        heard.get(timeout=0.5)  # nothing twice, though the box says it again until it is acknowledged
    table.light("S", "turn")
    driven = {}
    while driven.get(LAMPS["S"]) != 1:
        pin, level = map(int, board.stdout.readline().split())
        driven[pin] = level
    assert driven[LAMPS["N"]] == 0
    for tone, beeps in (("call", 3), ("reminder", 1)):
        table.sound(tone)
        levels: list[int] = []
        while levels.count(0) < beeps:
            pin, level = map(int, board.stdout.readline().split())
            levels += [level] * (pin == BUZZER)
        assert levels == [1, 0] * beeps, "told apart by their shape"
    table.stop()
    board.stdin.close()
    assert board.wait(20) == 0
    cable.pull()


def test_the_clock_says_hello_and_listens(cable: Cable, tmp_path: Path) -> None:
    """Its digits are the board's business; here it compiles without a warning and keeps the line alive."""
    board = subprocess.Popen(
        [compiled("shot_clock", tmp_path), cable.board_name], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
    )
    clock = ShotClock(str(cable.path), again=0.01)
    words: Queue[str] = Queue()
    hear = clock._line._heard
    clock._line._heard = lambda said: (words.put(said), hear(said))[1]
    clock.start()
    cable.plug()
    clock.show(25, "run")
    assert words.get(timeout=20) in ("HELLO guandan-clock 1", "K")
    assert clock.state == "ok"
    clock.stop()
    assert board.stdin is not None
    board.stdin.close()
    assert board.wait(20) == 0
    cable.pull()
