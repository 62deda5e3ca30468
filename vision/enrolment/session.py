"""Enrolling a deck as a person sees it: what is still wanted, what was seen, what is doubtful, how the proof went.

Pure: pictures' sightings go in, a state comes out that a terminal or a screen can draw. The steps are the table below.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.cards import DECK, Card
from vision.enrolment.labels import HR, SB, Label, label
from vision.enrolment.prototypes import Embeds, ProfiledReader
from vision.enrolment.sightings import Sighting
from vision.layout import Index, learn_shape
from vision.observations import SeenCard
from vision.profiles import Crop, DeckProfile, few
from vision.reader import PATCH_HEIGHT, PATCH_WIDTH

STEPS: Final = {
    #          a picture came   all faces known       a question answered   a shuffled spread was read
    "show": {"shown": "show", "complete": "jokers", "answered": "show"},
    "jokers": {"shown": "jokers", "complete": "jokers", "answered": "jokers", "varied": "prove"},
    "prove": {
        "shown": "prove",
        "complete": "prove",
        "answered": "prove",
        "passed": "done",
        "failed": "prove",
        "doubted": "show",
    },
    "done": {"shown": "done", "complete": "done", "answered": "done", "passed": "done", "failed": "done"},
}
"""Where an enrolment stands, and what leads on from there."""
JOKER_LOOKS: Final = 3
"""In so many looks both jokers must have been seen: no two decks print them alike, and the finder sees another part of
them each time."""

KNOWN_HELPS: Final = 30
"""From this many faces on what is known of this deck names its sightings better than the reader alone."""
PASSES: Final = 0.94
"""Share of a proof's cards that must be sure and right; none may be wrong."""
LEAST_PROOF: Final = 20
WHOLE: Final = 50
"""From so many cards on a spread is the whole deck: a face that nobody saw in it was taken for another."""
MOST_QUESTIONS: Final = 16
GLYPH_TWICE: Final = 2
"""A rank that its rows name against the reader is believed when this many rows agree."""


@dataclass(frozen=True)
class Question:
    """A crop that nobody could name; the likeliest answers first."""

    id: int
    crop: np.ndarray
    candidates: tuple[Card, ...]


@dataclass(frozen=True)
class Proof:
    """What a shuffled spread of the deck came to: each face lies there once, so a face seen twice is a misread one."""

    right: int
    asked: tuple[tuple[Card, ...], ...]
    """Candidates of each card that was not sure."""
    wrong: tuple[Card, ...]
    """Faces that were seen surely once too often."""
    unseen: tuple[Card, ...]

    @property
    def cards(self) -> int:
        """How many cards were seen."""
        return self.right + len(self.asked) + len(self.wrong)

    @property
    def passed(self) -> bool:
        return not self.wrong and self.cards >= LEAST_PROOF and self.right >= PASSES * self.cards


@dataclass(frozen=True)
class Shown:
    """What one picture added."""

    new: tuple[Card, ...]
    by_row: tuple[Card, ...]
    """Of these, the ones that only their place in a row named."""
    questions: int
    sightings: int


@dataclass
class _Open:
    """An unanswered question: the sighting's crop and where it was shown."""

    question: Question
    look: int
    suggested: Card | None = None


