"""Training decks know where their indices are: what they say is where the ink is."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

from engine.cards import DECK, Card
from simulator.art.indexed import IndexedDeck, IndexPlace, paper_colour

pytest.importorskip("PIL")
from simulator.art import debian, glyphs, paths
from simulator.art.own_indices import own_indexed

needs_fonts = pytest.mark.skipif(shutil.which("fc-list") is None, reason="no fontconfig on this machine")


def needs(design: str) -> pytest.MarkDecorator:
    there = debian.installed(design) and shutil.which("rsvg-convert") is not None
    return pytest.mark.skipif(not there, reason="gnome-cards-data or rsvg-convert is not installed")


def ink_share(deck: IndexedDeck, card: Card, place: IndexPlace, grow: float) -> float:
    """The share of printed pixels in *place*'s box grown by *grow* mm."""
    face = deck.face(card)
    scale, (wide, high) = deck.px_per_mm, deck.size_mm
    x0, x1 = (round((wide / 2 + place.x + sign * (place.width / 2 + grow)) * scale) for sign in (-1, 1))
    y0, y1 = (round((high / 2 + place.y + sign * (place.height / 2 + grow)) * scale) for sign in (-1, 1))
    patch = face[max(0, y0) : y1, max(0, x0) : x1, :3].astype(float)
    return float((np.abs(patch - paper_colour(face)).max(axis=2) > 60).mean())


@pytest.mark.parametrize("name", ["river", "pine"])
def test_own_indices_hold_ink_and_nothing_lies_beside_them(name: str) -> None:
    deck = own_indexed(name)
    for card in DECK:
        places = deck.places(card)
        assert len(places) == 2 and places[0].turned != places[1].turned, card
        for place in places:
            inner = ink_share(deck, card, place, 0.0)
            assert 0.12 < inner < 0.85, (card, inner)
            outer = ink_share(deck, card, place, 0.5)
            area = (place.width + 1) * (place.height + 1) / (place.width * place.height)
            assert outer * area <= inner * 1.12 + 0.01, card


@needs("anglo")
def test_a_sheets_indices_are_found() -> None:
    deck = debian.deck("anglo")
    heights = set()
    for card in deck.cards:
        for place in deck.places(card):
            assert 0.08 < ink_share(deck, card, place, 0.0) < 0.9, card
            if not card.is_joker:
                heights.add(round(place.height))
                assert place.height > place.width
    assert max(heights) - min(heights) <= 1


@needs("ancient_french")
def test_cards_with_other_letters_are_left_out() -> None:
    names = {card.name for card in debian.deck("ancient_french").cards}
    assert "H9" in names and "HK" not in names and "HA" not in names


def test_held_out_designs_are_in_no_training_list() -> None:
    assert len(debian.HELD_OUT) == 4
    assert not set(debian.HELD_OUT) & set(debian.training_names())


@needs_fonts
def test_drawn_decks_follow_their_seed_and_show_every_index() -> None:
    from simulator.art import drawn

    one, again = drawn.drawn_deck(11), drawn.drawn_deck(11)
    for name in ("S3", "HT", "CQ", "SB", "HR"):
        card = Card.parse(name)
        assert (one.face(card) == again.face(card)).all()
        for place in one.places(card):
            assert ink_share(one, card, place, 0.0) > 0.04
    three = Card.parse("S3")
    assert one.face(three).tobytes() != drawn.drawn_deck(12).face(three).tobytes()


def test_suit_signs_are_four_different_shapes() -> None:
    rng = np.random.default_rng(3)
    shapes = [np.resize(glyphs.suit_mask(suit, 40, rng)[:, :36], (40, 30)) for suit in "SHCD"]
    assert all((a != b).mean() > 0.1 for i, a in enumerate(shapes) for b in shapes[:i])
    assert set(paths.SUITS) == set("SHCD")


def test_every_rank_has_strokes() -> None:
    assert set("A23456789TJQK") <= set(paths.STROKES)
