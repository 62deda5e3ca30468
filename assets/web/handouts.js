// What the venue hands to its tables: deck profiles, and releases two tables first; and how each table stands with it.
import { attempt, byName, get, h, ours, person, post, Refused, say, toast } from "./core.js";

const PIECE = 4 << 20;
const office = ["chief", "desk"].includes(person.role);
const may = { deck: office, release: person.role === "chief" };

/** A name for a file that stays the same when it is chosen again: what broke off goes on where it was. */
function sourceOf(file) {
  let one = 0x811c9dc5, other = 0x1000193;
  for (const letter of `${file.name}|${file.size}|${file.lastModified}`) {
    one = Math.imul(one ^ letter.codePointAt(0), 0x01000193) >>> 0;
    other = Math.imul(other ^ letter.codePointAt(0), 0x85ebca6b) >>> 0;
  }
  return one.toString(16).padStart(8, "0") + other.toString(16).padStart(8, "0");
}

async function sendPiece(kind, file, source, offset, piece) {
  const response = await fetch(`/v1/uploads/${kind}/${source}?offset=${offset}&size=${file.size}`, {
    method: "POST", headers: { ...ours, "content-type": "application/octet-stream" }, body: piece,
  });
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refused(body.error?.detail ?? say("common.failed"));
  return body;
}

async function bring(kind, file, progress) {
  const source = sourceOf(file);
  let answer = await sendPiece(kind, file, source, 0, new Blob([]));
  for (let tries = 0; !answer.file;) {
    const have = Math.min(answer.have, file.size - 1); // the last byte once more: only what comes is looked at
    progress(have / file.size);
    const next = await sendPiece(kind, file, source, have, file.slice(have, have + PIECE));
    tries = next.file || next.have > answer.have ? 0 : tries + 1;
    if (tries > 3) throw new Refused(say("common.failed"));
    answer = next;
  }
  return answer.file;
}

const open = (state) => ["queued", "sent", "shown"].includes(state);
const megabytes = (size) => (size < 1e6 ? `${Math.ceil(size / 1e3)} kB` : `${(size / 1e6).toFixed(1)} MB`);
const list = (places) => places.sort(byName).join(" ");

export class Handouts {
  constructor(hall, onchange) {
    this.hall = hall;
    this.onchange = onchange;
    this.known = { decks: [], releases: [], told: { deck: {}, release: {} }, events: [], house: null, first: 2 };
    this.decks = this.folder("decks");
    this.releases = this.folder("releases");
    this.element = h("div", { class: "handed" }, this.decks.element, this.releases.element);
  }

  async refresh() {
    this.known = await get("/v1/handouts").catch(() => this.known);
    this.render();
  }

  /** A panel that is closed at first: the tables come first, and its head says what one has to know. */
  folder(name) {
    const brief = h("span", { class: "quiet" }), worry = h("span", { class: "bad" }), body = h("div");
    const element = h("details", { class: "panel handouts" }, h("summary", {}, h("h2", {}, say(`fleet.${name}`)), brief, worry), body);
    return { element, brief, worry, body };
  }

  /** What a panel's head says: how many files, how many tables are on their way to one, how many would not. */
  head(folder, kind, files) {
    const told = Object.entries(this.known.told[kind]).filter(([, each]) => files.some((file) => file.sha256 === each.sha256) || (kind === "deck" && !each.sha256));
    const [coming, refused] = [told.filter(([, each]) => open(each.state)).length, told.filter(([, each]) => each.state === "refused").length];
    folder.brief.textContent = [files.length ? say("fleet.files", { n: files.length }) : "", coming ? say("fleet.coming", { n: coming }) : ""].filter(Boolean).join(" · ");
    folder.worry.textContent = refused ? say("fleet.refusing", { n: refused }) : "";
  }

  status(place) { return this.hall.presence.get(place)?.status ?? {}; }

  /** Tables that are with this file: they use it, are on their way to it, or would not have it. */
  stand(kind, file) {
    const field = kind === "deck" ? "deck" : "release", wanted = kind === "deck" ? file.sha256 : file.release;
    const using = [...this.hall.tables.keys()].filter((place) => this.status(place)[field] === wanted && this.hall.tables.get(place).device);
    const told = Object.entries(this.known.told[kind]).filter(([, each]) => each.sha256 === file.sha256);
    const coming = told.filter(([place, each]) => open(each.state) && !using.includes(place)).map(([place]) => place);
    const refused = told.filter(([, each]) => each.state === "refused");
    return h("div", { class: "small" },
      file.here ? null : h("p", { class: "bad" }, say("fleet.file_lost")),
      h("p", {}, using.length ? say("fleet.used_by", { tables: list(using) }) : h("span", { class: "quiet" }, say("fleet.used_by_none"))),
      coming.length ? h("p", { class: "coming" }, say("fleet.on_the_way", { tables: list(coming) })) : null,
      refused.map(([place, each]) => h("p", { class: "bad" }, say("fleet.refused_by", { table: place, why: each.why ?? "" }))));
  }

