// The desk: an event from the list of names to the prize list. On top stands what is to be done next.
import { attempt, byName, duration, get, h, Hall, languageLink, lineSign, person, post, postSurely, say, toast } from "./core.js";
import { entriesPanel } from "./desk_entries.js";
import { gamesPanel } from "./desk_games.js";
import { newPanel } from "./desk_new.js";
import { bracketView, roundTitle, stageTitle, standingsView, titleOf } from "./results.js";

const hall = new Hall(followed);
const [line, showLine] = lineSign(hall);
let list = [], stamp = "", asked = false;

/** What all parts of the page share: the event that is open, and how to act on it. */
export const desk = {
  hall, event: null, round: null, editing: null, tab: "games",
  path() { return `/v1/competitions/${desk.event.id}`; },
  /** A button that does `work`, then shows what came of it. Refused things are told, not thrown. */
  act(label, kind, work, more = {}) {
    const button = h("button", { class: kind, type: "button", ...more }, label);
    button.addEventListener("click", () => attempt(button, async () => { if (await work(button) !== false) await refresh(); }));
    return button;
  },
  field(label, input, kind = "grow") { return h("label", { class: kind }, h("span", {}, say(label)), input); },
  show() { render(); },
  async open(id) {
    desk.tab = "games";
    const told = await get(`/v1/competitions/${id}`);
    Object.assign(desk, { event: told, round: null, editing: null });
    await refresh();
  },
  hallWithTables() { return hall.tables.size > 0; },
  /** The sides that checked in at the game's table for this very game; null where no table says so. */
  checkIn(game) {
    const told = game.place ? hall.tables.get(game.place)?.check_in : null;
    return told && told.match === game.match ? told.sides : null;
  },
};

const link = (path, name) => h("a", { class: "button plain slim", href: path }, say(`pages.${name}`));
const main = h("main");
document.body.append(h("header", { class: "bar" }, h("h1", {}, say("pages.desk")), line,
  h("nav", { "aria-label": say("desk.pages") }, link("/office", "office"), link("/fleet", "fleet"), link("/board", "board"), person.role === "chief" ? link("/duty", "duty") : null), languageLink()), main);
const create = newPanel(desk), entries = entriesPanel(desk), games = gamesPanel(desk);

// --- what to do next: a sentence and one main button for each state that an event can be in
const seed = h("input", { maxlength: 40, placeholder: say("desk.seed_hint"), "aria-label": say("desk.seed") });
const minutes = h("input", { type: "number", min: 1, max: 600, "aria-label": say("office.minutes") });
const zone = h("select", { class: "zone", "aria-label": say("office.zone") });
zone.addEventListener("change", () => { zone.blur(); render(); });
const order = h("input", { maxlength: 200 }), orderWhy = h("input", { maxlength: 200, value: say("desk.extra_deal") });
const print = (sheet, word, kind = "button plain") => h("a", { class: kind, href: `${desk.path()}/print/${sheet}`, target: "_blank", rel: "noopener" }, say("desk.print", { what: say(word) }));

/** Lines of the list that nobody has looked at, and who has not come, are asked about once; whoever stops looks at the list. */
const drawn = async (door) => {
  const told = await postSurely(`${desk.path()}/${door}`, { seed: seed.value });
  if (!told) desk.tab = "entries";
  else seed.value = "";
  return told;
};
const drawButton = (word) => desk.act(word, "main", async () => {
  const told = await drawn("draw");
  if (told) Object.assign(desk, { round: told.round, editing: null, tab: "games" });
});
const undraw = () => desk.act(say("desk.undraw"), "plain", async () => {
  if (!confirm(say("desk.undraw_sure"))) return false;
  desk.round = desk.editing = null;
  return post(`${desk.path()}/undraw`);
});
const seedField = () => h("div", { class: "seed" }, seed);

