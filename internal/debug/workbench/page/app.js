// The page: its views, what its address names, and the simulator behind them. Start here.

import { say } from "./dom.js";
import { tabs } from "./tabs.js";
import { open } from "./backend.js";
import { fill, settings } from "./settings.js";
import { encode, decode } from "./share.js";
import { folder, isNetwork } from "./folder.js";
import { ProgramView } from "./program.js";
import { KernelView } from "./kernel.js";
import { NetworkView } from "./network.js";

const views = {
  program: new ProgramView(document.getElementById("program")),
  kernel: new KernelView(document.getElementById("kernel")),
  network: new NetworkView(document.getElementById("network")),
};
const list = tabs(document.getElementById("views"), (id) => views[id]?.shown?.());

/** follow shows what the fragment of the address names. */
async function follow() {
  try {
    const { view = "program", state = {} } = (await decode(location.hash)) ?? {};
    if (state.core || state.properties) settings.set(state);
    const shown = views[view] ? view : "program";
    if (Object.keys(state).length > 0) views[shown].state = state;
    list.show(shown);
    if (shown === "program" && views.program.state.source === "") await views.program.example("dot");
  } catch (error) {
    say(error.message, true);
  }
}

/** serve offers the files of the folder that the page is served with, if there is one. */
async function serve() {
  try {
    const files = await folder();
    if (!files) return;
    for (const view of [views.program, views.network]) await view.serve(files);
    if (isNetwork(files.open) && !location.hash) location.hash = "#network";
  } catch (error) {
    say(error.message, true);
  }
}

async function share() {
  const shown = list.shown();
  history.replaceState(null, "", await encode(shown, { ...views[shown].state, ...settings.get() }));
  try {
    await navigator.clipboard.writeText(location.href);
    say("The address is in the clipboard; it has the source and the settings.");
  } catch {
    say("The address of the page has the source and the settings.");
  }
}

await Promise.all(Object.values(views).map((view) => view.open()));
await serve();
await follow();
addEventListener("hashchange", follow);
document.getElementById("share").addEventListener("click", share);
try {
  const backend = await open();
  await fill(backend);
  views.program.connect(backend);
  for (const view of [views.kernel, views.network]) view.connect(backend.whole);
  say("Ready.");
} catch (error) {
  say(`The simulator does not start: ${error.message}`, true);
}
document.documentElement.dataset.ready = "yes";
