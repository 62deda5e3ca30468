"""What the engine says: every sentence is in both catalogues, and every refusal speaks the reader's language."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.errors import GuandanError, Impossible, Sentence
from engine.events import Event
from engine.keys import OFFENCES, SEEN_BY_REFEREE
from engine.match import Match
from engine.readings import TYPES
from engine.rulesets import load, sentences
from tests.engine.folding import deal, fold, play

HOME = Path(__file__).resolve().parents[2]
SPEAKERS = ("Impossible", "Unreadable", "Ambiguous", "Sentence", "_refused", "refuse")


def keys_said() -> Iterator[tuple[str, str]]:
    """Every key that the engine's code names, with its place; of a key made up from parts, its beginning."""
    for path in [*sorted((HOME / "engine").glob("*.py")), HOME / "cli" / "questions.py", HOME / "cli" / "legal.py"]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id not in SPEAKERS:
                continue
            for arg in node.args:
                branches = [arg.body, arg.orelse] if isinstance(arg, ast.IfExp) else [arg]
                for branch in branches:
                    if isinstance(branch, ast.Constant) and isinstance(branch.value, str):
                        yield branch.value, f"{path.name}:{node.lineno}"
                    elif isinstance(branch, ast.JoinedStr) and isinstance(branch.values[0], ast.Constant):
                        yield f"{branch.values[0].value}*", f"{path.name}:{node.lineno}"


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_sentence_of_the_engine_is_in_the_catalogue(language: str) -> None:
    have = set(sentences(language))
    said = dict(keys_said())
    assert len(said) > 100
    missing = {
        key: where for key, where in said.items()
        if not (any(known.startswith(key[:-1]) for known in have) if key.endswith("*") else key in have)
    }  # fmt: skip
    assert not missing
    assert {f"rule_{kind}" for kind in (*OFFENCES, *SEEN_BY_REFEREE)} <= have
    assert {f"{word}_{type}" for word in ("type", "kind") for type in TYPES} <= have


def test_a_refusal_in_both_languages() -> None:
    with pytest.raises(Impossible) as caught:
        fold(deal("N"), deal("N"))
    assert str(caught.value) == "line 3: deal 1 is not over yet"
    assert caught.value.in_language("zh") == "第 3 行：第 1 副还没有打完"
    with pytest.raises(GuandanError) as caught:
        Match().apply(Event(1, "match", {"ruleset": "tongsu", "options": {"report_at": "7"}}))
    assert caught.value.in_language("zh") == '第 1 行：options：report_at 须是不小于 0 的整数，而不是 "7"'


def test_an_alert_tells_its_article_and_what_happened_in_both_languages() -> None:
    alert = fold(deal("N"), play("N", "S5"), play("W", "S4")).alerts[0]
    assert alert.to_dict()["note"] == "single 4 does not beat single 5"
    assert alert.to_dict("zh")["note"] == "单张 4 压不住 单张 5"
    assert alert.to_dict("zh")["rule"].startswith("《国家竞赛规则》")


def test_every_ladder_that_cites_a_source_says_it_in_both_languages() -> None:
    from engine.rulesets import names

    for name in names():
        ruleset = load(name)
        for kind, ladder in [*ruleset.offence.items(), *ruleset.total.items()]:
            assert ladder.source and ladder.zh and ladder.en, f"{name}: {kind}"
            assert not any("一" <= sign <= "鿿" for sign in ladder.en + ladder.source), f"{name}: {kind}"


def test_a_text_that_is_no_key_says_itself() -> None:
    assert Sentence("seen by a guest {x}").in_language("zh") == "seen by a guest {x}"
    assert Sentence("line").in_language("zh") == "line", "the words of somebody, not the key of that name"
    assert Sentence("no_object").in_language("en").endswith("write {…}")
