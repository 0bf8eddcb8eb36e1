// Messages of the debug adapter and of the language server over a process: a header with the length, an empty line, JSON.

export class Channel {
  #rest = new Uint8Array();
  #encoder = new TextEncoder();
  #decoder = new TextDecoder();

  /** receive is called with the text of each message that comes. */
  constructor(backend, argv, files, receive) {
    this.receive = receive;
    this.process = backend.run(argv, { files, input: "open", stdout: (part) => this.#take(part), stderr: (part) => this.#complain(part) });
    this.complaint = "";
  }

  send(text) {
    const body = this.#encoder.encode(text);
    const head = this.#encoder.encode(`Content-Length: ${body.length}\r\n\r\n`);
    const all = new Uint8Array(head.length + body.length);
    all.set(head);
    all.set(body, head.length);
    this.process.write(all);
  }

  #complain(part) {
    this.complaint += this.#decoder.decode(part);
  }

  #take(part) {
    const all = new Uint8Array(this.#rest.length + part.length);
    all.set(this.#rest);
    all.set(part, this.#rest.length);
    this.#rest = all;
    for (;;) {
      const end = headerEnd(this.#rest);
      if (end < 0) return;
      const length = Number(/content-length: *(\d+)/i.exec(this.#decoder.decode(this.#rest.subarray(0, end)))?.[1]);
      if (this.#rest.length < end + length) return;
      const text = this.#decoder.decode(this.#rest.subarray(end, end + length));
      this.#rest = this.#rest.slice(end + length);
      this.receive(text);
    }
  }
}

/** headerEnd is where the body of the first message begins, -1 when that is not here yet. */
function headerEnd(bytes) {
  for (let i = bytes.indexOf(13); i >= 0; i = bytes.indexOf(13, i + 1)) {
    if (i + 3 < bytes.length && bytes[i + 1] === 10 && bytes[i + 2] === 13 && bytes[i + 3] === 10) return i + 4;
  }
  return -1;
}
