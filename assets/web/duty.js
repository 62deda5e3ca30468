// The referee's console: who calls, for how long, who goes; then what happened, and the ruling.
import { awake, ring, startDuty } from "./alarm.js";
import { caseSheet, ruled } from "./case.js";
import { attempt, byName, duration, Hall, h, languageLink, lineSign, person, post, rankText, say } from "./core.js";
import { pushPanel } from "./push.js";
import { tableSheet } from "./tables.js";

const ESCALATE = 20;
let onDuty = false, tab = "calls", quieted = new Map();
const hall = new Hall(render);
const [line, showLine] = lineSign(hall);
const main = h("div");
const tabs = h("nav", { class: "tabs", role: "tablist" });
let sheet = null, opener = "", ringingAs = "";

document.body.append(
  h("header", { class: "top row" },
    h("div", { class: "grow" }, h("h1", {}, say("duty.title")),
      h("div", { class: "small quiet" }, [person.name, person.zones.length ? say("duty.zone", { zone: person.zones.join("、") }) : say("duty.all_zones")].filter(Boolean).join(" · "))),
    line),
  h("div", { class: "cut", role: "alert" }, say("duty.cut")),
  main, tabs);

export const mine = (each) => !person.zones.length || person.zones.includes(each.zone);
export const age = (each) => hall.now() - each.rang;
const escalated = (each) => each.state === "launched" && age(each) >= ESCALATE;
const forMe = (each) => mine(each) || escalated(each) || each.taken.some((taker) => taker.person === person.id);
const take = (each, button) => attempt(button, async () => {
  await post(`/v1/cases/${each.id}/take`);
  open(each.id);
});

function show(opened) {
  sheet = opened;
  sheet.element.tabIndex = -1;
  document.body.append(sheet.element);
  sheet.element.focus({ preventScroll: true });
  render();
}
function open(id) {
  close();
  opener = id;
  show(caseSheet(hall, id, close));
}
function openTable(place) {
  close();
  opener = place;
  show(tableSheet(hall, place, close, open));
}
function close() {
  if (!sheet) return;
  sheet.element.remove();
  sheet = null;
  render();
  toKey(opener);
}
/** Where a keyboard was: the `nth` button of the card or row named `key`, or that itself. */
function toKey(key, nth = 0) {
  const again = main.querySelector(`[data-key="${CSS.escape(key)}"]`);
  ([...again?.querySelectorAll("button") ?? []][nth] ?? again)?.focus({ preventScroll: true });
}

