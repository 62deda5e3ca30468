// One case opened: what happened, the evidence, the ruling with what it would change.
import { attempt, card, duration, h, language, person, post, rankText, say, toast } from "./core.js";

const known = ["trick", "level", "turn", "leader", "standing", "candidates", "touched", "settled", "reports", "warnings", "camera", "declared",
  "options", "sure", "earlier", "course", "deal", "ruleset", "ruleset_name", "reading_ms", "article", "what"];

const seconds = (value) => String(Math.round(value * 10) / 10);
const at = (t) => (t === null || t === undefined ? "" : ` (${duration(t)})`);

/** What was decided; a bare call accuses nobody, so none is let off: it has been dealt with. */
export const ruled = (each) => say(each.kind === "call" && each.ruling.verdict === "waive" ? "state.resolved" : `verdict.${each.ruling.verdict}`);

export function caseSheet(hall, id, close) {
  const inner = h("div", { class: "inner" });
  const element = h("div", { class: "sheet", role: "dialog", "aria-modal": "true", "aria-label": [say("push.table", { table: hall.cases.get(id)?.place ?? "" }), say(`kind.${hall.cases.get(id)?.kind}`)].join(" ") }, inner);
  element.addEventListener("keydown", (event) => event.key === "Escape" && close());
  let shown = "", previews = {};
  const note = h("input", { maxlength: 300, placeholder: say("case.note"), "aria-label": say("case.note") });

  async function preview(each) {
    for (const verdict of ["uphold", "waive"]) {
      const answer = await post(`/v1/cases/${each.id}/preview`, { verdict }).catch(() => null);
      previews[verdict] = answer?.preview ?? null;
    }
    draw();
  }

  function effect(verdict) {
    const change = previews[verdict];
    if (change === undefined) return "";
    if (change === null) return "";
    const moved = ["NS", "EW"].filter((side) => change.levels.before[side] !== change.levels.after[side])
      .map((side) => `${say(`side.${side}`)} ${rankText(change.levels.before[side])}→${rankText(change.levels.after[side])}`);
    const effects = change.penalties.map((penalty) => say(`effect.${penalty.effect}`));
    return [...new Set(effects), ...moved].join("，") || say("case.no_change");
  }

  const step = (each, what, button) => attempt(button, async () => {
    await post(`/v1/cases/${each.id}/${what}`, { note: note.value });
    note.value = "";
  });
  /** A ruling of one's own is what the note says: it is asked for, and read once more before it goes out. */
  async function ownRuling(each, button) {
    if (!note.value.trim()) { toast(say("case.other_needed")); note.focus(); note.scrollIntoView({ block: "center" }); return; }
    await attempt(button, async () => {
      const answer = await post(`/v1/cases/${each.id}/preview`, { verdict: "other" }).catch(() => null);
      previews.other = answer?.preview ?? null;
    });
    if (confirm(say("case.other_sure", { place: each.place, text: note.value.trim(), effect: effect("other") || say("case.no_change") }))) await rule(each, "other", button);
  }
  const rule = (each, verdict, button) => attempt(button, async () => {
    await post(`/v1/cases/${each.id}/ruling`, { verdict, note: note.value });
    note.value = "";
    toast(say("case.sent"));
  });

  function act(label, kind, work) {
    const button = h("button", { class: kind }, label);
    button.addEventListener("click", () => work(button));
    return button;
  }

  function rulings(each) {
    if (!each.match || !each.alerts.length || each.kind === "call" || (each.ruling && each.ruling.state !== "refused")) return null;
    const verdicts = ["uphold", "waive", ...(person.role === "chief" ? ["other"] : [])];
    return [h("h2", {}, say("case.ruling")), h("div", { class: "rulings" }, verdicts.map((verdict) => {
      const button = h("button", { class: verdict === "uphold" ? "main" : "" }, say(`verdict.${verdict}`), h("span", {}, verdict === "other" ? say("case.other_hint") : effect(verdict)));
      button.addEventListener("click", () => (verdict === "other" ? ownRuling(each, button) : rule(each, verdict, button)));
      return button;
    }))];
  }

  function steps(each) {
    const mine = each.taken.some((taker) => taker.person === person.id);
    return h("div", { class: "row wrap" },
      each.state !== "resolved" && !mine ? act(say("duty.take"), "main grow", (button) => step(each, "take", button)) : null,
      each.state !== "resolved" && (each.kind === "call" || !each.match || !each.alerts.length) ? act(say("case.resolve"), "main grow", (button) => step(each, "resolve", button)) : null,
      ["launched", "in_progress"].includes(each.state) ? act(say("case.defer"), "grow", (button) => step(each, "defer", button)) : null,
      mine && each.state === "in_progress" ? act(say("case.release"), "grow", (button) => step(each, "release", button)) : null,
      each.state === "resolved" && !each.ruling ? act(say("case.reopen"), "grow", (button) => step(each, "reopen", button)) : null,
      each.ruling && person.role === "chief" ? act(say("case.cancel"), "grave grow", (button) => {
        if (!note.value.trim()) { toast(say("case.reason_needed")); note.focus(); return; }
        attempt(button, () => post(`/v1/cases/${each.id}/cancel`, { why: note.value }));
      }) : null);
  }

  function trick(evidence) {
    if (!evidence.trick?.length) return null;
    return [h("h2", {}, say("case.trick")), h("div", { class: "trick" }, evidence.trick.map((entry, place) =>
      h("div", { class: `seat${place === evidence.trick.length - 1 ? " about" : ""}` }, h("b", {}, say(`seat.${entry.seat}`)),
        entry.kind === "pass" ? h("span", { class: "quiet" }, say("case.pass"), " · ", say(`pass_by.${entry.by}`))
          : h("span", {}, entry.cards.map((name) => card(name, evidence.level)),
            h("span", { class: "small quiet" }, entry.reading ? ` ${say(`combination.${entry.reading.type}`)}` : "")))))];
  }

  function facts(each) {
    const evidence = each.evidence ?? {};
    const rows = [
      ["what", evidence.what?.[language]],
      ["seat", each.seat && say(`seat.${each.seat}`)],
      ["certain", say(each.certain ? "case.sure" : "case.suspected")],
      ["level", evidence.level && `${rankText(evidence.level)}（${say("case.wild")} ♥${rankText(evidence.level)}）`],
      ["turn", evidence.turn && say(`seat.${evidence.turn}`)],
      ["standing", evidence.standing?.cards && h("span", {}, evidence.standing.cards.map((name) => card(name, evidence.level)))],
      ["touched", evidence.touched !== undefined && evidence.settled !== undefined && say("case.times", { touched: seconds(evidence.touched), settled: seconds(evidence.settled) })],
      ["read", evidence.sure !== undefined && say(evidence.sure ? "case.read_surely" : "case.read_unsurely")],
      ["options", evidence.options?.length && evidence.options.map((option) => h("div", {}, option.map((name) => card(name, evidence.level))))],
      ["candidates", evidence.candidates && evidence.candidates.map(([name, p]) => `${name} ${Math.round(p * 100)}%`).join("  ")],
      ["reports", evidence.reports?.length && evidence.reports.map((report) => `${say(`seat.${report.seat}`)} ${report.count}${at(report.t)}`).join("  ")],
      ["warnings", evidence.warnings?.length ? evidence.warnings.join("；") : null],
      ["earlier", evidence.earlier?.length && evidence.earlier.map((old) => h("div", {}, [say("case.in_deal", { n: old.deal }), old.seat && say(`seat.${old.seat}`), say(`kind.${old.kind}`), ...(old.penalty ?? []).map((effect) => say(`effect.${effect}`))].filter(Boolean).join(" · ")))],
      ["camera", evidence.camera && (evidence.camera === "ok" ? say("fleet.fine") : String(evidence.camera))],
      ["ruleset", evidence.ruleset && `${evidence.ruleset_name?.[language] ?? evidence.ruleset}${evidence.deal ? ` · ${say("case.in_deal", { n: evidence.deal })}` : ""}`],
      ["words", evidence.words],
      ["match", each.match && `${each.match} · ${each.alerts.join(", ")}`],
    ].filter(([, value]) => value);
    const other = Object.entries(evidence).filter(([name, value]) => !known.includes(name) && name !== "words" && typeof value !== "object");
    return h("dl", { class: "facts-list" }, rows.map(([name, value]) => [h("dt", {}, say(`case.${name}`)), h("dd", {}, value)]),
      other.map(([name, value]) => [h("dt", {}, name), h("dd", {}, String(value))]));
  }

  /** Clip and crops: a hand's breadth of proof, for referees' eyes. */
  function pictures(each) {
    if (!each.pictures?.length) return null;
    const shown = (file) => {
      const about = [file.kind && say(`picture.${file.kind}`), file.seat && say(`seat.${file.seat}`),
      ].filter(Boolean).join(" · ");
      const candidates = (file.candidates ?? []).filter(([, p]) => p >= 0.005).map(([name, p]) => [" ", card(name), ` ${Math.round(p * 100)}%`]);
      if (file.state !== "here") return h("figure", {}, h("div", { class: "missing" }, say(`picture.${file.state}`)), h("figcaption", {}, about, candidates));
      const address = `/v1/evidence/${file.sha256}`;
      const picture = file.type.startsWith("video/") ? h("video", { src: address, controls: true, playsinline: true, preload: "metadata" })
        : h("img", { src: address, alt: about, loading: "lazy" });
      return h("figure", { class: file.kind === "clip" ? "wide" : "" }, picture, h("figcaption", {}, about, candidates));
    };
    return [h("h2", {}, say("case.pictures")), h("div", { class: "pictures" }, each.pictures.map(shown))];
  }

  /** The deal's last lines, each with its time and how long the player took. */
  function course(evidence) {
    if (!evidence.course?.length) return null;
    let before = null;
    const lines = evidence.course.map((line) => {
      const took = line.t !== null && line.t !== undefined && before !== null ? `+${seconds(line.t - before)} s` : "";
      before = line.settled ?? line.t ?? before;
      return h("li", {}, h("time", {}, took), h("b", {}, line.seat ? say(`seat.${line.seat}`) : ""),
        line.cards ? h("span", {}, line.cards.map((name) => card(name, evidence.level)))
          : h("span", { class: "quiet" }, [say(`did.${line.do}`), line.count, line.by && say(`pass_by.${line.by}`)].filter(Boolean).join(" · ")));
    });
    return [h("h2", {}, say("case.course")), h("ul", { class: "history course" }, lines)];
  }

  function draw() {
    const each = hall.cases.get(id);
    if (!each) return close();
    const evidence = each.evidence ?? {};
    const focused = document.activeElement === note, inside = inner.contains(document.activeElement);
    inner.replaceChildren(
      h("header", { role: "none" }, h("button", { class: "slim plain", onclick: close, "aria-label": say("common.back") }, "‹ ", say("common.back")),
        h("span", { class: "place" }, each.place), h("span", { class: "grow" }, h("b", { class: each.certain ? "" : "suspected" }, say(`kind.${each.kind}`)), h("br"),
          h("span", { class: "small quiet" }, say(`state.${each.state}`), each.taken.length ? ` · ${each.taken.map((taker) => taker.name || "?").join("、")}` : "")),
        each.state === "resolved" ? null : h("b", { "data-since": each.rang }, duration(hall.now() - each.rang))),
      ...[rulings(each), each.ruling ? [h("h2", {}, say("case.ruled")), h("p", {}, each.ruling.by ? `${ruled(each)} · ${each.ruling.by}` : each.ruling.verdict === "waive" ? say("case.ended_at_table") : ruled(each), h("br"),
        h("span", { class: "quiet" }, say(`ruling.${each.ruling.state}`), each.ruling.why ? `：${each.ruling.why}` : "", each.ruling.note ? ` · ${each.ruling.note}` : ""))] : null,
      h("h2", {}, say("case.note")), note, h("div", { class: "stack" }, h("span"), steps(each)),
      pictures(each), trick(evidence), h("h2", {}, say("case.facts")), facts(each), course(evidence),
      each.rule || evidence.article ? [h("h2", {}, say("case.rule")), h("p", { class: "article" }, evidence.article?.[language] ?? each.rule)] : null,
      each.history.length ? [h("h2", {}, say("case.history")), h("ul", { class: "history" }, [{ what: "launched", at: each.opened, by: "", note: "" }, ...each.history].map((line) =>
        h("li", {}, h("time", {}, new Date(line.at * 1000).toLocaleTimeString("sv")), h("span", {}, say(`step.${line.what}`), line.by ? ` · ${line.by}` : "", line.note ? ` · ${line.note}` : ""))))] : null,
      ].flat(2).filter(Boolean));
    if (focused) note.focus();
    else if (inside) element.focus({ preventScroll: true }); // what was pressed is gone: a reader stays in the case
  }

  const first = hall.cases.get(id);
  if (first?.match && first.alerts.length && first.kind !== "call") preview(first);
  draw();
  return {
    element,
    update() {
      const now = JSON.stringify(hall.cases.get(id));
      if (now !== shown) { shown = now; draw(); }
    },
  };
}
