// The files of the folder, or the one program, that arcsim serve was called for. A static page has none.

const most = 16 << 20; // bytes of all files that processes of the page get

export const isNetwork = (name) => /\.(tflite|tosa)$/.test(name);

/** folder is { open, names, read(name), all() }, null in a static page. open is the file that was named, or "". */
export async function folder() {
  if (!document.querySelector('meta[name="arcsim-serve"]')) return null;
  const answer = await fetch("files");
  if (!answer.ok) return null; // served without a folder
  const { open, files: names } = await answer.json();
  const read = async (name) => {
    const answer = await fetch(`files/${name.split("/").map(encodeURIComponent).join("/")}`);
    if (!answer.ok) throw new Error(`${name}: ${await answer.text()}`);
    return new Uint8Array(await answer.arrayBuffer());
  };
  return {
    open, names, read,
    /** all are the files that sources may include: assembly, as many as fit. */
    async all() {
      const files = {};
      let size = 0;
      for (const name of names.filter((n) => /\.(s|S|asm|inc)$/.test(n))) {
        const data = await read(name);
        if ((size += data.length) > most) break;
        files[name] = data;
      }
      return files;
    },
  };
}
