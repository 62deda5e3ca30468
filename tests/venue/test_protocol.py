"""The sync vocabulary: golden messages, the verdict on a batch, the state tables, a device's end over a bad line."""

import hashlib
import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from venue import protocol
from venue.protocol import Acknowledgement, Batch, Directive, Reply, SyncError, SyncEvent, TableSide, judge

GOLDEN = json.loads((Path(__file__).parent / "golden" / "sync.json").read_text("utf-8"))


def test_golden_messages_read_and_write_back_unchanged():
    assert Batch.from_json(GOLDEN["batch"]).to_json() == GOLDEN["batch"]
    assert Reply.from_json(GOLDEN["reply"]).to_json() == GOLDEN["reply"]


def test_golden_check_ins():
    for told in GOLDEN["check_in"].values():
        event = SyncEvent.from_json(told)
        assert event.to_json() == told and event.do in protocol.TABLE_EVENTS and event.match is None


def test_golden_handouts():
    for name in ("deck_profile", "release"):
        directive = Directive.from_json(GOLDEN["handouts"][name])
        protocol.check_directive(directive.do, directive.data)
        assert directive.to_json() == GOLDEN["handouts"][name]
    learned = SyncEvent.from_json(GOLDEN["handouts"]["deck_learned"])
    assert learned.to_json() == GOLDEN["handouts"]["deck_learned"] and learned.do in protocol.TABLE_EVENTS


def test_golden_refusals():
    events = Batch.from_json(GOLDEN["batch"]).events
    with pytest.raises(SyncError) as gap:
        judge(events, 11, lambda seq: None)
    assert gap.value.to_json() == GOLDEN["gap"] and gap.value.status == 409 and gap.value.again
    with pytest.raises(SyncError) as conflict:
        judge(events, 17, lambda seq: "0" * 64)
    assert conflict.value.to_json() == GOLDEN["conflict"] and not conflict.value.again


def test_golden_fingerprints():
    for event in Batch.from_json(GOLDEN["batch"]).events:
        if str(event.seq) in GOLDEN["fingerprints"]:
            assert event.fingerprint() == GOLDEN["fingerprints"][str(event.seq)]


def test_fingerprint_leaves_the_name_out_and_takes_everything_else_in():
    event = SyncEvent(seq=4, event={"do": "pass", "seat": "N"}, match="m", line=3, wall=5.0)
    same = SyncEvent(seq=9, event={"seat": "N", "do": "pass"}, match="m", line=3, wall=5)
    assert event.fingerprint() == same.fingerprint()
    for other in (
        {"event": {"do": "pass", "seat": "S"}},
        {"match": "n"},
        {"line": 4},
        {"wall": 6.0},
        {"match": None, "line": None},
    ):
        changed = {"event": event.event, "match": "m", "line": 3, "wall": 5.0} | other
        assert SyncEvent(seq=4, **changed).fingerprint() != event.fingerprint()


