// Finds a row of the table while somebody types, and hands the page on exactly as it is seen. Without this script neither
// is there: the browser's own search and the address bar do it.

/** Return a text as it is searched: without case and diacritics. */
export function folded(text) {
  const single = {ł: "l", ø: "o", đ: "d", ß: "ss", æ: "ae", œ: "oe", ı: "i", þ: "th"};
  return text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replace(/[łøđßæœıþ]/g, sign => single[sign]).trim();
}

/** Return the positions of the texts that have every word, those that begin with the first one before the others. */
export function hitsIn(texts, search) {
  const words = folded(search).split(/\s+/).filter(Boolean);
  if (!words.length) return [];
  const hits = texts.flatMap((text, at) => (words.every(word => folded(text).includes(word)) ? [at] : []));
  const begins = at => folded(texts[at]).split(/[\s,]+/).some(word => word.startsWith(words[0]));
  return [...hits.filter(begins), ...hits.filter(at => !begins(at))];
}

/** Return the address of the page with that row. */
export function addressOf(address, id) {
  return id ? `${address.split("#")[0]}#${id}` : address;
}

function start() {
  const tools = document.querySelector("#tools");
  if (!tools) return;
  const told = document.querySelector("#told");
  const tell = words => { told.textContent = words; };

  startSharing(tools, tell);
  startFinding(tools, tell);
}

function startSharing(tools, tell) {
  const button = tools.querySelector(".share");
  const isPhone = matchMedia("(pointer: coarse)").matches && Boolean(navigator.share);
  button.hidden = !(isPhone || navigator.clipboard);

  button.addEventListener("click", async () => {
    const address = location.href;
    try {
      if (isPhone) await navigator.share({title: document.title, url: address});
      else {
        await navigator.clipboard.writeText(address);
        tell(tools.dataset.copied);
      }
    } catch (error) {
      // Who closes the phone's list of applications has chosen nothing, and is told nothing.
      if (error.name !== "AbortError") tell(tools.dataset.uncopied);
    }
  });
}

function startFinding(tools, tell) {
  const field = tools.querySelector("[type=search]");
  const rows = () => [...document.querySelectorAll(".event table:is(:has(tr[data-number]), .pairings) tbody:not(.mine) tr")];
  const textOf = row => [...row.querySelectorAll(".who, .first, .second, .code")].map(cell => cell.textContent).join(" ");
  let hits = [];
  let at = 0;
  let found = location.hash.slice(1);

  field.closest("form").hidden = rows().length < 2;

  function mark(row) {
    for (const each of document.querySelectorAll("tr.hit")) each.classList.remove("hit");
    row?.classList.add("hit");
  }

  function show() {
    const row = hits[at];
    mark(row);
    if (!row) return tell(field.value.trim() ? tools.dataset.nobody : "");
    row.scrollIntoView({block: "center", inline: "nearest"});
    found = row.id;
    // The address names the row, so that what is handed on is what is seen.
    history.replaceState(history.state, "", addressOf(location.href, row.id));
    tell(tools.dataset.found.replace("{at}", at + 1).replace("{all}", hits.length));
  }

  function find() {
    const all = rows();
    hits = hitsIn(all.map(textOf), field.value).map(each => all[each]);
    at = 0;
    show();
  }

  field.addEventListener("input", find);
  field.closest("form").addEventListener("submit", event => {
    event.preventDefault();
    if (!hits.length || !hits[at].isConnected) return find();
    at = (at + 1) % hits.length;
    show();
  });

  // A row that was swapped is another one, also for :target.
  document.addEventListener("htmx:afterSwap", () => found && mark(document.getElementById(found)));
}

if (globalThis.document) start();
