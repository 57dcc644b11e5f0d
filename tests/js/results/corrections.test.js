import assert from "node:assert/strict";
import {test} from "node:test";

import {needsReason} from "../../../static/js/results/corrections.js";

test("in a closed round every change needs a reason", () => {
  assert.ok(needsReason("always", ""));
  assert.ok(needsReason("always", "1 - 0"));
});

test("later on only a result that stands needs one", () => {
  assert.ok(!needsReason("standing", ""));
  assert.ok(needsReason("standing", "1 - 0"));
});

test("in the round that is played nothing needs a reason", () => {
  assert.ok(!needsReason("", "1 - 0"));
});
