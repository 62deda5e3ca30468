// A new event: pick one of the documents' events, or put one together; everything can still be changed here.
import { get, h, post, say } from "./core.js";

const chainNames = ["points", "head_to_head", "net_levels", "levels", "wins", "cumulative", "cumulative_without_first", "opponents", "lot"];

/** Prizes as people write them, "一等奖×1 二等奖×2", and back. */
const prizesText = (prizes) => prizes.map((each) => `${each.name}×${each.count}`).join("，");
const prizesOf = (text) => text.split(/[,，;；]+/).map((part) => part.trim().match(/^(.+?)\s*[×x*]\s*(\d+)$/)).filter(Boolean).map(([, name, count]) => ({ name, count: Number(count) }));

export function newPanel(desk) {
  let templates = null, chosen = null, rulesets = [];
  const title = h("input", { maxlength: 60 }), prizes = h("input", { maxlength: 300 }), consolation = h("input", { maxlength: 40 });
  const ruleset = h("select"), rounds = h("input", { type: "number", min: 1, max: 50 }), minutes = h("input", { type: "number", min: 0, max: 600 });
  const chain = h("input", { maxlength: 200 });
  const words = new Map(chainNames.map((name) => [say(`chain.${name}`), name]));

  function choose(template) {
    chosen = template;
    const { options } = template;
    title.value ||= template.name;
    prizes.value = prizesText(options.prizes);
    consolation.value = options.consolation ?? "";
    const wanted = options.ruleset ?? "national"; // one of a file of the organiser's own has no name here
    const known = rulesets.some((each) => each.id === wanted) ? rulesets : [...rulesets, { id: wanted, name: wanted }];
    ruleset.replaceChildren(...known.map((each) => h("option", { value: each.id, selected: each.id === wanted }, each.name)));
    const first = options.stages[0];
    rounds.value = first.rounds ?? "";
    minutes.value = first.minutes ?? 0;
    chain.value = (first.chain ?? ["points", "head_to_head", "net_levels", "cumulative", "opponents"]).map((name) => say(`chain.${name}`)).join("，");
    desk.show();
    title.focus();
    title.select();
  }

  async function create() {
    const wanted = chain.value.split(/[,，、]+/).map((text) => text.trim()).filter(Boolean).map((text) => words.get(text) ?? text);
    const stages = structuredClone(chosen.options.stages);
    const knockout = stages[0].format.includes("knockout");
    if (!knockout) stages[0].chain = wanted;
    if (rounds.value) stages[0].rounds = Number(rounds.value);
    for (const stage of stages) if (minutes.value && stage === stages[0]) stage.minutes = Number(minutes.value);
    const options = { stages, prizes: prizesOf(prizes.value), ruleset: ruleset.value };
    if (consolation.value) options.consolation = consolation.value;
    const told = await post("/v1/competitions", { title: title.value, template: chosen.id, options });
    title.value = "";
    chosen = null;
    desk.event = { id: told.id };
  }

  function card(template) {
    return h("button", { class: "plain template", type: "button", "aria-pressed": String(chosen === template), onclick: () => choose(template) },
      h("b", {}, template.name), h("span", {}, template.text));
  }

  return () => {
    if (templates === null) {
      templates = [];
      get("/v1/templates").then((told) => { ({ templates, rulesets } = told); desk.show(); });
    }
    const knockout = chosen?.options.stages[0].format.includes("knockout");
    return h("section", { class: "panel stack" }, h("h2", {}, say("desk.choose")), h("div", { class: "templates" }, (chosen ? [chosen] : templates).map(card),
      chosen ? h("button", { class: "plain", type: "button", onclick: () => { chosen = null; title.value = ""; desk.show(); } }, say("desk.choose_other")) : null),
      chosen ? h("form", { class: "stack", onsubmit: (event) => event.preventDefault() },
        desk.field("desk.title", title),
        h("details", {}, h("summary", {}, say("desk.details")), h("div", { class: "stack" },
          h("div", { class: "row wrap" }, desk.field("desk.rounds", rounds), desk.field("office.minutes", minutes), desk.field("desk.ruleset", ruleset)),
          knockout ? null : desk.field("desk.chain", chain), desk.field("desk.prizes", prizes), desk.field("desk.consolation", consolation))),
        desk.act(say("desk.create"), "main", create)) : null);
  };
}
