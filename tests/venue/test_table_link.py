"""The real table against the real venue: journal, controller and link here, HTTP and the console over there."""

import hashlib
import queue
import stat
import time

import pytest

from engine.cards import parse_cards
from engine.errors import GuandanError
from table.controller import Controller
from table.effects import Alert
from table.evidence_shelf import Kept, Shelf
from table.inputs import Directed, Pressed, Seen, Tapped
from table.journal import Journal
from table.ledger import Ledger, events_of
from table.sync import Link
from table.sync_log import SyncLog, match_name
from table.sync_pairing import NotPaired, Pairing, load, pair, save, take_over
from table.sync_pictures import ShelfPictures
from table.sync_start import standing
from tests.venue.test_desk_trouble import enter_list, new
from venue.store import Database, devices, log
from vision.observations import Laid, SeenCard


class Bench:
    """A table without a window: what the app does, driven by hand."""

    def __init__(self, folder, profile="championship", ruleset="tongsu", demo=False):
        self.journal = Journal(folder / "table.journal")
        self.controller = Controller(ruleset, profile, {"N": "甲", "E": "乙", "S": "丙", "W": "丁"})
        epochs = self.journal.epochs()
        self.ledger = Ledger(self.journal, time.time, epoch=epochs[-1] if epochs else 0)
        self.t, self.inputs, self.effects = 100.0, queue.SimpleQueue(), []
        self.log = SyncLog(folder / "table.sync")
        self.pictures = ShelfPictures(Shelf(folder / "evidence"))
        self.link = Link(
            self.log, self.journal, self.inputs.put, lambda: self.t, demo=demo, pictures=self.pictures
        )  # fmt: skip
        if epochs:
            self.effects += self.controller.resume(events_of(self.journal.entries(epochs[-1])), self.t)

    def take(self, given):
        try:
            effects = self.controller.handle(given)
        except GuandanError as refused:
            self.link.handled(given, str(refused))
            return
        self.link.handled(given)
        if receipt := self.ledger.put(effects):
            receipt.wait(10)
        self.effects += effects
        self.link.told(effects)

    def tap(self, what, value=None):
        self.t += 1
        self.take(Tapped(self.t, what, value))

    def press(self, seat, button):
        self.t += 1
        self.take(Pressed(self.t, seat, button))

    def lay(self, seat, text):
        self.t += 2
        cards = tuple(SeenCard(card, 0.999, True, ((card, 0.999),), ((0, 0),), 0.0) for card in parse_cards(text))
        self.take(Seen(Laid(self.t + 0.3, seat, cards, self.t - 1, 3, True, self.t)))

    def until(self, happened, seconds=60):
        """Take what comes in until *happened*."""
        end = time.monotonic() + seconds
        while not (found := happened()):
            assert time.monotonic() < end, "it did not happen"
            while not self.inputs.empty():
                self.take(self.inputs.get())
            time.sleep(0.01)
        return found

    def sent(self):
        assert self.link.flush(20)

    @property
    def alerts(self):
        return [effect for effect in self.effects if isinstance(effect, Alert)]

    def close(self):
        self.link.stop()
        self.journal.close()
        self.log.close()


@pytest.fixture
def code(database, clock):
    def make(place="7"):
        with database.writing() as connection:
            devices.add_place(connection, place, "A", clock(), None)
            return devices.new_code(connection, place, clock(), None)[0]

    return make


@pytest.fixture
def bench(tmp_path):
    benches = []

    def make(name="one", **how):
        (tmp_path / name).mkdir(exist_ok=True)
        benches.append(Bench(tmp_path / name, **how))
        return benches[-1]

    yield make
    for each in benches:
        each.close()


@pytest.fixture
def joined(app, code, bench):
    made = bench()
    pairing, continues = pair(app.state.url, code(), "Pi 7")
    assert continues is None
    made.link.join(pairing)
    return made


def cases(browser):
    return [item["case"] for item in browser.get("/v1/snapshot").json()["items"] if "case" in item]


def offence(table):
    """North leads a nine, west passes, south lays a three on it."""
    table.tap("start")
    table.tap("seat", "N")
    table.lay("N", "S9")
    table.press("W", "pass")
    table.lay("S", "S3")


def stored(database, kind=None):
    with database.reading() as connection:
        found = [entry for entry in log.after(connection, 0, 5000) if entry.device != log.VENUE]
    return [entry for entry in found if kind is None or entry.kind == kind]


