import assert from "node:assert/strict";
import {test} from "node:test";

import {addressOf, folded, hitsIn} from "../../static/js/tools.js";

test("case and diacritics make no difference to a search", () => {
  assert.equal(folded(" Ołówek ÇA Ærø "), "olowek ca aero");
});

test("rows that have every word are found, names that begin with it first", () => {
  const names = ["Van Dijk, Jan", "Abdijk, Jan", "Dijkstra, Åke", "Fox"];
  assert.deepEqual(hitsIn(names, "dijk"), [0, 2, 1]);
  assert.deepEqual(hitsIn(names, "dijk jan"), [0, 1]);
  assert.deepEqual(hitsIn(names, "ake"), [2]);
  assert.deepEqual(hitsIn(names, "  "), []);
});

test("the address of a view names its row, once", () => {
  assert.equal(addressOf("/standings/?sort=name#c3", "c12"), "/standings/?sort=name#c12");
  assert.equal(addressOf("/standings/", ""), "/standings/");
});
