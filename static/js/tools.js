// Finds a row of the table while somebody types, and hands the page on exactly as it is seen. Without this script neither
// is there: the browser's own search and the address bar do it.

import {folded, spellingsOf} from "./folding.js";

/**
 * Return the positions of the texts that have every word: first names with exactly these words, then texts that begin
 * with the first word. The parts of a text are lines.
 */
export function hitsIn(texts, search) {
  const words = folded(search).split(" ").filter(Boolean);
  if (!words.length) return [];
  const known = texts.map(folded);
  const hits = known.flatMap((text, at) => (words.every(word => text.includes(word)) ? [at] : []));
  const sorted = [...words].sort().join(" ");
  const rank = at => (texts[at].split("\n").some(part => folded(part).split(" ").sort().join(" ") === sorted)
    ? 0
    : ` ${known[at]}`.includes(` ${words[0]}`) ? 1 : 2);
  return hits.map(at => [rank(at), at]).sort(([a], [b]) => a - b).map(([, at]) => at);
}

/** Return the positions of the texts that have every word except for a single letter, which can be wrong in each. */
export function similarIn(texts, search) {
  const asked = folded(search).split(" ").filter(Boolean).map(word => ({word, forms: new Set(spellingsOf(word))}));
  if (!asked.length) return [];
  const isIn = ({word, forms}, text) =>
    text.includes(word) || text.split(" ").some(each => spellingsOf(each).some(form => forms.has(form)));
  return texts.map(folded).flatMap((text, at) => (asked.every(each => isIn(each, text)) ? [at] : []));
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
  const found = tools.querySelector(".find-row [role=status]");
  startFinding(tools, words => { found.textContent = words; });
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
  const parts = ".who, .first, .second, .code, :is(.who, .first, .second) a";
  const textOf = row => [...row.querySelectorAll(parts)].map(part => part.textContent.trim()).join("\n");
  let hits = [];
  let at = 0;
  let told = "";
  let found = location.hash.slice(1);
  let isAwaited = Boolean(found) && !document.getElementById(found);

  field.closest("form").hidden = rows().length < 2;

  function mark(row) {
    for (const each of document.querySelectorAll("tr.hit")) each.classList.remove("hit");
    row?.classList.add("hit");
  }

  function show() {
    const row = hits[at];
    mark(row);
    if (!row) {
      const loading = document.querySelector("#later-rows.loading [role=status]")?.textContent;
      return tell(field.value.trim() ? loading ?? tools.dataset.nobody : "");
    }
    reveal(row);
    found = row.id;
    // The address names the row, so that what is handed on is what is seen.
    history.replaceState(history.state, "", addressOf(location.href, row.id));
    tellPlace();
  }

  function reveal(row) {
    // After each key browsers scroll to the field.
    requestAnimationFrame(() => row.scrollIntoView({block: "center", inline: "nearest"}));
  }

  function tellPlace() {
    tell(told.replace("{at}", at + 1).replace("{all}", hits.length));
  }

  function search() {
    const all = rows();
    const texts = all.map(textOf);
    const number = field.value.trim();
    const numbered = /^\d+$/.test(number) ? all.findIndex(row => row.dataset.number === number) : -1;
    const exact = numbered < 0 ? hitsIn(texts, number) : [numbered];
    hits = (exact.length ? exact : similarIn(texts, field.value)).map(each => all[each]);
    told = exact.length ? tools.dataset.found : tools.dataset.similar;
  }

  function find() {
    search();
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

  // The later rows of a long table: a hit stays where it is, and its count changes.
  document.addEventListener("rowsadded", () => {
    const hit = hits[at];
    if (hit) {
      search();
      at = Math.max(hits.indexOf(hit), 0);
      tellPlace();
    } else if (field.value.trim()) find();
    else if (isAwaited) {
      const row = document.getElementById(found);
      mark(row);
      if (row) reveal(row);
    }
    isAwaited = false;
  });

  // A row that was swapped is another one, also for :target.
  document.addEventListener("htmx:afterSwap", () => found && mark(document.getElementById(found)));
}

if (globalThis.document) start();
