import assert from "node:assert/strict";
import {test} from "node:test";

import {fieldAfter, isShortcut, isTyping, typed} from "../../../static/js/pairings/keys.js";

test("Enter goes on from a field with something in it", () => {
  assert.equal(fieldAfter(["12", "", "", ""], 0), 1);
  assert.equal(fieldAfter(["12", "7", "", ""], 1), 2);
});

test("Enter saves from an empty field and from the last one", () => {
  assert.equal(fieldAfter(["12", "7", " ", ""], 2), null);
  assert.equal(fieldAfter(["12", "7", "3", "4"], 3), null);
});

test("Enter stays where nothing is typed at all", () => {
  assert.equal(fieldAfter(["", " ", "", ""], 0), 0);
  assert.equal(fieldAfter(["", "", "", ""], 3), 3);
});

test("keys typed ahead go where they would have gone", () => {
  const after = typed(["1", "2", "Enter", "7", "Enter", "3"], ["", "", "", ""], 0);
  assert.deepEqual(after, {values: ["12", "7", "3", ""], at: 2});
});

test("Enter typed ahead saves nothing: it stays in an empty field and in the last one", () => {
  assert.deepEqual(typed(["Enter", "1"], ["", ""], 0), {values: ["1", ""], at: 0});
  assert.deepEqual(typed(["Enter", "1"], [" ", ""], 0), {values: [" 1", ""], at: 0});
  assert.deepEqual(typed(["5", "Enter", "6"], ["1", ""], 1), {values: ["1", "56"], at: 1});
});

test("the values before are left as they were", () => {
  const values = ["1", ""];
  typed(["2"], values, 0);
  assert.deepEqual(values, ["1", ""]);
});

test("signs and Enter are typing, other keys and shortcuts are not", () => {
  assert.ok(isTyping({key: "7"}));
  assert.ok(isTyping({key: "Enter"}));
  assert.ok(!isTyping({key: "Tab"}));
  assert.ok(!isTyping({key: "r", ctrlKey: true}));
  assert.ok(isShortcut({key: "r", metaKey: true}));
  assert.ok(!isShortcut({key: "R", shiftKey: true}));
});
