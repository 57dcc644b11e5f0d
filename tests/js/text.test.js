import assert from "node:assert/strict";
import {test} from "node:test";

import {fill} from "../../static/js/text.js";

test("named places are filled, as often as they occur", () => {
  assert.equal(fill("%(name)s: %(at)s of %(at)s", {name: "Buchholz", at: 2}), "Buchholz: 2 of 2");
  assert.equal(fill("{name}: {at} of {at}", {name: "Buchholz", at: 2}), "Buchholz: 2 of 2");
});

test("zero is a value, and an unknown name is nothing", () => {
  assert.equal(fill("%(count)s left%(more)s", {count: 0}), "0 left");
});

test("what is filled in is not filled again", () => {
  assert.equal(fill("%(text)s", {text: "%(text)s {text}"}), "%(text)s {text}");
});
