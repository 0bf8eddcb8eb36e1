// The command as WebAssembly as a backend: each process is a worker, which ends with it. The worker's side is worker.js.

const statusKilled = 137;

// open returns the backend of the page at base.
export async function open(base) {
  return new Backend(base, await load(new URL("arcsim.wasm.gz", base)));
}

async function load(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status} ${response.statusText}`);
  return WebAssembly.compileStreaming(new Response(await unpacked(response.body), { headers: { "Content-Type": "application/wasm" } }));
}

class Backend {
  #base;
  #module;
  #spare; // a worker that has started and waits

  constructor(base, module) {
    this.#base = base;
    this.#module = module;
    this.#spare = this.#worker();
  }

  #worker() {
    return new Worker(new URL("worker.js", this.#base), { type: "module" });
  }

  run(argv, options = {}) {
    const worker = this.#spare;
    this.#spare = this.#worker();
    return new Process(worker, this.#module, argv, options);
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

  constructor(worker, module, argv, { files = {}, stdout = () => {}, stderr = () => {}, input = "closed" }) {
    this.#worker = worker;
    this.exited = new Promise(resolve => {
      this.#end = result => {
        worker.terminate();
        resolve(result);
      };
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
    worker.postMessage({ start: { module, argv, files, input: input === "open" } });
  }

  write(input) {
    this.#worker.postMessage({ input: typeof input === "string" ? new TextEncoder().encode(input) : input });
  }

  closeInput() {
    this.#worker.postMessage({ close: true });
  }

  kill() {
    this.#end({ status: statusKilled, files: {} });
  }
}