  hand(kind, file, all) {
    const path = `/v1/${kind === "deck" ? "decks" : "releases"}/${file.sha256 || "none"}/hand`;
    const send = (button, body) => attempt(button, async () => {
      const answer = await post(path, body);
      toast(say("fleet.handed", { n: answer.told.length }));
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      await this.refresh();
    });
    const tables = h("input", { class: "tables", placeholder: say("fleet.tables_hint"), "aria-label": say("fleet.tables_hint"), maxlength: 200 });
    const some = h("button", { class: "slim" }, say("fleet.hand_some"));
    some.addEventListener("click", () => send(some, { places: tables.value.split(/[,，、;\s]+/).filter(Boolean) }));
    const every = h("button", { class: "slim" }, say("fleet.hand_all"));
    every.addEventListener("click", () => send(every, {}));
    return h("div", { class: "row wrap" }, tables, some, all ? every : null, file.sha256 ? this.removing(kind, file) : null);
  }

  removing(kind, file) {
    const button = h("button", { class: "slim grave" }, say("fleet.remove"));
    button.addEventListener("click", () => {
      if (button.dataset.sure === undefined) { // a second press within a moment says that it was meant
        button.dataset.sure = "";
        button.textContent = say("fleet.remove_sure");
        setTimeout(() => { delete button.dataset.sure; button.textContent = say("fleet.remove"); }, 4000);
        return;
      }
      attempt(button, async () => {
        await post(`/v1/${kind === "deck" ? "decks" : "releases"}/${file.sha256}/remove`);
        button.blur();
        await this.refresh();
      });
    });
    return button;
  }

  adding(kind, accept) {
    const input = h("input", { type: "file", accept, hidden: true, "aria-label": say(`fleet.add_${kind}`) });
    const button = h("button", { class: "slim" }, say(`fleet.add_${kind}`));
    button.addEventListener("click", () => input.click());
    input.addEventListener("change", () => attempt(button, async () => {
      const file = input.files[0];
      if (!file) return;
      try {
        await bring(kind, file, (part) => { button.textContent = say("fleet.bringing", { n: Math.round(part * 100) }); });
      } finally {
        button.textContent = say(`fleet.add_${kind}`);
        input.value = "";
      }
      button.blur();
      await this.refresh();
    }));
    return [button, input];
  }

  render() {
    const { decks, releases, events, house, first } = this.known;
    this.decks.element.hidden = !may.deck && !decks.length;
    this.releases.element.hidden = !may.release && !releases.length;
    this.head(this.decks, "deck", decks);
    this.head(this.releases, "release", releases);
    if (!this.decks.body.contains(document.activeElement)) {
      this.decks.body.replaceChildren(...[
        h("p", { class: "quiet small" }, say("fleet.decks_how")),
        ...decks.map((file) => h("article", {},
          h("h3", {}, h("b", {}, file.name || file.sha256.slice(0, 8)), house?.sha256 === file.sha256 ? h("span", { class: "badge" }, say("fleet.for_all")) : null),
          h("p", { class: "quiet small" }, [say("fleet.faces", { n: file.faces }), file.proof?.right !== undefined ? say("fleet.proof", { right: file.proof.right, of: file.proof.right + (file.proof.asked ?? 0) + (file.proof.wrong ?? 0) }) : null,
            file.made, megabytes(file.size), file.place ? say("fleet.from_table", { table: file.place }) : file.by].filter(Boolean).join(" · ")),
          this.stand("deck", file), may.deck ? this.hand("deck", file, true) : null)),
        may.deck && decks.length ? h("article", {}, h("h3", {}, h("b", {}, say("fleet.common_cards")), house && !house.sha256 ? h("span", { class: "badge" }, say("fleet.for_all")) : null), this.hand("deck", { sha256: "" }, true)) : null,
        may.deck ? h("p", { class: "add" }, this.adding("deck", ".deck,.zip")) : null,
      ].filter(Boolean));
    }
    if (!this.releases.body.contains(document.activeElement)) {
      const held = events.length > 0;
      this.releases.body.replaceChildren(...[
        held ? h("p", { class: "held" }, say("fleet.held", { event: events[0] })) : h("p", { class: "quiet small" }, say("fleet.releases_how", { n: first })),
        ...releases.map((file) => h("article", {},
          h("h3", {}, h("b", {}, file.version), " ", h("span", { class: "quiet" }, file.release)),
          h("p", { class: "quiet small" }, [`Python ${file.python} · ${file.processor}`, new Date(file.made * 1000).toLocaleDateString(document.documentElement.lang), megabytes(file.size), file.by].filter(Boolean).join(" · ")),
          this.stand("release", file),
          may.release && !held ? this.hand("release", file, file.running.length >= Math.min(first, this.paired())) : null)),
        may.release ? h("p", { class: "add" }, this.adding("release", ".release")) : null,
      ].filter(Boolean));
    }
  }

  paired() { return [...this.hall.tables.values()].filter((each) => each.device).length; }

  /** Lines of a table's tile: the deck it reads with, the release it runs, how far it is with what it was told. */
  rows(place, status) {
    const rows = [];
    if (status.deck !== undefined) {
      const file = this.known.decks.find((each) => each.sha256 === status.deck);
      rows.push(["deck", status.deck === "" ? say("fleet.common_cards") : file ? file.name || status.deck.slice(0, 8) : say("fleet.own_deck"), false]);
    }
    for (const kind of ["deck", "release"]) {
      const told = this.known.told[kind][place];
      if (!told) continue;
      const word = kind === "release" && status.update && open(told.state) ? say(`fleet.update_${status.update}`) : say(`fleet.state_${told.state}`);
      const part = kind === "release" && status.update === "fetching" && status.fetched !== undefined ? ` ${status.fetched} %` : "";
      if (open(told.state) || told.state === "refused") rows.push([`handed_${kind}`, word + part, told.state === "refused"]);
    }
    return rows;
  }
}
