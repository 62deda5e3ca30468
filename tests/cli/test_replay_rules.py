"""A record that names a ruleset's file: it lies beside the record, whatever folder the user is in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.main import main
from cli.words import use_language

RULES = """
id = "{id}"
inherits = "national"
name = {{ zh = "会规", en = "club" }}
source = "us"
[levels]
gains = {gains}
"""


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder, elsewhere = tmp_path / "club", tmp_path / "elsewhere"
    for each in (folder, elsewhere):
        each.mkdir()
    (folder / "match.jsonl").write_text(
        '{"do":"match","ruleset":"our-club.toml"}\n{"do":"finish","order":["N","S","E","W"]}\n', "utf-8"
    )
    monkeypatch.chdir(elsewhere)
    yield folder
    use_language("zh")


def levels(record: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    assert main(["--lang", "en", "replay", "--json", str(record)]) == 0
    found: dict[str, str] = json.loads(capsys.readouterr().out)["levels"]
    return found


def test_beside_the_record_comes_first(club: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (club / "our-club.toml").write_text(RULES.format(id="one", gains=[4, 2, 1]), "utf-8")
    Path("our-club.toml").write_text(RULES.format(id="two", gains=[2, 1, 1]), "utf-8")
    assert levels(club / "match.jsonl", capsys)["NS"] == "6"


def test_then_the_folder_where_the_user_is(club: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("our-club.toml").write_text(RULES.format(id="two", gains=[2, 1, 1]), "utf-8")
    assert levels(club / "match.jsonl", capsys)["NS"] == "4"


def test_a_name_that_no_file_can_have_is_one_sentence_too(club: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = club / "long.jsonl"
    record.write_text(json.dumps({"do": "match", "ruleset": "x" * 5000 + ".toml"}) + "\n", "utf-8")
    assert main(["--lang", "en", "replay", str(record)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_nowhere_is_one_sentence(club: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--lang", "en", "replay", str(club / "match.jsonl")]) == 2
    assert "our-club.toml" in capsys.readouterr().err
