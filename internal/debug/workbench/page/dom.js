// Elements: one call makes an element with its attributes and children. Attributes that begin with "on" are handlers, those
// that are false or undefined are left out.

export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== null));
  return element;
}

/** say shows a line at the foot of the page, which screen readers speak. */
export function say(text, bad = false) {
  const status = document.getElementById("status");
  status.textContent = text;
  status.classList.toggle("bad", bad);
}

const thousands = new Intl.NumberFormat("en");

/** number writes a count with its thousands apart, as the command does. */
export const number = (n) => thousands.format(n);

/** table makes a table of rows. A column is { title, align: "n" for numbers, cell(row) }; a cell is a text or an element. */
export function table(columns, rows, attributes = {}) {
  return h("table", attributes,
    h("thead", {}, h("tr", {}, columns.map((c) => h("th", { class: c.align, scope: "col" }, c.title)))),
    h("tbody", {}, rows.map((row) => h("tr", { class: row.class }, columns.map((c) => h("td", { class: c.align ?? c.class }, c.cell(row)))))));
}

/** tiles makes the numbers at the top of a view: a row of { value, label }. */
export const tiles = (list) => h("div", { class: "tiles" },
  list.map((t) => h("div", { class: `tile ${t.class ?? ""}` }, h("b", {}, t.value), h("span", {}, t.label))));
