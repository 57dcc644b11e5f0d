import assert from "node:assert/strict";
import {test} from "node:test";

import {completeRows} from "../../static/js/laterrows.js";

test("the last row is complete once the page has arrived", () => {
  assert.deepEqual(completeRows(["c1", "c2"], false), ["c1"]);
  assert.deepEqual(completeRows(["c1", "c2"], true), ["c1", "c2"]);
  assert.deepEqual(completeRows([], false), []);
});
