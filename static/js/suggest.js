// Suggests while somebody types into the search field: a combobox with a list below it (WAI-ARIA 1.2). Nothing is chosen
// unless an arrow key or a pointer does: Enter searches, as it does without this script.

const PAUSE = 150;
const LEAST = 2;

/** Return the place in a list of that many to which a key leads; -1 is the field itself. */
export function moved(key, at, count) {
  if (key === "ArrowDown") return at + 1 < count ? at + 1 : -1;
  if (key === "ArrowUp") return at === -1 ? count - 1 : at - 1;
  return -1;
}

/** Return the suggestions of an answer; what is none, or would lead to another site, is left out. */
export function itemsOf(answer) {
  const isOne = each => typeof each?.label === "string" && /^\/(?!\/)/.test(each.address ?? "");
  return Array.isArray(answer?.items) ? answer.items.filter(isOne) : [];
}

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

/** Return the search that led to this page, as the redirect of /find/ adds it to the address; else null. */
export function searchIn(hash) {
  return new URLSearchParams(hash.slice(1)).get("q");
}

/** Put a link to the list of all matches above the page, and the search into the field. */
function linkToMatches(field, search) {
  const line = element("p", "found");
  const link = element("a", "", field.dataset.others.replace("{words}", () => search));
  link.href = `${field.dataset.list}?q=${encodeURIComponent(search)}`;
  line.append(link);
  document.querySelector("#content").prepend(line);
  field.value = search;
}

function start() {
  const field = document.querySelector("#find[data-suggest]");
  if (!field) return;
  const search = searchIn(location.hash);
  if (search) linkToMatches(field, search);
  const list = element("ul", "suggestions");
  const told = element("span", "spoken");
  Object.assign(list, {id: "suggestions", role: "listbox", hidden: true});
  list.ariaLabel = field.placeholder;
  told.role = "status";
  field.setAttribute("role", "combobox");
  field.setAttribute("aria-autocomplete", "list");
  field.setAttribute("aria-controls", list.id);
  field.setAttribute("aria-expanded", "false");
  field.setAttribute("autocomplete", "off");
  field.form.append(list, told);
  listen(field, list, told);
}

function listen(field, list, told) {
  let items = [];
  let at = -1;
  let waiting = 0;
  let asking = null;

  const choose = to => {
    at = to;
    [...list.children].forEach((option, place) => option.setAttribute("aria-selected", String(place === at)));
    if (at === -1) field.removeAttribute("aria-activedescendant");
    else field.setAttribute("aria-activedescendant", list.children[at].id);
  };
  const show = found => {
    items = found;
    list.replaceChildren(...items.map(optionOf));
    list.hidden = !items.length;
    field.setAttribute("aria-expanded", String(!list.hidden));
    told.textContent = items.length ? `${items.length} ${field.dataset.found}` : "";
    choose(-1);
  };
  const ask = async () => {
    asking?.abort();
    asking = new AbortController();
    const typed = field.value.trim();
    if (typed.length < LEAST) return show([]);
    try {
      const answer = await fetch(`${field.dataset.suggest}?q=${encodeURIComponent(typed)}`, {signal: asking.signal});
      // Whoever typed on, or left, is shown nothing late.
      if (answer.ok && field.value.trim() === typed && document.activeElement === field) show(itemsOf(await answer.json()));
    } catch {
      // The list is a convenience: without an answer the field searches as ever.
    }
  };

  field.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(ask, PAUSE);
  });
  field.addEventListener("keydown", event => {
    if (list.hidden || event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") choose(moved(event.key, at, items.length));
    else if (event.key === "Escape") show([]);
    else if (event.key === "Enter" && at !== -1) location.assign(items[at].address);
    else return;
    event.preventDefault();
  });
  field.addEventListener("blur", () => show([]));
  // Before the field loses the focus, which closes the list.
  list.addEventListener("mousedown", event => event.preventDefault());
  list.addEventListener("click", event => {
    const option = event.target.closest("[role=option]");
    if (option) location.assign(items[[...list.children].indexOf(option)].address);
  });
}

function optionOf(item, place) {
  const option = element("li");
  option.id = `suggestion-${place}`;
  option.role = "option";
  option.append(element("span", "name", item.label), " ", element("span", "about", [item.kind, item.about].filter(Boolean).join(" · ")));
  return option;
}

if (globalThis.document) start();
