"""Web push in Debian's Chromium: from the chief's switch to the notification on a referee's phone."""

import json

import pytest

from tests.patience import until
from tests.venue.accessible import faults
from tests.venue.chromium import BINARY, Chromium
from tests.venue.pushes import PushService
from tests.venue.test_browser import PHONE, SAY, TABLET, Hall
from venue.web import telling

pytestmark = pytest.mark.skipif(BINARY is None, reason="no Chromium on this machine (Debian's package chromium)")
# The browser's maker has a push service that no test reaches: only what that one answers is ours.
_SUBSCRIBES = """
((given) => {
  const plain = (text) => atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  const bytes = (text) => Uint8Array.from(plain(text), (letter) => letter.charCodeAt(0)).buffer;
  let kept = null;
  PushManager.prototype.getSubscription = async () => kept;
  PushManager.prototype.subscribe = async function (options) {
    const allowed = options.userVisibleOnly && Notification.permission === "granted";
    if (!allowed) throw new DOMException("", "NotAllowedError");
    return kept = {
      endpoint: given.endpoint, options: { applicationServerKey: options.applicationServerKey.buffer },
      getKey: (name) => bytes({ p256dh: given.public, auth: given.auth }[name]),
      unsubscribe: async () => { kept = null; return true; },
    };
  };
})
"""


@pytest.fixture(scope="module")
def browser():
    with Chromium() as made:
        yield made


@pytest.fixture
def hall(browser, tmp_path, monkeypatch):
    monkeypatch.setattr(telling, "ASK_EVERY", 0.1)
    made = Hall(tmp_path, browser)
    browser.errors.clear()
    yield made
    browser.close_pages()
    made.running.stop()
    assert not browser.errors


def test_a_call_shows_on_a_locked_phone(hall, tmp_path, monkeypatch):
    service = PushService(tmp_path / "push")
    service.join(monkeypatch)
    table, office = hall.table("7"), hall.window("chief", TABLET)
    phone = hall.window("referee", PHONE, touch=True)
    phone.see(SAY["duty"]["start_text"])
    assert SAY["push"]["here_title"] not in phone.run("document.body.innerText")  # off: nobody hears of it
    office.open(f"{hall.url}/office")
    office.press(SAY["push"]["title"], "summary")
    assert not faults(office)
    office.fill(SAY["push"]["contact"], "chief@club.example", "details input")
    office.press(SAY["push"]["on"], "details button")
    office.see(SAY["push"]["is_on"].format(n=0))
    phone.open(f"{hall.url}/duty")
    phone.see(SAY["push"]["here_text"])
    assert not faults(phone)
    mine = service.phone("one")
    phone.allow("notifications")
    phone.run(f"({_SUBSCRIBES})({json.dumps(mine.subscription())})")
    phone.press(SAY["push"]["start"], "button")
    phone.see(SAY["push"]["here_on"])
    phone.press(SAY["push"]["try"], "button")
    until(mine.got)
    assert [told["kind"] for _, told in mine.got()] == ["test"]
    assert not faults(phone)
    for line in ({"do": "match", "ruleset": "national", "profile": "championship"}, {"do": "deal", "leader": "N"},
                 {"do": "call", "seat": "W"}):  # fmt: skip
        table.append(line)
    assert table.sync().status_code == 200
    until(lambda: len(mine.got()) == 2)
    message = mine.got()[1][1]
    assert message["kind"] == "call" and message["body"].startswith(SAY["kind"]["call"])
    phone.pushed(f"{hall.url}/duty", json.dumps(message))
    shown = phone.until(
        "navigator.serviceWorker.getRegistration('/duty').then((it) => it.getNotifications())"
        ".then((list) => list.map((each) => [each.title, each.body, each.tag, each.lang]))"
    )
    assert shown == [["7 号桌", message["body"], "table 7", "zh-CN"]]
    # a touch on it leads to the table, once duty has begun
    phone.press(SAY["duty"]["start"], "button.main")
    phone.press(SAY["duty"]["quiet"], "button")
    phone.in_worker(
        f"{hall.url}/duty",
        "self.registration.getNotifications().then(([one]) =>"
        " self.dispatchEvent(new NotificationEvent('notificationclick', { notification: one })))",
    )
    phone.see(SAY["table"]["health"])
    office.open(f"{hall.url}/office")
    office.press(SAY["push"]["title"], "summary")
    office.see(SAY["push"]["is_on"].format(n=1))
    until(lambda: not faults(office))  # while it is drawn a button may stand there before its word
    office.run("window.confirm = () => true")
    office.press(SAY["push"]["off"], "details button")
    office.until(f"document.querySelector('details[open] button').innerText === {json.dumps(SAY['push']['on'])}")
    service.stop()


@pytest.mark.parametrize("reason, script", [
    ("insecure", "Object.defineProperty(window, 'isSecureContext', { value: false })"),
    ("no_worker", "delete window.PushManager"),
    ("iphone", "Object.defineProperty(navigator, 'userAgent', { value: 'Mozilla/5.0 (iPhone)' })"),
    ("denied", "Object.defineProperty(Notification, 'permission', { value: 'denied' })"),
])  # fmt: skip
def test_a_phone_that_cannot_be_told_is_told_why(hall, reason, script):
    chief = hall.window("chief", PHONE, touch=True)
    chief.see(SAY["duty"]["start_text"])
    chief.run(
        "fetch('/v1/push/on', { method: 'POST', body: JSON.stringify({ contact: 'a@b.example' }),"
        " headers: { 'x-guandan-csrf': document.querySelector('meta[name=csrf]').content } })"
    )
    chief.call("Page.addScriptToEvaluateOnNewDocument", source=script)
    chief.open(f"{hall.url}/duty")
    chief.see(SAY["push"][reason])
    assert not chief.run("document.querySelector('.push button')") and not faults(chief)
