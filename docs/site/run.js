// Examples of the documents run in the workbench, which is the first page of the site: behind a block that names a kernel or a
// network of the project for the command, and behind a link to an assembly source, stands a button.

import { encode } from "./share.js";

const up = document.documentElement.dataset.up;
const kernel = /arcsim (?:kernels (?:run|show)|debug|report timeline --kernel) "?([a-z]\w*_\w+)(?:\/([^"\s]+))?/;
const network = /arcsim model (?:bench|show|run) (anomaly|cifar10|keywords|person|resnet8|vww)\b/;

/** button puts a button behind an element; go gives the fragment of the workbench's address. */
function button(after, go) {
  const b = document.createElement("button");
  b.type = "button";
  b.className = "run";
  b.textContent = "Run";
  b.title = "in the workbench";
  b.addEventListener("click", async () => { location.href = `${up}index.html${await go()}`; });
  after.after(b);
}

for (const pre of document.querySelectorAll("main pre")) {
  const k = kernel.exec(pre.textContent), n = network.exec(pre.textContent);
  if (k) button(pre, () => encode("kernel", { kernel: k[1], case: k[2] ?? "" }));
  else if (n) button(pre, () => encode("network", { network: n[1] }));
}
for (const a of document.querySelectorAll("main a[href$='.s']")) {
  button(a, async () => `#source=${encodeURIComponent(await (await fetch(a.href)).text())}`);
}