/** A table's code was scanned: its address ends in #table=7. */
function scanned() {
  const place = decodeURIComponent(location.hash.match(/^#table=(.+)$/)?.[1] ?? "");
  if (!onDuty || !place || !hall.tables.has(place)) return;
  history.replaceState(null, "", location.pathname);
  openTable(place);
}
addEventListener("hashchange", scanned);

const locked = pushPanel((place) => onDuty && hall.tables.has(place) && openTable(place));
const start = h("main", { class: "start" },
  h("h1", {}, say("duty.start_title")),
  h("p", { class: "quiet" }, say("duty.start_text")),
  h("button", { class: "main", onclick: async () => { await startDuty(); onDuty = true; render(); scanned(); } }, say("duty.start")),
  h("ul", {}, ["sound", "awake", "page"].map((key) => h("li", {}, say(`duty.hint_${key}`)))),
  locked, h("p", {}, languageLink()));

function caseCard(each) {
  const elsewhere = !mine(each);
  const facts = [
    each.zone && say("duty.zone", { zone: each.zone }),
    each.seat && say(`seat.${each.seat}`),
    each.joined ? say("duty.joined", { n: each.joined + 1 }) : null,
    each.taken.length ? say("duty.taken_by", { names: each.taken.map((taker) => taker.name || "?").join("、") }) : null,
    each.ruling ? `${ruled(each)} · ${say(`ruling.${each.ruling.state}`)}` : null,
    each.late ? say("duty.late") : null,
  ].filter(Boolean).join(" · ");
  const classes = ["case", each.state, escalated(each) && "escalated", elsewhere && !escalated(each) && "elsewhere"].filter(Boolean);
  const button = h("button", { class: "main" }, say("duty.take"));
  button.addEventListener("click", (event) => { event.stopPropagation(); take(each, button); });
  // a finger may touch the card anywhere; keys and screen readers have its name for a button, beside the other one
  return h("div", { class: classes.join(" "), "data-key": each.id, onclick: () => open(each.id) },
    h("div", { class: `place${each.place.length > 3 ? " long" : ""}` }, each.place),
    h("button", { class: `kind${each.certain ? "" : " suspected"}`, "aria-label": `${say("push.table", { table: each.place })} ${say(`kind.${each.kind}`)}` }, say(`kind.${each.kind}`)),
    h("div", { class: "age", "data-since": each.state === "resolved" ? null : each.rang }, each.state === "resolved" ? "" : duration(age(each))),
    h("div", { class: "facts" }, facts || say("duty.no_facts")),
    each.state === "launched" ? h("div", { class: "acts row" }, button) : null);
}

function lists() {
  const all = [...hall.cases.values()];
  const oldest = (one, other) => one.rang - other.rang;
  const sections = [
    ["launched", all.filter((each) => each.state === "launched" && forMe(each)).sort(oldest)],
    ["in_progress", all.filter((each) => each.state === "in_progress" && forMe(each)).sort(oldest)],
    ["deferred", all.filter((each) => each.state === "deferred" && forMe(each)).sort(oldest)],
    ["elsewhere", all.filter((each) => each.state !== "resolved" && !forMe(each)).sort(oldest)],
    ["resolved", all.filter((each) => each.state === "resolved").sort((one, other) => other.opened - one.opened).slice(0, 8)],
  ].filter(([, cases]) => cases.length);
  const open = all.some((each) => each.state !== "resolved" && forMe(each));
  return h("main", { class: "lists" },
    open ? null : h("section", { class: "calm" }, h("b", {}, say("duty.calm")), say(awake() ? "duty.calm_awake" : "duty.calm_text")),
    sections.map(([name, cases]) => h("section", {}, h("h2", {}, say(`duty.list_${name}`), h("span", {}, cases.length)), cases.map(caseCard))));
}

function tableList() {
  const places = [...hall.tables.values()].filter(mine).sort((one, other) => byName(one.place, other.place));
  return h("main", { class: "halls" }, places.map((each) => {
    const board = each.board, seen = hall.presence.get(each.place);
    const names = board?.names ?? {};
    return h("button", { "data-key": each.place, onclick: () => openTable(each.place) },
      h("span", { class: "place" }, each.place),
      h("span", {}, h("span", { class: "ns" }, [names.N, names.S].filter(Boolean).join(" / ") || say("side.NS")), h("br"),
        h("span", { class: "ew" }, [names.E, names.W].filter(Boolean).join(" / ") || say("side.EW"))),
      h("span", { class: "small" }, seen?.silent ? h("span", { class: "silent" }, say("duty.table_silent"), "  ") : null,
        board?.levels?.NS ? h("b", {}, h("span", { class: "ns" }, rankText(board.levels.NS)), " : ", h("span", { class: "ew" }, rankText(board.levels.EW))) : say("duty.no_match")));
  }), places.length ? null : h("p", { class: "calm" }, say("duty.no_tables")));
}

/** What rings: the oldest call for me that nobody has taken, unless I quieted this very ringing. */
function rings() {
  return [...hall.cases.values()].filter((each) => each.state === "launched" && forMe(each) && quieted.get(each.id) !== `${each.rang}/${escalated(each)}`)
    .sort((one, other) => one.rang - other.rang);
}

function ringPage(waiting) {
  const each = waiting[0];
  const go = h("button", {}, say("duty.take"));
  go.addEventListener("click", () => take(each, go));
  // who is at a case already is told on top of it, and not thrown out of what he writes
  return h("div", { class: `ring${sheet ? " banner" : ""}`, role: "alertdialog", tabindex: -1, "aria-label": say("duty.ringing") },
    h("div", { class: `place${each.place.length > 3 ? " long" : ""}` }, each.place),
    h("div", { class: `kind${each.certain ? "" : " suspected"}` }, say(`kind.${each.kind}`)),
    h("div", { class: "also" }, h("span", { "data-since": each.rang }, duration(age(each))),
      waiting.length > 1 ? ` · ${say("duty.more_waiting", { n: waiting.length - 1 })}` : ""),
    go,
    h("button", { class: "plain", onclick: () => { for (const other of waiting) quieted.set(other.id, `${other.rang}/${escalated(other)}`); render(); } }, say("duty.quiet")));
}

function render() {
  showLine();
  document.body.classList.toggle("silent", onDuty && hall.state === "silent");
  if (!onDuty) {
    if (!start.isConnected) main.replaceChildren(start); // once: who is on its buttons by keyboard stays there
    tabs.hidden = true;
    return;
  }
  tabs.hidden = false;
  const held = document.activeElement?.closest?.("[data-key]"), nth = held ? [...held.querySelectorAll("button")].indexOf(document.activeElement) : 0;
  main.replaceChildren(tab === "calls" ? lists() : tableList());
  if (held && !sheet) toKey(held.dataset.key, nth);
  const waiting = [...hall.cases.values()].filter((each) => each.state === "launched" && forMe(each)).length;
  tabs.replaceChildren(...["calls", "tables"].map((name) => h("button", { role: "tab", "aria-selected": String(tab === name),
    onclick: () => { tab = name; render(); } }, say(`duty.tab_${name}`), name === "calls" && waiting ? h("span", { class: "count" }, waiting) : null)));
  document.title = waiting ? `(${waiting}) ${say("pages.duty")}` : say("pages.duty");
  const ringingNow = rings();
  // the same ringing stays as it is: a hand on its way to a button must not find another one
  const now = JSON.stringify([Boolean(sheet), ...ringingNow.map((each) => [each.id, each.rang])]);
  if (now !== ringingAs || !ringingNow.length) {
    ringingAs = now;
    document.querySelector(".ring")?.remove();
    if (ringingNow.length) {
      const rung = ringPage(ringingNow);
      document.body.append(rung);
      if (!sheet) rung.focus({ preventScroll: true });
    }
  }
  ring(hall.state === "silent" ? "cut" : ringingNow.length ? "call" : "");
  sheet?.update();
}

setInterval(() => {
  for (const shown of document.querySelectorAll("[data-since]")) shown.textContent = duration(hall.now() - Number(shown.dataset.since));
  const late = [...hall.cases.values()].some((each) => each.state === "launched" && Math.abs(age(each) - ESCALATE) < 1.1);
  if (late) render();
}, 1000);
render();
