// The hall's screen: each table's levels as they race, the round's clock; then standings, bracket, pairings of the desk.
import { byName, duration, get, Hall, h, language, languageLink, person, rankText, say, svg } from "./core.js";
import { bracketView, pairingsView, roundTitle, standingsView } from "./results.js";

const hall = new Hall(render);
const ranks = "23456789TJQKA";
const parameters = new URLSearchParams(location.search);
const zone = parameters.get("zone");
const turn = Number(parameters.get("turn")) || 20;
let view = parameters.get("show") ?? "turns", turned = 0;
let fitted = "", list = [], event = null, fetched = null, touched = -1e9, scrolledDown = false;
// a hall full of phones does not ask for each result at the same moment: milliseconds between two questions
const gap = () => (person.role === "spectator" ? 4000 + 4000 * Math.random() : 700);
let free = 0, waiting = null;
// "which table am I at?": typed once, it stays while the page renews itself
const find = h("input", { type: "search", placeholder: say("board.find"), "aria-label": say("board.find") });
find.addEventListener("input", () => { view = "pairings"; render(); });

/** Both sides' levels after each deal: a step a deal, the line's end is now. */
function race(levels) {
  const deals = Math.max(levels.length, 8), height = 12;
  const at = (side) => {
    const points = [[0, 0], ...levels.map((level, n) => [n + 1, ranks.indexOf(level[side])])];
    return points.map(([x, y], n) => (n ? `H${x} V${height - y}` : `M${x} ${height - y}`)).join(" ");
  };
  return svg("svg", { viewBox: `-0.1 -0.6 ${deals + 0.2} ${height + 1.2}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    [0, 4, 8, 12].map((level) => svg("line", { class: "race-grid", x1: 0, x2: deals, y1: height - level, y2: height - level })),
    svg("path", { class: "race-ns", d: at("NS") }), svg("path", { class: "race-ew", d: at("EW") }));
}

function side(board, name, seatsOf) {
  const names = seatsOf.map((seat) => board.names?.[seat]).filter(Boolean).join(" / ") || say(`side.${name}`);
  const tries = board.attempts?.[name];
  const won = board.result?.winner === name;
  return h("div", { class: `side ${name.toLowerCase()}${board.on_stage === name ? " stage" : ""}` },
    h("div", { class: "names" }, won ? h("span", { class: "won" }, "★ ") : null, names, tries ? h("div", { class: "tries" }, say("board.tries", { n: tries })) : null),
    h("div", { class: "level", "aria-label": say("board.level") }, rankText(board.levels[name])));
}

function tile(each) {
  const board = each.board, seen = hall.presence.get(each.place);
  const over = board?.result;
  const sign = each.cases ? h("span", { class: "call" }, say("board.call")) : seen?.silent && board ? h("span", { class: "silent" }, say("duty.table_silent"))
    : over ? say(over.winner ? "board.over" : "board.drawn") : board?.levels ? say("board.deals", { n: board.deals }) : "";
  return h("article", { class: `tile${over ? " done" : ""}${each.cases ? " calls" : ""}` },
    h("div", { class: "head" }, h("span", {}, h("b", {}, each.place), each.zone ? `  ${say("duty.zone", { zone: each.zone })}` : ""), h("span", {}, sign)),
    board?.levels?.NS ? [side(board, "NS", ["N", "S"]), side(board, "EW", ["E", "W"]), race(board.race)]
      : h("div", { class: "empty" }, board?.hidden ? say("board.hidden") : say("duty.no_match")));
}

/** Within the minute after half of the round's time has gone: said once, as a host would. */
function half(clock, left) {
  return Boolean(clock.round) && clock.ends !== null && left <= clock.total / 2 && left > clock.total / 2 - 60;
}

/** The event that the hall is about: the one that is asked for, else the newest that is not over, else the newest. */
function wanted() {
  const asked = parameters.get("event");
  return (list.find((each) => each.id === asked) ?? list.findLast((each) => !each.finished) ?? list.at(-1))?.id ?? null;
}
/** What is worth showing now, in the order in which a hall needs it. */
function programme(event, views) {
  if (!event) return ["tables"];
  const state = { drawn: ["pairings"], playing: ["tables", "pairings", "standings", "bracket"], finished: ["bracket", "standings"] }[event.state] ?? ["standings", "bracket", "pairings"];
  const shown = state.filter((name) => views.includes(name));
  return shown.length ? shown : views.slice(0, 1);
}
function pairings(event) {
  const shown = pairingsView(event), wanted = find.value.trim().toLowerCase();
  if (wanted) for (const game of shown.querySelectorAll?.(".game") ?? []) game.hidden = !game.textContent.toLowerCase().includes(wanted);
  return h("div", { class: "grow" }, event.rounds.length && ![...hall.clocks.values()].some((clock) => clock.title === roundTitle(event, event.rounds.at(-1))) ? h("h2", { class: "subtitle" }, roundTitle(event, event.rounds.at(-1))) : null, shown);
}

function clocks() {
  const shown = [...hall.clocks.values()].filter((clock) => (clock.ends !== null || clock.left !== null) && (!clock.zone || !zone || clock.zone === zone));
  return shown.map((clock) => {
    const left = clock.ends !== null ? clock.ends - hall.now() : clock.left;
    const other = clock.competition && clock.competition !== event?.id ? list.find((each) => each.id === clock.competition)?.title : null;
    const state = left <= 0 ? "over" : left <= 300 ? "ending" : "";
    return h("div", { class: `clock ${state}`, "data-ends": clock.ends, role: "timer" },
      half(clock, left) ? h("span", { class: "reminder", role: "status" }, say("board.half_time")) : left > 0 && left <= 300 ? h("span", { class: "reminder", role: "status" }, say("board.last_minutes")) : null,
      other || clock.title || clock.zone ? h("span", { class: "title" }, [other, clock.title, clock.zone && say("duty.zone", { zone: clock.zone })].filter(Boolean).join(" ")) : null,
      h("span", { class: "digits" }, duration(left)), clock.ends === null ? h("span", { class: "title" }, "  ", say("board.stopped")) : null);
  });
}

function tables() {
  const all = [...hall.tables.values()].filter((each) => !zone || each.zone === zone).sort((one, other) => byName(one.place, other.place));
  if (!all.length) return h("p", { class: "none" }, say("board.no_tables"));
  return h("div", { class: "tiles" }, all.map(tile));
}

async function results() {
  const stamp = [...hall.desk.values()].join() + hall.notice.hidden;
  if (fetched === stamp || waiting !== null) return;
  const wait = free - performance.now();
  if (wait > 0) {
    waiting = setTimeout(() => { waiting = null; results(); }, wait);
    return;
  }
  fetched = stamp;
  free = performance.now() + gap();
  const at = hall.position ?? 0;
  try {
    list = (await get(`/v1/competitions?at=${at}`)).competitions;
    const id = wanted();
    event = id ? await get(`/v1/competitions/${id}?at=${at}`) : null;
  } catch {
    fetched = null; // the next sign of life asks again
  }
  render();
}

const main = h("div", { class: "hall" });
document.body.append(main);

function render() {
  if (hall.state !== "connecting") results();
  const playing = [...hall.tables.values()].some((each) => each.board);
  const views = [...(playing || !event ? ["tables"] : []), ...(event ? ["pairings", "standings", ...(event.stages.some((stage) => stage.bracket) ? ["bracket"] : [])] : [])];
  const turns = programme(event, views), chosen = view === "turns" ? turns[turned % turns.length] : view;
  const shown = views.includes(chosen) ? chosen : views[0];
  const content = shown === "tables" ? tables() : shown === "standings" ? standingsView(event, undefined, false) : shown === "bracket" ? bracketView(event) : pairings(event);
  const scrolled = document.querySelector(".bracket")?.scrollLeft, typing = document.activeElement === find;
  const pick = (name) => h("button", { "aria-pressed": String(view === name), onclick: () => { view = name; render(); } }, say(`board.show_${name}`));
  main.replaceChildren(
    h("header", {}, h("h1", {}, event?.title ?? say("board.title")), ...clocks()),
    ...(hall.notice.text ? [h("div", { class: "told", role: "status" }, hall.notice.text)] : []),
    h("main", {}, content),
    h("footer", { class: "row wrap" }, h("div", { class: "views grow", role: "group", "aria-label": say("board.views") }, views.length > 1 ? ["turns", ...views].map(pick) : null),
      event?.rounds.length ? h("div", { class: "find" }, find) : null, languageLink()),
    ...(hall.state === "silent" ? [h("div", { class: "cut", role: "alert" }, say("board.cut"))] : []));
  if (typing) find.focus();
  const games = event?.rounds.at(-1)?.games.length ?? 0;
  const shape = `${shown}/${hall.tables.size}/${[...hall.tables.values()].filter((each) => each.board).length}/${Boolean(hall.notice.text)}/${event?.rounds.length}/${games}/${event?.entrants.length}`;
  if (shape !== fitted) { fitted = shape; fit(); }
  if (scrolled) main.querySelector(".bracket")?.scrollTo({ left: scrolled });
}

/** As large as lets everything be seen at once; where that would be too small to read, the page scrolls by itself. */
function fit() {
  const style = document.body.style;
  style.removeProperty("--u");
  if (innerWidth < 700) return;
  let unit = parseFloat(getComputedStyle(document.body).fontSize);
  const least = Math.max(13, unit * 0.6);
  const wide = () => { const bracket = document.querySelector(".bracket"); return bracket && bracket.scrollWidth > bracket.clientWidth + 2; };
  const tooLarge = () => document.documentElement.scrollHeight > innerHeight + 2 || wide();
  while (tooLarge() && unit > least) {
    unit -= 0.5;
    style.setProperty("--u", `${unit}px`);
  }
  if (tooLarge() && !document.querySelector(".bracket")) style.removeProperty("--u");
  if (style.getPropertyValue("--u") || tooLarge()) return;
  for (const most = unit * 1.4; unit < most;) { // few lines: as large as the screen carries, for the last row of seats
    style.setProperty("--u", `${unit + 1}px`);
    if (tooLarge()) break;
    unit += 1;
  }
  style.setProperty("--u", `${unit}px`);
}
addEventListener("resize", () => { fitted = ""; render(); });

setInterval(() => {
  for (const clock of document.querySelectorAll(".clock[data-ends]")) {
    const left = Number(clock.dataset.ends) - hall.now();
    clock.querySelector(".digits").textContent = duration(left);
    clock.className = `clock ${left <= 0 ? "over" : left <= 300 ? "ending" : ""}`;
  }
}, 500);

// Nobody at the page: what a hall needs comes in turn.
setInterval(() => {
  if (view !== "turns" || performance.now() - touched < 30_000 || scrollY > 4) return;
  if (document.documentElement.scrollHeight - innerHeight >= 40 && !scrolledDown) return; // first all of it
  scrolledDown = false;
  turned += 1;
  render();
}, turn * 1000);

// A hall with more than fits is shown screen by screen, unless somebody is at the page.
for (const name of ["pointerdown", "wheel", "keydown"]) addEventListener(name, () => { touched = performance.now(); }, { passive: true });
setInterval(() => {
  const most = document.documentElement.scrollHeight - innerHeight;
  if (most < 40 || performance.now() - touched < 30_000) return;
  const down = scrollY >= most - 4 ? 0 : Math.min(most, scrollY + innerHeight * 0.85);
  if (down === 0) scrolledDown = true;
  scrollTo({ top: down, behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
}, 12_000);
document.documentElement.dataset.language = language;
render();
