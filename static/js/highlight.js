// Outlines what a row's competitor did in the rows of its opponents, while the row has the pointer or the focus.
// Both cells of a pairing lead to the same address, so nothing in the page needs marking.

const CELLS = ":is(.r, .m) a";

const linksOfTables = new WeakMap();
let outlined = [];

/** Return the links of a table or row by their address. */
export function linksIn(part) {
  const links = new Map();
  for (const link of part.querySelectorAll(CELLS)) {
    const address = link.getAttribute("href");
    links.set(address, [...(links.get(address) ?? []), link]);
  }
  return links;
}

/** Return the links that lead where those of a row lead, and stand in other rows. */
export function linksElsewhere(row, linksOfTable) {
  return [...linksIn(row).keys()].flatMap(address => linksOfTable.get(address)).filter(link => !row.contains(link));
}

function outline(row) {
  const table = row?.closest("table");
  // Gathered once for each table: a big one has twenty-six thousand.
  if (row && !linksOfTables.has(table)) linksOfTables.set(table, linksIn(table));
  for (const link of outlined) link.classList.remove("met");
  outlined = row ? linksElsewhere(row, linksOfTables.get(table)) : [];
  for (const link of outlined) link.classList.add("met");
}

function start() {
  let last = null;

  for (const kind of ["pointerover", "focusin"]) {
    document.addEventListener(kind, ({target}) => {
      const row = target instanceof Element ? target.closest(".standings tbody tr") : null;
      if (row === last) return;
      last = row;
      outline(row);
    });
  }

  // What has the keyboard's focus must not lie under the columns that stay. A click is left where it fell.
  document.addEventListener("focusin", ({target}) => {
    if (target.matches(".standings .scroll :focus-visible")) {
      target.scrollIntoView({block: "nearest", inline: "nearest"});
    }
  });
}

if (globalThis.document) start();
