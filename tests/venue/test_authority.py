"""The venue's own authority: pages over https, tables that know it by its fingerprint, nobody else taken for it."""

import contextlib
import re
import shutil
import signal
import socket
import ssl
import stat
import time
import urllib.request
from pathlib import Path

import pytest

from table.sync_pairing import NotPaired, fetch_authority, pair
from tests.venue.test_verb import start
from venue.authority import Authority
from venue.store import Database, devices

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl on this machine")


def test_a_certificate_is_made_once_and_anew_when_the_addresses_change(tmp_path):
    authority = Authority(tmp_path / "a")
    first = [path.read_bytes() for path in authority.issue(["192.168.1.10", "venue.local"])]
    assert [path.read_bytes() for path in Authority(tmp_path / "a").issue(["192.168.1.10", "venue.local"])] == first
    assert [path.read_bytes() for path in authority.issue(["192.168.1.11"])] != first
    for name in ("authority.key", "venue.key"):
        assert stat.S_IMODE((tmp_path / "a" / name).stat().st_mode) == 0o600
    context = ssl.create_default_context(cafile=str(authority.certificate))
    assert len(context.get_ca_certs()) == 1 and re.fullmatch("[0-9a-f]{64}", authority.fingerprint)


def two_free_ports():
    """A port whose neighbour is free as well."""
    while True:
        with socket.socket() as one, socket.socket() as other:
            one.bind(("127.0.0.1", 0))
            port = one.getsockname()[1]
            with contextlib.suppress(OSError, OverflowError):
                other.bind(("127.0.0.1", port + 1))
                return port


def test_a_venue_over_tls_gives_its_authority_and_pairs_a_table_that_checks_it(tmp_path):
    database = tmp_path / "venue.db"
    made = Database(str(database))
    with made.writing() as connection:
        devices.add_place(connection, "7", "A", time.time(), None)
        code, _ = devices.new_code(connection, "7", time.time(), None)
    made.close()
    environment = {"XDG_STATE_HOME": str(tmp_path), "PATH": "/usr/bin:/bin:/usr/local/bin"}
    process = start(
        "--host", "127.0.0.1", "--port", str(two_free_ports()), "--database", str(database), "--tls", env=environment
    )
    said = ""
    while "Ctrl-C" not in said:
        line = process.stdout.readline()
        assert line, process.stderr.read()
        said += line
    address = re.search(r"open at (https://127\.0\.0\.1:\d+)", said).group(1)
    plain, mark = re.search(r"first: (http://\S+) \(fingerprint (\w+)\)", said).groups()
    with urllib.request.urlopen(f"{plain}/anything", timeout=10) as page:
        text = page.read().decode()
    assert mark[:4] in text and f'href="{address}/"' in text
    with urllib.request.urlopen(f"{plain}/generate_204", timeout=10) as probe:
        assert probe.status == 204
    kept = tmp_path / "authority.pem"
    with pytest.raises(NotPaired):
        fetch_authority(address, "0" * 64, kept)
    assert not kept.exists()
    fetch_authority(address, mark, kept)
    with pytest.raises(NotPaired):  # somebody else's authority
        pair(address, code, "Pi", str(Authority(Path(tmp_path) / "other").certificate))
    with pytest.raises(NotPaired):  # the world's authorities do not know it
        pair(address, code, "Pi")
    assert pair(address, code, "Pi", str(kept))[0].table == "7"
    process.send_signal(signal.SIGINT)
    assert process.wait(20) in (0, 130)
