import assert from "node:assert/strict";
import {test} from "node:test";

import {folded, isMeant, theOneMeant} from "../../../static/js/attendance/search.js";

test("letters are compared without marks and case", () => {
  assert.equal(folded("  Núñez  de la "), "nunez de la");
});

test("each word that was typed begins one", () => {
  const words = "12 ndjofang, jean marc cmr";
  assert.ok(isMeant(folded("marc Ndj"), words));
  assert.ok(isMeant("", words));
  assert.ok(!isMeant("jofang", words));
});

test("a figure means that number, two figures also those that begin so", () => {
  assert.ok(isMeant("1", "1 ann"));
  assert.ok(!isMeant("1", "12 bea"));
  assert.ok(isMeant("12", "120 cas"));
  assert.ok(!isMeant("12", "3 ann12"));
});

test("a number goes before those that begin so, and a name means somebody where only one is found", () => {
  const [twelve, more] = ["12 ann", "120 bea"].map(words => ({dataset: {words}}));
  assert.equal(theOneMeant("12", [more, twelve]), twelve);
  assert.equal(theOneMeant("be", [more]), more);
  assert.equal(theOneMeant("", [more]), undefined);
  assert.equal(theOneMeant("x", [more, twelve]), undefined);
});
