// Follows competitors of an event with a star next to their names, and groups across events: a federation, a club, or a
// person or team that takes part in several events. The list is stored in this browser only. Followed competitors have a
// copy of their row on top of tables; their rows and those of groups are marked in tables, rounds and pictures. If the
// browser stores nothing, the list lasts as long as the page.

const KEY = "crosstable.followed";
const MOST = 30;

/** The key of the groups in the stored list, which no event can have as its slug. */
export const GROUPS = "*";

let memory = null;
const listeners = new Set();

/** Return the slug of the event in a path, or nothing. */
export function slugOf(path) {
  return /\/events\/([^/]+)\//.exec(path)?.[1] ?? "";
}

/** Return the stored list, `{slug: [{number, name}], "*": [{group, name}]}`, without invalid parts. */
export function parse(text) {
  let kept = null;
  try {
    kept = JSON.parse(text);
  } catch {
    // Somebody else's text under our key is as good as none.
  }
  const events = kept && typeof kept === "object" && !Array.isArray(kept) ? Object.entries(kept) : [];
  const isOne = each => (Number.isInteger(each?.number) || typeof each?.group === "string") && typeof each.name === "string";
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

const groupsOf = new Map();

/** Return the groups of an event with their start numbers, `{"federation:NED": {name, numbers}}`; requested once. */
export function groupsIn(slug, pattern) {
  if (!groupsOf.has(slug)) {
    const answer = fetch(pattern.replace("-slug-", encodeURIComponent(slug))).then(each => (each.ok ? each.json() : {}));
    groupsOf.set(slug, answer.catch(() => ({})));
  }
  return groupsOf.get(slug);
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

/** Follow a competitor or a group, or no longer; return "kept", "unkept" if the browser stores nothing, or "many". */
export function toggle(slug, {name, ...which}) {
  const followed = structuredClone(read());
  const all = followed[slug] ?? [];
  const without = all.filter(each => each.number !== which.number || each.group !== which.group);
  if (without.length === all.length && Object.values(followed).flat().length >= MOST) return "many";
  followed[slug] = without.length < all.length ? without : [...all, {...which, name}];
  if (!followed[slug].length) delete followed[slug];
  const isKept = write(followed);
  for (const listener of listeners) listener(which);
  return isKept ? "kept" : "unkept";
}

/** Call this with `{number}` or `{group}` after each change, and without it after changes in another tab of the browser. */
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
  const words = document.querySelector("#told")?.dataset;
  const slug = slugOf(location.pathname);
  if (!words) return;

  const shownParts = (css = "[data-number], [data-group]") =>
    [...document.querySelectorAll(css)].filter(part => !part.closest(".mine"));
  const nameIn = part => part.querySelector(".name")?.textContent.trim() ?? "";
  const isGroup = part => "group" in part.dataset;

  function star(part, isFollowed) {
    const name = part.querySelector(".name");
    const place = name?.closest("th, td, h1, h2, li, [data-group]");
    if (!place) return;
    const known = place.querySelector(".star");
    if (known) return known.setAttribute("aria-pressed", String(isFollowed));
    part.closest(".standings")?.classList.add("starred");
    // A heading is called as before: that of a row is heard with every cell, that of a page in the list of headings.
    if (place.matches("th, h1, h2")) place.setAttribute("aria-label", place.textContent.trim().replace(/\s+/g, " "));
    const made = starOf(words.follow.replace("{name}", nameIn(part)), isFollowed);
    place.insertBefore(made, place.querySelector(":scope > .roster"));
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

  // Of a long table only the rows that changed: all of them would keep the reader waiting.
  function decorate(parts) {
    const followed = followedIn(slug);
    const focus = document.activeElement?.closest("tbody.mine")
      && [Number(document.activeElement.closest("tr").dataset.number), document.activeElement.className];
    for (const body of document.querySelectorAll("tbody.mine")) body.remove();
    const groups = read()[GROUPS] ?? [];
    for (const part of parts) {
      const isFollowed = isGroup(part)
        ? groups.some(each => each.group === part.dataset.group)
        : followed.has(Number(part.dataset.number));
      if (!isGroup(part)) part.classList.toggle("followed", isFollowed);
      star(part, isFollowed);
    }
    for (const table of document.querySelectorAll(".event table:is(:has(tr[data-number]), .pairings)")) {
      const rows = [...table.querySelectorAll("tbody tr")];
      const mine = followed.size ? rows.filter(row => numbersIn(row).some(number => followed.has(number))) : [];
      for (const row of rows) if (!row.dataset.number) row.classList.toggle("followed", mine.includes(row));
      if (mine.length) copies(table, mine);
    }
    if (slug && groups.length) markGroups(groups);
    if (focus) document.querySelector(`tr[data-number="${focus[0]}"] .${focus[1]}`)?.focus({preventScroll: true});
  }

  const decorateAll = () => decorate(shownParts());

  // Only a background: the response comes later, and added rows would move the table.
  async function markGroups(groups) {
    const known = await groupsIn(slug, words.groups);
    const numbers = new Set(groups.flatMap(each => known[each.group]?.numbers ?? []));
    for (const part of document.querySelectorAll("[data-number], .pairings tbody tr")) {
      if (numbersIn(part).some(number => numbers.has(number))) part.classList.add("followed");
    }
  }

  document.addEventListener("click", event => {
    const pressed = event.target instanceof Element && event.target.closest("[data-number] .star, [data-group] .star");
    const part = pressed && pressed.closest("[data-number], [data-group]");
    if (!part || part.closest("#mine")) return;
    const {number, group} = part.dataset;
    const name = nameIn(part);
    const answer = isGroup(part) ? toggle(GROUPS, {group, name}) : toggle(slug, {number: Number(number), name});
    document.querySelector("#told").textContent = {unkept: words.unkept, many: words.many}[answer] ?? "";
    if (answer !== "many") pressed.setAttribute("aria-pressed", String(pressed.getAttribute("aria-pressed") !== "true"));
    // Safari does not focus pressed buttons.
    pressed.focus({preventScroll: true});
  });

  // The federations and clubs of an event, with stars, once the reader opens the list.
  const list = document.querySelector("#groups");
  if (list) list.hidden = false;
  list?.addEventListener("toggle", async () => {
    const known = Object.entries(await groupsIn(slug, words.groups)).filter(([group]) => /^(federation|club):/.test(group));
    known.sort(([, one], [, other]) => one.name.localeCompare(other.name, document.documentElement.lang));
    list.querySelector("ul").replaceChildren(...known.map(([group, {name, numbers}]) => {
      const line = document.createElement("li");
      const title = document.createElement("span");
      line.dataset.group = group;
      title.className = "name";
      title.textContent = name;
      line.append(title, ` (${numbers.length})`);
      return line;
    }));
    list.querySelector(".none").hidden = Boolean(known.length);
    decorateAll();
  }, {once: true});

  // The frame with the filled star comes first: copies of rows take long on slow phones.
  subscribe(({number} = {}) => requestAnimationFrame(() => setTimeout(
    () => decorate(shownParts(number && `[data-number="${number}"]`)),
  )));
  for (const kind of ["htmx:afterSwap", "rowsadded"]) document.addEventListener(kind, decorateAll);
  addEventListener("pageshow", event => event.persisted && decorateAll());
  decorateAll();
}

if (globalThis.document) start();
