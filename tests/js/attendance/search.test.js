import assert from "node:assert/strict";
import {test} from "node:test";

import {folded, matchesQuery, onlyMatch} from "../../../static/js/attendance/search.js";

test("letters are compared without marks and case", () => {
  assert.equal(folded("  Núñez  de la "), "nunez de la");
});

test("each word that was typed begins one", () => {
  const words = "12 ndjofang, jean marc cmr";
  assert.ok(matchesQuery(folded("marc Ndj"), words));
  assert.ok(matchesQuery("", words));
  assert.ok(!matchesQuery("jofang", words));
});

test("a figure means that number, two figures also those that begin so", () => {
  assert.ok(matchesQuery("1", "1 ann"));
  assert.ok(!matchesQuery("1", "12 bea"));
  assert.ok(matchesQuery("12", "120 cas"));
  assert.ok(!matchesQuery("12", "3 ann12"));
});

test("a number goes before those that begin so, and a name means somebody where only one is found", () => {
  const [twelve, more] = ["12 ann", "120 bea"].map(words => ({dataset: {words}}));
  assert.equal(onlyMatch("12", [more, twelve]), twelve);
  assert.equal(onlyMatch("be", [more]), more);
  assert.equal(onlyMatch("", [more]), undefined);
  assert.equal(onlyMatch("x", [more, twelve]), undefined);
});
