"""The eye on the virtual table, with the real networks: plays read, taken back, covered; its parts on single stills."""

import pytest

from engine.cards import Card
from simulator.art import Deck
from tests.vision.card_table import Table
from vision.changes import Change, Lying
from vision.eye import Eye
from vision.layout import Index
from vision.mat import PLAY, View, Zone
from vision.observations import Covered, Hidden, Laid, Moved, Observation, Removed, SeenCard, Touched, Uncovered
from vision.photo import MODELS, Limits
from vision.zones import ZoneReader, perhaps_one, without_shadows

pytestmark = pytest.mark.skipif(not (MODELS / "reader.onnx").exists(), reason="no trained models here")


@pytest.fixture(scope="module")
def networks() -> tuple[object, object]:
    from vision.detector import Detector
    from vision.reader import Reader

    return Detector(), Reader()


def watch(eye: Eye, table: Table, seconds: float) -> list[Observation]:
    return [seen for _ in range(round(seconds * 10)) for seen in eye.step(table)]


def by_hand(eye: Eye, table: Table, seat: str, act: object) -> list[Observation]:
    """An arm comes over the seat's zone, *act* happens under it, and it goes; then the table is still."""
    x, y = PLAY[seat].centre
    seen = []
    for away in (300, 150, 20, 20, 150, 300):
        table.arm = (x, y + away)
        if away == 20:
            act()  # type: ignore[operator]
            act = lambda: None  # noqa: E731
        seen += watch(eye, table, 0.1)
    table.arm = None
    return seen + watch(eye, table, 1.2)


def names(seen: list[Observation], kind: type) -> list[tuple[str, list[str]]]:
    return [(one.seat, [card.card.name for card in one.cards]) for one in seen if type(one) is kind]  # type: ignore[attr-defined]


@pytest.mark.parametrize("design", ["river", "pine"])
def test_a_trick(networks: tuple, design: str) -> None:
    table = Table(Deck.own(design))
    eye = Eye(*networks)
    assert not names(watch(eye, table, 1.5), Laid)
    first = by_hand(eye, table, "S", lambda: table.fan("S", "S5 S5 D5 H9 H9"))
    assert names(first, Laid) == [("S", ["S5", "S5", "D5", "H9", "H9"])]
    laid = next(one for one in first if isinstance(one, Laid))
    assert all(card.sure for card in laid.cards) and laid.steady and laid.votes == 3
    touched = next(one for one in first if isinstance(one, Touched) and one.seat == "S")
    assert laid.touched_at == touched.t < laid.settled_at < laid.t < laid.settled_at + 0.5
    second = by_hand(eye, table, "E", lambda: table.fan("E", "C7 D7 CJ SJ DJ"))
    assert names(second, Laid) == [("E", ["C7", "D7", "CJ", "SJ", "DJ"])]
    over = by_hand(eye, table, "S", lambda: table.fan("S", "SQ HQ SQ CQ", forward=32))
    assert names(over, Laid) == [("S", ["SQ", "HQ", "SQ", "CQ"])] and not names(over, Removed)
    jokers = by_hand(eye, table, "N", lambda: table.fan("N", "SB SB HR HR"))
    assert names(jokers, Laid) == [("N", ["SB", "SB", "HR", "HR"])]
    back = by_hand(eye, table, "N", lambda: table.lying.__delitem__(slice(-4, None)))
    assert [seat for seat, _ in names(back, Removed)] == ["N"]

    def turn_down() -> None:
        table.lying[:] = [(None, 560, 560, 10)] * 2 + [card for card in table.lying if card[2] < 475]

    down = by_hand(eye, table, "S", turn_down)
    assert [(seat, len(cards)) for seat, cards in names(down, Removed)] == [("S", 9)] and not names(down, Laid)
    assert not [one for one in first + second + over + jokers + back + down if isinstance(one, Hidden | Moved)]


def test_two_movements_make_two_layings_and_nothing_twice(networks: tuple) -> None:
    table = Table(Deck.own("river"))
    eye = Eye(*networks)
    watch(eye, table, 1.0)
    one = by_hand(eye, table, "S", lambda: table.fan("S", "S5 H5 D5"))
    table_was = list(table.lying)

    def more() -> None:
        table.lying[:] = [(c, x - 4, y + 2, a) for c, x, y, a in table_was]
        table.lying.append((Card.parse("C5"), 392.0, 556.0, 4.0))

    two = by_hand(eye, table, "S", more)
    assert names(one, Laid) == [("S", ["S5", "H5", "D5"])]
    assert names(two, Laid) == [("S", ["C5"])] and not names(two, Removed)


