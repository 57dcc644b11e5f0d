// Shows the followed competitors: place, last result and next opponent of each, and the members of followed federations,
// clubs, persons and teams in the events in progress. Each competitor is requested at its own address.

import {GROUPS, groupsIn, read, slugOf, starOf, subscribe, toggle} from "./follow.js";

const MOST_EVENTS = 20;
const MOST_MEMBERS = 3;
const MOST_LINES = 12;

/** Return what becomes of an answer: "shown", "gone", or "away" where asking again may help. */
export function outcomeOf(status) {
  if (status === 404 || status === 410) return "gone";
  return status === 200 ? "shown" : "away";
}

/** Return the address for one competitor, out of the one for number 0 of an event `-slug-`. */
export function addressFor(pattern, slug, number) {
  return pattern.replace("-slug-", encodeURIComponent(slug)).replace(/0\/$/, `${number}/`);
}

/** Return a function that shares the answers of `request` by address. Failures are requested again. */
export function sharing(request) {
  const answers = new Map();
  const share = address => {
    if (!answers.has(address)) {
      answers.set(address, request(address).then(answer => {
        if (answer.outcome === "away") answers.delete(address);
        return answer;
      }));
    }
    return answers.get(address);
  };
  share.clear = () => answers.clear();
  return share;
}

/** Shorten the lists of members, by group and event: few of each event, only the first once there are enough lines. */
export function shortened(groups) {
  let lines = 0;
  return groups.map(events => events.map(({slug, numbers}) => {
    const shown = numbers.slice(0, Math.max(1, Math.min(MOST_MEMBERS, MOST_LINES - lines)));
    lines += shown.length;
    return {slug, shown, more: numbers.length - shown.length};
  }));
}

/** Return the address of the standings with only the members of a followed federation or club. */
export function membersAddress(standings, {group, name}) {
  const [kind, code] = group.split(":");
  return `${standings}?${new URLSearchParams({[kind]: kind === "club" ? name : code})}`;
}

/** Return the address of a calendar with these events, without duplicates. */
export function calendarFor(address, slugs) {
  return `${address}?events=${[...new Set(slugs)].map(encodeURIComponent).join(",")}`;
}

