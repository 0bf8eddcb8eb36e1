// The language server beside an editor: completion, hover, messages while one types, definitions, renaming, columns.

import { say } from "./dom.js";
import { Channel } from "./channel.js";

/** Assistant is a language server for one editor. It starts anew when the core or the file changes. */
export class Assistant {
  #channel = null;
  #handlers = []; // of CodeMirror, for messages of the server
  #asked = new Map(); // methods of requests without an answer, by their ids

  /** files are those that the source may include. */
  constructor(backend, editor, name, files) {
    Object.assign(this, { backend, editor, files, uri: `file:///${name}` });
  }

  start(core) {
    this.stop();
    this.editor.attach((cm) => {
      const kernels = this.backend === this.backend.whole ? ["-I", "@mli"] : []; // whose includes programs alone have not
      const channel = new Channel(this.backend, ["lsp", "-I", ".", ...kernels], this.files, (text) => this.#receive(text));
      this.#channel = channel;
      channel.process.exited.catch((error) => say(error.message, true));
      const client = new cm.LSPClient({
        timeout: 20000, // the first answer comes when the module has been compiled
        extensions: cm.languageServerExtensions(),
        sanitizeHTML: harmless,
        initializationOptions: { core },
      });
      client.connect({
        send: (text) => this.#send(channel, text),
        subscribe: (handle) => this.#handlers.push(handle),
        unsubscribe: (handle) => { this.#handlers = this.#handlers.filter((other) => other !== handle); },
      });
      client.initializing.catch((error) => console.warn("language server:", error.message));
      return client.plugin(this.uri, "arcasm");
    });
  }

  /** stop ends the server. What CodeMirror still waits for is answered by nothing: it would speak of requests that took too long. */
  stop() {
    if (!this.#channel) return;
    const channel = this.#channel;
    this.#channel = null;
    for (const [id, method] of this.#asked) this.#receive(JSON.stringify({ jsonrpc: "2.0", id, result: method === "initialize" ? { capabilities: {} } : null }));
    this.#handlers = [];
    this.editor.attach(() => []);
    channel.process.kill();
  }

  #send(channel, text) {
    const { id, method } = JSON.parse(text);
    if (id !== undefined && method) this.#asked.set(id, method);
    if (this.#channel === channel) channel.send(text);
  }

  #receive(text) {
    const { id, method } = JSON.parse(text);
    if (!method) this.#asked.delete(id);
    for (const handle of this.#handlers) handle(text);
  }
}

const allowed = new Set(["p", "br", "hr", "em", "strong", "code", "pre", "ul", "ol", "li", "table", "thead", "tbody", "tr", "th", "td", "span", "div", "h1", "h2", "h3"]);

/**
 * harmless leaves elements that format text, without attributes but the class, and of all others the text. The server repeats
 * comments of the source, and a source may come from the address of the page.
 */
function harmless(html) {
  const body = new DOMParser().parseFromString(html, "text/html").body;
  for (const element of [...body.querySelectorAll("*")]) {
    if (!allowed.has(element.localName)) {
      element.replaceWith(element.textContent);
      continue;
    }
    for (const { name } of [...element.attributes]) if (name !== "class") element.removeAttribute(name);
  }
  return body.innerHTML;
}
