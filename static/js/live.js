// Keeps a page of a live event up to date: it asks while the page is visible, and what is new is swapped in without
// moving anything under the reader: scroll, focus, sort, what is open and what is typed stay. Rows that changed are marked
// for a moment. It says when it last heard; where nothing is to be had it says since when, and asks more seldom.

const INTERVAL = 5000;
const SELDOM = 60_000;
const MARKED = 3000;
const LONG_SILENCE = 30 * 60_000;

/** Return what a poll takes from the query of its page; what its own address says already stays. */
export function parametersOf(query, address) {
  const taken = new URLSearchParams(address.split("?")[1]);
  return Object.fromEntries([...new URLSearchParams(query)].filter(([name]) => !taken.has(name)));
}

/** Return the address of a row's competitor, or else of its match or game. */
export function keyOf(row) {
  return (row.querySelector(".who a[href]") ?? row.querySelector("a[href]"))?.getAttribute("href");
}

/** Return the rows whose text differs from that under their key. */
export function changedRows(rows, texts) {
  return rows.filter(row => texts.get(keyOf(row)) !== row.textContent);
}

const nameOf = stop => `${stop.localName} ${stop.id} ${stop.getAttribute("href")} ${stop.getAttribute("aria-label")}`;
const alike = (name, stops) => stops.filter(stop => nameOf(stop) === name);

/** Return the name of a stop of the keyboard, and its turn among those alike. */
export function placeOf(stop, stops) {
  const name = stops.includes(stop) && nameOf(stop);
  return {name, turn: alike(name, stops).indexOf(stop)};
}

/** Return the stop at such a place, or the first alike. */
export function stopAt({name, turn}, stops) {
  return alike(name, stops)[turn] ?? alike(name, stops)[0];
}

/** Return the milliseconds from one poll to the next after so many failures in a row; `lot` is a number from 0 to 1. */
export function pauseAfter(failures, lot) {
  // Drawn by lot, or all readers of an event would come back in the same moment.
  return failures ? Math.min(INTERVAL * 2 ** failures, SELDOM) * (0.75 + lot / 4) : INTERVAL;
}

/** Return the hours and minutes of a header `Date`, or of now if it has none, by the clock of `zone`, like the times of
 * results. The zone is named if the reader's clock differs. */
export function timeOf(date, zone) {
  const parsed = new Date(date ?? Date.now());
  const moment = isNaN(parsed) ? new Date() : parsed;
  const clock = timeZone => moment.toLocaleTimeString("en-GB", {hour: "2-digit", minute: "2-digit", timeZone});
  try {
    return zone && clock(zone) !== clock() ? `${clock(zone)} (${zone.replaceAll("_", " ")})` : clock();
  } catch {
    return clock(); // the browser does not know the zone
  }
}

/** Return whether the last update of an event that another Crosstable records is so old that readers must know. */
export const isSilent = (arrived, now) => now - new Date(arrived) >= LONG_SILENCE;

