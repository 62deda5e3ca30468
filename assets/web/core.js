// What all pages share: words, elements, asking the venue, and following it.

const meta = (name) => document.querySelector(`meta[name="${name}"]`)?.content ?? "";
export const person = {
  id: meta("person"), name: meta("name"), role: meta("role"), csrf: meta("csrf"),
  zones: meta("zones") ? meta("zones").split("\t") : [],
};
export const language = document.documentElement.lang.startsWith("zh") ? "zh" : "en";
const words = await (await fetch(`/v1/words/${language}`)).json();

/** The words of `key` ("section.name"), with {values} filled in; the key itself where the catalogue is silent. */
export function say(key, values = {}) {
  const [section, name] = key.split(/\.(.*)/s);
  const text = words[section]?.[name] ?? name ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, field) => (field in values ? String(values[field]) : whole));
}

/** An element. Text is always text: nothing that comes from outside can become markup. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const space = "http://www.w3.org/2000/svg";
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(space, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.flat(3));
  return element;
}

export class Refused extends Error {}

async function answered(response) {
  const body = await response.json().catch(() => ({}));
  if (response.status === 401) location.assign("/enter");
  if (!response.ok) {
    throw Object.assign(new Refused(body.error?.detail ?? say("common.failed")), { code: body.error?.code }); // in the page's language
  }
  return body;
}

/** What every question says: that this page means it, and which language it is read in. */
export const ours = { "x-guandan-csrf": person.csrf, "x-guandan-language": language };
export const get = async (path) => answered(await fetch(path, { headers: { accept: "application/json", "x-guandan-language": language } }));
export async function post(path, body = {}) {
  const sent = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json", ...ours },
    body: JSON.stringify(body),
  });
  return answered(sent);
}

/** As `post`; where the venue asks whether that is meant, so is the person, and it is said again. False: it was not meant. */
export async function postSurely(path, body = {}) {
  try {
    return await post(path, body);
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== "doubts") throw error;
    return confirm(error.message) ? post(path, { ...body, sure: true }) : false;
  }
}

/** Show one sentence for a moment. */
export function toast(text) {
  document.querySelector(".toast")?.remove();
  const shown = h("div", { class: "toast", role: "status" }, text);
  document.body.append(shown);
  setTimeout(() => shown.remove(), 4000);
}

/** Do `work`; what the venue refuses is shown, not thrown. The button is dead meanwhile, so that nothing is sent twice. */
export async function attempt(button, work) {
  if (button) button.disabled = true;
  try {
    return await work();
  } catch (error) {
    toast(error instanceof Refused ? error.message : say("common.no_line"));
    return undefined;
  } finally {
    if (button) button.disabled = false;
  }
}

export const seats = ["N", "W", "S", "E"];
const suits = { S: "♠", H: "♥", C: "♣", D: "♦" };
/** A card as text on a small card; the wild of `level` is marked. */
export function card(name, level) {
  const joker = name === "SB" || name === "HR";
  const rank = joker ? say(`card.${name}`) : name[1] === "T" ? "10" : name[1];
  const red = name[0] === "H" || (name[0] === "D" && !joker);
  const wild = level && name === `H${level}`;
  return h("span", { class: `card${red ? " red" : ""}${wild ? " wild" : ""}` }, joker ? rank : suits[name[0]] + rank);
}

export const rankText = (rank) => (rank === "T" ? "10" : rank ?? "–");

/** How a table's camera sees: the index's height is too small to be read, the light in words. */
export const smallIndex = (px) => px < 20;
export const lightText = (light) => (["fine", "dark", "bright", "uneven"].includes(light) ? say(`light.${light}`) : String(light));

