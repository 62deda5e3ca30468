// What the desk has made, as the hall and the desk's own page show it.
import { h, language, rankText, say, svg } from "./core.js";

const order = "23456789TJQKA", comma = language === "zh" ? "，" : ", ";

export const titleOf = (event, number) => {
  const entrant = event.entrants.find((each) => each.number === number);
  return entrant ? entrant.title : `#${number}`;
};
/** How lists call a side of a game: an entrant, or two single players who were drawn together. */
export const sideTitle = (event, game, side) => {
  const first = game[side];
  if (first === null) return say("desk.bye");
  const mate = game.mates?.[side === "one" ? 0 : 1];
  return mate ? `${titleOf(event, first)} / ${titleOf(event, mate)}` : titleOf(event, first);
};
export const stageTitle = (event, number) => event.plans[number]?.name?.[language] || say(`format.${event.plans[number]?.format ?? event.format}`);
export function roundTitle(event, round) {
  if (!round) return "";
  const plan = event.plans[round.stage], stage = plan.name?.[language] ?? "";
  const alone = !event.stages[round.stage]?.groups.length;
  const word = alone && [2, 4, 8].includes(round.left) ? say(`desk.left_${round.left}`) : say("desk.round", { n: round.number });
  return stage && stage !== word ? `${stage} · ${word}` : word;
}
export const scoreOf = (game) => {
  if (!game.result) return "";
  if (game.result.forfeit) return say("desk.forfeit");
  if (game.result.winner === "nobody") return say("desk.nobody");
  if (game.result.won) return game.result.won.join(" : ");
  const played = game.result.games ?? (game.result.levels ? [game.result.levels] : []);
  return played.length ? played.map((levels) => levels.map(rankText).join(" : ")).join(comma) : (game.result.points ?? []).join(" : ");
};

/** A side of each game of the stage that `number` played: what its figures are the sums of. */
function courseOf(event, stage, number) {
  const at = { one: 0, other: 1 };
  return event.rounds.filter((round) => stage.rounds.includes(round.number)).flatMap((round) => round.games.flatMap((game) => ["one", "other"].filter((side) => [game[side], game.mates?.[at[side]]].includes(number)).map((side) => {
    const me = at[side], played = game.result?.games ?? (game.result?.levels ? [game.result.levels] : []);
    const margin = game.result?.margin != null ? game.result.margin * (me ? -1 : 1) : played.reduce((sum, levels) => sum + order.indexOf(levels[me]) - order.indexOf(levels[1 - me]), 0);
    const outcome = game.other === null ? say("desk.bye") : !game.result ? "" : game.result.winner === null ? say("board.drawn") : say(game.result.winner === side ? "desk.won" : "desk.lost");
    const score = game.result?.won ? (me ? [...game.result.won].reverse() : game.result.won).join(" : ") : played.map((levels) => (me ? [...levels].reverse() : levels).map(rankText).join(" : ")).join(comma) || (game.result ? scoreOf(game) : "");
    const plan = event.plans[event.stages.indexOf(stage)], bye = plan.score === "margin" ? 0 : plan.points.bye;
    return { round, other: game.other === null ? "" : sideTitle(event, game, side === "one" ? "other" : "one"), outcome, score, points: game.other === null ? bye : game.result?.points?.[me] ?? "", margin: game.other === null || !game.result ? "" : margin > 0 ? `+${margin}` : String(margin) };
  })));
}
const courseTable = (event, stage, number) => h("table", { class: "course" }, courseOf(event, stage, number).map((each) => h("tr", {}, h("td", {}, roundTitle(event, each.round)), h("td", {}, each.outcome), h("td", {}, each.other), h("td", { class: "number" }, each.score),
  h("td", { class: "number" }, each.points === "" ? "" : say("desk.points_of", { n: each.points })), h("td", { class: "number" }, each.margin))));
const reasons = (line, chain) => chain.map((name, place) => line.explained[place] && `${say(`chain.${name}`)}：${line.explained[place]}`).filter(Boolean);

const opened = new Set();
/** What somebody opened stays open while the page renews itself. */
export function stayOpen(key, details) {
  details.open = opened.has(key);
  details.addEventListener("toggle", () => (details.open ? opened.add(key) : opened.delete(key)));
  return details;
}

