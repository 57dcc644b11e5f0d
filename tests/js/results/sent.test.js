import assert from "node:assert/strict";
import {test} from "node:test";

import {agreedIn, resultToTake, showSent} from "../../../static/js/results/sent.js";

/** A row beside which these results can be taken. */
function rowOf({line = "7-0", stored = "", takes = [], agreed = ""} = {}) {
  const place = {dataset: {}, writes: 0, set innerHTML(html) { this.html = html; this.writes += 1; }};
  return {
    dataset: {line, text: stored},
    place,
    querySelectorAll: () => takes.map(value => ({value})),
    querySelector: selector => selector === ".from-players" ? place : agreed ? {value: agreed} : null,
  };
}

test("the only result that came can be taken by a key", () => {
  assert.equal(resultToTake(rowOf({takes: ["2-0"]})), "2-0");
});

test("where the sides differ, or nothing came, a key takes nothing", () => {
  assert.equal(resultToTake(rowOf({takes: ["2-0", "1-1"]})), "");
  assert.equal(resultToTake(rowOf()), "");
});

test("all that agree are taken, but for lines that have a result", () => {
  const [one, two, three] = [rowOf({agreed: "2-0"}), rowOf({agreed: "1-1", stored: "0-2"}), rowOf()];
  assert.deepEqual(agreedIn([one, two, three]), [{row: one, text: "2-0"}]);
});

test("what came stands beside its line, and is written only where it is another one", () => {
  const [one, two] = [rowOf({line: "7-0"}), rowOf({line: "8-0"})];
  const form = {querySelector: () => null};
  showSent(form, [one, two], {"7-0": "<p>White sent 2-0</p>"});
  showSent(form, [one, two], {"7-0": "<p>White sent 2-0</p>"});
  assert.equal(one.place.html, "<p>White sent 2-0</p>");
  assert.equal(two.place.html, "");
  assert.equal(one.place.writes, 1);
});
