import assert from "node:assert/strict";
import {test} from "node:test";

import {addressFor, indexAfter, lineOf, prefixOf, valuesOf} from "../../../static/js/ratings/proposals.js";

const LEKO = {
  name: "Leko, Peter", title: "GM", rating: 2676, code: "HUN", sex: "m", born: "1979", fide_id: 703303, is_inactive: true,
};

test("the fields beside a name have what stands before it in theirs", () => {
  assert.equal(prefixOf("name"), "");
  assert.equal(prefixOf("n1-name"), "n1-");
  assert.equal(prefixOf("players-0-name"), "players-0-");
  assert.equal(prefixOf("surname"), null);
  assert.equal(prefixOf("name-shown"), null);
  assert.equal(prefixOf(undefined), null);
});

test("a text that is everybody's name asks nobody", () => {
  assert.equal(addressFor("/x/?source=fide", " le "), null);
  assert.equal(addressFor("/x/?source=fide", " leko & "), "/x/?source=fide&q=leko%20%26");
});

test("who is taken fills what the list knows", () => {
  assert.deepEqual(Object.fromEntries(valuesOf({...LEKO, title: "", rating: null}, "n1-")), {
    "n1-name": "Leko, Peter", "n1-code": "HUN", "n1-sex": "m", "n1-born": "1979", "n1-fide_id": "703303",
  });
});

test("a player is told in one line", () => {
  assert.equal(lineOf(LEKO, "inactive"), "GM · Leko, Peter · 2676 · HUN · 1979 · 703303 (inactive)");
  assert.equal(lineOf({name: "Piet", rating: null, fmjd_id: 7}, ""), "Piet · 7");
});

test("the arrows lead through the proposals and back to the field", () => {
  assert.equal(indexAfter("ArrowDown", -1, 2), 0);
  assert.equal(indexAfter("ArrowDown", 1, 2), -1);
  assert.equal(indexAfter("ArrowUp", -1, 2), 1);
  assert.equal(indexAfter("ArrowUp", 0, 2), -1);
  assert.equal(indexAfter("Home", 1, 2), 1);
});
