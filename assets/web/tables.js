// One table opened by a referee: what is on, an offence seen with one's own eyes, a line to the players, more time.
import { attempt, duration, h, lightText, post, rankText, say, seats, smallIndex, toast } from "./core.js";

const offences = ["out_of_turn", "not_a_combination", "does_not_beat", "exposed_card", "report_missed", "turn_time", "looked_back", "conduct"];

export function tableSheet(hall, place, close, openCase) {
  const inner = h("div", { class: "inner" });
  const element = h("div", { class: "sheet", role: "dialog", "aria-modal": "true", "aria-label": say("push.table", { table: place }) }, inner);
  element.addEventListener("keydown", (event) => event.key === "Escape" && close());
  const kind = h("select", { "aria-label": say("table.offence") }, offences.map((name) => h("option", { value: name }, say(`kind.${name}`))));
  const note = h("input", { maxlength: 300, placeholder: say("case.note") });
  const text = h("input", { maxlength: 120, placeholder: say("table.message_hint") });
  const send = (path, body, button, told) => attempt(button, async () => {
    await post(`/v1/tables/${encodeURIComponent(place)}/${path}`, body);
    toast(say(told));
  });
  function act(label, work, kindOf = "") {
    const button = h("button", { class: kindOf }, label);
    button.addEventListener("click", () => work(button));
    return button;
  }
  const head = h("div");
  const cases = h("div", { class: "stack" });
  const health = h("dl", { class: "facts-list health" });
  inner.append(
    h("header", { role: "none" }, h("button", { class: "slim plain", onclick: close }, "‹ ", say("common.back")), h("span", { class: "place" }, place), head),
    cases,
    h("h2", {}, say("table.offence")), h("div", { class: "stack" }, kind, note,
      h("div", { class: "row wrap" }, seats.map((seat) => act(say(`seat.${seat}`), async (button) => {
        await send("offence", { seat, kind: kind.value, note: note.value }, button, "table.offence_sent");
        note.value = "";
      }, "grow")))),
    h("h2", {}, say("table.message")), h("div", { class: "row" }, text, act(say("common.send"), async (button) => {
      await send("message", { text: text.value }, button, "table.message_sent");
      text.value = "";
    })),
    h("h2", {}, say("table.more")), h("div", { class: "row wrap" },
      act(say("table.extra", { n: 5 }), (button) => send("extra", { seconds: 300 }, button, "table.extra_sent")),
      act(say("table.blink"), (button) => send("blink", {}, button, "table.blink_sent"))),
    h("h2", {}, say("table.health")), health);

  /** Whether the table is heard, what it has not sent, how well its camera sees. */
  function fares() {
    const seen = hall.presence.get(place), status = seen?.status ?? {}, told = hall.tables.get(place)?.check_in;
    const rows = [
      ["contact", seen && seen.age !== null ? say("office.ago", { time: duration(seen.age) }) : null, seen?.silent],
      ["unsent", status.unsent ?? null, status.unsent > 0],
      ["index_px", status.index_px ? `${Math.round(status.index_px)} px` : null, smallIndex(status.index_px)],
      ["light", status.light ? lightText(status.light) : null, status.light && status.light !== "fine"],
      ["check_in", told?.sides.length ? told.sides.map((side) => say(`side.${side}`)).join("、") : null, false],
    ].filter(([, value]) => value !== null);
    return rows.length ? rows.map(([name, value, bad]) => [h("dt", {}, say(`office.${name}`)), h("dd", { class: bad ? "bad" : "" }, value)]) : [h("dt", {}, say("office.device")), h("dd", {}, say("fleet.free"))];
  }

  function update() {
    health.replaceChildren(...fares().flat());
    const each = hall.tables.get(place), board = each?.board;
    head.replaceChildren(board?.levels?.NS ? h("b", {}, h("span", { class: "ns" }, rankText(board.levels.NS)), " : ", h("span", { class: "ew" }, rankText(board.levels.EW))) : h("span", { class: "quiet" }, say("duty.no_match")));
    const open = [...hall.cases.values()].filter((other) => other.place === place && other.state !== "resolved");
    cases.replaceChildren(...open.map((other) => h("button", { onclick: () => openCase(other.id) }, say(`kind.${other.kind}`), " · ", say(`state.${other.state}`))));
  }
  update();
  return { element, update };
}
