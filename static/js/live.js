// Keeps a page of a live event up to date: it asks every five seconds while it is visible, and what is new is
// swapped in without moving anything under the reader. Rows that changed are marked for a moment.
(() => {
  const EVERY = 5000;
  const MARKED = 3000;

  const live = () => document.querySelector("#live[hx-get]");
  const busy = () => document.querySelector("#live .htmx-request");
  const ours = event => event.target.id === "live";
  const boxes = () => [...document.querySelectorAll("#live .scroll")];
  const stops = () => [...document.querySelectorAll("#live a[href], #live [tabindex]")];
  const sameStop = stop => `${stop.id} ${stop.getAttribute("href")} ${stop.getAttribute("aria-label")}`;

  // A row is known by what it leads to: the competitor, or else the first link, which is the match or game.
  const rowName = row => (row.querySelector(".who a[href]") ?? row.querySelector("a[href]"))?.getAttribute("href");
  const rows = () => [...document.querySelectorAll("#live tbody tr")].filter(rowName);

  const timer = setInterval(ask, EVERY);
  // A panel has an address of its own, and the page below it stays what it was.
  const query = () => new URL(history.state?.under ?? location.href, location.href).search;

  let before = null;
  let asked = "";

  function ask() {
    if (document.visibilityState === "visible" && live() && !busy()) htmx.trigger(live(), "poll");
  }

  function remember() {
    const focused = stops().indexOf(document.activeElement);
    const alike = focused < 0 ? [] : stops().filter(stop => sameStop(stop) === sameStop(document.activeElement));
    before = {
      scrolled: boxes().map(box => [box.scrollLeft, box.scrollTop]),
      focused: focused < 0 ? null : sameStop(document.activeElement),
      nth: alike.indexOf(document.activeElement),
      rows: new Map(rows().map(row => [rowName(row), row.textContent])),
      window: [scrollX, scrollY],
    };
  }

  function restore() {
    const alike = stops().filter(stop => sameStop(stop) === before.focused);
    (alike[before.nth] ?? alike[0])?.focus({preventScroll: true});
    // After the focus, which brings what has it out from under the columns that stay.
    boxes().forEach((box, at) => before.scrolled[at] && box.scrollTo(...before.scrolled[at]));
    scrollTo(...before.window);
  }

  function mark() {
    const changed = rows().filter(row => before.rows.get(rowName(row)) !== row.textContent);
    changed.forEach(row => row.classList.add("changed"));
    setTimeout(() => changed.forEach(row => row.classList.remove("changed")), MARKED);
  }

  document.addEventListener("visibilitychange", ask);

  // The reader may have sorted the table since it came: ask for what the address says now.
  document.addEventListener("htmx:configRequest", event => {
    if (!ours(event)) return;
    asked = query();
    for (const [name, value] of new URLSearchParams(asked)) {
      if (!["revision", "page"].includes(name)) event.detail.parameters[name] = value;
    }
  });

  // An answer that a sort has overtaken is left; the next one will do.
  document.addEventListener("htmx:beforeSwap", event => {
    if (!ours(event) || !event.detail.shouldSwap) return;
    if (busy() || asked !== query()) event.detail.shouldSwap = false;
    else remember();
  });

  document.addEventListener("htmx:afterSettle", () => {
    if (!before) return;
    restore();
    mark();
    before = null;
  });

  document.addEventListener("htmx:responseError", event => {
    if (ours(event) && [404, 410].includes(event.detail.xhr.status)) clearInterval(timer);
  });
})();
