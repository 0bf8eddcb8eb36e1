// The extension of VS Code with a stand-in for the editor: how it starts the language server, and its tasks.
"use strict";

const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const Module = require("node:module");
const { test } = require("node:test");

const values = {}, started = [];
let listener, tasks, editing;
const editor = {
  debug: { registerDebugAdapterDescriptorFactory: () => ({}) },
  tasks: { registerTaskProvider: (type, t) => { assert.strictEqual(type, "arcsim"); tasks = t; return {}; } },
  window: { get activeTextEditor() { return editing; } },
  workspace: { getConfiguration: () => ({ get: (name) => values[name] }), onDidChangeConfiguration: (f) => { listener = f; return {}; } },
  ProcessExecution: class { constructor(command, args) { Object.assign(this, { command, args }); } },
  Task: class { constructor(definition, scope, name, source, execution, matchers) { Object.assign(this, { definition, scope, name, source, execution, matchers }); } },
  TaskScope: { Workspace: 2 },
};
class LanguageClient {
  constructor(id, name, server, client) { Object.assign(this, { id, server, client, sent: [] }); started.push(this); }
  start() { return "running"; }
  sendNotification(...m) { this.sent.push(m); }
}
const load = Module._load;
Module._load = (name, ...rest) => ({ vscode: editor, "vscode-languageclient/node": { LanguageClient } }[name] || load(name, ...rest));
const extension = require(process.env.EXTENSION);

test("the language server is arcsim lsp with the settings, also when they change", () => {
  Object.assign(values, { core: "em5d", include: ["inc"] });
  const context = { subscriptions: [] };
  assert.strictEqual(extension.activate(context), "running");
  const [client] = started;
  assert.deepStrictEqual(client.server, { command: "arcsim", args: ["lsp"] });
  assert.deepStrictEqual(client.client, { documentSelector: [{ language: "arcasm" }], initializationOptions: { core: "em5d", include: ["inc"] } });
  values.profile = "p.txt";
  listener({ affectsConfiguration: (name) => name === "arcsim" });
  assert.deepStrictEqual(client.sent, [["workspace/didChangeConfiguration", { settings: { arcsim: { core: "em5d", include: ["inc"], profile: "p.txt" } } }]]);
});

test("tasks run, profile and show the source in the editor", () => {
  assert.deepStrictEqual(tasks.provideTasks(), []);
  editing = { document: { languageId: "arcasm", uri: { fsPath: "/w/a.s" } } };
  values.path = "/opt/arcsim";
  assert.deepStrictEqual(tasks.provideTasks().map((x) => [x.execution.command, ...x.execution.args]), [
    ["/opt/arcsim", "run", "/w/a.s"], ["/opt/arcsim", "run", "--annotate", "p.txt", "/w/a.s"], ["/opt/arcsim", "report", "timeline", "/w/a.s"],
  ]);
  const own = tasks.resolveTask({ definition: { type: "arcsim", action: "run", file: "b.elf", args: ["--stat"] } });
  assert.deepStrictEqual([own.execution.args, own.matchers, own.scope], [["run", "--stat", "b.elf"], "$arcasm", 2]);
});

test("the problem matcher reads what the assembler prints", () => {
  const manifest = JSON.parse(fs.readFileSync(path.join(path.dirname(process.env.EXTENSION), "package.json")));
  const [{ pattern }] = manifest.contributes.problemMatchers;
  const read = (line) => { const m = new RegExp(pattern.regexp).exec(line); return m && [pattern.file, pattern.line, pattern.column, pattern.severity, pattern.message].map((i) => m[i]); };
  assert.deepStrictEqual(read("arcsim: a.s:3:7: unknown directive .x"), ["a.s", "3", "7", undefined, "unknown directive .x"]);
  assert.deepStrictEqual(read("dir/b.inc:12:1: warning: text"), ["dir/b.inc", "12", "1", "warning", "text"]);
  assert.strictEqual(read("a.s:1:2: note: included from here"), null);
  assert.strictEqual(read("\tmov r0,r1"), null);
});

test("the grammar's expressions are valid, and the files are there", () => {
  const folder = path.dirname(process.env.EXTENSION);
  const manifest = JSON.parse(fs.readFileSync(path.join(folder, "package.json")));
  JSON.parse(fs.readFileSync(path.join(folder, manifest.contributes.languages[0].configuration)));
  const grammar = JSON.parse(fs.readFileSync(path.join(folder, manifest.contributes.grammars[0].path)));
  const all = JSON.stringify(grammar).match(/"(?:match|begin|end)":"(?:[^"\\]|\\.)*"/g).map((s) => JSON.parse(`{${s}}`));
  assert.ok(all.length > 10);
  for (const rule of all) new RegExp(Object.values(rule)[0]);
  const mnemonic = grammar.patterns.find((p) => JSON.stringify(p).includes("keyword.mnemonic"));
  assert.strictEqual(new RegExp(mnemonic.match).exec("\tvmac2h.f r0,r2,r4")[1], "vmac2h.f");
});
