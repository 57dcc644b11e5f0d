// Opens a match, a competitor, an explanation or a comparison beside the table it is linked from, out of the page that
// the link leads to. The address follows: Back goes a step back inside the panel, to the link that led on, and from the
// first step closes it; Forward opens it again, and a reload gives the plain page.
// With a key held down, and without this script, the links are links.

const PAGES = /\/events\/[^/]+\/(rounds\/\d+\/\d+|competitors\/\d+(\/[^/]+)?|compare\/\d+\/\d+)\/$/;

/** Return whether a panel can show where a link leads. */
export function fitsPanel(link, host) {
  return link.host === host && !link.hash && PAGES.test(link.pathname);
}

/** Return what Back or Forward to an address does; `under` is the page below its panel. */
export function stepOfHistory(address, under, page) {
  if (address === page) return "close";
  return under === page ? "open" : "reload";
}

function start() {
  const panel = document.querySelector("#panel");
  const inside = panel.querySelector(".inside");

  const address = () => location.pathname + location.search;
  const state = () => history.state ?? {};
  const links = () => [...document.querySelectorAll("[data-panel] tbody a")];
  const row = link => link.closest("tr").querySelector("a").getAttribute("href");
  const name = link => `${row(link)} ${link.getAttribute("href")}`;

  // `under` in the state of an entry is the page below its panel, `depth` how many entries lie upon that page.
  let page = address();
  let title = document.title;
  let opener = "";
  let wanted = null;
  // The links that led from one step inside the panel to the next, by the depth that they stood at.
  let leads = [];
  let shown = 0;
  if (state().under) history.replaceState(null, "");

  // An answer may be overtaken by another click, or by Back: only the last one wanted is shown.
  function ask(address, entry) {
    wanted = {address, entry};
    htmx.ajax("GET", address, {source: panel, target: inside, select: ".event"}).catch(() => {});
  }

  function show() {
    if (!panel.open) panel.showModal();
    const heading = inside.querySelector("h2");
    panel.setAttribute("aria-label", heading.textContent);
    heading.tabIndex = -1;
    heading.focus();
    inside.scrollTo(0, 0);
    const depth = state().depth ?? 0;
    if (depth < shown) [...inside.querySelectorAll("a")].find(link => link.href === leads[depth])?.focus();
    shown = depth;
  }

  function close() {
    wanted = null;
    shown = 0;
    panel.close();
    document.title = title;
  }

  document.addEventListener("click", event => {
    const link = event.target.closest("[data-panel] tbody a, #panel .inside a");
    const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (!link || !isPlain || event.defaultPrevented || !fitsPanel(link, location.host)) return;
    event.preventDefault();
    if (!panel.open) [opener, title] = [name(link), document.title];
    const depth = state().depth ?? 0;
    leads = [...leads.slice(0, depth), link.href];
    ask(link.href, {under: page, depth: depth + 1});
  });

  panel.addEventListener("htmx:beforeSwap", event => {
    if (event.detail.requestConfig.path !== wanted?.address) event.detail.shouldSwap = false;
  });

  // Links in tables are relative: the address changes when the panel is there, and they are out of reach.
  inside.addEventListener("htmx:afterSwap", event => {
    if (event.target !== inside) return;
    if (wanted.entry) history.pushState(wanted.entry, "", wanted.address);
    show();
  });

  // What cannot be shown here says for itself why.
  for (const failure of ["htmx:responseError", "htmx:sendError", "htmx:swapError"]) {
    panel.addEventListener(failure, () => wanted && location.assign(wanted.address));
    // A table that could not be sorted in its place: the page that the link leads to says why.
    document.addEventListener(failure, ({detail}) => detail.boosted && location.assign(detail.pathInfo.requestPath));
  }

  panel.addEventListener("click", event => event.target === panel && panel.close());
  panel.addEventListener("close", () => {
    if (state().under) history.go(-state().depth);
    links().find(link => name(link) === opener)?.focus();
  });

  // Before htmx, which would put the whole page in anew.
  addEventListener("popstate", event => {
    event.stopImmediatePropagation();
    const step = stepOfHistory(address(), state().under, page);
    if (step === "close") return close();
    if (step === "reload") return location.reload();
    if (!panel.open) {
      inside.replaceChildren();
      panel.showModal();
    }
    ask(location.href);
  }, true);

  document.addEventListener("htmx:pushedIntoHistory", () => { page = address(); });
}

if (globalThis.document) start();
