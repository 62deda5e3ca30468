"""What a deck profile adds to the reader: the nearest enrolled faces, and how far to trust each of the two.

Every enrolled crop is turned, shifted, blurred, dimmed and tinted a little, as frames will show it, and the reader's
embedding of all of that gives each face a mean, and all faces one common spread (linear discriminant analysis). The
reader itself is a second witness whose habits with *this* deck are known: that it takes every J of it for an 8, say,
means that its 8 speaks for both. Both witnesses' weights are fitted on crops that the means were not made from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Protocol

import cv2
import numpy as np

from engine.cards import DECK, Card
from vision.enrolment.crops import vary
from vision.profiles import Crop, DeckProfile
from vision.reader import IndexRead, Place, Pose, Reader, cut_patches

VARIANTS: Final = 12
"""How often each crop is varied."""
MOST_EACH: Final = 6
MOST_JOKER: Final = 24
"""Crops of one face that are used; a joker's corner is found in many ways: its word, its first letter, its star."""
SHRINK: Final = 0.25
"""Share of the common spread that is taken to be the same in every direction."""
SMOOTH: Final = 0.04
"""Share of the reader's word that says nothing: no habit is known from a few crops better than that."""
WEIGHTS: Final = (0.02, 0.04, 0.07, 0.12, 0.2, 0.35)
READER_WEIGHTS: Final = (0.0, 0.25, 0.5, 1.0)
SURELY: Final = 0.8
"""From this probability on the reader's word is a sure one."""
MARGIN: Final = 1.5
"""A joker's crop is used when every plain face stays so many times as far from it as its own variants."""
STRANGE: Final = 2.0
"""Beyond this many times the enrolled crops' own distance a patch is none of this deck's indices."""
SUREST: Final = 0.998
VOUCHED: Final = 0.65
CANDIDATES: Final = 8
SMALL: Final = (10, 14)
PART: Final = 1.3
"""Two finds at a joker's corner are parts of it when one is so many times as tall as the other."""


class Embeds(Protocol):
    """The reader as this module needs it."""

    def read_with_features(self, patches: np.ndarray) -> tuple[list[IndexRead], np.ndarray]: ...
    def read(self, image: np.ndarray, founds: Sequence[Pose]) -> list[IndexRead]: ...


@dataclass(frozen=True)
class ProfiledRead:
    """What reader and profile say together of one index; the layout takes it as it takes an ``IndexRead``."""

    candidates: tuple[tuple[Card, float], ...]
    reject: float
    known: bool
    """Whether it looks like one of the enrolled faces."""
    place: Place | None = None
    """Where the reader saw it, as in ``IndexRead``."""
    stands: bool = False
    """Whether the profile stands for there being an index at all."""

    @property
    def vouched(self) -> float:
        """The least finder's score that it deserves: an enrolled face is no ghost."""
        return VOUCHED if self.stands and self.confidence >= 0.9 else 0.0

    @property
    def card(self) -> Card:
        return self.candidates[0][0]

    @property
    def confidence(self) -> float:
        return self.candidates[0][1]


class _Means:
    """Linear discriminant analysis: each kind's mean, one common spread, squared distances in units of it."""

    def __init__(self, vectors: np.ndarray, kinds: np.ndarray, count: int) -> None:
        self._centre, self._scale = vectors.mean(0), vectors.std(0) + 1e-2 * float(vectors.std() + 1e-6)
        flat = (vectors - self._centre) / self._scale
        means = np.stack([flat[kinds == kind].mean(0) for kind in range(count)])
        spread = flat - means[kinds]
        common = spread.T @ spread / max(len(spread) - count, 1)
        even = np.eye(len(common)) * np.trace(common) / len(common)
        values, axes = np.linalg.eigh((1 - SHRINK) * common + SHRINK * even)
        self._whiten = axes / np.sqrt(np.maximum(values, 1e-6))
        self._means = means @ self._whiten

    def distances(self, vectors: np.ndarray) -> np.ndarray:
        """(n, kinds) squared distances."""
        white = ((vectors - self._centre) / self._scale) @ self._whiten
        square = (white**2).sum(1)[:, None] - 2 * white @ self._means.T + (self._means**2).sum(1)[None]
        return np.asarray(np.maximum(square, 0.0))


