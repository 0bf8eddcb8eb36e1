// The language server beside an editor: completion, hover, messages while one types, definitions, renaming, columns.

import { say } from "./dom.js";
import { Channel } from "./channel.js";

/** Assistant is a language server for one editor. It starts anew when the core or the file changes. */
export class Assistant {
  #channel = null;

  /** files are those that the source may include. */
  constructor(backend, editor, name, files) {
    Object.assign(this, { backend, editor, files, uri: `file:///${name}` });
  }

  start(core) {
    this.stop();
    this.editor.attach((cm) => {
      let handlers = [];
      const channel = new Channel(this.backend, ["lsp", "-I", ".", "-I", "@mli"], this.files, (text) => handlers.forEach((handle) => handle(text)));
      this.#channel = channel;
      channel.process.exited.catch((error) => say(error.message, true));
      const client = new cm.LSPClient({
        timeout: 20000, // the first answer comes when the module has been compiled
        extensions: cm.languageServerExtensions(),
        sanitizeHTML: harmless,
        initializationOptions: { core },
      });
      client.connect({
        send: (text) => channel.send(text),
        subscribe: (handle) => handlers.push(handle),
        unsubscribe: (handle) => { handlers = handlers.filter((other) => other !== handle); },
      });
      client.initializing.catch((error) => console.warn("language server:", error.message));
      return client.plugin(this.uri, "arcasm");
    });
  }

  stop() {
    if (!this.#channel) return;
    this.editor.attach(() => []);
    this.#channel.process.kill();
    this.#channel = null;
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
