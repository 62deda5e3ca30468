"""A million bounces: every press once, nothing else ever."""

from __future__ import annotations

from random import Random

import pytest

from hardware.contacts import Panel, Spec
from hardware.debounce import STUCK, Button, Debounce

STEP = 0.004


def trembling(rng: Random, t: float, level: bool) -> list[tuple[float, bool]]:
    """The edges of a contact that goes to *level* at *t*: it bounces for at most 10 ms and then stands."""
    edges, now, end = [(t, level)], t, t + rng.uniform(0.0005, 0.010)
    while (now := now + rng.uniform(0.00002, 0.0012)) < end:
        edges.append((now, not edges[-1][1]))
    if edges[-1][1] != level:
        edges.append((min(now, end), level))
    return edges


def watched(contact: Button, edges: list[tuple[float, bool]], phase: float) -> int:
    """How often *contact* fires while *edges* happen, sampled as the pins' thread does; long quiet is skipped."""
    fired, level, t = 0, False, edges[0][0] - phase
    for k, (at, becomes) in enumerate(edges):
        quiet = edges[k - 1][0] + 0.040 if k else at
        while t < min(at, quiet):
            fired += contact.sample(t, level)
            t += STEP
        t = max(t, at - phase)
        contact.debounce.moved(at)
        level = becomes
    for _ in range(10):
        t += STEP
        fired += contact.sample(t, level)
    return fired


def test_a_million_bounces_lose_no_press_and_double_none() -> None:
    """Presses of 60 to 400 ms with sparks of up to 6 ms in between, longer than a sample's step."""
    rng, contact, bounces, t = Random(11), Button(Debounce()), 0, 0.0
    while bounces < 1_000_000:
        if rng.random() < 0.2:
            spark = [(t, True), (t + rng.uniform(0.0001, 0.006), False)]
            assert watched(contact, spark, STEP * rng.random()) == 0
            t += 0.1
        edges = trembling(rng, t, True)
        t += rng.uniform(0.060, 0.400)
        edges += trembling(rng, t, False)
        t += rng.uniform(0.120, 0.500)
        assert watched(contact, edges, STEP * rng.random()) == 1
        bounces += len(edges)


@pytest.mark.parametrize("stable", [0.020, 0.025, 0.030])
def test_a_level_counts_exactly_once_it_has_stood(stable: float) -> None:
    contact = Debounce(stable)
    assert not contact.sample(1.0, True)
    assert not contact.sample(1.0 + stable - 0.001, True)
    assert contact.sample(1.0 + stable, True) and contact.down
    assert not contact.sample(2.0, True)
    assert not contact.sample(3.0, False) and contact.sample(3.0 + stable, False) and not contact.down


def test_an_edge_between_two_samples_starts_the_wait_anew() -> None:
    contact = Debounce(0.025)
    contact.sample(1.000, True)
    contact.moved(1.020)
    assert not contact.sample(1.030, True)
    assert contact.sample(1.045, True)


def test_the_referee_button_wants_to_be_held() -> None:
    button = Button(Debounce(), hold=0.5)
    at = [k * STEP for k in range(1000)]
    assert not any(button.sample(t, t < 0.4) for t in at[:250])  # let go too early
    fired = [t for t in at[250:] if button.sample(t, t >= 1.2)]
    assert len(fired) == 1 and 1.69 < fired[0] < 1.72  # once, half a second after it went down


def test_what_is_down_at_the_start_is_no_press() -> None:
    panel = Panel([Spec("N", "pass", 5), Spec("W", "pass", 6)], 0.025, [True, False])
    assert not any(panel.sample(k * STEP, [True, False]) for k in range(50))
    assert not any(panel.sample(1 + k * STEP, [False, False]) for k in range(50))
    presses = [press for k in range(50) for press in panel.sample(2 + k * STEP, [True, True])]
    assert [(press.seat, press.button) for press in presses] == [("N", "pass"), ("W", "pass")]
    assert not panel.busy
    assert panel.stuck(2 + STUCK / 2) == [] and len(panel.stuck(3 + STUCK)) == 2
