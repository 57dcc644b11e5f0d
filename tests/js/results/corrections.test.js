import assert from "node:assert/strict";
import {test} from "node:test";

import {CorrectionDialog, needsReason} from "../../../static/js/results/corrections.js";
import {replaceGlobal} from "../browser.js";

test("in a closed round every change needs a reason", () => {
  assert.ok(needsReason("always", ""));
  assert.ok(needsReason("always", "1 - 0"));
});

test("later on only a result that stands needs one", () => {
  assert.ok(!needsReason("standing", ""));
  assert.ok(needsReason("standing", "1 - 0"));
});

test("the first result of a postponed game needs none", () => {
  assert.ok(!needsReason("always", "postponed"));
  assert.ok(!needsReason("standing", "adjourned"));
});

test("in the round that is played nothing needs a reason", () => {
  assert.ok(!needsReason("", "1 - 0"));
});

test("a correction names the rounds that were paired from the old result", context => {
  replaceGlobal(context, "document", {createElement: () => ({append() {}}), querySelector: () => ({querySelector() {}})});
  const dialog = new CorrectionDialog({form: {}, messages: {text: name => name}});
  const message = "Round 2 was paired from the old result.";
  const texts = (outcome, moves) => dialog.moveNodes(outcome, moves).map(node => node.textContent ?? node);
  assert.deepEqual(texts({state: "saved", message}, []), ["no_moves", message]);
  assert.deepEqual(texts({state: "saved", message}, ["Bea: place 4 to 2"]).at(-1), message);
  assert.deepEqual(texts({state: "saved", message: ""}, []), ["no_moves"]);
});
