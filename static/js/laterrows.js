// Adds the later rows of a long table. The page has the first rows and a link to the page with all rows, which is parsed
// while it arrives: the rows are added in parts, so that none of them blocks the reader for long.

const PART = 250;
const PATIENCE = 60_000;

/** Return the rows that have arrived, without the last one as long as parts of it may be missing. */
export function completeRows(rows, isWhole) {
  return isWhole ? [...rows] : [...rows].slice(0, -1);
}

async function addRows(place) {
  const body = document.querySelector("#rows");
  const page = document.implementation.createHTMLDocument();
  const answer = await fetch(place.querySelector("a").href, {priority: "low", signal: AbortSignal.timeout(PATIENCE)});
  if (!answer.ok) throw new Error(`Status ${answer.status}`);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const {done, value} = await reader.read();
    // Another version of the table has replaced this one.
    if (!body.isConnected) return reader.cancel();
    if (!done) page.write(value); // browsers have no other parser for a page in parts
    const rows = completeRows(page.querySelectorAll("#rows > tr"), done);
    if (!done && rows.length < PART) continue;
    for (const row of rows) row.remove();
    body.append(...rows.filter(row => !document.getElementById(row.id)));
    place.querySelector("b").textContent = body.rows.length;
    if (done) return;
    await new Promise(resolve => setTimeout(resolve));
  }
}

async function load(place) {
  const status = place.querySelector("[role=status]");
  place.classList.add("loading");
  status.textContent = status.dataset.loading;
  try {
    await addRows(place);
    place.querySelector(".cut").hidden = true;
    status.textContent = status.dataset.loaded;
  } catch {
    status.textContent = status.dataset.failed;
  }
  place.classList.remove("loading");
  if (place.isConnected) document.dispatchEvent(new Event("rowsadded"));
}

function start() {
  let last = null;
  const loadOnce = () => {
    const place = document.querySelector("#later-rows:has(a)");
    if (place && place !== last) load(last = place);
  };
  if (document.readyState === "complete") loadOnce();
  else addEventListener("load", loadOnce);
  document.addEventListener("htmx:afterSettle", loadOnce);
}

if (globalThis.document) start();
