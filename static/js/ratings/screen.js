// Proposes players of the newest rating list below a name that is typed; who is taken fills the fields beside it.
// The form says whom to ask in data-rating-lookup. Without this script names are looked up on a page of their own.

import {fill} from "../text.js";
import {addressFor, indexAfter, lineOf, prefixOf, valuesOf} from "./proposals.js";

const PAUSE = 200; // milliseconds after the last sign

for (const place of document.querySelectorAll("[data-rating-lookup]")) start(place, place.closest("form"));

function start(place, form) {
  const list = document.createElement("ul");
  const status = document.createElement("p");
  let field = null;
  let players = [];
  let active = -1;
  let timer = 0;
  let asked = 0;

  list.id = "rating-proposals";
  list.className = "rating-proposals";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", place.dataset.label);
  list.hidden = true;
  status.className = "spoken";
  status.setAttribute("role", "status");
  (document.querySelector("main") ?? document.body).append(list, status); // in a landmark

  function close() {
    list.hidden = true;
    players = [];
    active = -1;
    field?.removeAttribute("aria-activedescendant");
    field?.setAttribute("aria-expanded", "false");
  }

  function mark(at) {
    active = at;
    [...list.children].forEach((item, index) => item.setAttribute("aria-selected", String(index === at)));
    if (at < 0) field.removeAttribute("aria-activedescendant");
    else {
      field.setAttribute("aria-activedescendant", list.children[at].id);
      list.children[at].scrollIntoView({block: "nearest"});
    }
  }

  function show(found) {
    players = found;
    list.replaceChildren(...found.map((player, index) => {
      const item = document.createElement("li");
      item.id = `rating-proposal-${index}`;
      item.setAttribute("role", "option");
      item.textContent = lineOf(player, place.dataset.inactive);
      return item;
    }));
    if (!found.length) return close();
    const {left, bottom} = field.getBoundingClientRect();
    list.style.left = `${Math.max(0, Math.min(left, innerWidth - 330)) + scrollX}px`;
    list.style.top = `${bottom + scrollY}px`;
    list.hidden = false;
    field.setAttribute("role", "combobox");
    field.setAttribute("aria-autocomplete", "list");
    field.setAttribute("aria-controls", list.id);
    field.setAttribute("aria-expanded", "true");
    status.textContent = fill(place.dataset.found, {count: found.length});
    mark(-1);
  }

  function take(player) {
    const values = valuesOf(player, prefixOf(field.name));
    for (const [name, value] of values) {
      const other = form.elements.namedItem(name);
      if (!other || !("value" in other)) continue;
      other.value = value;
      if (other !== field) other.dispatchEvent(new Event("input", {bubbles: true}));
      other.dispatchEvent(new Event("change", {bubbles: true}));
    }
    close();
  }

  async function ask(address) {
    const number = asked += 1;
    try {
      const answer = await fetch(address, {headers: {Accept: "application/json"}});
      const {players: found} = answer.ok ? await answer.json() : {players: []};
      if (number === asked && document.activeElement === field) show(found);
    } catch {
      close(); // nobody is proposed while the server is away
    }
  }

  form.addEventListener("input", event => {
    if (!event.isTrusted || !prefixOf(event.target.name)?.startsWith(place.dataset.below ?? "")) return;
    field = event.target;
    clearTimeout(timer);
    const address = addressFor(place.dataset.ratingLookup, field.value);
    if (!address) {
      asked += 1; // an answer that is on its way is of another text
      return close();
    }
    timer = setTimeout(() => ask(address), PAUSE);
  });

  // Before the screen's own keys: in a table the arrows lead to other rows.
  form.addEventListener("keydown", event => {
    if (list.hidden || event.target !== field || event.isComposing) return;
    const isStep = event.key === "ArrowDown" || event.key === "ArrowUp";
    if (isStep) mark(indexAfter(event.key, active, players.length));
    else if (event.key === "Escape") close();
    else if (event.key === "Enter" && active >= 0) take(players[active]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }, true);

  // Not click: the field would have lost the focus, and the list would be closed.
  list.addEventListener("pointerdown", event => {
    const item = event.target.closest("li");
    if (!item) return;
    event.preventDefault();
    take(players[[...list.children].indexOf(item)]);
  });

  form.addEventListener("focusout", event => { if (event.target === field) close(); });
}
