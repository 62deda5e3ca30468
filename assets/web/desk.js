// The desk: a competition from the list of names to the prize list.
import { attempt, get, h, Hall, languageLink, lineSign, person, post, rankText, say, toast } from "./core.js";
import { bracketView, standingsView, titleOf } from "./results.js";

const ranks = [..."23456789TJQKA"];
const hall = new Hall(followed);
const [line, showLine] = lineSign(hall);
let list = [], open = null, round = null, editing = null, stamp = "";

const link = (path, name) => h("a", { class: "button plain slim", href: path }, say(`pages.${name}`));
const main = h("main");
document.body.append(h("header", { class: "bar" }, h("h1", {}, say("pages.desk")), line,
  h("nav", {}, link("/office", "office"), link("/board", "board"), person.role === "chief" ? link("/duty", "duty") : null), languageLink()), main);

function act(label, kind, work) {
  const button = h("button", { class: kind, type: "button" }, label);
  button.addEventListener("click", () => attempt(button, async () => { await work(button); await refresh(); }));
  return button;
}
const field = (label, input) => h("label", { class: "grow" }, h("span", {}, say(label)), input);
const path = () => `/v1/competitions/${open.id}`;

// --- a new event
const title = h("input", { maxlength: 60 });
const format = h("select", {}, ["swiss", "drawn_knockout", "knockout", "round_robin"].map((name) => h("option", { value: name }, say(`format.${name}`))));
const rounds = h("input", { type: "number", min: 1, max: 50, value: 5 });
const ruleset = h("input", { maxlength: 60, value: "national" });
const prizes = h("input", { maxlength: 300 });
const chain = h("input", { maxlength: 200, value: ["points", "head_to_head", "net_levels", "cumulative", "opponents"].map((name) => say(`chain.${name}`)).join("，") });
const chainNames = new Map(["points", "head_to_head", "net_levels", "levels", "wins", "cumulative", "cumulative_without_first", "opponents", "lot"].map((name) => [say(`chain.${name}`), name]));

async function create() {
  const wanted = chain.value.split(/[,，、]+/).map((text) => text.trim()).filter(Boolean).map((text) => chainNames.get(text) ?? text);
  const given = prizes.value.split(/[,，\s]+/).map((text) => text.match(/^(.+?)[×x*](\d+)$/)).filter(Boolean).map(([, name, count]) => ({ name, count: Number(count) }));
  const told = await post("/v1/competitions", { title: title.value, format: format.value, options: { rounds: Number(rounds.value), chain: wanted, prizes: given, ruleset: ruleset.value } });
  open = { id: told.id };
}
const newPanel = h("section", { class: "panel stack" }, h("h2", {}, say("desk.new")),
  h("div", { class: "row wrap" }, field("desk.title", title), field("desk.format", format), field("desk.rounds", rounds), field("desk.ruleset", ruleset)),
  field("desk.chain", chain), field("desk.prizes", prizes), act(say("desk.create"), "main", create));

// --- entries
const text = h("textarea", { placeholder: say("desk.entries_hint") });
const file = h("input", { type: "file", accept: ".csv,.txt,.xlsx" });
const doubts = h("div");
async function enter() {
  const body = file.files[0] ?? new Blob([text.value]);
  const answer = await fetch(`${path()}/entries`, { method: "POST", body, headers: { "x-guandan-csrf": person.csrf } });
  const told = await answer.json();
  if (!answer.ok) { toast(told.error.detail); return; }
  doubts.replaceChildren(...told.doubts.map((doubt) => h("p", { class: "bad" }, say(`doubt.${doubt.what}`, doubt))));
  text.value = file.value = "";
}
function entriesPanel() {
  const playing = open.entrants.length;
  return h("section", { class: "panel stack" }, h("h2", {}, `${say("desk.entries")} · ${playing}`),
    open.rounds.length ? null : [text, h("div", { class: "row wrap" }, h("div", { class: "grow" }, file), act(say("desk.add_entries"), "main", enter))], doubts,
    playing ? h("div", { class: "scroll" }, h("table", { class: "devices" }, h("tbody", {}, open.entrants.map((each) => h("tr", { class: each.withdrawn !== null ? "quiet" : "" },
      h("td", {}, each.number), h("td", {}, each.title), h("td", {}, each.club),
      h("td", { class: "number" }, each.withdrawn !== null ? say("desk.withdrawn") : act(say("desk.withdraw"), "slim plain", async () => {
        if (confirm(`${say("desk.withdraw")}：${each.title}`)) await post(`${path()}/withdraw`, { number: each.number });
      }))))))) : null);
}

