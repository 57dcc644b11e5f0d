import {test} from "node:test";
import assert from "node:assert/strict";
import {clockTime, following, pauseAfter, placeAfter} from "../../static/js/hallscreen.js";

test("after the last page comes the first", () => {
  assert.deepEqual([following(0, 3), following(2, 3), following(0, 0)], [1, 0, 0]);
});

test("an update goes on at the same page of the same title, or at the last one there is", () => {
  const before = {round: "5", titles: ["pairings", "pairings", "standings"], at: 1};
  assert.equal(placeAfter(before, {round: "5", titles: ["pairings", "pairings", "names"]}), 1);
  assert.equal(placeAfter(before, {round: "5", titles: ["standings", "pairings"]}), 1);
  assert.equal(placeAfter(before, {round: "5", titles: ["standings"]}), 0);
  assert.equal(placeAfter(before, {round: "5", titles: []}), 0);
});

test("a new round begins with its first page", () => {
  const before = {round: "5", titles: ["standings", "standings"], at: 1};
  assert.equal(placeAfter(before, {round: "6", titles: ["pairings", "standings", "standings"]}), 0);
});

test("without a connection it asks more seldom, and never more often than before", () => {
  assert.deepEqual([0, 1, 3, 9].map(failures => pauseAfter(failures, 5000)), [5000, 10_000, 40_000, 60_000]);
  assert.equal(pauseAfter(0, 60_000), 60_000);
});

test("the clock has two figures each", () => {
  assert.equal(clockTime(new Date(2026, 4, 1, 9, 5)), "09:05");
});
