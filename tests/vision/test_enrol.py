"""A deck whose jacks and queens have changed letters: enrolled from the camera it is read right, before it is not."""

from __future__ import annotations

from random import Random
from typing import cast

import cv2
import numpy as np
import pytest

from engine.cards import DECK, Card
from simulator.art import Deck
from simulator.camera import VirtualCamera
from simulator.spread import Spread, suit_by_suit
from simulator.world import World
from vision.camera import Frame
from vision.detector import Detector
from vision.enrolment.looks import Look
from vision.enrolment.prototypes import ProfiledReader
from vision.enrolment.session import STEPS, Enrolment
from vision.enrolment.watching import Stillness
from vision.mat import View
from vision.observations import SeenCard
from vision.profiles import DeckProfile
from vision.reader import Reader, cut_patches

SWAPPED = {"J": "Q", "Q": "J"}


@pytest.fixture(scope="module")
def deck() -> Deck:
    """Our own deck, but its J says Q and its Q says J: no reader can know."""
    own = Deck.own("pine")

    def draw(key: str) -> np.ndarray:
        return own._picture(key if key == "back" else key[0] + SWAPPED.get(key[1], key[1]))

    return Deck("odd", draw, own.px_per_mm, own.size_mm)


@pytest.fixture(scope="module")
def shown(deck: Deck) -> tuple[Enrolment, Look]:
    """The enrolment after one look at the deck, laid suit by suit."""
    spread = Spread(deck, [suit_by_suit(Random(4))])
    image = VirtualCamera(cast(World, spread), lambda: 2.0, (2624, 1972), seed=4).still().image
    look = Look("1", image, View.from_markers(image))
    reader = Reader()
    enrolment = Enrolment(reader)
    enrolment.show(look.sightings(Detector(), reader, 15.0), look.px_per_mm)
    return enrolment, look


def test_one_look_at_the_rows_teaches_the_deck(shown: tuple[Enrolment, Look]) -> None:
    enrolment, look = shown
    assert look.view is not None
    assert len(enrolment.seen) >= 50
    assert set(enrolment.seen) | set(enrolment.wanted) == set(DECK)
    assert enrolment.index_mm is not None and 8 < enrolment.index_mm < 30
    assert all(Card.parse(suit + rank) in enrolment.seen for suit in "SHCD" for rank in "JQ")


def test_with_its_profile_the_letters_mean_what_this_deck_means(shown: tuple[Enrolment, Look], tmp_path) -> None:
    enrolment, look = shown
    profile = DeckProfile.load(enrolment.profile("odd").save(tmp_path / "odd.deck"))
    reader = Reader()
    seen = look.sightings(Detector(), reader, 15.0)
    patches = cut_patches(look.image, seen)
    plain, own = reader.read_patches(patches), ProfiledReader(reader, profile).read_patches(patches)
    swapped = right = 0
    for before, after in zip(plain, own, strict=True):
        if before.confidence > 0.9 and before.card.rank in SWAPPED:
            swapped += 1
            right += after.card is Card.parse(before.card.suit + SWAPPED[before.card.rank]) and after.confidence > 0.8
            assert sum(p for _, p in after.candidates) <= 1.001
    assert swapped >= 7 and right >= swapped - 1


def test_the_questions_go_to_the_person_and_answers_come_back(shown: tuple[Enrolment, Look]) -> None:
    enrolment = Enrolment(Reader())
    look = shown[1]
    seen = look.sightings(Detector(), Reader(), 15.0)[:3]
    blurred = [
        each.__class__(
            each.x, each.y, each.dx, each.dy, each.size, each.score, each.read, cv2.blur(each.crop, (15, 15))
        )
        for each in seen
    ]
    for each in blurred:
        each.read.rank_probs[:] = 1 / 13  # nobody can say what it is
        each.read.__dict__.pop("candidates", None)
    enrolment.show(blurred)
    assert len(enrolment.doubtful) == len(blurred) and enrolment.step == "show"
    first, second, *_ = enrolment.doubtful
    enrolment.answer(first.id, Card.parse("H7"))
    enrolment.answer(second.id, None)
    assert enrolment.seen == (Card.parse("H7"),) and len(enrolment.crops(Card.parse("H7"))) == 1
    with pytest.raises(KeyError):
        enrolment.answer(first.id, Card.parse("H8"))


def card_of(card: Card, sure: bool = True) -> SeenCard:
    return SeenCard(card, 0.99 if sure else 0.5, sure, ((card, 0.99 if sure else 0.5),), ((0.0, 0.0),), 0.0)


def test_the_proof_counts_what_lies_there_once() -> None:
    enrolment = Enrolment(Reader())
    enrolment.step = "prove"
    spread = [card_of(card) for card in DECK[:50]] + [card_of(DECK[8]), card_of(DECK[51], sure=False)]
    proof = enrolment.prove(spread)
    assert (proof.right, proof.wrong, len(proof.asked)) == (50, (DECK[8],), 1)
    assert set(proof.unseen) == set(DECK[50:]) and not proof.passed
    enrolment.step = "prove"
    assert enrolment.prove([card_of(card) for card in DECK]).passed and enrolment.step == "done"
    assert enrolment.profile().proof == {"cards": 54, "right": 54, "asked": 0, "wrong": 0}


def test_what_a_proof_shows_to_be_learned_wrong_is_learned_anew() -> None:
    enrolment = Enrolment(Reader())
    crop = np.full((84, 60, 3), 200, np.uint8)
    for card in DECK:
        enrolment._take(card, crop, False)
    enrolment.step = "prove"
    doubtful, lost = DECK[8], DECK[20]
    spread = [card_of(card) for card in DECK if card is not lost] + [card_of(doubtful)]
    assert not enrolment.prove(spread).passed
    assert enrolment.step == "show" and set(enrolment.wanted) == {doubtful, lost}
    for card in (doubtful, lost):
        enrolment._take(card, crop, False)
    enrolment.step = "prove"
    unsure = [card_of(card, sure=number > 5) for number, card in enumerate(DECK)]
    assert not enrolment.prove(unsure).passed, "asked is not wrong"
    assert enrolment.step == "prove" and not enrolment.wanted
    few = [card_of(card) for card in DECK[:30]] + [card_of(DECK[0])]
    enrolment.prove(few)
    assert enrolment.wanted == (DECK[0],), "who spreads a part of the deck has lost no face"


def test_every_step_leads_somewhere_that_is_a_step() -> None:
    assert {after for ways in STEPS.values() for after in ways.values()} <= set(STEPS)


def test_it_looks_when_cards_lie_still_and_otherwise_than_before() -> None:
    still, t, looked = Stillness(), 0.0, []
    rng = np.random.default_rng(2)
    bare = np.full((240, 320, 3), 60, np.uint8)

    def watch(picture: np.ndarray, frames: int) -> None:
        nonlocal t
        for _ in range(frames):
            t += 0.1
            grain = rng.normal(0, 3, picture.shape)
            if still.see(Frame(t, np.clip(picture + grain, 0, 255).astype(np.uint8))):
                looked.append(round(t, 1))

    watch(bare, 12)
    laid = bare.copy()
    laid[80:160, 60:260] = 230
    watch(laid, 12)
    watch(laid, 30)
    assert len(looked) == 2
    watch(np.clip(laid * 1.04, 0, 255).astype(np.uint8), 20)  # exposure drifts
    assert len(looked) == 2
    still.again()
    watch(laid, 12)
    assert len(looked) == 3
