import {test} from "node:test";
import assert from "node:assert/strict";
import {isNewer} from "../../static/js/embed.js";

test("a page is newer where its revision is another", () => {
  const open = {dataset: {revision: "e-5"}};
  assert.equal(isNewer(open, {dataset: {revision: "e-6"}}), true);
  assert.equal(isNewer(open, {dataset: {revision: "e-5"}}), false);
  assert.equal(isNewer(open, null), false);
});
