// The grammar of the extension, read by the library that VS Code colours text with.
"use strict";

const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");
const oniguruma = require("vscode-oniguruma");
const { Registry, INITIAL, parseRawGrammar } = require("vscode-textmate");

test("words of a source have the colours of what they are", async () => {
  const file = path.join(path.dirname(process.env.EXTENSION), "syntaxes", "arcasm.tmLanguage.json");
  await oniguruma.loadWASM(fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);
  const registry = new Registry({
    onigLib: Promise.resolve({ createOnigScanner: (p) => new oniguruma.OnigScanner(p), createOnigString: (s) => new oniguruma.OnigString(s) }),
    loadGrammar: async () => parseRawGrammar(fs.readFileSync(file, "utf8"), file),
  });
  const grammar = await registry.loadGrammar("source.arcasm");
  let state = INITIAL;
  // colours are the last scopes of the words of a line.
  const colours = (line) => {
    const result = grammar.tokenizeLine(line, state);
    state = result.ruleStack;
    return result.tokens.map((t) => [line.slice(t.startIndex, t.endIndex).trim(), t.scopes[t.scopes.length - 1].replace(".arcasm", "")]).filter(([w, s]) => w && s !== "source");
  };
  for (const [line, want] of [
    ["start:\tmac.f\tr0,r12,0x10\t; r1", [["start:", "entity.name.function"], ["mac.f", "keyword.mnemonic"], ["r0", "variable.language"], ["r12", "variable.language"], ["0x10", "constant.numeric"], ["; r1", "comment.line"]]],
    ["\t.macro\tCLEAR reg", [[".macro", "keyword.control"], ["CLEAR", "entity.name.function.macro"]]],
    ["1:\tmov\t\\reg,'a'", [["1:", "entity.name.function"], ["mov", "keyword.mnemonic"], ["\\reg", "variable.parameter"], ["'a'", "string.quoted.single"]]],
    ["\tbrne\tblink,lp_count,1b", [["brne", "keyword.mnemonic"], ["blink", "variable.language"], ["lp_count", "variable.language"], ["1b", "constant.numeric"]]],
    ["\t.ascii\t\"a ; b\"", [[".ascii", "keyword.control"], ["\"", "string.quoted.double"], ["a ; b", "string.quoted.double"], ["\"", "string.quoted.double"]]],
    ["SIZE = 4 /* two", [["SIZE", "entity.name.constant"], ["=", "keyword.operator"], ["4", "constant.numeric"], ["/*", "comment.block"], ["two", "comment.block"]]],
    ["lines */ nop", [["lines", "comment.block"], ["*/", "comment.block"]]],
  ]) {
    assert.deepStrictEqual(colours(line), want, line);
  }
});
