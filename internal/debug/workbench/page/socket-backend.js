// The command's own server as a backend: each process is a WebSocket, which ends with it. The server's side is process.go.

const STDOUT = 1, STDERR = 2;
const encoder = new TextEncoder();

const bytesOf = data => typeof data === "string" ? encoder.encode(data) : data;

// open returns the backend of the page at base.
export async function open(base) {
  const address = new URL("socket", base);
  address.protocol = "ws:";
  const backend = { run: (argv, opts = {}) => run(address, argv, opts) };
  backend.whole = backend;
  return backend;
}

function run(address, argv, opts) {
  const socket = new WebSocket(address);
  socket.binaryType = "arraybuffer";
  const files = Object.entries(opts.files ?? {});
  let end = null, killed = false;
  const written = [];
  const exited = new Promise((done, failed) => {
    socket.onmessage = ({ data }) => {
      if (typeof data === "string") {
        end = JSON.parse(data);
      } else if (end) {
        written.push(new Uint8Array(data));
      } else {
        const kind = new Uint8Array(data, 0, 1)[0];
        if (kind === STDOUT) opts.stdout?.(new Uint8Array(data, 1));
        if (kind === STDERR) opts.stderr?.(new Uint8Array(data, 1));
      }
    };
    socket.onclose = ({ reason }) => {
      if (end && written.length === end.files.length) {
        done({ status: end.status, files: Object.fromEntries(end.files.map((name, i) => [name, written[i]])) });
      } else if (killed) {
        done({ status: 137, files: {} });
      } else {
        failed(new Error(reason || "the command that serves this page has ended"));
      }
    };
  });
  const opened = new Promise(resolve => {
    socket.onopen = () => {
      socket.send(JSON.stringify({ argv, input: opts.input === "open", files: files.map(([name]) => name) }));
      for (const [, data] of files) socket.send(bytesOf(data));
      resolve();
    };
  });
  const later = data => opened.then(() => socket.readyState === WebSocket.OPEN && socket.send(data));
  return {
    exited,
    write: data => later(bytesOf(data)),
    closeInput: () => later("end"),
    kill: () => { killed = true; socket.close(); },
  };
}
