// Highlights a competitor in the pictures of a page: a tap on a line or a name chooses it, a second one on a name
// opens its card. Without this script the first is highlighted, and names and rounds are links all the same.
// What a reader chose and unfolded outlives the polls of a live event.

const CHOSEN = "chosen";

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

function start() {
  const figures = () => [...document.querySelectorAll(".picture")];
  const folds = () => [...document.querySelectorAll(".folded, .picture details")];
  let chosen = "";
  let open = [];

  function showHints() {
    for (const hint of document.querySelectorAll(".picture .hint")) hint.hidden = false;
  }

  showHints();

  document.addEventListener("click", event => {
    const part = event.target instanceof Element ? event.target.closest(".race [data-number]") : null;
    if (!part || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    chosen = part.dataset.number;
    // A key on a name is no tap, and opens the card at once: detail counts the clicks of a pointer.
    if (!choose(part.closest(".picture"), chosen) && event.detail) event.preventDefault();
  });

  document.addEventListener("htmx:beforeSwap", () => {
    open = folds().map(fold => fold.open);
  });

  document.addEventListener("htmx:afterSwap", () => {
    showHints();
    // The first competitor is chosen anew in what came, and there may be as many folds as before or not.
    if (chosen) for (const figure of figures()) choose(figure, chosen);
    if (open.length === folds().length) folds().forEach((fold, at) => { fold.open = open[at]; });
  });
}

if (globalThis.document) start();
