"""The tones: told apart by their shape, without a click, off unless asked for."""

from __future__ import annotations

from itertools import pairwise

import pytest

from hardware.speaker import has_card
from hardware.tones import RATE, RISE, TONES, beeps, samples


@pytest.mark.parametrize("name", TONES)
def test_a_tone_comes_and_goes_softly(name: str) -> None:
    made = samples(name)
    seconds = sum(length for _, length in TONES[name])
    assert abs(len(made) / RATE - seconds) < 0.001 and seconds < 1.5
    assert made[0] == 0 and abs(made[-1]) < 300
    assert 6_000 < max(map(abs, made)) < 32_767 * 0.6
    # No step larger than its own highest note explains: a click would be one.
    highest = max(hertz for hertz, _ in TONES[name])
    assert max(abs(b - a) for a, b in pairwise(made)) < 20_000 * 6.3 * highest * 1.5 / RATE + 20_000 / (RISE * RATE)


def test_no_two_tones_are_alike_for_those_who_hear_no_pitch() -> None:
    shapes = [tuple((on, round(length, 2)) for on, length in beeps(name)) for name in TONES]
    assert len(set(shapes)) == len(shapes)


def test_silence() -> None:
    assert not samples("no such tone") and not beeps("no such tone")
    assert max(samples("bell", 0.0)) == 0


def test_a_machine_without_a_card(tmp_path) -> None:  # type: ignore[no-untyped-def]
    assert not has_card(tmp_path)
    (tmp_path / "proc/asound").mkdir(parents=True)
    (tmp_path / "proc/asound/cards").write_text("--- no soundcards ---\n", "utf-8")
    assert not has_card(tmp_path)
    (tmp_path / "proc/asound/cards").write_text(" 0 [Device ]: USB-Audio - USB Audio\n", "utf-8")
    assert has_card(tmp_path)
