// Outlines what a row's competitor did in the rows of its opponents, while the row has the pointer or the focus.
// Both cells of a pairing lead to the same address, so nothing in the page needs marking.

const CELLS = "#standings .r a";

function outline(row) {
  for (const link of document.querySelectorAll("#standings .met")) link.classList.remove("met");
  if (!row) return;
  const own = new Set(Array.from(row.querySelectorAll(".r a"), (link) => link.getAttribute("href")));
  for (const link of document.querySelectorAll(CELLS)) {
    if (own.has(link.getAttribute("href")) && !row.contains(link)) link.classList.add("met");
  }
}

function rowOf(event) {
  return event.target instanceof Element ? event.target.closest("#standings tbody tr") : null;
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
