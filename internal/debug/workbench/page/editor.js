// The editor of a source: text, messages at their lines, the line where the program stands, breakpoints, and the cost of
// each line. It is CodeMirror where that was built into the page (vendor/codemirror.js), otherwise a plain text area.

import { h } from "./dom.js";

/** Where CodeMirror is: null in a page that was built without packages of npm. */
const library = import("./vendor/codemirror.js").catch(() => null);

/**
 * makeEditor puts an editor into an element. A handler of options may be missing: onChange(), onRun(), onBreakpoints(lines), without
 * which there are no breakpoints.
 * Lines count from 1.
 */
export async function makeEditor(parent, options) {
  const cm = await library;
  return cm ? new Editor(cm, await import("./language.js"), parent, options) : new PlainEditor(parent, options);
}

/** Editor is CodeMirror with the marks of the simulator. */
class Editor {
  #cm;
  #effects;
  #server;

  constructor(cm, { assembly }, parent, options) {
    this.#cm = cm;
    this.options = options;
    this.#server = new cm.Compartment();
    this.#effects = { breakpoints: cm.StateEffect.define(), current: cm.StateEffect.define(), costs: cm.StateEffect.define() };
    const runs = () => (options.onRun?.(), true);
    this.view = new cm.EditorView({
      parent,
      state: cm.EditorState.create({
        doc: options.text ?? "",
        extensions: [
          this.#marks(), cm.lineNumbers(), cm.history(), cm.drawSelection(), cm.highlightSpecialChars(), cm.highlightActiveLine(),
          cm.closeBrackets(), cm.search(), cm.highlightSelectionMatches(), cm.autocompletion(), assembly, this.#server.of([]),
          cm.keymap.of([
            { key: "Mod-Enter", run: runs }, { key: "Tab", run: cm.insertTab, shift: cm.indentLess },
            ...(options.onBreakpoints ? [{ key: "F9", run: (view) => (this.#toggle(view.state.selection.main.head), true) }] : []),
            ...cm.closeBracketsKeymap, ...cm.completionKeymap, ...cm.lintKeymap, ...cm.searchKeymap, ...cm.historyKeymap, ...cm.defaultKeymap,
          ]),
          cm.EditorState.tabSize.of(8),
          cm.EditorView.contentAttributes.of({ "aria-label": options.label, tabindex: "0" }),
          cm.EditorView.updateListener.of((update) => {
            if (update.docChanged) options.onChange?.();
          }),
        ],
      }),
    });
  }

  /** #marks are the gutters of breakpoints and costs, and the background of the current line. */
  #marks() {
    const cm = this.#cm, effects = this.#effects;
    const dot = new (class extends cm.GutterMarker {
      toDOM() { return h("span", { class: "dot", title: "breakpoint" }); }
    })();
    class Cost extends cm.GutterMarker {
      constructor(cost) { super(); this.cost = cost; }
      toDOM() { return h("span", { class: "cost", title: this.cost.title, style: `--heat:${this.cost.heat}` }, this.cost.text); }
    }
    this.breakpointField = cm.StateField.define({
      create: () => cm.RangeSet.empty,
      update(set, tr) {
        set = set.map(tr.changes);
        for (const e of tr.effects) if (e.is(effects.breakpoints)) set = cm.RangeSet.of(e.value.map((at) => dot.range(at)), true);
        return set;
      },
    });
    const current = cm.StateField.define({
      create: () => cm.Decoration.none,
      update(set, tr) {
        set = set.map(tr.changes);
        for (const e of tr.effects) {
          if (e.is(effects.current)) set = e.value < 0 ? cm.Decoration.none : cm.Decoration.set([cm.Decoration.line({ class: "current" }).range(e.value)]);
        }
        return set;
      },
      provide: (field) => cm.EditorView.decorations.from(field),
    });
    const costs = cm.StateField.define({
      create: () => cm.RangeSet.empty,
      update(set, tr) {
        if (tr.docChanged) set = set.map(tr.changes);
        for (const e of tr.effects) if (e.is(effects.costs)) set = cm.RangeSet.of(e.value.map(([at, cost]) => new Cost(cost).range(at)), true);
        return set;
      },
    });
    const breakpointGutter = this.options.onBreakpoints
      ? [cm.gutter({
        class: "breakpoints", markers: (view) => view.state.field(this.breakpointField), initialSpacer: () => dot,
        domEventHandlers: { mousedown: (view, line) => (this.#toggle(line.from), true) },
      })] : [];
    const costGutter = this.options.costs
      ? [cm.gutter({ class: "costs", markers: (view) => view.state.field(costs), initialSpacer: () => new Cost({ text: "00,000", title: "", heat: 0 }) })] : [];
    return [this.breakpointField, current, costs, ...breakpointGutter, ...costGutter];
  }

  #from(line) {
    const doc = this.view.state.doc;
    return line >= 1 && line <= doc.lines ? doc.line(line).from : -1;
  }

  #toggle(position) {
    const doc = this.view.state.doc, at = doc.lineAt(position).from;
    const lines = this.breakpoints.map((line) => this.#from(line));
    const value = lines.includes(at) ? lines.filter((from) => from !== at) : [...lines, at];
    this.view.dispatch({ effects: this.#effects.breakpoints.of(value.sort((a, b) => a - b)) });
    this.options.onBreakpoints?.(this.breakpoints);
  }

  get text() {
    return this.view.state.doc.toString();
  }

  set text(text) {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text }, effects: [this.#effects.breakpoints.of([]), this.#effects.costs.of([])] });
    this.setErrors([]);
    this.setCurrent(0);
    this.options.onBreakpoints?.([]);
  }

  get breakpoints() {
    const lines = [];
    this.view.state.field(this.breakpointField).between(0, this.view.state.doc.length, (from) => void lines.push(this.view.state.doc.lineAt(from).number));
    return lines;
  }

  get cursorLine() {
    return this.view.state.doc.lineAt(this.view.state.selection.main.head).number;
  }

  /** setErrors shows messages of the assembler: { line, column, message }. */
  setErrors(list) {
    const doc = this.view.state.doc;
    const diagnostics = list.filter((e) => e.line >= 1 && e.line <= doc.lines).map((e) => {
      const line = doc.line(e.line), from = Math.min(line.to, line.from + Math.max(0, e.column - 1));
      return { from, to: Math.max(from, line.to), severity: "error", message: e.message };
    });
    this.view.dispatch(this.#cm.setDiagnostics(this.view.state, diagnostics));
  }

  /** setCurrent marks the line at which the program stands and shows it; 0 is none. */
  setCurrent(line) {
    const at = this.#from(line), effects = [this.#effects.current.of(at)];
    if (at >= 0) effects.push(this.#cm.EditorView.scrollIntoView(at, { y: "nearest", yMargin: 60 }));
    this.view.dispatch({ effects });
  }

  /** setCosts shows what lines have cost: a map of { text, title, heat from 0 to 1 } by line. */
  setCosts(costs) {
    const value = [...costs].map(([line, cost]) => [this.#from(line), cost]).filter(([at]) => at >= 0).sort((a, b) => a[0] - b[0]);
    this.view.dispatch({ effects: this.#effects.costs.of(value) });
  }

  /** goTo puts the cursor at a line. */
  goTo(line) {
    const at = this.#from(line);
    if (at >= 0) this.view.dispatch({ selection: { anchor: at }, effects: this.#cm.EditorView.scrollIntoView(at, { y: "center" }) });
    this.view.focus();
  }

  /** attach has a language server answer for the text: a function from CodeMirror to extensions. */
  attach(extensions) {
    this.view.dispatch({ effects: this.#server.reconfigure(extensions(this.#cm)) });
  }
}

/** PlainEditor is a text area. Messages stand below the text in the output, and there are no marks. */
class PlainEditor {
  breakpoints = [];

  constructor(parent, options) {
    this.area = h("textarea", { "aria-label": options.label, spellcheck: "false", wrap: "off", class: "plain" });
    this.area.value = options.text ?? "";
    this.area.addEventListener("input", () => options.onChange?.());
    this.area.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) options.onRun?.();
    });
    parent.append(this.area);
  }

  get text() {
    return this.area.value;
  }

  set text(text) {
    this.area.value = text;
  }

  get cursorLine() {
    return this.area.value.slice(0, this.area.selectionStart).split("\n").length;
  }

  goTo(line) {
    const lines = this.area.value.split("\n"), from = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    this.area.focus();
    this.area.setSelectionRange(from, from + (lines[line - 1] ?? "").length);
  }

  setErrors([first]) {
    if (first) this.goTo(first.line);
  }

  setCurrent(line) {
    if (line > 0) this.goTo(line);
  }

  setCosts() {}

  attach() {}
}
