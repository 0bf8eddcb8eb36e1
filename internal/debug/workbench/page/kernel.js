// The view of a kernel: any kernel of the libraries on any of its cases, its source with the cycles of each line, and its
// results beside those of the golden model. What a change of the source does to both is shown beside the library's own.

import { h, say, number, tiles, table } from "./dom.js";
import { tabbed, tabs } from "./tabs.js";
import { makeEditor } from "./editor.js";
import { Timeline } from "./timeline.js";
import { Work } from "./work.js";
import { collect, json, messages, reason } from "./command.js";
import { settings } from "./settings.js";

const file = "kernel.s", symbol = "kernel";
const first = "mli_krn_relu_fx16";
const shownElements = 512, shownInstructions = 10000;

const panels = [{ id: "kernel-result", title: "Result" }, { id: "kernel-lines", title: "Hot lines" }, { id: "kernel-timeline", title: "Timeline" }];

export class KernelView {
  #base = null; // the run of the library's own source
  #run = null; // the last run
  #traced = ""; // what the timeline is of

  #connected = null; // what waits for the simulator

  constructor(root) {
    this.names = h("datalist", { id: "kernel-names" });
    this.cases = h("datalist", { id: "kernel-cases" });
    this.name = h("input", { id: "kernel-name", list: "kernel-names", spellcheck: "false", autocomplete: "off", size: 34, onchange: () => this.load(this.name.value, "") });
    this.case = h("input", { id: "kernel-case", list: "kernel-cases", spellcheck: "false", autocomplete: "off", size: 22, onchange: () => this.load(this.name.value, this.case.value) });
    this.buttons = [
      h("button", { id: "kernel-run", class: "main", title: "Ctrl+Enter", disabled: true, onclick: () => this.run() }, "Run"),
      h("button", { id: "kernel-stop", disabled: true, onclick: () => this.work.stop() }, "Stop"),
      h("button", { id: "kernel-reset", disabled: true, onclick: () => this.load(this.name.value, this.case.value) }, "Library's source"),
    ];
    this.work = new Work((busy) => { this.buttons[1].disabled = !busy; });
    this.editorPlace = h("div", { class: "editor card" });
    this.numbers = h("div", { id: "kernel-numbers" });
    this.verdict = h("p", { class: "place", id: "kernel-verdict" });
    const { list, bodies } = tabbed("Results of the kernel", panels);
    this.outputs = h("div", { class: "card tall", tabindex: 0, role: "group", "aria-label": "Results" });
    this.lines = h("div", { class: "card tall", tabindex: 0, role: "group", "aria-label": "Hot lines" });
    bodies["kernel-result"].append(this.numbers, this.verdict, this.outputs);
    bodies["kernel-lines"].append(this.lines);
    this.timeline = new Timeline(bodies["kernel-timeline"], "kernel-summary");
    root.append(
      h("div", { class: "tools" }, h("label", {}, "Kernel ", this.name), h("label", {}, "Case ", this.case), this.buttons, this.names, this.cases),
      h("div", { class: "columns" }, this.editorPlace, h("div", { class: "results" }, list, Object.values(bodies))));
    this.tabs = tabs(list, () => this.#trace());
    this.tabs.show("kernel-result");
    this.#show(null);
  }

  async open() {
    this.editor = await makeEditor(this.editorPlace, { label: "Source of the kernel", costs: true, onRun: () => this.run() });
  }

  connect(backend) {
    this.backend = backend;
    for (const button of [this.buttons[0], this.buttons[2]]) button.disabled = false;
    settings.onChange(() => { if (this.#base) this.load(this.name.value, this.case.value); });
    this.#connected?.();
  }

  /** shown is called when the view comes to the front: the first time it opens a kernel. */
  shown() {
    if (this.name.value === "") this.state = { kernel: first };
  }

  get state() {
    return { kernel: this.name.value, case: this.case.value, source: this.#base && this.editor.text !== this.#base.source ? this.editor.text : undefined };
  }

  set state({ kernel = first, case: name = "", source }) {
    this.name.value = kernel;
    this.case.value = name;
    const go = () => this.load(kernel, name, source);
    if (this.backend) go();
    else this.#connected = go;
  }

  get #full() {
    return this.name.value + (this.case.value ? `/${this.case.value}` : "");
  }

  /** load shows a kernel of the library on a case, and runs it; with a source, that one after it. */
  async load(name, of, source) {
    if (!this.backend) return;
    this.work.stop();
    this.name.value = name;
    this.case.value = of;
    this.#base = this.#run = null;
    say(`${name} is read.`);
    const folder = "own";
    const made = await this.work.until(collect(this.backend, ["new", folder, "--kernel", symbol, "--like", name]));
    const text = made.files[`${folder}/${symbol}.s`];
    if (!text) {
      say(reason(made.err), true);
      return;
    }
    this.editor.text = new TextDecoder().decode(text);
    this.#listCases(name);
    const base = await this.#call();
    if (!base) return;
    this.#base = { ...base, source: this.editor.text };
    this.#show(base);
    if (source !== undefined) {
      this.editor.text = source;
      await this.run();
    }
  }

  async #listCases(name) {
    if (this.names.childElementCount === 0) {
      const { functions } = await json(this.backend, ["kernels", "list", "--functions", "--json"]);
      this.names.append(...functions.map((f) => h("option", { value: f.symbol }, f.computes.join(", "))));
    }
    const { cases } = await json(this.backend, ["kernels", "list", name, "--json"]);
    this.cases.replaceChildren(...cases.map((c) => h("option", { value: c })));
    this.case.placeholder = cases[0];
  }

  async run() {
    if (!this.backend || !this.#base) return;
    this.work.stop();
    const run = await this.#call();
    if (run) this.#show(run);
  }

  /** #call runs the source of the editor on the case; null when it does not come to that. */
  async #call() {
    say("The kernel runs.");
    const argv = ["kernels", "run", this.#full, "--source", file, "--symbol", symbol, "--like", this.name.value, "--profile", "--json", ...settings.flags()];
    const { out, err } = await this.work.until(collect(this.backend, argv, { [file]: this.editor.text }));
    this.editor.setErrors(messages(err, file));
    if (out) return JSON.parse(out);
    this.verdict.textContent = reason(err);
    this.verdict.className = "place bad";
    this.tabs.show("kernel-result");
    say(reason(err).split("\n")[0], true);
    return null;
  }

  #show(run) {
    this.#run = run;
    const base = this.#base;
    const changed = (now, then) => (run && base && now !== then ? `, ${now > then ? "+" : "−"}${number(Math.abs(now - then))}` : "");
    const text = (n) => (run ? number(n) : "–");
    this.numbers.replaceChildren(tiles([
      { value: run ? (run.passed ? "equal" : "differs") : "–", label: !run ? "golden model" : run.passed ? "to the golden model" : "from the golden model", class: run ? (run.passed ? "good" : "bad") : "" },
      { value: text(run?.cycles), label: `cycles${changed(run?.cycles, base?.cycles)}`, class: run && base && run.cycles !== base.cycles ? (run.cycles < base.cycles ? "good" : "bad") : "" },
      { value: text(run?.instructions), label: `instructions${changed(run?.instructions, base?.instructions)}` },
      { value: run?.work ? (run.cycles / run.work).toFixed(3) : "–", label: "cycles for each element or product" },
    ]));
    this.verdict.className = run && !run.passed ? "place bad" : "place";
    this.verdict.textContent = !run ? "" : run.failure ?? `${run.status}; ${Object.entries(run.stalls).map(([r, n]) => `${r} ${number(n)}`).join(", ") || "no cycle"} lost`;
    this.outputs.replaceChildren(...(run ? Object.entries(run.outputs).map(([role, output]) => this.#output(role, output)) : []));
    const own = (run?.lines ?? []).filter((line) => line.file === file);
    const most = Math.max(1, ...own.map((line) => line.cycles));
    this.editor?.setCosts(new Map(own.map((line) => [line.line, {
      text: number(line.cycles), heat: line.cycles / most, title: `${number(line.instructions)} instructions${line.lost ? `, lost for ${line.lost}` : ""}`,
    }])));
    this.lines.replaceChildren(this.#hot(own, run));
    if (run) say(`${this.#full}: ${number(run.cycles)} cycles on ${run.core}, ${run.passed ? "the result is equal to the golden one" : run.failure}.`, !run.passed);
    this.#trace();
  }

  /** #output is a result beside the expected one; of many elements the first, and those that differ. */
  #output(role, { shape, frac, data, expected }) {
    const rows = [...data.keys()].filter((i) => i < shownElements || (expected && data[i] !== expected[i])).slice(0, 2 * shownElements);
    const wrong = expected ? data.reduce((n, v, i) => n + (v !== expected[i]), 0) : 0;
    const caption = `${role}: ${shape.join(" × ")}${frac ? `, ${frac} bits behind the point` : ""}; ${expected ? (wrong ? `${number(wrong)} of ${number(data.length)} elements differ` : "all elements are equal") : "nothing to compare with"}`;
    return h("section", {}, h("h2", {}, caption), table([
      { title: "element", align: "n", cell: (i) => number(i) }, { title: "kernel", align: "n", cell: (i) => String(data[i]) },
      { title: "golden", align: "n", cell: (i) => (expected ? String(expected[i]) : "") },
      { title: "verdict", cell: (i) => (expected && data[i] !== expected[i] ? "differs" : "") },
    ], rows, { class: "elements" }), rows.length < data.length ? h("p", { class: "place" }, `${number(data.length - rows.length)} more are not shown.`) : null);
  }

  #hot(lines, run) {
    if (!run) return "";
    const texts = this.editor.text.split("\n");
    const sorted = [...lines].sort((a, b) => b.cycles - a.cycles).slice(0, 40);
    return table([
      { title: "line", align: "n", cell: (l) => h("button", { class: "link", onclick: () => this.editor.goTo(l.line) }, String(l.line)) },
      { title: "cycles", align: "n", cell: (l) => number(l.cycles) }, { title: "share", align: "n", cell: (l) => `${(100 * l.cycles / run.cycles).toFixed(1)} %` },
      { title: "instructions", align: "n", cell: (l) => number(l.instructions) }, { title: "lost for", cell: (l) => l.lost ?? "" },
      { title: "source", class: "text", cell: (l) => texts[l.line - 1]?.trim() ?? "" },
    ], sorted, { class: "code" });
  }

  /** #trace draws the timeline when it is in front and not of this source. */
  async #trace() {
    if (!this.#run || this.tabs.shown() !== "kernel-timeline") return;
    const argv = ["report", "timeline", "--json", "-n", String(shownInstructions), "--kernel", this.#full, ...settings.flags()];
    const key = JSON.stringify([argv, this.editor.text]);
    if (this.#traced === key) return;
    this.#traced = key;
    const own = this.editor.text !== this.#base?.source;
    if (own) argv.push("--source", file, "--symbol", symbol);
    const { out, err } = await this.work.until(collect(this.backend, argv, own ? { [file]: this.editor.text } : {}));
    if (out) this.timeline.show(JSON.parse(out)[0]);
    else this.timeline.fail(reason(err));
  }
}
