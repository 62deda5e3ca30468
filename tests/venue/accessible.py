"""A page's basics for keyboards, screen readers and weak eyes, looked for in the page itself.

``faults(page)`` lists what a serious finding would be: a control or a dialog without a name (asked from the browser's
own accessibility tree), text without contrast (WCAG 2: 4.5, large text 3), an id that stands twice, a page without its
language, its heading or its main part, a page wider than its window; one control inside another, a control that is
hidden from screen readers only, a focus order of its own, a list that holds something else than its items, a part that
scrolls and that no key reaches, a control too small for a finger (WCAG 2.2: 24 pixels).
"""

CONTROLS = {
    "button", "link", "textbox", "searchbox", "combobox", "checkbox", "spinbutton", "radio", "listbox", "image", "tab",
    "dialog", "alertdialog",
}  # fmt: skip

_LOOK = r"""
(() => {
  const found = [];
  const rgb = (text) => { const n = text.match(/[\d.]+/g).map(Number); return { c: n.slice(0, 3), a: n[3] ?? 1 }; };
  const over = (top, below) => top.c.map((value, at) => value * top.a + below[at] * (1 - top.a));
  const light = (c) => {
    const [r, g, b] = c.map((v) => v / 255).map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (each) => {
    const layers = [];
    for (let at = each; at; at = at.parentElement) {
      const colour = rgb(getComputedStyle(at).backgroundColor);
      if (colour.a > 0) layers.push(colour);
      if (colour.a === 1) break;
    }
    return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255]);
  };
  const told = new Set();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const each = node.parentElement, text = node.textContent.trim();
    if (!text || !each.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) continue;
    if (each.closest(":disabled, noscript, option")) continue;
    const style = getComputedStyle(each), size = parseFloat(style.fontSize);
    let shown = 1; // what is faded has less contrast than its colour says
    for (let at = each; at; at = at.parentElement) shown *= Number(getComputedStyle(at).opacity);
    const back = ground(each), colour = rgb(style.color), front = over({ c: colour.c, a: colour.a * shown }, back);
    const [hi, lo] = [light(front), light(back)].sort((one, other) => other - one);
    const ratio = (hi + 0.05) / (lo + 0.05), large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const line = `contrast ${ratio.toFixed(2)}: ${each.tagName}.${each.className} "${text.slice(0, 30)}"`;
    const kind = each.className + each.tagName;
    if (ratio >= (large ? 3 : 4.5) || told.has(kind)) continue;
    found.push(line);
    told.add(kind);
  }
  const ids = [...document.querySelectorAll("[id]")].map((each) => each.id);
  for (const id of new Set(ids.filter((id, at) => ids.indexOf(id) !== at))) found.push(`id twice: ${id}`);
  if (!document.documentElement.lang) found.push("no language");
  if (!document.title) found.push("no title");
  if (!document.querySelector("h1")) found.push("no h1");
  if (!document.querySelector("main, [role=main]")) found.push("no main part");
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth + 1) found.push(`wider than the window: ${wide}`);
  for (const each of document.querySelectorAll("img:not([alt])")) found.push(`picture without words: ${each.src}`);
  const seen = (each) => each.checkVisibility({ checkVisibilityCSS: true });
  const all = (which, within = document) => [...within.querySelectorAll(which)].filter(seen);
  const word = (each) => `${each.tagName}.${each.className} "${each.innerText?.slice(0, 20) ?? ""}"`;
  const pressed = "button, a[href], summary, [role=button], [role=checkbox], [role=tab]";
  const control = `${pressed}, input, select, textarea, [tabindex]`;
  for (const each of all(`${pressed}, [aria-hidden=true]`)) {
    for (const inner of all(control, each)) found.push(`${word(inner)} inside ${word(each)}`);
  }
  for (const each of all("[tabindex]")) if (each.tabIndex > 0) found.push(`an order of its own: ${word(each)}`);
  for (const [list, item] of [["ul, ol", "li"], ["dl", "dt, dd, div"], ["[role=tablist]", "[role=tab]"]]) {
    const others = all(list).flatMap((each) => [...each.children]).filter((each) => !each.matches(item));
    for (const each of others) found.push(`no item of its list: ${word(each)}`);
  }
  const rolls = (how, whole, part) => /auto|scroll/.test(how) && whole > part + 2;
  for (const each of all("body *")) {
    const style = getComputedStyle(each);
    const scrolls = rolls(style.overflowX, each.scrollWidth, each.clientWidth)
      || rolls(style.overflowY, each.scrollHeight, each.clientHeight);
    const reached = each.tabIndex >= 0 || all(control, each).length;
    if (scrolls && !reached) found.push(`scrolls out of reach: ${word(each)}`);
  }
  for (const each of all(`${pressed}, input, select`)) {
    const { width, height } = (each.closest("label") ?? each).getBoundingClientRect();
    const inText = each.tagName === "A" && getComputedStyle(each).display === "inline";
    const small = width && height && Math.min(width, height) < 24;
    if (small && !inText) found.push(`too small, ${Math.round(width)} x ${Math.round(height)}: ${word(each)}`);
  }
  return found;
})()
"""


def faults(page):
    """What is wrong with *page* as it stands, one line each; empty when nothing serious is."""
    found = page.run(_LOOK)
    for node in page.call("Accessibility.getFullAXTree")["nodes"]:
        role = node.get("role", {}).get("value")
        if node.get("ignored") or role not in CONTROLS:
            continue
        if not str(node.get("name", {}).get("value") or "").strip():
            found.append(f"a {role} without a name")
    return found
