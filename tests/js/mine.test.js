import assert from "node:assert/strict";
import {test} from "node:test";

import {addressFor, calendarFor, outcomeOf} from "../../static/js/mine.js";

test("each competitor is asked for at an address of its own, in the language of the page", () => {
  assert.equal(addressFor("/nl/events/-slug-/followed/0/", "cup-2026", 10), "/nl/events/cup-2026/followed/10/");
});

test("what is gone is told from what is away for now", () => {
  assert.deepEqual([200, 404, 410, 503, 429].map(outcomeOf), ["shown", "gone", "gone", "away", "away"]);
});

test("the calendar names each event once", () => {
  assert.equal(calendarFor("/rounds.ics", ["cup", "open", "cup"]), "/rounds.ics?events=cup,open");
});
