import assert from "node:assert/strict";
import {test} from "node:test";

import {tapsOf} from "../../../static/js/results/taps.js";

const BUTTONS = [["2-0", "1-1", "0-2"], ["+ -", "- +"]];

test("a line without a result has the usual ones", () => {
  assert.deepEqual(tapsOf(BUTTONS, "", false), ["2-0", "1-1", "0-2"]);
});

test("a line with a result has that alone", () => {
  assert.deepEqual(tapsOf(BUTTONS, "1-1", false), ["1-1"]);
  assert.deepEqual(tapsOf(BUTTONS, "?", false), ["?"]);
});

test("behind a press stand all, and a blank one where there is something to clear", () => {
  assert.deepEqual(tapsOf(BUTTONS, "", true), ["2-0", "1-1", "0-2", "+ -", "- +"]);
  assert.equal(tapsOf(BUTTONS, "1-1", true).at(-1), "");
});
