// A client of the debug adapter: requests with promises for their answers, and events.

import { Channel } from "./channel.js";

export class Adapter {
  #waiting = new Map();
  #last = 0;

  /** events has a handler by the name of each event that matters. */
  constructor(backend, files, events) {
    this.events = events;
    this.channel = new Channel(backend, ["debug", "--dap"], files, (text) => this.#receive(JSON.parse(text)));
    this.channel.process.exited.then(({ status }) => this.#gone(new Error(this.channel.complaint || `the debugger ended with status ${status}`)), (error) => this.#gone(error));
  }

  request(command, args = {}) {
    const seq = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(seq, { resolve, reject });
      this.channel.send(JSON.stringify({ seq, type: "request", command, arguments: args }));
    });
  }

  kill() {
    this.events = {};
    this.#waiting.clear(); // who waits, waits for nothing
    this.channel.process.kill();
  }

  #receive(message) {
    if (message.type === "event") {
      this.events[message.event]?.(message.body ?? {});
      return;
    }
    const waiting = this.#waiting.get(message.request_seq);
    this.#waiting.delete(message.request_seq);
    if (message.success) waiting?.resolve(message.body ?? {});
    else waiting?.reject(new Error(message.message));
  }

  #gone(error) {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    this.events.gone?.(error);
  }
}
