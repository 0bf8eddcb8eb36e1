// Work that a Stop button ends at once: the processes of a view that are going on.

import { say } from "./dom.js";

export class Work {
  #running = new Set();

  /** changed is told whether anything is going on. */
  constructor(changed) {
    this.changed = changed;
  }

  /**
   * until waits for what a process gives at its end. After a stop it never returns: nothing that follows in the caller happens
   * then, and whoever stopped it says what happens instead. Nor does it when the process cannot run, which it says itself.
   */
  until({ kill, ended }) {
    return new Promise((resolve) => {
      const entry = { kill };
      this.#running.add(entry);
      this.changed(true);
      const over = (settle) => (value) => {
        if (!this.#running.delete(entry)) return;
        this.changed(this.#running.size > 0);
        settle(value);
      };
      ended.then(over(resolve), over((error) => say(error.message, true)));
    });
  }

  /** stop ends all processes and returns whether there was one. */
  stop() {
    const all = [...this.#running];
    this.#running.clear();
    for (const { kill } of all) kill();
    this.changed(false);
    return all.length > 0;
  }
}
