// What an archive does without a server: sorts its tables, searches its events, and leads old addresses on.
// No module, because a browser runs none from a disk; nothing is fetched, for the same reason.

(() => {
  "use strict";

  const SORTED = "#standings, table.stack";
  const LABELLED = ".lead, .tb, .overall, .published, .start, .rating, .rated, .detail, .places, .result ~ th:not(.boards)";
  const MOST = 20;
  const LETTERS = {
    ł: "l", ø: "o", đ: "d", ð: "d", þ: "th", æ: "ae", œ: "oe", ı: "i", ħ: "h", ŧ: "t", ß: "ss", ς: "σ",
  };
  const FRACTIONS = {"¼": .25, "½": .5, "¾": .75};
  const TAGS = {THEAD: "rowgroup", TBODY: "rowgroup", TFOOT: "rowgroup", TR: "row", TD: "cell"};

  /** Give the elements of a table the roles that its layout as a list takes away. */
  function setRoles(table) {
    for (const element of table.querySelectorAll("thead, tbody, tfoot, tr, td, th")) {
      if (element.hasAttribute("role")) continue;
      const isOfColumn = element.scope ? element.scope === "col" : element.closest("thead");
      const role = TAGS[element.tagName] ?? (isOfColumn ? "columnheader" : "rowheader");
      element.setAttribute("role", role);
    }
  }

  /** Give the cells the class and the label of their heading, which lists on phones show. */
  function labelCells(table) {
    const heads = table.tHead?.rows[0].cells ?? [];
    for (const row of table.tBodies[0]?.rows ?? []) for (const cell of row.cells) {
      const head = heads[cell.cellIndex];
      if (!head || cell.tagName !== "TD") continue;
      if (!cell.className) cell.className = head.className;
      if (head.matches(LABELLED) && cell.textContent) cell.dataset.label = head.firstChild.textContent;
    }
  }

  /** Lead from the cells of earlier rounds to these rounds of the competitor: links that files leave out. */
  function linkRounds(table) {
    for (const row of table.tBodies[0]?.rows ?? []) {
      const card = row.querySelector(".who a")?.getAttribute("href");
      if (card) for (const cell of row.querySelectorAll(".r:has(> b)")) {
        lead(cell, `${card}#r${table.tHead.rows[0].cells[cell.cellIndex].textContent.trim()}`);
      }
    }
  }

  /** Lead from the games of a team's players to the matches that the rounds above them lead to. */
  function linkGames() {
    const matches = new Map();
    for (const link of document.querySelectorAll(".rounds-of tr[id] > .result > a")) {
      matches.set(link.closest("tr").id.slice(1), link.getAttribute("href"));
    }
    for (const cell of document.querySelectorAll("[aria-labelledby=players] tbody > tr > td")) {
      const head = cell.closest("table").tHead.rows[0].cells[cell.cellIndex];
      const match = head.matches(".round") && cell.textContent && matches.get(head.textContent.trim());
      if (match) {
        lead(cell, match);
        cell.classList.add("result");
      }
    }
  }

  function lead(cell, href) {
    cell.append(element("a", {href}, ...cell.childNodes));
  }

  /** Give the links of rounds the names that files leave out: of which round, against whom. */
  function setNames(table) {
    const heads = table.tHead?.rows[table.tHead.rows.length - 1]?.cells ?? [];
    const names = new Map();
    for (const row of table.tBodies[0]?.rows ?? []) {
      const name = row.querySelector(".who a")?.textContent;
      for (const key of [row.id.slice(1), row.querySelector(".code")?.textContent]) if (key && name) names.set(key, name);
    }
    for (const link of table.querySelectorAll(":is(.r, .m, .result) > a:not([aria-label])")) {
      const cell = link.parentElement;
      const head = heads[cell.cellIndex];
      if (!head || cell.tagName !== "TD") continue;
      const [first, ...rest] = [...link.childNodes].map(part => part.textContent.trim()).filter(Boolean);
      const opponent = names.get(first) ?? names.get(parseInt(first, 10).toString());
      const of = head.getAttribute("aria-label") ?? head.textContent.trim();
      const what = rest.length && opponent ? `${opponent}: ${[first, ...rest].join(" ")}` : [first, ...rest].join(" ");
      link.setAttribute("aria-label", `${of}, ${what}`);
    }
  }

  /** Return what a cell sorts by: its figure, or its words; nothing for a blank one. */
  function keyOf(cell) {
    const text = (cell?.dataset.value ?? cell?.textContent ?? "").trim();
    const found = /^[-−+]?[\d.,]*[¼½¾]?/.exec(text)[0].replace("−", "-").replace(",", ".");
    if (!/[\d¼½¾]/.test(found)) return text;
    const whole = parseFloat(found);
    const sign = found.startsWith("-") ? -1 : 1;
    return (Number.isNaN(whole) ? 0 : whole) + sign * (FRACTIONS[found.at(-1)] ?? 0);
  }

  /** Say which of two keys comes first; blank ones are last either way. */
  function compare(first, second, sign) {
    if (first === "" || second === "") return (first === "") - (second === "");
    if (typeof first === "number" && typeof second === "number") return sign * (first - second);
    return sign * String(first).localeCompare(String(second), globalThis.document?.documentElement.lang);
  }

  /** Return the rows by their keys; sorting is stable, so who is level stays in the table's own order. */
  function sortedBy(rows, keys, sign) {
    return [...rows].sort((a, b) => compare(keys.get(a), keys.get(b), sign));
  }

  function makeSortable(table) {
    const heads = [...table.querySelectorAll("thead tr:only-child > th")];
    const body = table.tBodies[0];
    if (!body || body.rows.length < 3) return;
    const own = [...body.rows];
    for (const [column, head] of heads.entries()) {
      if (head.matches(".no, .why, .move")) continue;
      const button = document.createElement("button");
      button.type = "button";
      button.id = `sort-${table.id}${column}`;
      button.append(...head.childNodes);
      const name = head.getAttribute("aria-label");
      if (name) button.setAttribute("aria-label", name);
      head.append(button);
      button.addEventListener("click", () => sortBy(table, heads, own, column));
    }
  }

  /** Sort by a column: best first, then the other way, then the table's own order. */
  function sortBy(table, heads, own, column) {
    const head = heads[column];
    const keys = new Map(own.map(row => [row, keyOf(row.cells[column])]));
    const first = own.some(row => typeof keys.get(row) === "number") ? "descending" : "ascending";
    const other = first === "descending" ? "ascending" : "descending";
    const before = head.getAttribute("aria-sort");
    const next = before === null ? first : before === first ? other : null;
    for (const each of heads) each.removeAttribute("aria-sort");
    if (next) head.setAttribute("aria-sort", next);
    const sign = next === "ascending" ? 1 : -1;
    const rows = next ? sortedBy(own, keys, sign) : own;
    table.classList.toggle("sorted", next !== null);
    table.tBodies[0].append(...rows);
  }

  /** Return the words of a text, small and without marks, as the site has folded those of the events. */
  function fold(text) {
    const marked = text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");
    const letters = marked.replace(/['’‘ʼ`ʹ]/g, "").replace(/[^ -~]/gu, sign => LETTERS[sign] ?? sign);
    return letters.split(/[^\p{L}\p{N}_]+/u).filter(Boolean);
  }

  function load(source) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = source;
      script.addEventListener("load", resolve);
      script.addEventListener("error", reject);
      document.head.append(script);
    });
  }

  // The files of the search call these by name.
  const found = {};
  globalThis.archiveEvents = data => { found.events = data; };
  globalThis.archiveNames = data => { found.names = data; };

  function element(tag, attributes = {}, ...inside) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...inside);
    return made;
  }

  /** Put the search and the filters above the list of events. */
  async function makeSearch(place) {
    const list = document.getElementById("events");
    await load(place.dataset.events);
    const {words, filters, events} = found.events;
    const whole = [...list.childNodes];
    // What tells of the whole list only.
    const ofWhole = document.querySelectorAll("nav.pages, #live, p.found");
    const input = element("input", {type: "search", maxlength: "100", "aria-label": words.search, placeholder: words.hint});
    const selects = filters.map(filter => {
      const options = filter.options.map(([value, name]) => element("option", {value}, name));
      return element("select", {name: filter.key}, element("option", {value: ""}, words.all), ...options);
    });
    const labels = filters.map((filter, at) => element("label", {}, filter.label, selects[at]));
    const status = element("p", {class: "found", role: "status"});
    const names = element("ul", {class: "hits"});
    const form = element("form", {class: "filters", role: "search", "aria-label": words.search},
      element("label", {class: "words"}, words.search, input), ...labels);
    place.append(form, names, status);

    async function show() {
      const asked = fold(input.value);
      const chosen = selects.map(select => select.value);
      const isWhole = !asked.length && chosen.every(value => !value);
      for (const part of ofWhole) part.hidden = !isWhole;
      names.replaceChildren();
      if (isWhole) {
        list.replaceChildren(...whole);
        status.textContent = "";
        return;
      }
      const fits = events.filter(event =>
        chosen.every((value, at) => !value || event.keys[at] === value) &&
        asked.every(word => event.folded.includes(word)));
      // The lines are the list's own, written as its pages are.
      list.innerHTML = fits.map(event => event.line).join("");
      status.textContent = `${words.events}: ${fits.length} / ${events.length}`;
      if (!asked.length) return;
      if (!found.names) await load(place.dataset.names);
      if (fold(input.value).join() !== asked.join()) return;
      names.replaceChildren(...hitsIn(found.names, asked, chosen, events).map(itemOf));
    }
    form.addEventListener("input", show);
    form.addEventListener("submit", event => event.preventDefault());
  }

  /** Return the first whose names begin with each of the words, or whose event has the others. */
  function hitsIn(names, asked, chosen, events) {
    const hits = [];
    for (const [at, people] of names.entries()) {
      const event = events[at];
      if (!chosen.every((value, facet) => !value || event.keys[facet] === value)) continue;
      for (let i = 0; i < people.length; i += 2) {
        const parts = fold(people[i + 1]);
        const isNamed = word => parts.some(part => part.startsWith(word));
        if (!asked.some(isNamed) || !asked.every(word => isNamed(word) || event.folded.includes(word))) continue;
        hits.push({name: people[i + 1], number: people[i], event});
        if (hits.length === MOST) return hits;
      }
    }
    return hits;
  }

  function itemOf({name, number, event}) {
    const address = `events/${event.slug}/competitors/${number}/index.html`;
    return element("li", {}, element("a", {href: address}, name), ` · ${event.name}`);
  }

  /** Return where an archive has what the live site has at this path: of most it is the path. */
  function ledOn(path) {
    return path
      .replace(/(\/rounds\/\d+\/)(\d+)\/?(index\.html)?$/, "$1index.html#m$2")
      .replace(/(\/competitors\/\d+\/)([\w.-]+)\/(index\.html)?$/, "$1index.html#$2");
  }

  function start() {
    document.querySelectorAll("table[role=table]").forEach(setRoles);
    for (const table of document.querySelectorAll(".standings.wide table, .rounds-wide")) {
      labelCells(table);
      table.classList.replace("rounds-wide", "rounds-of");
      table.closest(".wide")?.classList.replace("wide", "as-list");
    }
    document.querySelectorAll("#standings").forEach(linkRounds);
    linkGames();
    document.querySelectorAll("table[role=table]").forEach(setNames);
    document.querySelectorAll(SORTED).forEach(makeSortable);
    const place = document.getElementById("find");
    if (place) makeSearch(place);
    const led = ledOn(location.pathname);
    if (document.getElementById("missing") && led !== location.pathname) location.replace(led);
  }

  if (globalThis.document) start();
  // Its tests have no page, and can import nothing from a script that is no module.
  else globalThis.archive = {compare, fold, hitsIn, keyOf, ledOn, sortedBy};
})();