class Prototypes:
    """The enrolled faces of *crops* in the embedding of *reader*.

    Ranks and suits are told apart on their own, so that four suits teach one rank, and a face that was never shown is
    known by its rank on other suits and its suit on other ranks. Every crop of a joker is a rank and a suit of its own.
    """

    def __init__(self, crops: Sequence[Crop], reader: Embeds, seed: int = 5) -> None:
        self._reader = reader
        crops = _at_most(crops)
        rng = np.random.default_rng(seed)
        patches, groups = [], []
        for place, crop in enumerate(crops):
            alike = sum(other.card is crop.card for other in crops)
            for _ in range(VARIANTS if alike > 1 else 2 * VARIANTS):
                patches.append(vary(rng, crop.image))
                groups.append(place)
        reads, vectors = self._see(np.stack(patches))
        said, group = said_of(reads), np.array(groups)
        kept = _separate(crops, vectors, group)
        if not kept.all():
            crops = [crop for crop, keep in zip(crops, kept, strict=True) if keep]
            rows = kept[group]
            vectors, said, group = vectors[rows], said[rows], (np.cumsum(kept) - 1)[group[rows]]
        kinds = [_kinds(place, crop.card) for place, crop in enumerate(crops)]
        ranks, suits = (list(dict.fromkeys(each[which] for each in kinds)) for which in (0, 1))
        shown = {crop.card for crop in crops}
        self.cards = tuple(
            card for card in DECK
            if card in shown or (not card.is_joker and card.rank in ranks and card.suit in suits)
        )  # fmt: skip
        number = {card: place for place, card in enumerate(self.cards)}
        faces = np.array([number[crop.card] for crop in crops])[group]
        rank_kinds = np.array([ranks.index(each[0]) for each in kinds])[group]
        suit_kinds = np.array([suits.index(each[1]) for each in kinds])[group]
        own = {
            card: [each for each, crop in zip(kinds, crops, strict=True) if crop.card is card] for card in self.cards
        }
        self._ranks_of = [
            sorted({ranks.index(rank) for rank, _ in own[card]} or {ranks.index(card.rank)}) for card in self.cards
        ]
        self._suits_of = [
            sorted({suits.index(suit) for _, suit in own[card]} or {suits.index(card.suit)}) for card in self.cards
        ]
        self.habits = self._habits(said, faces)
        # The weights are fitted on what the means were not made from.
        other = _second_half(np.array([rank_kinds, suit_kinds]).T @ [1000, 1], group)
        self._ranks = _Means(vectors[~other], rank_kinds[~other], len(ranks))
        self._suits = _Means(vectors[~other], suit_kinds[~other], len(suits))
        self.weights = self._weigh(vectors[other], said[other], faces[other])
        self._ranks = _Means(vectors, rank_kinds, len(ranks))
        self._suits = _Means(vectors, suit_kinds, len(suits))
        apart = self._apart(vectors)[np.arange(len(faces)), faces]
        self._usual = np.percentile(apart, 98, axis=0)

    def _see(self, patches: np.ndarray) -> tuple[list[IndexRead], np.ndarray]:
        """The reader's words, and what the means are taken of: its features, and the patch itself, small and grey.

        Letters that the network was taught to take for one have nearly the same features: the picture tells them apart.
        """
        reads, features = self._reader.read_with_features(patches)
        grey = patches.astype(np.float32).mean(3)
        small = np.stack([cv2.resize(each, SMALL, interpolation=cv2.INTER_AREA) for each in grey]).reshape(
            len(grey), -1
        )
        small = (small - small.mean(1, keepdims=True)) / (small.std(1, keepdims=True) + 4.0)
        return reads, np.concatenate([features, small], 1)

    def _apart(self, vectors: np.ndarray) -> np.ndarray:
        """(n, faces, 2) squared distances to the nearest mean of each face's rank and suit."""
        ranks, suits = self._ranks.distances(vectors), self._suits.distances(vectors)
        near_rank = np.stack([ranks[:, kinds].min(1) for kinds in self._ranks_of], 1)
        near_suit = np.stack([suits[:, kinds].min(1) for kinds in self._suits_of], 1)
        return np.stack([near_rank, near_suit], 2)

    def _habits(self, said: np.ndarray, faces: np.ndarray) -> np.ndarray:
        """(faces, 54): what the reader says of each face, on average; of one never shown, its own name."""
        means = np.zeros((len(self.cards), len(DECK)))
        for place, card in enumerate(self.cards):
            shown = faces == place
            means[place] = said[shown].mean(0) + 1e-6 if shown.any() else np.eye(len(DECK))[card.index]
        surely = np.where(said >= SURELY, said, 0.0)
        self._surely = np.stack([
            surely[faces == place].mean(0) if (faces == place).any() else np.eye(len(DECK))[card.index]
            for place, card in enumerate(self.cards)
        ])  # fmt: skip
        return np.asarray((1 - SMOOTH) * means / means.sum(1, keepdims=True) + SMOOTH / len(DECK))

    def _weigh(self, vectors: np.ndarray, said: np.ndarray, faces: np.ndarray) -> tuple[float, float]:
        """The weights of prototypes and reader under which the truth is likeliest."""
        near, word, row = -0.5 * self._apart(vectors).sum(2), self._word(said), np.arange(len(faces))
        best = (-np.inf, WEIGHTS[0], READER_WEIGHTS[-1])
        for own in WEIGHTS:
            for other in READER_WEIGHTS:
                probs = _softmax(own * near + other * word)
                best = max(best, (float(np.log(probs[row, faces] + 1e-4).mean()), own, other))
        return best[1], best[2]

    def _word(self, said: np.ndarray) -> np.ndarray:
        return np.asarray(np.log(said @ self.habits.T + 1e-4))

    def read(self, patches: np.ndarray, reads: Sequence[IndexRead] | None = None) -> list[ProfiledRead]:
        """What reader and profile say together of (n, 56, 40, 3) *patches*; *reads* are the reader's own words, where
        it has looked at the picture itself."""
        if not len(patches):
            return []
        named, vectors = self._see(patches)
        reads = reads or named
        apart = self._apart(vectors)
        probs = _softmax(self.weights[0] * -0.5 * apart.sum(2) + self.weights[1] * self._word(said_of(reads)))
        far = (apart[np.arange(len(probs)), probs.argmax(1)] / self._usual).max(1)
        return [self._together(read, p, float(each)) for read, p, each in zip(reads, probs, far, strict=True)]

    def _together(self, read: IndexRead, probs: np.ndarray, apart: float) -> ProfiledRead:
        # From fully known at the usual distance to a stranger: there the reader speaks, but of this deck it knows less.
        known = float(np.clip((STRANGE - apart) / (STRANGE - 1.0), 0.0, 1.0))
        mixed: dict[Card, float] = {}
        for place in np.argsort(-probs)[:CANDIDATES]:
            mixed[self.cards[place]] = known * float(probs[place]) * SUREST
        for card, p in read.candidates:
            mixed[card] = mixed.get(card, 0.0) + (1 - known) * p * self._trust(card)
        ranked = sorted(mixed.items(), key=lambda pair: (-pair[1], pair[0].index))
        kept = tuple((card, p) for card, p in ranked[:CANDIDATES] if p >= 1e-3) or (ranked[0],)
        # A joker's corner may be any print: it stands for one only where the reader sees an index too.
        stands = known > 0.5 and (not kept[0][0].is_joker or read.reject < 0.5)
        return ProfiledRead(kept, (1 - known) * read.reject, known > 0.5, read.place, stands)

    def _trust(self, card: Card) -> float:
        """How far the reader's word for *card* holds with this deck: of what it surely calls so, how much was so."""
        said = self._surely[:, card.index]
        if card not in self.cards:
            return float(1.0 - min(1.0, said.max()))
        own = float(said[self.cards.index(card)])
        # Never called so: then it is the network's word against what the profile has seen.
        return own / float(said.sum()) if own > 0 else float(1.0 - min(1.0, said.max()))


