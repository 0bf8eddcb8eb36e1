// A worker runs the command once, in a computer of its own. Messages to it: {start: {module, argv, files, input}}, {input: bytes},
// {close: true}, {confirm: count}. Messages from it: {output: bytes, stream}, and at the end {status, files}.
import "./wasm_exec.js";
import { Host, home } from "./fs.js";

// statusCrashed is what Go ends with when it panics.
const statusCrashed = 2;

let host;

async function start({ module, argv, files, input }) {
  host = new Host(files, (stream, output) => postMessage({ stream, output }, [output.buffer]));
  if (!input) host.streams.close();
  Object.assign(globalThis, { fs: host.fs, process: host.process, path: host.path });
  const go = new globalThis.Go();
  let status = statusCrashed;
  go.argv = ["arcsim", ...argv];
  go.env = { HOME: home, TMPDIR: "/tmp", NO_COLOR: "1" };
  go.exit = code => { status = code; };
  try {
    await go.run(await WebAssembly.instantiate(module, go.importObject));
  } catch (error) {
    host.fs.writeSync(2, new TextEncoder().encode(`arcsim: ${error}\n`)); // such as memory that the browser does not give
  }
  postMessage({ status, files: host.changedFiles() });
}

onmessage = ({ data }) => {
  if (data.start) start(data.start);
  else if (data.input) host.streams.write(data.input);
  else if (data.close) host.streams.close();
  else if (data.confirm) host.streams.confirm(data.confirm);
};
