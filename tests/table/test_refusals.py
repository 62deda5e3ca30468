"""Every sentence with which a table refuses is in both languages."""

from __future__ import annotations

import ast
import string
from pathlib import Path

from table.refusals import Impossible
from table.words import LANGUAGES, catalogue

HOME = Path(__file__).resolve().parents[2]


def refusals() -> list[tuple[str, str, set[str | None]]]:
    """Where, by which key and filled with what each module that uses the table's own refusals refuses."""
    found = []
    for path in sorted((HOME / "table").glob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        ours = {
            each.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module == "table.refusals"
            for each in node.names
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ours:
                assert isinstance(node.args[0], ast.Constant), f"{path.name}:{node.lineno}"
                found.append((f"{path.name}:{node.lineno}", node.args[0].value, {each.arg for each in node.keywords}))
    return found


def test_every_refusal_is_in_both_languages_and_none_is_left_over() -> None:
    found = refusals()
    assert len(found) >= 14
    for language in LANGUAGES:
        texts = {key: text for key, text in catalogue(language).items() if key.startswith("refused.")}
        for where, key, filled in found:
            assert f"refused.{key}" in texts, where
            named = {name for _, name, _, _ in string.Formatter().parse(texts[f"refused.{key}"]) if name is not None}
            assert named == filled, where
        assert set(texts) == {f"refused.{key}" for _, key, _ in found}


def test_it_speaks_both() -> None:
    refused = Impossible("other_match")
    assert refused.in_language("zh") == "本桌正在打另一场比赛"
    assert str(refused) == "another match is on at this table"
