"""The verbs classify, beats, legal, replay and rulesets, as a shell sees them."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from cli.main import main
from engine.events import Event
from tests.engine.folding import back, deal, finish, lines, passes, play, rule, tribute
from tests.engine.random_play import Table


def cards(names: str) -> list[str]:
    return names.split()


class _Input(io.TextIOWrapper):
    def isatty(self) -> bool:
        return False


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    def call(*argv: str, given: str | bytes = "") -> tuple[int, str, str]:
        raw = given.encode() if isinstance(given, str) else given
        monkeypatch.setattr(sys, "stdin", _Input(io.BytesIO(raw)))
        monkeypatch.setenv("GUANDAN_LANG", "en")
        status = main([*argv])
        told = capsys.readouterr()
        return status, told.out, told.err

    return call


def answers(shell: Any, verb: str, *questions: Any) -> list[Any]:
    text = "".join((q if isinstance(q, str) else json.dumps(q)) + "\n" for q in questions)
    status, out, err = shell(verb, "--batch", given=text)
    assert status == 0 and not err
    return [json.loads(line) for line in out.splitlines()]


def test_classify_as_design_gives_it(shell: Any) -> None:
    (found,) = answers(shell, "classify", {"cards": ["S8", "D8", "H9", "H9"], "level": "9"})
    assert found == {"readings": [{"type": "bomb", "size": 4, "rank": "8", "order": [1, 6]}], "default": 0}
    (none,) = answers(shell, "classify", {"cards": ["S8", "D9"], "level": "2"})
    assert none == {"readings": [], "default": None}


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("verb", ["classify", "beats", "legal"])
def test_the_example_in_the_help_is_answered(shell: Any, verb: str, language: str, capsys: Any) -> None:
    with pytest.raises(SystemExit):
        shell(verb, "--help", "--lang", language)
    (example,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("{")]
    for words in ([verb, "--batch"], [verb, "--json"]):
        status, out, _ = shell(*words, given=example + "\n")
        assert status == 0 and "error" not in json.loads(out)


def test_a_bad_line_is_answered_and_the_batch_goes_on(shell: Any) -> None:
    good = {"cards": ["s10", "小王", "大王", "hr", "SB"], "level": 10}
    bad = [
        "{",
        "[]",
        "",
        '{"cards":["S8"]}',
        '{"cards":["S8"],"level":"1"}',
        '{"cards":["S1"],"level":"9"}',
        '{"cards":7,"level":"9"}',
        '{"level":"9"}',
        '{"cards":["S8","S8","S8"],"level":"9"}',
        '{"cards":[["S8"]],"level":"9"}',
        '{"cards":["S8"],"level":"9","ruleset":"none"}',
        '{"cards":["S8"],"level":"9","ruleset":5}',
        "[" * 100_000,
        "\x00",
    ]
    found = answers(shell, "classify", *bad, good)
    assert len(found) == len(bad) + 1
    assert all(set(answer) == {"error"} and "\n" not in answer["error"] for answer in found[:-1])
    assert found[-1] == {"readings": [], "default": None}


def test_bytes_that_are_no_text(shell: Any) -> None:
    status, out, _ = shell("classify", "--batch", given=b'\xff\xfe\n{"cards":["S8"],"level":"9"}\n\n')
    assert status == 0 and [list(json.loads(line)) for line in out.splitlines()] == [
        ["error"], ["readings", "default"], ["error"],
    ]  # fmt: skip


def test_beats_as_design_gives_it(shell: Any) -> None:
    wild = {"cards": ["SK", "CK", "S6", "C6", "H9"]}
    found = answers(
        shell,
        "beats",
        {"a": wild, "b": {"cards": cards("SQ CQ DQ S2 C2")}, "level": "9"},
        {
            "a": {**wild, "reading": {"type": "full_house", "size": 5, "rank": "6"}},
            "b": {"cards": cards("SQ CQ DQ S2 C2")},
            "level": "9",
        },
        {
            "a": {"cards": cards("S7 C7 D7 S2 C2")},
            "b": {**wild, "reading": {"type": "full_house", "rank": "6"}},
            "level": "9",
        },
        {"a": {"cards": cards("S7 C7 D7 S2 C2")}, "b": wild, "level": "9"},
        {"a": {"cards": ["S3", "S4"]}, "b": {"cards": ["S3"]}, "level": "9"},
        {"a": {**wild, "reading": {"type": "plate"}}, "b": wild, "level": "9"},
        {"a": wild, "level": "9"},
    )
    assert [answer.get("beats") for answer in found] == [True, False, True, False, False, None, None]
    assert all(answer.get("why") or answer.get("error") for answer in found)


def test_legal_as_design_gives_it(shell: Any) -> None:
    hand = cards("S3 C3 S8 D8 H9 H9 SB")
    led, followed, with_reading, wrong = answers(
        shell,
        "legal",
        {"hand": hand, "over": None, "level": "9"},
        {"hand": hand, "over": {"cards": ["SK", "CK"]}, "level": "9"},
        {
            "hand": hand,
            "over": {"cards": cards("SK CK S6 C6 H9"), "reading": {"type": "full_house", "rank": "6"}},
            "level": "9",
        },
        {"hand": hand, "over": {"cards": ["S3", "S4"]}, "level": "9"},
    )
    assert {"cards": ["SB"], "type": "single", "size": 1, "rank": "SB"} in led["plays"]
    assert [(p["type"], p["rank"]) for p in followed["plays"]] == [("pair", "9"), ("bomb", "3"), ("bomb", "8")]
    assert ("full_house", "8") in {(p["type"], p["rank"]) for p in with_reading["plays"]}
    assert "error" in wrong


def test_the_reading_that_a_ruleset_refuses(shell: Any, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(
        'inherits = "national"\nname = { zh = "甲", en = "own" }\n[combinations]\njoker_pair_in_full_house = false\n'
    )
    question = {"cards": ["S8", "C8", "D8", "SB", "SB"], "level": "9"}
    free, bound = answers(shell, "classify", question, {**question, "ruleset": str(own)})
    assert free["readings"] and not bound["readings"]


def test_one_question_from_arguments_and_from_standard_input(shell: Any) -> None:
    assert shell("classify", "S8", "D8", "H9", "H9", "--level", "9")[:2] == (0, "bomb of 4, 8\n")
    status, out, _ = shell("classify", "--json", given='{"cards":["S8"],"level":"9"}')
    assert status == 0 and json.loads(out)["default"] == 0
    assert shell("beats", "--level", "9", "S8 D8", "S7 D7")[:2] == (0, "pair of 8 is higher than pair of 7\n")
    status, out, _ = shell("legal", "--level", "9", "--over", "S7 D7", "S8 D8 S3")
    assert status == 0 and out.split()[:2] == ["S8", "D8"]
    for argv in (["classify", "S8"], ["classify", "S1", "--level", "9"], ["beats", "S8", "--level", "9"]):
        status, out, err = shell(*argv)
        assert status == 2 and not out and len(err.splitlines()) == 1


def test_cards_as_people_type_them(shell: Any) -> None:
    assert shell("classify", "♠8", "♦8,♥️8", "--level", "9")[:2] == (0, "triple of 8\n")
    (found,) = answers(shell, "classify", {"cards": ["♠10", "♡10", "d10"], "level": "9"})
    assert [reading["rank"] for reading in found["readings"]] == ["T"]


def test_every_line_of_a_batch_is_answered_in_the_readers_language(shell: Any) -> None:
    bad = [b"", b"{", b"[]", b'{"cards":"S8","level":"9"}', b'{"cards":["S1"],"level":"9"}',
           b'{"cards":["S8"],"level":true}']  # fmt: skip
    status, out, err = shell("classify", "--batch", "--lang", "zh", given=b"\n".join(bad) + b"\n")
    told = [json.loads(line)["error"] for line in out.splitlines()]
    assert status == 0 and not err and len(told) == len(bad)
    assert all(any("一" <= sign <= "鿿" for sign in sentence) for sentence in told)
    assert "cards" in told[3] and "S1" in told[4] and told[5].startswith("字段 level：true 不是级数")


@pytest.mark.parametrize("verb", ["classify", "beats", "legal"])
def test_nothing_asked_is_answered_with_how_to_ask(shell: Any, verb: str) -> None:
    status, out, err = shell(verb)
    assert (status, out, len(err.splitlines())) == (2, "", 1) and "--level" in err and "JSON" not in err


# --- replay ---


def record(path: Path, events: list[Event]) -> str:
    path.write_text("".join(event.to_line() + "\n" for event in events), "utf-8")
    return str(path)


def test_replay_prints_the_object(shell: Any, tmp_path: Path) -> None:
    made = lines(
        deal("N"),
        play("N", "S3"),
        play("S", "S4"),
        rule("4.1"),
        finish("NSEW"),
        deal(),
        tribute("E", "N", "HR"),
        tribute("W", "S", "SB"),
        back("N", "E", "S3"),
        back("S", "W", "S4"),
        ruleset="tongsu",
    )
    status, out, _ = shell("replay", record(tmp_path / "r.jsonl", made), "--json")
    found = json.loads(out)
    assert status == 0 and len(out.splitlines()) == 1
    assert list(found) == [
        "levels",
        "on_stage",
        "attempts_at_A",
        "deals",
        "alerts",
        "penalties",
        "clock",
        "result",
        "next",
    ]
    assert found["levels"] == {"NS": "5", "EW": "3"} and found["on_stage"] == "NS" and found["result"] is None
    assert found["next"] == {"what": "play", "seat": "E"}
    assert found["deals"][0] == {
        "n": 1,
        "level": "2",
        "stage": None,
        "order": ["N", "S", "E", "W"],
        "gain": 3,
        "levels": {"NS": "5", "EW": "3"},
        "tribute": None,
        "audit": None,
        "audited": [],
    }
    alert = found["alerts"][0]
    assert (
        alert["id"],
        alert["kind"],
        alert["certain"],
        alert["seat"],
        alert["event"],
        alert["route"],
        alert["state"],
    ) == (
        "4.1",
        "out_of_turn",
        True,
        "S",
        4,
        "both",
        "upheld",
    )
    assert found["penalties"][1] == {"alert": "4.1", "seat": "S", "side": "EW", "effect": "opponents_gain", "levels": 1}
    assert found["clock"] == {"match_left": 3600.0, "turn_left": 180.0, "paused": False}


def test_replay_refuses_a_bad_line_and_lenient_skips_it(shell: Any, tmp_path: Path) -> None:
    good = [event.to_line() for event in lines(deal("N"), play("N", "S3"), *passes("W"))]
    for bad, field in (
        ('{"do":"play","seat":"X","cards":["S3"]}', "seat"),
        ('{"do":"play","seat":"N"}', "cards"),
        ("{", "JSON"),
        ('{"do":"dance"}', "do"),
        ('{"do":"deal","t":-1}', "t"),
        ('{"do":"play","seat":"N","cards":["S1"]}', "S1"),
        ('{"do":"finish","order":["N","N","E","W"]}', "order"),
        ('{"do":"deal"}', "deal 1"),
    ):
        path = tmp_path / "r.jsonl"
        path.write_text("\n".join([*good[:3], bad, good[3]]) + "\n")
        status, out, err = shell("replay", str(path), "--json")
        assert status == 2 and not out and len(err.splitlines()) == 1
        assert "line 4" in err and field in err, err
        status, out, err = shell("replay", str(path), "--json", "--lenient")
        assert status == 0 and json.loads(out)["next"]["seat"] == "S" and "line 4" in err


@pytest.mark.parametrize(
    "content", [b"", b"\n\n", b"\x89PNG\r\n\x1a\n", b'{"do":"deal"}\n', b'{"do":"match","ruleset":"x"}\n']
)
def test_a_record_that_is_none(shell: Any, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(content)
    status, out, err = shell("replay", str(path))
    assert status == 2 and not out and len(err.splitlines()) == 1
    assert shell("replay", str(tmp_path / "none.jsonl"))[0] == 2


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_match_is_told_move_by_move(shell: Any, tmp_path: Path, language: str) -> None:
    for seed, ruleset in enumerate(("tongsu", "lianyungang", "timed-531", "national")):
        match = Table(seed, ruleset, offences=0.05).play_match(2)
        extra = [("pause", {"why": "tea"}), ("resume", {}), ("sign", {"side": "NS"}), ("deck", {"why": "torn"})]
        events = [*match.events, *(Event(len(match.events) + at, do, data) for at, (do, data) in enumerate(extra, 1))]
        last = events[-1].seq
        first = next(event for event in events if event.do == "play")
        events.append(Event(last + 1, "correct", {"event": first.seq, "cards": ["S3", "S4"], "why": "misread"}))
        path = record(tmp_path / "r.jsonl", events)
        status, out, _ = shell("replay", path, "--explain", "--lang", language)
        assert status == 0 and len(out.splitlines()) >= len(events)
        assert ("领出" if language == "zh" else "leads") in out
        assert shell("replay", path, "--lang", language)[0] == 0


def test_a_call_of_an_unknown_seat_accuses_nobody(shell: Any, tmp_path: Path) -> None:
    path = record(tmp_path / "r.jsonl", lines(deal("N"), ("call", {}), rule("3.1")))
    for language, told in (("zh", "桌上有人呼叫裁判。"), ("en", "Somebody at the table calls the referee.")):
        status, out, _ = shell("replay", path, "--explain", "--lang", language)
        assert status == 0 and told in out
        assert ("（呼叫裁判）" if language == "zh" else " (referee called)") in out, out
    status, out, _ = shell("replay", path, "--json")
    assert status == 0 and '"seat": null' in out


def test_a_deal_that_is_only_scored_from_here_on_is_told_so(shell: Any, tmp_path: Path) -> None:
    path = record(
        tmp_path / "r.jsonl", lines(deal("N"), play("N", "S3"), ("resume", {"why": "score_only"}), finish("NSEW"))
    )
    for language, told, not_told in (("zh", "只记名次，不再看牌", "比赛继续"), ("en", "only scored", "goes on")):
        status, out, _ = shell("replay", path, "--explain", "--lang", language)
        assert status == 0 and told in out and not_told not in out


def test_what_a_referee_says(shell: Any, tmp_path: Path) -> None:
    made = lines(
        deal("N"), play("N", "S3"), play("S", "S4"), rule("4.1", by="table"), ("take_back", {"seat": "S"}),
        finish("NSEW"), deal(), tribute("E", "N", "HR"),
        ("correct", {"event": 7, "order": list("NESW"), "why": "看错"}), ruleset="tongsu",
        names={"N": "李", "S": "王"},
    )  # fmt: skip
    path = record(tmp_path / "r.jsonl", made)
    _, told, _ = shell("replay", path, "--explain", "--lang", "zh")
    for sentence in (
        "比赛开始。规则：通俗桥牌，比赛方案。", "北家李 出 ♠3：单张 3。",
        "提示 4.1（请停牌，等候裁判）：南家王 越序：轮到西家时南家出了牌。依据：《通俗桥牌》六、2 越序出牌",
        "临场裁判判定提示 4.1 成立（南家王，越序）。", "处罚 南家王：对方升级（东西升 1 级）。",
        "这一副只记名次：头游 北家李，二游 南家王（双下）。", "第 1 副结束。南北升 3 级：南北 5，东西 3。",
            "东、西 应进贡，大的归头游。", "第 9 行不再适用：进贡：东家现在不用进贡",
        "东 向 北家李 进贡 大王。", "更正第 7 行：名次 改为 头游 北家李，二游 东，三游 南家王，末游 西（看错）。",
        "级数：原为 南北 5，东西 3；现为 南北 4，东西 3。", "第 9 行不再适用",
    ):  # fmt: skip
        assert sentence in told, (sentence, told)
    _, told, _ = shell("replay", path, "--explain", "--lang", "en")
    assert "Rule: 001 part 1, section 6.2: out of turn, cards on the table: one foul" in told
    assert "scored by its order alone: first 李 (north), second 王 (south) (double down)." in told
    _, out, _ = shell("replay", path, "--json", "--lang", "zh")
    alert = json.loads(out)["alerts"][0]
    assert alert["rule"].startswith("《通俗桥牌》六、2") and alert["source"] == "001 part 1, section 6.2"
    assert alert["note"] == "轮到西家时南家出了牌"


# --- rulesets ---


def test_rulesets_list_show_check_diff(shell: Any) -> None:
    status, out, _ = shell("rulesets", "list", "--json")
    assert status == 0 and len(out.splitlines()) == 14
    status, out, _ = shell("rulesets", "show", "tongsu", "--profile", "friendly")
    assert status == 0 and "implied_passes = true" in out and "gains = [3, 2, 1]" in out
    assert shell("rulesets", "check")[0] == 0
    status, out, _ = shell("rulesets", "diff", "zhongqing", "hr-cup")
    assert status == 0 and "match_seconds" in out and "gains" not in out
    assert shell("rulesets", "show")[0] == 2 and shell("rulesets", "diff", "tongsu")[0] == 2


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("gains = 3", "gains"),
        ("[levels]\ngains = 3", "gains must be a list"),
        ("[levels]\ngains = [3, 2]", "three numbers"),
        ("[levels]\nspeed = 3", "no key speed"),
        ("[limits]\nturn_seconds = 3", "belongs in [clocks]"),
        ("[lewels]\nx = 1", "lewels"),
        ("[levels]\nA_tries = true", "whole number"),
        ("[levels]\nA_tries = -1", "whole number"),
        ("[levels]\nA_tries = 3\nA_falls = []", "nowhere"),
        ("[levels]\nA_falls = ['X']", "A_falls"),
        ("[clocks]\nturn_warning = 50\nturn_foul = 40", "before"),
        ("[reports]\nreport_at = 27", "27 cards"),
        ("[reports]\nreport_at = '7'", "whole number"),
        ("[table]\nsound = 1", "true or false"),
        ("[route]\nout_of_turn = 'all'", "route.out_of_turn"),
        ("[offence.dancing]\nsteps = []", "dancing"),
        ("[offence.call]\nsteps = [['jail']]", "jail"),
        ("[offence.call]\nstep = []", "no key step"),
        ("x = = 1", "no TOML"),
        ("[limits]\nequal_at_limit = 'coin'", "one of"),
        ("[total.x]\nkinds = ['foul']", "lacks the key at"),
        ("[levels]\npassing_A = []", "nobody could win"),
    ],
)
def test_a_ruleset_file_that_does_not_fit(shell: Any, tmp_path: Path, content: str, reason: str) -> None:
    path = tmp_path / "own.toml"
    path.write_text(f'inherits = "national"\nname = {{ zh = "甲", en = "own" }}\n{content}\n', "utf-8")
    status, out, err = shell("rulesets", "check", str(path))
    assert status == 2 and not out and len(err.splitlines()) == 1
    assert reason in err and "own" in err, err


def test_inherits_in_a_circle_and_from_nowhere(shell: Any, tmp_path: Path) -> None:
    head = 'name = { zh = "甲", en = "own" }\n'
    (tmp_path / "a.toml").write_text(f'inherits = "b"\n{head}', "utf-8")
    (tmp_path / "b.toml").write_text(f'inherits = "a"\n{head}', "utf-8")
    assert "circle" in shell("rulesets", "check", str(tmp_path / "a.toml"))[2]
    (tmp_path / "a.toml").write_text(f'inherits = "nowhere"\n{head}', "utf-8")
    assert "nowhere" in shell("rulesets", "check", str(tmp_path / "a.toml"))[2]


def test_every_key_has_its_meaning_in_both_languages_and_its_source() -> None:
    from dataclasses import fields

    from engine.keys import SOURCES, Keys

    assert set(SOURCES) == {entry.name for entry in fields(Keys)}
    for entry in fields(Keys):
        assert entry.metadata["zh"] and entry.metadata["en"] and entry.metadata["section"]


def test_every_dagger_of_a_file_stands_in_a_comment_and_every_source_is_cited() -> None:
    from engine.rulesets import DIRECTORY

    for path in DIRECTORY.glob("*.toml"):
        for line in path.read_text("utf-8").splitlines():
            if "†" in line:
                assert "#" in line and line.index("#") < line.index("†")
