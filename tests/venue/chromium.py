"""Debian's Chromium for tests: the DevTools protocol over a pair of pipes, no port, no driver, no library.

``with Chromium() as browser: page = browser.page(390, 844)``; a page opens addresses, finds elements by what a person
sees, presses, types, waits for what should come, and takes pictures. Everything waits for a condition, never for time.
"""

import base64
import contextlib
import itertools
import json
import os
import queue
import shutil
import subprocess
import tempfile
import threading
import time
from pathlib import Path

BINARY = next((found for name in ("chromium", "chromium-browser") if (found := shutil.which(name))), None)
PATIENCE = 60.0
"""Seconds after which something that should have come is missing: long, for machines that are slow and busy."""
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
    "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
    "--disable-backgrounding-occluded-windows", "--disable-dev-shm-usage", "--mute-audio",
    "--force-color-profile=srgb", "--remote-debugging-pipe",
)  # fmt: skip

# Finds elements as a person does: by role and words. Hidden ones do not count.
_FIND = """
(kind, words, within) => {
  const seen = (each) => each.checkVisibility({ checkVisibilityCSS: true });
  const labels = (each) => [...(each.labels ?? [])].map((label) => label.innerText).join(" ");
  const shown = (each) => `${labels(each)} ${each.placeholder ?? ""} ${each.innerText ?? ""}`;
  const name = (each) => (each.getAttribute("aria-label") ?? shown(each)).replace(/\\s+/g, " ").trim();
  const found = [...(within ?? document).querySelectorAll(kind)].filter(seen);
  const exact = found.find((each) => name(each) === words);
  return exact ?? found.find((each) => name(each).includes(words)) ?? null;
}
"""


