"""`doctor` on this very machine: every finding has words in both languages, advice where something is to be done."""

from __future__ import annotations

import ast
import json
import tomllib
import zipfile
from pathlib import Path

import numpy as np
import pytest

from cli import doctor, doctor_bundle
from cli.main import main
from cli.words import use_language
from engine.cards import Card
from hardware.probe import Finding
from table import own_deck
from vision.profiles import Crop, DeckProfile

HOME = Path(__file__).resolve().parent.parent.parent


def test_it_tells_every_topic_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["--lang", "en", "doctor", "--json"])
    told = json.loads(capsys.readouterr().out)
    topics = [check["topic"] for check in told["checks"]]
    assert topics == [
        "machine", "python", "packages", "models", "deck", "camera", "display", "touch", "sound", "pins", "serial",
        "disk", "clock", "power", "heat",
    ]  # fmt: skip
    by_topic = {check["topic"]: check for check in told["checks"]}
    assert by_topic["packages"]["state"] == "ok"
    assert "onnxruntime" in by_topic["packages"]["found"]
    assert by_topic["models"]["state"] == "ok", by_topic["models"]
    assert all((check["advice"] is not None) == (check["state"] in ("warn", "bad")) for check in told["checks"])
    assert status == (0 if told["ok"] else 1)
    assert told["ok"] == all(check["state"] != "bad" for check in told["checks"])


def findings(camera: str, display: str = "ok") -> list[Finding]:
    return [Finding("machine", "ok", "machine"), Finding("camera", camera, "camera_none"),
            Finding("display", display, "display_none"), Finding("heat", "warn", "heat_high")]  # fmt: skip


def test_a_machine_without_a_camera_is_never_called_a_table() -> None:
    use_language("en")
    assert doctor.verdict(findings("ok")).startswith("This machine can run a table")
    for camera, display, missing in (
        ("warn", "ok", "camera"),
        ("ok", "warn", "display"),
        ("warn", "warn", "camera and display"),
    ):
        told = doctor.verdict(findings(camera, display))
        assert f"no table yet: {missing} missing" in told and "can run" not in told
    assert doctor.verdict(findings("bad")).startswith("1 things must be put right first")
    use_language("zh")


def test_the_disk_that_is_looked_at_is_the_one_with_the_matches(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    disk = next(found for look in doctor.checks() if (found := look()).topic == "disk")
    assert disk.values["folder"] == tmp_path


def test_the_bundle_helps_and_gives_nothing_away(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    token = "Zk3vQ9x7Wc5Tb1Rn8Ly6Hd4Gf2Js0Pa_" * 2
    state = tmp_path / "guandan"
    state.mkdir()
    (state / "table.journal.venue").write_text(json.dumps({"url": "http://x", "token": token}), "utf-8")
    (state / "table.journal.log").write_text("欧阳明月", "utf-8")
    (state / "settings.toml").write_text('language = "zh"\n', "utf-8")
    env = tmp_path / "table.env"
    env.write_text(f"GUANDAN_OPTIONS=--code 482913 --venue http://me:geheim@10.0.0.2\nTOKEN={token}\n", "utf-8")
    monkeypatch.setitem(doctor_bundle.COMMANDS, "log.txt", ("echo", f"Authorization: Bearer {token}"))
    path = tmp_path / "diagnosis.zip"
    doctor_bundle.write(path, [{"topic": "disk", "state": "ok"}], state, [env])
    with zipfile.ZipFile(path) as bundle:
        texts = {name: bundle.read(name).decode() for name in bundle.namelist()}
    assert {"doctor.json", "versions.txt", "files.txt", "screen.toml", "table.env", "log.txt"} <= set(texts)
    whole = "\n".join(texts.values())
    for secret in (token, token[:32], "482913", "geheim", "欧阳明月"):
        assert secret not in whole, secret
    assert "table.journal.venue" in texts["files.txt"] and "10.0.0.2" in texts["table.env"]
    assert "numpy 2" in texts["versions.txt"] or "numpy 1" in texts["versions.txt"]


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


def test_a_deck_that_cannot_be_read_is_told_until_another_has_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_language("en")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    place = tmp_path / "guandan" / "venue.deck"
    place.parent.mkdir()
    assert (doctor.deck().state, doctor.deck().key) == ("note", "deck_none")
    place.write_bytes(b"no zip at all")
    assert (doctor.deck().state, doctor.deck().key) == ("warn", "deck_damaged") and place.exists()
    own_deck.wear(place)
    told = doctor.in_words(doctor.deck())
    assert "venue.deck.aside" in told and f"copy a whole profile to {place}" in told
    image = np.full((84, 60, 3), 200, np.uint8)
    DeckProfile("Teahouse", (Crop(Card.parse("SA"), image), Crop(Card.parse("HR"), image))).save(place)
    assert doctor.in_words(doctor.deck()) == "✓ own deck: Teahouse, 2 of 54 faces"
    use_language("zh")


def test_a_broken_model_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    models = tmp_path / "assets" / "models"
    models.mkdir(parents=True)
    monkeypatch.setattr(doctor, "HOME", tmp_path)
    assert doctor.models().key == "models_missing"
