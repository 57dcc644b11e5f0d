// Shows those whom a reader follows, by event: place, last result and next opponent of each. Each is asked for at an
// address of its own; what is not to be had is said in words, and what is gone can be taken off the list.

import {read, slugOf, starOf, subscribe, toggle} from "./follow.js";

/** Return what becomes of an answer: "shown", "gone", or "away" where asking again may help. */
export function outcomeOf(status) {
  if (status === 404 || status === 410) return "gone";
  return status === 200 ? "shown" : "away";
}

/** Return the address for one competitor, out of the one for number 0 of an event `-slug-`. */
export function addressFor(pattern, slug, number) {
  return pattern.replace("-slug-", encodeURIComponent(slug)).replace(/0\/$/, `${number}/`);
}

function start() {
  const section = document.querySelector("#mine");
  if (!section) return;
  const list = section.querySelector("ul");
  const words = section.dataset;
  // On a page of one event only those who play in it.
  const only = slugOf(location.pathname);
  let turn = 0;

  function linkTo({text, address}) {
    const link = document.createElement("a");
    link.href = address;
    link.textContent = text;
    return link;
  }

  function part(css, ...inside) {
    const span = document.createElement("span");
    span.className = css;
    span.append(...inside);
    return span;
  }

  async function answerOf(slug, number) {
    try {
      const response = await fetch(addressFor(words.address, slug, number));
      const outcome = outcomeOf(response.status);
      return {outcome, data: outcome === "shown" ? await response.json() : null};
    } catch {
      return {outcome: "away", data: null};
    }
  }

  function lineOf(slug, {number, name}, {outcome, data}) {
    const line = document.createElement("li");
    const star = starOf(words.follow.replace("{name}", name), true);
    star.addEventListener("click", () => toggle(slug, {number, name}));
    const head = part("head", data ? linkTo(data.competitor) : name, star);
    const about = data
      ? [data.place && part("place", data.place), data.last && linkTo(data.last), data.next && linkTo(data.next)]
      : [part("place", outcome === "gone" ? words.gone : words.away)];
    if (data && !only) about.unshift(linkTo(data.event));
    line.append(head, part("about", ...about.filter(Boolean)));
    return line;
  }

  async function fill() {
    const mine = ++turn;
    const followed = Object.entries(read())
      .filter(([slug]) => !only || slug === only)
      .flatMap(([slug, all]) => all.map(each => [slug, each]));
    section.hidden = !followed.length && !words.none;
    const answers = await Promise.all(followed.map(([slug, each]) => answerOf(slug, each.number)));
    // A later change has asked again meanwhile.
    if (mine !== turn) return;
    list.replaceChildren(...followed.map(([slug, each], at) => lineOf(slug, each, answers[at])));
    if (!followed.length) list.replaceChildren(words.none ?? "");
  }

  subscribe(fill);
  document.addEventListener("htmx:afterSwap", fill);
  fill();
}

if (globalThis.document) start();
