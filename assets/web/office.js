// The office: tables and their devices, clocks and announcements, who may come in, and what was done.
import { attempt, byName, duration, get, Hall, h, languageLink, lightText, lineSign, person, post, say, smallIndex, toast } from "./core.js";

const hall = new Hall(render);
const [line, showLine] = lineSign(hall);

export function bar(title) {
  const link = (path, name) => h("a", { class: "button plain slim", href: path }, say(`pages.${name}`));
  return h("header", { class: "bar" }, h("h1", {}, title), line,
    h("nav", {}, link("/office", "office"), link("/fleet", "fleet"), link("/desk", "desk"), link("/board", "board"), person.role === "chief" ? link("/duty", "duty") : null), languageLink());
}
function act(label, kind, work) {
  const button = h("button", { class: kind }, label);
  button.addEventListener("click", () => attempt(button, () => work(button)));
  return button;
}
const field = (label, input) => h("label", {}, h("span", {}, say(label)), input);

// --- tables and devices
const names = h("input", { placeholder: "1-12" }), zone = h("input", { maxlength: 20 });
const list = h("tbody"), codeBox = h("div");
let devices = [];
const parts = (text) => text.replace(/(\d)\s*[-–—－~～至到]\s*(\d)/g, "$1-$2").split(/[,，、;；\s]+/).filter(Boolean); // ranges are written out, or refused, by the venue
async function code(place) {
  const told = await post(`/v1/places/${encodeURIComponent(place)}/code`);
  const until = Date.now() + told.seconds * 1000;
  const left = h("span");
  const tick = setInterval(() => {
    left.textContent = duration((until - Date.now()) / 1000);
    if (Date.now() > until || !left.isConnected) { clearInterval(tick); if (left.isConnected) codeBox.replaceChildren(); }
  }, 500);
  codeBox.replaceChildren(h("div", { class: "panel" }, h("p", {}, say("office.code_for", { place })), h("p", { class: "code" }, told.code.replace(/(....)/, "$1 ")),
    h("p", { class: "quiet" }, say("office.code_once"), " ", left),
    told.holder ? h("p", { class: "bad" }, say("office.code_replaces", { name: told.holder.name, unsent: told.holder.unsent ?? "?" })) : null));
  codeBox.scrollIntoView({ block: "nearest" });
}
const tablesPanel = h("section", { class: "panel wide" }, h("h2", {}, say("office.tables")),
  h("div", { class: "row wrap" }, h("div", { class: "grow" }, field("office.names", names)), h("div", { class: "grow" }, field("office.zone", zone)),
    act(say("office.add"), "main", async () => { await post("/v1/places", { names: parts(names.value), zone: zone.value }); names.value = ""; await refresh(); })),
  h("div", {}, codeBox), h("div", { class: "scroll" }, h("table", { class: "devices places" }, h("thead", {}, h("tr", {}, ["table", "zone", "device", "contact", "unsent", "index_px", "light", "temperature", "version", ""].map((name) => (name ? h("th", {}, say(`office.${name}`)) : h("td", {}))))), list)));

