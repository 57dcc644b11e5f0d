// Follows competitors: a star beside their names, kept in this browser and told to nobody. Who is followed stands on top
// of a table once more and is marked in rounds and pictures. Where the browser keeps nothing, it lasts as long as the page.

const KEY = "crosstable.followed";
const MOST = 30;

let memory = null;
const listeners = new Set();

/** Return the slug of the event in a path, or nothing. */
export function slugOf(path) {
  return /\/events\/([^/]+)\//.exec(path)?.[1] ?? "";
}

/** Return who is followed, by event: `{slug: [{number, name}]}`; what is no such thing is left out. */
export function parse(text) {
  let kept = null;
  try {
    kept = JSON.parse(text);
  } catch {
    // Somebody else's text under our key is as good as none.
  }
  const events = kept && typeof kept === "object" && !Array.isArray(kept) ? Object.entries(kept) : [];
  const isOne = each => Number.isInteger(each?.number) && typeof each.name === "string";
  return Object.fromEntries(events
    .map(([slug, all]) => [slug, Array.isArray(all) ? all.filter(isOne) : []])
    .filter(([, all]) => all.length));
}

/** Return who is followed, by event. */
export function read() {
  if (memory) return memory;
  try {
    return parse(localStorage[KEY] ?? "{}");
  } catch {
    return {};
  }
}

/** Return the numbers of those who are followed in an event. */
export function followedIn(slug) {
  return new Set((read()[slug] ?? []).map(each => each.number));
}

function write(followed) {
  try {
    localStorage.setItem(KEY, JSON.stringify(followed));
    memory = null;
    return true;
  } catch {
    memory = followed;
    return false;
  }
}

/** Follow a competitor, or no longer; return "kept", "unkept" where the browser keeps nothing, or "many". */
export function toggle(slug, {number, name}) {
  const followed = structuredClone(read());
  const all = followed[slug] ?? [];
  const without = all.filter(each => each.number !== number);
  if (without.length === all.length && Object.values(followed).flat().length >= MOST) return "many";
  followed[slug] = without.length < all.length ? without : [...all, {number, name}];
  if (!followed[slug].length) delete followed[slug];
  const isKept = write(followed);
  for (const listener of listeners) listener();
  return isKept ? "kept" : "unkept";
}

/** Call this after each change, also one in another tab of the browser. */
export function subscribe(listener) {
  listeners.add(listener);
}

/** Return the numbers of the competitors that a row is about: its own, or those of both sides of a pairing. */
export function numbersIn(row) {
  if (row.dataset.number) return [Number(row.dataset.number)];
  const links = [...row.querySelectorAll(":is(.first, .second) a[href*='competitors/']")];
  return links.map(link => Number(/competitors\/(\d+)\/$/.exec(link.getAttribute("href"))?.[1]));
}

/** Return a star; the style draws it, filled where it is pressed, so that it is no text of what it stands in. */
export function starOf(label, isPressed) {
  const star = document.createElement("button");
  star.type = "button";
  star.className = "star";
  star.setAttribute("aria-pressed", String(isPressed));
  star.setAttribute("aria-label", label);
  return star;
}

function start() {
  addEventListener("storage", ({key}) => {
    if (key === KEY || key === null) for (const listener of listeners) listener();
  });
  const words = document.querySelector("#tools")?.dataset;
  const slug = slugOf(location.pathname);
  if (!words || !slug) return;

  const shownParts = () => [...document.querySelectorAll("[data-number]")].filter(part => !part.closest(".mine"));
  const nameIn = part => part.querySelector(".name")?.textContent.trim() ?? "";

  function star(part, isFollowed) {
    const name = part.querySelector(".name");
    const place = name?.closest("th, td, h2");
    if (!place) return;
    place.querySelector(".star")?.remove();
    part.closest(".standings")?.classList.add("starred");
    // A heading is called as before: that of a row is heard with every cell, that of a page in the list of headings.
    if (place.matches("th, h2")) place.setAttribute("aria-label", place.textContent.trim().replace(/\s+/g, " "));
    place.append(starOf(words.follow.replace("{name}", nameIn(part)), isFollowed));
  }

  // A heading row says what these rows are, so that nobody hears a competitor twice without knowing why.
  function copies(table, rows) {
    const body = document.createElement("tbody");
    body.className = "mine";
    body.setAttribute("role", "rowgroup");
    const heading = document.createElement("th");
    heading.colSpan = table.tHead?.rows[0]?.cells.length ?? 1;
    heading.scope = "rowgroup";
    heading.setAttribute("role", "rowheader");
    heading.textContent = words.followed;
    const first = document.createElement("tr");
    first.setAttribute("role", "row");
    first.append(heading);
    body.append(first, ...rows.map(row => row.cloneNode(true)));
    for (const each of body.querySelectorAll("[id]")) each.removeAttribute("id");
    table.tBodies[0].before(body);
  }

  function decorate() {
    const followed = followedIn(slug);
    const focus = document.activeElement?.closest(".mine")
      && [Number(document.activeElement.closest("tr").dataset.number), document.activeElement.className];
    for (const body of document.querySelectorAll("tbody.mine")) body.remove();
    for (const part of shownParts()) {
      const isFollowed = followed.has(Number(part.dataset.number));
      part.classList.toggle("followed", isFollowed);
      star(part, isFollowed);
    }
    for (const table of document.querySelectorAll(".event table:is(:has(tr[data-number]), .pairings)")) {
      const rows = [...table.querySelectorAll("tbody tr")];
      const mine = followed.size ? rows.filter(row => numbersIn(row).some(number => followed.has(number))) : [];
      for (const row of rows) if (!row.dataset.number) row.classList.toggle("followed", mine.includes(row));
      if (mine.length) copies(table, mine);
    }
    if (focus) document.querySelector(`tr[data-number="${focus[0]}"] .${focus[1]}`)?.focus({preventScroll: true});
  }

  document.addEventListener("click", event => {
    const pressed = event.target instanceof Element && event.target.closest("[data-number] .star");
    if (!pressed) return;
    const part = pressed.closest("[data-number]");
    const number = Number(part.dataset.number);
    const answer = toggle(slug, {number, name: nameIn(part)});
    document.querySelector("#told").textContent = {unkept: words.unkept, many: words.many}[answer] ?? "";
    // All stars are made anew; the one that was pressed keeps the focus.
    if (!document.activeElement?.matches(".star")) {
      const stars = part.isConnected ? [part.querySelector(".star")] : [];
      const star = stars[0] ?? document.querySelector(`[data-number="${number}"] .star`);
      star?.focus({preventScroll: true});
    }
  });

  subscribe(decorate);
  document.addEventListener("htmx:afterSwap", decorate);
  addEventListener("pageshow", event => event.persisted && decorate());
  decorate();
}

if (globalThis.document) start();