function table(event, stage, lines, chain, awards, explain) {
  const body = h("tbody");
  for (const line of lines) {
    const told = reasons(line, chain);
    const key = `${event.id}/${line.number}`;
    const why = h("tr", { class: "why", hidden: !opened.has(key) }, h("td", { colspan: chain.length + 3 }, opened.has(key) ? courseTable(event, stage, line.number) : null, told.map((text) => h("div", {}, text))));
    const name = explain && told.length ? h("button", { class: "name", type: "button", "aria-expanded": String(opened.has(key)) }, titleOf(event, line.number)) : titleOf(event, line.number);
    if (name instanceof Element) name.addEventListener("click", () => { why.hidden = !why.hidden; if (!why.hidden && !why.querySelector(".course")) why.firstChild.prepend(courseTable(event, stage, line.number)); opened[why.hidden ? "delete" : "add"](key); name.setAttribute("aria-expanded", String(!why.hidden)); });
    body.append(h("tr", {}, h("td", { class: "rank" }, line.rank, line.shared ? h("span", { class: "quiet", title: say("desk.shared") }, "=") : ""), h("td", { class: "who" }, name, explain && line.decided === "extra" ? h("span", { class: "quiet small" }, " ", say("desk.by_extra")) : null),
      line.figures.slice(0, chain.length).map((figure, place) => h("td", explain && line.decided === chain[place] && place ? { class: "number decides", title: say("desk.decides") } : { class: `number${place ? "" : " main"}` }, figure)), awards.size ? h("td", {}, awards.get(line.number)?.prize ?? "", explain && awards.get(line.number)?.contested ? " *" : "") : null));
    if (explain && told.length) body.append(why);
  }
  return h("table", { class: "standings" }, h("thead", {}, h("tr", {}, h("th", {}, say("desk.rank")), h("th", {}, say("desk.entrant")), chain.map((name) => h("th", { class: "number" }, say(`chain.${name}`))), awards.size ? h("th", {}, say("desk.prize")) : null)), body);
}

/** The standings of a stage (the newest one by default), of each of its groups; a name opens how its figures came about. */
export function standingsView(event, number = event.stages.length - 1, explain = true) {
  if (event.hidden) return h("p", { class: "none" }, say("board.hidden"));
  const stage = event.stages[number];
  if (!stage) return h("p", { class: "none" }, say("desk.no_results"));
  const awards = new Map(number === event.stages.length - 1 ? (event.awards ?? []).map((each) => [each.number, each]) : []);
  const note = explain && [...awards.values()].some((each) => each.contested) ? h("p", { class: "quiet small" }, "* ", say("desk.contested")) : null;
  if (!stage.groups.length) return h("div", {}, table(event, stage, stage.standings, stage.chain, awards, explain), note);
  return h("div", { class: "groups" }, stage.groups.map((group) => h("div", {}, h("h3", {}, `${say("desk.group")} ${String.fromCharCode(64 + group.number)}`), table(event, stage, group.standings, explain ? stage.chain : stage.chain.slice(0, 3), awards, explain))), note);
}

/** Who plays whom at which table, newest round. */
export function pairingsView(event) {
  const round = event.rounds.at(-1);
  if (!round) return h("p", { class: "none" }, say("desk.no_rounds"));
  return h("div", { class: "pairings" }, round.games.map((game) => h("div", { class: "game" },
    h("span", { class: "place" }, game.place ?? ""), h("span", { class: "ns" }, sideTitle(event, game, "one")),
    h("span", { class: "middle" }, event.hidden || game.other === null ? "" : scoreOf(game) || "–"),
    h("span", { class: "ew right" }, game.other === null ? say("desk.bye") : sideTitle(event, game, "other")))));
}

