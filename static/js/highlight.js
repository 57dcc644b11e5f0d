// Outlines what a row's competitor did in the rows of its opponents, while the row has the pointer or the focus.
// Both cells of a pairing lead to the same address, so nothing in the page needs marking.

const CELLS = ":is(.r, .m) a";

// The links of a table by where they lead, gathered once for each table: a big one has twenty-six thousand.
const gathered = new WeakMap();
let met = [];

function cellsOf(table) {
  if (!gathered.has(table)) gathered.set(table, gather(table));
  return gathered.get(table);
}

function gather(table) {
  const cells = new Map();
  for (const link of table.querySelectorAll(CELLS)) {
    const address = link.getAttribute("href");
    cells.set(address, [...(cells.get(address) ?? []), link]);
  }
  return cells;
}

function elsewhere(row) {
  const cells = cellsOf(row.closest("table"));
  const own = new Set(Array.from(row.querySelectorAll(CELLS), (link) => link.getAttribute("href")));
  return [...own].flatMap((address) => cells.get(address)).filter((link) => !row.contains(link));
}

function outline(row) {
  for (const link of met) link.classList.remove("met");
  met = row ? elsewhere(row) : [];
  for (const link of met) link.classList.add("met");
}

function rowOf(event) {
  return event.target instanceof Element ? event.target.closest(".standings tbody tr") : null;
}

let outlined = null;

for (const kind of ["pointerover", "focusin"]) {
  document.addEventListener(kind, (event) => {
    const row = rowOf(event);
    if (row === outlined) return;
    outlined = row;
    outline(row);
  });
}

// What has the keyboard's focus must not lie under the columns that stay. A click is left where it fell.
document.addEventListener("focusin", ({ target }) => {
  if (target.matches(".standings .scroll :focus-visible")) {
    target.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
});
