"""Which match ``demo`` plays: with ``--resume`` alone the one that was played last."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import pytest

from cli import demo


def _args(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    demo.add_arguments(parser)
    return parser.parse_args(list(words))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    folder = tmp_path / "guandan"
    folder.mkdir()
    for at, name in enumerate(("demo-friendly-4", "demo-friendly-9", "demo-friendly-3", "demo-friendly-9.2")):
        path = folder / f"{name}.journal"
        path.touch()
        os.utime(path, (1000 + at, 1000 + at))
    return folder


def test_resume_alone_goes_on_with_the_match_that_was_played_last(home: Path) -> None:
    assert demo._journal(_args("--resume"), "demo-friendly") == (3, home / "demo-friendly-3.journal")


def test_a_seed_names_the_match(home: Path) -> None:
    assert demo._journal(_args("--resume", "--seed", "9"), "demo-friendly") == (9, home / "demo-friendly-9.journal")
    assert demo._journal(_args(), "demo-friendly") == (1, home / "demo-friendly-1.journal")


def test_nothing_to_resume_is_said(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert demo._journal(_args("--resume"), "demo-championship")[0] == 1
    assert "demo-championship-1.journal" in capsys.readouterr().err


def test_a_demo_without_the_venues_packages_says_so_and_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("cli.demo_venue.available", lambda: False)
    assert demo._venue(1) is None
    assert len(capsys.readouterr().err.splitlines()) == 1