function rows() {
  const held = new Map(devices.filter((each) => each.lease === "held").map((each) => [each.place, each]));
  return [...hall.tables.values()].sort((one, other) => byName(one.place, other.place)).map((each) => {
    const device = held.get(each.place), seen = hall.presence.get(each.place), status = seen?.status ?? device?.status ?? {};
    return h("tr", {}, h("td", {}, h("b", {}, each.place)), h("td", {}, each.zone), h("td", {}, device?.name ?? "–", each.late ? h("span", { class: "bad" }, ` ${say("office.late", { n: each.late })}`) : null),
      h("td", { class: seen?.silent ? "bad" : "" }, seen?.age === null || !seen ? "–" : say("office.ago", { time: duration(seen.age) })),
      h("td", { class: status.unsent ? "bad" : "" }, status.unsent ?? "–"), h("td", { class: smallIndex(status.index_px) ? "bad" : "" }, status.index_px ? `${Math.round(status.index_px)} px` : "–"),
      h("td", { class: status.light && status.light !== "fine" ? "bad" : "" }, status.light ? lightText(status.light) : "–"), h("td", {}, status.temperature !== undefined ? `${Math.round(status.temperature)} °C` : "–"), h("td", {}, status.version ?? "–"),
      h("td", {}, h("div", { class: "row" }, act(say("office.pair"), "slim", () => code(each.place)),
        device || each.board ? null : act(say("office.rename"), "slim", async () => {
          const name = prompt(say("office.rename_to", { place: each.place }), each.place)?.trim();
          if (name && name !== each.place) await post(`/v1/places/${encodeURIComponent(each.place)}/rename`, { name });
        }),
        device || each.board ? null : act(say("office.remove"), "slim grave", async () => { if (confirm(say("office.remove_sure", { place: each.place }))) await post(`/v1/places/${encodeURIComponent(each.place)}/remove`); }),
        device ? act(say("table.blink"), "slim", async () => { await post(`/v1/tables/${encodeURIComponent(each.place)}/blink`); toast(say("table.blink_sent")); }) : null,
        device ? act(say("office.revoke"), "slim grave", async () => { if (confirm(say("office.revoke_sure", { place: each.place }))) { await post(`/v1/devices/${device.device}/revoke`); await refresh(); } }) : null)));
  });
}

// --- clock and announcements
const minutes = h("input", { type: "number", min: 1, max: 360, value: 60 }), clockZone = h("input", { maxlength: 20 }), title = h("input", { maxlength: 40 });
const clockState = h("p", { class: "code" });
const clock = (action, seconds = 0) => post("/v1/clock", { action, zone: clockZone.value, seconds, title: title.value });
const clockPanel = h("section", { class: "panel stack" }, h("h2", {}, say("office.clock")), clockState,
  h("div", { class: "row" }, h("div", { class: "grow" }, field("office.minutes", minutes)), h("div", { class: "grow" }, field("office.clock_title", title)), h("div", { class: "grow" }, field("office.zone", clockZone))),
  h("div", { class: "row wrap" }, act(say("office.start"), "main", () => clock("start", minutes.value * 60)), act(say("office.stop"), "", () => clock("stop")), act(say("office.resume"), "", () => clock("resume")),
    act("+1", "", () => clock("extra", 60)), act("+5", "", () => clock("extra", 300)), act(say("office.clear"), "grave", () => clock("clear"))));
const notice = h("input", { maxlength: 120, "aria-label": say("office.notice") });
const hideButton = act("", "", () => post("/v1/hide", { hidden: !hall.notice.hidden }));
const noticePanel = h("section", { class: "panel stack" }, h("h2", {}, say("office.notice")), notice,
  h("div", { class: "row wrap" }, act(say("office.show"), "main", () => post("/v1/notice", { text: notice.value })), act(say("office.clear"), "", () => post("/v1/notice", { text: "" })), hideButton));

// --- people
const role = h("select", {}, (person.role === "chief" ? ["referee", "chief", "desk", "announcer", "spectator"] : ["desk", "announcer", "spectator"]).map((name) => h("option", { value: name }, say(`role.${name}`))));
const who = h("input", { maxlength: 40 }), zones = h("input", { maxlength: 100 });
const invited = h("div"), peopleList = h("tbody");
const peoplePanel = h("section", { class: "panel stack" }, h("h2", {}, say("office.people")),
  h("div", { class: "row wrap" }, h("div", { class: "grow" }, field("office.role", role)), h("div", { class: "grow" }, field("enter.name", who)), h("div", { class: "grow" }, field("office.zones", zones))),
  act(say("office.invite"), "main", async () => {
    const told = await post("/v1/people", { role: role.value, name: who.value, zones: zones.value.split(/[,，、\s]+/).filter(Boolean) });
    invited.replaceChildren(h("p", {}, say(role.value === "spectator" ? "office.invited_many" : "office.invited", { hours: told.hours })),
      h("p", { class: role.value === "spectator" ? "code" : "code word" }, role.value === "spectator" ? told.code : told.root + told.path),
      h("img", { class: "scan", alt: say("office.scan"), src: `/v1/scan?text=${encodeURIComponent(told.root + told.path)}` }));
    await refresh();
  }), invited, h("table", {}, peopleList));

