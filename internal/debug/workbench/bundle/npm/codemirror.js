// What the page uses of CodeMirror, as one module: bundle/build.mjs makes page/vendor/codemirror.js of it.
export { EditorState, Compartment, StateEffect, StateField, RangeSet } from "@codemirror/state";
export {
  EditorView, Decoration, GutterMarker, gutter, gutterLineClass, lineNumbers, keymap, drawSelection, highlightActiveLine, highlightSpecialChars,
} from "@codemirror/view";
export { defaultKeymap, history, historyKeymap, indentLess, insertTab } from "@codemirror/commands";
export { StreamLanguage, syntaxHighlighting, HighlightStyle, LanguageSupport } from "@codemirror/language";
export { autocompletion, completionKeymap, closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
export { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
export { search, searchKeymap, highlightSelectionMatches } from "@codemirror/search";
export { LSPClient, languageServerExtensions } from "@codemirror/lsp-client";
export { tags } from "@lezer/highlight";
