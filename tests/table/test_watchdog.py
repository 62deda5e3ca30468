"""The sign of life: only a loop that turns over an eye that looks gives it."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from table.watchdog import STALE, Watchdog


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[tuple[socket.socket, dict[str, str]]]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind(str(tmp_path / "notify"))
        heard.setblocking(False)
        yield heard, {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "30000000"}


def said(heard: socket.socket) -> list[str]:
    words = []
    while True:
        try:
            words.append(heard.recv(200).decode())
        except BlockingIOError:
            return words


def test_life_is_told_while_the_loop_turns_and_the_eye_looks(systemd: tuple[socket.socket, dict[str, str]]) -> None:
    heard, environment = systemd
    t = 100.0
    dog = Watchdog(lambda: t, environment)
    dog.ready()
    dog.ready()
    assert said(heard) == ["READY=1"]
    for _ in range(300):  # thirty seconds of a loop that turns ten times a second
        t += 0.1
        dog.turned(t - 0.2, "ok")
    words = said(heard)
    assert words[0] == "STATUS=ok" and words.count("WATCHDOG=1") in (3, 4) and len(words) < 6
    for _ in range(300):  # the eye hangs: the loop alone is no life
        t += 0.1
        dog.turned(100.0, "ok")
    assert said(heard) == [], f"{STALE} s are long past"
    dog.turned(t, "lost")
    assert said(heard) == ["STATUS=lost", "WATCHDOG=1"]
    dog.stopping()
    assert said(heard) == ["STOPPING=1"]


def test_it_is_silent_where_nobody_listens(systemd: tuple[socket.socket, dict[str, str]]) -> None:
    heard, environment = systemd
    Watchdog(lambda: 0.0, {}).ready()
    Watchdog(lambda: 0.0, {"NOTIFY_SOCKET": "/nowhere"}).ready()
    other = Watchdog(lambda: 0.0, {**environment, "WATCHDOG_PID": str(os.getpid() + 1)})
    other.turned(0.0)
    assert said(heard) == []
