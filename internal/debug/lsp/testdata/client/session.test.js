// Sessions of the libraries that VS Code's language clients are made of. ARCSIM is the command.
"use strict";

const assert = require("node:assert");
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const { test } = require("node:test");
const rpc = require("vscode-jsonrpc/node");
const lsp = require("vscode-languageserver-protocol/node");

const main = `	.include "lib.inc"
	.global	start
start:	mov	r0,SIZE	; 😀
	CLEAR	r1
1:	add	r0,r0,1
	brne	r0,SIZE,1b
	bl	helper
`;
const lib = `	.equ	SIZE,4
	.macro	CLEAR reg
	mov	\\reg,0
	.endm
helper:	j	[blink]
`;

async function started(t) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "arcsim-"));
  fs.writeFileSync(path.join(folder, "lib.inc"), lib);
  fs.writeFileSync(path.join(folder, "main.s"), main);
  const uri = (name) => pathToFileURL(path.join(folder, name)).href;
  const server = spawn(process.env.ARCSIM, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
  const c = rpc.createMessageConnection(new rpc.StreamMessageReader(server.stdout), new rpc.StreamMessageWriter(server.stdin));
  t.after(() => { c.dispose(); server.kill(); fs.rmSync(folder, { recursive: true }); });
  const told = new Map(), waiting = [];
  c.onNotification(lsp.PublishDiagnosticsNotification.type, (p) => {
    told.set(p.uri, p);
    for (const w of waiting.splice(0)) if (!w(p)) waiting.push(w);
  });
  // diagnostics waits for those of a version.
  const diagnostics = (uri, version) => new Promise((found) => {
    const wanted = (p) => p.uri === uri && p.version === version && (found(p.diagnostics), true);
    if (!told.has(uri) || !wanted(told.get(uri))) waiting.push(wanted);
  });
  c.listen();
  const result = await c.sendRequest(lsp.InitializeRequest.type, {
    processId: process.pid, rootUri: uri(""), capabilities: {}, workspaceFolders: [{ uri: uri("").replace(/\/$/, ""), name: "w" }],
  });
  await c.sendNotification(lsp.InitializedNotification.type, {});
  const open = (name, text) => c.sendNotification(lsp.DidOpenTextDocumentNotification.type, {
    textDocument: { uri: uri(name), languageId: "arcasm", version: 1, text },
  });
  return { c, server, uri, open, diagnostics, result };
}