function start() {
  const isOfPoll = event => event.target.id === "live";
  // What has been swapped is no target any more, but still what asked.
  const isByPoll = event => event.detail.elt?.id === "live";
  // Later rows of a long table too (laterrows.js).
  const isAsking = () => document.querySelector("#live :is(.htmx-request, .loading)");
  const boxes = () => [...document.querySelectorAll("#live .scroll")];
  const stops = () => [...document.querySelectorAll("#live :is(a[href], [tabindex], button, summary, input, select)")];
  const folds = () => [...document.querySelectorAll("#live details")];
  const fields = () => [...document.querySelectorAll("#live :is(input, select)")];
  // Without those that follow.js puts on top, which stand in the table once more.
  const rows = () => [...document.querySelectorAll("#live :is(tbody:not(.mine) tr, :is(.events, .happened) li)")].filter(keyOf);
  // A panel has an address of its own, and the page below it stays what it was.
  const query = () => new URL(history.state?.under ?? location.href, location.href).search;

  let timer = 0;
  let failures = 0;
  const {zone} = document.querySelector("#updated").dataset;
  let updated = timeOf(null, zone);
  let ahead = 0; // milliseconds of the reader's clock, known after a poll
  let before = null;
  let asked = "";

  function markSilence() {
    const note = document.querySelector("#from-home");
    note?.classList.toggle("silent", isSilent(note.dataset.arrived, Date.now() - ahead));
  }

  function plan() {
    markSilence();
    clearTimeout(timer);
    timer = setTimeout(ask, pauseAfter(failures, Math.random()));
  }

  function ask() {
    plan();
    const live = document.querySelector("#live[hx-get]");
    if (document.visibilityState === "visible" && live && !isAsking()) htmx.trigger(live, "poll");
  }

  function remember() {
    before = {
      scrolled: boxes().map(box => [box.scrollLeft, box.scrollTop]),
      focus: placeOf(document.activeElement, stops()),
      open: folds().map(fold => fold.open),
      typed: new Map(fields().map(field => [field.name, field.value])),
      line: document.querySelector("#as-of"),
      texts: new Map(rows().map(row => [keyOf(row), row.textContent])),
      window: [scrollX, scrollY],
    };
  }

  function restore() {
    // The line over the page goes out of sight, not away: nothing moves up.
    const line = document.querySelector("#as-of");
    if (before.line.textContent && !line.textContent) line.replaceWith(before.line);
    folds().forEach((fold, at) => { fold.open = before.open[at] ?? fold.open; });
    fields().forEach(field => { field.value = before.typed.get(field.name) ?? field.value; });
    stopAt(before.focus, stops())?.focus({preventScroll: true});
    // After the focus, which brings what has it out from under the columns that stay.
    boxes().forEach((box, at) => before.scrolled[at] && box.scrollTo(...before.scrolled[at]));
    scrollTo(...before.window);
  }

  function mark() {
    const changed = changedRows(rows(), before.texts);
    changed.forEach(row => row.classList.add("changed"));
    setTimeout(() => changed.forEach(row => row.classList.remove("changed")), MARKED);
  }

  const fill = words => words.replace("{time}", updated);

  // The page itself may have come with a line that says it, and more exactly.
  function tell() {
    const line = document.querySelector("#as-of");
    const note = document.querySelector(".not-updated");
    const time = document.querySelector("#updated");
    time.textContent = fill(time.dataset.text);
    // Out of sight, not away: nothing moves.
    time.classList.toggle("over", failures > 0);
    line.classList.toggle("over", !failures);
    const isTold = line.textContent && line.checkVisibility();
    note.textContent = failures && !isTold ? fill(note.dataset.text) : "";
  }

  plan();
  // A page that came with the line says since when by that alone, until a poll succeeds.
  if (!document.querySelector("#as-of").textContent) tell();
  document.addEventListener("visibilitychange", ask);

  // The reader may have sorted the table since it came: ask for what the address says now.
  document.addEventListener("htmx:configRequest", event => {
    if (!isOfPoll(event)) return;
    asked = query();
    Object.assign(event.detail.parameters, parametersOf(asked, event.detail.path));
  });

  // An answer that a sort has overtaken is left; the next one will do.
  document.addEventListener("htmx:beforeSwap", event => {
    if (!isOfPoll(event) || !event.detail.shouldSwap) return;
    if (isAsking() || asked !== query()) event.detail.shouldSwap = false;
    else remember();
  });

  document.addEventListener("htmx:afterSettle", () => {
    markSilence();
    if (!before) return;
    restore();
    mark();
    before = null;
  });

  document.addEventListener("htmx:afterRequest", event => {
    if (!isByPoll(event)) return;
    const {successful, xhr} = event.detail;
    if ([404, 410].includes(xhr.status)) {
      document.removeEventListener("visibilitychange", ask);
      const note = document.querySelector(".not-updated");
      note.textContent = note.dataset.gone;
      return clearTimeout(timer);
    }
    const hadFailed = failures > 0;
    failures = successful ? 0 : failures + 1;
    if (successful) {
      const date = xhr.getResponseHeader("Date");
      updated = timeOf(date, zone);
      ahead = Date.now() - (Date.parse(date) || Date.now());
      markSilence();
    }
    if (hadFailed || failures) plan();
    tell();
  });
}

if (globalThis.document) start();
