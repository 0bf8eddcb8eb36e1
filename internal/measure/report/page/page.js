"use strict";
(() => {
  // value is what a row is sorted by; what has no number comes last.
  const value = (row, key, last) => {
    const cell = row.querySelector(`[data-k="${key}"]`);
    if (key === "name") return cell.textContent;
    return cell && cell.dataset.v !== undefined ? Number(cell.dataset.v) : last;
  };
  for (const th of document.querySelectorAll("th[data-key]")) {
    th.addEventListener("click", () => {
      const body = th.closest("table").tBodies[0], key = th.dataset.key;
      const sign = th.dataset.up === "1" ? -1 : 1;
      th.dataset.up = sign > 0 ? "1" : "0";
      const rows = [...body.rows].sort((a, b) => {
        const x = value(a, key, sign * Infinity), y = value(b, key, sign * Infinity);
        return sign * (typeof x === "string" ? x.localeCompare(y) : x === y ? 0 : x - y);
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
