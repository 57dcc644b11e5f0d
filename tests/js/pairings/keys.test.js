import assert from "node:assert/strict";
import {test} from "node:test";

import {isShortcut, meaning, neighbour} from "../../../static/js/pairings/keys.js";

const key = (name, more = {}) => ({key: name, ctrlKey: false, altKey: false, metaKey: false, isComposing: false, ...more});
const ON_NAME = {isOnName: true};

test("on a name a key is an act, a pick or a step", () => {
  assert.deepEqual(meaning(key("t"), ON_NAME), {act: "turn"});
  assert.deepEqual(meaning(key("-"), ON_NAME), {act: "off-absent"});
  assert.deepEqual(meaning(key("Enter"), ON_NAME), {pick: true});
  assert.deepEqual(meaning(key("ArrowDown"), ON_NAME), {arrow: [1, 0]});
  assert.equal(meaning(key("q"), ON_NAME), null);
});

test("elsewhere only what needs no name", () => {
  assert.equal(meaning(key("t")), null);
  assert.equal(meaning(key("Enter")), null);
  assert.deepEqual(meaning(key("u")), {act: "undo"});
  assert.deepEqual(meaning(key("/")), {write: true});
  assert.deepEqual(meaning(key("?")), {help: true});
});

test("in a field keys are letters, and Escape clears", () => {
  assert.equal(meaning(key("u"), {isWriting: true}), null);
  assert.equal(meaning(key("/"), {isWriting: true}), null);
  assert.deepEqual(meaning(key("Escape"), {isWriting: true}), {clear: true});
});

test("what belongs to the browser is left to it", () => {
  for (const more of [{ctrlKey: true}, {altKey: true}, {metaKey: true}, {isComposing: true}]) {
    assert.ok(isShortcut(key("t", more)));
    assert.equal(meaning(key("t", more), ON_NAME), null);
  }
});

test("arrows stay within the names, and a row may have one", () => {
  const rows = [["a", "b"], ["c", "d"], ["e"]];
  assert.deepEqual(neighbour(rows, [0, 1], [1, 0]), [1, 1]);
  assert.deepEqual(neighbour(rows, [1, 1], [1, 0]), [2, 0]);
  assert.deepEqual(neighbour(rows, [2, 0], [1, 0]), [2, 0]);
  assert.deepEqual(neighbour(rows, [0, 0], [-1, 0]), [0, 0]);
  assert.deepEqual(neighbour(rows, [0, 0], [0, 1]), [0, 1]);
  assert.deepEqual(neighbour(rows, [0, 1], [0, 1]), [0, 1]);
});
