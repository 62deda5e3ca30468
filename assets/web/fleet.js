// The fleet: one tile a table, the worst first, so that an installer sees at a glance which one to walk to.
import { attempt, byName, duration, get, Hall, h, languageLink, lightText, lineSign, person, post, say, smallIndex, toast } from "./core.js";
import { Handouts } from "./handouts.js";

const hall = new Hall(render);
const [line, showLine] = lineSign(hall);
const main = h("main", { class: "tiles" });
const sum = h("p", { class: "quiet sum" });
let devices = [];
const handouts = new Handouts(hall);

document.body.append(h("header", { class: "bar" }, h("h1", {}, say("pages.fleet")), line,
  h("nav", {}, [...(person.role === "referee" ? [] : ["office", "desk", "board"]), ...(["referee", "chief"].includes(person.role) ? ["duty"] : [])].map((page) => h("a", { class: "button plain slim", href: `/${page}` }, say(`pages.${page}`)))), languageLink()), sum, handouts.element, main);

/** What is measured, how it is shown, and when it is worth a walk. */
const gauges = [
  ["index_px", (value) => `${Math.round(value)} px`, smallIndex],
  ["light", lightText, (value) => value !== "fine"],
  ["temperature", (value) => `${Math.round(value)} °C`, (value) => value >= 75],
  ["undervoltage", (value) => say(value ? "fleet.low" : "fleet.fine"), (value) => value === true],
  ["wifi", (value) => `${value} dBm`, (value) => value < -75],
  ["disk", (value) => `${value} GB`, (value) => value < 2],
  ["asks_per_deal", (value) => value.toFixed(1), (value) => value >= 3],
  ["version", (value) => value, () => false],
  ["release", (value) => value, () => false],
];

function state(place, seen, device) {
  if (!device) return "free";
  if (!seen || seen.silent) return "silent";
  const status = seen.status ?? {};
  return gauges.some(([name,, bad]) => status[name] !== undefined && bad(status[name])) || status.unsent > 20 ? "worry" : "fine";
}

function tile(each, device) {
  const seen = hall.presence.get(each.place), status = seen?.status ?? device?.status ?? {}, how = state(each.place, seen, device);
  const blink = h("button", { class: "slim" }, say("table.blink"));
  blink.addEventListener("click", () => attempt(blink, async () => { await post(`/v1/tables/${encodeURIComponent(each.place)}/blink`); toast(say("table.blink_sent")); }));
  const shown = gauges.filter(([name]) => status[name] !== undefined && status[name] !== "" && !(name === "version" && status.release));
  return h("section", { class: `tile ${how}`, id: `table-${each.place}` },
    h("header", {}, h("b", { class: "place" }, each.place), h("span", { class: "quiet" }, each.zone), h("span", { class: "how" }, say(`fleet.${how}`))),
    device ? h("p", {}, device.name, " · ", seen && seen.age !== null ? say("office.ago", { time: duration(seen.age) }) : "–", " · ",
      h("span", { class: status.unsent ? "bad" : "" }, say("fleet.unsent", { n: status.unsent ?? "–" }))) : null,
    h("dl", {}, shown.map(([name, text, bad]) => [h("dt", {}, say(`fleet.${name}`)), h("dd", { class: bad(status[name]) ? "bad" : "" }, text(status[name]))]),
      device ? handouts.rows(each.place, status).map(([name, text, bad]) => [h("dt", {}, say(`fleet.${name}`)), h("dd", { class: bad ? "bad" : "" }, text)]) : null),
    device && !seen?.silent ? blink : null);
}

function render() {
  showLine();
  const held = new Map(devices.filter((each) => each.lease === "held").map((each) => [each.place, each]));
  const worst = { silent: 0, worry: 1, fine: 2, free: 3 };
  const how = (each) => state(each.place, hall.presence.get(each.place), held.get(each.place));
  const tables = [...hall.tables.values()].filter((each) => !person.zones.length || person.zones.includes(each.zone))
    .sort((one, other) => worst[how(one)] - worst[how(other)] || byName(one.place, other.place));
  if (!main.contains(document.activeElement)) main.replaceChildren(...tables.map((each) => tile(each, held.get(each.place))));
  const count = (name) => tables.filter((each) => how(each) === name).length;
  sum.textContent = ["fine", "worry", "silent", "free"].map((name) => `${say(`fleet.${name}`)} ${count(name)}`).join(" · ");
}

async function refresh() {
  devices = (await get("/v1/devices").catch(() => ({ devices }))).devices;
  await handouts.refresh();
  render();
}
setInterval(render, 2000);
setInterval(refresh, 10_000);
refresh();
