"""Every sentence with which the venue refuses is in both languages, and reaches a person in theirs."""

import ast
import string
import tomllib
from functools import cache
from pathlib import Path

import pytest

from venue.sentences import LANGUAGES, Impossible, Sentence

HOME = Path(__file__).parents[2]
SAID = {
    lang: tomllib.loads((HOME / "assets" / "strings" / f"refused.{lang}.toml").read_text("utf-8"))["refused"]
    for lang in LANGUAGES
}
AT = {"Refusal": 2, "Impossible": 0, "Unreadable": 0, "Sentence": 0}
"""At which place of its arguments each of them takes its key."""
OURS = "venue/sentences.py"


@cache
def modules():
    paths = sorted((HOME / "venue").rglob("*.py"))
    return [(str(path.relative_to(HOME)), ast.parse(path.read_text("utf-8"))) for path in paths]


def refusals():
    """File and line, the key, and the names that fill it, of every refusal in the venue's code."""
    for name, tree in modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in AT and name != OURS:
                where, at = f"{name}:{node.lineno}", AT[node.func.id]
                if name == "venue/web/guard.py" and not isinstance(node.args[at], ast.Constant):
                    assert ast.unparse(node) == "Sentence(key, **values)", where
                    continue
                yield where, node.args[at], {keyword.arg for keyword in node.keywords}


def fields(text):
    return {field for _, field, _, _ in string.Formatter().parse(text) if field is not None}


def test_every_refusal_has_a_sentence_in_both_languages():
    found = list(refusals())
    assert len(found) > 100
    for where, key, filled in found:
        assert isinstance(key, ast.Constant) and isinstance(key.value, str), f"{where}: words instead of a key"
        for lang, sentences in SAID.items():
            assert key.value in sentences, f"{where}: {lang} lacks {key.value}"
            assert fields(sentences[key.value]) == filled, f"{where}: {lang} {key.value}"


def test_no_sentence_is_left_over():
    used = {key.value for _, key, _ in refusals()}
    for sentences in SAID.values():
        assert set(sentences) == used


def test_nothing_refuses_in_words_of_its_own():
    """The engine's classes take any text, and the built-in ones reach nobody as a sentence."""
    for name, tree in modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module == "engine.errors":
                wrong = {each.name for each in node.names} & {"Unreadable", "Ambiguous"}
                wrong |= {each.name for each in node.names if each.name == "Impossible"} - (
                    {"Impossible"} if name == "venue/web/guard.py" else set()
                )
                assert not wrong, f"{name}:{node.lineno} imports {wrong}"
            if isinstance(node, ast.Dict) and name.startswith("venue/web/"):
                told = dict(zip([getattr(key, "value", None) for key in node.keys], node.values, strict=True))
                assert not isinstance(told.get("detail"), (ast.Constant, ast.JoinedStr)), f"{name}:{node.lineno}"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_lists_and_sentences_fill_a_sentence(lang):
    inner = Impossible("no_table", place="7")
    told = Sentence("template_wrong", file="a.toml", why=inner).in_language(lang)
    assert told == "a.toml" + ("：没有 7 号桌" if lang == "zh" else ": there is no table 7")
    assert ("、" if lang == "zh" else ", ").join("12") in Sentence("level_last_place", numbers=[1, 2]).in_language(lang)


def chinese(text):
    return any("一" <= sign <= "鿿" for sign in text)


