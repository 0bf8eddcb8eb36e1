// The page runs the command by a backend and knows no other way to it: run(argv, options) gives a process. A backend may have
// programs alone; its whole has kernels and networks, too, and is the backend itself where there is no other.
//
//   options.files: {path: text or bytes}, all that its working folder has
//   options.stdout(bytes), options.stderr(bytes)
//   options.input: "closed", or "open" when write() gives standard input
//   process.write(text or bytes), process.closeInput(), process.kill()
//   process.exited: a promise of {status, files: {path: bytes}}, the files that it wrote or changed; 137 is the status of a killed one

// open gives the backend of the page: the server that serves it, or WebAssembly where files alone are there.
export async function open() {
  const served = document.querySelector('meta[name="arcsim-serve"]');
  const backend = await import(served ? "./socket-backend.js" : "./worker-backend.js");
  return backend.open(new URL(".", import.meta.url), served?.content);
}