def test_a_face_that_shows_no_index_is_asked_for(networks: tuple) -> None:
    table = Table(Deck.own("river"))
    eye = Eye(*networks)
    watch(eye, table, 1.0)

    def strip() -> None:
        table.lying.append((Card.parse("SA"), 350.0, 560.0, 0.0))
        for x in (318.0, 382.0):  # turned cards over both sides, so that only the middle of the ace shows
            table.lying.append((None, x + (-12 if x < 350 else 12), 560.0, 0.0))

    seen = by_hand(eye, table, "S", strip)
    assert [one.seat for one in seen if isinstance(one, Hidden)] == ["S"] and not names(seen, Laid)


def test_covered_moved_and_back(networks: tuple) -> None:
    table = Table(Deck.own("pine"))
    eye = Eye(*networks)
    watch(eye, table, 1.0)
    by_hand(eye, table, "S", lambda: table.fan("S", "H8"))
    table.lid = True
    dark = watch(eye, table, 2.0)
    assert [type(one) for one in dark if not isinstance(one, Touched)] == [Covered]
    table.lid = False
    light = watch(eye, table, 2.0)
    assert any(isinstance(one, Uncovered) for one in light) and not names(light, Laid) and not names(light, Removed)
    table.shift = 60
    bumped = watch(eye, table, 4.0)
    assert any(isinstance(one, Moved) for one in bumped)
    assert not names(bumped, Laid) and not names(bumped, Removed)
    view = View.from_markers(table.still().image)
    assert view is not None and eye.view is not None and eye.view.drift(view) < 2


def test_a_camera_that_sags_slowly_is_followed(networks: tuple) -> None:
    table = Table(Deck.own("river"))
    eye = Eye(*networks)
    watch(eye, table, 1.0)
    by_hand(eye, table, "S", lambda: table.fan("S", "H8"))
    seen = []
    for _ in range(10):  # 18 mm in three seconds
        table.shift += 4
        seen += watch(eye, table, 0.3)
    seen += watch(eye, table, 3.0)
    assert any(isinstance(one, Moved) for one in seen)
    assert not [one for one in seen if isinstance(one, Laid | Removed | Hidden)]
    view = View.from_markers(table.still().image)
    assert view is not None and eye.view is not None and eye.view.drift(view) < 5 * view.px_per_mm()
    after = by_hand(eye, table, "S", lambda: table.fan("S", "D9 S9", forward=30.0))
    assert names(after, Laid) == [("S", ["D9", "S9"])] and not names(after, Removed)


@pytest.mark.parametrize("skin", [(62, 88, 132), (150, 178, 222)])
def test_a_hand_that_rests_on_its_cards_takes_none_of_them_away(networks: tuple, skin: tuple[int, int, int]) -> None:
    table = Table(Deck.own("river"), skin=skin)
    eye = Eye(*networks)
    watch(eye, table, 1.0)
    by_hand(eye, table, "S", lambda: table.fan("S", "D2", forward=-24))
    x, y = PLAY["S"].centre
    table.arm = (x - 12, y + 30)
    seen = watch(eye, table, 0.2)
    table.fan("S", "SK H3", forward=30)
    seen += watch(eye, table, 1.6)
    assert not names(seen, Removed), "the hand lies on it"
    table.arm = None
    seen += watch(eye, table, 1.5)
    assert names(seen, Laid) == [("S", ["SK", "H3"])] and not names(seen, Removed)


def test_a_face_without_an_index_over_a_known_card_is_asked_to_be_spread(networks: tuple) -> None:
    table = Table(Deck.own("river"))
    eye = Eye(*networks)
    watch(eye, table, 1.0)
    by_hand(eye, table, "S", lambda: table.fan("S", "D9"))
    x, y = PLAY["S"].centre
    plain = Table(Deck("blank", lambda key: Deck.own("river").back() * 0 + 245))
    table.deck = _Mixed(table.deck, plain.deck)
    seen = by_hand(eye, table, "S", lambda: table.lying.append((Card.parse("HR"), x - 2, y - 42, 0.0)))
    assert not names(seen, Laid) and not names(seen, Removed)
    assert [one.seat for one in seen if isinstance(one, Hidden)] == ["S"]


