"""The fold: order of play, offences, rulings, corrections, passes, reports, audit."""

from __future__ import annotations

import pytest

from engine.errors import Impossible, Unreadable
from engine.events import Event
from engine.match import Match, match_event
from tests.engine.folding import back, deal, finish, fold, last_alert, lines, offence, passes, play, rule, then, tribute
from tests.engine.random_play import Table, state


def kinds(match: Match) -> list[tuple[str, bool, str]]:
    return [(alert.kind, alert.certain, alert.route) for alert in match.alerts]


# --- passes and turns ---


def test_out_of_turn_is_certain_over_pressed_passes() -> None:
    match = fold(deal("N"), play("N", "S3"), *passes("W"), play("E", "S4"))
    assert kinds(match) == [("out_of_turn", True, "both")] and match.deal.turn == "S"


def test_over_an_implied_pass_it_is_only_suspected_and_for_the_referee_alone() -> None:
    match = fold(deal("N"), play("N", "S3"), *passes("W", by="implied"), play("E", "S4"))
    assert kinds(match) == [("out_of_turn", False, "referee")]


def test_which_passes_are_certain_is_the_rulesets_word() -> None:
    lines = [deal("N"), play("N", "S3"), *passes("W", by="implied"), play("E", "S4")]
    assert fold(*lines, options={"known_passes": ["pressed", "referee", "implied"]}).alerts[0].certain
    assert not fold(*lines, options={"known_passes": []}).alerts[0].certain


def test_waived_the_play_stands_and_the_skipped_seats_have_passed() -> None:
    match = fold(deal("N"), play("N", "S3"), play("E", "S4"), rule("4.1", "waive"))
    assert match.deal.turn == "N" and match.deal.standing.seat == "E"
    assert [(entry.seat, entry.by) for entry in match.deal.trick if entry.kind == "pass"] == [
        ("W", "implied"),
        ("S", "implied"),
    ]


def test_national_out_of_turn_loses_the_trick_and_bars_the_kind() -> None:
    match = fold(deal("N"), play("N", "S3"), play("S", "S4"), rule("4.1"), ("take_back", {"seat": "S"}), *passes("W"))
    assert match.deal.turn == "E", "south has no right to this trick"
    then(match, *passes("E"), play("N", "S5"))
    assert [alert.kind for alert in match.alerts] == ["out_of_turn", "conduct"], "the partner may not lead a single"


def test_friendly_playing_on_implies_passes() -> None:
    match = fold(deal("N"), play("N", "S3"), play("S", "S4"), play("W", "S5"), play("W", "S6"), profile="friendly")
    assert not match.alerts, "W took the trick when all others were silent, and led"
    assert match.deal.turn == "S" and len(match.deal.tricks) == 1
    then(match, play("N", "S7"), *passes("E"))
    assert not match.alerts and match.deal.turn == "N", "a pass out of the row implies those before it as well"


def test_friendly_a_lead_cannot_be_passed_by_silence() -> None:
    match = fold(deal("N"), play("W", "S3"), profile="friendly")
    assert kinds(match) == [("out_of_turn", True, "count")] and match.deal.turn == "N"


def test_an_unlawful_play_moves_the_turn_but_does_not_stand() -> None:
    match = fold(deal("N"), play("N", "S5"), play("W", "S4"))
    assert kinds(match) == [("does_not_beat", True, "both")]
    assert match.deal.turn == "S" and match.deal.standing.seat == "N"
    then(match, ("take_back", {"seat": "W"}))
    assert match.deal.turn == "W" and match.deal.remaining["W"] == 27
    then(match, play("W", "S6"))
    assert match.deal.standing.seat == "W"


def test_a_waived_play_stands() -> None:
    match = fold(deal("N"), play("N", "S5"), play("W", "S4"), rule("4.1", "waive"), play("S", "D5"))
    assert len(match.alerts) == 1 and match.deal.standing.seat == "S"


def test_taking_back_over_passes_reopens_the_trick() -> None:
    match = fold(deal("N"), play("N", "S5"), *passes("W", "S", "E"), ("take_back", {"seat": "N"}))
    assert match.deal.turn == "N" and match.deal.holder is None and match.deal.trick == []
    with pytest.raises(Impossible):
        then(match, ("take_back", {"seat": "N"}))


def test_plays_rolled_back_one_after_another() -> None:
    match = fold(deal("N"), play("N", "S5"), play("W", "S6"), play("S", "S7"))
    then(match, ("take_back", {"seat": "W"}), ("take_back", {"seat": "S"}))
    assert match.deal.standing.seat == "N" and match.deal.turn == "S"


