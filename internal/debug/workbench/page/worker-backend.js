// The command as WebAssembly as a backend: each process is a worker, which ends with it. The worker's side is worker.js.

const statusKilled = 137;

// open returns the backend of the page at base, which has programs alone. Its whole has all commands: a module twice as large, which
// is loaded when something first runs there.
export async function open(base) {
  const programs = new Backend(base, "programs.wasm.gz");
  await programs.load();
  programs.whole = new Backend(base, "arcsim.wasm.gz");
  return programs;
}

async function load(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status} ${response.statusText}`);
  return WebAssembly.compileStreaming(new Response(await unpacked(response.body), { headers: { "Content-Type": "application/wasm" } }));
}

class Backend {
  #base;
  #file;
  #module; // a promise, once it is loaded
  #spare; // a worker that has started and waits

  constructor(base, file) {
    this.#base = base;
    this.#file = file;
  }

  load() {
    this.#spare ??= this.#worker();
    return this.#module ??= load(new URL(this.#file, this.#base)).catch((error) => {
      this.#module = undefined; // the next run tries again
      throw error;
    });
  }

  #worker() {
    return new Worker(new URL("worker.js", this.#base), { type: "module" });
  }

  run(argv, options = {}) {
    const module = this.load(), worker = this.#spare;
    this.#spare = this.#worker();
    return new Process(worker, module, argv, options);
  }
}

// unpacked is a stream of bytes without gzip, which some servers have already taken off.
async function unpacked(stream) {
  const [first, all] = stream.tee(), reader = first.getReader();
  const { value } = await reader.read();
  reader.cancel();
  const packed = value !== undefined && value[0] === 0x1f && value[1] === 0x8b;
  return packed ? all.pipeThrough(new DecompressionStream("gzip")) : all;
}

class Process {
  #worker;
  #end;
  #started;

  constructor(worker, module, argv, { files = {}, stdout = () => {}, stderr = () => {}, input = "closed" }) {
    this.#worker = worker;
    this.exited = new Promise((resolve, reject) => {
      this.#end = result => {
        worker.terminate();
        resolve(result);
      };
      this.#started = module.then(module => worker.postMessage({ start: { module, argv, files, input: input === "open" } }));
      this.#started.catch(reject);
    });
    worker.onmessage = ({ data }) => {
      if (data.output === undefined) {
        this.#end(data);
        return;
      }
      worker.postMessage({ confirm: data.output.length });
      (data.stream === 1 ? stdout : stderr)(data.output);
    };
    worker.onerror = event => {
      stderr(new TextEncoder().encode(`arcsim: ${event.message}\n`));
      this.#end({ status: statusKilled, files: {} });
    };
  }

  write(input) {
    this.#post({ input: typeof input === "string" ? new TextEncoder().encode(input) : input });
  }

  closeInput() {
    this.#post({ close: true });
  }

  #post(message) {
    this.#started.then(() => this.#worker.postMessage(message), () => {}); // exited says why it did not start
  }

  kill() {
    this.#end({ status: statusKilled, files: {} });
  }
}
