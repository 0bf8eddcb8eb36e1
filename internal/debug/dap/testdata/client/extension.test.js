// The extension of VS Code with a stand-in for the editor: what it says about the adapter of a session.
"use strict";

const assert = require("node:assert");
const Module = require("node:module");
const { test } = require("node:test");

let factory, setting;
const editor = {
  DebugAdapterExecutable: class { constructor(command, args, options) { Object.assign(this, { command, args, options }); } },
  DebugAdapterServer: class { constructor(port, host) { Object.assign(this, { port, host }); } },
  debug: { registerDebugAdapterDescriptorFactory: (type, f) => { assert.strictEqual(type, "arcsim"); factory = f; return {}; } },
  tasks: { registerTaskProvider: () => ({}) },
  workspace: { getConfiguration: () => ({ get: (name) => (name === "path" ? setting : undefined) }) },
};
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? editor : load(name, ...rest));

test("the adapter of a session is a process, or a server to attach to", () => {
  const context = { subscriptions: [] };
  require(process.env.EXTENSION).activate(context);
  assert.strictEqual(context.subscriptions.length, 2); // without its packages it starts no language server
  const adapter = (configuration, folder) => factory.createDebugAdapterDescriptor({ configuration, workspaceFolder: folder && { uri: { fsPath: folder } } });
  assert.deepStrictEqual({ ...adapter({ request: "launch" }, "/home") }, { command: "arcsim", args: ["debug", "--dap"], options: { cwd: "/home" } });
  setting = "/opt/arcsim";
  assert.deepStrictEqual({ ...adapter({ request: "launch" }) }, { command: "/opt/arcsim", args: ["debug", "--dap"], options: {} });
  assert.deepStrictEqual({ ...adapter({ request: "attach", port: 4711 }) }, { port: 4711, host: "127.0.0.1" });
});