/** Seconds as 1:23 or 1:02:03. */
export function duration(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

export const byName = (one, other) => one.localeCompare(other, undefined, { numeric: true });

const SILENT_AFTER = 25_000;

/**
 * The hall, followed: whole objects by name, kept right by a stream that resumes where it was cut.
 * `onchange()` after anything changed; `state` is "connecting", "live" or "silent".
 */
export class Hall {
  constructor(onchange) {
    this.onchange = onchange;
    this.tables = new Map();
    this.cases = new Map();
    this.clocks = new Map();
    this.notice = { text: "", hidden: false };
    this.presence = new Map();
    this.desk = new Map();
    this.state = "connecting";
    this.offset = 0;
    this.position = null;
    this.heard = performance.now();
    this.wall = Date.now();
    this.connect();
    setInterval(() => this.watch(), 1000);
    for (const [target, name] of [[document, "visibilitychange"], [window, "pageshow"], [window, "online"]]) {
      target.addEventListener(name, () => document.visibilityState === "visible" && this.connect());
    }
  }

  /** Venue time now, in seconds. */
  now() { return Date.now() / 1000 + this.offset; }

  connect() {
    this.source?.close();
    const source = new EventSource(`/v1/stream${this.position === null ? "" : `?after=${this.position}`}`);
    this.source = source;
    this.since = performance.now();
    this.opened = false;
    source.onopen = () => { this.opened = true; };
    source.onerror = () => this.lost(source);
    source.addEventListener("snapshot", (event) => this.take(event, true));
    source.addEventListener("change", (event) => this.take(event, false));
    source.addEventListener("beat", (event) => this.beat(JSON.parse(event.data)));
    source.addEventListener("leave", () => location.assign("/enter"));
  }

  async lost(source) {
    if (source !== this.source || source.readyState !== EventSource.CLOSED) return;
    const answer = await fetch("/v1/snapshot").catch(() => null);
    if (answer?.status === 401) location.assign("/enter");
    setTimeout(() => source === this.source && this.connect(), 2000);
  }

  watch() {
    const now = performance.now();
    // a phone that slept: its timers stood still, and the stream may be dead without having said so
    const slept = Math.abs(Date.now() - this.wall - 1000) > 5000;
    this.wall = Date.now();
    if (slept || (!this.opened && now - this.since > 5000)) this.connect();
    const state = now - this.heard > SILENT_AFTER ? "silent" : this.state === "silent" ? "silent" : this.state;
    if (state !== this.state) {
      this.state = state;
      this.onchange();
    }
    if (this.state === "silent" && now - this.since > 5000) this.connect();
  }

  alive(time) {
    this.heard = performance.now();
    this.offset = time - Date.now() / 1000;
    this.state = "live";
  }

  beat(told) {
    this.alive(told.time);
    this.presence = new Map(told.presence.map((each) => [each.place, each]));
    this.onchange();
  }

  take(event, whole) {
    const told = JSON.parse(event.data);
    this.alive(told.time);
    if (whole) for (const map of [this.tables, this.cases, this.clocks]) map.clear();
    if (whole) this.desk.set("", told.position); // what was missed may be an event's as well
    for (const item of told.items) {
      if (item.gone) this.tables.delete(item.gone);
      else if (item.table) this.tables.set(item.table.place, item.table);
      else if (item.case) this.cases.set(item.case.id, item.case);
      else if (item.clock) this.clocks.set(item.clock.zone, item.clock);
      else if (item.notice) this.notice = item.notice;
      else if (item.desk) this.desk.set(item.desk, told.position);
    }
    this.position = told.position;
    this.onchange();
  }
}

/** The small sign that says whether what one sees is true now. */
export function lineSign(hall) {
  const sign = h("span", { class: "line", role: "status" });
  const show = () => {
    sign.dataset.state = hall.state;
    const text = say(`common.${hall.state}`);
    if (sign.textContent !== text) sign.textContent = text;
  };
  show();
  return [sign, show];
}

/** A link to this page in the other language. */
export function languageLink() {
  const other = language === "zh" ? "en" : "zh";
  // the same page with everything it was opened with: a board's zone, and an invitation's code behind the #
  const here = () => { const asked = new URLSearchParams(location.search); asked.set("lang", other); return `?${asked}${location.hash}`; };
  return h("a", { class: "button plain slim", href: here(), onclick: (event) => { event.currentTarget.href = here(); }, lang: other === "zh" ? "zh-CN" : "en" },
    other === "zh" ? "中文" : "English");
}