function missing(event) {
  const last = event.rounds.at(-1);
  return last ? last.games.filter((game) => game.other !== null && !game.result).length : 0;
}
/** Whether the clock of this zone may be started: what another event or the office has running there is asked about. */
function freeClock(event) {
  const other = [...hall.clocks.values()].find((clock) => (clock.ends ?? 0) > hall.now() && clock.zone === zone.value && clock.competition !== event.id);
  return !other || confirm(say("desk.clock_other", { title: [list.find((each) => each.id === other.competition)?.title, other.title].filter(Boolean).join(" ") || duration(other.ends - hall.now()) }));
}
function clockRow(event) {
  const newest = event.rounds.at(-1), round = `${event.id}/${newest.number}`;
  if (!minutes.value || minutes.dataset.round !== round) Object.assign(minutes, { value: event.round_minutes }).dataset.round = round;
  const zones = [...new Set([...hall.tables.values()].map((each) => each.zone).filter(Boolean))].sort();
  if (zone.childElementCount !== zones.length + 1) zone.replaceChildren(h("option", { value: "" }, say("desk.whole_hall")), ...zones.map((name) => h("option", { value: name }, say("duty.zone", { zone: name }))));
  const which = zones.length > 1 ? zone : null;
  const running = [...hall.clocks.values()].find((clock) => (clock.ends !== null || clock.left !== null) && clock.zone === zone.value && clock.competition === event.id && clock.round === newest.number);
  const toAll = (action) => desk.act(say(`office.${action}`), action === "start" ? "main" : "", () => (action !== "start" || freeClock(event) ? post(`${desk.path()}/clock`, { action, minutes: Number(minutes.value), zone: zone.value, title: roundTitle(event, newest) }) : false));
  if (!running) return [which, h("label", { class: "minutes" }, h("span", {}, say("office.minutes")), minutes), toAll("start")];
  const left = running.ends !== null ? running.ends - hall.now() : running.left;
  const more = (n, over = false) => desk.act(n > 0 ? `+${n}` : `−${-n}`, "", () => (!over || (confirm(say(`desk.time_over_${event.at_limit}`, { n: -n })) && confirm(say("desk.time_over_again"))) ? post(`${desk.path()}/clock`, { action: "extra", zone: running.zone, minutes: n, end: over }) : false),
    { "aria-label": say(n > 0 ? "desk.more_time" : "desk.less_time", { n: Math.abs(n) }) });
  return [which, h("span", { class: `time${left <= 300 ? " ending" : ""}`, "data-ends": running.ends, role: "timer" }, duration(left)), toAll(running.ends !== null ? "stop" : "resume"),
    more(5), more(-5, (running.ends !== null ? running.ends - hall.now() : running.left) < 360)];
}

/** How many tables are complete, and which are not: said while people sit down. */
function sitting(event) {
  const games = event.rounds.at(-1).games.filter((game) => game.other !== null && !game.result && hall.tables.get(game.place)?.device);
  if (!games.length) return null;
  const waiting = games.filter((game) => desk.checkIn(game)?.length !== 2 && hall.tables.get(game.place).board?.match !== game.match).map((game) => game.place).sort(byName);
  if (waiting.length === games.length) return null;
  return h("p", { class: "quiet sitting" }, say("desk.sitting", { n: games.length - waiting.length, all: games.length }), waiting.length ? [" ", say("desk.sitting_waits", { tables: some(waiting) })] : null);
}

/** What came of sending the seats out: said until the round is another one, for nobody reads three lists in a moment. */
let seatsTold = null;
const roundKey = (event) => `${event.id}/${event.rounds.length}`;
const some = (places) => places.slice(0, 24).join("、") + (places.length > 24 ? " …" : "");
function seatsSent(event) {
  if (seatsTold?.of !== roundKey(event) || event.state !== "drawn") return null;
  const { seated, unpaired, nowhere, busy } = seatsTold;
  return h("p", { class: "quiet seats-sent" }, [say("desk.seated", { n: seated }), unpaired.length && say("desk.seated_unpaired", { tables: some(unpaired) }),
    nowhere && say("desk.seated_nowhere", { n: nowhere }), busy.length && say("desk.seated_busy", { tables: some(busy) })].filter(Boolean).join(" "));
}

