// The extension of VS Code: it says which command is the debug adapter and which the language server, and offers tasks.
// Everything else is in package.json.
"use strict";

const vscode = require("vscode");

// setting is one of the settings of arcsim.
const setting = (name) => vscode.workspace.getConfiguration("arcsim").get(name);

const command = () => setting("path") || "arcsim";

// descriptor says how to reach the adapter of a session: a server that waits, or a process of its own.
function descriptor(session) {
  const { request, host, port } = session.configuration;
  if (request === "attach") {
    return new vscode.DebugAdapterServer(port, host || "127.0.0.1");
  }
  const folder = session.workspaceFolder && session.workspaceFolder.uri.fsPath;
  return new vscode.DebugAdapterExecutable(command(), ["debug", "--dap"], folder ? { cwd: folder } : {});
}

// languageSettings are what the server is told.
function languageSettings() {
  const told = {};
  for (const name of ["core", "include", "defsym", "profile"]) {
    if (setting(name)) told[name] = setting(name);
  }
  return told;
}

// languageClient starts the language server. A copy of the folder without its packages debugs only.
function languageClient(context) {
  let client;
  try {
    client = require("vscode-languageclient/node");
  } catch {
    return;
  }
  const server = new client.LanguageClient("arcsim", "arcsim", { command: command(), args: ["lsp"] }, {
    documentSelector: [{ language: "arcasm" }],
    initializationOptions: languageSettings(),
  });
  context.subscriptions.push(
    server,
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("arcsim")) {
        server.sendNotification("workspace/didChangeConfiguration", { settings: { arcsim: languageSettings() } });
      }
    }),
  );
  return server.start();
}

// arguments_ are those of the command for a task.
function arguments_({ action, file, args }) {
  const words = { run: ["run"], profile: ["run", "--annotate", setting("profile") || "last.txt"], timeline: ["report", "timeline"] }[action] || [action];
  return [...words, ...(args || []), file];
}

// taskOf makes the task of a definition.
function taskOf(definition, scope) {
  const name = `${definition.action} ${definition.file}`;
  return new vscode.Task(definition, scope, name, "arcsim", new vscode.ProcessExecution(command(), arguments_(definition)), "$arcasm");
}

// tasks offers those of the source in the editor, and completes those of tasks.json.
const tasks = {
  provideTasks: () => {
    const editor = vscode.window.activeTextEditor;
    if (!editor || editor.document.languageId !== "arcasm") return [];
    return ["run", "profile", "timeline"].map((action) => taskOf({ type: "arcsim", action, file: editor.document.uri.fsPath }, vscode.TaskScope.Workspace));
  },
  resolveTask: (task) => taskOf(task.definition, task.scope || vscode.TaskScope.Workspace),
};

function activate(context) {
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory("arcsim", { createDebugAdapterDescriptor: descriptor }),
    vscode.tasks.registerTaskProvider("arcsim", tasks),
  );
  return languageClient(context);
}

module.exports = { activate, descriptor, tasks };