@pytest.mark.parametrize(
    "value",
    [5.0, -0.0, 2.0**53, 1e16, 1.05, 10.0, [3.0, {"1.0": 7.0}], "5.0", 'a\u2028"', {"b": None, "a": [True, 0.5]}],
)
@pytest.mark.parametrize("where", [{}, {"match": 'm"1.0', "line": 7}, {"wall": 6.0}, {"wall": 1764460800.25}])
def test_a_fingerprint_is_the_hash_of_everything_with_whole_numbers_written_one_way(value, where):
    def plain(value):
        if isinstance(value, dict):
            return {key: plain(item) for key, item in value.items()}
        if isinstance(value, list):
            return [plain(item) for item in value]
        return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**53 else value

    body = {"event": {"do": "x", "value": value}, **where}
    text = json.dumps(plain(body), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    assert SyncEvent(seq=1, **body).fingerprint() == hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize(
    "spoil",
    [
        {"protocol": 2},
        {"device": ""},
        {"device": "a\nb"},
        {"device": 7},
        {"after": -1},
        {"after": True},
        {"events": {}},
        {"events": [{"seq": 1}]},
        {"events": [{"seq": 0, "event": {"do": "x"}}]},
        {"events": [{"seq": 1, "event": {}}]},
        {"events": [{"seq": 1, "event": {"do": "x"}, "match": "m"}]},
        {"acks": [{"id": 1, "state": "maybe"}]},
        {"events": [{"seq": 1, "event": {"do": "x"}}, {"seq": 3, "event": {"do": "x"}}]},
        {"events": [{"seq": 1, "event": {"do": "x"}}] * (protocol.MAX_EVENTS + 1)},
        {"events": [{"seq": 1, "event": {"do": "x", "big": "x" * protocol.MAX_EVENT}}]},
        {"status": {"a": "b" * 5000}},
        {"events": [{"seq": 1, "event": {"do": "x", "nan": float("nan")}}]},
        {"wait": "long"},
        {"cursor": 2**60},
    ],
)
def test_what_is_no_batch_is_refused(spoil):
    with pytest.raises(SyncError):
        Batch.from_json(GOLDEN["batch"] | spoil)
    for nothing in (None, [], "x", 3):
        with pytest.raises(SyncError):
            Batch.from_json(nothing)


def test_a_wait_is_cut_to_what_the_venue_holds():
    assert Batch.from_json(GOLDEN["batch"] | {"wait": 4000}).wait == protocol.MAX_WAIT


def test_every_directive_needs_its_fields():
    for do, fields in protocol.DIRECTIVES.items():
        whole = dict.fromkeys(fields, "x")
        protocol.check_directive(do, whole)
        for name in fields:
            with pytest.raises(SyncError):
                protocol.check_directive(do, {key: value for key, value in whole.items() if key != name})
    with pytest.raises(SyncError):
        protocol.check_directive("explode", {})


@pytest.mark.parametrize("table", [protocol.LINK, protocol.DIRECTIVE_STATES, protocol.CASE_STATES])
def test_state_tables_lead_nowhere_unknown_and_everywhere_can_be_reached(table):
    first, reached = next(iter(table)), set()
    ahead = [first]
    while ahead:
        state = ahead.pop()
        if state not in reached:
            reached.add(state)
            ahead += table[state].values()
    assert reached == set(table)


def test_an_unknown_step_changes_nothing():
    assert protocol.step(protocol.CASE_STATES, "resolved", "take") is None


class BadLine:
    """A venue that stores by the protocol's own verdict, behind a line that loses requests and replies."""

    def __init__(self, rng):
        self.rng, self.stored, self.told = rng, [], [Directive(id=n, do="blink") for n in (3, 5, 9)]

    def post(self, body):
        if self.rng.random() < 0.3:
            return None
        batch = Batch.from_json(json.loads(json.dumps(body)))
        try:
            verdict = judge(batch.events, len(self.stored), lambda seq: self.stored[seq - 1].fingerprint())
            self.stored += verdict.fresh
            told = tuple(directive for directive in self.told if directive.id > batch.cursor)
            answer = 200, Reply(acked=verdict.acked, directives=told).to_json()
        except SyncError as error:
            answer = error.status, error.to_json()
        return None if self.rng.random() < 0.3 else answer


@given(st.integers(0, 10_000))
@settings(deadline=None, max_examples=30)
def test_a_device_gets_its_whole_log_through_a_bad_line(seed):
    rng = random.Random(seed)
    log = [SyncEvent(seq=n, event={"do": "pass", "n": rng.random()}) for n in range(1, 500)]
    side, venue, got = TableSide("d", "e"), BadLine(rng), []
    for attempt in range(200):
        if attempt == 5:
            venue.stored = venue.stored[: len(venue.stored) // 2]  # the venue came back from an older backup
        if rng.random() < 0.1:
            side = TableSide(
                "d", "e", acked=rng.choice([0, side.acked]), cursor=side.cursor
            )  # the device was restarted
        answer = venue.post(side.batch(lambda after, most: log[after : after + min(most, 40)], {}, 25).to_json())
        if answer is None:
            side.failed()
            assert side.state == "offline" and 0 < side.delay(rng.random()) <= TableSide.LONGEST_DELAY
            continue
        for directive in side.received(*answer):
            got.append(directive.id)
            side.kept(directive.id)
    assert venue.stored == log and got == [3, 5, 9]


def test_answers_are_repeated_until_a_reply_shows_that_they_arrived():
    side = TableSide("d", "e")
    side.answer(Acknowledgement(id=3, state="shown"))
    assert [ack.id for ack in side.batch(lambda after, most: [], {}, 25).acks] == [3]
    side.failed()
    sent = side.batch(lambda after, most: [], {}, 25)
    assert [ack.id for ack in sent.acks] == [3] and sent.wait == 0
    side.answer(Acknowledgement(id=3, state="done"))  # while the batch is on its way
    side.received(200, Reply(acked=0).to_json())
    assert [ack.state for ack in side.batch(lambda after, most: [], {}, 25).acks] == ["done"]


def test_a_portals_page_is_no_word_from_the_venue():
    side = TableSide("d", "e", acked=4, state="online")
    for status, body in ((200, "<html>log in</html>"), (200, {"acked": 900}), (502, None), (409, {"error": "x"})):
        side.received(status, body)
        assert side.state == "offline" and side.acked == 4


def test_a_conflict_bars_the_line_and_keeps_the_reason():
    side = TableSide("d", "e", acked=4)
    side.received(409, GOLDEN["conflict"])
    assert side.state == "barred" and side.refusal is not None and side.refusal.code == "conflict"


def test_a_large_halls_tables_gather_cards_and_nothing_urgent():
    side = TableSide("d", "e")
    side.received(200, Reply(acked=0, pace=5.0).to_json())

    def batch(*kinds):
        log = [SyncEvent(seq=n, event={"do": kind}) for n, kind in enumerate(kinds, 1)]
        return side.batch(lambda after, most: log[after : after + most], {}, 0)

    assert side.may_wait(batch("play", "pass"), 1.0) and not side.may_wait(batch("play"), 5.0)
    assert not side.may_wait(batch("play", "call"), 1.0) and not side.may_wait(batch("play", "alert"), 1.0)
    side.answer(Acknowledgement(id=1, state="done"))
    assert not side.may_wait(batch("play"), 1.0)
    side.received(200, Reply(acked=0).to_json())
    assert "pace" not in Reply(acked=0).to_json() and not side.may_wait(batch("play"), 1.0)