def _separate(crops: Sequence[Crop], vectors: np.ndarray, group: np.ndarray) -> np.ndarray:
    """Which of *crops* are kept: all but those of jokers that some plain face's variants come near to.

    A joker's corner is found in many ways, and some of them are no more than an edge or a blot: what cannot be told
    from a plain card vouches for no joker.
    """
    plain = np.array([not crop.card.is_joker for crop in crops])
    kept = np.ones(len(crops), bool)
    if not plain.any() or plain.all():
        return kept
    kinds = [_kinds(place, crop.card)[0] for place, crop in enumerate(crops)]
    names = list(dict.fromkeys(kinds))
    numbers = np.array([names.index(kind) for kind in kinds])
    apart = _Means(vectors, numbers[group], len(names)).distances(vectors)
    for place in np.flatnonzero(~plain):
        to = apart[:, numbers[place]]
        kept[place] = to[plain[group]].min() >= MARGIN * np.percentile(to[group == place], 90)
    return kept


def _kinds(place: int, card: Card) -> tuple[str, str]:
    """The rank and the suit that crop number *place* is an example of."""
    return (f"{card.name} {place}",) * 2 if card.is_joker else (card.rank, card.suit)


def _at_most(crops: Sequence[Crop]) -> list[Crop]:
    """*crops* with at most so many of each face: more teach little and cost time at every start."""
    count: Counter[Card] = Counter()
    kept = []
    for crop in crops:
        count[crop.card] += 1
        if count[crop.card] <= (MOST_JOKER if crop.card.is_joker else MOST_EACH):
            kept.append(crop)
    return kept