const gamesWon = (played, me) => played.filter((levels) => order.indexOf(levels[me]) > order.indexOf(levels[1 - me])).length;
/** What stands behind a side of a game: the level it reached, or its games where there were several; who was absent. */
function mark(game, me) {
  if (game.result.won) return String(game.result.won[me]);
  const played = game.result.games ?? (game.result.levels ? [game.result.levels] : []);
  if (!played.length) return game.winner === game[["one", "other"][me]] ? "✓" : "";
  return played.length > 1 ? String(gamesWon(played, me)) : rankText(played[0][me]);
}
/** How a column of the tree is called: its round, or what it will be. */
function columnTitle(event, stage, tree, at) {
  const round = event.rounds.find((each) => each.number === stage.rounds[at]), left = 2 * tree.columns[at].length;
  if (round && !tree.group) return roundTitle(event, round);
  return [2, 4, 8].includes(left) ? say(`desk.left_${left}`) : say("desk.round", { n: (stage.rounds[0] ?? 1) + at });
}

/** A knock-out as a bracket: a column a round, what is to come as empty places, lines from each game to the next one. */
export function bracketView(event, number = event.stages.findLastIndex((stage) => stage.bracket)) {
  const stage = event.stages[number];
  if (event.hidden) return h("p", { class: "none" }, say("board.hidden"));
  return h("div", { class: "brackets" }, stage.trees.map((tree) => [tree.group ? h("h3", {}, `${say("desk.group")} ${String.fromCharCode(64 + tree.group)}`) : null, treeView(event, stage, tree)]));
}
function treeView(event, stage, tree) {
  const gameAt = (column, place) => event.rounds.find((each) => each.number === stage.rounds[column]).games[place];
  const side = (game, me) => h("div", { class: game.result ? (game.winner !== null && game.winner === game[["one", "other"][me]] ? "won" : "lost") : "" },
    h("span", {}, sideTitle(event, game, ["one", "other"][me])), game.result ? h("span", { class: "level" }, mark(game, me)) : null);
  const box = (game, note) => game === null ? h("div", { class: "game open", "aria-label": say("desk.open_place") }, h("div", {}, "\u00a0"), h("div", {}, "\u00a0"))
    : game.other === null ? h("div", { class: "game bye" }, h("div", {}, h("span", {}, sideTitle(event, game, "one")), h("span", {}, say("desk.bye"))))
    : h("div", { class: "game" }, note, side(game, 0), side(game, 1));
  const holder = h("div", { class: "bracket", tabindex: 0, role: "region", "aria-label": say("board.show_bracket") });
  const lines = svg("svg", { class: "lines", "aria-hidden": "true" });
  // each game stands beside the middle of those that its sides came from: its row is given, its height is its own
  const placed = (each, row) => { each.style.setProperty("--at", (row + 0.5) / rows); return each; };
  const end = tree.columns.at(-1)[0].row, rows = tree.third ? Math.max(tree.rows, end + 2.6) : tree.rows;
  const boxes = tree.columns.map((places, at) => places.map((place) => placed(box(place.game === null ? null : gameAt(at, place.game)), place.row)));
  const third = tree.third ? placed(box(gameAt(...tree.third), h("div", { class: "note" }, say("desk.third_place"))), end + 1.9) : null;
  holder.style.setProperty("--rows", rows);
  holder.append(lines, ...boxes.map((column, at) => h("div", { class: "round" }, h("h2", {}, columnTitle(event, stage, tree, at)),
    h("div", { class: "column" }, column, at === boxes.length - 1 ? third : null))));
  const comes = tree.columns.flatMap((places, at) => places.flatMap((place, n) => place.after.map((before) => [boxes[at - 1][before], boxes[at][n]])));
  const drawLines = () => {
    if (!holder.isConnected) return;
    const frame = lines.getBoundingClientRect();
    lines.replaceChildren(...comes.map(([from, to]) => {
      const one = from.getBoundingClientRect(), other = to.getBoundingClientRect();
      const [x1, y1, x2, y2] = [one.right - frame.left, (one.top + one.bottom) / 2 - frame.top, other.left - frame.left, (other.top + other.bottom) / 2 - frame.top];
      return svg("path", { d: `M${x1} ${y1} H${(x1 + x2) / 2} V${y2} H${x2}` });
    }));
  };
  new ResizeObserver(drawLines).observe(holder);
  requestAnimationFrame(drawLines);
  return holder;
}
