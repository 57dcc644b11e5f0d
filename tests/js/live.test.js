import assert from "node:assert/strict";
import {test} from "node:test";

import {changedRows, isSilent, keyOf, parametersOf, pauseAfter, placeOf, stopAt, timeOf} from "../../static/js/live.js";

const linkTo = address => ({getAttribute: () => address});

/** A row of a table, with the link to its competitor if it has one and the first link. */
function rowOf(who, first, textContent = "") {
  const links = {".who a[href]": who && linkTo(who), "a[href]": first && linkTo(first)};
  return {textContent, querySelector: css => links[css] ?? null};
}

function stopOf(href, label = null, id = "") {
  return {id, getAttribute: name => ({href, "aria-label": label})[name]};
}

test("a poll takes over what the query says, but not what is the poll's own", () => {
  const address = "/events/cup/poll/?revision=4&page=standings";
  assert.deepEqual(parametersOf("?sort=name&revision=3&page=check&as=computed", address), {sort: "name", as: "computed"});
  assert.deepEqual(parametersOf("", address), {});
  assert.deepEqual(parametersOf("?page=2", "/poll/?revision=4"), {page: "2"});
});

test("a row is known by its competitor, or else by its first link", () => {
  assert.equal(keyOf(rowOf("competitors/4/", "rounds/1/2/")), "competitors/4/");
  assert.equal(keyOf(rowOf(null, "rounds/1/2/")), "rounds/1/2/");
  assert.equal(keyOf(rowOf(null, null)), undefined);
});

test("rows with another text have changed, wherever they stand now", () => {
  const [one, other, fresh] = [rowOf("c/1/", "", "1 Ada 3"), rowOf("c/2/", "", "2 Bo 2½"), rowOf("c/3/", "", "3 Cy 0")];
  const texts = new Map([["c/2/", "2 Bo 2"], ["c/1/", "1 Ada 3"]]);
  assert.deepEqual(changedRows([other, one, fresh], texts), [other, fresh]);
});

test("the focus comes back to the stop of the same name and turn", () => {
  const before = [stopOf("c/1/"), stopOf("r/1/"), stopOf("c/1/"), stopOf("c/1/", "label")];
  const after = [stopOf("r/1/"), stopOf("c/1/"), stopOf("new/"), stopOf("c/1/")];
  assert.equal(stopAt(placeOf(before[2], before), after), after[3]);
  assert.equal(stopAt(placeOf(before[1], before), after), after[0]);
});

test("where fewer stops have that name the first of them has the focus", () => {
  const before = [stopOf("c/1/"), stopOf("c/1/")];
  const after = [stopOf("c/2/"), stopOf("c/1/")];
  assert.equal(stopAt(placeOf(before[1], before), after), after[1]);
});

test("a focus outside, and a stop that is gone, come back nowhere", () => {
  const stops = [stopOf("c/1/")];
  assert.equal(stopAt(placeOf(stopOf("c/1/"), stops), stops), undefined);
  assert.equal(stopAt(placeOf(stops[0], stops), [stopOf("c/2/")]), undefined);
});

test("a poll that fails is asked more and more seldom, a minute at most, and never by all at once", () => {
  assert.equal(pauseAfter(0, 0.5), 5000);
  assert.deepEqual([1, 2, 3, 4, 5, 50].map(each => pauseAfter(each, 1)), [10_000, 20_000, 40_000, 60_000, 60_000, 60_000]);
  assert.equal(pauseAfter(1, 0), 7500);
  assert.equal(pauseAfter(50, 0), 45_000);
});

test("the last update has the time of the server, or of the device, in the zone of the event", () => {
  process.env.TZ = "Asia/Tbilisi";
  assert.equal(timeOf("Tue, 20 Oct 2026 14:02:59 GMT"), "18:02");
  const date = "Tue, 20 Oct 2026 23:02:59 GMT";
  assert.equal(timeOf(date, "America/New_York"), "19:02 (America/New York)");
  assert.equal(timeOf(date, "Asia/Dubai"), "03:02");
  assert.equal(timeOf(date, "Unknown/Zone"), "03:02");
  for (const none of [null, undefined, "soon"]) assert.match(timeOf(none), /^\d\d:\d\d$/);
});

test("the home of an event is silent half an hour after its last update, in any time zone", () => {
  const now = Date.parse("2026-10-20T14:30:00Z");
  assert.equal(isSilent("2026-10-20T16:00:00+02:00", now), true);
  assert.equal(isSilent("2026-10-20T16:00:01+02:00", now), false);
});
