import assert from "node:assert/strict";
import {test} from "node:test";

import {ANSWERS, decided, indexAfter, meaning} from "../../../static/js/people/keys.js";

test("a key answers the link that has the focus", () => {
  assert.deepEqual(meaning({key: "c"}), {answer: "confirm"});
  assert.deepEqual(meaning({key: "r"}), {answer: "refuse"});
  assert.deepEqual(meaning({key: "l"}), {answer: "later"});
  assert.equal(meaning({key: "x"}), null);
  assert.equal(meaning({key: "toString"}), null);
});

test("arrows go from link to link, and s sends", () => {
  assert.deepEqual(meaning({key: "ArrowDown"}), {step: 1});
  assert.deepEqual(meaning({key: "ArrowUp"}), {step: -1});
  assert.deepEqual(meaning({key: "s"}), {send: true});
  assert.deepEqual(meaning({key: "?"}), {help: true});
});

test("a field that is typed in and the browser keep their keys", () => {
  assert.equal(meaning({key: "c"}, {isWriting: true}), null);
  for (const held of ["ctrlKey", "altKey", "metaKey", "isComposing"]) {
    assert.equal(meaning({key: "c", [held]: true}), null);
  }
});

test("a step stays within the links, and begins at the first", () => {
  assert.equal(indexAfter(-1, 1, 3), 0);
  assert.equal(indexAfter(-1, -1, 3), 0);
  assert.equal(indexAfter(0, 1, 3), 1);
  assert.equal(indexAfter(2, 1, 3), 2);
  assert.equal(indexAfter(0, -1, 3), 0);
});

test("later decides nothing", () => {
  assert.equal(decided([ANSWERS.c, ANSWERS.l, ANSWERS.r]), 2);
  assert.equal(decided([]), 0);
});
