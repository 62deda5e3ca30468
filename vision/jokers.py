"""The jokers of a play, each once: where their names lie tells what belongs together, not which way those stand.

A star in a ring has no direction, a word may run down or across and lies where its designer liked, and many jokers
name themselves in all four corners or in the rim as well. But people lay their cards upright before them, give or take,
and what a card says of itself it says at both ends, the same way from its middle. Faint signs that lie so are a joker,
though none of them alone would be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.cards import Card
from vision.mat import CARD_MM

if TYPE_CHECKING:
    from vision.layout import Index, Placed

TURNS: Final = np.radians(np.arange(-25.0, 26.0, 5.0))
"""How crookedly a card may lie before its player."""
USUAL_TURN: Final = np.radians(10.0)
ASIDE: Final = (10.0, 27.0)
DOWN: Final = (12.0, 42.0)
"""Where a name lies from the card's middle, mm to the side and down: a word written downwards takes up to 30."""
USUAL: Final = (22.0, 24.0)
"""Usual is the first to the side, and the second or more down; so much less costs."""
OTHER_DIAGONAL: Final = 1.0
"""What lies upper right and lower left is a corner only on decks that have four: that costs more."""
COST: Final = 0.5
DEAREST: Final = 2.5
CORNER_MM: Final = 7.0
MOST_TIMES: Final = 2.0
"""A sign this many times another's height is another sign."""
KIND_TIMES: Final = 1.6
"""A sign on a card that is so many times lower or higher than its higher corner is its figure, or a word in its rim."""
HALF_MM: Final = (32.0, 47.0)
"""Half a card, and what its place and turn are known to."""
NEAR_MM: Final = 5.0
"""What lies so near beside a joker is not surely another card's."""
INSET_MM: Final = 5.0
SIDE_MM: Final = 5.0
CREDIBLE: Final = 0.4
"""Least product of score and probability of a sign that is a joker by itself."""
TOGETHER: Final = 0.55
"""The same for all signs of a card together."""
FAINT: Final = 0.5
DOUBTFUL: Final = 0.92
"""Below this score, or this probability, a joker's lone sign is nothing to trust."""
FIGURE: Final = 0.15
"""A figure's share in what speaks for a card."""
STRANGE: Final = 0.4
"""What each sign costs that is left, if its card's other end would have to show: only what hides that explains it."""
SQUARE: Final = 0.25
"""Largest cosine of the angle at a corner: words lie a little aside."""
CROOKED: Final = (0.78, 0.96)
"""A sign turned so far from its player's direction (cosines: 39 to 16 degrees) may be a star, which a fifth of a circle
turns into itself; one turned farther lies on a card that lies so."""
CERTAIN: Final = 0.995
HALF_HIDDEN: Final = 0.05


@dataclass(frozen=True)
class _Card:
    """A joker that may lie there: which of the signs are its corners and which its figures, and where it lies."""

    worth: float
    corners: tuple[int, ...]
    figures: tuple[int, ...]
    middle: np.ndarray
    turn: float
    aside: float
    down: float