def _second_half(kinds: np.ndarray, group: np.ndarray) -> np.ndarray:
    """Which variants are kept for the weights: of each kind's crops the later half, or of a single one's variants."""
    other = np.zeros(len(kinds), bool)
    for kind in np.unique(kinds):
        places = np.flatnonzero(kinds == kind)
        crops = np.unique(group[places])
        late = np.isin(group[places], crops[len(crops) // 2 :]) if len(crops) > 1 else np.arange(len(places)) % 2 == 1
        other[places] = late
    return other


class ProfiledReader:
    """A reader that knows a venue's own deck; in every place of a :class:`vision.reader.Reader`."""

    def __init__(self, reader: Embeds, profile: DeckProfile) -> None:
        self.profile = profile
        self._base = reader

    @cached_property
    def prototypes(self) -> Prototypes:
        """Worked out when first needed: half a second on a desktop processor."""
        return Prototypes(self.profile.crops, self._base)

    def read_patches(self, patches: np.ndarray) -> list[ProfiledRead]:
        """One reading for each of (n, 56, 40, 3) uint8 *patches*."""
        return self.prototypes.read(patches)

    def read(self, image: np.ndarray, founds: Sequence[Pose]) -> list[ProfiledRead]:
        """One reading for each of *founds* (positions and sizes in px of *image*, (H, W, 3) BGR uint8)."""
        if not founds:
            return []
        reads = self._base.read(image, founds)
        places = [read.place or found for read, found in zip(reads, founds, strict=True)]
        return one_at_a_corner(founds, self.prototypes.read(cut_patches(image, places), reads))


def one_at_a_corner(founds: Sequence[Pose], reads: list[ProfiledRead]) -> list[ProfiledRead]:
    """*reads*, but of several parts of one joker's corner (its star, its word) only the surest stays; the rest is no
    index. Parts differ in size: two jokers that lie over each other show the same parts, and both stay."""
    order = sorted(
        (k for k, read in enumerate(reads) if read.card.is_joker and read.reject < 0.5),
        key=lambda k: (not reads[k].known, -reads[k].confidence),
    )
    kept: list[int] = []
    for k in order:
        if any(_same_corner(founds[k], founds[other]) for other in kept):
            reads[k] = replace(reads[k], reject=1.0)
        else:
            kept.append(k)
    return reads


def _same_corner(one: Pose, two: Pose) -> bool:
    tall = max(one.size, two.size)
    if tall < PART * min(one.size, two.size) or one.dx * two.dx + one.dy * two.dy < 0.85:
        return False
    right, down = two.x - one.x, two.y - one.y
    along, across = right * one.dx + down * one.dy, -right * one.dy + down * one.dx
    return abs(along) < 1.1 * tall and abs(across) < 0.45 * tall


def with_profile(reader: Reader, profile: DeckProfile | None) -> Reader | ProfiledReader:
    """*reader* as it is, or with what *profile* knows."""
    return reader if profile is None else ProfiledReader(reader, profile)


def said_of(reads: Sequence[IndexRead]) -> np.ndarray:
    """(n, 54): each reading's probabilities; what it rejects is spread over nothing."""
    said = np.zeros((len(reads), len(DECK)))
    for row, read in zip(said, reads, strict=True):
        for card, p in read.candidates:
            row[card.index] = p
    return said


def _softmax(logits: np.ndarray) -> np.ndarray:
    shifted = np.exp(logits - logits.max(1, keepdims=True))
    return np.asarray(shifted / shifted.sum(1, keepdims=True))
