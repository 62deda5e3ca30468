"""What a table sounds, once sound is on: what matters and nothing else, each with a tone of its own that exists."""

from __future__ import annotations

from engine.cards import SIDES
from hardware.tones import TONES
from table.effects import Sound
from tests.table.scripted import Scripted


def heard(table: Scripted) -> list[str]:
    return [effect.name for effect in table.effects if isinstance(effect, Sound)]


def test_each_tone_has_its_moment_and_each_moment_its_tone() -> None:
    table = Scripted(match_seconds=600, reminders=[300], turn_seconds=20, turn_warning=20, turn_foul=40)
    table.tap("seat", "N")
    table.lay("N", "S8")
    table.press("W", "pass")
    assert heard(table) == [], "play that is in order is silent"
    table.wait(22)
    assert heard(table) == ["warning"]
    table.press("S", "call")
    assert heard(table)[1:] == ["call"]
    table.tap("resume")
    table.lay("S", "S3")  # does not beat
    assert heard(table)[2:] == ["notice"]
    table.rule(table.alerts[-1].id, "waive")
    table.wait(320)
    assert "reminder" in heard(table)
    table.wait(320)
    assert heard(table)[-1] == "bell"
    for side in SIDES:
        table.tap("confirm", side)
    assert heard(table)[-1] == "confirmed" and heard(table).count("bell") == 1
    assert set(heard(table)) == set(TONES), "none is left over"


def test_among_friends_only_time_and_a_call_are_heard() -> None:
    table = Scripted("friendly", match_seconds=600, reminders=[300])
    table.tap("seat", "N")
    table.lay("N", "S8")
    table.lay("W", "S3")  # does not beat: a friendly look
    table.wait(650)
    assert heard(table) == ["reminder", "bell"]