def by_card(
    jokers: Sequence[Index], plain: Sequence[Index], px_per_mm: float, up: float
) -> tuple[list[list[Index]], list[Index]]:
    """*jokers* that are one card's, corners first, and those that are left and credible by themselves.

    *plain* are the other cards' indices, *up* (radians) is where the tops of the player's cards point in the picture.
    Signs that are not credible by themselves only count beside others.
    """
    axes = _axes(up)
    at = [axes @ np.array([index.x, index.y]) / px_per_mm for index in jokers]
    plain_at = [axes @ np.array([index.x, index.y]) / px_per_mm for index in plain if _worth(index) >= CREDIBLE]
    left = list(range(len(jokers)))
    found: list[_Card] = []
    while True:
        best = max(
            (card for card in _possible(jokers, at, left) if not _shows_another(card, jokers, plain_at)),
            key=lambda card: card.worth, default=None,
        )  # fmt: skip
        if best is None:
            break
        found.append(best)
        left = [each for each in left if each not in best.corners and each not in best.figures]
    groups = [[jokers[each] for each in (*card.corners, *card.figures)] for card in found]
    for one in list(left):
        for two in list(left):
            if one < two and one in left and any(_one_side(at[one], at[two], card) for card in found):
                groups.append([jokers[one], jokers[two]])
                left = [each for each in left if each not in (one, two)]
    # Beside a joker with its corners what is of another height than those is a figure too, of that one or one below.
    alike = [each for each in left if not found or any(_like(jokers[each], jokers[card.corners[0]]) for card in found)]
    lone = []
    for each in alike:
        index = jokers[each]
        if _worth(index) >= CREDIBLE:
            # Within a joker that shows its corners nothing else can lie, unless those are two cards': to be asked.
            within = any(_inside(at[each], card.middle, card.turn, NEAR_MM) for card in found)
            lone.append(replace(index, score=min(index.score, FAINT - 0.01)) if within else index)
    return groups, lone


def _axes(up: float) -> np.ndarray:
    """Rows: the player's right and down in the picture."""
    return np.array([[np.cos(up), np.sin(up)], [-np.sin(up), np.cos(up)]])


def _worth(index: Index) -> float:
    return index.score * index.confidence


def _one(a: Index, b: Index) -> bool:
    """Whether both have one name, or may have."""
    return a.card is b.card or max(a.probs.get(b.card, 0.0), b.probs.get(a.card, 0.0)) >= HALF_HIDDEN


def _like(a: Index, b: Index) -> bool:
    """Whether both are so much of one height that they may be the same sign."""
    return max(a.size, b.size) <= MOST_TIMES * min(a.size, b.size)


def _possible(jokers: Sequence[Index], at: Sequence[np.ndarray], left: Sequence[int]) -> list[_Card]:
    """The cards of which two of those *left* may be opposite corners."""
    cards = []
    for place, one in enumerate(left):
        for two in left[place + 1 :]:
            if _one(jokers[one], jokers[two]) and _like(jokers[one], jokers[two]):
                card = _spanned(jokers, at, left, one, two)
                if card is not None:
                    cards.append(card)
    return cards


def _fits(half: np.ndarray) -> list[tuple[float, float, float, float]]:
    """Cost, turn, and mm to the side (less than 0: the other diagonal) and down, of the cards that have two opposite
    corners *half* (mm right and down) from their middle, by how crookedly they lie."""
    found = []
    for turn in TURNS:
        aside = float(half[0] * np.cos(turn) + half[1] * np.sin(turn))
        down = float(half[1] * np.cos(turn) - half[0] * np.sin(turn))
        if not (ASIDE[0] <= abs(aside) <= ASIDE[1] and DOWN[0] <= down <= DOWN[1]):
            continue
        off = (turn / USUAL_TURN) ** 2 + ((abs(aside) - USUAL[0]) / 6) ** 2 + (max(USUAL[1] - down, 0) / 8) ** 2
        cost = float(off) / 2 + (0.0 if aside > 0 else OTHER_DIAGONAL)
        if cost <= DEAREST:
            found.append((cost, float(turn), aside, down))
    return found


