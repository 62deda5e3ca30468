"""A scripted match for each ruleset, run as a record by `replay --json`: what the document demands at its end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli.main import main
from tests.engine.folding import Line, back, deal, finish, lines, offence, passes, play, rule, tribute

LOW = "S2 S3 S4 S5 S6 S7 S8 S9 ST SJ SQ SK SA D2 D3 D4 D5 D6 D7 D8 D9 DT DJ DQ DK DA"
BELL = ("time", {"left": 0})
REPORTS = [play("N", " ".join(LOW.split()[:20])), *passes("W")]
"""North comes down to 7 by a play that is no combination, and says nothing: west has acted then."""
AGAIN = [REPORTS[0], play("W", "C5")]


def script(source: str, ruleset: str, *made: Line | list[Line], want: dict[str, Any], **match: Any) -> Any:
    return pytest.param(ruleset, list(made), match, want, id=f"{ruleset}: {source}")


def start(ns: str, ew: str, tries: int = 0) -> dict[str, Any]:
    return {"levels": {"NS": ns, "EW": ew}, "attempts_at_A": {"NS": tries, "EW": 0}}


SCRIPTS = [
    # falling
    script("000 art. 2, three in a row at A, back to J; 1-3 stays on A", "zhongqing",
           finish("NESW"), finish("NEWS"), finish("NESW"), **start("A", "5"),
           want={"levels": ("J", "5"), "tries": (0, 0), "result": None}),
    script("000 art. 5, 1-2 alone passes A", "hr-cup", finish("NESW"), finish("NSEW"), **start("A", "5"),
           want={"levels": ("A", "5"), "tries": (1, 0), "result": ("NS", "passed_A")}),
    script("000 art. 7, three tries, back to 2; a double gains five", "huaer",
           finish("NEWS"), finish("NEWS"), finish("NEWS"), finish("NSEW"), **start("A", "5"),
           want={"levels": ("7", "5"), "tries": (0, 0), "result": None}),
    script("000 art. 10, a winning side without last passes A", "baoding", finish("NEWS"), finish("NESW"),
           **start("A", "5"), want={"tries": (1, 0), "result": ("NS", "passed_A")}),
    script("000 art. 13, a win from 2 after a fall lands on 3 whatever the order", "timed-531",
           finish("NEWS"), finish("NEWS"), finish("NEWS"), finish("NSEW"), **start("A", "5"),
           want={"levels": ("3", "5"), "tries": (0, 0), "gains": [0, 0, 0, 1]}),
    script("001 part 1, section 5, three at A return to 2; tries at the opponents' level are none", "tongsu",
           finish("NEWS"), finish("EWNS"), finish("ENWS"), finish("NEWS"), **start("A", "5"),
           want={"levels": ("A", "T"), "tries": (2, 0)}),  # lost at its own A: a try; won at level T: none
    script("002, gains 4, 2, 1", "invitational", finish("NSEW"), finish("NESW"), finish("NEWS"),
           want={"levels": ("9", "2"), "gains": [4, 2, 1]}),
    script("004 part 1, sections 6.2 and 6.3: to J, and after three more to 2", "lianyungang",
           *[finish("NEWS")] * 3, finish("NSEW"), *[finish("NESW")] * 3, **start("A", "5"),
           want={"levels": ("2", "5"), "tries": (0, 0), "result": None}),
    # limits
    script("000 art. 2, rule 6: the same level, one deal more, first to gain", "zhongqing",
           finish("NESW"), finish("ENWS"), BELL, finish("SNEW"),
           want={"alerts": [("match_limit", None, "open", None)], "result": ("NS", "extra_deal")}),
    script("000 art. 4: first to A", "hefei", finish("NSEW"), **start("J", "9"),
           want={"levels": ("A", "9"), "result": ("NS", "reached_A")}),
    script("000 art. 4: equal, the side off stage", "hefei", finish("NESW"), finish("ENWS"), BELL,
           want={"result": ("NS", "off_stage")}),
    script("000 art. 4, second stage: past A", "hefei", finish("NSEW"), finish("NSEW"), **start("J", "9"),
           options={"stage": 2}, want={"result": ("NS", "passed_A")}),
    script("000 art. 5: 40 minutes, the higher level", "hr-cup", finish("NESW", t=900.0), deal(t=2300.0),
           finish("NESW", t=2500.0), want={"deals": 2, "result": ("NS", "higher_level")}),
    script("000 art. 6: eight deals, the leader", "teahouse", *[finish("NEWS"), finish("ENWS")] * 4,
           want={"deals": 8, "levels": ("6", "T"), "result": ("EW", "higher_level")}),
    script("000 art. 10: equal, one deal more", "baoding", finish("NESW"), finish("ENWS"), BELL, finish("EWNS"),
           want={"result": ("EW", "extra_deal")}),
    script("000 art. 12: equal, played on until decided; the margin is scored", "points-league",
           finish("NESW"), finish("ENWS"), BELL, finish("NEWS"),
           want={"result": ("NS", "higher_level"), "small": (1, -1)}),
    script("000 art. 13: equal, first to reach that level", "timed-531", finish("NESW"), finish("ENWS"), BELL,
           want={"result": ("NS", "first_to_reach")}),
    script("001 part 1, sections 7.2 and 7.3: the deal that was begun is finished, then first to the level", "tongsu",
           finish("NESW"), deal("W"), BELL, finish("ENWS"), want={"deals": 2, "result": ("NS", "first_to_reach")}),
    script("004 part 1, section 6.1: equal, the side on stage", "lianyungang", finish("NESW"), finish("ENWS"), BELL,
           want={"result": ("EW", "on_stage")}),
    script("the baseline: a deal in progress does not count, equal levels are a draw", "national",
           finish("NESW"), finish("ENWS"), deal("W"), BELL, want={"deals": 2, "result": (None, "draw")}),
    script("the baseline in a knock-out: one more deal", "national", finish("NESW"), finish("ENWS"), BELL,
           finish("ENSW"), options={"knockout": True}, want={"result": ("EW", "extra_deal")}),
    script("000 art. 9, best of three", "bestwestern", finish("NSEW"), finish("EWNS"), finish("NSEW"),
           options={"start_level": "A"}, want={"result": ("NS", "passed_A"), "games": (2, 1)}),
    script("000 art. 9, annex 2: the third first in a row gains one more", "bestwestern",
           finish("NEWS"), finish("NEWS"), finish("NEWS"), finish("NEWS"), options={"streak_bonus": 1},
           want={"gains": [1, 1, 2, 2], "levels": ("8", "2")}),
    # conduct
    script("001 part 1, section 6.2: out of turn, +1 to the opponents once upheld", "tongsu",
           deal("N"), play("N", "S3"), play("S", "S4"), rule("4.1"),
           want={"levels": ("2", "3"), "alerts": [("out_of_turn", "S", "upheld", "foul, opponents_gain")],
                 "penalties": [("S", "NS", "foul", 0), ("S", "EW", "opponents_gain", 1)], "next": ("play", "W")}),
    script("001 part 1, section 6.2: waived, the play stands", "tongsu",
           deal("N"), play("N", "S3"), play("S", "S4"), rule("4.1", "waive"),
           want={"levels": ("2", "2"), "alerts": [("out_of_turn", "S", "waived", None)], "next": ("play", "E")}),
    script("001 part 1, section 6.2: a second gesture of a side in one deal", "tongsu",
           deal("N"), offence("N", "gesture"), rule("3.1"), offence("S", "gesture"), rule("5.1"),
           want={"levels": ("2", "3")}),
    script("004 part 1, section 9.3: out of turn misses a round", "lianyungang",
           deal("N"), play("N", "S3"), play("S", "S4"), rule("4.1"), ("take_back", {"seat": "S"}), play("W", "S5"),
           want={"levels": ("2", "2"), "alerts": [("out_of_turn", "S", "upheld", "miss_round")],
                 "penalties": [("S", "NS", "miss_round", 0)], "next": ("play", "E")}),
    script("004 part 1, section 9.1: what does not beat stays and misses a round", "lianyungang",
           deal("N"), play("N", "S4"), play("W", "S3"), rule("4.1"), *passes("S", "E"),
           want={"alerts": [("does_not_beat", "W", "upheld", "cards_stay, miss_round")], "next": ("play", "N")}),
    script("004 part 1, section 6.6: not reported, two rounds later a level", "lianyungang",
           deal("N"), play("N", " ".join(LOW.split()[:21])), rule("3.1", "waive"), *passes("W", "S", "E"),
           play("N", "C3"), *passes("W", "S", "E"), play("N", "C4"), rule("5.1"), **start("5", "5"),
           want={"levels": ("4", "5")}),
    script("004 part 1, section 9.4: three of one player, the chief disqualifies", "lianyungang",
           *[offence("N", "exposed_card"), offence("N", "out_of_turn"), offence("N", "cards_not_held")],
           rule("2.1", by="table"), rule("3.1", by="table"), rule("4.1", by="table"), rule("7.1", by="chief"),
           want={"result": ("EW", "disqualified")}),
    script("004 part 1, section 8.2: until the chief has ruled nobody is disqualified", "lianyungang",
           *[offence("N", "exposed_card")] * 3, rule("2.1", by="table"), rule("3.1", by="table"),
           rule("4.1", by="table"),
           want={"result": None, "alerts": [*[("exposed_card", "N", "upheld", "miss_round")] * 3,
                                            ("conduct", "N", "open", None)]}),
    script("000 art. 11: three unreported times lose the match", "yancheng",
           deal("N"), *REPORTS, rule("4.1"), finish("NESW"), deal("W"), tribute("W", "N", "HR"), back("N", "W", "S3"),
           play("W", "C3"), *passes("S", "E"), *AGAIN, rule("14.1"), finish("NESW"), deal("W"),
           tribute("W", "N", "HR"), back("N", "W", "S3"), play("W", "C3"), *passes("S", "E"), *AGAIN, rule("24.1"),
           want={"result": ("EW", "match_lost"),
                 "alerts": [("not_a_combination", "N", "open", None), ("report_missed", "N", "upheld", None),
                            ("not_a_combination", "N", "open", None), ("report_missed", "N", "upheld", None),
                            ("not_a_combination", "N", "open", None), ("report_missed", "N", "upheld", "match_lost")]}),
    # tribute
    script("000 art. 10 and 001 part 1: resisting with one red joker each", "tongsu",
           finish("NSEW"), deal(), ("resist", {"seats": ["E", "W"]}), play("N", "S3"), *passes("W"),
           want={"alerts": [], "next": ("play", "S")}),
    script("000 art. 9: a single is never resisted", "bestwestern",
           finish("NESW"), deal(), ("resist", {"seats": ["W"]}),
           want={"alerts": [("resist_violated", "W", "open", None)], "next": ("tribute", "W")}),
    script("001 part 1, section 4: equal tributes, who took the lower return leads", "tongsu",
           finish("NSEW"), deal(), tribute("E", "N", "SA"), tribute("W", "S", "CA"), back("N", "W", "S6"),
           back("S", "E", "S4"), want={"alerts": [], "next": ("play", "E")}),
    script("001 part 1, section 4: all equal, the player after first leads", "tongsu",
           finish("NSEW"), deal(), tribute("E", "N", "SA"), tribute("W", "S", "CA"), back("N", "E", "S4"),
           back("S", "W", "C4"), want={"alerts": [], "next": ("play", "W")}),
    script("004 part 1, section 4.4: equal tributes, the player after first leads", "lianyungang",
           finish("NSEW"), deal(), tribute("E", "N", "SA"), tribute("W", "S", "CA"), back("N", "E", "S4"),
           back("S", "W", "C6"), want={"alerts": [], "next": ("play", "W")}),
    script("000 art. 13, part 4: equal tributes, the one whose card went to first leads", "timed-531",
           finish("NSEW"), deal(), tribute("E", "N", "SA"), tribute("W", "S", "CA"), back("N", "W", "S4"),
           back("S", "E", "C6"), want={"alerts": [], "next": ("play", "E")}),
    script("text B: equal tributes go clockwise, the payer to first leads", "national",
           finish("NSEW"), deal(), tribute("E", "S", "SA"), tribute("W", "N", "CA"), back("N", "W", "S4"),
           back("S", "E", "C3"), want={"alerts": [], "next": ("play", "W")}),
    script("text F: a tribute that the audit proves false", "national",
           finish("NESW"), deal(), tribute("W", "N", "SK"), back("N", "W", "S3"), play("W", "HR"),
           *passes("S", "E", "N"), finish("WNES"), rule("10.1"),
           want={"audits": [None, "violated"], "levels": ("6", "2"),
                 "alerts": [("tribute_violated", "W", "upheld", "hand_void")]}),
    script("the audit accuses nobody of what the unseen cards leave open", "national",
           finish("NESW"), deal(), tribute("W", "N", "SK"), back("N", "W", "S3"), play("W", "SQ"), finish("NESW"),
           want={"audits": [None, "cannot be proved"], "alerts": []}),
]  # fmt: skip


@pytest.mark.parametrize(("ruleset", "made", "match", "want"), SCRIPTS)
def test_a_scripted_match(
    ruleset: str, made: list[Any], match: dict[str, Any], want: dict[str, Any], tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    record = tmp_path / "match.jsonl"
    record.write_text("".join(event.to_line() + "\n" for event in lines(*made, ruleset=ruleset, **match)), "utf-8")
    assert main(["replay", str(record), "--json", "--lang", "en"]) == 0
    found = json.loads(capsys.readouterr().out)
    result = found["result"]
    came = {
        "levels": (found["levels"]["NS"], found["levels"]["EW"]),
        "tries": (found["attempts_at_A"]["NS"], found["attempts_at_A"]["EW"]),
        "gains": [each["gain"] for each in found["deals"]],
        "deals": len(found["deals"]),
        "audits": [each["audit"] for each in found["deals"]],
        "alerts": [(each["kind"], each["seat"], each["state"], each["penalty"]) for each in found["alerts"]],
        "penalties": [(each["seat"], each["side"], each["effect"], each["levels"]) for each in found["penalties"]],
        "result": (result["winner"], result["why"]) if result else None,
        "small": tuple(result["score"]["small"].values()) if result else None,
        "games": tuple(result["score"]["games"].values()) if result else None,
        "next": (found["next"]["what"], found["next"]["seat"]),
    }
    assert {key: came[key] for key in want} == want
