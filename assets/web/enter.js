// The entrance: a link's code comes after the # and so never reaches a log; it is spent by pressing the button.
import { attempt, h, languageLink, post, say } from "./core.js";

const fromLink = decodeURIComponent(location.hash.slice(1));
const shared = fromLink.length <= 12; // a code that many read off a screen; a link for one person is far longer
const code = h("input", { name: "code", autocomplete: "off", autocapitalize: "characters", spellcheck: "false", required: true, value: fromLink });
const name = h("input", { name: "name", autocomplete: "name", maxlength: 40 });
const go = h("button", { class: "main", type: "submit" }, say("enter.go"));
const form = h("form", { class: "stack" },
  h("label", { hidden: Boolean(fromLink) }, h("span", {}, say("enter.code")), code),
  h("label", {}, h("span", {}, say("enter.name")), name),
  go);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(go, async () => {
    await post("/v1/enter", { code: code.value, name: name.value });
    history.replaceState(null, "", "/enter");
    location.assign("/");
  });
});
document.body.append(h("main", {},
  h("h1", {}, say("enter.title")),
  h("p", { class: "quiet" }, say(fromLink ? (shared ? "enter.with_shared" : "enter.with_link") : "enter.with_code")),
  form,
  h("div", { class: "row end" }, languageLink())));
(fromLink ? name : code).focus();
