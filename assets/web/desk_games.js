// A round's games: results from paper, corrections, and everything that goes wrong at a table.
import { byName, h, ours, post, postSurely, rankText, say, toast } from "./core.js";
import { roundTitle, scoreOf, sideTitle, stayOpen, titleOf } from "./results.js";

const ranks = [..."23456789TJQKA"];

export function gamesPanel(desk) {
  let byHand = null, sure = [];
  const manual = h("textarea", { rows: 8, "aria-label": say("desk.pair_by_hand") });

  function levelSelect(label, value) {
    return h("select", { "aria-label": label }, ["", ...ranks].map((rank) => h("option", { value: rank, selected: (value ?? "") === rank }, rank ? rankText(rank) : "–")));
  }

  function editor(event, game, place) {
    const stage = event.stages[event.rounds[desk.round - 1].stage];
    const count = stage.best_of, had = game.result?.games ?? (game.result?.levels ? [game.result.levels] : []);
    const games = Array.from({ length: count }, (_, n) => ["NS", "EW"].map((side, at) => levelSelect(`${say(`side.${side}`)} ${say("board.level")} ${n + 1}`, had[n]?.[at])));
    let winner = game.result ? game.result.winner : undefined, forfeit = game.result?.forfeit ?? null;
    const why = h("input", { maxlength: 200, placeholder: say("desk.reason"), "aria-label": say("desk.reason") });
    const choices = [["one", sideTitle(event, game, "one"), null], ["other", sideTitle(event, game, "other"), null], ...(stage.bracket ? [] : [[null, say("board.drawn"), null]]),
      ["other", say("desk.absent_side", { side: say("side.NS") }), "one"], ["one", say("desk.absent_side", { side: say("side.EW") }), "other"], ["nobody", say("desk.nobody"), null]];
    const buttons = choices.map(([value, name, gone], n) => {
      const button = h("button", { class: `plain slim${n < 2 ? ` side ${["ns", "ew"][n]}` : ""}`, type: "button" }, n < 2 ? [name, " ", h("span", { class: "small" }, say("desk.wins"))] : name);
      button.addEventListener("click", () => { winner = value; forfeit = gone; press(); });
      return button;
    });
    function press() { buttons.forEach((button, n) => button.setAttribute("aria-pressed", String(winner !== undefined && choices[n][0] === winner && choices[n][2] === forfeit))); }
    const played = () => games.map((pair) => pair.map((select) => select.value)).filter((pair) => pair.every(Boolean));
    for (const select of games.flat()) {
      select.addEventListener("change", () => { // the higher level wins unless somebody says otherwise
        const won = played().map(([one, other]) => Math.sign(ranks.indexOf(one) - ranks.indexOf(other)));
        const sum = won.reduce((total, each) => total + each, 0);
        if (sum) { winner = sum > 0 ? "one" : "other"; forfeit = null; press(); }
      });
    }
    press();
    const save = desk.act(say("desk.save"), "main", async () => {
      if (winner === undefined) { toast(say("desk.who_won")); return false; }
      const levels = played();
      const told = await postSurely(`${desk.path()}/result`, { round: desk.round, game: place, levels: forfeit ? null : levels.at(-1) ?? null, games: count > 1 && !forfeit && levels.length ? levels : null, winner, forfeit, why: why.value });
      if (!told) return false;
      desk.editing = null;
      return true;
    });
    const erase = game.result && desk.round === event.rounds.length ? desk.act(say("desk.erase"), "grave", async () => {
      await post(`${desk.path()}/erase`, { round: desk.round, game: place, why: why.value });
      desk.editing = null;
    }) : null;
    return h("div", { class: "edit stack" },
      games.map((pair, n) => h("div", { class: "row levels" }, count > 1 ? h("span", { class: "quiet" }, say("print.game", { n: n + 1 })) : null, pair[0], " : ", pair[1])),
      h("div", { class: "row wrap" }, buttons), game.result ? why : null, h("div", { class: "row wrap" }, save, h("button", { class: "plain", onclick: () => { desk.editing = null; desk.show(); } }, say("desk.cancel")), erase),
      trouble(event, game, place), history(event, game));
  }

  /** Late, wrong seats, another table, more time: rarely needed, one tap away. */
  function trouble(event, game, place) {
    const newest = desk.round === event.rounds.length;
    if (!newest) return null;
    const why = h("input", { maxlength: 200, placeholder: say("desk.reason_short"), "aria-label": say("desk.reason_short") });
    const table = h("input", { maxlength: 20, placeholder: say("desk.other_table"), "aria-label": say("desk.other_table") });
    const games = event.rounds[desk.round - 1].games;
    const others = games.map((other, n) => [other, n]).filter(([other]) => other !== game && other.other !== null);
    const people = h("select", { "aria-label": say("desk.who_sits_here") }, others.flatMap(([other, n]) => [["one", other.one], ["other", other.other]].map(([side, who]) => h("option", { value: `${n}/${side}` }, `${other.place ?? ""} ${titleOf(event, who)}`))));
    const reseat = (list) => post(`${desk.path()}/reseat`, { round: desk.round, games: list, why: why.value });
    const swap = (mine) => desk.act(say(mine === "one" ? "desk.is_ns" : "desk.is_ew"), "plain slim", () => {
      const [n, side] = people.value.split("/"), other = games[n];
      const here = { one: game.one, other: game.other }, there = { one: other.one, other: other.other };
      [here[mine], there[side]] = [there[side], here[mine]];
      return reseat([[place, here.one, here.other], [Number(n), there.one, there.other]]);
    });
    const late = (side, name) => desk.act(game.late[side] ? say("desk.has_come", { side: say(name) }) : say("desk.is_late", { side: say(name) }), "plain slim", async () => {
      const told = await post(`${desk.path()}/late`, { round: desk.round, game: place, side, here: Boolean(game.late[side]) });
      if (!game.late[side]) toast(told.forfeits_after ? say("desk.forfeits_after", { n: Math.round(told.forfeits_after / 60) }) : say("desk.late_noted"));
    });
    return stayOpen(`trouble/${event.id}/${desk.round}/${place}`, h("details", { class: "trouble" }, h("summary", {}, say("desk.trouble")), h("div", { class: "stack" },
      game.result ? null : h("div", { class: "row wrap" }, late("one", "side.NS"), late("other", "side.EW")),
      game.result ? null : h("div", { class: "row wrap" }, h("div", { class: "grow" }, table), desk.act(say("desk.move"), "plain slim", () => post(`${desk.path()}/place`, { round: desk.round, game: place, place: table.value })),
        desk.hall.tables.get(game.place ?? "")?.board?.match === game.match ? desk.act(say("table.extra", { n: 5 }), "plain slim", () => post(`/v1/tables/${encodeURIComponent(game.place)}/extra`, { seconds: 300 })) : null),
      game.mates ? null : [h("p", { class: "quiet small" }, say("desk.seats_hint")), why, h("div", { class: "row wrap" }, desk.act(say("desk.turn_seats"), "plain slim", () => reseat([[place, game.other, game.one]]))),
        others.length ? h("div", { class: "row wrap" }, h("div", { class: "grow" }, people), swap("one"), swap("other")) : null])));
  }
  function history(event, game) {
    const told = [...(game.claim ? [say("desk.claim_full", { score: scoreOf({ ...game, result: game.claim }) || "–" })] : []), ...game.history.slice(0, -1).map((past) => `${say("desk.before")} ${scoreOf({ ...game, result: past }) || "–"} ${past.by ?? ""}${game.history.at(-1).why ? ` → ${game.history.at(-1).why}` : ""}`),
      ...game.moves.map((move) => `${say("desk.sat_before")} ${titleOf(event, move.one)} : ${titleOf(event, move.other)} ${move.by} ${move.why}`)];
    return told.length ? h("ul", { class: "log small" }, told.map((line) => h("li", {}, line))) : null;
  }

  /** Who of this game said at the table that they sit there: the desk's sides, as the desk has turned them. */
  function seatedSides(game) {
    const told = desk.checkIn(game);
    return told ? ["one", "other"].filter((side) => told.includes((side === "one") !== game.turned ? "NS" : "EW")) : [];
  }

  function gameRow(event, game, place) {
    if (game.other === null) return h("div", { class: "game-row bye" }, h("span"), h("span", { class: "ns" }, sideTitle(event, game, "one")), h("span", { class: "quiet score" }, say("desk.bye")), h("span"));
    const key = `${desk.round}/${place}`, open = desk.editing === key;
    const sits = seatedSides(game);
    const table = game.place ? desk.hall.tables.get(game.place)?.board : null, given = table?.match === game.match ? Math.round(table.extra / 60) : 0;
    const late = ["one", "other"].filter((side) => game.late?.[side]).map((side) => say("desk.late_short", { side: say(side === "one" ? "side.NS" : "side.EW") }));
    const button = h("button", { class: `slim score${game.result ? " plain" : ""}`, "aria-expanded": String(open), onclick: () => { desk.editing = open ? null : key; desk.show(); } },
      game.result ? [h("b", {}, scoreOf(game)), game.corrections ? ` ✎${game.corrections}` : "", h("span", { class: "quiet small" }, "  ", say(game.result.source === "table" ? "desk.from_table" : "desk.paper"))] : say("desk.enter_result"));
    return h("div", { class: `game-row${game.result ? "" : " open"}` }, h("span", { class: "place" }, game.place ?? "", game.for_place ? h("span", { class: "quiet small" }, say("desk.third_place")) : null),
      h("span", { class: `ns${game.result?.winner === "one" ? " won" : ""}` }, sideTitle(event, game, "one")), button,
      h("span", { class: `ew right${game.result?.winner === "other" ? " won" : ""}` }, sideTitle(event, game, "other")),
      late.length ? h("span", { class: "bad small late" }, late.join(" ")) : null,
      !game.result && [game.one, game.other].some((who) => event.entrants.find((each) => each.number === who)?.withdrawn != null) ? h("span", { class: "bad small late" }, say("desk.withdrawn_here")) : null,
      game.claim ? h("span", { class: "bad small late" }, say("desk.claim")) : null,
      given && !game.result ? h("span", { class: "quiet small late" }, say("desk.time_given", { n: given > 0 ? `+${given}` : `−${-given}` })) : null,
      game.result || !sits.length ? null : h("span", { class: "sits small late" }, "✓ ", say(sits.length === 2 ? "desk.sits_both" : "desk.sits", { side: say(sits[0] === "one" ? "side.NS" : "side.EW") })),
      open ? editor(event, game, place) : null);
  }

  /** The next round paired by hand: a line a game, warnings before anything is stored. */
  function manualPanel(event) {
    if (!["ready", "round_over"].includes(event.state) || event.entry === "singles" || event.plans[event.stage].groups > 1) return null;
    const form = h("details", { class: "trouble" }, h("summary", {}, say("desk.pair_by_hand")), h("div", { class: "stack" }, h("p", { class: "quiet small" }, say("desk.pair_hint")), manual,
      sure.map((each) => h("p", { class: "bad" }, say(`warning.${each.what}`, { game: each.game.filter(Boolean).join(" – ") }))),
      desk.act(say(sure.length ? "desk.pair_anyway" : "desk.pair_by_hand"), sure.length ? "grave" : "", async (button) => {
        const games = manual.value.split("\n").map((line) => line.match(/\d+/g)?.map(Number)).filter(Boolean).map(([one, other]) => [one, other ?? null]);
        const body = JSON.stringify({ games, sure: sure.length > 0 });
        const answer = await fetch(`${desk.path()}/pair`, { method: "POST", body, headers: { "content-type": "application/json", ...ours } });
        const told = await answer.json();
        if (answer.status === 409 && told.warnings) { sure = told.warnings; byHand = true; desk.show(); return false; }
        if (!answer.ok) { toast(told.error.detail); return false; }
        sure = []; byHand = null; manual.value = ""; desk.round = told.round;
        return true;
      })));
    form.open = Boolean(byHand);
    return form;
  }

  return (event) => {
    desk.round = Math.min(desk.round ?? event.rounds.length, event.rounds.length) || null;
    const shown = event.rounds[desk.round - 1];
    const picks = event.rounds.length > 1 ? h("div", { class: "row wrap rounds" }, event.rounds.map((each) => h("button", { class: "slim plain", "aria-pressed": String(each.number === desk.round), onclick: () => { desk.round = each.number; desk.editing = null; desk.show(); } }, roundTitle(event, each), each.done ? " ✓" : ""))) : null;
    const order = shown ? shown.games.map((game, place) => [game, place]).sort(([one], [other]) => (one.other === null) - (other.other === null) || byName(one.place ?? "~", other.place ?? "~")) : [];
    return h("section", { class: "panel stack" }, picks,
      shown ? [h("div", { class: "games" }, order.map(([game, place]) => gameRow(event, game, place))),
        h("p", { class: "quiet small" }, shown.by_hand ? say("desk.by_hand") : [say("desk.seed"), "：", h("code", {}, shown.seed)])] : h("p", { class: "none" }, say("desk.no_rounds")),
      manualPanel(event));
  };
}
