"""A venue is found by its tables without an address, over real multicast; and is never needed for that."""

import contextlib
import socket
import sys
import time
from urllib.parse import urlsplit

import pytest

from table import finding
from venue import announce
from venue.protocol.finding import url_of

HERE = ["127.0.0.1"]
LONG = 30.0


def multicast_missing():
    """Why this machine's loopback carries no multicast, None when it does."""
    ear = socket.socket(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_UDP)
    mouth = socket.socket(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_UDP)
    try:
        ear.bind(("", 0))
        group = socket.inet_aton("224.0.0.251") + socket.inet_aton("127.0.0.1")
        ear.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, group)
        mouth.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
        ear.settimeout(5)
        mouth.sendto(b"?", ("224.0.0.251", ear.getsockname()[1]))
        return None if ear.recv(1) == b"?" else "what came back was something else"
    except OSError as error:
        return f"no multicast on this machine: {error}"
    finally:
        ear.close()
        mouth.close()


WITHOUT = multicast_missing()
needs_multicast = pytest.mark.skipif(WITHOUT is not None, reason=WITHOUT or "")


@needs_multicast
def test_a_venue_is_found_with_its_scheme_and_goes_when_it_ends():
    with announce.announced("体育馆.1", HERE, 8443, True, HERE) as told:
        assert told
        assert finding.find(LONG, HERE) == [finding.Found("体育馆-1", "https://127.0.0.1:8443")]
        with announce.announced("体育馆.1", HERE, 8080, False, HERE):  # another hall's, of the same name
            both, end = {"https://127.0.0.1:8443", "http://127.0.0.1:8080"}, time.monotonic() + 60
            while (urls := {each.url for each in finding.find(LONG, HERE)}) != both and time.monotonic() < end:
                pass  # a busy machine may need more than one look
            assert urls == both
    assert finding.find(1.0, HERE) == []


def test_only_addresses_that_others_reach_are_told():
    assert announce.announceable(["192.168.1.5", "127.0.0.1", "[fd00::7]", "[::1]", "hall.example"]) == [
        "192.168.1.5", "fd00::7",
    ]  # fmt: skip
    with announce.announced("hall", [], 8080, False) as told:
        assert told is False


def test_without_the_library_or_a_network_nothing_stops(monkeypatch, caplog):
    monkeypatch.setitem(sys.modules, "zeroconf", None)
    assert finding.find(LONG) == []
    with announce.announced("hall", ["192.168.1.5"], 8080, False) as told:
        assert told is False
    assert "not announced" in caplog.text


def test_another_version_is_no_venue_for_us():
    assert url_of("192.168.1.5", 8080, {b"v": b"1", b"tls": b"0"}) == "http://192.168.1.5:8080"
    assert url_of("fd00::7", 8443, {b"v": b"1", b"tls": b"1"}) == "https://[fd00::7]:8443"
    for told in ({}, {b"v": b"2"}, {b"v": None}):
        assert url_of("192.168.1.5", 8080, told) is None


@pytest.mark.parametrize("address", ["sqlite"], indirect=True)
def test_a_table_finds_its_venue_by_itself(app, database, clock, tmp_path, monkeypatch, capsys):
    from cli.main import Refused
    from cli.table import _venue
    from venue.store import devices

    with database.writing() as connection:
        devices.add_place(connection, "7", "A", clock(), None)
        code, _ = devices.new_code(connection, "7", clock(), None)
    near = [finding.Found("hall", app.state.url)]
    monkeypatch.setattr(finding, "find", lambda: list(near))

    class Given:
        venue, authority = None, None

    Given.code = code
    near.append(finding.Found("another", "http://192.168.1.6:8080"))
    with pytest.raises(Refused, match=r"192\.168\.1\.6"):
        _venue(Given, tmp_path / "journal")
    near.clear()
    with pytest.raises(Refused):
        _venue(Given, tmp_path / "journal")
    near.append(finding.Found("hall", app.state.url))
    pairing, _ = _venue(Given, tmp_path / "journal")
    assert (pairing.table, pairing.url) == ("7", app.state.url) and urlsplit(app.state.url).netloc in (
        capsys.readouterr().out
    )
    near.clear()  # once paired, nothing is looked for: whoever answers first must not get the token
    Given.code = Given.venue = None
    with contextlib.suppress(OSError):
        assert _venue(Given, tmp_path / "journal")[0].url == app.state.url
