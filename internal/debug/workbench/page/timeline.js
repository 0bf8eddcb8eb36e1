// A timeline: a row for each executed instruction, a letter for each cycle. Only rows in view are elements, so ten thousand
// scroll as well as ten. Going down, the cycles move along: the first row in view begins at the left.

import { h, number } from "./dom.js";

const rowHeight = 20, extraRows = 6;

const letters = [
  ["F", "F", "fetch"], ["D", "D", "decode"], ["=", "wait", "waits"], ["e", "e", "executes"], ["b", "b", "waits for a memory"],
  ["E", "E", "last cycle of execution"], ["-", "order", "waits for older instructions"], ["W", "W", "write-back"],
];
const classes = Object.fromEntries(letters.map(([letter, name]) => [letter, name]));

export class Timeline {
  #steps = [];
  #texts = new Map();
  #frame = 0;

  constructor(root, id = "timeline-summary") {
    this.summary = h("p", { class: "place", id }, "Run shows how instructions go through the pipeline.");
    this.ruler = h("div", { class: "ruler", "aria-hidden": "true" });
    this.spacer = h("div", { class: "spacer" });
    this.rows = h("div", { class: "rows", role: "rowgroup" });
    this.view = h("div", { class: "timeline", role: "table", tabindex: 0, "aria-label": "Timeline: instructions with their cycles and the reasons of lost ones", onscroll: () => this.#later() }, this.ruler, this.spacer, this.rows);
    root.append(this.summary,
      h("div", { class: "legend" }, letters.map(([letter, name, meaning]) => h("span", {}, h("b", { class: name }, letter), ` ${meaning}`))),
      h("div", { class: "card lanes" }, this.view));
    new ResizeObserver(() => this.#later()).observe(this.view);
  }

  /** show takes what report timeline --json printed for one region. */
  show(trace) {
    this.#steps = trace.steps;
    this.#texts = new Map(trace.lines.map((line) => [line.pc, line.text]));
    const lost = Object.entries(trace.stalls).map(([reason, cycles]) => `${reason} ${number(cycles)}`).join(", ");
    this.summary.textContent = `${number(trace.instructions)} instructions in ${number(trace.cycles)} cycles${lost ? `, lost: ${lost}` : ", none lost"}${trace.complete ? "" : "; the program goes on"}`;
    this.spacer.style.height = `${this.#steps.length * rowHeight}px`;
    this.view.style.setProperty("--label", `${2 + Math.max(5, ...trace.lines.map((line) => line.text.length))}ch`);
    this.view.setAttribute("aria-rowcount", this.#steps.length);
    this.view.scrollTop = 0;
    this.#draw();
  }

  /** fail says in place of a timeline why there is none. */
  fail(message) {
    this.#steps = [];
    this.summary.textContent = message;
    this.spacer.style.height = "0";
    this.#draw();
  }

  #later() {
    this.#frame ||= requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const first = Math.max(0, Math.floor(this.view.scrollTop / rowHeight));
    const last = Math.min(this.#steps.length, first + Math.ceil(this.view.clientHeight / rowHeight) + extraRows);
    const origin = this.#steps[first]?.column ?? 0;
    this.ruler.replaceChildren(h("b", {}, "cycle"), ...Array.from({ length: 12 }, (_, i) => h("span", {}, String(origin + 10 * i))));
    this.rows.style.transform = `translateY(${(first + 1) * rowHeight}px)`; // below the ruler
    this.rows.replaceChildren(...this.#steps.slice(first, last).map((step, i) => this.#row(step, first + i, origin)));
  }

  #row(step, index, origin) {
    const why = step.why ?? "";
    return h("div", { role: "row", "aria-rowindex": index + 1, class: step.index === 0 && index > 0 ? "row iteration" : "row", title: why || undefined },
      h("b", { role: "rowheader" }, this.#texts.get(step.pc) ?? ""),
      h("span", { role: "cell", class: "cycles", style: `--skip:${step.column - origin}` }, this.#runs(step.letters), why ? h("em", {}, why) : null));
  }

  /** #runs puts equal letters into one element. */
  #runs(text) {
    return [...text.matchAll(/(.)\1*/g)].map(([run, letter]) => h("span", { class: classes[letter] }, run));
  }
}