def test_an_offence_reaches_the_console_and_the_ruling_reaches_the_table(joined, enter, database):
    offence(joined)
    (alert,) = joined.alerts
    joined.sent()
    referee = enter("referee", ["A"])
    (case,) = cases(referee)
    assert (case["kind"], case["place"], case["alerts"]) == ("does_not_beat", "7", [alert.id])
    assert case["evidence"]["touched"] < case["evidence"]["settled"] and case["evidence"]["sure"] is True
    referee.post(f"/v1/cases/{case['id']}/take")
    assert joined.until(lambda: joined.controller.view.venue.referee) == ("take", "referee")
    assert referee.post(f"/v1/cases/{case['id']}/ruling", {"verdict": "uphold"}).status_code == 200
    match = joined.controller.desk.match
    joined.until(lambda: [each.state for each in match.alerts if each.id == alert.id] == ["upheld"])
    joined.sent()
    (case,) = cases(referee)
    assert case["state"] == "resolved" and case["ruling"]["state"] == "record" and case["ruling"]["by"] == "referee"
    assert joined.controller.view.venue.referee is None and joined.controller.view.notice is None
    (line,) = stored(database, "ruling")
    assert line.event["verdict"] == "uphold" and line.event["who"] == "referee"


def test_a_call_that_a_referee_is_done_with_ends_at_the_table_too(joined, enter, database):
    offence(joined)
    joined.press("W", "call")
    joined.sent()
    referee = enter("referee", ["A"])
    clock = joined.controller.desk.match.clock
    assert joined.controller.view.halt == "called" and clock.paused
    call = next(case for case in cases(referee) if case["kind"] == "call")
    other = next(case for case in cases(referee) if case["kind"] != "call")
    referee.post(f"/v1/cases/{other['id']}/resolve")
    referee.post(f"/v1/cases/{call['id']}/take")
    joined.until(lambda: joined.controller.view.venue.referee == ("take", "referee"))
    assert joined.controller.view.halt == "called"  # another case is none of the call
    referee.post(f"/v1/cases/{call['id']}/resolve")
    joined.until(lambda: joined.controller.view.halt is None)
    assert joined.controller.view.venue.referee is None and not clock.paused
    joined.sent()
    call = next(case for case in cases(referee) if case["kind"] == "call")
    assert call["state"] == "resolved" and call["ruling"]["state"] == "record" and call["ruling"]["by"] == "referee"
    assert [line.event["verdict"] for line in stored(database, "ruling")] == ["waive"]


def test_what_was_not_sent_goes_when_the_venue_is_back(app, code, bench, database, serve_venue):
    table = bench()
    pairing, _ = pair(app.state.url, code(), "Pi")
    gone = Pairing("http://127.0.0.1:9", pairing.device, pairing.token, pairing.table)
    table.link.join(gone)
    offence(table)
    table.until(lambda: table.controller.view.venue.state == "offline" and table.controller.view.venue.unsent >= 5)
    assert table.controller.view.venue.contact is None
    table.close()
    again = bench()
    again.link.join(pairing)
    again.link.told(standing(again.controller.desk))
    again.sent()
    lines = [entry.line for entry in stored(database) if entry.line and entry.kind != "alert"]
    assert lines == list(range(1, len(lines) + 1)) and len(lines) == 5
    assert [entry.seq for entry in stored(database)] == list(range(1, len(stored(database)) + 1))
    assert len(stored(database, "alert")) == 1  # raised again after the restart, said once


def test_a_directive_is_carried_out_once_whatever_dies(app, joined, bench, code, enter, database, tmp_path):
    offence(joined)
    joined.sent()
    referee = enter("referee")
    (case,) = cases(referee)
    referee.post(f"/v1/cases/{case['id']}/ruling", {"verdict": "waive"})
    directive = joined.inputs.get(timeout=20)
    while not isinstance(directive, Directed):
        directive = joined.inputs.get(timeout=20)
    joined.link.stop()
    joined.take(directive)  # the line is on disk, and the power goes before anybody was told
    assert [each.id for each in joined.log.unsettled()] == [directive.id]
    joined.close()
    again = bench()
    again.link.join(joined.link.pairing)
    again.until(lambda: not again.log.unsettled())
    again.sent()
    assert len(stored(database, "ruling")) == 1
    assert sum(event.do == "ruling" for event in again.controller.desk.match.events) == 1


