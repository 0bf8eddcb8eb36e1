// The view of a network: a .tflite file or a network of the project runs on the core; its layers with their cycles and what
// they lose, the memories it fills, the page that the command writes of it, and a way from each layer to its kernel.

import { h, say, number, tiles, table } from "./dom.js";
import { tabbed, tabs } from "./tabs.js";
import { Work } from "./work.js";
import { collect, reason } from "./command.js";
import { settings } from "./settings.js";
import { encode } from "./share.js";
import { isNetwork } from "./folder.js";
import { networks } from "./examples.js";

const page = "network.html";
const largest = 64 << 20; // bytes of a file

/** plain is a name of a file that needs no care. */
const plain = (name) => name.replace(/[^\w.-]/g, "_").replace(/^-/, "_");

const panels = [{ id: "network-layers", title: "Layers" }, { id: "network-memory", title: "Memory" }, { id: "network-report", title: "Report" }];

export class NetworkView {
  #file = null; // { name, data } that was dropped
  #ran = ""; // what the view shows, as a command line

  constructor(root) {
    this.choice = h("select", { id: "network-name", onchange: () => this.#choose(this.choice.value).catch((error) => say(error.message, true)) },
      h("option", { value: "" }, "a file"), networks.map((n) => h("option", { value: n.name }, `${n.name}: ${n.title}`)));
    this.input = h("input", { type: "file", id: "network-file", accept: ".tflite,.tosa", class: "hidden", onchange: () => this.#take(this.input.files[0]) });
    this.buttons = [
      h("button", { id: "network-run", class: "main", disabled: true, onclick: () => this.run() }, "Run"),
      h("button", { id: "network-stop", disabled: true, onclick: () => { if (this.work.stop()) say("Stopped."); } }, "Stop"),
    ];
    this.work = new Work((busy) => { this.buttons[1].disabled = !busy; });
    this.drop = h("label", { class: "drop card", for: "network-file" }, "Drop a .tflite file here, or choose one. It stays on this machine.", this.input);
    this.numbers = h("div", { id: "network-numbers" });
    this.verdict = h("p", { class: "place", id: "network-verdict" });
    const { list, bodies } = tabbed("Parts of the network", panels);
    this.layers = h("div", { class: "card tall", tabindex: 0, role: "group", "aria-label": "Layers" });
    this.memory = h("div", { class: "card tall", tabindex: 0, role: "group", "aria-label": "Memory" });
    this.frame = h("iframe", { title: "Report of the network", sandbox: "allow-scripts" });
    bodies["network-layers"].append(this.layers);
    bodies["network-memory"].append(this.memory);
    bodies["network-report"].append(this.frame);
    root.append(h("div", { class: "tools" }, h("label", {}, "Network ", this.choice), this.buttons), this.drop, this.numbers, this.verdict,
      h("div", { class: "results" }, list, Object.values(bodies)));
    tabs(list).show("network-layers");
    for (const name of ["dragover", "drop"]) root.addEventListener(name, (event) => event.preventDefault());
    root.addEventListener("dragover", () => this.drop.classList.add("over"));
    root.addEventListener("dragleave", () => this.drop.classList.remove("over"));
    root.addEventListener("drop", (event) => this.#take(event.dataTransfer.files[0]));
    this.#show(null);
  }

  async open() {}

  connect(backend) {
    this.backend = backend;
    this.buttons[0].disabled = false;
    settings.onChange(() => { if (this.#ran) this.run(); });
    if (this.choice.value) this.run();
  }

  /** serve offers the networks of a folder, and chooses the one that was named. */
  async serve(folder) {
    this.folder = folder;
    this.choice.append(h("optgroup", { label: "Files" }, folder.names.filter(isNetwork).map((n) => h("option", { value: `file:${n}` }, n))));
    if (isNetwork(folder.open)) await this.#choose(`file:${folder.open}`);
  }

  get state() {
    return { network: this.choice.value };
  }

  set state({ network = "" }) {
    if (networks.some((n) => n.name === network)) this.#choose(network);
  }

  async #choose(name) {
    this.choice.value = name;
    if (name.startsWith("file:")) {
      const file = name.slice("file:".length);
      this.#file = { name: plain(file), data: await this.folder.read(file) };
    }
    if (name && this.backend) this.run();
  }

  async #take(file) {
    this.drop.classList.remove("over");
    if (!file) return;
    if (file.size > largest) {
      say(`${file.name} has ${number(file.size)} bytes, at most ${number(largest)} are read.`, true);
      return;
    }
    this.#file = { name: plain(file.name), data: new Uint8Array(await file.arrayBuffer()) };
    this.choice.value = "";
    this.drop.firstChild.data = `${file.name}, ${number(file.size)} bytes. Drop another one here, or choose one.`;
    this.run();
  }

  async run() {
    if (!this.backend) return;
    const own = this.choice.value === "" || this.choice.value.startsWith("file:");
    if (own && !this.#file) {
      say("Drop a network first, or choose one of the list.", true);
      return;
    }
    this.work.stop();
    this.#show(null);
    const name = own ? this.#file.name : this.choice.value;
    const argv = ["model", "bench", "--json", "--placed", "--html", page, ...settings.flags(), name];
    this.#ran = argv.join(" ");
    say(`${name} runs; every layer is compared with its golden function.`);
    const { out, err, files } = await this.work.until(collect(this.backend, argv, own ? { [name]: this.#file.data } : {}));
    if (!out) {
      this.verdict.textContent = reason(err);
      this.verdict.className = "place bad";
      say(reason(err).split("\n")[0], true);
      return;
    }
    this.#show(JSON.parse(out)[0], reason(err));
    this.frame.srcdoc = files[page] ? new TextDecoder().decode(files[page]) : "";
  }

  #show(result, notes = "") {
    const text = (n) => (result ? number(n) : "–");
    const v = result?.verdict;
    this.numbers.replaceChildren(tiles([
      { value: text(result?.cycles), label: "cycles" }, { value: v ? v.ms.toFixed(2) : "–", label: v ? `ms at ${v.mhz} MHz` : "ms" },
      { value: text(result?.macs), label: "multiply-accumulates" },
      { value: result?.macs ? (result.cycles / result.macs).toFixed(2) : "–", label: "cycles for each of them" },
      { value: text(result?.weight_bytes), label: "bytes of weights" }, { value: text(result?.arena_bytes), label: "bytes of activations" },
    ]));
    this.verdict.className = v && !v.fits ? "place bad" : "place";
    this.verdict.textContent = result ? [`${result.name} on ${result.core}`, v?.fits ? "it fits" : "it does not fit", ...(v?.notes ?? []), notes].filter(Boolean).join("; ") : "";
    this.layers.replaceChildren(result ? this.#layers(result) : "");
    this.memory.replaceChildren(...(result ? this.#memory(result) : []));
    this.frame.srcdoc = "";
    if (result) say(`${result.name}: ${number(result.cycles)} cycles on ${result.core}.`);
  }

  #layers({ layers, cycles }) {
    const most = Math.max(...layers.map((l) => l.cycles));
    const lost = (l) => Object.entries(l.stalls ?? {}).sort((a, b) => b[1] - a[1]).map(([r, n]) => `${r} ${number(n)}`).join(", ");
    return table([
      { title: "number", align: "n", cell: (l) => String(l.index) }, { title: "layer", cell: (l) => l.operator }, { title: "output", cell: (l) => l.output.join(" × ") },
      { title: "kernel", cell: (l) => (l.kernel ? h("button", { class: "link", title: "opens the kernel", onclick: () => this.#open(l.kernel) }, l.kernel) : "") },
      { title: "MACs", align: "n", cell: (l) => (l.macs ? number(l.macs) : "") }, { title: "cycles", align: "n", cell: (l) => number(l.cycles) },
      { title: "share", align: "n", cell: (l) => `${(100 * l.cycles / cycles).toFixed(1)} %` },
      { title: "for each MAC", align: "n", cell: (l) => (l.macs ? (l.cycles / l.macs).toFixed(2) : "") },
      { title: "beside the longest", cell: (l) => h("span", { class: "amount", style: `--part:${l.cycles / most}` }) }, { title: "lost", cell: lost },
    ], layers);
  }

  async #open(kernel) {
    location.hash = await encode("kernel", { kernel });
  }

  #memory({ memories = [], memory_map: map = [] }) {
    const full = (m) => (m.bytes ? m.used / m.bytes : 0);
    return [
      h("h2", {}, "Memories"), table([
        { title: "memory", cell: (m) => m.memory }, { title: "used", align: "n", cell: (m) => number(m.used) },
        { title: "of", align: "n", cell: (m) => (m.bytes ? number(m.bytes) : "any size") },
        { title: "full", align: "n", cell: (m) => (m.bytes ? `${(100 * full(m)).toFixed(0)} %` : "") },
        { title: "filled", cell: (m) => h("span", { class: "amount", style: `--part:${full(m)}` }) },
        { title: "holds", cell: (m) => ["code", "constants", "data", "stack"].filter((k) => m[k]).map((k) => `${k} ${number(m[k])}`).join(", ") },
      ], memories),
      h("h2", {}, "Tensors"), table([
        { title: "memory", cell: (t) => t.memory }, { title: "tensor", cell: (t) => t.tensors },
        { title: "offset", align: "n", cell: (t) => number(t.offset) }, { title: "bytes", align: "n", cell: (t) => number(t.bytes) },
        { title: "from layer", align: "n", cell: (t) => (t.first < 0 ? "input" : String(t.first)) }, { title: "to layer", align: "n", cell: (t) => String(t.last) },
      ], map),
    ];
  }
}
