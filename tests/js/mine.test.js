import assert from "node:assert/strict";
import {test} from "node:test";

import {addressFor, calendarFor, membersAddress, outcomeOf, sharing, shortened} from "../../static/js/mine.js";

test("each competitor is asked for at an address of its own, in the language of the page", () => {
  assert.equal(addressFor("/nl/events/-slug-/followed/0/", "cup-2026", 10), "/nl/events/cup-2026/followed/10/");
});

test("what is gone is told from what is away for now", () => {
  assert.deepEqual([200, 404, 410, 503, 429].map(outcomeOf), ["shown", "gone", "gone", "away", "away"]);
});

test("the calendar names each event once", () => {
  assert.equal(calendarFor("/rounds.ics", ["cup", "open", "cup"]), "/rounds.ics?events=cup,open");
});

test("each address is requested once, until the page changes or after a failure", async () => {
  const requested = [];
  const share = sharing(async address => {
    requested.push(address);
    return {outcome: address === "/away/" ? "away" : "shown"};
  });
  await Promise.all([share("/1/"), share("/1/"), share("/away/")]);
  await share("/1/");
  assert.deepEqual(requested, ["/1/", "/away/"]);
  await share("/away/");
  share.clear();
  await share("/1/");
  assert.deepEqual(requested, ["/1/", "/away/", "/away/", "/1/"]);
});

test("three members of a group are shown, and one in each event after twelve lines", () => {
  const events = Array.from({length: 8}, (_, at) => ({slug: `cup-${at}`, numbers: [1, 2, 3, 4, 5, 6]}));
  const [, shown] = shortened([[], events]);
  assert.deepEqual(shown[0], {slug: "cup-0", shown: [1, 2, 3], more: 3});
  assert.deepEqual(shown.map(each => each.shown.length), [3, 3, 3, 3, 1, 1, 1, 1]);
  assert.equal(shown[7].more, 5);
});

test("the other members of a group are in the filtered standings", () => {
  assert.equal(membersAddress("/events/cup/standings/", {group: "federation:NED", name: "Netherlands"}), "/events/cup/standings/?federation=NED");
  assert.equal(membersAddress("/events/cup/standings/", {group: "club:sk gent", name: "SK Gent"}), "/events/cup/standings/?club=SK+Gent");
});
