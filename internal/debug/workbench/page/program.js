// The view of a program: an editor, its run with output and statistics, the timeline, the debugger, and the report.

import { h, say, number, tiles, table } from "./dom.js";
import { tabbed, tabs } from "./tabs.js";
import { makeEditor } from "./editor.js";
import { Assistant } from "./assistant.js";
import { Debugger } from "./debugger.js";
import { Timeline } from "./timeline.js";
import { Work } from "./work.js";
import { collect, messages, reason, Gatherer } from "./command.js";
import { settings } from "./settings.js";
import { encode } from "./share.js";
import { isNetwork } from "./folder.js";
import { examples } from "./examples.js";

const ownName = "program.s";
const shownInstructions = 10000; // of a timeline
const shownOutput = 1 << 20; // characters

const panels = [
  { id: "output", title: "Output" }, { id: "timeline", title: "Timeline" }, { id: "debugger", title: "Debugger" }, { id: "report", title: "Report" },
];

export class ProgramView {
  #made = {}; // source and settings that timeline and report are of, by panel
  #busy = false;
  #name = ownName;
  #binary = null; // a program that is no text
  #others = {}; // files that the source may include
  #pending = ""; // output that is not shown yet

  constructor(root) {
    this.work = new Work((busy) => {
      this.#busy = busy;
      this.#enable();
    });
    this.buttons = {
      run: h("button", { id: "run", class: "main", title: "Ctrl+Enter", onclick: () => this.run() }, "Run"),
      debug: h("button", { id: "debug", onclick: () => this.debug() }, "Debug"),
      stop: h("button", { id: "stop", disabled: true, onclick: () => this.stop() }, "Stop"),
    };
    this.choice = h("select", { id: "example", onchange: () => this.example(this.choice.value).catch((error) => say(error.message, true)) }, h("option", { value: "" }, "own"), examples.map((e) => h("option", { value: e.name }, e.title)));
    this.editorPlace = h("div", { class: "editor card" });
    this.numbers = h("div", { id: "numbers" });
    this.lost = h("div", { id: "lost" });
    this.text = h("pre", { id: "text", tabindex: 0, role: "log", "aria-label": "Output of the program" });
    this.frame = h("iframe", { title: "Report", id: "report-frame", sandbox: "allow-scripts" });
    const { list, bodies } = tabbed("Results", panels);
    bodies.output.append(this.numbers, this.lost, this.text);
    bodies.report.append(this.frame);
    this.timeline = new Timeline(bodies.timeline);
    root.append(
      h("div", { class: "tools" }, h("label", {}, "Example ", this.choice), Object.values(this.buttons)),
      h("div", { class: "columns" }, this.editorPlace, h("div", { class: "results" }, list, Object.values(bodies))));
    this.debugger = new Debugger(bodies.debugger, { name: ownName, print: (text) => this.print(text), ended: () => this.#enable(), editor: null });
    this.tabs = tabs(list, (id) => this.#shown(id));
    this.tabs.show("output");
    this.#clear();
  }

  /** open makes the editor; backend comes later, so that the page can be read before the simulator is there. */
  async open() {
    this.editor = await makeEditor(this.editorPlace, {
      label: "Source", text: "", onRun: () => this.run(), onChange: () => this.#edited(),
      onBreakpoints: () => this.debugger.setBreakpoints().catch((error) => say(error.message, true)),
    });
    this.debugger.view.editor = this.editor;
  }

  connect(backend) {
    this.backend = backend;
    settings.onChange(() => this.#assist());
    this.#assist();
    this.#enable();
  }

  /** #assist starts a language server for the file in the editor. */
  #assist() {
    if (!this.backend) return;
    this.assistant?.stop();
    this.assistant = new Assistant(this.backend, this.editor, this.#name, this.#others);
    this.assistant.start(settings.get().core);
  }

  /** serve offers the files of a folder, and opens the one that was named. */
  async serve(folder) {
    this.folder = folder;
    const opened = isNetwork(folder.open) ? "" : folder.open;
    const programs = folder.names.filter((n) => /\.(s|S|asm|elf)$/.test(n) || n === opened);
    this.choice.append(h("optgroup", { label: "Files" }, programs.map((n) => h("option", { value: `file:${n}` }, n))));
    this.#others = await folder.all();
    if (opened) await this.example(`file:${opened}`);
  }

  get state() {
    return { source: this.editor.text };
  }

  set state({ source }) {
    this.#set(ownName, source);
  }

  /** #set shows a source, or a program that is no text. */
  #set(name, source, binary = null) {
    this.stop();
    this.editor.text = source;
    const renamed = name !== this.#name;
    this.#name = this.debugger.view.name = name;
    this.#binary = binary;
    this.choice.value = "";
    this.#clear();
    if (renamed) this.#assist();
  }

  /** #edited is a change of the text: of a program that is no text it makes an own source. */
  #edited() {
    this.choice.value = "";
    if (!this.#binary) return;
    this.#binary = null;
    this.#name = this.debugger.view.name = ownName;
  }

  get #files() {
    return { ...this.#others, [this.#name]: this.#binary ?? this.editor.text };
  }

  async example(id) {
    if (id.startsWith("file:")) {
      const name = id.slice("file:".length), data = await this.folder.read(name);
      if (data.includes(0)) this.#set(name, `; ${name} is a program: Run, Debug, Timeline and Report take it as it is.\n`, data);
      else this.#set(name, new TextDecoder().decode(data));
      this.choice.value = id;
      return;
    }
    const { file, kernel } = examples.find((e) => e.name === id) ?? {};
    if (kernel) {
      location.hash = await encode("kernel", { kernel });
      return;
    }
    if (!file) return;
    const answer = await fetch(new URL(file, import.meta.url));
    this.state = { source: await answer.text() };
    this.choice.value = id;
  }

  async run() {
    if (!this.backend) return;
    this.stop();
    this.#clear();
    if (this.tabs.shown() === "debugger") this.tabs.show("output");
    say("The program runs.");
    const errors = new Gatherer();
    const file = "statistics.json";
    const process = this.backend.run(["run", "--json", "-o", file, ...settings.flags(), this.#name], {
      files: this.#files, stdout: (part) => this.print(this.output.add(part)), stderr: (part) => this.print(errors.add(part)),
    });
    const { status, files } = await this.work.until({ kill: () => process.kill(), ended: process.exited });
    this.#flush(); // before the numbers say that this is all
    const faults = this.#mark(errors.text());
    if (files[file]) this.#showStatistics(JSON.parse(new TextDecoder().decode(files[file])));
    else say(faults ? "The program has errors, which stand at their lines." : `arcsim ended with status ${status}.`, true);
    this.#shown(this.tabs.shown());
  }

  async debug() {
    if (!this.backend) return;
    this.stop();
    this.#clear();
    this.tabs.show("debugger");
    say("The debugger starts.");
    this.buttons.stop.disabled = false;
    try {
      await this.debugger.start(this.backend, this.#files, settings.get());
      this.#mark("");
    } catch (error) {
      this.print(`${error.message}\n`);
      this.#mark(error.message);
      this.tabs.show("output");
      say("The program cannot be debugged: its errors stand at their lines.", true);
    }
    this.#enable();
  }

  /** stop ends all that runs, at once. */
  stop() {
    this.#made = {};
    const stopped = this.work.stop() || this.debugger.active;
    this.debugger.stop();
    if (stopped) say("Stopped.");
    this.#enable();
  }

  #enable() {
    this.buttons.run.disabled = this.buttons.debug.disabled = !this.backend;
    this.buttons.stop.disabled = !this.#busy && !this.debugger.active;
  }

  #clear() {
    this.output = new Gatherer(shownOutput);
    this.text.textContent = "";
    this.#pending = "";
    this.#showNumbers({});
    this.lost.replaceChildren();
  }

  /** print adds to the output, once in a frame however often a program prints. */
  print(text) {
    if (this.#pending === "" && text !== "") requestAnimationFrame(() => this.#flush());
    this.#pending += text;
  }

  #flush() {
    this.text.append(this.#pending);
    this.#pending = "";
  }

  #showNumbers({ status, cycles, instructions, ipc }) {
    const text = (n) => (n === undefined ? "–" : number(n));
    this.numbers.replaceChildren(tiles([
      { value: text(status), label: "status" }, { value: text(cycles), label: "cycles" }, { value: text(instructions), label: "instructions" },
      { value: ipc === undefined ? "–" : ipc.toFixed(3), label: "instructions per cycle" },
    ]));
  }

  #showStatistics(s) {
    this.#showNumbers(s);
    const rows = Object.entries(s.stalls ?? {}).sort((a, b) => b[1] - a[1]);
    if (rows.length > 0) {
      this.lost.replaceChildren(table([
        { title: "lost for", cell: ([r]) => r }, { title: "cycles", align: "n", cell: ([, n]) => number(n) },
        { title: "share", align: "n", cell: ([, n]) => `${(100 * n / s.cycles).toFixed(1)} %` },
      ], rows));
    }
    say(`The program ended with status ${s.status} after ${number(s.cycles)} cycles on ${s.core}${s.provisional ? ", provisional" : ""}.`);
  }

  /** #mark shows the assembler's messages at their lines, and returns how many those are. */
  #mark(text) {
    const found = messages(text, this.#name);
    this.editor.setErrors(found);
    return found.length;
  }

  /** #shown makes what a panel shows when it is not of this source. */
  async #shown(id) {
    if (!this.backend || !["timeline", "report"].includes(id)) return;
    const name = this.#name, key = JSON.stringify([name, this.editor.text, settings.flags()]);
    if (this.#made[id] === key) return;
    this.#made[id] = key;
    const page = "report.html";
    const argv = id === "timeline" ? ["report", "timeline", "--json", "-n", String(shownInstructions), ...settings.flags(), name] : ["report", "--html", page, ...settings.flags(), name];
    const process = collect(this.backend, argv, this.#files);
    const { out, err, files } = await this.work.until(process);
    if (id === "timeline") {
      if (out) this.timeline.show(JSON.parse(out)[0]);
      else this.timeline.fail(reason(err));
      return;
    }
    this.frame.srcdoc = files[page] ? new TextDecoder().decode(files[page]) : `<pre>${reason(err).replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</pre>`;
  }
}
