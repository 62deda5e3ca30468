"""Ctrl-C: one sentence that all is kept and how to go on, where something was on; never a trace."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cli import table as table_verb
from cli.interrupted import sentence
from cli.main import main
from cli.words import use_language
from tests.patience import listen_to_ctrl_c

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def spoken(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("GUANDAN_LAUNCHER", raising=False)
    use_language("en")
    yield
    use_language("zh")


@pytest.mark.parametrize(
    "words, goes_on",
    [
        ("demo", "./guandan demo --resume"),
        ("demo --headless --seed 7 --resume", "./guandan demo --headless --seed 7 --resume"),
        ("table --camera ribbon --fresh", "./guandan table --camera ribbon"),
        ("table --venue http://hall:8080 --code K7", "./guandan table --venue http://hall:8080"),
        ("table --code=K7", "./guandan table"),
        ("venue --chief-link --port 9000", "./guandan venue --port 9000"),
    ],
)
def test_the_next_start_is_spelled_out_without_what_counts_once(words: str, goes_on: str) -> None:
    told = sentence(words.split()[0], words.split())
    assert told is not None and told.endswith(f": {goes_on}")


@pytest.mark.parametrize("words", ["read a.png", "table --calibrate", "table --export=out", "venue --backup x.db"])
def test_where_nothing_was_on_nothing_is_said(words: str) -> None:
    assert sentence(words.split()[0], words.split()) is None


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_verb_that_is_interrupted_says_so_and_no_more(
    language: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def pressed(args: argparse.Namespace) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(table_verb, "run", pressed)
    assert main(["--lang", language, "table"]) == 130
    told = capsys.readouterr()
    assert told.out == "" and len(told.err.splitlines()) == 1
    assert {"zh": "已保存", "en": "kept"}[language] in told.err and f"--lang {language} table" in told.err


def test_a_real_venue_that_is_interrupted_says_how_to_open_it_again(tmp_path: Path) -> None:
    pytest.importorskip("uvicorn")
    words = ["--lang", "en", "venue", "--port", "0", "--host", "127.0.0.1", "--unannounced",
             "--database", str(tmp_path / "venue.db")]  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "cli.main", *words], cwd=tmp_path, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)}, preexec_fn=listen_to_ctrl_c,
    )  # fmt: skip
    assert process.stdout is not None
    while "Ctrl-C" not in (line := process.stdout.readline()):
        assert line, process.communicate()[1]
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert len(err.splitlines()) == 1 and "everything is kept" in err and "--port 0" in err