def test_a_picture_that_shows_no_index_is_asked_to_be_spread(networks: tuple) -> None:
    table = Table(Deck.own("river"))
    eye = Eye(*networks)
    watch(eye, table, 1.0)
    plain = Deck.own("river").back() * 0 + 245
    # Printed nearly to its edges: nowhere on it is white enough for a card by itself.
    high, wide = plain.shape[:2]
    for row in range(high // 14, high - high // 14, 12):
        plain[row : row + 7, wide // 10 : wide - wide // 10, :3] = 60
    table.deck = _Mixed(table.deck, Deck("printed", lambda key: plain))
    x, y = PLAY["S"].centre
    seen = by_hand(eye, table, "S", lambda: table.lying.append((Card.parse("HR"), x, y, 0.0)))
    assert not names(seen, Laid) and [one.seat for one in seen if isinstance(one, Hidden)] == ["S"]


def test_of_what_is_too_faint_to_be_read_the_likeliest_is_asked_about() -> None:
    reader = ZoneReader(None, None, Limits())  # type: ignore[arg-type]
    view = View.from_markers(Table(Deck.own("river")).still().image)
    assert view is not None
    (px, py), (ox, oy) = view.to_px([(340.0, 530.0), (300.0, 600.0)])
    joker, six = Card.parse("SB"), Card.parse("S6")
    reader._faint["S"] = [
        Index(float(px), float(py), 0.0, -1.0, 30.0, 0.4, {joker: 0.5, Card.parse("HR"): 0.2}, 0.2),
        Index(float(px) + 9, float(py), 0.0, -1.0, 30.0, 0.2, {six: 0.4}, 0.3),
        Index(float(ox), float(oy), 0.0, -1.0, 30.0, 0.9, {six: 0.9}, 0.0),
    ]
    guess = reader.guess(view, "S", Zone("play", "S", 320.0, 500.0, 380.0, 580.0))
    assert guess is not None and guess.card is joker and not guess.sure and guess.place == (350.0, 540.0)
    assert [card for card, _ in guess.candidates] == [joker, Card.parse("HR")]
    assert reader.guess(view, "S", Zone("play", "S", 400.0, 500.0, 470.0, 580.0)) is None


def test_two_lone_corners_that_may_be_one_jokers_are_not_surely_two() -> None:
    def lone(name: str, x: float, y: float) -> SeenCard:
        card = Card.parse(name)
        return SeenCard(card, 0.99, True, ((card, 0.99),), ((0, 0),), 0.0, (x, y), ((x, y),))

    assert not any(card.sure for card in perhaps_one([lone("HR", 196, 318), lone("HR", 128, 350)]))
    for other in (lone("HR", 178, 322), lone("SB", 128, 350)):  # a fan's step; another joker
        assert all(card.sure for card in perhaps_one([lone("HR", 196, 318), other]))


def test_a_joker_taken_for_two_leaves_nothing_when_it_goes() -> None:
    """Its other corner would lie there covered for ever, and give its name to the next card laid there."""

    def lone(name: str, x: float, y: float, sure: bool = False) -> SeenCard:
        card = Card.parse(name)
        return SeenCard(card, 0.9, sure, ((card, 0.9),), ((0, 0),), 0.0, (x - 25, y + 20), ((x, y),))

    def left(kept: SeenCard, gone: SeenCard) -> int:
        return len(without_shadows(Change((), (gone,), (), (), (Lying(kept, covered=True),))).lying)

    one, other = lone("SB", 605, 372), lone("SB", 606, 328)
    assert left(other, one) == 0
    for far in (lone("HR", 606, 328), lone("SB", 606, 230), lone("SB", 606, 328, sure=True)):
        assert left(far, one) == 1
    assert len(without_shadows(Change((), (), (), (), (Lying(other, covered=True),))).lying) == 1


class _Mixed(Deck):
    """A deck whose red joker is a white card."""

    def __init__(self, deck: Deck, blank: Deck) -> None:
        super().__init__(deck.name, lambda key: blank.back() if key == "HR" else deck._draw(key), deck.px_per_mm)