def test_a_play_that_is_not_what_it_was_declared_to_be() -> None:
    match = fold(deal("N"), play("N", "S5 S6", **{"as": {"type": "pair", "size": 2, "rank": "6"}}))
    assert kinds(match) == [("not_a_combination", True, "both")]


@pytest.mark.parametrize(
    ("cards", "rank"),
    [
        ("H2 S4 C5 D6 S7", "7"),
        ("S4 C5 D6 S7 H2", "8"),
        ("H2 S4 S5 S6 S7", "7"),
        ("S6 C6 H2 SK CK", "K"),
        ("H2 S6 C6 SK CK", "6"),
        ("H2 H2 S7 C7 S8 C8", "8"),
        ("S7 C7 S8 C8 H2 H2", "9"),
        ("S7 C7 H2 S8 C8 H2", "8"),
        ("S7 S4 H2 D6 C5", "8"),
    ],
)
def test_where_a_ruleset_says_so_the_place_of_a_wild_declares_it(cards: str, rank: str) -> None:
    match = fold(deal("N"), play("N", cards), options={"place_declares_wild": True})
    assert match.deal.standing.reading.rank == rank


# --- counts ---

CARDS = "S2 S3 S4 S5 S6 S7 S8 S9 ST SJ SQ SK SA D2 D3 D4 D5 D6 D7 D8 D9 DT DJ DQ DK DA"


def down_to(left: int) -> list[tuple[str, dict[str, object]]]:
    """North holds *left* cards after a play that a referee let stand."""
    return [deal("N"), play("N", " ".join(CARDS.split()[: 27 - left])), rule("3.1", "waive"), *passes("W", "S", "E")]


def test_a_third_copy_counts_a_tribute_card_once() -> None:
    start = [finish("NESW"), deal(), tribute("W", "N", "HR"), back("N", "W", "S3")]
    match = fold(*start, play("W", "S3"), *passes("S", "E"), play("N", "HR"))
    assert not match.alerts
    match = fold(*start, play("W", "S6"), play("S", "HR"), *passes("E", "N", "W"), play("S", "HR"))
    assert ("third_copy", True, "referee") in kinds(match), "north holds the other one"


def test_the_28th_card() -> None:
    match = fold(*down_to(2), play("N", "C3 H3 D3"))
    assert match.alerts[-1].kind == "too_many_cards"
    then(match, rule(last_alert(match)), ("take_back", {"seat": "N"}))
    assert match.deal.remaining["N"] == 2 and match.deal.turn == "N"
    then(match, play("N", "C3 H3"))
    assert match.deal.finished == ["N"]


def test_a_card_of_a_seat_that_is_out_is_the_28th() -> None:
    match = fold(*down_to(1), play("N", "C3"), play("N", "C4"))
    assert match.alerts[-1].kind == "too_many_cards" and match.deal.turn == "W"


def test_going_out_with_an_offence_waits_for_the_ruling() -> None:
    match = fold(*down_to(1), ("report", {"seat": "N", "count": 1}), play("N", "C9"), play("W", "CT"))
    assert match.deal.finished == ["N"]
    wrong = fold(deal("W"), play("W", "CT"), *passes("S", "E"), play("N", CARDS), rule("6.1", "waive"),
                 play("W", "SB SB HR HR"), *passes("S", "E"), play("N", "C3"))  # fmt: skip
    assert wrong.deal.finished == [] and wrong.alerts[-1].kind == "does_not_beat"
    out = then(wrong, *passes("W"))
    assert out.deal.finished == ["N"], "play went on: the cards are gone"


def test_a_report_that_does_not_agree() -> None:
    match = fold(deal("N"), play("N", "S3"), ("report", {"seat": "N", "count": 9}))
    assert kinds(match) == [("count_mismatch", True, "referee")]


def test_friendly_owes_no_report() -> None:
    match = fold(*down_to(5)[:3], *passes("W"), profile="friendly")
    assert not [alert for alert in match.alerts if alert.kind == "report_missed"]


# --- tribute and audit ---


def test_play_before_the_tribute() -> None:
    match = fold(finish("NESW"), deal(), play("W", "S3"))
    assert kinds(match) == [("tribute_overdue", True, "both")] and match.deal.turn == "S"