def _spanned(
    jokers: Sequence[Index], at: Sequence[np.ndarray], left: Sequence[int], one: int, two: int
) -> _Card | None:
    """The card that has *one* and *two* at opposite corners; None where none has, or too little speaks for it."""
    upper, lower = (one, two) if at[one][1] <= at[two][1] else (two, one)
    middle = (at[upper] + at[lower]) / 2
    best = None
    for cost, turn, aside, down in _fits((at[lower] - at[upper]) / 2):
        corners, figures = [upper, lower], []
        for each in left:
            if each in corners or not _one(jokers[each], jokers[one]):
                continue
            x, y = np.abs(_in_card(at[each], middle, turn))
            like = _like(jokers[each], jokers[one])
            if like and float(np.hypot(x - abs(aside), y - down)) <= CORNER_MM:
                corners.append(each)
            elif _inside(at[each], middle, turn) and (
                not _of_a_kind(jokers[each], jokers[upper], jokers[lower]) or _mirrored(each, at, left, middle)
            ):
                figures.append(each)
        if 1 - float(np.prod([1 - _worth(jokers[each]) for each in corners])) < TOGETHER:
            continue
        worth = sum(_worth(jokers[each]) for each in corners) + FIGURE * sum(_worth(jokers[each]) for each in figures)
        span = _out_of_card(np.array([2 * aside, 2 * down]), turn)
        strange = sum(
            _like(jokers[each], jokers[one]) and _worth(jokers[each]) >= CREDIBLE
            and not _inside(at[each] + span, middle, turn) and not _inside(at[each] - span, middle, turn)
            for each in left if each not in corners and each not in figures
        )  # fmt: skip
        worth -= COST * cost + STRANGE * strange
        if best is None or worth > best.worth:
            best = _Card(worth, tuple(corners), tuple(figures), middle, turn, abs(aside), down)
    return best


def _inside(at: np.ndarray, middle: np.ndarray, turn: float, spare: float = 0.0) -> bool:
    """Whether *at* lies on the card, or no more than *spare* mm beside it."""
    x, y = np.abs(_in_card(at, middle, turn))
    return bool(x <= HALF_MM[0] + spare and y <= HALF_MM[1] + spare)


def _of_a_kind(index: Index, *corners: Index) -> bool:
    """Whether *index* is so high as the *corners* of a card that it may be another card's corner."""
    most = max(corner.size for corner in corners)
    return most / KIND_TIMES <= index.size <= most * KIND_TIMES


def _mirrored(each: int, at: Sequence[np.ndarray], left: Sequence[int], middle: np.ndarray) -> bool:
    """Whether another sign lies as sign *each* does, seen from the card's other end: a word in both rims."""
    return any(other != each and float(np.hypot(*(at[each] + at[other] - 2 * middle))) <= CORNER_MM for other in left)


def _in_card(at: np.ndarray, middle: np.ndarray, turn: float) -> np.ndarray:
    """*at* in the frame of a card: mm right and down of its middle."""
    return np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) @ (at - middle)


def _out_of_card(off: np.ndarray, turn: float) -> np.ndarray:
    """An offset in a card's frame, in the player's."""
    return np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) @ off


def _shows_another(card: _Card, jokers: Sequence[Index], plain: Sequence[np.ndarray]) -> bool:
    """Whether a card that is made of faint signs would hide another card's index: then they are that one's picture."""
    if all(_worth(jokers[each]) >= CREDIBLE for each in card.corners[:2]):
        return False
    for at in plain:
        x, y = np.abs(_in_card(at, card.middle, card.turn))
        if x <= HALF_MM[0] - INSET_MM and y <= HALF_MM[1] - INSET_MM:
            return True
    return False


def _one_side(one: np.ndarray, two: np.ndarray, like: _Card) -> bool:
    """Whether *one* and *two* lie as two corners at one side of a card like *like*, one with all four corners."""
    if len(like.corners) < 3:
        return False
    across, down = np.abs(_in_card(two, one, like.turn))
    return bool(
        (across <= SIDE_MM and abs(down - 2 * like.down) <= SIDE_MM)
        or (down <= SIDE_MM and abs(across - 2 * like.aside) <= SIDE_MM)
    )


def without_pictures(cards: Sequence[Placed]) -> list[Placed]:
    """*cards* without the doubtful lone joker in the midst of another card that shows both its corners: its picture."""
    whole = [card for card in cards if len(card.indices) >= 2]
    return [
        card for card in cards
        if not (card.card.is_joker and len(card.indices) == 1
                and (card.indices[0].score < FAINT or card.confidence < DOUBTFUL)
                and any(other.card is not card.card and _on(card.indices[0], other) for other in whole))
    ]  # fmt: skip