def test_a_directive_that_makes_no_sense_here_is_refused_with_the_reason(
    app, joined, enter, database, clock, monkeypatch
):
    joined.tap("start")
    with database.writing() as connection:
        devices.direct(connection, "7", "ruling", {"match": "m-other", "alert": "4.1", "verdict": "waive",
                                                   "by": "table", "who": "x"}, clock(), None)  # fmt: skip
        monkeypatch.setattr(devices, "check_directive", lambda *_: None)  # a venue of tomorrow
        devices.direct(connection, "7", "dance", {}, clock(), None)
    enter("desk").post("/v1/tables/7/message", {"text": "还有五分钟"})

    def answers():
        joined.sent()
        with database.reading() as connection:
            said = [entry for entry in log.after(connection, 0) if entry.kind == "directive_answered"]
        return {entry.event["id"]: entry.event for entry in said} if len(said) == 3 else None

    refused, strange, done = (each for _, each in sorted(joined.until(answers).items()))
    assert refused["state"] == "refused" and "m-other" in refused["why"] and done["state"] == "done"
    assert strange["state"] == "refused" and strange["why"] == "本桌读不懂赛场的指令 dance：两边程序的版本不同"
    assert joined.controller.view.venue.message == "还有五分钟"


def test_a_seated_match_carries_the_venues_name_even_after_a_restart(app, joined, bench, database, clock):
    record = {"do": "match", "ruleset": "national", "profile": "championship", "names": {"N": "赵", "E": "钱"}}
    with database.writing() as connection:
        devices.direct(connection, "7", "seat", {"match": "m-204", "record": record}, clock(), None)
    joined.until(lambda: joined.controller.view.venue.seated)
    assert joined.controller.view.venue.seated == (("N", "赵"), ("E", "钱"))
    with database.writing() as connection:
        devices.direct(connection, "7", "start", {"match": "m-204"}, clock(), None)
    joined.until(lambda: joined.controller.desk.match.phase != "before")
    joined.sent()
    (line,) = stored(database, "match")
    assert (line.match, line.line, line.event["names"]["N"]) == ("m-204", 1, "赵")
    joined.close()
    again = bench()
    again.link.join(joined.link.pairing)
    again.press("N", "call")
    again.sent()
    (call,) = stored(database, "call")
    assert (call.match, call.line) == ("m-204", 2)


def test_the_venue_hears_who_sits_at_the_table(app, joined, enter, database, clock):
    table, desk = joined, enter("desk")

    def told():
        table.sent()
        items = desk.get("/v1/snapshot").json()["items"]
        return next(item["table"]["check_in"] for item in items if "table" in item)

    table.tap("start")  # nobody was seated by the venue: whoever begins is there
    assert told() | {"at": 0} == {"match": None, "profile": "championship", "sides": ["NS", "EW"], "at": 0}
    record = {"do": "match", "ruleset": "tongsu", "profile": "championship", "names": {"N": "丁一", "S": "丁三"}}

    def seat(match):
        with database.writing() as connection:
            made = devices.direct(connection, "7", "seat", {"match": match, "record": record}, clock(), None).position
        app.state.venue.told["7"].ring()
        table.until(lambda: table.controller.desk.seating.get("match") == match)
        return made

    table.take(Directed(table.t, "forfeit", {"side": "EW", "why": "开场认输"}))
    seat("c-1-1-7")
    for side in ("NS", "EW"):
        table.tap("confirm", side)
    table.tap("next_match")
    table.tap("check_in", "EW")
    assert told()["match"] == "c-1-1-7" and told()["sides"] == ["EW"]
    table.tap("check_in", "NS")
    assert told()["sides"] == ["NS", "EW"]
    table.tap("check_in", "EW")  # a slip of the finger
    assert told()["sides"] == ["NS"]
    seat("c-1-2-7")  # others sit down here after all
    assert not table.controller.view.checked_in
    table.tap("check_in", "EW")
    assert told()["match"] == "c-1-2-7" and told()["sides"] == ["EW"]