def test_a_closed_return_is_never_demanded() -> None:
    match = fold(
        finish("NESW"), deal(), tribute("W", "N", "SK"), play("W", "SA"), *passes("S", "E", "N"), finish("NESW")
    )
    assert not match.alerts, "the ace may have been the return"
    assert match.deals[1].audit == "cannot be proved"
    match = fold(finish("NESW"), deal(), tribute("W", "N", "SK"), play("W", "SA SA"), *passes("S", "E", "N"),
                 finish("NESW"))  # fmt: skip
    assert match.deals[1].audit == "violated", "one of the aces was not"


def test_who_leads_when_the_cards_it_hangs_on_were_not_seen() -> None:
    for leader in "WE":
        lines = [finish("NSEW"), deal(), tribute("W", "N", "SK"), tribute("E", "S", "CK"), play(leader, "S3")]
        match = fold(*lines, ruleset="tongsu")
        assert not match.alerts and match.deal.leader == leader


def test_the_wild_is_never_paid() -> None:
    match = fold(finish("NESW"), deal(), tribute("W", "N", "H4"))
    assert kinds(match) == [("tribute_violated", True, "referee")]


def test_an_audit_proves_a_false_tribute_and_the_hand_is_void() -> None:
    match = fold(
        finish("NESW"), deal(), tribute("W", "N", "SK"), back("N", "W", "S3"), play("W", "HR"), *passes("S", "E", "N"),
        finish("WNES"),
    )  # fmt: skip
    assert match.deals[1].audit == "violated" and match.levels == {"NS": "4", "EW": "4"}
    assert kinds(match) == [("tribute_violated", True, "referee")] and match.alerts[0].event == 4
    then(match, rule(last_alert(match)))
    assert match.deals[1].deal.order == ("N", "E", "S", "W") and match.levels == {"NS": "6", "EW": "2"}
    then(match, ("cancel", {"ruling": match.events[-1].seq}))
    assert match.levels == {"NS": "4", "EW": "4"}


def test_an_audit_that_cannot_prove() -> None:
    match = fold(finish("NESW"), deal(), tribute("W", "N", "SK"), back("N", "W", "S3"), play("W", "SQ"), finish("NESW"))
    assert match.deals[1].audit == "cannot be proved" and not match.alerts
    then(match, ("expose", {"seat": "W", "cards": ["SB"]}))
    assert match.deals[1].audit == "violated"


def test_a_return_over_the_limit_is_suspected_and_then_proved() -> None:
    match = fold(finish("NESW"), deal(), tribute("W", "N", "HR"), back("N", "W", "SQ"))
    assert kinds(match) == [("return_violated", False, "referee")]
    then(
        match,
        play("W", "SQ"),
        *passes("S", "E", "N"),
        play("W", "S9"),
        *passes("S", "E"),
        play("N", "SK"),
        finish("NESW"),
    )
    assert match.alerts[0].certain is False
    then(match, deal())
    low = fold(finish("NESW"), deal(), tribute("W", "N", "HR"), back("N", "W", "SQ"), play("W", "S2"),
               *passes("S", "E"), play("N", "S3"), finish("NESW"))  # fmt: skip
    assert [(alert.kind, alert.certain) for alert in low.alerts] == [("return_violated", True)]


# --- rulings and corrections ---


def test_a_waived_alert_leaves_its_trace() -> None:
    match = fold(offence("N", "conduct"), rule("2.1", "waive"))
    assert match.alerts[0].state == "waived" and not match.penalties and match.sheet[-1][1] == "ruling"


def test_an_alert_is_ruled_on_once() -> None:
    match = fold(offence("N", "conduct"), rule("2.1"))
    with pytest.raises(Impossible, match="cancel"):
        then(match, rule("2.1", "waive"))
    then(match, ("cancel", {"ruling": 3}), rule("2.1", "waive"))
    assert match.alerts[0].state == "waived"


def test_a_ruling_chooses_only_what_the_ruleset_offers() -> None:
    match = fold(offence("N", "signals"))
    with pytest.raises(Impossible, match="offers"):
        then(match, rule("2.1", penalty="own_drop 3"))
    then(match, rule("2.1", "other", penalty=["own_drop 3", "warning"]))
    assert match.levels["NS"] == "2" and [penalty.effect for penalty in match.penalties] == ["own_drop", "warning"]


