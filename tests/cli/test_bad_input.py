"""Whatever a verb is given: one clear line and status 2, or an answer; a traceback never.

Each case runs in this process, so that anything but a refusal fails the test with its own trace.
"""

from __future__ import annotations

import io
import json
import random
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from cli.main import available_verbs, main
from cli.words import use_language

GOOD_MATCH = '{"do":"match","ruleset":"national","names":{"N":"甲","W":"乙","S":"丙","E":"丁"}}'


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch):
    """No verb waits for somebody to type."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b""), encoding="utf-8"))
    yield
    use_language("zh")


def outcome(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    try:
        status = main(["--lang", "en", *words])
    except SystemExit as stop:
        status = int(stop.code or 0)
    told = capsys.readouterr()
    return status, told.out, told.err


def refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    status, out, err = outcome(words, capsys)
    assert status == 2, (words, status, out[-300:], err[-300:])
    lines = err.strip().splitlines()
    assert len(lines) == 1, (words, err)
    assert "Traceback" not in err and "Error:" not in err
    return lines[0]


@pytest.fixture(scope="session")
def junk(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Files that are not what any verb wants."""
    folder = tmp_path_factory.mktemp("junk")
    rng = random.Random(5)
    contents = {
        "empty": b"",
        "noise.bin": rng.randbytes(20_000),
        "noise.jpg": b"\xff\xd8\xff\xe0" + rng.randbytes(5_000),
        "text.txt": "这不是记录，也不是照片。\n".encode(),
        "latin.txt": b"caf\xe9 \xff\xfe\n",
        "nul.jsonl": b"\0" * 300,
        "half.json": b'{"do":"match","ruleset":',
        "list.json": b"[1,2,3]\n",
        "number.json": b"12\nnull\ntrue\n",
        "deep.json": b"[" * 100_000 + b"]" * 100_000,
        "huge-number.json": b'{"do":"match","t":1e999}\n{"do":' + b"9" * 5_000 + b"}\n",
        "long-line.txt": b"x" * 3_000_000,
        "fake.mp4": b"\0\0\0\x20ftypisom" + rng.randbytes(3_000),
    }
    found = {"folder": folder / "a folder", "gone": folder / "gone.jsonl"}
    found["folder"].mkdir()
    for name, content in contents.items():
        found[name] = folder / name
        found[name].write_bytes(content)
    found["picture.png"] = folder / "picture.png"
    cv2.imwrite(str(found["picture.png"]), np.full((90, 120, 3), 70, np.uint8))
    return found


