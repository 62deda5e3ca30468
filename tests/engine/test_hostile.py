"""Input that nobody meant well: each is answered in one sentence and with the exit status promised, never a trace."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cli.main import main
from engine.errors import GuandanError, Impossible, Unreadable
from engine.events import Event
from engine.rulesets import load
from tests.engine.folding import back, deal, finish, fold, lines, play, then, tribute

ROOT = Path(__file__).resolve().parents[2]
MATCH, DEAL = '{"do":"match","ruleset":"national"}', '{"do":"deal","leader":"N"}'
ASK = '{"cards":["S8"],"level":"9"}'
HEAD = 'inherits = "national"\nname = { zh = "甲", en = "own" }\n'


def shell(*argv: str, given: bytes = b"", stdout: Any = subprocess.PIPE) -> subprocess.CompletedProcess[bytes]:
    """A process of its own, for what only a process has: its streams."""
    return subprocess.run(
        [sys.executable, "-m", "cli.main", *argv], cwd=ROOT, timeout=300, check=False, input=given, stdout=stdout,
        stderr=subprocess.PIPE, env={**os.environ, "GUANDAN_LANG": "en"},
    )  # fmt: skip


def one_sentence(done: subprocess.CompletedProcess[bytes], words: str) -> bool:
    told = done.stderr.decode()
    return done.returncode == 2 and len(told.splitlines()) == 1 and words in told and "Traceback" not in told


# --- streams ---------------------------------------------------------------------------------------------------------


def test_a_shell_that_closed_its_streams() -> None:
    closed = f'"{sys.executable}" -m cli.main classify'
    script = (
        f"{closed} S8 --level 9 >&- ; echo $?; {closed} S8 --level 9 2>&- ; {closed} --level 9 <&- ; echo $?;"
        f" {closed} --batch <&- ; echo $?"
    )
    done = shell_script(script)
    assert done.stdout.decode().split() == ["0", "single", "8", "2", "0"]
    assert done.stderr.decode().count("\n") == 1 and "name the cards" in done.stderr.decode()


def shell_script(script: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["sh", "-c", script], cwd=ROOT, capture_output=True, timeout=300, check=False,
        env={**os.environ, "GUANDAN_LANG": "en"},
    )  # fmt: skip


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_a_disk_that_is_full() -> None:
    with Path("/dev/full").open("wb") as full:
        done = shell("classify", "--batch", given=ASK.encode() + b"\n", stdout=full)
    assert one_sentence(done, "cannot be written")


def test_a_reader_that_has_gone() -> None:
    script = f"yes '{ASK}' | head -2000 | \"{sys.executable}\" -m cli.main classify --batch | head -1"
    done = shell_script(script)
    assert done.stdout.count(b"\n") == 1 and not done.stderr


# --- questions -------------------------------------------------------------------------------------------------------

ODD_LINES = {
    '{"cards":["S8"],"cards":["S9"],"level":"9"}': '"cards" stands twice',
    '{"cards":["S8"],"level":NaN}': "NaN is no number", '{"cards":["S8"],"level":"9","x":-Infinity}': "-Infinity",
    '{"cards":["S8"],"level":1e999}': "1e999", '{"cards":["S8"],"level":' + "9" * 5000 + "}": "too long",
    "[" * 50_000: "nested too deep", '{"cards":["S8"],"level":"9"} x': "no JSON", "9": "no JSON object",
    '{"cards":["S8"],"level":"9","ruleset":"' + "x" * 5000 + '"}': "there is no ruleset",
    '{"cards":["S8"],"level":"9","ruleset":"a\\u0000b.toml"}': "there is no ruleset",
    '{"cards":["\\ud800"],"level":"9"}': "is no card", '{"cards":["S8","S8","S8"],"level":"9"}': "stands 3 times",
}  # fmt: skip


def test_a_batch_answers_every_line_that_means_no_good_and_goes_on() -> None:
    text = "".join(f"{line}\r\n" for line in [*ODD_LINES, ASK])
    done = shell("classify", "--batch", given=b"\xef\xbb\xbf" + text.encode() + b"\xff\n" + ASK.encode())
    told = [json.loads(line) for line in done.stdout.decode().splitlines()]
    assert done.returncode == 0 and not done.stderr and len(told) == len(ODD_LINES) + 3
    for answer, words in zip(told, ODD_LINES.values(), strict=False):
        assert set(answer) == {"error"} and words in answer["error"] and len(answer["error"]) < 600
    assert told[-3]["default"] == told[-1]["default"] == 0 and "UTF-8" in told[-2]["error"]


def test_a_mark_before_the_text_is_no_fault(tmp_path: Path) -> None:
    mark = b"\xef\xbb\xbf"
    assert shell("classify", given=mark + ASK.encode()).stdout == b"single 8\n"
    own = tmp_path / "own.toml"
    own.write_bytes(mark + HEAD.replace("\n", "\r\n").encode())
    assert shell("rulesets", "check", str(own)).returncode == 0
    record = tmp_path / "record.jsonl"
    record.write_bytes(mark + f"{MATCH}\r\n{DEAL}\r\n".encode())
    assert shell("replay", str(record)).returncode == 0


def test_level_and_ruleset_of_the_command_line_hold_for_lines_that_name_none() -> None:
    run = '{"cards":["S4","S5","H9","S7","S8"]}\n{"cards":["S4","S5","H9","S7","S8"],"level":"2"}\n'
    done = shell("classify", "--batch", "--level", "9", "--ruleset", "tongsu", given=run.encode())
    found = [json.loads(line)["readings"] for line in done.stdout.splitlines()]
    assert [len(readings) for readings in found] == [2, 0]


# --- files -----------------------------------------------------------------------------------------------------------


def test_what_is_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    loop, none = tmp_path / "loop", tmp_path / "none"
    loop.symlink_to(loop)
    for argv, words in (
        (["replay", loop], "goes round in a circle"), (["classify", "--batch", loop], "goes round in a circle"),
        (["replay", tmp_path], "is a folder"), (["classify", "--batch", tmp_path], "is a folder"),
        (["rulesets", "check", tmp_path], "there is no ruleset"), (["replay", none], "there is no file"),
    ):  # fmt: skip
        assert main([*map(str, argv), "--lang", "en"]) == 2
        told = capsys.readouterr()
        assert words in told.err and len(told.err.splitlines()) == 1 and not told.out


ODD_RECORDS = {
    '{"do":"deal","t":NaN}': "NaN", '{"do":"deal","t":1' + "0" * 400 + "}": "t must be seconds",
    '{"do":"deal","t":1e300}': "t must be seconds", '{"do":"deal","leader":"N","leader":"S"}': "stands twice",
    '{"do":"extra","seconds":1' + "0" * 400 + "}": "number of seconds", '{"do":["deal"]}': "do must be one of",
    '{"do":"play","seat":"N","cards":["S3"],"settled":"x"}': "settled", '{"do":"deal","x":' + "[" * 50_000: "too deep",
    '{"do":"play","seat":{"a":1},"cards":["S3"]}': "seat", '{"do":"match","ruleset":"national"}': "begun already",
    '{"do":"finish","order":[["N"],"E","S","W"]}': "order", '{"do":"dance"}': "do must be one of",
    '{"do":"ruling","alert":"1.1","verdict":"uphold"}': "no alert 1.1", '{"do":"correct","event":1,"ruleset":"x"}':
    "corrected so, line 1: there is no ruleset", '{"do":"correct","event":1,"void":true}': "cannot be struck out",
}  # fmt: skip


def test_a_line_that_means_no_good_is_refused_with_its_number_and_changes_nothing() -> None:
    for line, words in ODD_RECORDS.items():
        match = fold(finish("NESW"))
        before = json.dumps(match.report())
        with pytest.raises(GuandanError) as refused:
            match.apply(Event.from_line(3, line))
        told = str(refused.value)
        assert told.startswith("line 3: ") and words in told and "\n" not in told and len(told) < 700, line[:60]
        assert all("一" <= sign <= "鿿" for sign in refused.value.in_language("zh")[:1])
        assert json.dumps(match.report()) == before and len(match.events) == 2


def test_the_rules_that_a_record_carries_are_checked_as_a_file_is() -> None:
    good = load("national").to_dict()
    for change, words in (
        ({"gains": [3]}, "three numbers"), ({"A_tries": 3}, "nowhere"), ({"match_seconds": 10**400}, "no more than"),
        ({"offence": {"late": {"steps": [["own_drop ²"]]}}}, "no effect"), ({"inherits": 5}, "odd inherits"),
        ({"passing_A": []}, "nobody could win"), ({"points": []}, "three numbers"),
    ):  # fmt: skip
        with pytest.raises(Unreadable, match="line 1: .*" + words):
            fold(resolved={**good, **change})


def test_a_penalty_that_is_none() -> None:
    for penalty in ("own_drop ²", "own_drop 13", "lose_trick 3", "jail", [["x"]], "own_drop  1", ""):
        with pytest.raises(GuandanError, match="no effect"):
            fold(("call", {"seat": "N"}), ("ruling", {"alert": "2.1", "verdict": "other", "penalty": penalty}))


def test_a_correction_that_cannot_be_names_its_own_line() -> None:
    match = fold(deal("N"), play("N", "S3"))
    for more, words in (
        ({"event": 3, "cards": ["S1"]}, "line 3: cards: .S1"),
        ({"event": 1, "ruleset": "x"}, "line 1"),
    ):
        with pytest.raises(GuandanError, match="line 4: corrected so, " + words):
            then(match, ("correct", more))
    assert match.ruleset.id == "national" and len(match.events) == 3


def test_after_the_end() -> None:
    over = fold(finish("NSEW"), ("forfeit", {"side": "EW"}))
    for line in (deal(), play("N", "S3"), finish("NSEW"), ("forfeit", {"side": "NS"}), ("redeal", {})):
        with pytest.raises(Impossible, match="over"):
            then(over, line)
    for line in (("sign", {"side": "NS"}), ("call", {"seat": "N"}), ("time", {"left": 0}), ("deck", {})):
        then(over, line)
    assert over.result.winner == "NS"


def test_cards_that_are_shown_after_the_last_deal_are_audited_too() -> None:
    start = [finish("NESW"), deal(), tribute("W", "N", "SK"), back("N", "W", "S3"), play("W", "S4")]
    match = fold(*start, finish("NSEW"), levels={"NS": "A", "EW": "2"}, on_stage="EW")
    assert match.deals[-1].audit == "cannot be proved" and match.result.why == "passed_A"
    then(match, ("expose", {"seat": "W", "cards": ["SA", "C4", "C4"]}))
    assert "tribute_violated" in {alert.kind for alert in match.alerts} and match.result.winner == "NS"


def test_a_terminal_obeys_no_player_s_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "r.jsonl"
    made = lines(deal("N"), ("deck", {"why": "a\nb\x1b[2J"}), names={"N": "x\x1b[31m\ny"})
    record.write_text("".join(event.to_line() + "\n" for event in made), "utf-8")
    for more in ([], ["--explain"]):
        assert main(["replay", str(record), "--lang", "en", *more]) == 0
        told = capsys.readouterr().out
        assert "\x1b" not in told and "x [31m y" in told.lower()


def test_a_record_of_a_newer_engine_is_told_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "r.jsonl"
    record.write_text('{"do":"match","ruleset":"national","engine":"99"}\n', "utf-8")
    assert main(["replay", str(record), "--json", "--lang", "en"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["result"] is None and "version 99" in told.err and told.err.count("\n") == 1


# --- ruleset files ---------------------------------------------------------------------------------------------------

ODD_FILES = {
    "id = 5": "id must be a text", "source = 5": "source must be a text", "stage = 5": "stage must be a table",
    "[stage]\n2 = 5": "stage.2", "[stage.two.levels]\ngains = [1, 2, 3]": "stage.two",
    "[stage.2.levels]\nfoo = 1": "own.toml [stage.2]: [levels] knows no key foo",
    "[limits]\nmatch_seconds = " + "9" * 30: "no more than", "[limits]\nmatch_seconds = " + "9" * 5000: "too long",
    "[levels]\ngains = " + "[" * 5000: "no TOML", "[clocks]\nturn_seconds = nan": "whole number",
    "[clocks]\nturn_seconds = 1979-05-27": "whole number", '[offence.late]\nsteps = [["own_drop ²"]]': "no effect",
    '[offence.late]\nsteps = [["warning 2"]]': "no effect",
}  # fmt: skip


def test_a_ruleset_file_that_means_no_good(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    for content, words in ODD_FILES.items():
        own.write_text(f"{content}\n{HEAD}" if content[0] != "[" else f"{HEAD}{content}\n", "utf-8")
        with pytest.raises(Unreadable) as refused:
            load(own)
        assert str(refused.value).startswith("own") and words in str(refused.value), content[:60]
    own.write_text(HEAD.replace("national", "nowhere"), "utf-8")
    with pytest.raises(Unreadable, match=r"own\.toml: inherits: there is no ruleset"):
        load(own)
    own.write_bytes(HEAD.encode().replace("甲".encode(), b"\xe9"))
    with pytest.raises(Unreadable, match=r"own\.toml: .*UTF-8"):
        load(own)


def test_a_ruleset_file_that_a_venue_edits_is_read_again(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    for number in (5, 6):
        own.write_text(f"{HEAD}[reports]\nreport_at = {number}\n", "utf-8")
        os.utime(own, ns=(number, number))
        assert load(own).report_at == number


def test_a_ruleset_that_is_no_toml_is_told_where_in_both_languages(tmp_path: Path) -> None:
    for text, zh, en in (
        ('id = "c"\nname = { zh = x }\n', "第 2 行第 15 个字符处写法不对", "line 2, character 15"),
        ('id = "c"\nx = [1,\n', "还缺右括号或右引号", "bracket or quote is missing"),
    ):
        file = tmp_path / f"{len(text)}.toml"
        file.write_text(text, "utf-8")
        with pytest.raises(Unreadable) as refused:
            load(file)
        assert zh in refused.value.in_language("zh") and en in refused.value.in_language("en")
    file.write_text('name = { zh = "会", en = "club" }\ninherits = "national"\n[levels]\nA_tries = 3\n', "utf-8")
    with pytest.raises(Unreadable, match=file.name):
        load(file)