def test_a_correction_changes_a_play_and_says_what_changed() -> None:
    match = fold(deal("N"), play("N", "S5"), play("W", "S4"), play("S", "S6"))
    outcome = match.apply(Event(6, "correct", {"event": 4, "cards": ["S5"]}))
    assert match.alerts[0].kind == "does_not_beat"
    outcome = match.apply(Event(7, "correct", {"event": 4, "cards": ["S7"]}))
    assert {"alert 4.1 (does_not_beat) is gone", "alert 5.1 (does_not_beat) is new"} <= set(map(str, outcome.changes))


def test_a_correction_of_the_match_line_brings_other_rules() -> None:
    match = Match()
    match.apply(match_event("national"))
    then(match, deal("N"), play("N", "S3"), play("S", "S4"), rule("4.1"))
    assert match.levels == {"NS": "2", "EW": "2"}
    outcome = match.apply(Event(6, "correct", {"event": 1, "ruleset": "tongsu"}))
    assert match.levels == {"NS": "2", "EW": "3"} and "levels" in [change.what for change in outcome.changes]


def test_a_correction_of_an_earlier_deal_moves_the_levels() -> None:
    match = fold(finish("NSEW"), finish("ENSW"))
    outcome = match.apply(Event(4, "correct", {"event": 2, "order": ["N", "E", "S", "W"]}))
    assert match.levels == {"NS": "4", "EW": "3"} and "levels" in [change.what for change in outcome.changes]


def test_a_correction_that_is_undone_restores_the_state_bit_for_bit() -> None:
    match = Table(4, "tongsu", offences=0.05).play_match(3)
    before, seq = state(match), match.events[-1].seq
    first = next(event.seq for event in match.events if event.do == "play")
    match.apply(Event(seq + 1, "correct", {"event": first, "void": True}))
    assert state(match) != before
    match.apply(Event(seq + 2, "correct", {"event": seq + 1, "void": True}))
    assert state(match) == before


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({"event": 99, "seat": "N"}, "no earlier line 99"), ({"event": 2}, "fields to change"),
        ({"event": 1, "void": True}, "match line"), ({"event": 3, "cards": ["S1"]}, "cards"),
    ],
)  # fmt: skip
def test_corrections_that_are_refused(data: dict[str, object], reason: str) -> None:
    match = fold(deal("N"), play("N", "S5"))
    before = state(match)
    with pytest.raises((Impossible, Unreadable), match=reason):
        match.apply(Event(4, "correct", data))
    assert state(match) == before


def test_a_redeal_begins_the_deal_anew() -> None:
    match = fold(finish("NESW"), deal(), tribute("W", "N", "HR"), ("redeal", {"why": "a card lay on the floor"}))
    assert match.deal.n == 2 and match.deal.owed == [{"from": "W", "to": "N"}]


def test_a_pass_out_of_turn_is_a_gesture_and_stops_nothing() -> None:
    match = fold(deal("N"), play("N", "S3"), *passes("S"), ruleset="tongsu")
    assert kinds(match) == [("out_of_turn", True, "referee")] and match.deal.turn == "W"
    then(match, rule("4.1"))
    assert match.alerts[0].penalty == ["warning"] and match.levels["EW"] == "2"


# --- the record ---


def test_a_match_speaks_the_games_verbs() -> None:
    match = Match()
    match.note("match", ruleset="tongsu")
    match.finish_deal("NSEW")
    assert match.levels == {"NS": "5", "EW": "2"} and [event.seq for event in match.events] == [1, 2]


def test_a_record_of_an_older_engine_is_still_read() -> None:
    event = match_event("tongsu")
    older = {key: value for key, value in event.data["resolved"].items() if key != "show_remaining"}
    match = Match()
    match.apply(Event(1, "match", {**event.data, "resolved": older}))
    assert match.ruleset.show_remaining is False and match.ruleset.report_at == 7


def test_the_match_event_carries_ruleset_and_version() -> None:
    event = match_event("tongsu", "friendly", {"N": "甲"}, options={"report_at": 5})
    assert event.data["resolved"]["report_at"] == 5 and event.data["engine"]
    match = Match()
    match.apply(event)
    assert match.ruleset.report_at == 5 and match.profile == "friendly" and match.names == {"N": "甲"}
    again = Match()
    again.apply(Event.from_line(1, event.to_line()))
    assert again.ruleset == match.ruleset