// --- rounds and results
const seed = h("input", { maxlength: 40 });
function editor(game, place) {
  const levels = [0, 1].map((at) => h("select", { "aria-label": say("desk.levels") }, ["", ...ranks].map((rank) => h("option", { value: rank, selected: (game.result?.levels?.[at] ?? "") === rank }, rank ? rankText(rank) : "–"))));
  const why = h("input", { maxlength: 200, placeholder: say("desk.reason") });
  const winner = h("select", {}, [["one", titleOf(open, game.one)], ["other", titleOf(open, game.other)], ...(open.bracket ? [] : [["", say("board.drawn")], ["nobody", say("desk.nobody")]])].map(([value, name]) => h("option", { value, selected: (game.result?.winner ?? "") === value }, name)));
  return h("div", { class: "edit row wrap" }, levels[0], levels[1], winner, game.result ? h("div", { class: "grow" }, why) : null,
    act(say("desk.save"), "main", async () => {
      await post(`${path()}/result`, { round, game: place, levels: levels.every((select) => select.value) ? levels.map((select) => select.value) : null, winner: winner.value || null, why: why.value });
      editing = null;
    }));
}
function gameRow(game, place) {
  if (game.other === null) return h("div", { class: "game-row" }, h("span"), h("span", {}, titleOf(open, game.one)), h("span", { class: "quiet score" }, say("desk.bye")), h("span"));
  const score = game.result ? (game.result.levels ? game.result.levels.map(rankText).join(" : ") : game.result.points.join(" : ")) : "–";
  const key = `${round}/${place}`;
  const button = h("button", { class: "slim plain score", onclick: () => { editing = editing === key ? null : key; render(); } }, score,
    game.result ? h("span", { class: "quiet small" }, "  ", say(game.result.source === "table" ? "desk.from_table" : "desk.paper"), game.corrections ? ` ✎${game.corrections}` : "") : null);
  return h("div", { class: "game-row" }, h("span", { class: "place" }, game.place ?? ""),
    h("span", { class: `ns${game.winner === game.one ? " won" : ""}` }, titleOf(open, game.one)), button,
    h("span", { class: `ew right${game.winner === game.other ? " won" : ""}` }, titleOf(open, game.other)),
    editing === key ? editor(game, place) : null);
}
function roundsPanel() {
  const last = open.rounds.at(-1);
  round = Math.min(round ?? open.rounds.length, open.rounds.length) || null;
  const shown = open.rounds[round - 1];
  return h("section", { class: "panel" }, h("h2", {}, say("desk.results")),
    h("div", { class: "rounds" }, open.rounds.map((each) => h("button", { class: "slim plain", "aria-pressed": String(each.number === round), onclick: () => { round = each.number; editing = null; render(); } }, say("desk.round", { n: each.number }), each.done ? " ✓" : ""))),
    shown ? [h("p", { class: "quiet small" }, `${say("desk.seed")}：`, h("code", {}, shown.seed)), h("div", { class: "games" }, shown.games.map(gameRow))] : h("p", { class: "none" }, say("desk.no_rounds")),
    h("div", { class: "row wrap" }, h("p"),
      open.finished ? h("p", {}, say("desk.finished")) : !last || last.done ? [h("div", { class: "grow" }, field("desk.seed", seed)), act(say("desk.draw"), "main", async () => {
        const told = await post(`${path()}/draw`, { seed: seed.value });
        seed.value = "";
        round = told.round;
      })] : [act(say("desk.seat"), "main", async () => {
        const told = await post(`${path()}/seat`);
        toast(say("desk.seated", { n: told.seated }));
      }), act(say("desk.undraw"), "grave", () => post(`${path()}/undraw`))]));
}
function standingsPanel() {
  return h("section", { class: "panel" }, h("div", { class: "row" }, h("h2", { class: "grow" }, say("desk.standings")), h("a", { class: "button plain slim", href: `${path()}/sheet` }, say("desk.download"))),
    open.bracket && open.rounds.length ? bracketView(open) : null, h("div", { class: "scroll" }, standingsView(open)));
}

function render() {
  showLine();
  const focus = document.activeElement;
  const tabs = h("div", { class: "row wrap" }, list.map((each) => h("button", { class: "plain", "aria-pressed": String(open?.id === each.id), onclick: () => { open = { id: each.id }; round = editing = null; refresh(); } }, each.title)),
    h("button", { class: "plain", onclick: () => { open = null; render(); } }, "＋ ", say("desk.new")));
  main.replaceChildren(tabs, ...(open?.entrants ? [roundsPanel(), standingsPanel(), entriesPanel()] : [newPanel]));
  if (focus && main.contains(focus)) focus.focus();
}
async function refresh() {
  list = (await get("/v1/competitions")).competitions;
  if (open) open = await get(`/v1/competitions/${open.id}`);
  else if (list.length && stamp === "") open = await get(`/v1/competitions/${list.at(-1).id}`);
  render();
}
function followed() {
  showLine();
  const now = [...hall.desk.values()].join();
  // what somebody is typing is not taken away from under the hands; the next change of theirs brings the news
  if (now !== stamp && !main.contains(document.activeElement?.closest?.("input, textarea, select") ?? null)) { refresh(); stamp = now || "-"; }
}
refresh().then(() => { stamp ||= "-"; });
