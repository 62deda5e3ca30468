"""The catalogues: both languages say the same things, and the product's font can draw every word of them."""

from __future__ import annotations

import ast
import string
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from cli.main import VERBS

HOME = Path(__file__).resolve().parent.parent
STRINGS = HOME / "assets" / "strings"
PARTS = sorted(path.name.removesuffix(".zh.toml") for path in STRINGS.glob("*.zh.toml"))
FONTS = sorted((HOME / "assets" / "fonts").glob("*.otf"))


def words(path: Path) -> dict[str, str]:
    """Dotted key → text of every string in a catalogue."""

    def walk(tree: dict[str, object], above: str) -> Iterator[tuple[str, str]]:
        for key, value in tree.items():
            if isinstance(value, dict):
                yield from walk(value, f"{above}{key}.")
            elif isinstance(value, list):
                yield from ((f"{above}{key}.{place}", str(text)) for place, text in enumerate(value))
            else:
                yield f"{above}{key}", str(value)

    return dict(walk(tomllib.loads(path.read_text("utf-8")), ""))


def placeholders(text: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(text) if field is not None}


def test_there_are_catalogues() -> None:
    assert "cli" in PARTS
    assert {path.name for path in STRINGS.glob("*.toml")} == {
        f"{part}.{tongue}.toml" for part in PARTS for tongue in ("zh", "en")
    }


@pytest.mark.parametrize("part", PARTS)
def test_both_languages_have_the_same_keys_and_placeholders(part: str) -> None:
    chinese, english = words(STRINGS / f"{part}.zh.toml"), words(STRINGS / f"{part}.en.toml")
    assert set(chinese) == set(english)
    differing = {key for key in chinese if placeholders(chinese[key]) != placeholders(english[key])}
    assert not differing
    empty = {key for key in chinese if not chinese[key].strip() or not english[key].strip()}
    assert not empty


@pytest.mark.parametrize("part", PARTS)
def test_the_english_has_no_chinese_left_over(part: str) -> None:
    """English may quote the game's terms and a Chinese name, but a string that is Chinese alone was forgotten."""
    forgotten = {
        key
        for key, text in words(STRINGS / f"{part}.en.toml").items()
        if any("一" <= sign <= "鿿" for sign in text) and not any(sign.isascii() and sign.isalpha() for sign in text)
    }
    assert not {key for key in forgotten if "zh" not in key and "chinese" not in key}


@pytest.mark.parametrize("font", FONTS, ids=lambda path: path.stem)
def test_every_word_can_be_drawn(font: Path) -> None:
    """SDL draws nothing at all for a glyph that a font lacks, and says nothing either."""
    drawable = set(TTFont(font, lazy=True).getBestCmap())
    texts = [
        text for part in PARTS for tongue in ("zh", "en") for text in words(STRINGS / f"{part}.{tongue}.toml").values()
    ]
    missing = {sign for text in texts for sign in text if ord(sign) not in drawable and sign != "\n"}
    assert not missing
    rulesets = {
        sign for path in (HOME / "assets" / "rulesets").glob("*.toml") for text in words(path).values() for sign in text
    }
    assert not {sign for sign in rulesets if ord(sign) not in drawable and sign != "\n"}


@pytest.mark.parametrize("font", FONTS, ids=lambda path: path.stem)
def test_the_font_has_what_people_are_called_and_cards_show(font: Path) -> None:
    drawable = set(TTFont(font, lazy=True).getBestCmap())
    needed = "♠♥♦♣ ▲▼●○■□★✓→←↑↓×·…—「」《》，。：；？！（）①②③ 掼蛋 逢人配 喆堃犇祎玥珺镕璟 0123456789 AaZz"
    assert not {sign for sign in needed if ord(sign) not in drawable}


def test_the_fonts_bear_a_name_of_their_own() -> None:
    """The licence reserves the name Source, and a changed font must not pass for the original."""
    assert len(FONTS) == 2
    for path in FONTS:
        names = [str(record) for record in TTFont(path, lazy=True)["name"].names if record.nameID in (1, 3, 4, 6)]
        assert names
        assert all(name.replace(" ", "").lower().find("guandantable") >= 0 or "guandan-table" in name for name in names)
        assert not any("source" in name.lower() or "noto" in name.lower() for name in names)
    assert "SIL OPEN FONT LICENSE" in (HOME / "assets" / "fonts" / "OFL.txt").read_text("utf-8").upper()


def test_every_key_that_the_command_line_says_is_in_its_catalogue() -> None:
    have = {tongue: words(STRINGS / f"cli.{tongue}.toml") for tongue in ("zh", "en")}
    asked = {f"help.{verb}" for verb in VERBS}
    for path in sorted((HOME / "cli").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or not node.args:
                continue
            table = {"say": "say", "help_of": "help"}.get(node.func.id)
            if table and isinstance(node.args[0], ast.Constant):
                asked.add(f"{table}.{node.args[0].value}")
    assert len(asked) > 30
    for tongue, catalogue in have.items():
        assert not asked - set(catalogue), f"cli.{tongue}.toml lacks them"