function start() {
  const section = document.querySelector("#mine");
  if (!section) return;
  const list = section.querySelector("ul");
  const calendar = section.querySelector(".calendar");
  const words = section.dataset;
  // On a page of an event, only its competitors.
  const only = slugOf(location.pathname);
  let turn = 0;

  function linkTo({text, address}) {
    const link = document.createElement("a");
    link.href = address;
    // A score must not break after its hyphen.
    link.textContent = text.replace(/([\d½])-(?=[\d½])/g, "$1-\u2060");
    return link;
  }

  function part(css, ...inside) {
    const span = document.createElement("span");
    span.className = css;
    span.append(...inside);
    return span;
  }

  const share = sharing(async address => {
    try {
      // Without this, a response of the last second could be used again after a result.
      const response = await fetch(address, {cache: "no-cache"});
      const outcome = outcomeOf(response.status);
      return {outcome, data: outcome === "shown" ? await response.json() : null};
    } catch {
      return {outcome: "away", data: null};
    }
  });
  const answerOf = (slug, number) => share(addressFor(words.address, slug, number));

  function headOf(slug, each, title) {
    const star = starOf(words.follow.replace("{name}", each.name), true);
    star.addEventListener("click", () => toggle(slug, each));
    return part("head", title, star);
  }

  function summaryOf({outcome, data}) {
    return data
      ? [data.place && part("place", data.place), data.next && linkTo(data.next), data.last && linkTo(data.last)].filter(Boolean)
      : [part("place", outcome === "gone" ? words.gone : words.away)];
  }

  function lineWith(...inside) {
    const line = document.createElement("li");
    line.append(...inside);
    return line;
  }

  function lineOf(slug, each, answer) {
    const {data} = answer;
    const event = data && !only ? [linkTo(data.event)] : [];
    const about = part("about", ...event, ...summaryOf(answer));
    return lineWith(headOf(slug, each, data ? linkTo(data.competitor) : each.name), about);
  }

  /** Return the line of a group with its members, by event: `[{answers, more}]`. */
  function groupLine(each, events) {
    const line = lineWith(headOf(GROUPS, each, each.name));
    if (!events.length) line.append(part("about", words.idle));
    for (const {answers, more} of events) {
      const members = document.createElement("ul");
      members.append(...answers.map(answer => lineWith(part(
        "about", ...(answer.data ? [linkTo(answer.data.competitor)] : []), ...summaryOf(answer),
      ))));
      const text = words.more.replace("{count}", more);
      const event = answers[0].data?.event;
      if (more > 0) members.append(lineWith(part("about", event ? linkTo({text, address: membersAddress(event.address, each)}) : text)));
      if (!only && answers[0].data) line.append(part("about", linkTo(answers[0].data.event)));
      line.append(members);
    }
    return line;
  }

  let home = null;

  /** Return the slugs of the first events in progress, which the home page lists. */
  async function slugsInProgress() {
    if (only) return [only];
    let page = document;
    if (location.pathname !== words.home) {
      home ??= fetch(words.home).then(answer => answer.text(), () => "");
      page = new DOMParser().parseFromString(await home, "text/html");
    }
    const slugs = [...page.querySelectorAll("#live .events a")].map(link => slugOf(link.getAttribute("href")));
    return [...new Set(slugs)].filter(Boolean).slice(0, MOST_EVENTS);
  }

  /** Return the members of groups in these events, by group and event. */
  async function membersOf(groups, slugs) {
    const known = await Promise.all(slugs.map(slug => groupsIn(slug, words.groups)));
    return groups.map(({group}) => slugs
      .map((slug, at) => ({slug, numbers: known[at][group]?.numbers ?? []}))
      .filter(({numbers}) => numbers.length));
  }

  async function withAnswers({slug, shown, more}) {
    return {slug, more, answers: await Promise.all(shown.map(number => answerOf(slug, number)))};
  }

  async function fill() {
    const mine = ++turn;
    const followed = Object.entries(read())
      .filter(([slug]) => slug !== GROUPS && (!only || slug === only))
      .flatMap(([slug, all]) => all.map(each => [slug, each]));
    const groups = read()[GROUPS] ?? [];
    const slugs = groups.length ? await slugsInProgress() : [];
    const members = shortened(await membersOf(groups, slugs));
    const [answers, events] = await Promise.all([
      Promise.all(followed.map(([slug, each]) => answerOf(slug, each.number))),
      Promise.all(members.map(each => Promise.all(each.map(withAnswers)))),
    ]);
    // A later change has started another request.
    if (mine !== turn) return;
    const lines = [
      ...followed.map(([slug, each], at) => lineOf(slug, each, answers[at])),
      ...groups.flatMap((each, at) => (only && !events[at].length ? [] : [groupLine(each, events[at])])),
    ];
    list.replaceChildren(...(lines.length ? lines : [words.none ?? ""]));
    section.hidden = !lines.length && !words.none;
    section.style.minHeight = "";
    const dated = [...followed.map(([slug]) => slug), ...events.flat().map(({slug}) => slug)];
    if (calendar) {
      const address = calendarFor(new URL(words.calendar, location.href).href, dated);
      calendar.hidden = !dated.length;
      calendar.querySelector(".subscribe").href = address.replace(/^https?:/, "webcal:");
      calendar.querySelector(".download").href = address;
    }
    storeHeight();
  }

  // For `reserve.js` at the next visit.
  function storeHeight() {
    try {
      sessionStorage[`crosstable.mine:${location.pathname}`] = section.hidden ? "" : `${section.offsetHeight}px`;
    } catch {
      // Without storage, the page moves when the lines arrive.
    }
  }

  subscribe(fill);
  // A poll replaces `#live` once, and only after a change. Other parts are swapped with it, or by the reader's clicks.
  document.addEventListener("htmx:afterSwap", ({target}) => {
    if (target.id !== "live") return;
    share.clear();
    fill();
  });
  fill();
}

if (globalThis.document) start();
