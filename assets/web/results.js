// What the desk has made, as the hall and the desk's own page show it.
import { h, say } from "./core.js";

export const titleOf = (competition, number) => {
  const entrant = competition.entrants.find((each) => each.number === number);
  return entrant ? entrant.title : `#${number}`;
};
const reasons = (line, chain) => chain.map((name, place) => line.explained[place] && `${say(`chain.${name}`)}：${line.explained[place]}`).filter(Boolean).join("\n");

export function standingsView(competition) {
  if (competition.hidden) return h("p", { class: "none" }, say("board.hidden"));
  if (!competition.standings.length) return h("p", { class: "none" }, say("desk.no_results"));
  const awards = new Map((competition.awards ?? []).map((each) => [each.number, each]));
  return h("table", { class: "standings" },
    h("thead", {}, h("tr", {}, h("th", {}, say("desk.rank")), h("th", {}, say("desk.entrant")), competition.chain.map((name) => h("th", { class: "number" }, say(`chain.${name}`))), awards.size ? h("th", {}, say("desk.prize")) : null)),
    h("tbody", {}, competition.standings.map((line) => h("tr", { title: reasons(line, competition.chain) },
      h("td", { class: "rank" }, line.rank, line.shared ? "=" : ""), h("td", {}, titleOf(competition, line.number)),
      line.figures.map((figure, place) => h("td", { class: `number${place ? "" : " main"}` }, figure)),
      awards.size ? h("td", {}, awards.get(line.number)?.prize ?? "") : null))));
}

const scoreOf = (game) => (game.result ? (game.result.levels ? `${game.result.levels[0]} : ${game.result.levels[1]}` : `${game.result.points[0]} : ${game.result.points[1]}`) : "–");

export function pairingsView(competition) {
  const round = competition.rounds.at(-1);
  if (!round) return h("p", { class: "none" }, say("desk.no_rounds"));
  return h("div", { class: "pairings" }, round.games.map((game) => h("div", { class: "game" },
    h("span", { class: "place" }, game.place ?? ""), h("span", { class: "ns" }, titleOf(competition, game.one)),
    h("span", { class: "quiet" }, game.other === null ? "" : competition.hidden ? ":" : scoreOf(game)),
    h("span", { class: "ew right" }, game.other === null ? say("desk.bye") : titleOf(competition, game.other)))));
}

export function bracketView(competition) {
  const line = (game, number) => h("div", { class: game.result && !competition.hidden ? (game.winner === number ? "won" : "lost") : "" },
    h("span", {}, number === null ? say("desk.bye") : titleOf(competition, number)), game.winner === number && number !== null && game.other !== null && !competition.hidden ? h("span", {}, "✓") : null);
  return h("div", { class: "bracket" }, competition.rounds.map((round) => h("div", { class: "round" },
    h("h2", {}, round.title || say("desk.round", { n: round.number })),
    round.games.map((game) => h("div", { class: "game" }, line(game, game.one), line(game, game.other))))));
}
