// What the page shows as a text for the fragment of its address: the view, and its source and settings, compressed.

const toText = (bytes) => btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
const toBytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

async function pass(bytes, through) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(through)).arrayBuffer());
}

/** encode writes what a view shows, such as encode("program", { source, core }). */
export async function encode(view, state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  return `#${view}=${toText(await pass(bytes, new CompressionStream("deflate-raw")))}`;
}

const longest = 1 << 20; // characters of a fragment that is read

/** decode reads a fragment. Besides the form that encode writes there are #source=TEXT and #VIEW alone. */
export async function decode(fragment) {
  const [, view, , text] = /^#?(\w*)(=(.*))?$/s.exec(fragment) ?? [];
  if (!view) return null;
  if (text === undefined) return { view, state: {} };
  if (text.length > longest) throw new Error("the address is too long to be one that this page made");
  if (view === "source") return { view: "program", state: { source: decodeURIComponent(text) } };
  try {
    return { view, state: JSON.parse(new TextDecoder().decode(await pass(toBytes(text), new DecompressionStream("deflate-raw")))) };
  } catch {
    throw new Error("the address is not complete: what it shares cannot be read");
  }
}
