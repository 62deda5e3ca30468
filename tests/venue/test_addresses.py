"""A link for somebody else's phone names this machine as the phone reaches it."""

from __future__ import annotations

import socket

import pytest

from venue import addresses


def test_a_loopback_address_becomes_one_that_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as here:
        port = here.getsockname()[1]
        monkeypatch.setattr(addresses, "addresses", lambda host: ["0.0.0.0", "127.0.0.1"])  # reaches this machine too
        for name in ("127.0.0.1", "localhost", "[::1]"):
            assert addresses.for_others(f"http://{name}:{port}") == f"http://0.0.0.0:{port}"
    assert addresses.for_others(f"http://127.0.0.1:{port}") == f"http://127.0.0.1:{port}"  # nobody answers any more


def test_other_addresses_stay_as_they_are() -> None:
    for root in ("https://hall.example:8443", "http://192.0.2.7:8080", "http://testserver"):
        assert addresses.for_others(root) == root


def test_a_venue_for_this_machine_alone_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "addresses", lambda host: ["127.0.0.1"])
    assert addresses.for_others("http://127.0.0.1:8080") == "http://127.0.0.1:8080"