@pytest.mark.parametrize("address", ["sqlite"], indirect=True)
def test_a_person_is_refused_in_their_language(app, enter, nobody):
    desk, referee = enter("desk"), enter("referee")
    id = desk.post("/v1/competitions", {"title": "周赛", "template": "club-swiss"}).json()["id"]
    path = f"/v1/competitions/{id}"

    def tries(headers):
        yield nobody.get("/v1/people", headers=headers)
        yield nobody.post("/v1/enter", {"code": "wrong"}, headers=headers)
        yield referee.post(f"{path}/draw", headers=headers)
        yield referee.post("/v1/cases/99/take", headers=headers)
        yield referee.post("/v1/tables/99/blink", headers=headers)
        yield desk.http.post(f"{path}/draw", json={}, headers=headers)  # without the page's word
        yield desk.post(f"{path}/draw", headers=headers)
        yield desk.post(f"{path}/seat", headers=headers)
        yield desk.post(f"{path}/result", {"round": 1, "game": 0, "levels": ["2"]}, headers=headers)
        yield desk.post(f"{path}/result", {"round": "one"}, headers=headers)
        yield desk.post("/v1/competitions", {"title": "x", "format": "none"}, headers=headers)
        yield desk.post(
            "/v1/competitions", {"title": "x", "format": "swiss", "options": {"ruleset": "no"}}, headers=headers
        )
        yield desk.post("/v1/competitions", {"title": ""}, headers=headers)
        yield desk.post("/v1/places/99/code", headers=headers)
        yield desk.http.post(
            f"{path}/entries", content=b"\xff\x00\xff", headers={**headers, "x-guandan-csrf": desk.csrf}
        )
        yield nobody.get("/nowhere", headers=headers)

    for wish in ("zh-CN,zh;q=0.9", "en-GB,en;q=0.8"):
        for answer in tries({"accept-language": wish}):
            assert answer.status_code >= 400
            assert chinese(answer.json()["error"]["detail"]) == wish.startswith("zh"), answer.text
    desk.http.cookies.set("lang", "en")  # what was chosen on a page counts before the browser's wish
    assert not chinese(desk.post(f"{path}/draw", headers={"accept-language": "zh-CN"}).json()["error"]["detail"])


@pytest.mark.parametrize("address", ["sqlite"], indirect=True)
def test_a_table_that_is_not_paired_says_why_in_its_language(app, tmp_path):
    """The venue's own words there are for whoever builds a table; people read the table's."""
    from table.sync_pairing import NotPaired, fetch_authority, pair

    class Answers:
        def __init__(self, status, body):
            self.told = status, body

        def post(self, *_):
            return self.told

        def close(self):
            pass

    def refused(code):
        return {"protocol": 1, "error": {"code": code, "detail": "English words"}}

    tries = [lambda: pair(app.state.url, "00000000", "Pi"), lambda: pair("http://127.0.0.1:9", "1", "Pi")]
    tries += [
        lambda told=told: pair(app.state.url, "1", "Pi", line=lambda: Answers(*told))
        for told in (
            (426, refused("version")), (429, refused("slow_down")), (503, refused("unavailable")),
            (400, refused("of tomorrow")), (200, "<html>"), (502, None),
        )
    ]  # fmt: skip
    tries.append(lambda: fetch_authority("https://127.0.0.1:8", "0" * 64, tmp_path / "x.pem"))
    said = []
    for each in tries:
        with pytest.raises(NotPaired) as told:
            each()
        assert chinese(told.value.in_language("zh")) and not chinese(told.value.in_language("en"))
        assert "English words" not in told.value.in_language("zh")
        said.append(told.value.in_language("zh"))
    assert len(set(said)) == len(tries) - 1  # an empty answer and a page are both no venue


def test_the_plain_doors_refusals_are_in_the_readers_language(tmp_path):
    import http.client

    from venue.plain import PlainDoor

    certificate = tmp_path / "a.pem"
    certificate.write_text("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")
    with PlainDoor(("127.0.0.1", 0), certificate, 8443) as door:
        door.start()
        for wish in ("zh-CN,zh;q=0.9", "en-GB"):
            line = http.client.HTTPConnection("127.0.0.1", door.server_port, timeout=20)
            line.request("POST", "/", headers={"accept-language": wish})
            answer = line.getresponse()
            assert answer.status == 501 and chinese(answer.read().decode()) == wish.startswith("zh")
            line.close()
        door.shutdown()
