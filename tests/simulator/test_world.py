"""The world of a record: every play is shown as it was, long enough, and any moment can be asked for."""

from __future__ import annotations

import pytest

from engine.cards import SEATS
from engine.errors import GuandanError
from engine.events import Event
from simulator.art import Deck
from simulator.gestures import Pace
from simulator.truth import play_match
from simulator.world import World
from vision import mat


@pytest.fixture(scope="module")
def record() -> list[Event]:
    return play_match(17, deals=2)


@pytest.fixture(scope="module")
def deck() -> Deck:
    return Deck.own("river")


@pytest.fixture(scope="module")
def world(record: list[Event], deck: Deck) -> World:
    return World(record, deck, seed=5)


def written(*lines: str) -> list[Event]:
    return [Event.from_line(n, line) for n, line in enumerate(lines, 1)]


def in_play(world: World, t: float, seat: str) -> list[str]:
    """Names of the cards that lie face up in the play zone of *seat* at *t*."""
    return sorted(
        card.card.name
        for card in world.at(t).lying
        if card.up and (zone := mat.zone_of(card.pose.x, card.pose.y, card.pose.angle)) is not None
        and zone.kind == "play" and zone.seat == seat
    )  # fmt: skip


def test_every_play_lies_on_the_table_as_it_was(record: list[Event], world: World) -> None:
    plays = [shown for shown in world.truth if shown.do == "play"]
    assert len(plays) == sum(event.do == "play" for event in record)
    for shown in plays:
        assert sorted(card.name for card in shown.cards) == sorted(record[shown.event].data["cards"])
        lying = in_play(world, shown.clear, shown.seat)
        for card in shown.cards:
            assert lying.count(card.name) >= shown.cards.count(card)


def test_every_play_lies_still_and_free_for_long_enough(world: World) -> None:
    moves = sorted((sweep.start, sweep.end) for sweep in world.timeline.sweeps)
    for shown in world.truth:
        if shown.do == "take_back":
            continue
        assert shown.touched < shown.released < shown.clear
        assert not [move for move in moves if move[0] < shown.clear + 1.2 and move[1] > shown.clear]
        assert not world.presses(shown.touched, shown.clear + 1.2), "buttons come when the cards have been seen"
        assert world.at(shown.clear).lying == world.at(shown.clear + 1.2).lying


def test_passes_reports_and_confirmations_are_pressed(record: list[Event], world: World) -> None:
    presses = world.presses(0, world.end)
    for button, do in (("pass", "pass"), ("report", "report"), ("confirm", "sign")):
        assert [press.event for press in presses if press.button == button] == [
            place for place, event in enumerate(record) if event.do == do
        ]
    assert [press.t for press in presses] == sorted(press.t for press in presses)
    rulings = [directive.event for directive in world.directives(0, world.end)]
    assert rulings == [place for place, event in enumerate(record) if event.do == "ruling"]


def test_a_trick_that_is_over_is_turned_down(record: list[Event], world: World) -> None:
    leads = 0
    for shown in world.truth:
        if shown.do == "play" and record[shown.event - 1].do == "pass":
            before = world.at(world.start_at(shown.event)).lying
            if not [card for card in before if card.up]:
                leads += 1
                zones = [mat.zone_of(card.pose.x, card.pose.y) for card in before]
                assert all(zone is not None and zone.kind == "turned" for zone in zones)
    assert leads > 10


def test_turned_and_lying_cards_are_those_played(record: list[Event], world: World) -> None:
    """Before the second deal every card that was played and not taken back lies on the table once."""
    second = [place for place, event in enumerate(record) if event.do == "deal"][1]
    played: list[str] = []
    for event in record[:second]:
        if event.do == "play":
            played += event.data["cards"]
        elif event.do == "take_back":
            seat, earlier = event.data["seat"], reversed(record[: event.seq - 1])
            for name in next(e for e in earlier if e.do == "play" and e.data["seat"] == seat).data["cards"]:
                played.remove(name)
    last_move = max(shown.clear for shown in world.truth if shown.event < second)
    assert sorted(card.card.name for card in world.at(last_move).lying) == sorted(played)


def test_two_copies_of_a_card_are_of_two_decks(record: list[Event], deck: Deck) -> None:
    world = World(record, [deck, Deck.own("pine")], seed=5)
    second = [place for place, event in enumerate(record) if event.do == "deal"][1]
    last_move = max(shown.clear for shown in world.truth if shown.event < second)
    copies = [(card.card.name, card.deck) for card in world.at(last_move).lying]
    assert len(copies) == len(set(copies)) and {deck for _, deck in copies} == {0, 1}


def test_same_seed_same_world_and_any_order_of_asking(record: list[Event], deck: Deck, world: World) -> None:
    again = World(record, deck, seed=5)
    times = [world.end * part / 97 for part in range(97)]
    assert [again.at(t) for t in reversed(times)] == [world.at(t) for t in reversed(times)]
    assert [again.at(t) for t in times] == [world.at(t) for t in times]
    assert World(record, deck, seed=6).at(40.0) != world.at(40.0)


def test_a_part_of_the_record_looks_as_in_the_whole(record: list[Event], deck: Deck, world: World) -> None:
    part = World(record[:40], deck, seed=5)
    assert part.script.starts[:40] == world.script.starts[:40]
    t = part.start_at(39)
    assert part.at(t).lying == world.at(t).lying