class Chromium:
    """One browser process with an empty profile; each :meth:`page` is a window of its own with cookies of its own."""

    def __enter__(self):
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_read, self._write = os.pipe()
        self._read, to_write = os.pipe()

        def pipes():  # the browser reads from 3 and writes to 4; first out of the way of each other
            read, write = os.dup(to_read), os.dup(to_write)
            os.dup2(read, 3)
            os.dup2(write, 4)

        command = [BINARY, *FLAGS, f"--user-data-dir={self._profile.name}", "about:blank"]
        self._process = subprocess.Popen(
            command, preexec_fn=pipes, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(to_read)
        os.close(to_write)
        self._numbers, self._answers, self._lock = itertools.count(1), {}, threading.Lock()
        self.errors = []
        """What pages' scripts threw and did not catch."""
        self.workers = {}
        """By scope: the registrations of service workers, as windows that asked for them heard."""
        threading.Thread(target=self._listen, daemon=True).start()
        self._contexts = []
        self.call("Browser.getVersion")
        return self

    def close_pages(self):
        """Shut every window that was opened."""
        while self._contexts:
            self.call("Target.disposeBrowserContext", browserContextId=self._contexts.pop())

    def __exit__(self, *_):
        with contextlib.suppress(Exception):
            self.call("Browser.close")
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._write)
        self._profile.cleanup()

    def _listen(self):
        held = b""
        with open(self._read, "rb", buffering=0) as answers:  # noqa: PTH123
            while part := answers.read(1 << 16):
                *whole, held = (held + part).split(b"\0")
                for message in map(json.loads, whole):
                    if "id" in message:
                        self._answers[message["id"]].put(message)
                    elif message["method"] == "Runtime.exceptionThrown":
                        details = message["params"]["exceptionDetails"]
                        self.errors.append(details.get("exception", {}).get("description") or details["text"])
                    elif message["method"] == "ServiceWorker.workerRegistrationUpdated":
                        self.workers |= {each["scopeURL"]: each for each in message["params"]["registrations"]}
        for waiting in list(self._answers.values()):
            waiting.put({"error": {"message": "the browser is gone"}})

    def call(self, method, session=None, **parameters):
        """One command of the protocol and its answer."""
        with self._lock:
            number = next(self._numbers)
            self._answers[number] = queue.Queue()
            message = {"id": number, "method": method, "params": parameters} | (
                {"sessionId": session} if session else {}
            )
            os.write(self._write, json.dumps(message).encode() + b"\0")
        answer = self._answers[number].get(timeout=PATIENCE)
        del self._answers[number]
        if "error" in answer:
            raise AssertionError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def page(self, width, height, *, scale=1, touch=False, lang="zh-CN"):
        """A window of *width* x *height* CSS pixels with an empty cookie jar."""
        context = self.call("Target.createBrowserContext")["browserContextId"]
        self._contexts.append(context)
        target = self.call("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        return Page(self, session, width, height, scale, touch, lang, context)


class Page:
    """A window: what a person does in it."""

    def __init__(self, browser, session, width, height, scale, touch, lang, context):
        self._browser, self._session, self._context = browser, session, context
        for domain in ("Page", "Runtime", "Network", "Accessibility"):
            self.call(f"{domain}.enable")
        self.call("Network.setExtraHTTPHeaders", headers={"Accept-Language": lang})
        self.size(width, height, scale, touch)

    def call(self, method, **parameters):
        return self._browser.call(method, self._session, **parameters)

    def size(self, width, height, scale=1, touch=False):
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=touch
        )

    def run(self, script):
        """The value of a JavaScript expression; promises are waited for."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise AssertionError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def until(self, script, what=""):
        """Wait until *script* gives something true, and give it."""
        end = time.monotonic() + PATIENCE
        while True:
            with contextlib.suppress(AssertionError):  # the page may be on its way to another
                if (value := self.run(script)) not in (None, False, 0, "", []):
                    return value
            if time.monotonic() > end:
                shown = self.run("document.body ? document.body.innerText.slice(0, 1500) : ''")
                raise AssertionError(f"never came: {what or script}\nthe page shows:\n{shown}\n{self._browser.errors}")
            time.sleep(0.03)

    def open(self, url):
        self.call("Page.navigate", url=url)
        self.until(f"location.href.startsWith({json.dumps(url.split('#')[0])}) && document.readyState === 'complete'")

    def see(self, words):
        """Wait until *words* stand on the page."""
        self.until(f"document.body.innerText.replace(/\\s+/g, ' ').includes({json.dumps(words)})", words)

    def _find(self, kind, words):
        return f"({_FIND})({json.dumps(kind)}, {json.dumps(words)})"

    def press(self, words, kind="button, a, summary, [role=checkbox]"):
        """Press what is called *words*, once it is there and alive."""
        found = self._find(kind, words)
        self.until(
            f"(() => {{ const it = {found}; if (!it || it.disabled) return false; it.click(); return true; }})()", words
        )

    def fill(self, label, value, kind="input, textarea, select"):
        """Write *value* into the field called *label*, as typing would."""
        script = (
            f"(() => {{ const it = {self._find(kind, label)}; if (!it) return false; it.focus();"
            f" it.value = {json.dumps(value)}; it.dispatchEvent(new Event('input', {{ bubbles: true }}));"
            " it.dispatchEvent(new Event('change', { bubbles: true })); it.blur(); return true; })()"
        )
        self.until(script, label)

    def cut(self, offline=True):
        """Cut the line, or join it again."""
        self.call(
            "Network.emulateNetworkConditions", offline=offline, latency=0, downloadThroughput=-1, uploadThroughput=-1
        )

    def allow(self, permission):
        """Say yes to what the page will ask for."""
        origin = self.run("location.origin")
        self._browser.call(
            "Browser.grantPermissions", permissions=[permission], origin=origin, browserContextId=self._context
        )

    def pushed(self, scope, message):
        """Wake the service worker of *scope* with *message*, as a push service would."""
        self.call("ServiceWorker.enable")
        end = time.monotonic() + PATIENCE
        while scope not in self._browser.workers and time.monotonic() < end:
            time.sleep(0.03)
        found = self._browser.workers[scope]["registrationId"]
        origin = self.run("location.origin")
        self.call("ServiceWorker.deliverPushMessage", origin=origin, registrationId=found, data=message)

    def in_worker(self, scope, script):
        """The value of *script* in the service worker of *scope*, woken where it sleeps."""
        call, end = self._browser.call, time.monotonic() + PATIENCE
        while True:
            targets = call("Target.getTargets", filter=[{"type": "service_worker"}])["targetInfos"]
            target = next((each for each in targets if each["browserContextId"] == self._context), None)
            if target is not None or time.monotonic() > end:
                break
            self.call("ServiceWorker.startWorker", scopeURL=scope)
            time.sleep(0.03)
        assert target is not None, "no service worker"
        session = call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        answer = call("Runtime.evaluate", session, expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def picture(self, path, *, whole=False):
        """A PNG of what stands in the window, or of the whole page."""
        frame = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
        self.run(f"document.fonts.ready.then(() => {frame})")
        shot = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        Path(path).write_bytes(base64.b64decode(shot["data"]))
