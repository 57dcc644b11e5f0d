import assert from "node:assert/strict";
import {test} from "node:test";

import {itemsOf, moved, searchIn} from "../../static/js/suggest.js";

test("arrow keys go through the list, and back into the field at either end", () => {
  assert.deepEqual([moved("ArrowDown", -1, 2), moved("ArrowDown", 0, 2), moved("ArrowDown", 1, 2)], [0, 1, -1]);
  assert.deepEqual([moved("ArrowUp", -1, 2), moved("ArrowUp", 1, 2), moved("ArrowUp", 0, 2)], [1, 0, -1]);
  assert.equal(moved("a", 1, 2), -1);
});

test("suggestions lead to pages of this site, anything else is none", () => {
  const good = {label: "Reds", address: "/events/cup/competitors/1/"};
  const others = [{label: "x", address: "https://example.org/"}, {label: "x", address: "//example.org/"}, {address: "/a/"}, null];
  assert.deepEqual(itemsOf({items: [good, ...others]}), [good]);
  for (const answer of [null, [], {}, {items: "x"}]) assert.deepEqual(itemsOf(answer), []);
});

test("the fragment of a redirected search names the search, other fragments none", () => {
  assert.equal(searchIn("#q=jos%C3%A9%20%26%20co%2B"), "josé & co+");
  for (const hash of ["", "#c12", "#sort-name", "#q=", "#%E0"]) assert.ok(!searchIn(hash));
});
