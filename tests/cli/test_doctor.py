"""`doctor` on this very machine: every finding has words in both languages, advice where something is to be done."""

from __future__ import annotations

import ast
import json
import tomllib
from pathlib import Path

import pytest

from cli import doctor
from cli.main import main
from cli.words import use_language
from hardware.probe import Finding

HOME = Path(__file__).resolve().parent.parent.parent


def test_it_tells_every_topic_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["--lang", "en", "doctor", "--json"])
    told = json.loads(capsys.readouterr().out)
    topics = [check["topic"] for check in told["checks"]]
    assert topics == [
        "machine", "python", "packages", "models", "camera", "display", "touch", "sound", "pins", "serial", "disk",
        "clock", "power", "heat",
    ]  # fmt: skip
    by_topic = {check["topic"]: check for check in told["checks"]}
    assert by_topic["packages"]["state"] == "ok"
    assert "onnxruntime" in by_topic["packages"]["found"]
    assert by_topic["models"]["state"] == "ok", by_topic["models"]
    assert all((check["advice"] is not None) == (check["state"] in ("warn", "bad")) for check in told["checks"])
    assert status == (0 if told["ok"] else 1)
    assert told["ok"] == all(check["state"] != "bad" for check in told["checks"])


@pytest.mark.parametrize(("tongue", "topic"), [("zh", "摄像头："), ("en", "camera: ")])
def test_it_speaks_both_languages(tongue: str, topic: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--lang", tongue, "doctor"])
    assert topic in capsys.readouterr().out


def findings_in_the_code() -> set[tuple[str, str, str]]:
    """Topic, state and key of every finding that the probes and the verb can make, conditionals resolved."""

    def constants(node: ast.expr) -> list[str]:
        if isinstance(node, ast.IfExp):
            return constants(node.body) + constants(node.orelse)
        return [node.value] if isinstance(node, ast.Constant) else []

    found = set()
    for path in (HOME / "hardware" / "probe.py", HOME / "cli" / "doctor.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Finding":
                topic, state, key = node.args[:3]
                for one_state in constants(state):
                    for one_key in constants(key):
                        found.add((constants(topic)[0], one_state, one_key))
    return found


def test_every_finding_has_words() -> None:
    assert len(findings_in_the_code()) > 30
    for tongue in ("zh", "en"):
        say = tomllib.loads((HOME / "assets" / "strings" / f"cli.{tongue}.toml").read_text("utf-8"))["say"]
        for topic, _, key in findings_in_the_code():
            assert f"doctor_topic_{topic}" in say
            assert f"doctor_{key}" in say


def test_a_finding_that_needs_doing_says_what_to_do() -> None:
    use_language("en")
    told = doctor.in_words(Finding("camera", "bad", "camera_denied", {"names": "video0 (cam)"}))
    assert told.splitlines()[0] == "✗ camera: this user may not use video0 (cam)"
    assert "usermod -aG video" in told.splitlines()[1]
    calm = doctor.in_words(Finding("camera", "ok", "camera_found", {"names": "video0 (cam)"}))
    assert calm == "✓ camera: video0 (cam)"
    use_language("zh")


def test_a_broken_model_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    models = tmp_path / "assets" / "models"
    models.mkdir(parents=True)
    monkeypatch.setattr(doctor, "HOME", tmp_path)
    assert doctor.models().key == "models_missing"