def _on(index: Index, card: Placed) -> bool:
    """Whether *index* lies well within *card*."""
    off = np.array([index.x - card.x, index.y - card.y]) / card.px_per_mm
    x, y = abs(float(off @ [-card.dy, card.dx])), abs(float(off @ [card.dx, card.dy]))
    return x <= card.shape.width / 2 - INSET_MM and y <= CARD_MM[1] / 2 - INSET_MM


def together(members: Sequence[Index]) -> tuple[tuple[tuple[Card, float], ...], float]:
    """What a card is whose signs are *members*, two or more: its candidates, best first, and the signs' score.

    That there is a joker each sign says for itself; its colour they see in one light, so that they share their errors.
    """
    said = [sum(p for card, p in index.probs.items() if card.is_joker) for index in members]
    joker = min(CERTAIN, 1 - float(np.prod([1 - each for each in said])))
    weight = np.array([each * index.score for each, index in zip(said, members, strict=True)])
    mass: dict[Card, float] = {}
    for index, own, share in zip(members, said, weight / weight.sum(), strict=True):
        for card, p in index.probs.items():
            part = joker * p / own if card.is_joker else (1 - joker) * p
            mass[card] = mass.get(card, 0.0) + float(share) * part
    ranked = tuple(sorted(mass.items(), key=lambda pair: (-pair[1], pair[0].index)))
    score = 1 - float(np.prod([1 - index.score for index in members]))
    if len(members) < 3 and not any(_worth(index) >= CREDIBLE for index in members):
        score = min(score, FAINT - 0.01)  # one of them may be another joker's, whose other signs escaped as well
    return ranked, score


def pose(members: Sequence[Index], px_per_mm: float, up: float) -> tuple[float, float, float, float]:
    """Centre and up-direction, pixels, of a joker whose first two signs are opposite corners, or two of one side; *up*
    in radians as for :func:`by_card`. Their places tell it better than the direction in which a star seems to stand."""
    axes = _axes(up)
    one, two = sorted((axes @ np.array([index.x, index.y]) / px_per_mm for index in members[:2]), key=lambda at: at[1])
    middle, half, turn = (one + two) / 2, (two - one) / 2, 0.0
    fit = min(_fits(half), default=None)
    third = [axes @ np.array([index.x, index.y]) / px_per_mm for index in members[2:]]
    square = next((each for each in third if _square(one - each, two - each)), None)
    if fit is not None and square is not None:
        across = max(one - square, two - square, key=lambda leg: abs(leg[0]))
        turn = float(np.arctan(across[1] / across[0]))
    elif fit is not None:
        turn = fit[1]
    elif abs(half[0]) < half[1]:
        middle = middle + np.array([USUAL[0], 0.0])  # of a fan's card the left side shows
    else:
        middle = middle - np.array([0.0, USUAL[1]])  # and of one that a later card lies over, the lower side
    x, y = axes.T @ middle * px_per_mm
    return float(x), float(y), float(np.sin(up + turn)), float(-np.cos(up + turn))


def _square(one: np.ndarray, two: np.ndarray) -> bool:
    """Whether a corner's ways to two others are a card's two sides."""
    return abs(float(one @ two)) <= SQUARE * float(np.hypot(*one) * np.hypot(*two))


def upright(index: Index, up: float) -> Index:
    """A lone sign; one that stands a little crooked is turned as the player's cards stand, either end up."""
    along = float(index.dx * np.sin(up) - index.dy * np.cos(up))
    if not CROOKED[0] <= abs(along) < CROOKED[1]:
        return index
    side = 1.0 if along >= 0 else -1.0
    return replace(index, dx=float(side * np.sin(up)), dy=float(-side * np.cos(up)))
