"""The frame of every verb: help in both languages, exit statuses, complaints of one line, no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.cited import cited
from cli.main import Refused, available_verbs, main, refusal
from cli.words import use_language
from engine.errors import Impossible

HOME = Path(__file__).resolve().parent.parent.parent
CORE = {"demo", "table", "read", "watch", "film", "classify", "beats", "legal", "replay", "rulesets", "doctor", "test"}


@pytest.fixture(autouse=True)
def chinese_again():
    yield
    use_language("zh")


def refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """The one line on standard error of a call that must end with 2."""
    try:
        status = main(words)
    except SystemExit as stop:
        status = int(stop.code or 0)
    told = capsys.readouterr()
    assert status == 2, (words, status, told)
    assert told.out == ""
    assert "Traceback" not in told.err
    lines = told.err.strip().splitlines()
    assert len(lines) == 1, told.err
    return lines[0]


def test_the_verbs_of_this_version_are_there() -> None:
    assert set(available_verbs()) >= CORE


@pytest.mark.parametrize("tongue", ["zh", "en"])
@pytest.mark.parametrize("verb", [None, *available_verbs()])
def test_help_in_both_languages(verb: str | None, tongue: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--lang", tongue, *([verb] if verb else []), "--help"])
    told = capsys.readouterr().out
    assert stop.value.code == 0
    assert told.startswith(f"{'用法：' if tongue == 'zh' else 'usage: '}guandan {verb or ''}".strip()), told[:60]
    has_chinese = any("一" <= sign <= "鿿" for sign in told)
    if tongue == "zh":
        assert has_chinese
        assert "usage:" not in told and "options:" not in told
    else:
        assert "usage:" in told
        left = [line for line in told.splitlines() if any("一" <= sign <= "鿿" for sign in line)]
        assert not [line for line in left if "小王" not in line and "大王" not in line], left


def test_no_arguments_show_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([])
    assert stop.value.code == 0
    shown = capsys.readouterr().out
    assert all(verb in shown for verb in CORE)


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["fly"], "fly"),
        (["--lang", "fr", "classify"], "fr"),
        (["--lang", "en", "classify", "--levle", "2", "S8"], "--levle"),
        (["--lang", "en", "classify", "S8", "--level"], "--level needs a value"),
        (["--lang"], "--lang"),
        (["--nonsense"], "VERB"),
        (["", "S8"], ""),
    ],
)
def test_bad_arguments_are_one_line(words: list[str], part: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert part in refused(words, capsys)


def test_options_may_stand_between_the_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rulesets", "check", "--option", "A_tries=3", "--option", 'A_falls=["2"]', "national"]) == 0
    assert main(["classify", "S8", "--level", "5", "D8", "H5"]) == 0
    assert "8" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["watch", "film.mp4", "--corners", "1,2", "3,4"])
    assert "--corners 后面要跟 4 个值" in capsys.readouterr().err


def test_sources_are_cited_in_the_users_language() -> None:
    assert cited("text A; 000 art. 2, 5 to 7; 004 part 1, section 6.3", "zh") == (
        "文本 A；文件 000 第 2、5 至 7 条；文件 004 第 1 部分 6.3 节"
    )
    assert cited("texts A, B; settled case 49", "zh") == "文本 A、B；判例 49"
    assert cited("settled case 49", "en") == "settled case 49"
    assert cited("our rules of 2026", "zh") == "our rules of 2026"


def test_complaints_are_in_the_users_language(capsys: pytest.CaptureFixture[str]) -> None:
    assert "没有 fly 这个命令" in refused(["fly"], capsys)
    assert "there is no verb fly" in refused(["--lang", "en", "fly"], capsys)
    assert "there is no verb fly" in refused(["fly", "--lang=en"], capsys)


def test_what_is_bad_input_and_what_is_a_fault_of_ours() -> None:
    use_language("en")
    assert refusal(Refused("say it")) == "say it"
    assert refusal(Impossible("cannot be")) == "cannot be"
    assert refusal(FileNotFoundError(2, "No such file", "gone.jsonl")) == "there is no file gone.jsonl"
    assert refusal(UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad")) is not None
    assert refusal(ZeroDivisionError()) is None
    assert refusal(OSError("without a file")) is None


def run(words: list[str], **settings: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(HOME), **settings}
    return subprocess.run(
        [sys.executable, "-P", "-m", "cli.main", *words],
        capture_output=True, text=True, encoding="utf-8", env=environment, timeout=60, stdin=subprocess.DEVNULL,
    )  # fmt: skip


def test_an_error_of_a_verb_is_caught_when_the_file_runs_as_the_program() -> None:
    """Under ``python -m`` the file is loaded twice; the class that the verbs raise is the imported one's."""
    told = run(["--lang", "en", "classify", "--level", "2", "S99"])
    assert (told.returncode, told.stdout) == (2, "")
    assert len(told.stderr.strip().splitlines()) == 1
    assert "S99" in told.stderr


def test_a_terminal_without_chinese_still_gets_an_answer() -> None:
    told = run(["--help"], PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert told.returncode == 0
    assert "classify" in told.stdout


def test_a_reader_that_goes_away_is_no_error() -> None:
    environment = {**os.environ, "PYTHONPATH": str(HOME)}
    command = f'"{sys.executable}" -P -m cli.main rulesets list; echo "status $?" >&2'
    told = subprocess.run(
        ["bash", "-c", f"{{ {command}; }} | head -c 1"], capture_output=True, text=True, env=environment
    )
    assert "Traceback" not in told.stderr
    assert "status 0" in told.stderr
