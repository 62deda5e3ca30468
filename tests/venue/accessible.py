"""A page's basics for keyboards, screen readers and weak eyes, looked for in the page itself.

``faults(page)`` lists what a serious finding would be: a control without a name (asked from the browser's own
accessibility tree), text without contrast (WCAG 2: 4.5, large text 3), an id that stands twice, a page without its
language, its heading or its main part, a page wider than its window.
"""

CONTROLS = {
    "button", "link", "textbox", "searchbox", "combobox", "checkbox", "spinbutton", "radio", "listbox", "image",
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
    const back = ground(each), front = over(rgb(style.color), back);
    const [hi, lo] = [light(front), light(back)].sort((one, other) => other - one);
    const ratio = (hi + 0.05) / (lo + 0.05), large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const line = `contrast ${ratio.toFixed(2)}: ${each.tagName}.${each.className} "${text.slice(0, 30)}"`;
    const kind = each.className + each.tagName;
    if (ratio < (large ? 3 : 4.5) && !told.has(kind)) found.push(line);
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
