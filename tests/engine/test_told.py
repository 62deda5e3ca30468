"""``replay --explain`` read aloud: long records, and the sentences that a referee expects of them in both languages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cli.main import main
from tests.engine.folding import Line, back, deal, finish, lines, offence, passes, play, rule, tribute

NAMES = {"N": "李明", "E": "赵强", "S": "王芳", "W": "周杰"}
LOW = [f"{suit}{rank}" for suit in "SD" for rank in "23456789TJQKA"]
AT_A: dict[str, Any] = {"levels": {"NS": "A", "EW": "5"}, "on_stage": "NS"}


@pytest.fixture
def tell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """``tell(*lines, ruleset=…, lang=…)``: what is said of that record."""

    def told(*made: Line | list[Line], lang: str = "zh", **match: Any) -> str:
        record = tmp_path / "record.jsonl"
        record.write_text("".join(event.to_line() + "\n" for event in lines(*made, **match)), "utf-8")
        assert main(["replay", str(record), "--explain", "--lang", lang]) == 0
        return capsys.readouterr().out

    return told


def in_order(text: str, *sentences: str) -> None:
    """Each sentence stands in *text*, one after the other."""
    at = 0
    for sentence in sentences:
        found = text.find(sentence, at)
        assert found >= 0, (sentence, text[at:])
        at = found + len(sentence)


def test_tries_at_a_are_told_by_their_number_and_only_when_there_was_one(tell: Any) -> None:
    text = tell(finish("NEWS"), finish("EWNS"), finish("NSEW"), finish("NSEW"), ruleset="tongsu", **AT_A)
    in_order(
        text, "第 1 副结束。南北不升级：南北 A，东西 5。", "南北打 A 第 1 次未过。",
        "第 2 副结束。东西升 3 级：南北 A，东西 8。", "南北打 A 第 2 次未过。",
        "打的是东西的级，南北仍在 A，不算打 A：南北 A，东西 8。",
        "第 4 副结束。南北过 A：南北 A，东西 8。", "南北胜：打过A。",
    )  # fmt: skip
    assert text.count("未过") == 2


def test_falls_and_what_stops_a_gain(tell: Any) -> None:
    falls = tell(*[finish("NEWS")] * 3, finish("NSEW"), ruleset="zhongqing", **AT_A)
    in_order(falls, "南北打 A 3 次未过，退回打 J。", "南北升 3 级：南北 A，东西 5。")
    capped = tell(finish("NSEW"), ruleset="timed-531", levels={"NS": "K", "EW": "2"}, on_stage="NS", lang="en")
    assert "North-south gains 5 (A must be played: it stops there): north-south A, east-west 2." in capped


def test_games_of_a_match_and_the_deal_that_decides(tell: Any) -> None:
    games = tell(finish("NSEW"), finish("EWNS"), ruleset="huaer", options={"start_level": "A"})
    in_order(games, "第 1 局结束，胜方：南北；局数：南北 1，东西 0。下一局双方从 A 打起。", "第 2 局结束，胜方：东西")
    extra = tell(*[finish("NEWS"), finish("ENSW")] * 4, finish("EWNS"), ruleset="teahouse")
    in_order(extra, "双方同级：加赛一副，先升级的一方胜。", "东西胜：加赛一副。")
    on = tell(finish("NESW"), finish("ENWS"), ("time", {"left": 0}), ruleset="points-league", lang="en")
    in_order(on, "(for table and referee): The time of the match is over", "play goes on until they are not.")


def test_what_becomes_of_the_deal_in_play_at_the_bell(tell: Any) -> None:
    begun = [finish("NESW"), deal(), tribute("W", "N", "HR"), back("N", "W", "S3"), ("time", {"left": 0})]
    in_order(tell(*begun), "比赛时间到。", "正在打的第 2 副不算。", "南北胜：级数高。")
    in_order(
        tell(*begun, finish("EWNS"), ruleset="tongsu"), "比赛时间到。", "正在打的一副打完为止。", "东西胜：级数高。"
    )


def test_a_round_missed_a_report_due_and_what_a_ruling_moved(tell: Any) -> None:
    text = tell(
        deal("N"), play("N", "S4"), play("W", "S3"), rule("4.1", by="table"), play("S", "S8"), *passes("E", "N"),
        play("S", " ".join(LOW[:21])), ruleset="lianyungang", names=NAMES,
    )  # fmt: skip
    in_order(
        text, "临场裁判判定提示 4.1 成立（西家周杰，压不住）。", "处罚 西家周杰：停止一轮出牌。", "北家李明 过。",
        "西家周杰 停止出牌，跳过。", "南家王芳 领出。", "南家王芳 剩 5 张，须报牌。",
    )  # fmt: skip
    gained = tell(deal("N"), play("N", "S3"), play("S", "S4"), rule("4.1"), ("cancel", {"ruling": 5}), ruleset="tongsu")
    in_order(gained, "级数：原为 南北 2，东西 2；现为 南北 2，东西 3。", "撤销第 5 行的裁定。",
             "级数：原为 南北 2，东西 3；现为 南北 2，东西 2。")  # fmt: skip
    lowest = tell(offence("N", "turn_time"), offence("N", "turn_time"), rule("2.1"), rule("3.1"), ruleset="lianyungang")
    assert "本方降级（级数不变）" in lowest


def test_a_hand_that_a_ruling_voids_moves_order_and_levels(tell: Any) -> None:
    text = tell(
        finish("NESW"), deal(), tribute("W", "N", "SK"), back("N", "W", "S3"), play("W", "HR"), finish("WNES"),
        rule("7.1"), ("correct", {"event": 4, "card": "HR"}),
    )  # fmt: skip
    in_order(
        text, "进贡有误：本副所见的牌足以证明", "核查 西 的进贡：有误。", "处罚 西：该副作废，按末游。",
        "第 2 副：原为 头游 西，二游 北，三游 东，末游 南；现为 头游 北，二游 东，三游 南，末游 西。",
        "级数：原为 南北 4，东西 4；现为 南北 6，东西 2。", "更正第 4 行：牌 改为 大王。",
        "第 2 副的核查：原为 有误；现为 无误。",
        "第 8 行不再适用：裁定：没有提示 7.1",
    )  # fmt: skip


def test_a_double_s_tribute_is_told_once_for_both(tell: Any) -> None:
    text = tell(
        finish("NSEW"), deal(), tribute("E", "N", "SA"), tribute("W", "S", "CA"), back("N", "W", "S6"),
        back("S", "E", "S4"), ruleset="tongsu",
    )  # fmt: skip
    in_order(
        text, "第 2 副，打 5（南北台上）。", "西 洗牌、先摸牌，北 切牌。", "东、西 应进贡，大的归头游。",
        "东 向 北 进贡 ♠A。",
        "西 应向 南 进贡。", "北、南 应还贡。", "北 向 西 还贡 ♠6。", "南 应向 东 还贡。", "东 领出。",
    )  # fmt: skip
    assert text.count("应进贡，") == 1


def test_a_correction_of_an_early_deal_lists_what_stands_otherwise(tell: Any) -> None:
    text = tell(
        finish("NESW"), deal(), ("resist", {"seats": ["W"]}), rule("4.1"), finish("NESW"),
        ("correct", {"event": 2, "order": list("ENWS"), "why": "记错"}), ("correct", {"event": 7, "void": True}),
        ruleset="bestwestern",
    )  # fmt: skip
    in_order(
        text, "西 抗贡有误：本规则此时不能抗贡", "更正第 2 行：名次 改为 头游 东，二游 北，三游 西，末游 南（记错）。",
        "级数：原为 南北 6，东西 2；现为 南北 4，东西 4。", "提示 4.1（抗贡有误）撤除。",
        "第 4 行不再适用：抗贡：只有应进贡的南家可以抗贡", "划去第 7 行。", "提示 4.1（报裁判）：西 抗贡有误",
        "级数：原为 南北 4，东西 4；现为 南北 6，东西 2。",
    )  # fmt: skip
    assert "新增提示 4.1" not in text, "it was told in full"


def test_who_draws_who_leads_and_what_was_left(tell: Any) -> None:
    text = tell(
        ("turn", {"seat": "N", "card": "S5"}), deal(), finish("NESW"), ("expose", {"seat": "W", "cards": ["S3"]})
    )
    in_order(text, "北 翻出 ♠5。", "按翻出的牌，北 先摸牌。", "摸到这张牌的先出。", "西 亮出余牌 ♠3。")
    bonus = tell(*[finish("NEWS")] * 3, ruleset="bestwestern", options={"streak_bonus": 1})
    assert "南北升 2 级（同一人连得头游，多升 1 级）：南北 6，东西 2。" in bonus


def test_the_other_language_holds_no_word_of_this_one(tell: Any) -> None:
    made = [
        ("turn", {"seat": "N", "card": "S5"}), deal("N", t=0.0), play("N", "S4", t=9.0), play("W", "S3", t=99.0),
        rule("5.2", "waive"), ("pause", {}), ("resume", {}), offence("N", "gesture"), rule("9.1"), finish("NSEW"),
        deal(), ("resist", {"seats": ["E", "W"]}), ("time", {"left": 0}), finish("ENWS"), ("sign", {"side": "NS"}),
    ]  # fmt: skip
    english = tell(*made, ruleset="tongsu", lang="en")
    assert english.isascii() or not any("一" <= sign <= "鿿" for sign in english)
    chinese = tell(*made, ruleset="tongsu")
    assert not any(word.isascii() and word.isalpha() and len(word) > 1 for word in chinese.split())


def test_the_record_sheet_keeps_every_ruling_and_correction(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """001 part 1, section 6.2: what was ruled is written into the match record; what was taken back as well."""
    made = lines(
        deal("N"), play("N", "S3"), play("S", "S4"), rule("4.1", by="table"), ("cancel", {"ruling": 5}),
        rule("4.1", "waive", by="chief"), finish("NESW"),
        ("correct", {"event": 8, "order": list("NSEW"), "why": "记错"}),
        ("time", {"left": 0}), ruleset="tongsu",
    )  # fmt: skip
    record = tmp_path / "r.jsonl"
    record.write_text("".join(event.to_line() + "\n" for event in made), "utf-8")
    assert main(["replay", str(record), "--lang", "zh"]) == 0
    in_order(
        capsys.readouterr().out, "第 1 副，打 2：头游 北，二游 南（双下）；南北 5，东西 2", "提示 4.1：越序，南，不究",
        "提示 10.1：比赛时间到，待裁", "第 5 行：临场裁判判定提示 4.1 成立（已不作数）", "第 6 行：撤销第 5 行的裁定",
        "第 7 行：裁判长对提示 4.1 不予追究", "第 9 行：更正第 8 行（记错）", "南北胜：级数高。",
    )  # fmt: skip
