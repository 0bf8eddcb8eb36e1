// Runs of the command to their ends, on top of the backend (backend.js), and texts that arrive in parts.

/** collect runs the command to its end and returns what it printed, its status and the files that it wrote. */
export function collect(backend, argv, files = {}) {
  const out = new Gatherer(), err = new Gatherer();
  const process = backend.run(argv, { files, stdout: (part) => out.add(part), stderr: (part) => err.add(part) });
  const ended = process.exited.then(({ status, files }) => ({ status, files, out: out.text(), err: err.text() }));
  return { ended, kill: () => process.kill() };
}

/** json runs the command to its end and returns the JSON that it printed; what it said of an error is the error. */
export async function json(backend, argv, files = {}) {
  const { status, out, err } = await collect(backend, argv, files).ended;
  if (out === "") throw new Error(reason(err) || `arcsim ${argv[0]} ended with status ${status}`);
  return JSON.parse(out);
}

/** reason is what messages say without the name of the command before them. */
export const reason = (text) => text.replace(/^arcsim: /gm, "").trim();

/** messages finds those of the assembler about a file: { line, column, message }. */
export function messages(text, file) {
  return text.split("\n").flatMap((line) => {
    const at = line.indexOf(`${file}:`), found = at < 0 ? null : /^(\d+):(\d+): (.*)/.exec(line.slice(at + file.length + 1));
    return found ? [{ line: Number(found[1]), column: Number(found[2]), message: found[3] }] : [];
  });
}

/** Gatherer puts texts together that arrive in parts, up to a bound: a program may print without end. */
export class Gatherer {
  #decoder = new TextDecoder();
  #parts = [];
  #length = 0;

  constructor(most = 64 << 20) {
    this.most = most;
  }

  /** add takes a part and returns what is new of the text. */
  add(part) {
    if (this.#length > this.most) return "";
    this.#length += part.length;
    const text = this.#decoder.decode(part, { stream: true }) + (this.#length > this.most ? "\nThe rest is not shown.\n" : "");
    this.#parts.push(text);
    return text;
  }

  text() {
    return this.#parts.join("");
  }
}
