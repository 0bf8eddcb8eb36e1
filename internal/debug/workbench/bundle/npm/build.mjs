// Makes page/vendor of the packages that package-lock.json pins: codemirror.js, and licences.txt with the licence of each
// package that is in it. node build.mjs DIR writes to DIR.
import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const out = process.argv[2];
const { metafile } = await build({
  entryPoints: ["codemirror.js"], outfile: join(out, "codemirror.js"), bundle: true, format: "esm", minify: true, target: "es2022",
  metafile: true, logLevel: "warning",
});

const names = new Set();
for (const file of Object.keys(metafile.inputs)) {
  const found = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file);
  if (found) names.add(found[1]);
}
const texts = [...names].sort().map((name) => {
  const folder = join("node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = ["LICENSE", "LICENSE.md", "License.txt", "license.txt"].map((f) => join(folder, f)).find(readable);
  if (!file) throw new Error(`${name} has no file with its licence`);
  return `${name} ${version}, ${license}\n\n${readFileSync(file, "utf8").trim()}\n`;
});
writeFileSync(join(out, "licences.txt"), texts.join(`\n${"-".repeat(72)}\n\n`));

function readable(file) {
  try {
    readFileSync(file);
    return true;
  } catch {
    return false;
  }
}
