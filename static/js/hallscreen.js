// Turns the pages of the hall screen, and keeps them up to date: it asks for the whole of them again, which costs nothing
// while nothing is new. Without a connection the pages go on turning, under a line that says since when.

const SELDOM = 60_000;

/** Return the number of the page behind this one; after the last comes the first. */
export function following(at, count) {
  return count ? (at + 1) % count : 0;
}

/** Return where to go on after an update: at the first page of a new round, or at the page of the same title and turn. */
export function placeAfter(before, after) {
  if (before.round !== after.round) return 0;
  const title = before.titles[before.at];
  const turn = before.titles.slice(0, before.at).filter(each => each === title).length;
  const alike = after.titles.flatMap((each, at) => each === title ? [at] : []);
  return alike[turn] ?? alike.at(-1) ?? Math.min(before.at, Math.max(after.titles.length - 1, 0));
}

/** Return the milliseconds until it asks again after so many failures in a row. */
export function pauseAfter(failures, often) {
  return Math.max(Math.min(often * 2 ** failures, SELDOM), often);
}

/** Return hours and minutes as a clock on the wall shows them. */
export function clockTime(moment) {
  return [moment.getHours(), moment.getMinutes()].map(part => String(part).padStart(2, "0")).join(":");
}

function start() {
  const one = selector => document.querySelector(selector);
  const main = () => one("#screen");
  const sections = () => [...document.querySelectorAll("#screen > section")];
  const state = () => ({round: main().dataset.round, titles: sections().map(each => each.dataset.title), at});

  let at = 0;
  let failures = 0;
  let heard = new Date();
  let paused = false;

  function show(number) {
    at = number;
    sections().forEach((section, index) => { section.hidden = index !== at; });
    const title = sections()[at]?.dataset.title;
    if (title === undefined) return;
    one("#what").textContent = title;
    const words = one("#at").dataset.text;
    one("#at").textContent = words.replace("{number}", at + 1).replace("{all}", sections().length);
  }

  function tell() {
    one("#clock").textContent = clockTime(new Date());
    const line = one("#lost");
    line.textContent = failures ? line.dataset.text.replace("{time}", clockTime(heard)) : "";
    const button = one("#pause");
    button.hidden = false;
    button.textContent = paused ? button.dataset.on : button.dataset.pause;
  }

  function turn() {
    if (!paused) show(following(at, sections().length));
    tell();
    setTimeout(turn, main().dataset.seconds * 1000);
  }

  // A script or sheet of another build: what is open cannot show the new pages as they are meant.
  const builtFrom = page => [...page.querySelectorAll("script[src], link[rel=stylesheet]")].map(each => each.src || each.href).join(" ");

  async function update() {
    const answer = await fetch(location.href, {cache: "no-cache", signal: AbortSignal.timeout(20_000)});
    if ([404, 410].includes(answer.status)) return location.reload();
    if (!answer.ok) throw new Error(answer.status);
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const next = fresh.querySelector("#screen");
    if (!next) throw new Error("no screen");
    heard = new Date();
    const told = fresh.querySelector("#as-of");
    if (next.dataset.revision === main().dataset.revision) {
      one("#as-of").replaceWith(document.adoptNode(told));
      return;
    }
    if (builtFrom(fresh) !== builtFrom(document)) return location.reload();
    const before = state();
    main().replaceWith(document.adoptNode(next));
    show(placeAfter(before, state()));
  }

  async function ask() {
    try {
      await update();
      failures = 0;
    } catch {
      failures += 1;
    }
    tell();
    setTimeout(ask, pauseAfter(failures, main().dataset.often * 1000));
  }

  document.addEventListener("click", event => {
    if (event.target.id !== "pause") return;
    paused = !paused;
    tell();
  });
  document.addEventListener("keydown", event => {
    const step = {ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1}[event.key];
    const count = sections().length;
    if (step && count) show((at + step + count) % count);
  });

  show(0);
  tell();
  setInterval(tell, 1000);
  setTimeout(turn, main().dataset.seconds * 1000);
  setTimeout(ask, main().dataset.often * 1000);
}

if (globalThis.document) start();
