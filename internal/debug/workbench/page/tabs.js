// Tabs: a list of buttons of which one is chosen, each with a panel. Arrow keys, Home and End move between them.

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
