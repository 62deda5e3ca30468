"""Every word that a page asks for is in both catalogues, and every script is one that a browser can read."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

ASSETS = Path(__file__).parents[2] / "assets"
CATALOGUES = {
    lang: tomllib.loads((ASSETS / "strings" / f"venue.{lang}.toml").read_text("utf-8")) for lang in ("zh", "en")
}
SCRIPTS = sorted((ASSETS / "web").glob("*.js"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_every_word_is_there(script):
    for section, name in re.findall(r'say\("(\w+)\.(\w+)"', script.read_text("utf-8")):
        for lang, words in CATALOGUES.items():
            assert name in words.get(section, {}), f"{lang}: {section}.{name}"


def test_words_that_are_made_up_of_parts_are_there():
    from engine.keys import OFFENCES
    from engine.readings import TYPES
    from venue.desk.competition import FORMATS
    from venue.desk.standings import AMONG_THE_TIED, TIE_BREAKS
    from venue.protocol import CASE_STATES, LIGHTS
    from venue.store.people import ROLES

    for words in CATALOGUES.values():
        assert set(OFFENCES) <= set(words["kind"]) and set(TYPES) <= set(words["combination"])
        assert set(CASE_STATES) == set(words["state"]) and set(ROLES) == set(words["role"])
        assert {*TIE_BREAKS, *AMONG_THE_TIED} == set(words["chain"]) and set(FORMATS) == set(words["format"])
        happenings = {happening for ways in CASE_STATES.values() for happening in ways}
        assert happenings <= set(words["step"]) and set(LIGHTS) == set(words["light"])


def test_every_line_of_the_audit_has_words():
    from venue.web.doors import DOORS

    kept = [door for door in DOORS if not door.quiet and (door.method == "POST" or door.watched)]
    actions = {f"{door.method} {door.path}".removeprefix("POST /v1/") for door in kept}
    for words in CATALOGUES.values():
        assert set(words["audit"]) == actions | {"place", "refused", "tried"}


@pytest.mark.skipif(shutil.which("node") is None, reason="no node to read the scripts with")
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_every_script_can_be_read(script):
    checked = subprocess.run(
        ["node", "--input-type=module", "--check"], input=script.read_text("utf-8"), capture_output=True, text=True
    )
    assert checked.returncode == 0, checked.stderr


def test_no_script_makes_markup_of_text():
    for script in SCRIPTS:
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", script.read_text("utf-8")
        )
