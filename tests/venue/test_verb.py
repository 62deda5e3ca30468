"""``guandan venue`` from the outside: it serves, prints its first link once, refuses in one line, ends in order."""

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.patience import listen_to_ctrl_c

pytest.importorskip("starlette")
HOME = Path(__file__).resolve().parents[2]


def start(*arguments, **more):
    return subprocess.Popen(
        [sys.executable, "-m", "cli.main", "venue", "--lang", "en", *arguments],
        cwd=HOME, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=listen_to_ctrl_c, **more,
    )  # fmt: skip


def test_it_serves_prints_the_chiefs_link_once_and_ends_in_order(tmp_path):
    database = tmp_path / "venue.db"
    codes = []
    for _ in range(2):
        process = start("--host", "127.0.0.1", "--port", "0", "--database", str(database))
        said = ""
        while "Ctrl-C" not in said:
            line = process.stdout.readline()
            assert line, process.stderr.read()
            said += line
        address = re.search(r"open at (http://127\.0\.0\.1:\d+)", said).group(1)
        with urllib.request.urlopen(f"{address}/hotspot-detect.html", timeout=10) as answer:
            assert b"Success" in answer.read()
        if link := re.search(r"/enter#(\S+)", said):
            codes.append(link.group(1))
            body = json.dumps({"code": codes[-1], "name": "chief"}).encode()
            with urllib.request.urlopen(f"{address}/v1/enter", body, timeout=10) as answer:
                assert json.load(answer)["role"] == "chief"
        process.send_signal(signal.SIGINT)
        assert process.wait(20) in (0, 130) and "Traceback" not in process.stderr.read()
    assert len(codes) == 1
    copy = tmp_path / "copy.db"
    process = start("--database", str(database), "--backup", str(copy))
    assert process.wait(20) == 0 and copy.stat().st_size > 0


@pytest.mark.parametrize(
    "arguments, word",
    [(["--port", "70000"], "--port"), (["--database", "mysql://x"], "--database"),
     (["--database", "/nowhere/at/all.db"], "/nowhere/at"), (["--host", "203.0.113.9", "--port", "0"], "--host"),
     (["--database", "pyproject.toml"], "pyproject.toml is no venue's database")],
)  # fmt: skip
def test_bad_input_gets_one_line_and_status_2(arguments, word, tmp_path):
    process = start(*arguments, env={**os.environ, "XDG_STATE_HOME": str(tmp_path)})
    _, complaint = process.communicate(timeout=30)
    assert process.returncode == 2 and word in complaint and complaint.count("\n") == 1


def test_a_port_that_is_taken_is_told(tmp_path):
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        process = start("--host", "127.0.0.1", "--port", port, "--database", str(tmp_path / "v.db"))
        _, complaint = process.communicate(timeout=30)
    assert process.returncode == 2 and f"port {port} is in use" in complaint and "--port" in complaint


def test_a_second_venue_on_the_same_database_is_refused_and_a_copy_is_not(tmp_path):
    database = str(tmp_path / "venue.db")
    first = start("--host", "127.0.0.1", "--port", "0", "--database", database, "--unannounced")
    while "Ctrl-C" not in (line := first.stdout.readline()):
        assert line, first.stderr.read()
    second = start("--host", "127.0.0.1", "--port", "0", "--database", database)
    _, complaint = second.communicate(timeout=60)
    assert second.returncode == 2 and "another venue" in complaint and complaint.count("\n") == 1
    assert start("--database", database, "--backup", str(tmp_path / "copy.db")).wait(60) == 0
    first.kill()  # the lock goes with the process, however that ended
    first.wait(20)
    third = start("--host", "127.0.0.1", "--port", "0", "--database", database, "--unannounced")
    while "Ctrl-C" not in (line := third.stdout.readline()):
        assert line, third.stderr.read()
    third.send_signal(signal.SIGINT)
    assert third.wait(20) in (0, 130)