def test_a_record_is_written_as_it_was_read() -> None:
    for event in lines(deal("N"), play("N", "S5", note="甲", t=3.5), rule("1.1")):
        assert Event.from_line(event.seq, event.to_line()) == event


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        ([("play", {"seat": "N", "cards": ["S3"]})], "no deal is open"),
        ([deal("N"), deal("N")], "not over"), ([("ruling", {"alert": "9.9", "verdict": "waive"})], "no alert"),
        ([deal("N"), tribute("W", "N", "HR")], "no tribute"), ([("take_back", {"seat": "N"})], "no deal"),
        ([finish("NESW"), deal(), tribute("E", "N", "HR")], "owes no tribute"), ([("resume", {})], "never paused"),
        ([("forfeit", {"side": "NS"}), deal("N")], "match is over"), ([("sign", {"side": "NS"})], "nothing to sign"),
        ([("cancel", {"ruling": 1})], "no ruling"),
    ],
)  # fmt: skip
def test_impossible_lines(made: list[tuple[str, dict[str, object]]], reason: str) -> None:
    with pytest.raises(Impossible, match=reason):
        fold(*made)


def test_order_of_lines() -> None:
    match = Match()
    with pytest.raises(Impossible, match="begins with its match line"):
        match.apply(Event(1, "deal", {}))
    match = fold(deal("N", t=5.0))
    with pytest.raises(Impossible, match="t is 4"):
        match.apply(Event(3, "pass", {"seat": "N"}, 4.0))
    with pytest.raises(Impossible, match="numbered upwards"):
        match.apply(Event(2, "pass", {"seat": "N"}))


# --- the law as data ---


def with_law(kind: str, **ladder: object) -> dict[str, object]:
    return {"options": {"offence": {kind: ladder}}, "levels": {"NS": "5", "EW": "5"}}


def test_what_is_automatic_waits_for_nobody() -> None:
    match = fold(
        deal("N"), play("N", "S3"), play("S", "S4"), **with_law("out_of_turn", steps=[["own_drop 2"]], automatic=True)
    )
    assert match.alerts[0].state == "upheld" and match.levels == {"NS": "3", "EW": "5"}
    assert not match.clock.waiting, "nobody comes, so no turn's time stands still"


def test_a_ladder_counts_by_player_or_side_and_in_trick_deal_or_match() -> None:
    steps = [["warning"], ["own_drop 1"]]
    for counts, second, dropped in (
        ("player", "N", True),
        ("player", "S", False),
        ("side", "S", True),
        ("side", "E", False),
    ):
        law = with_law("conduct", steps=steps, counts=counts)
        match = fold(offence("N", "conduct"), rule("2.1"), offence(second, "conduct"), rule("4.1"), **law)
        assert (match.levels != {"NS": "5", "EW": "5"}) is dropped, (counts, second)
    law = with_law("conduct", steps=steps, within="deal")
    one, two = offence("N", "conduct"), offence("N", "conduct")
    match = fold(deal("N"), one, rule("3.1"), finish("NESW"), deal(), two, rule("7.1"), **law)
    assert match.alerts[1].penalty == ["warning"], "another deal"
    match = fold(deal("N"), one, rule("3.1"), two, rule("5.1"), **law)
    assert match.alerts[1].penalty == ["own_drop"]


def test_a_foul_in_time_loses_the_trick() -> None:
    match = fold(deal("N", t=0.0), play("N", "S3", t=1.0), ("deck", {"why": "x", "t": 45.0}), rule("4.1"))
    assert match.alerts[0].kind == "turn_time" and match.deal.turn == "S", "west has no right to this trick"
    then(match, *passes("S", "E"))
    assert match.deal.turn == "N" and match.deal.holder is None


def test_a_void_hand_counts_as_last_and_the_others_play_on() -> None:
    match = fold(finish("NESW"), deal(), tribute("W", "N", "H4"), back("N", "W", "S3"), play("W", "S6"), rule("4.1"))
    assert match.alerts[0].penalty == ["hand_void"] and match.deal.void == "W" and match.deal.turn == "S"
    then(match, *passes("S", "E", "N"))
    assert match.deal.turn == "E", "the partner leads for the void hand"


def test_before_play_a_wrong_tribute_is_corrected() -> None:
    match = fold(finish("NESW"), deal(), tribute("W", "N", "H4"), rule("4.1"))
    assert match.alerts[0].penalty == ["corrected", "warning"]
    then(match, ("correct", {"event": 4, "card": "HR"}))
    assert not match.alerts and match.deal.tribute.paid[0].card.name == "HR"