def test_quiet_until_skips_to_the_next_thing(world: World) -> None:
    t, visits = 0.0, 0
    while t < world.end:
        later = world.quiet_until(t)
        assert later >= t
        if later > t:
            visits += 1
            for part in (0.1, 0.5, 0.9):
                middle = world.at(t + (later - t) * part)
                assert not middle.hands and not middle.held
        t = max(later, t + 0.05)
    assert visits > 100


def test_less_thinking_is_a_shorter_film(record: list[Event], deck: Deck, world: World) -> None:
    assert World(record, deck, seed=5, pace=Pace().quicker(0.2)).end < 0.8 * world.end


def test_written_records_are_filmed_too(deck: Deck) -> None:
    """Tribute cards pass over the table, red jokers are shown, exposed cards picked up, a correction is only said."""
    world = World(written(
        '{"do":"match","ruleset":"national"}', '{"do":"finish","order":["N","S","W","E"]}',
        '{"do":"deal"}', '{"do":"resist","seats":["E","W"]}',
        '{"do":"play","seat":"N","cards":["S3","D3"]}', '{"do":"expose","seat":"W","cards":["H9"]}',
        '{"do":"call","seat":"E"}', '{"do":"pass","seat":"W"}', '{"do":"pass","seat":"S"}', '{"do":"pass","seat":"E"}',
        '{"do":"play","seat":"N","cards":["HK"]}', '{"do":"correct","event":11,"cards":["HQ"]}',
        '{"do":"finish","order":["W","N","E","S"]}', '{"do":"deal"}',
        '{"do":"tribute","from":"S","to":"W","card":"HR"}',
        '{"do":"return","from":"W","to":"S","card":"C4"}', '{"do":"play","seat":"S","cards":["C4"]}',
    ), deck)  # fmt: skip
    shown = [(each.do, each.seat, [card.name for card in each.cards]) for each in world.truth]
    assert shown == [
        ("resist", "E", ["HR"]), ("resist", "W", ["HR"]), ("play", "N", ["S3", "D3"]), ("expose", "W", ["H9"]),
        ("play", "N", ["HQ"]), ("tribute", "S", ["HR"]), ("return", "W", ["C4"]), ("play", "S", ["C4"]),
    ]  # fmt: skip
    assert [press.button for press in world.presses(0, world.end)] == ["call", "pass", "pass", "pass"]
    assert "correct" in [directive.what.do for directive in world.directives(0, world.end)]
    tribute = next(each for each in world.truth if each.do == "tribute")
    assert in_play(world, tribute.clear, "S") == ["HR"]
    assert not any(in_play(world, world.start_at(15), seat) for seat in SEATS), "the taker has it"


def test_a_trick_that_an_offence_would_end_stays_until_it_is_ruled_on(deck: Deck) -> None:
    world = World(written(
        '{"do":"match","ruleset":"national"}', '{"do":"deal","leader":"N"}', '{"do":"play","seat":"N","cards":["S9"]}',
        '{"do":"pass","seat":"W"}', '{"do":"pass","seat":"S"}', '{"do":"play","seat":"E","cards":["D4"]}',
        '{"do":"ruling","alert":"6.1","verdict":"uphold"}', '{"do":"take_back","seat":"E"}',
        '{"do":"pass","seat":"E"}', '{"do":"play","seat":"N","cards":["C5"]}',
    ), deck)  # fmt: skip
    assert in_play(world, world.start_at(7), "N") == ["S9"] and in_play(world, world.start_at(7), "E") == ["D4"]
    assert in_play(world, world.start_at(8), "E") == [] and in_play(world, world.start_at(8), "N") == ["S9"]
    assert in_play(world, world.start_at(9), "N") == []


def test_a_new_deal_begins_on_an_empty_table(deck: Deck) -> None:
    world = World(written(
        '{"do":"match","ruleset":"national"}', '{"do":"deal","leader":"N"}', '{"do":"play","seat":"N","cards":["S9"]}',
        '{"do":"finish","order":["N","W","S","E"]}', '{"do":"finish","order":["N","W","S","E"]}',
        '{"do":"deal"}', '{"do":"tribute","from":"E","to":"N","card":"HR"}', '{"do":"redeal","why":"28 cards"}',
    ), deck)  # fmt: skip
    assert in_play(world, world.start_at(3), "N") == ["S9"]
    assert not world.at(world.start_at(4)).lying, "the next deal was scored without its plays"
    assert not world.at(world.end).lying


def test_a_second_play_lies_over_the_first_nearer_to_the_middle(deck: Deck) -> None:
    world = World(written(
        '{"do":"match","ruleset":"national"}', '{"do":"deal","leader":"S"}', '{"do":"play","seat":"S","cards":["S3"]}',
        '{"do":"play","seat":"E","cards":["S4"]}', '{"do":"pass","seat":"N"}', '{"do":"pass","seat":"W"}',
        '{"do":"play","seat":"S","cards":["S8"]}',
    ), deck)  # fmt: skip
    lying = {card.card.name: place for place, card in enumerate(world.at(world.end).lying)}
    poses = {card.card.name: card.pose for card in world.at(world.end).lying}
    assert lying["S8"] > lying["S3"] and poses["S8"].y < poses["S3"].y - 15


def test_a_bad_record_is_refused(deck: Deck) -> None:
    with pytest.raises(GuandanError):
        World(written('{"do":"match","ruleset":"national"}', '{"do":"play","seat":"N","cards":["S3"]}'), deck)