def test_a_new_machine_goes_on_with_the_match_of_the_dead_one(app, code, bench, database, enter):
    old = bench("old")
    pairing, _ = pair(app.state.url, code(), "old")
    old.link.join(pairing)
    offence(old)
    old.sent()
    old.link.stop()
    old.press("E", "call")  # never sent before it died
    new = bench("new")
    second, continued = pair(app.state.url, code(), "new")
    lines = take_over(new.journal, continued, time.time())
    assert lines == 5
    new.ledger.epoch = 1
    new.controller.resume(events_of(new.journal.entries(1)), new.t)
    new.link.join(second, (continued.match, lines))
    new.press("S", "call")
    new.sent()
    assert [(e.match, e.line) for e in stored(database, "call")] == [(continued.match, 6)]
    late = Link(old.log, old.journal, old.inputs.put, lambda: old.t)
    old.link = late
    late.join(pairing)
    late_sent = late.flush(20)
    assert late_sent and late.lease == "replaced"
    assert [entry.late for entry in stored(database, "call")] == [False, True]
    tile = next(i["table"] for i in enter("desk").get("/v1/snapshot").json()["items"] if "table" in i)
    assert tile["late"] >= 1 and tile["missing"] == 0


def test_a_demos_console_hears_what_stays_among_friends(app, code, bench, enter):
    for demo, place in ((False, "1"), (True, "2")):
        table = bench(place, profile="friendly", ruleset="national", demo=demo)
        table.link.join(pair(app.state.url, code(place), "demo")[0])
        offence(table)
        table.sent()
    assert [(case["place"], case["kind"]) for case in cases(enter("chief"))] == [("2", "does_not_beat")]


def test_a_used_code_pairs_nothing_and_says_so(app, code):
    word = code()
    pair(app.state.url, word, "one")
    with pytest.raises(NotPaired) as refused:
        pair(app.state.url, word, "two")
    assert refused.value.code == "bad_code"
    with pytest.raises(NotPaired) as silent:
        pair("http://127.0.0.1:9", word, "three")
    assert silent.value.code == ""


