// The core and the properties that all views use, and the flags that they are for the command.

import { h } from "./dom.js";
import { json } from "./command.js";

const core = document.getElementById("core");
const properties = document.getElementById("properties");
const listeners = [];

/** fill offers the cores and boards that the command knows. */
export async function fill(backend) {
  const { cores } = await json(backend, ["cores", "--json"]);
  const chosen = core.value || "em9d";
  for (const [kind, title] of [["template", "Cores"], ["board", "Boards"]]) {
    core.append(h("optgroup", { label: title }, cores.filter((c) => c.kind === kind).map((c) => h("option", { value: c.name, title: c.summary }, c.name))));
  }
  core.value = chosen;
}

/** list is the properties as the command takes them, NAME=VALUE each. */
const list = () => properties.value.split(/[\s,]+/).filter(Boolean);

export const settings = {
  get: () => ({ core: core.value, properties: list() }),

  set({ core: name = "em9d", properties: texts = [] }) {
    if (name === core.value && texts.join(" ") === properties.value) return;
    if (![...core.options].some((o) => o.value === name)) core.append(h("option", { value: name }, name)); // before the list has come
    core.value = name;
    properties.value = texts.join(" ");
    changed();
  },

  flags: () => ["--core", core.value, ...list().flatMap((text) => ["-p", text])],

  onChange: (listener) => listeners.push(listener),
};

function changed() {
  for (const listener of listeners) listener();
}

core.addEventListener("change", changed);
properties.addEventListener("change", changed);
document.getElementById("settings").addEventListener("submit", (event) => event.preventDefault());