NAMES = (
    "empty", "noise.bin", "noise.jpg", "text.txt", "latin.txt", "nul.jsonl", "half.json", "list.json", "number.json",
    "deep.json", "huge-number.json", "long-line.txt", "fake.mp4", "folder", "gone",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("verb", ["read", "watch", "replay"])
def test_a_file_that_is_none(verb: str, name: str, junk: dict[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    line = refused([verb, str(junk[name])], capsys)
    assert junk[name].name in line or "line 1" in line, line


@pytest.mark.parametrize("name", [*NAMES, "picture.png"])
def test_film_of_a_record_that_is_none(
    name: str, junk: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    video = tmp_path / "out.mp4"
    refused(["film", str(junk[name]), "-o", str(video)], capsys)
    assert not video.exists()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("verb", ["classify", "beats", "legal"])
def test_a_batch_answers_every_line_it_can_read(
    verb: str, name: str, junk: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """Bad lines answer with an error and the batch goes on; only a file that cannot be opened stops it."""
    status, out, err = outcome([verb, "--batch", str(junk[name])], capsys)
    if name in ("folder", "gone"):
        assert status == 2
        assert len(err.strip().splitlines()) == 1
        return
    if status == 2:
        assert len(err.strip().splitlines()) == 1
        return
    answers = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert all("error" in answer for answer in answers)


BAD_LINES = (
    '{"do":"fly"}', '{"do":"play","seat":"Q","cards":["S3"]}', '{"do":"play","seat":"N","cards":["S1"]}',
    '{"do":"play","seat":"N"}', '{"do":"play","seat":"N","cards":"S3","as":7}', '{"do":"deal","leader":"X"}',
    '{"do":"report","seat":"N","count":"many"}', '{"do":"report","seat":"N","count":-4}', '{"seat":"N"}', '"text"',
    '{"do":"finish","order":["N","N","S","E"]}', '{"do":"finish","order":"NESW"}', '{"do":"ruling","alert":"9.9"}',
    '{"do":"deal","t":-5}', '{"do":"match","ruleset":"national"}', '{"do":["deal"]}', '{"do":"deal","leader":{"a":1}}',
    '{"do":"tribute","from":"N","to":"N","card":"S3"}', '{"do":"correct","event":-1}', '{"do":"extra","seconds":"x"}',
)  # fmt: skip


@pytest.mark.parametrize("bad", BAD_LINES)
def test_a_record_with_a_bad_line_names_the_line(bad: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "bad.jsonl"
    record.write_text(f"{GOOD_MATCH}\n{bad}\n", "utf-8")
    assert "2" in refused(["replay", str(record)], capsys)
    status, out, _ = outcome(["replay", str(record), "--lenient", "--json"], capsys)
    assert status == 0
    assert json.loads(out)["levels"] == {"NS": "2", "EW": "2"}


@pytest.mark.parametrize(
    "question",
    [
        {}, [], None, 5, "S8", {"cards": None, "level": "2"}, {"cards": ["S8"], "level": 2},
        {"cards": [8], "level": "2"},
        {"cards": ["S8"]}, {"cards": ["S8"], "level": "Z"}, {"cards": ["S8", "S8", "S8"], "level": "2"},
        {"cards": ["S8"] * 500, "level": "2"}, {"cards": {"S8": 1}, "level": "2"}, {"cards": [["S8"]], "level": "2"},
        {"cards": ["S8"], "level": "2", "ruleset": "no-such"}, {"cards": ["S8"], "level": "2", "ruleset": ["national"]},
        {"cards": ["S8"], "level": "2", "ruleset": "/etc/passwd"}, {"hand": ["S8"] * 28, "level": "2"},
        {"hand": ["S8"], "over": 4, "level": "2"}, {"hand": ["S8"], "over": {"cards": ["S9", "D3"]}, "level": "2"},
        {"a": {"cards": ["S8"]}, "level": "2"}, {"a": 1, "b": 2, "level": "2"},
        {"a": {"cards": ["S8"], "reading": {"type": "bomb", "size": 4, "rank": "8"}}, "b": {"cards": ["S9"]},
         "level": "2"},
        {"a": {"cards": ["S8"], "reading": "single"}, "b": {"cards": ["S9"]}, "level": "2"},
    ],
)  # fmt: skip
@pytest.mark.parametrize("verb", ["classify", "beats", "legal"])
def test_a_bad_question_is_answered_with_an_error(
    verb: str, question: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    batch = tmp_path / "questions.jsonl"
    good = {
        "classify": {"cards": ["S8", "D8"], "level": "2"},
        "beats": {"a": {"cards": ["S9"]}, "b": {"cards": ["S8"]}, "level": "2"},
        "legal": {"hand": ["S9"], "over": None, "level": "2"},
    }[verb]
    batch.write_text(f"{json.dumps(question)}\n{json.dumps(good)}\n", "utf-8")
    status, out, _ = outcome([verb, "--batch", str(batch)], capsys)
    answers = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert len(answers) == 2
    assert "error" not in answers[1]
    if isinstance(answers[0].get("error"), str):
        assert "\n" not in answers[0]["error"]


@pytest.mark.parametrize(
    "words",
    [
        ["classify", "--level", "2", "S1"], ["classify", "--level", "0", "S8"], ["classify", "--level", "2", "🂡"],
        ["classify", "--ruleset", "nowhere", "--level", "2", "S8"], ["beats", "--level", "2", "S8"],
        ["beats", "--level", "2", "S8", "S9", "ST"], ["legal", "--level", "2", "--over", "S8 S9", "S3"],
        ["rulesets", "show", "nowhere"], ["rulesets", "fly"], ["rulesets", "check", "gone.toml"],
        ["rulesets", "diff", "national"], ["demo", "--seed", "x"], ["demo", "--matches", "0", "--headless"],
        ["demo", "--matches", "-1", "--headless"], ["demo", "--profile", "strict"], ["table", "--camera", "gone.mp4"],
        ["read"], ["watch"], ["film"], ["film", "gone.jsonl", "-o", "x.mp4"], ["replay"], ["test", "no/such/test.py"],
        ["watch", "gone.mp4", "--corners", "1,2"], ["doctor", "everything"], ["venue", "--port", "x"],
        ["venue", "--port", "9999999"], ["venue", "--database", "/nowhere/x.db"], ["venue", "--database", "http://x"],
    ],
)  # fmt: skip
def test_arguments_that_cannot_be(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert words[0] in available_verbs()
    refused(words, capsys)
    assert not list(tmp_path.iterdir())


def test_a_deck_without_cards_is_refused(
    junk: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "match.jsonl"
    record.write_text(f"{GOOD_MATCH}\n", "utf-8")
    line = refused(["film", str(record), "-o", str(tmp_path / "x.mp4"), "--deck", str(junk["folder"])], capsys)
    assert str(junk["folder"]) in line or ".png" in line


def test_a_ruleset_with_an_unknown_key_names_file_and_key(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(
        'id = "mine"\ninherits = "national"\nname = { zh = "我的", en = "mine" }\nsource = "me"\n'
        "[clocks]\nturn_secs = 5\n",
        "utf-8",
    )
    line = refused(["rulesets", "check", str(mine)], capsys)
    assert "mine.toml" in line
    assert "turn_secs" in line
