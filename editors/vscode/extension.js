// The extension of VS Code: it says which command is the debug adapter, arcsim debug --dap. Everything else is in
// package.json.
"use strict";

const vscode = require("vscode");

// descriptor says how to reach the adapter of a session: a server that waits, or a process of its own.
function descriptor(session) {
  const { request, host, port } = session.configuration;
  if (request === "attach") {
    return new vscode.DebugAdapterServer(port, host || "127.0.0.1");
  }
  const command = vscode.workspace.getConfiguration("arcsim").get("path") || "arcsim";
  const folder = session.workspaceFolder && session.workspaceFolder.uri.fsPath;
  return new vscode.DebugAdapterExecutable(command, ["debug", "--dap"], folder ? { cwd: folder } : {});
}

function activate(context) {
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory("arcsim", { createDebugAdapterDescriptor: descriptor }),
  );
}

module.exports = { activate, descriptor };
