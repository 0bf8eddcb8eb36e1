"use strict";
(() => {
  const value = (row, i) => {
    const cell = row.cells[i];
    if (!cell) return "";
    const v = cell.dataset.v;
    return v === undefined ? cell.textContent.trim() : Number(v);
  };
  for (const th of document.querySelectorAll("th[data-sort]")) {
    th.addEventListener("click", () => {
      const body = th.closest("table").tBodies[0], i = Number(th.dataset.sort);
      const down = th.dataset.down !== "1";
      th.dataset.down = down ? "1" : "0";
      const rows = [...body.rows].sort((a, b) => {
        const x = value(a, i), y = value(b, i);
        const order = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y));
        return down ? order : -order;
      });
      body.append(...rows);
    });
  }
  const find = document.getElementById("find");
  if (find) {
    find.addEventListener("input", () => {
      const text = find.value.toLowerCase();
      for (const row of document.querySelectorAll("#matrix tbody tr")) {
        row.hidden = !row.cells[0].textContent.toLowerCase().includes(text);
      }
    });
  }
  const open = () => {
    const at = location.hash && document.getElementById(location.hash.slice(1));
    if (at && at.tagName === "DETAILS") at.open = true;
  };
  addEventListener("hashchange", open);
  open();
  document.documentElement.dataset.ready = "yes";
})();
