"use strict";
// A click on a frame of the flame graph makes it fill the width; those above it fill it, too, paler.
(() => {
  const graph = document.getElementById("graph");
  if (!graph) return;
  const frames = [...graph.querySelectorAll("svg")], picked = document.getElementById("picked");
  const title = f => f.querySelector("title").textContent;
  const widen = to => {
    const left = Number(to.dataset.x), width = Number(to.dataset.w);
    for (const f of frames) {
      const x = Number(f.dataset.x), w = Number(f.dataset.w);
      const above = x <= left + 1e-4 && x + w >= left + width - 1e-4 && Number(f.getAttribute("y")) < Number(to.getAttribute("y"));
      const inside = x >= left - 1e-4 && x + w <= left + width + 1e-4 && !above;
      f.style.display = above || inside ? "" : "none";
      f.classList.toggle("above", above);
      f.setAttribute("x", above ? "0%" : 100 * (x - left) / width + "%");
      f.setAttribute("width", above ? "100%" : 100 * w / width + "%");
    }
    picked.textContent = title(to);
  };
  for (const f of frames) {
    f.addEventListener("click", () => widen(f));
    f.addEventListener("mouseenter", () => picked.textContent = title(f));
  }
})();
