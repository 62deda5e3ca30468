"""Cards where they need not lie: in the middle, over a zone's edge, face up on a heap of turned ones."""

import pytest

from engine.cards import Card
from simulator.art import Deck
from tests.vision.card_table import Table
from tests.vision.test_eye import by_hand, names, networks, watch
from vision.eye import Eye
from vision.mat import PLAY, TURNED, zone_of
from vision.observations import Hidden, Laid, Removed
from vision.photo import MODELS

pytestmark = pytest.mark.skipif(not (MODELS / "reader.onnx").exists(), reason="no trained models here")
__all__ = ["networks"]


def test_a_card_dropped_in_the_middle_is_asked_about_and_an_old_one_there_is_a_heap(networks: tuple) -> None:
    table = Table(Deck.own("river"))
    eye = Eye(*networks)
    watch(eye, table, 1.0)
    assert zone_of(350.0, 390.0) is None
    seen = by_hand(eye, table, "S", lambda: table.lying.append((Card.parse("H9"), 350.0, 390.0, 4.0)))
    seen += watch(eye, table, 1.0)
    assert names(seen, Laid) == [("S", ["H9"])]
    (laid,) = (one for one in seen if isinstance(one, Laid))
    assert not laid.steady and laid.touched_at < laid.settled_at, "nobody can be sure whose it is"
    by_hand(eye, table, "S", lambda: table.fan("S", "D4 S4"))

    def heap() -> None:  # the fours go to the middle, face up, beside the nine
        table.lying[1:] = [(card, 300.0 + 20 * k, 300.0, 7.0) for k, (card, *_) in enumerate(table.lying[1:])]

    swept = by_hand(eye, table, "S", heap) + watch(eye, table, 1.5)
    assert names(swept, Laid) == [] and names(swept, Removed) == [("S", ["D4", "S4"])]
    gone = by_hand(eye, table, "S", lambda: table.lying.pop(0)) + watch(eye, table, 1.5)
    assert names(gone, Removed) == [("S", ["H9"])], "what was told as a play is told when it goes"


def test_cards_over_the_edge_of_a_zone_are_read_and_a_heap_face_up_is_ignored(networks: tuple) -> None:
    table = Table(Deck.own("river"))
    eye = Eye(*networks)
    watch(eye, table, 1.0)
    right = PLAY["S"].x1

    def over() -> None:
        table.lying.append((Card.parse("D7"), right - 40.0, PLAY["S"].y0 - 30.0, 3.0))
        table.lying.append((Card.parse("C7"), right - 16.0, PLAY["S"].y0 - 26.0, 6.0))

    seen = by_hand(eye, table, "S", over)
    assert names(seen, Laid) == [("S", ["D7", "C7"])]
    assert all(card.sure for one in seen if isinstance(one, Laid) for card in one.cards)
    x, y = TURNED["W"].centre

    def heap() -> None:
        for k, name in enumerate(("SA", "HT", "D3")):
            table.lying.append((Card.parse(name), x + 6 * k, y - 4 * k, 20.0 * k))

    heaped = by_hand(eye, table, "W", heap) + watch(eye, table, 1.0)
    assert not names(heaped, Laid) and not [one for one in heaped if isinstance(one, Hidden)]
