// Calls on a locked phone: offered on the duty page where the chief has turned it on, never instead of that page.
import { attempt, get, h, post, say, toast } from "./core.js";

const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
const same = (one, other) => Boolean(one && other) && text(one) === text(other);

/** Why this browser cannot be told at all, as a key of the words; "" where it can. */
function obstacle() {
  if (!isSecureContext) return "insecure";
  const apple = /iPhone|iPad/.test(navigator.userAgent) || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);
  if (apple && !navigator.standalone) return "iphone";
  if (!("serviceWorker" in navigator) || !("PushManager" in window)) return "no_worker";
  return Notification.permission === "denied" ? "denied" : "";
}

async function worker() {
  const registration = await navigator.serviceWorker.register("/worker.js", { scope: "/duty" });
  for (const coming of [registration.installing ?? registration.waiting].filter(Boolean)) {
    await new Promise((done) => (coming.state === "activated" ? done() : coming.addEventListener("statechange", () => ["activated", "redundant"].includes(coming.state) && done())));
  }
  return registration;
}

/** Tell the venue where this phone is reached, in the name of who is in now. */
const register = (found) => post("/v1/push/phone", { endpoint: found.endpoint, public: text(found.getKey("p256dh")), auth: text(found.getKey("auth")) });

/** The panel; empty while the chief has not turned it on. A touch on a notification asks `open` for its table. */
export function pushPanel(open) {
  const panel = h("section", { class: "push", hidden: true });
  let key = null, found = null;

  async function start() {
    if (await Notification.requestPermission() !== "granted") { draw(); return; }
    const registration = await worker();
    const old = await registration.pushManager.getSubscription();
    if (old && !same(old.options.applicationServerKey, key)) await old.unsubscribe(); // another venue's, or an older one
    try {
      found = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    } catch (error) {
      toast(say("push.no_service", { why: error.name }));
      return;
    }
    await register(found).catch(async (error) => { await found.unsubscribe(); found = null; throw error; });
    draw();
  }
  async function stop() {
    const endpoint = found.endpoint;
    await found.unsubscribe();
    found = null;
    await post("/v1/push/leave", { endpoint });
    draw();
  }
  async function tryIt() {
    const answer = await post("/v1/push/test", { endpoint: found.endpoint });
    toast(answer.taken ? say("push.tried") : say("push.not_tried", { why: say(`why.${answer.why}`) }));
  }
  function act(label, kind, work) {
    const button = h("button", { class: kind }, label);
    button.addEventListener("click", () => attempt(button, work));
    return button;
  }

  function draw() {
    panel.hidden = !key;
    const why = obstacle();
    panel.replaceChildren(h("h2", {}, say("push.here_title")),
      h("p", {}, why ? say(`push.${why}`) : say(found ? "push.here_on" : "push.here_text")),
      why ? "" : h("div", { class: "row wrap" }, found
        ? [act(say("push.try"), "slim", tryIt), act(say("push.stop"), "slim plain", stop)]
        : act(say("push.start"), "slim", start)));
  }

  (async () => {
    const told = await get("/v1/push").catch(() => null);
    if (!told?.on) return;
    key = bytes(told.key);
    if (!obstacle()) {
      const registration = await navigator.serviceWorker.getRegistration("/duty");
      const kept = await registration?.pushManager.getSubscription();
      // allowed on this phone before: told again in the name of who is in now
      if (kept && same(kept.options.applicationServerKey, key)) found = await register(kept).then(() => kept, () => null);
    }
    draw();
  })();
  navigator.serviceWorker?.addEventListener("message", (event) => event.data.table && open(event.data.table));
  return panel;
}
