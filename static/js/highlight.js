// Outlines what a row's competitor did in the rows of its opponents, while the row has the pointer or the focus.
// Both cells of a pairing lead to the same address, so nothing in the page needs marking.
// Arrow keys move between the links of the table; all of them stay in the tab order.

const CELLS = ":is(.r, .m) a";
const PAUSE = 100; // milliseconds in which a tap is over: the links of a big table take long to gather

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
  return [...linksIn(row).keys()].flatMap(address => linksOfTable.get(address) ?? []).filter(link => !row.contains(link));
}

/** Return the link that an arrow key leads to: the next one in the row, or the same column of the row above or below. */
export function linkBeside(link, key) {
  const row = link.closest("tr");
  if (key === "ArrowLeft" || key === "ArrowRight") {
    const links = [...row.querySelectorAll("a")];
    return links[links.indexOf(link) + (key === "ArrowRight" ? 1 : -1)];
  }
  const rows = [...row.closest("table").rows].filter(each => each.querySelector("a"));
  const other = rows[rows.indexOf(row) + (key === "ArrowDown" ? 1 : -1)];
  // A bye has no link.
  return other?.cells[link.closest("td, th").cellIndex]?.querySelector("a") ?? other?.querySelector("a");
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
  let waiting = 0;

  document.addEventListener("rowsadded", () => linksOfTables.delete(document.querySelector("#standings")));

  for (const kind of ["pointerover", "focusin"]) {
    document.addEventListener(kind, ({target}) => {
      const row = target instanceof Element ? target.closest(".standings tbody tr") : null;
      if (row === last) return;
      last = row;
      clearTimeout(waiting);
      waiting = setTimeout(outline, PAUSE, row);
    });
  }

  document.addEventListener("keydown", event => {
    const link = event.target instanceof Element && event.target.closest(".standings tr a");
    const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    const next = link && isPlain && /^Arrow(Left|Right|Up|Down)$/.test(event.key) && linkBeside(link, event.key);
    if (!next) return;
    event.preventDefault();
    next.focus();
  });

  // What has the keyboard's focus must not lie under the columns that stay. A click is left where it fell.
  document.addEventListener("focusin", ({target}) => {
    if (target.matches(".standings .scroll :focus-visible")) {
      target.scrollIntoView({block: "nearest", inline: "nearest"});
    }
  });
}

if (globalThis.document) start();