// --- audit and alarms
const alarms = h("div", { class: "stack" });
const alarmPanel = h("section", { class: "panel wide" }, h("h2", {}, say("office.alarms")), alarms);
const auditList = h("tbody");
// --- addresses outside that hear of calls: the chief's affair
const hookUrl = h("input", { type: "url", maxlength: 500, placeholder: "https://" }), hookLan = h("input", { type: "checkbox" });
const hookSecret = h("div"), hookList = h("div", { class: "stack" });
const hookPanel = person.role === "chief" ? h("section", { class: "panel wide" }, h("details", {}, h("summary", {}, say("hook.title")), h("div", { class: "stack" }, h("p", { class: "quiet" }, say("hook.text")),
  h("div", { class: "row wrap" }, h("div", { class: "grow" }, field("hook.url", hookUrl)), h("label", { class: "check" }, hookLan, h("span", {}, say("hook.lan"))),
    act(say("hook.add"), "main", async () => {
      const told = await post("/v1/hooks", { url: hookUrl.value, lan: hookLan.checked });
      hookUrl.value = "";
      hookSecret.replaceChildren(h("p", {}, say("hook.secret")), h("p", { class: "code word" }, told.secret));
      await hooks();
    })), hookSecret, hookList))) : null;
async function hooks() {
  const told = await get("/v1/hooks").catch(() => null);
  if (!told) return;
  hookList.replaceChildren(...told.hooks.map((each) => h("div", { class: "row wrap hook" }, h("span", { class: "grow" }, h("b", {}, each.address), h("br"),
    h("span", { class: each.failures ? "bad small" : "quiet small" }, each.failures ? say("hook.failing", { n: each.failures, why: say(`why.${each.last_error}`) }) : each.last_ok ? say("hook.fine", { time: duration(hall.now() - each.last_ok) }) : say("hook.never"))),
    act(say("hook.test"), "slim", async () => { const answer = await post(`/v1/hooks/${each.id}/test`); toast(answer.taken ? say("hook.taken") : say("hook.not_taken", { why: say(`why.${answer.why}`) })); }),
    act(say("hook.remove"), "slim grave", async () => { if (confirm(say("hook.remove_sure", { address: each.address }))) { await post(`/v1/hooks/${each.id}/remove`); hookSecret.replaceChildren(); await hooks(); } }))));
}
if (hookPanel) { hooks(); setInterval(hooks, 15_000); }

// --- web push to referees' locked phones: off until the chief turns it on
const contact = h("input", { type: "email", maxlength: 100, autocomplete: "email" }), pushLan = h("input", { type: "checkbox" });
const pushState = h("div", { class: "stack" });
let pushAsked = false;
const pushPanel = person.role === "chief" ? h("section", { class: "panel wide" }, h("details", {}, h("summary", {}, say("push.title")), h("div", { class: "stack" }, h("p", { class: "quiet" }, say("push.text")), pushState))) : null;
const pushOff = h("div", { class: "row wrap" }, h("div", { class: "grow" }, field("push.contact", contact)), h("label", { class: "check" }, pushLan, h("span", {}, say("push.lan"))),
  act(say("push.on"), "main", async () => { await post("/v1/push/on", { contact: contact.value.trim(), lan: pushLan.checked }); await pushes(); }));
