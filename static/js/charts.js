// Highlights a competitor in the pictures of a page: a tap on a line or a name chooses it, a second one on a name
// opens its card. Without this script names and rounds are links all the same.
// What a reader chose and unfolded outlives the polls of a live event.

const CHOSEN = "chosen";
const APART = 15; // pixels between two names
const HEIGHT = 346; // of the lines, as in scales.py

/** Return the parts of a picture by the number of the competitor that they show. */
export function partsOf(figure) {
  const parts = new Map();
  for (const part of figure.querySelectorAll("[data-number]")) {
    parts.set(part.dataset.number, [...(parts.get(part.dataset.number) ?? []), part]);
  }
  return parts;
}

/** Highlight one competitor in a picture, and no other; return whether it was so already. */
export function choose(figure, number) {
  const parts = partsOf(figure);
  const chosen = parts.get(number) ?? [];
  if (!chosen.length) return false;
  const wasChosen = chosen.every(part => part.classList.contains(CHOSEN));
  for (const each of parts.values()) for (const part of each) part.classList.toggle(CHOSEN, chosen.includes(part));
  // What is drawn last lies on top; a name stays, for it has its turn where the picture is read.
  for (const part of chosen) if (!part.matches("a")) part.parentNode.append(part);
  return wasChosen;
}

/** Return the heights in the same order, moved to be at least `apart` from each other and at most `most`. */
export function spread(heights, apart, most) {
  const found = [];
  for (const height of heights) found.push(Math.max(height, (found.at(-1) ?? -Infinity) + apart));
  for (let at = found.length - 1; at >= 0; at--) found[at] = Math.min(found[at], (found[at + 1] ?? most + apart) - apart);
  return found;
}

/** Show the names of the lines below the first ten, if they are highlighted, at both ends and without overlaps. */
function placeNames(race) {
  for (const copy of race.querySelectorAll(".copy")) copy.remove();
  const all = [...race.querySelectorAll("text.other:is(.chosen, .followed)")];
  all.sort((one, other) => other.matches(".chosen") - one.matches(".chosen"));
  // With too many names the last ones would lie over the others.
  const names = all.slice(0, Math.floor(HEIGHT / APART));
  for (const name of all) name.setAttribute("visibility", names.includes(name) ? "visible" : "hidden");
  const ends = names.map(name => ({name, y: Number(name.dataset.y ??= name.getAttribute("y"))}));
  const starts = names.map(name => {
    const line = race.querySelector(`polyline.other[data-number="${name.dataset.number}"]`);
    const [x, y] = line.getAttribute("points").split(" ")[0].split(",").map(Number);
    const copy = name.cloneNode();
    copy.textContent = name.textContent.replace(/^\d+ /, "");
    copy.classList.add("copy");
    copy.removeAttribute("visibility");
    copy.setAttribute("x", 6);
    copy.setAttribute("text-anchor", "start");
    return {name: copy, x, y: y - 6};
  }).filter(({x}) => x === 0); // late entries have no place at the start
  const plot = race.querySelector(".plot");
  plot.append(...starts.map(({name}) => name));
  const widest = end => Math.max(0, ...end.map(({name}) => name.getComputedTextLength()));
  // On a phone long names at the start would lie over those at the end.
  if (widest(starts) + widest(ends) > plot.width.baseVal.value) for (const {name} of starts) name.remove();
  for (const end of [starts, ends]) {
    end.sort((one, other) => one.y - other.y);
    const heights = spread(end.map(({y}) => y), APART, HEIGHT);
    end.forEach(({name}, at) => name.setAttribute("y", heights[at]));
  }
}

function start() {
  const figures = () => [...document.querySelectorAll(".picture")];
  const folds = () => [...document.querySelectorAll(".folded, .picture details")];
  let chosen = "";
  let open = [];

  function prepare() {
    for (const hint of document.querySelectorAll(".picture .hint")) hint.hidden = false;
    for (const race of document.querySelectorAll(".race > svg")) {
      // follow.js marks the lines too.
      const marked = new MutationObserver(() => placeNames(race));
      marked.observe(race, {attributeFilter: ["class"], subtree: true});
      placeNames(race);
    }
  }

  prepare();

  document.addEventListener("click", event => {
    const part = event.target instanceof Element ? event.target.closest(".race [data-number]") : null;
    if (!part || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    chosen = part.dataset.number;
    // A key on a name is no tap, and opens the card at once: detail counts the clicks of a pointer.
    if (!choose(part.closest(".picture"), chosen) && event.detail) event.preventDefault();
  });

  // Not every browser opens a fold for a link to its content.
  globalThis.addEventListener("hashchange", () => {
    const target = document.querySelector(".folded :target");
    if (!target) return;
    target.closest(".folded").open = true;
    // Rows above it may get their height only now.
    requestAnimationFrame(() => target.scrollIntoView());
  });

  document.addEventListener("htmx:beforeSwap", () => {
    open = folds().map(fold => fold.open);
  });

  document.addEventListener("htmx:afterSwap", () => {
    prepare();
    // There may be as many folds as before or not.
    if (chosen) for (const figure of figures()) choose(figure, chosen);
    if (open.length === folds().length) folds().forEach((fold, at) => { fold.open = open[at]; });
  });
}

if (globalThis.document) start();
