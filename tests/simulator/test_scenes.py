"""Training scenes say the truth: labels lie on their cards, hidden ones are not claimed, shards come back whole."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("PIL")
from engine.cards import Card
from simulator.art.indexed import IndexedDeck
from simulator.art.own_indices import own_indexed
from simulator.scene_layouts import Lying
from simulator.scenes import _labels, _Stage, _view, render_scene

needs_fonts = pytest.mark.skipif(shutil.which("fc-list") is None, reason="no fontconfig on this machine")


@pytest.fixture(scope="module")
def deck() -> IndexedDeck:
    return own_indexed("river")


@needs_fonts
def test_a_scene_follows_its_seed(deck: IndexedDeck) -> None:
    one, again = (render_scene(np.random.default_rng(5), [deck], 256, 12) for _ in range(2))
    assert one.indices == again.indices
    assert (one.image == again.image).all()
    assert one.image.shape == (256, 256, 3) and one.image.dtype == np.uint8


@needs_fonts
def test_labels_lie_in_the_picture_with_the_wanted_size(deck: IndexedDeck) -> None:
    for seed in range(3):
        scene = render_scene(np.random.default_rng(seed), [deck], 320, 20, index_px=28.0, empty=0.0)
        assert scene.indices
        for label in scene.indices:
            assert -28 < label.x < 348 and -28 < label.y < 348
            assert 0.05 <= label.visible <= 1 and 0 <= label.rank_visible <= 1
            if not label.card.is_joker and label.visible > 0.9:
                assert 18 < label.height < 38


@needs_fonts
def test_a_scene_without_cards_has_no_labels(deck: IndexedDeck) -> None:
    scene = render_scene(np.random.default_rng(1), [deck], 320, 20, empty=1.0)
    assert scene.indices == []


def stage_with(deck: IndexedDeck, *lying: Lying) -> list[list[tuple[str, float]]]:
    """What is visible of each of *lying*, laid one over the other in a plain view: (card, share) of each label."""
    rng = np.random.default_rng(0)
    view = np.array([[4.0, 0, 300], [0, 4.0, 300], [0, 0, 1.0]])
    stage = _Stage(rng, 600, view)
    matrices = [stage.lay(number, each, 4.0) for number, each in enumerate(lying)]
    return [
        [(label.card.name, label.visible) for label in _labels(stage, number, each, matrices[number])]
        for number, each in enumerate(lying)
    ]


def test_what_lies_below_is_hidden(deck: IndexedDeck) -> None:
    below = Lying(Card.parse("S8"), 0, 0, 0.0, deck)
    over = Lying(Card.parse("H8"), 0, 0, 0.0, deck)
    assert stage_with(deck, below, over) == [[], [("H8", 1.0), ("H8", 1.0)]]


def test_a_fanned_card_keeps_one_index(deck: IndexedDeck) -> None:
    below = Lying(Card.parse("S8"), 0, 0, 0.0, deck)
    over = Lying(Card.parse("HK"), 14, 0, 0.0, deck)
    assert stage_with(deck, below, over)[0] == [("S8", 1.0)]


def test_half_an_index_counts_half(deck: IndexedDeck) -> None:
    place = deck.places(Card.parse("S8"))[0]
    below = Lying(Card.parse("S8"), 0, 0, 0.0, deck)
    over = Lying(None, place.x + deck.size_mm[0] / 2, 0, 0.0, deck)
    (_, share), *_ = stage_with(deck, below, over)[0]
    assert 0.2 < share < 0.8


def test_angles_are_clockwise_from_up(deck: IndexedDeck) -> None:
    rng = np.random.default_rng(0)
    stage = _Stage(rng, 600, np.array([[4.0, 0, 300], [0, 4.0, 300], [0, 0, 1.0]]))
    lying = Lying(Card.parse("C5"), 0, 0, 90.0, deck)
    labels = _labels(stage, 0, lying, stage.lay(0, lying, 4.0))
    angles = sorted(round(label.angle) for label in labels)
    assert angles == [90, 270]
    upright = next(label for label in labels if round(label.angle) == 90)
    assert upright.x > 300 and upright.y < 300, "turned clockwise, the upper left index is at the upper right"


def test_views_keep_the_middle_and_the_scale() -> None:
    for seed in range(20):
        view = _view(np.random.default_rng(seed), 640, 3.0)
        middle = view @ [0, 0, 1]
        assert np.allclose(middle[:2] / middle[2], 320)
        step = view @ [10, 0, 1]
        assert 15 < np.hypot(*(step[:2] / step[2] - 320)) < 45


@needs_fonts
def test_shards_come_back_as_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deck: IndexedDeck) -> None:
    from simulator import scene_shards

    monkeypatch.setattr(scene_shards, "SHARD", 2)
    monkeypatch.setattr(scene_shards, "pool", lambda rng, kind: [deck])
    scene_shards._write_shard((3, 9, tmp_path, "training", 200, 0.13))
    first = list(scene_shards.read_shard(tmp_path / "scenes-00003.npz"))
    (tmp_path / "scenes-00003.npz").unlink()
    scene_shards._write_shard((3, 9, tmp_path, "training", 200, 0.13))
    second = list(scene_shards.read_shard(tmp_path / "scenes-00003.npz"))
    assert len(first) == 2 and first[0].image.shape == (200, 200, 3)
    assert [scene.indices for scene in first] == [scene.indices for scene in second]
    assert sum(len(scene.indices) for scene in first) > 0