const steps = {
  entries: () => [say("desk.next_entries"), []],
  singles: (event) => [say(event.entry === "tags" ? "desk.next_tags" : "desk.next_singles", { n: event.entrants.length }),
    [seedField(), desk.act(say("desk.draw_partners"), "main", async () => { await drawn("partners"); desk.tab = "entries"; })]],
  ready: (event) => [say("desk.next_ready", { n: event.entrants.filter((each) => each.withdrawn === null).length, here: event.entrants.filter((each) => each.here).length }),
    [seedField(), drawButton(say("desk.draw_first")), print("entries", "desk.print_entries"),
      event.partners_seed ? desk.act(say("desk.unpartner"), "plain", () => post(`${desk.path()}/unpartner`)) : null]],
  drawn: (event) => [say("desk.next_drawn", { round: roundTitle(event, event.rounds.at(-1)) }),
    [print("pairings", "desk.print_pairings"), print("scoresheets", "desk.print_scoresheets"),
      desk.hallWithTables() ? desk.act(say("desk.seat"), "", async () => { seatsTold = { of: roundKey(event), ...await post(`${desk.path()}/seat`) }; toast(say("desk.seated", { n: seatsTold.seated })); }) : null, clockRow(event), undraw()]],
  playing: (event) => [say("desk.next_playing", { round: roundTitle(event, event.rounds.at(-1)), n: missing(event) }), [clockRow(event), event.rounds.at(-1).games.some((game) => game.result) ? null : undraw()]],
  round_over: (event) => [say("desk.next_round_over", { round: roundTitle(event, event.rounds.at(-1)) }), [seedField(), drawButton(say("desk.draw"))]],
  stage_over: (event) => [say("desk.next_stage_over", { stage: stageTitle(event, event.stage), next: stageTitle(event, event.stage + 1) }), [seedField(), drawButton(say("desk.draw"))]],
  undecided: () => [say("desk.next_undecided"), []],
  level: (event) => {
    const level = event.stages.at(-1).level;
    return [say("desk.next_level", { names: level.map((number) => `${number} ${titleOf(event, number)}`).join("、") }),
      [desk.field("desk.order", order), desk.field("desk.reason_short", orderWhy), desk.act(say("desk.save"), "main", async () => {
        await post(`${desk.path()}/decide`, { numbers: order.value.split(/[^0-9]+/).filter(Boolean).map(Number), why: orderWhy.value });
        order.value = "";
      })]];
  },
  finished: () => [say("desk.next_finished"), [print("prizes", "desk.print_prizes", "button mainlink"), print("certificates", "desk.print_certificates"),
    h("a", { class: "button plain", href: `${desk.path()}/archive` }, say("desk.archive"))]],
};
function nextStep(event) {
  const [text, tools] = (steps[event.state] ?? steps.entries)(event);
  const stages = ["entries", "draw", "play", "prizes"];
  const at = { entries: 0, singles: 1, ready: 1, finished: 3 }[event.state] ?? 2;
  return h("section", { class: "panel next", "aria-live": "polite" },
    h("ol", { class: "way" }, stages.map((name, n) => h("li", { class: n < at ? "done" : n === at ? "now" : "", "aria-current": n === at ? "step" : null }, say(`desk.way_${name}`)))),
    h("p", { class: "todo" }, text), ["drawn", "playing"].includes(event.state) ? sitting(event) : null, seatsSent(event), h("div", { class: "row wrap tools" }, tools));
}