def test_the_token_is_kept_where_only_this_user_reads_it(tmp_path):
    path = tmp_path / "table.venue"
    path.write_text("{}")
    path.chmod(0o644)
    kept = Pairing("http://venue:8080", "d-1", "secret", "7")
    save(kept, path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600 and load(path) == kept
    assert "secret" not in repr(kept)
    path.write_text("nonsense")
    assert load(path) is None


def test_a_forgotten_journal_begins_a_new_log_and_another_match_name(app, code, bench, tmp_path, database):
    table = bench()
    table.link.join(pair(app.state.url, code(), "x")[0])
    table.tap("start")
    table.sent()
    epoch, name = table.log.epoch, match_name(table.journal.after(0, 0, 1)[0])
    table.close()
    for file in (tmp_path / "one").glob("table.journal*"):
        file.unlink()
    again = bench()
    again.link.join(table.link.pairing)
    again.tap("start")
    again.sent()
    assert again.log.epoch != epoch and match_name(again.journal.after(0, 0, 1)[0]) != name
    assert len({entry.match for entry in stored(database, "match")}) == 2


def test_directives_of_the_table_itself_are_no_venues_business(bench):
    table = bench()
    table.tap("start")
    table.take(Directed(table.t, "pause", {"why": "break"}))
    assert table.controller.view.halt == "paused" and table.link.pairing is None


def test_what_the_table_does_not_say_aloud_raises_no_case(joined, enter, database):
    """An unlawful play that was not read surely: the record holds it, the fold finds it, and nobody is accused."""
    joined.tap("start")
    joined.tap("seat", "N")
    joined.lay("N", "S9")
    joined.press("W", "pass")
    joined.t += 2
    three = SeenCard(*[parse_cards("S3")[0]], 0.6, False, tuple((c, 0.5) for c in parse_cards("S3 S2")), ((0, 0),), 0.0)
    joined.take(Seen(Laid(joined.t + 0.3, "S", (three,), joined.t - 1, 3, True, joined.t)))
    joined.sent()
    (play,) = [entry for entry in stored(database, "play") if entry.event["seat"] == "S"]
    assert play.event["sure"] is False and not cases(enter("chief"))
    joined.take(Directed(joined.t, "correct", {"event": play.line, "cards": ["S3"]}))
    joined.sent()
    assert [case["kind"] for case in cases(enter("chief"))] == [alert.kind for alert in joined.alerts]


CLIP = bytes(range(251)) * 2500  # more than two pieces


def keep_a_clip(table, alert, content=CLIP):
    """What the evidence recorder does once a clip is whole."""
    line = int(alert.partition(".")[0])
    about = lambda name: Kept(name, "clip", alert, line, 1, None, 1.0, 9e9, seat="S")  # noqa: E731
    table.pictures.stored(alert, [table.pictures.shelf.add(content, "webp", about)])


def test_a_clip_follows_its_alert_and_reaches_the_console_whole(joined, enter):
    offence(joined)
    keep_a_clip(joined, joined.alerts[0].id)
    joined.sent()
    referee = enter("referee")
    (case,) = cases(referee)
    (picture,) = case["pictures"]
    assert (picture["kind"], picture["state"], picture["seat"]) == ("clip", "here", "S")
    shown = referee.get(f"/v1/evidence/{picture['sha256']}")
    assert shown.content == CLIP and shown.headers["content-type"] == "image/webp"


def test_a_clip_that_was_cut_off_goes_on_after_the_restart(app, code, joined, bench, enter, database):
    offence(joined)
    joined.sent()
    joined.link.stop()
    keep_a_clip(joined, joined.alerts[0].id)
    joined.close()
    again = bench()
    again.link.join(joined.link.pairing)
    again.sent()
    again.until(lambda: [each["state"] for case in cases(enter("chief")) for each in case["pictures"]] == ["here"])
    again.close()
    third = bench()
    third.link.join(joined.link.pairing)
    third.sent()
    assert len(stored(database, "evidence")) == 1
    third.close()
    anew = bench()  # paired again: the venue's new device of this table announces and sends them again
    anew.link.join(pair(app.state.url, code(), "Pi")[0])
    anew.link.told(standing(anew.controller.desk))
    anew.sent()
    assert len(stored(database, "evidence")) == 2 and anew.log.get("sent 1 " + hashlib.sha256(CLIP).hexdigest())


def test_a_venue_restored_from_a_backup_gets_everything_again_and_is_heard(
    joined, bench, database, enter, tmp_path, serve_venue, clock
):
    if database.kind != "sqlite":
        pytest.skip("copied with pg_dump")
    joined.tap("start")
    joined.sent()
    database.backup(tmp_path / "copy.db")
    desk = enter("desk")
    for text in ("一", "二", "三"):
        desk.post("/v1/tables/7/message", {"text": text})
    joined.until(lambda: joined.controller.view.venue.message == "三")
    joined.press("N", "call")
    joined.sent()
    joined.close()
    restored = serve_venue(Database(str(tmp_path / "copy.db")), clock)
    again = bench()
    with restored.venue.database.writing() as connection:  # before the line is held: this rings nobody's bell
        told = devices.direct(connection, "7", "message", {"text": "新"}, clock(), None)
    assert told.position <= int(again.log.get("cursor"))  # an id that meant something else before
    again.link.join(Pairing(restored.url, *_rest(joined.link.pairing)))
    again.until(lambda: again.controller.view.venue.message == "新")
    again.sent()
    assert [entry.seq for entry in stored(restored.venue.database)] == list(range(1, again.log.last + 1))


def _rest(pairing):
    return pairing.device, pairing.token, pairing.table


def test_a_rounds_minutes_are_the_tables_and_are_written_down_there(app, joined, enter, database):
    table, desk = joined, enter("desk")
    path = new(desk, {"format": "swiss", "options": {"rounds": 3, "ruleset": "tongsu"}})
    enter_list(desk, path, "a,b\nc,d")
    desk.post(f"{path}/draw", {"seed": "s"})
    desk.post(f"{path}/seat")
    table.until(lambda: table.controller.view.venue.seated)
    desk.post(f"{path}/clock", {"action": "start", "minutes": 50})
    table.until(lambda: table.controller.desk.match.phase != "before")
    clock = table.controller.desk.match.clock
    assert clock.match_left == 3000
    desk.post(f"{path}/clock", {"action": "extra", "minutes": 5})
    table.until(lambda: clock.match_left > 3000)
    assert clock.match_left == pytest.approx(3300, abs=60) and table.controller.view.banner.key == "extra"
    table.sent()
    (line,) = stored(database, "extra")
    (entry,) = [each for each in table.journal.entries(table.journal.epochs()[-1]) if each.kind == "extra"]
    assert line.event["seconds"] == 300 and entry.evidence["directive"] > 0
    assert [each.event["state"] for each in answers(database)] == ["done"] * 3
    desk.post(f"{path}/clock", {"action": "stop"})
    table.until(lambda: table.controller.view.halt == "paused")
    desk.post(f"{path}/clock", {"action": "resume"})
    table.until(lambda: table.controller.view.halt is None)


def answers(database):
    with database.reading() as connection:
        return [entry for entry in log.after(connection, 0) if entry.kind == "directive_answered"]