def test_a_ruling_on_an_alert_that_a_correction_removed_lapses() -> None:
    match = fold(deal("N"), play("N", "S5"), play("W", "S4"), rule("4.1"))
    outcome = match.apply(Event(6, "correct", {"event": 4, "cards": ["S9"]}))
    assert not match.penalties and ("line", "5") in [change[:2] for change in outcome.changes]


def test_alerts_of_a_friendly_match_go_nowhere_but_calls() -> None:
    match = fold(deal("N"), play("N", "S5"), play("W", "S4"), ("call", {"seat": "E"}), profile="friendly")
    assert kinds(match) == [("does_not_beat", True, "count"), ("call", True, "both")]


def test_a_ruling_after_the_bell_decides_anew() -> None:
    match = fold(deal("N"), play("N", "S3"), play("S", "S4"), finish("NESW"), finish("EWNS"), ("time", {"left": 0}),
                 ruleset="tongsu", levels={"NS": "4", "EW": "2"})  # fmt: skip
    assert match.result and (match.result.winner, match.levels) == ("NS", {"NS": "6", "EW": "5"})
    then(match, rule("4.1"))
    assert match.result and (match.result.winner, match.result.why) == ("NS", "first_to_reach")
    then(match, ("cancel", {"ruling": 8}))
    assert match.result and match.result.why == "higher_level"


def test_a_match_won_with_a_void_hand_goes_on() -> None:
    match = fold(
        finish("NESW"), deal(), tribute("W", "N", "SK"), back("N", "W", "S3"), finish("WENS"), deal(),
        tribute("N", "W", "HR"), tribute("S", "E", "SQ"), back("W", "N", "S3"), back("E", "S", "S2"), play("N", "S5"),
        play("W", "S6"), play("S", "HR"), *passes("E", "N", "W"), finish("WENS"), levels={"NS": "2", "EW": "J"},
    )  # fmt: skip
    assert match.result and match.result.winner == "EW" and match.deals[2].audit == "violated"
    then(match, rule(last_alert(match)))
    assert match.deals[2].deal.order == ("W", "E", "N", "S") and match.result.winner == "EW"
    other = fold(
        finish("NESW"), deal(), tribute("W", "N", "SK"), back("N", "W", "S3"), play("W", "HR"), *passes("S", "E", "N"),
        finish("WENS"), levels={"NS": "2", "EW": "J"}, options={"goal": "reach_A"},
    )  # fmt: skip
    assert other.result and other.result.why == "reached_A"
    then(other, rule(last_alert(other)))
    assert other.result is None and other.deals[1].deal.order == ("E", "N", "S", "W") and other.levels["EW"] == "Q"


def test_a_match_that_another_table_began_goes_on() -> None:
    match = fold(ruleset="tongsu", levels={"NS": "A", "EW": "9"}, on_stage="NS", attempts_at_A={"NS": 2, "EW": 0})
    assert match.on_stage == "NS" and match.report()["attempts_at_A"] == {"NS": 2, "EW": 0}
    then(match, deal("N"))
    assert match.deal.level == "A" and match.deal.owed == [], "what the last order was nobody here knows"
    then(match, finish("NEWS"))
    assert match.levels["NS"] == "2", "the third try failed"


def test_one_winner_may_return_before_the_other_is_paid() -> None:
    start = [finish("NSEW"), deal(), tribute("E", "N", "HR"), back("N", "E", "S3")]
    match = fold(*start, tribute("W", "S", "SB"), back("S", "W", "S4"))
    assert not match.alerts and match.deal.turn == "E"
    with pytest.raises(Impossible, match="south owes no return"):
        fold(*start, back("S", "W", "S4"))
    with pytest.raises(Impossible, match="north owes no return"):
        fold(*start, back("N", "W", "S4"))


def test_a_ruling_on_a_deal_that_was_dealt_anew_touches_nothing_of_the_new_hands() -> None:
    again = ("redeal", {"why": "a card too many"})
    missed = fold(deal("N"), play("N", "S3"), play("S", "S4"), again, rule("4.1"), play("N", "C3"),
                  ruleset="lianyungang")  # fmt: skip
    then(missed, *passes("W"))
    assert missed.alerts[0].penalty == ["miss_round"] and missed.deal.turn == "S", "it was the old deal's round"
    wild = [finish("NESW"), deal(), tribute("W", "N", "H4"), again, tribute("W", "N", "HR"), back("N", "W", "S3")]
    void = fold(*wild, play("W", "S5"), rule("4.1"))
    assert void.alerts[0].penalty == ["corrected", "warning"] and void.deal.void is None
