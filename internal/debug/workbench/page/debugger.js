// The debugger: a session of the debug adapter for the source in an editor, its controls, and the state of the core at a stop.

import { h, say, table } from "./dom.js";
import { Adapter } from "./dap.js";

const thread = { threadId: 1 }; // the core
const shownInstructions = 12;
const memoryRows = 8, memoryWidth = 16;

const controls = [
  { id: "continue", text: "Continue", key: "F5", request: "continue" },
  { id: "over", text: "Over", key: "F10", request: "next", title: "one statement, calls as a whole" },
  { id: "step", text: "Step", key: "F11", request: "stepIn", title: "one statement" },
  { id: "out", text: "Out", key: "Shift+F11", request: "stepOut", title: "to the end of the function" },
  { id: "back", text: "Back", key: "Shift+F10", request: "stepBack", title: "one statement backwards" },
  { id: "reverse", text: "Reverse", key: "Shift+F5", request: "reverseContinue", title: "backwards to the last breakpoint" },
];

export class Debugger {
  #adapter = null;
  #running = false;
  #before = new Map(); // values at the last stop, by name
  #temporary = 0; // line of run to cursor

  /** A view has editor, name of its file, print(text) for output, and ended() for the end of the session. */
  constructor(root, view) {
    this.view = view;
    this.byInstruction = h("input", { type: "checkbox" });
    this.buttons = controls.map((c) => h("button", { id: `debug-${c.id}`, title: `${c.title ? `${c.title}, ` : ""}${c.key}`, disabled: true, onclick: () => this.move(c.request) }, c.text));
    this.buttons.push(
      h("button", { id: "debug-cursor", title: "run to the line of the cursor, Ctrl+F10", disabled: true, onclick: () => this.toCursor() }, "To cursor"),
      h("button", { id: "debug-pause", title: "stop the program where it is", disabled: true, onclick: () => this.pause() }, "Pause"));
    this.place = h("p", { class: "place", id: "place" }, "Debug runs the program up to its first instruction.");
    this.parts = Object.fromEntries(["registers", "accumulators", "modes", "agu", "timing", "instructions", "stack", "memory"].map((name) => [name, h("div", { class: "values", id: `state-${name}`, tabindex: 0, role: "group", "aria-label": name })]));
    this.address = h("input", { id: "memory-address", value: "$sp", spellcheck: "false", size: 12, onchange: () => this.#showMemory() });
    this.question = h("input", { id: "question", spellcheck: "false", placeholder: "$r0 or -exec info dsp", autocomplete: "off" });
    this.answer = h("pre", { class: "answer", tabindex: 0, role: "log", "aria-label": "Answer" });
    const card = (title, ...content) => h("section", { class: "state card", "aria-label": title }, h("h2", {}, title), content);
    this.states = h("div", { class: "states", hidden: true },
      card("Registers", this.parts.registers), card("Accumulators", this.parts.accumulators), card("DSP modes", this.parts.modes),
      card("Address generation", this.parts.agu), card("Instructions", this.parts.instructions),
      card("Cycles", this.parts.timing), card("Calls", this.parts.stack),
      card("Memory", h("label", {}, "from ", this.address), this.parts.memory),
      card("Ask", h("form", { onsubmit: (event) => this.#ask(event) }, h("label", {}, "expression or command ", this.question)), this.answer));
    root.append(h("div", { class: "tools" }, this.buttons, h("label", { class: "check" }, this.byInstruction, " by instruction")), this.place, this.states);
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  get active() {
    return this.#adapter !== null;
  }

  /** start begins a session with the program among the files; settings are those of the page. */
  async start(backend, files, { core, properties }) {
    this.stop();
    const file = this.view.name;
    const ready = Promise.withResolvers();
    const adapter = new Adapter(backend, files, {
      initialized: () => ready.resolve(),
      stopped: (body) => this.#stopped(body).catch((error) => say(error.message, true)).finally(() => this.#enable()),
      output: (body) => this.view.print(body.output),
      terminated: () => this.stop(),
      gone: (error) => { say(error.message, true); this.stop(); },
    });
    this.#adapter = adapter;
    this.#before.clear();
    this.#enable();
    await adapter.request("initialize", { linesStartAt1: true, pathFormat: "path" });
    try {
      await adapter.request("launch", { program: file, core, properties, stopOnEntry: true, stopOnExit: true });
    } catch (error) {
      this.stop();
      throw error;
    }
    await ready.promise;
    await this.setBreakpoints();
    await adapter.request("configurationDone");
  }

  stop() {
    if (!this.#adapter) return;
    this.#adapter.kill();
    this.#adapter = null;
    this.#running = false;
    this.#enable();
    this.view.editor.setCurrent(0);
    this.place.textContent = "The session has ended.";
    this.view.ended();
  }

  /** setBreakpoints tells the adapter the lines that are marked in the editor. */
  async setBreakpoints() {
    if (!this.#adapter) return;
    const lines = [...this.view.editor.breakpoints];
    if (this.#temporary) lines.push(this.#temporary);
    const { breakpoints } = await this.#adapter.request("setBreakpoints", { source: { path: this.view.name }, breakpoints: lines.map((line) => ({ line })) });
    const refused = breakpoints.find((b) => !b.verified);
    if (refused) say(refused.message ?? "a breakpoint stands at a line without an instruction", true);
  }

  /** move has the program run or step by a request. */
  async move(request) {
    if (!this.#adapter || this.#running) return;
    this.#running = true;
    this.#enable();
    const granularity = this.byInstruction.checked ? "instruction" : "statement";
    try {
      await this.#adapter.request(request, { ...thread, granularity });
    } catch (error) {
      say(error.message, true);
      this.#running = false;
      this.#enable();
    }
  }

  async toCursor() {
    if (!this.#adapter || this.#running) return;
    this.#temporary = this.view.editor.cursorLine;
    await this.setBreakpoints();
    await this.move("continue");
  }

  pause() {
    this.#adapter?.request("pause", thread).catch((error) => say(error.message, true));
  }

  #key(event) {
    if (!this.#adapter || document.getElementById("program").hidden) return;
    const name = `${event.shiftKey ? "Shift+" : ""}${event.key}`;
    const control = controls.find((c) => c.key === name);
    if (!control && !(event.ctrlKey && event.key === "F10")) return;
    event.preventDefault();
    if (event.ctrlKey) this.toCursor();
    else this.move(control.request);
  }

  #enable() {
    for (const button of this.buttons) button.disabled = !this.#adapter || this.#running !== (button.id === "debug-pause");
  }

  async #stopped({ reason, description }) {
    const adapter = this.#adapter;
    this.#running = false;
    if (this.#temporary) {
      this.#temporary = 0;
      await this.setBreakpoints();
    }
    const { stackFrames: frames } = await adapter.request("stackTrace", thread);
    const top = frames[0];
    const { scopes } = await adapter.request("scopes", { frameId: top.id });
    const values = {};
    for (const scope of scopes) {
      const { variables } = await adapter.request("variables", { variablesReference: scope.variablesReference });
      values[scope.name] = variables.map((v) => ({ ...v, scope: scope.name }));
    }
    const pc = top.instructionPointerReference;
    const { instructions } = await adapter.request("disassemble", { memoryReference: pc, instructionOffset: -4, instructionCount: shownInstructions });
    const memory = await this.#readMemory(adapter);
    if (adapter !== this.#adapter) return; // stopped in the meantime
    const own = top.source && top.source.path.split(/[\\/]/).pop() === this.view.name;
    this.view.editor.setCurrent(own ? top.line : 0);
    this.place.textContent = `${description ?? words[reason] ?? reason}: ${top.name}${top.line ? `, line ${top.line}` : ""}, pc ${pc}`;
    this.#show(values, frames);
    this.#showInstructions(instructions, pc);
    this.parts.memory.replaceChildren(memory);
    this.states.hidden = false;
    say(this.place.textContent);
  }

  /** #changed tells whether a value is another one than at the last stop. */
  #changed(name, value) {
    const before = this.#before.get(name);
    this.#before.set(name, value);
    return before !== undefined && before !== value;
  }

  #value(variable, text = variable.value) {
    return h("span", { class: this.#changed(`${variable.scope} ${variable.name}`, variable.value) ? "changed" : undefined }, text);
  }

  #show(values, frames) {
    const by = new Map(Object.values(values).flat().map((v) => [v.name, v]));
    const pairs = (list) => list.map((v) => h("div", { class: "pair" }, h("b", {}, v.name), this.#value(v)));
    this.parts.registers.replaceChildren(...pairs(values.Registers ?? []));
    const lanes = ["acclo", "acchi"].filter((name) => by.has(name));
    const part = (what) => ({ what, cell: (name) => this.#value(by.get(`${name} ${what}`)) });
    this.parts.accumulators.replaceChildren(lanes.length === 0 ? "This core has no accumulators of a DSP." : table([
      { title: "part", cell: (row) => row.what }, ...lanes.map((name) => ({ title: name, align: "n", cell: (row) => row.cell(name) })),
    ], [
      part("guard"), { what: "bits", cell: (name) => this.#value(by.get(name), by.get(name).value.split(" ")[0].split(":")[1]) },
      { what: "integer", cell: (name) => by.get(name).value.split(" ")[1] }, part("q31"), part("q15"), part("overflow"),
    ]));
    this.parts.modes.replaceChildren(...pairs(["rounding", "guard bits", "products doubled", "saturated", "dsp_ctrl", "acc"].map((n) => by.get(n)).filter(Boolean)));
    const agu = values["Address generation"] ?? [];
    const rows = [...Array(16).keys()].map((i) => ({ i, ...Object.fromEntries(["ap", "os", "mod"].map((k) => [k, agu.find((v) => v.name === k + i)])) })).filter((r) => r.ap || r.os || r.mod);
    const column = (k, title) => ({ title, cell: (r) => (r[k] ? this.#value(r[k]) : "") });
    this.parts.agu.replaceChildren(rows.length === 0 ? "This core has no address generation unit."
      : table([{ title: "number", cell: (r) => r.i }, column("ap", "pointer"), column("os", "offset"), column("mod", "modifier")], rows));
    this.parts.timing.replaceChildren(...pairs(values.Timing ?? []));
    this.parts.stack.replaceChildren(h("ol", {}, frames.map((f) => h("li", {}, `${f.name}${f.line ? `, line ${f.line}` : ""}`))));
  }

  #showInstructions(instructions, pc) {
    this.parts.instructions.replaceChildren(table([
      { title: "address", cell: (i) => i.address.slice(2) }, { title: "instruction", class: "text", cell: (i) => i.instruction },
    ], instructions.map((i) => ({ ...i, class: Number(i.address) === Number(pc) ? "current" : undefined })), { class: "code" }));
  }

  async #showMemory() {
    if (this.#adapter && !this.#running) this.parts.memory.replaceChildren(await this.#readMemory(this.#adapter));
  }

  /** #readMemory gives what stands where the expression for the address leads, or why that leads nowhere. */
  async #readMemory(adapter) {
    try {
      const { memoryReference, result } = await adapter.request("evaluate", { expression: this.address.value, context: "watch" });
      const from = Number(memoryReference ?? /0x[0-9a-f]+|\d+/i.exec(result)?.[0]) & ~3;
      const { address, data = "" } = await adapter.request("readMemory", { memoryReference: hex(from >>> 0), count: memoryRows * memoryWidth });
      const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
      const rows = [];
      for (let at = 0; at < bytes.length; at += memoryWidth) rows.push({ at: Number(address) + at, bytes: [...bytes.subarray(at, at + memoryWidth)] });
      return table([
        { title: "address", cell: (r) => hex(r.at, 8).slice(2) },
        { title: "bytes", class: "text", cell: (r) => r.bytes.map((b, i) => hex(b, 2).slice(2) + (i % 4 === 3 ? " " : "")).join("") },
        { title: "text", class: "text", cell: (r) => r.bytes.map((b) => (b >= 32 && b < 127 ? String.fromCharCode(b) : ".")).join("") },
      ], rows, { class: "code" });
    } catch (error) {
      return error.message;
    }
  }

  async #ask(event) {
    event.preventDefault();
    if (!this.#adapter) return;
    try {
      const { result } = await this.#adapter.request("evaluate", { expression: this.question.value, context: "repl" });
      this.answer.textContent = result;
    } catch (error) {
      this.answer.textContent = error.message;
    }
  }
}

const hex = (n, digits = 1) => `0x${n.toString(16).padStart(digits, "0")}`;

/** What the words of the protocol for the reason of a stop are for people. */
const words = { entry: "at the first instruction", step: "stepped", breakpoint: "at a breakpoint", pause: "paused", exit: "the program has ended" };
