// Searches the sections of index.js: all words must be there; a hit in a heading counts more than one in the text.
const find = document.getElementById("find"), found = document.getElementById("found"), up = document.documentElement.dataset.up;
const most = 20, around = 70;

function score(section, words) {
  const title = (section.page + " " + section.title).toLowerCase(), text = section.text.toLowerCase();
  let sum = 0;
  for (const word of words) {
    const hits = text.split(word).length - 1;
    if (hits === 0 && !title.includes(word)) return 0;
    sum += Math.min(hits, 5) + (section.title.toLowerCase().includes(word) ? 20 : title.includes(word) ? 8 : 0);
  }
  return sum;
}

function show() {
  const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
  found.replaceChildren();
  found.hidden = words.length === 0;
  if (found.hidden) return;
  const hits = sections.map(s => [score(s, words), s]).filter(([n]) => n > 0).sort((a, b) => b[0] - a[0]).slice(0, most);
  for (const [, s] of hits) {
    const li = document.createElement("li"), a = document.createElement("a"), small = document.createElement("small");
    a.href = up + s.address;
    a.textContent = s.page === s.title ? s.title : s.page + ": " + s.title;
    const at = Math.max(0, s.text.toLowerCase().indexOf(words[0]) - around);
    small.textContent = s.text.slice(at, at + 3 * around);
    li.append(a, small);
    found.append(li);
  }
  if (hits.length === 0) found.append("Nothing has all these words.");
}

find.addEventListener("input", show);
find.form.addEventListener("submit", e => {
  e.preventDefault();
  found.querySelector("a")?.click();
});
found.addEventListener("click", () => { found.hidden = true; });
document.addEventListener("keydown", e => {
  if (e.key === "/" && document.activeElement !== find) { e.preventDefault(); find.focus(); }
  if (e.key === "Escape") { found.hidden = true; }
});
