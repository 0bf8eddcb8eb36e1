// Tabs: a list of buttons of which one is chosen, each with a panel. Arrow keys, Home and End move between them.

import { h } from "./dom.js";

/** tabbed makes a list of tabs, with a name, and by their ids the bodies of the panels: { id, title } each. */
export function tabbed(name, panels) {
  const list = h("div", { role: "tablist", "aria-label": name }, panels.map((p, i) =>
    h("button", { role: "tab", id: `tab-${p.id}`, "aria-controls": p.id, "aria-selected": String(i === 0), tabindex: i ? -1 : 0 }, p.title)));
  const bodies = Object.fromEntries(panels.map((p) =>
    [p.id, h("div", { role: "tabpanel", id: p.id, "aria-labelledby": `tab-${p.id}`, class: "panel" })]));
  return { list, bodies };
}

/** tabs makes a list of tabs work. chosen is called with the id of the panel that is shown. */
export function tabs(list, chosen = () => {}) {
  const all = [...list.querySelectorAll("[role=tab]")];
  const show = (id, focus = false) => {
    for (const tab of all) {
      const on = tab.getAttribute("aria-controls") === id;
      tab.setAttribute("aria-selected", on);
      tab.tabIndex = on ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = !on;
      if (on && focus) tab.focus();
    }
    chosen(id);
  };
  const steps = { ArrowRight: 1, ArrowLeft: -1, Home: -all.length, End: all.length };
  list.addEventListener("keydown", (event) => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = all.indexOf(document.activeElement);
    const to = Math.abs(step) === 1 ? (at + step + all.length) % all.length : Math.max(0, Math.min(all.length - 1, at + step));
    show(all[to].getAttribute("aria-controls"), true);
  });
  for (const tab of all) tab.addEventListener("click", () => show(tab.getAttribute("aria-controls")));
  return { show, shown: () => all.find((tab) => tab.getAttribute("aria-selected") === "true").getAttribute("aria-controls") };
}