// --- the other tabs
function standingsTab(event) {
  return h("section", { class: "panel" }, event.stages.map((stage, number) => {
    const rounds = event.rounds.filter((round) => round.stage === number);
    return h("div", { class: "stage" }, event.plans.length > 1 ? h("h2", {}, stageTitle(event, number)) : null,
      stage.bracket && rounds.length ? bracketView(event, number) : null, h("div", { class: "scroll" }, standingsView(event, number)));
  }).reverse(), event.stages.length ? null : h("p", { class: "none" }, say("desk.no_results")));
}
function papersTab(event) {
  const papers = ["entries", "pairings", "scoresheets", "results", "standings", "bracket", "prizes", "certificates"];
  const file = (name) => h("a", { class: "button plain", href: `${desk.path()}/${name}` }, say(`desk.${name}`));
  return h("section", { class: "panel stack" }, h("h2", {}, say("desk.papers")), h("p", { class: "quiet" }, say("desk.papers_hint")),
    h("div", { class: "row wrap" }, papers.map((name) => print(name, `desk.print_${name}`))),
    h("h2", {}, say("desk.files")), h("div", { class: "row wrap" }, file("sheet"), file("workbook"), h("a", { class: "button plain", href: desk.path(), download: `${event.title} ${new Date(hall.now() * 1000).toLocaleDateString("sv")}.json` }, say("desk.json")), file("archive")),
    event.log.length ? [h("h2", {}, say("desk.log")), h("ul", { class: "log" }, event.log.map((each) => h("li", {}, new Date(each.at * 1000).toLocaleTimeString(), "  ", say(`desk.log_${each.what}`, { ...each, title: each.number ? titleOf(event, each.number) : "", numbers: (each.numbers ?? []).join(", ") }), "  ", each.why, "  ", h("span", { class: "quiet" }, each.by))))] : null);
}

function render() {
  showLine();
  const event = desk.event;
  const kept = document.activeElement && main.contains(document.activeElement) ? document.activeElement : null;
  const events = h("div", { class: "row wrap events" }, list.map((each) => h("button", { class: "plain", "aria-pressed": String(event?.id === each.id), onclick: () => desk.open(each.id) }, each.title, each.finished ? " ✓" : "")),
    h("button", { class: "plain", "aria-pressed": String(!event), onclick: () => { desk.event = null; render(); } }, "＋ ", say("desk.new")));
  if (!event?.entrants) {
    main.replaceChildren(events, create(list));
  } else {
    const tabs = ["games", "standings", "entries", "papers"].filter((name) => event.rounds.length || name === "entries" || name === "papers");
    const tab = tabs.includes(desk.tab) ? desk.tab : "entries";
    const shown = { games, standings: standingsTab, entries, papers: papersTab }[tab](event);
    main.replaceChildren(events, nextStep(event),
      h("div", { class: "row wrap tabs", role: "group", "aria-label": event.title }, tabs.map((name) => h("button", { class: "slim plain", "aria-pressed": String(tab === name), onclick: () => { desk.tab = name; render(); } }, say(`desk.tab_${name}`)))), shown);
  }
  if (kept && main.contains(kept)) kept.focus();
}

let asking = 0;
async function refresh() {
  const mine = ++asking;
  const told = (await get("/v1/competitions")).competitions;
  const wanted = desk.event?.id ?? (asked ? null : told.at(-1)?.id);
  const event = wanted ? await get(`/v1/competitions/${wanted}`) : null;
  if (mine !== asking) return; // a later question is on its way: its answer is the newer one
  list = told;
  if (event && (desk.event?.id ?? event.id) === event.id) desk.event = event;
  asked = true;
  render();
}
function typing() { return main.contains(document.activeElement?.closest?.("input, textarea, select") ?? null); }
function followed() {
  showLine();
  const now = [...hall.desk.entries()].join() + [...hall.clocks.values()].map((clock) => `${clock.ends}/${clock.left}`) + [...hall.tables.values()].map((each) => `${each.check_in?.match}/${each.check_in?.sides}/${each.board?.match}/${each.board?.extra}`);
  // what somebody is typing is not taken away from under the hands; the next change of theirs brings the news
  if (asked && now !== stamp && !typing()) { stamp = now; refresh(); }
}
setInterval(() => {
  for (const clock of document.querySelectorAll(".time[data-ends]")) clock.textContent = duration(Number(clock.dataset.ends) - hall.now());
}, 500);
refresh();