test("fifty requests", async (t) => {
  const { c, server, uri, open, diagnostics, result } = await started(t);
  let requests = 1; // initialize
  const ask = (type, params) => { requests++; return c.sendRequest(type, params); };
  assert.strictEqual(result.capabilities.positionEncoding, "utf-16");
  await open("main.s", main);
  await open("lib.inc", lib);
  assert.deepStrictEqual(await diagnostics(uri("main.s"), 1), []);
  const at = (name, line, character) => ({ textDocument: { uri: uri(name) }, position: { line, character } });
  const hover = async (...place) => ((await ask(lsp.HoverRequest.type, at(...place))) || { contents: { value: "" } }).contents.value;

  for (const [place, text] of [
    [["main.s", 2, 8], "mov<.f><.cc>"], [["main.s", 2, 12], "core register 0"], [["main.s", 2, 15], "constant 4"], [["main.s", 3, 2], "macro"],
    [["main.s", 4, 4], "how sure"], [["main.s", 5, 3], "if b != c"], [["main.s", 6, 2], "bl"], [["main.s", 6, 5], "label in .text"],
    [["main.s", 0, 3], "text of a file"], [["lib.inc", 0, 3], "give a name a value"], [["lib.inc", 4, 12], "return address"], [["main.s", 2, 0], "global"],
    [["lib.inc", 1, 3], "a macro up to .endm"], [["lib.inc", 2, 2], "mov<.f>"], [["lib.inc", 4, 0], "label in .text"], [["main.s", 4, 8], "core register 0"],
    [["main.s", 1, 3], "other objects"],
  ]) {
    const got = await hover(...place);
    assert.ok(got.includes(text), `${place}: ${got}`);
  }
  assert.strictEqual(await hover("main.s", 2, 24), ""); // behind the emoji of the comment

  const places = (list) => list.map((l) => `${path.basename(l.uri)}:${l.range.start.line}:${l.range.start.character}`).sort();
  for (const [place, want] of [
    [["main.s", 2, 15], ["lib.inc:0:6"]], [["main.s", 3, 2], ["lib.inc:1:8"]], [["main.s", 6, 5], ["lib.inc:4:0"]], [["main.s", 5, 15], ["main.s:4:0"]],
    [["main.s", 0, 13], ["lib.inc:0:0"]], [["lib.inc", 2, 6], ["lib.inc:1:14"]], [["main.s", 2, 8], []],
  ]) {
    assert.deepStrictEqual(places(await ask(lsp.DefinitionRequest.type, at(...place))), want, `${place}`);
  }
  for (const [place, want] of [
    [["lib.inc", 0, 7], ["lib.inc:0:6", "main.s:2:14", "main.s:5:9"]], [["lib.inc", 4, 2], ["lib.inc:4:0", "main.s:6:4"]],
    [["main.s", 4, 0], ["main.s:4:0", "main.s:5:14"]], [["main.s", 1, 10], ["main.s:1:9", "main.s:2:0"]],
  ]) {
    assert.deepStrictEqual(places(await ask(lsp.ReferencesRequest.type, { ...at(...place), context: { includeDeclaration: true } })), want, `${place}`);
  }
  assert.strictEqual((await ask(lsp.DocumentHighlightRequest.type, at("main.s", 2, 15))).length, 2);

  assert.strictEqual((await ask(lsp.PrepareRenameRequest.type, at("main.s", 6, 5))).placeholder, "helper");
  const edits = (await ask(lsp.RenameRequest.type, { ...at("main.s", 6, 5), newName: "other" })).changes;
  assert.deepStrictEqual(Object.values(edits).map((l) => l.length), [1, 1]);
  assert.strictEqual((await ask(lsp.RenameRequest.type, { ...at("main.s", 4, 0), newName: "5" })).changes[uri("main.s")].length, 2);
  await assert.rejects(ask(lsp.RenameRequest.type, { ...at("main.s", 6, 5), newName: "r1" }), /register/);
  await assert.rejects(ask(lsp.PrepareRenameRequest.type, at("main.s", 2, 8)), /only labels/);

  const symbols = await ask(lsp.DocumentSymbolRequest.type, { textDocument: { uri: uri("main.s") } });
  assert.deepStrictEqual(symbols.map((s) => [s.name, s.kind, s.children.map((x) => x.name)]), [["start", lsp.SymbolKind.Function, ["1"]]]);
  assert.deepStrictEqual((await ask(lsp.DocumentSymbolRequest.type, { textDocument: { uri: uri("lib.inc") } })).map((s) => s.name), ["SIZE", "CLEAR", "helper"]);
  assert.deepStrictEqual(await ask(lsp.FoldingRangeRequest.type, { textDocument: { uri: uri("lib.inc") } }), [{ startLine: 1, endLine: 3 }]);
  const options = { tabSize: 8, insertSpaces: false };
  assert.deepStrictEqual(await ask(lsp.DocumentFormattingRequest.type, { textDocument: { uri: uri("lib.inc") }, options }), []);
  const [comment] = await ask(lsp.DocumentFormattingRequest.type, { textDocument: { uri: uri("main.s") }, options });
  assert.strictEqual(comment.newText, "start:\tmov\tr0,SIZE\t\t\t; 😀");
  assert.strictEqual(comment.range.end.character, 23); // two units for the emoji
  const range = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
  const hints = await ask(lsp.InlayHintRequest.type, { textDocument: { uri: uri("main.s") }, range });
  assert.deepStrictEqual(hints.map((h) => [h.position.line, h.label]), [[5, "branch 1 · loop: 3 cycles for 2 instructions"]]);
  assert.strictEqual((await ask(lsp.SemanticTokensRequest.type, { textDocument: { uri: uri("main.s") } })).data.length % 5, 0);

  // Edits, in units of UTF-16.
  const change = (version, text, line, from, to) => c.sendNotification(lsp.DidChangeTextDocumentNotification.type, {
    textDocument: { uri: uri("main.s"), version }, contentChanges: [{ text, range: { start: { line, character: from }, end: { line, character: to } } }],
  });
  await change(2, "x\n\tnope", 2, 23, 23);
  const [wrong] = await diagnostics(uri("main.s"), 2);
  assert.deepStrictEqual([wrong.range.start, wrong.severity, wrong.source], [{ line: 3, character: 1 }, 1, "arcsim"]);
  assert.match(wrong.message, /unknown instruction "nope", did you mean nop/);
  await change(3, "vma", 3, 1, 5);
  const complete = async (line, character) => (await ask(lsp.CompletionRequest.type, at("main.s", line, character))).items.map((i) => i.label);
  assert.ok((await complete(3, 4)).includes("vmac2h"));
  await change(4, "add.f", 3, 1, 4);
  assert.ok((await complete(3, 6)).includes("add.f"));
  await change(5, "mov\tr1,SI", 3, 1, 6);
  assert.deepStrictEqual(await complete(3, 10), ["SIZE"]);
  await change(6, "lr\tr1,[agu_a", 3, 1, 10);
  assert.ok((await complete(3, 13)).includes("agu_ap0"));
  await change(7, ".al", 3, 1, 13);
  assert.deepStrictEqual(await complete(3, 4), [".align", ".altmacro"]);
  assert.match((await ask(lsp.CompletionResolveRequest.type, { label: "vmac2h", kind: lsp.CompletionItemKind.Function })).documentation.value, /how sure/);
  await change(8, "\tnop", 3, 0, 4);
  assert.deepStrictEqual(await diagnostics(uri("main.s"), 8), []);

  await assert.rejects(ask("textDocument/flyAway", {}), (e) => e.code === rpc.ErrorCodes.MethodNotFound);
  await ask(lsp.ShutdownRequest.type);
  await assert.rejects(ask(lsp.HoverRequest.type, at("main.s", 0, 0)), (e) => e.code === rpc.ErrorCodes.InvalidRequest);
  const left = new Promise((done) => server.on("exit", done));
  await c.sendNotification(lsp.ExitNotification.type);
  assert.strictEqual(await left, 0);
  assert.ok(requests >= 50, `${requests} requests`);
});

test("a request is cancelled, and the session goes on", async (t) => {
  const { c, open, uri } = await started(t);
  await open("big.s", "\tadd r0,r1,r2\n".repeat(20000));
  const first = c.sendRequest(lsp.DocumentSymbolRequest.type, { textDocument: { uri: uri("big.s") } });
  const cancel = new rpc.CancellationTokenSource();
  const second = c.sendRequest(lsp.HoverRequest.type, { textDocument: { uri: uri("big.s") }, position: { line: 0, character: 2 } }, cancel.token);
  cancel.cancel();
  await assert.rejects(second, (e) => e.code === lsp.LSPErrorCodes.RequestCancelled);
  await first;
});
