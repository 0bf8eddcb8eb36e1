// Runs a module of WASI with the folder that this is started in as its root: node wasi.mjs MODULE [ARGUMENT...]
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const [module, ...args] = process.argv.slice(2);
const wasi = new WASI({ version: "preview1", args: ["arcsim", ...args], env: { PWD: "/" }, preopens: { "/": "." }, returnOnExit: true });
const { instance } = await WebAssembly.instantiate(await readFile(module), wasi.getImportObject());
process.exitCode = wasi.start(instance);
