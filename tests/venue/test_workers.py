"""A worker that starts while its database is away says so in one sentence, and leaves for the next try."""

from __future__ import annotations

import logging
import socket

import pytest

from venue.serve import _work


def test_a_worker_without_its_database_says_one_sentence(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("venue.serve.signal.signal", lambda *_: None)  # this process's signals are the tests'
    with socket.socket() as taken:  # bound and not listening: nobody answers there
        taken.bind(("127.0.0.1", 0))
        address = f"postgresql://club:word@127.0.0.1:{taken.getsockname()[1]}/hall"
        with caplog.at_level(logging.ERROR, "guandan.venue"), pytest.raises(SystemExit) as left:
            _work(address, taken, None, "en")
    assert left.value.code == 1
    (told,) = caplog.messages
    assert "does not answer" in told and "word@" not in told and "\n" not in told