const pushOn = h("p"), pushPhones = h("div", { class: "stack" });
const pushStop = act(say("push.off"), "grave", async () => { if (confirm(say("push.off_sure"))) { await post("/v1/push/off"); await pushes(); } });
async function pushes() {
  const told = await get("/v1/push").catch(() => null);
  if (!told) return;
  if (!pushAsked) { pushAsked = true; contact.value = told.contact; pushLan.checked = told.lan; }
  const shown = told.on ? [pushOn, pushPhones, h("div", {}, pushStop)] : [pushOff];
  if (pushState.firstChild !== shown[0]) pushState.replaceChildren(...shown); // what is being typed stays
  pushOn.textContent = say("push.is_on", { n: told.phones.length });
  pushPhones.replaceChildren(...told.phones.map((each) => h("div", { class: "hook" }, h("b", {}, each.name || "–"), " ", h("span", { class: "quiet small" }, each.service), h("br"),
    h("span", { class: each.failures ? "bad small" : "quiet small" }, each.failures ? say("push.phone_failing", { n: each.failures, why: say(`why.${each.last_error}`) }) : each.last_ok ? say("push.phone_fine", { time: duration(hall.now() - each.last_ok) }) : say("push.phone_never")))));
}
if (pushPanel) { pushes(); setInterval(pushes, 15_000); }

const auditPanel = person.role === "chief" ? h("section", { class: "panel wide" }, h("h2", {}, say("office.audit")), h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": say("office.audit") }, h("table", { class: "devices" }, auditList))) : null;

document.body.append(bar(say("pages.office")), h("main", {}, tablesPanel, clockPanel, h("div", { class: "stack" }, noticePanel, peoplePanel), alarmPanel, hookPanel ?? "", pushPanel ?? "", auditPanel ?? ""));

/** What was done, in words; a door that stayed shut is named as it was tried. */
function done(action) {
  const key = action.replace(/^POST \/v1\//, ""), words = say(`audit.${key}`);
  return words === key ? say("audit.tried", { what: action }) : words;
}
/** What it was done to: people and events by name. */
const about = (detail, people, events) => detail.split(" ").filter(Boolean).map((part) => {
  const [kind, value] = part.split(/=(.*)/s);
  if (kind === "place") return say("audit.place", { place: value });
  return { person: people, competition: events }[kind]?.find((each) => each.id === value)?.[kind === "person" ? "name" : "title"] || value;
}).join(" ");

async function refresh() {
  const asked = [get("/v1/devices"), get("/v1/people"), person.role === "chief" ? get("/v1/audit") : { audit: [] }, get("/v1/competitions")];
  const [told, people, audit, events] = await Promise.all(asked).catch(() => [{ devices }, { people: [] }, { audit: [] }, { competitions: [] }]);
  devices = told.devices;
  peopleList.replaceChildren(...people.people.map((each) => h("tr", {}, h("td", {}, each.name || "–"), h("td", {}, say(`role.${each.role}`)), h("td", {}, each.zones.join("、")),
    h("td", {}, person.role === "chief" && each.id !== person.id ? act(say("office.revoke"), "slim grave", async () => { await post(`/v1/people/${each.id}/revoke`); await refresh(); }) : ""))));
  auditList.replaceChildren(...audit.audit.slice(0, 60).map((each) => h("tr", { class: each.outcome >= 400 ? "bad" : "" }, h("td", {}, new Date(each.at * 1000).toLocaleTimeString("sv")), h("td", {}, each.name ?? each.address), h("td", {}, done(each.action)), h("td", {}, about(each.detail, people.people, events.competitions)), h("td", { class: "number" }, each.outcome < 400 ? "✓" : say("audit.refused", { code: each.outcome })))));
  render();
}

function render() {
  showLine();
  if (!list.contains(document.activeElement)) list.replaceChildren(...rows());
  const running = hall.clocks.get(clockZone.value.trim());
  clockState.textContent = !running || (running.ends === null && running.left === null) ? "–:––" : duration(running.ends !== null ? running.ends - hall.now() : running.left);
  hideButton.textContent = say(hall.notice.hidden ? "office.reveal" : "office.hide");
  const told = hall.notice.alarms ?? [];
  alarmPanel.hidden = !told.length;
  alarms.replaceChildren(...told.slice(-10).reverse().map((each) => h("p", { class: "bad" }, say(`alarm.${each.alarm}`, { place: each.place ?? "?", seq: each.seq ?? "?", device: each.device ?? "?" }))));
}
setInterval(render, 1000);
setInterval(refresh, 15_000);
refresh();
