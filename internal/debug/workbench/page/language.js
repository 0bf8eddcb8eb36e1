// ARCv2DSP assembly for the editor: which words are instructions, directives, registers, numbers and comments.

import { StreamLanguage, syntaxHighlighting, HighlightStyle, tags } from "./vendor/codemirror.js";

const register = /^%?(r([0-9]|[1-5][0-9]|6[0-3])|gp|fp|sp|ilink|blink|lp_count|pcl)(?![\w.$])/;

/** token names the next word of a line. A statement begins where state.begins says so: at a line, and behind a label. */
function token(stream, state) {
  if (stream.sol()) state.begins = true;
  if (state.comment) {
    state.comment = !stream.match(/^.*?\*\//);
    if (state.comment) stream.skipToEnd();
    return "comment";
  }
  if (stream.eatSpace()) return null;
  if (stream.match(/^[;#].*/)) return "comment";
  if (stream.match("/*")) {
    state.comment = true;
    return "comment";
  }
  if (state.begins && stream.match(/^([A-Za-z_.$\\][\w.$\\@()]*|\d+\$?)::?/)) return "labelName";
  if (stream.eat("`")) {
    state.begins = true;
    return "operator";
  }
  if (state.begins) {
    state.begins = false;
    if (stream.match(/^\.[A-Za-z][\w.]*/)) return "meta";
    if (stream.match(/^[A-Za-z_$][\w.$]*(?=\s*==?)/)) return "labelName";
    if (stream.match(/^[A-Za-z][\w.]*/)) return "keyword";
  }
  if (stream.match(/^"(\\.|[^"\\])*"?/)) return "string";
  if (stream.match(register)) return "variableName.standard";
  if (stream.match(/^(0[xX][0-9A-Fa-f]+|0[bB][01]+|\d+[fb$]?)(?![\w.$])/)) return "number";
  if (stream.match(/^[\\@]?[A-Za-z_.$][\w.$]*/)) return "variableName";
  stream.next();
  return null;
}

const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--soft)" },
  { tag: tags.keyword, color: "var(--accent)", fontWeight: "600" },
  { tag: tags.meta, color: "var(--soft)" },
  { tag: tags.labelName, fontWeight: "600" },
  { tag: tags.standard(tags.variableName), color: "var(--register)" },
  { tag: [tags.number, tags.string], color: "var(--number)" },
]);

export const assembly = [
  StreamLanguage.define({
    name: "arcasm", startState: () => ({ begins: true, comment: false }), token, languageData: { commentTokens: { line: ";" } },
  }),
  syntaxHighlighting(colours),
];
