// Sessions of the client with which VS Code's adapters are tested. ARCSIM is the command, PROGRAM an ELF file,
// SOURCE the folder of its sources. What the program computes is in testdata/elf/small/expected.tsv.
"use strict";

const assert = require("node:assert");
const net = require("node:net");
const { spawn } = require("node:child_process");
const path = require("node:path");
const { test } = require("node:test");
const { DebugClient } = require("@vscode/debugadapter-testsupport");

const { ARCSIM, PROGRAM, SOURCE } = process.env;
const sortC = path.join(SOURCE, "sort.c");
const launch = { program: PROGRAM, sourceDirectories: [SOURCE], core: "em9d" };

async function started(t) {
  const dc = new DebugClient(ARCSIM, "debug --dap", "arcsim", { shell: true });
  dc.defaultTimeout = 30000;
  await dc.start();
  t.after(() => dc.stop());
  return dc;
}

test("launches, breaks, steps in both directions and ends", async (t) => {
  const dc = await started(t);
  await dc.hitBreakpoint(launch, { path: sortC, line: 10 });
  const top = async () => (await dc.stackTraceRequest({ threadId: 1, levels: 1 })).body.stackFrames[0];
  const value = async (expression) => (await dc.evaluateRequest({ expression })).body.result;
  const first = await top();
  assert.strictEqual(first.name, "insertion");
  assert.strictEqual(await value("i"), "1");

  await Promise.all([dc.nextRequest({ threadId: 1 }), dc.waitForEvent("stopped")]);
  const second = await top();
  assert.notStrictEqual(second.instructionPointerReference, first.instructionPointerReference);
  await Promise.all([dc.reverseContinueRequest({ threadId: 1 }), dc.assertStoppedLocation("breakpoint", { line: 10 })]);
  assert.strictEqual((await top()).instructionPointerReference, first.instructionPointerReference);

  const scopes = (await dc.scopesRequest({ frameId: (await top()).id })).body.scopes;
  const registers = scopes.find((s) => s.name === "Registers");
  const list = (await dc.variablesRequest({ variablesReference: registers.variablesReference })).body.variables;
  assert.ok(list.some((v) => v.name === "acclo"));

  const a = (await dc.evaluateRequest({ expression: "a" })).body;
  const memory = await dc.customRequest("readMemory", { memoryReference: a.memoryReference, count: 4 });
  const word = Buffer.from(memory.body.data, "base64").readInt32LE();
  assert.strictEqual(String(word), await value("a[0]"));

  const code = await dc.customRequest("disassemble", { memoryReference: first.instructionPointerReference, instructionOffset: -2, instructionCount: 6 });
  assert.strictEqual(code.body.instructions.length, 6);
  assert.strictEqual(code.body.instructions[2].address, first.instructionPointerReference);

  await dc.setBreakpointsRequest({ source: { path: sortC }, breakpoints: [] });
  const exited = dc.waitForEvent("exited");
  await Promise.all([dc.continueRequest({ threadId: 1 }), dc.waitForEvent("terminated")]);
  assert.strictEqual((await exited).body.exitCode, 52);
});

test("refuses a program that there is not", async (t) => {
  const dc = await started(t);
  await dc.initializeRequest();
  await assert.rejects(dc.launchRequest({ program: "nowhere.elf" }), /nowhere.elf/);
});

test("serves one client after the other, and a program to attach to", async (t) => {
  const server = spawn(ARCSIM, ["debug", "--dap=127.0.0.1:0", "-d", SOURCE, PROGRAM], { stdio: ["ignore", "ignore", "pipe"] });
  t.after(() => server.kill());
  const port = await new Promise((found) => server.stderr.on("data", (text) => {
    const m = /at 127\.0\.0\.1:(\d+)/.exec(text);
    if (m) found(Number(m[1]));
  }));
  let pc;
  for (let i = 0; i < 2; i++) {
    const dc = new DebugClient(ARCSIM, "debug --dap", "arcsim", { shell: true });
    await dc.start(port);
    await Promise.all([
      dc.waitForEvent("initialized").then(() => dc.configurationDoneRequest()),
      dc.initializeRequest().then(() => dc.attachRequest({})),
      dc.waitForEvent("stopped"),
    ]);
    const here = (await dc.stackTraceRequest({ threadId: 1, levels: 1 })).body.stackFrames[0].instructionPointerReference;
    if (i > 0) assert.strictEqual(here, pc);
    await Promise.all([dc.stepInRequest({ threadId: 1, granularity: "instruction" }), dc.waitForEvent("stopped")]);
    pc = (await dc.stackTraceRequest({ threadId: 1, levels: 1 })).body.stackFrames[0].instructionPointerReference;
    await dc.stop(); // of a server: disconnects
  }
  // The server lives.
  await new Promise((done, failed) => net.connect(port, "127.0.0.1").on("connect", done).on("error", failed));
});
