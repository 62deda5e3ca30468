// The list of entrants: read in, corrected, checked in, withdrawn; whole events' winners taken over.
import { attempt, get, h, ours, post, say, toast } from "./core.js";

export function entriesPanel(desk) {
  const text = h("textarea", { "aria-label": say("desk.entries"), rows: 6 });
  const file = h("input", { type: "file", accept: ".csv,.txt,.xlsx", "aria-label": say("desk.file") });
  const find = h("input", { type: "search", placeholder: say("desk.find"), "aria-label": say("desk.find") });
  const best = h("input", { type: "number", min: 1, max: 64, value: 1, "aria-label": say("desk.best") });
  const from = h("select", { "aria-label": say("desk.from") });
  const list = h("div");
  let editing = null, others = [];
  find.addEventListener("input", () => rows(desk.event));

  async function enter() {
    const body = file.files[0] ?? new Blob([text.value]);
    const named = file.files[0] ? `?file=${encodeURIComponent(file.files[0].name)}` : "";
    const answer = await fetch(`${desk.path()}/entries${named}`, { method: "POST", body, headers: ours });
    const told = await answer.json();
    if (!answer.ok) { toast(told.error.detail); return; }
    toast([say("desk.entered", { n: told.entered }), told.aside ? say("desk.aside_kept", { n: told.aside }) : ""].filter(Boolean).join("，"));
    text.value = file.value = "";
  }

  /** Lines that wait for a person's word: what is doubtful, mended or confirmed here, or left out. */
  function waiting(event) {
    const row = (each) => {
      const names = Array.from({ length: event.entry === "pairs" ? 2 : 1 }, (_, n) => h("input", { value: each.names[n] ?? "", maxlength: 40, placeholder: say(n ? "desk.name2" : "desk.name1"), "aria-label": say(n ? "desk.name2" : "desk.name1") }));
      const club = h("input", { value: each.club, maxlength: 40, placeholder: say("desk.club"), "aria-label": say("desk.club") });
      return h("div", { class: "aside" }, each.doubts.length ? each.doubts.map((doubt) => h("p", { class: "bad" }, say(`doubt.${doubt.what}`, doubt))) : h("p", { class: "quiet" }, say("desk.aside_clear", { line: each.line })),
        h("div", { class: "row wrap" }, names, club,
          desk.act(say("desk.aside_enter"), "", () => post(`${desk.path()}/entries/settle`, { aside: each.id, names: names.map((input) => input.value.trim()).filter(Boolean), club: club.value, team: each.team })),
          desk.act(say("desk.aside_drop"), "plain", () => post(`${desk.path()}/entries/drop`, { asides: [each.id] }))));
    };
    if (!event.aside.length) return null;
    return h("section", { class: "stack asides", "aria-label": say("desk.aside_title", { n: event.aside.length }) }, h("h3", {}, say("desk.aside_title", { n: event.aside.length })), event.aside.map(row),
      event.aside.length > 1 ? desk.act(say("desk.aside_drop_all"), "slim plain", async () => {
        if (!confirm(say("desk.aside_drop_sure", { n: event.aside.length }))) return false;
        return post(`${desk.path()}/entries/drop`, { asides: event.aside.map((each) => each.id) });
      }) : null);
  }

  function editor(each) {
    const names = each.names.map((name) => h("input", { value: name, maxlength: 40, "aria-label": say("desk.name1") }));
    const club = h("input", { value: each.club, maxlength: 40, placeholder: say("desk.club"), "aria-label": say("desk.club") });
    const team = h("input", { value: each.team, maxlength: 40, placeholder: say("desk.team"), "aria-label": say("desk.team") });
    return h("tr", {}, h("td", { colspan: 5 }, h("div", { class: "row wrap" }, names, club, team,
      desk.act(say("desk.save"), "main", async () => { await post(`${desk.path()}/entries/edit`, { number: each.number, names: names.map((input) => input.value), club: club.value, team: team.value }); editing = null; }),
      desk.act(say("desk.remove"), "grave", async () => { await post(`${desk.path()}/entries/remove`, { number: each.number }); editing = null; }))));
  }
  function substituteEditor(each) {
    const out = h("select", { "aria-label": say("desk.goes") }, each.names.map((name) => h("option", { value: name }, name)));
    const name = h("input", { maxlength: 40, placeholder: say("desk.comes"), "aria-label": say("desk.comes") });
    const why = h("input", { maxlength: 200, placeholder: say("desk.reason_short"), "aria-label": say("desk.reason_short") });
    return h("tr", {}, h("td", { colspan: 5 }, h("div", { class: "row wrap" }, out, "→", name, why,
      desk.act(say("desk.substitute"), "main", async () => { await post(`${desk.path()}/substitute`, { number: each.number, out: out.value, name: name.value, why: why.value }); editing = null; }),
      desk.act(say("desk.withdraw"), "grave", async () => {
        if (!confirm(say("desk.withdraw_sure", { title: each.title }))) return false;
        await post(`${desk.path()}/withdraw`, { number: each.number, why: why.value });
        editing = null;
        return true;
      }))));
  }

  function row(each) {
    const open = !desk.event.rounds.length && !desk.event.partners_seed;
    const here = h("button", { class: `slim plain here${each.here ? " yes" : ""}`, role: "checkbox", "aria-checked": String(each.here), "aria-label": `${say("desk.check_in")}: ${each.title}` }, each.here ? "✓" : say("desk.check_in"));
    here.addEventListener("click", () => attempt(here, async () => { await post(`${desk.path()}/checkin`, { numbers: [each.number], here: !each.here }); each.here = !each.here; rows(desk.event); }));
    const more = each.withdrawn !== null ? desk.act(say("desk.come_back"), "slim plain", () => post(`${desk.path()}/return`, { number: each.number }))
      : h("button", { class: "slim plain", "aria-expanded": String(editing === each.number), onclick: () => { editing = editing === each.number ? null : each.number; rows(desk.event); } }, say(open ? "desk.edit" : "desk.change"));
    const colour = each.colour ? h("span", { class: `tag ${each.colour}` }, each.tag, " ", say(`colour.${each.colour}`)) : null;
    return [h("tr", { class: each.withdrawn !== null ? "gone" : "" }, h("td", { class: "number" }, each.number), h("td", {}, each.title, " ", colour), h("td", { class: "club" }, each.club),
      h("td", {}, each.withdrawn !== null ? say("desk.withdrawn") : here), h("td", { class: "number" }, more)),
    editing === each.number ? (open ? editor(each) : substituteEditor(each)) : null];
  }
  function rows(event) {
    const wanted = find.value.trim().toLowerCase();
    const shown = event.entrants.filter((each) => !wanted || `${each.number} ${each.title} ${each.names.join(" ")} ${each.club}`.toLowerCase().includes(wanted));
    list.replaceChildren(h("table", { class: "entrants" }, h("thead", {}, h("tr", {}, h("th", { class: "number" }, say("desk.number")), h("th", {}, say("desk.entrant")), h("th", { class: "club" }, say("desk.club")), h("th", {}, say("desk.check_in")), h("th", {}, say("desk.change")))),
      h("tbody", {}, shown.flatMap(row).filter(Boolean))));
  }

  function winnersOf(event) {
    const after = event.options.template ? { "teahouse-month": "teahouse-week", "teahouse-year": "teahouse-month" }[event.options.template] : null;
    get("/v1/competitions").then((told) => {
      const found = told.competitions.filter((each) => each.id !== event.id && each.finished).sort((one, other) => Number(other.template === after) - Number(one.template === after));
      if (found.map((each) => each.id).join() === others.join()) return;
      others = found.map((each) => each.id);
      from.replaceChildren(...found.map((each) => h("option", { value: each.id }, each.title)));
      desk.show();
    });
    return others.length ? h("details", {}, h("summary", {}, say("desk.from")), h("div", { class: "row wrap" }, desk.field("desk.from", from), desk.field("desk.best", best, ""),
      desk.act(say("desk.take_over"), "", async () => toast(say("desk.entered", { n: (await post(`${desk.path()}/entries/from`, { competition: from.value, best: Number(best.value) })).entered }))))) : null;
  }

  /** Before the first draw, once some have checked in: those who have not are left out with one press. */
  function absent(event) {
    const playing = event.entrants.filter((each) => each.withdrawn === null), missing = playing.filter((each) => !each.here);
    if (event.rounds.length || !missing.length || missing.length === playing.length) return null;
    return desk.act(say("desk.absent_out", { n: missing.length }), "plain", () => confirm(say("desk.absent_out_sure", { names: missing.slice(0, 12).map((each) => each.title).join("，") }))
      && post(`${desk.path()}/withdraw`, { numbers: missing.map((each) => each.number), why: say("desk.not_here") }));
  }

  return (event) => {
    const open = (!event.rounds.length && !event.partners_seed) || event.latecomers;
    text.placeholder = event.latecomers ? say("desk.late_hint") : say(event.entry === "pairs" ? "desk.entries_hint" : "desk.singles_hint");
    rows(event);
    return h("section", { class: "panel stack" }, h("h2", {}, `${say("desk.entries")} · ${event.entrants.length}`),
      open ? [text, h("div", { class: "row wrap" }, h("div", { class: "grow" }, file), desk.act(say("desk.add_entries"), event.entrants.length < 2 ? "main" : "", enter)), event.rounds.length ? null : winnersOf(event), waiting(event)] : null,
      event.entrants.length ? [h("div", { class: "row wrap" }, h("div", { class: "grow" }, find),
        desk.act(say("desk.all_here"), "plain", () => post(`${desk.path()}/checkin`, { numbers: event.entrants.map((each) => each.number), here: true })), absent(event)), h("div", { class: "scroll" }, list)] : null);
  };
}