class Enrolment:
    """One deck being learned; *reader* is the network without any profile."""

    def __init__(self, reader: Embeds) -> None:
        self.step = "show"
        self.proof: Proof | None = None
        self._reader = reader
        self._crops: dict[Card, list[Crop]] = {}
        self._open: dict[int, _Open] = {}
        self._looks = 0
        self._asked = 0
        self._heights: list[float] = []
        self._widths: list[float] = []
        self._learned: ProfiledReader | None = None
        """With what is known; None: something came in since."""
        self._by_row: set[Card] = set()
        self._alone: set[int] = set()
        """Looks that showed two jokers of one colour by themselves."""

    # -- what a screen draws ----------------------------------------------------------------------------------------

    @property
    def seen(self) -> tuple[Card, ...]:
        """The faces that are known by now, in the deck's order."""
        return tuple(card for card in DECK if card in self._crops)

    @property
    def wanted(self) -> tuple[Card, ...]:
        """The faces that are still to be shown."""
        return tuple(card for card in DECK if card not in self._crops)

    @property
    def doubtful(self) -> tuple[Question, ...]:
        """The questions that are open, those that matter first: only while faces are wanted."""
        if not self.wanted:
            return ()
        return tuple(each.question for each in self._open.values())[:MOST_QUESTIONS]

    @property
    def joker_looks(self) -> int:
        """How many more looks at the jokers are wanted."""
        seen = min(len({crop.look for crop in self._crops.get(card, ())}) for card in (SB, HR))
        return max(0, JOKER_LOOKS - seen)

    @property
    def index_mm(self) -> float | None:
        """Height of this deck's plain indices in millimetres; None while no mat told the scale."""
        return _middle(self._heights)

    def crops(self, card: Card) -> tuple[np.ndarray, ...]:
        """What was kept of *card*."""
        return tuple(crop.image for crop in self._crops.get(card, ()))

    # -- what comes in ----------------------------------------------------------------------------------------------

    def show(self, seen: Sequence[Sighting], px_per_mm: float | None = None) -> Shown:
        """Take in one picture's sightings; *px_per_mm* where the mat told the scale."""
        self._looks += 1
        self._open.clear()  # the cards lie otherwise now: what was asked of the last picture is asked anew
        before = set(self.seen)
        labels = label(seen, self._names(seen), by_side=px_per_mm if self.step == "jokers" else None)
        if any(each is not None and each.how == "side" for each in labels):
            self._only_alone()
        doubted = self._against_the_reader(seen, labels)
        by_row: list[Card] = []
        for place, (one, each) in enumerate(zip(seen, labels, strict=True)):
            if each is None:
                continue
            if each.card is not None and place not in doubted:
                if each.how == "row":
                    by_row.append(each.card)
                self._take(each.card, one.crop, each.how == "row")
            elif self.wanted:
                self._ask(one, each)
        self._measure(seen, labels, px_per_mm)
        new = tuple(card for card in self.seen if card not in before)
        self._learned = None
        self._go("shown")
        self._check_complete()
        self._open = {} if not self.wanted else self._open
        return Shown(new, tuple(card for card in dict.fromkeys(by_row) if card in new), len(self._open), len(seen))

    def answer(self, question: int, card: Card | None) -> None:
        """A person named the crop of *question*, or said that it is no card (None); the same glyphs follow.

        :raises KeyError: when there is no such question any more.
        """
        asked = self._open.pop(question)
        if card is not None:
            self._crops.setdefault(card, []).append(Crop(card, asked.question.crop, asked.look))
            self._learned = None
        self._go("answered")
        self._check_complete()

    def prove(self, cards: Sequence[SeenCard]) -> Proof:
        """Take in a shuffled spread of the deck as table and photo read it with :meth:`reader`."""
        sure = Counter(card.card for card in cards if card.sure)
        self.proof = Proof(
            right=len(sure),
            asked=tuple(tuple(name for name, _ in card.candidates[:3]) for card in cards if not card.sure),
            wrong=tuple(card for card in DECK for _ in range(sure[card] - 1)),
            unseen=tuple(card for card in DECK if not sure[card]),
        )
        self._go("passed" if self.proof.passed else "failed")
        if self.proof.wrong and self.step != "done":
            self._doubt(self.proof)
        return self.proof

    def _doubt(self, proof: Proof) -> None:
        """Something learned is wrong: the faces that were seen too often, and those that lay there unseen, are learned
        anew."""
        unseen = proof.unseen if proof.cards >= WHOLE else ()
        for card in (*proof.wrong, *unseen):
            self._crops.pop(card, None)
        self._learned = None
        self._open.clear()
        self._go("doubted")

    # -- what goes out ----------------------------------------------------------------------------------------------

    def profile(self, name: str = "", made: str = "") -> DeckProfile:
        """What was learned so far."""
        proof = self.proof
        told = {} if proof is None else {
            "cards": proof.cards, "right": proof.right, "asked": len(proof.asked), "wrong": len(proof.wrong),
        }  # fmt: skip
        return DeckProfile(name, few(self._crops), self.index_mm, _middle(self._widths), made, told)

    def reader(self) -> ProfiledReader:
        """A reader that knows what was learned so far."""
        if self._learned is None:
            self._learned = ProfiledReader(self._reader, self.profile())
        return self._learned

    # -- within -----------------------------------------------------------------------------------------------------

    def _go(self, event: str) -> None:
        self.step = STEPS[self.step].get(event, self.step)

    def _check_complete(self) -> None:
        if not self.wanted:
            self._go("complete")
        if all(len({crop.look for crop in self._crops.get(card, ())}) >= JOKER_LOOKS for card in (SB, HR)):
            self._go("varied")

    def _names(self, seen: Sequence[Sighting]) -> list[dict[Card, float]] | None:
        """What is known by now says of *seen*; None while that is too little."""
        if len(self._crops) < KNOWN_HELPS or not seen:
            return None
        patches = np.stack([_middle_of(one.crop) for one in seen])
        return [dict(read.candidates) for read in self.reader().read_patches(patches)]

    def _only_alone(self) -> None:
        """This deck's jokers are alike: what was taken for one among other cards may have been a pip or a picture."""
        self._alone.add(self._looks)
        for card in (SB, HR):
            kept = [crop for crop in self._crops.get(card, ()) if crop.look in self._alone]
            self._crops.pop(card, None)
            if kept:
                self._crops[card] = kept

    def _take(self, card: Card, crop: np.ndarray, by_row: bool) -> None:
        self._crops.setdefault(card, []).append(Crop(card, crop, self._looks))
        if by_row:
            self._by_row.add(card)

    def _against_the_reader(self, seen: Sequence[Sighting], labels: Sequence[Label | None]) -> set[int]:
        """Sightings that only their place names, and that no second row nor an earlier answer bears out."""
        placed = [(place, each.card) for place, each in enumerate(labels)
                  if each is not None and each.card is not None and each.how == "row"]  # fmt: skip
        ranks = Counter(card.rank for _, card in placed)
        known = {card.rank for card in self._by_row}
        return {place for place, card in placed if ranks[card.rank] < GLYPH_TWICE and card.rank not in known
                and seen[place].read.confidence > 0.8}  # fmt: skip

    def _ask(self, one: Sighting, given: Label) -> None:
        likely = [given.card] if given.card is not None else []
        likely += [card for card in given.candidates if card in self.wanted]
        if one.joker:
            likely += [card for card in (SB, HR) if card in self.wanted]
        likely += [card for card, _ in one.read.candidates if card in self.wanted]
        # Most of what the reader does not know is of its rank in another suit, or of its suit in another rank.
        best = one.read.card
        likely += [card for card in self.wanted if card.rank == best.rank or card.suit == best.suit]
        choice = tuple(dict.fromkeys(likely))[:6]
        if choice:
            self._asked += 1
            self._open[self._asked] = _Open(Question(self._asked, one.crop, choice), self._looks, given.card)

    def _measure(self, seen: Sequence[Sighting], labels: Sequence[Label | None], px_per_mm: float | None) -> None:
        named = [
            Index(one.x, one.y, one.dx, one.dy, one.size, one.score, {each.card: 0.95})
            for one, each in zip(seen, labels, strict=True)
            if each is not None and each.card is not None and not each.card.is_joker
        ]
        shape = learn_shape(named)
        if shape is not None:
            self._widths.append(shape.width)
        if px_per_mm is not None:
            self._heights.extend(index.size / px_per_mm for index in named)


def _middle_of(crop: np.ndarray) -> np.ndarray:
    top, left = (crop.shape[0] - PATCH_HEIGHT) // 2, (crop.shape[1] - PATCH_WIDTH) // 2
    return crop[top : top + PATCH_HEIGHT, left : left + PATCH_WIDTH]


def _middle(values: Sequence[float]) -> float | None:
    return round(float(np.median(values)), 2) if values else None
