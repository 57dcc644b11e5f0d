import assert from "node:assert/strict";
import {test} from "node:test";

import {ResultRows, stateOf} from "../../../static/js/results/rows.js";
import {replaceGlobal} from "../browser.js";

/** Rows as far as they compute: their data, and the entries that wait for their lines. */
function rowsOf(context, data, entries = {}) {
  replaceGlobal(context, "document", {querySelector: () => ({hasAttribute: () => false})});
  const rows = data.map(each => ({dataset: each, hidden: false, classList: {add() {}, remove() {}}}));
  const queue = {last: line => entries[line], undecided: Object.values(entries).filter(entry => entry.outcome)};
  return new ResultRows({form: {querySelectorAll: () => rows}, queue});
}

test("a row is being typed whatever waits", () => {
  assert.equal(stateOf({typing: "yes", state: ""}, {outcome: {state: "conflict"}}), "typing");
});

test("an entry without an answer is being saved", () => {
  assert.equal(stateOf({state: ""}, {text: "1 - 0"}), "saving");
});

test("an answered entry has failed, or is in conflict", () => {
  assert.equal(stateOf({state: "saving"}, {outcome: {state: "refused"}}), "failed");
  assert.equal(stateOf({state: "saving"}, {outcome: {state: "conflict"}}), "conflict");
});

test("a row whose entry is gone is saved if it was being saved", () => {
  assert.equal(stateOf({state: "saving"}), "saved");
  assert.equal(stateOf({state: "saved"}), "saved");
  for (const state of ["", "conflict", "failed", "typing"]) assert.equal(stateOf({state}), "", state);
});

test("what waits for a line stands above what is stored", context => {
  const rows = rowsOf(context, [{line: "a", text: "1 - 0"}, {line: "b", text: ""}], {a: {text: "0 - 1"}});
  assert.deepEqual(rows.rows.map(row => rows.text(row)), ["0 - 1", ""]);
});

test("an entry names its pairing, its board and the version that was shown", context => {
  const rows = rowsOf(context, [{line: "a", pairing: "11", board: "2", version: "4", text: ""}]);
  assert.deepEqual(rows.entryOf(rows.rows[0], "1 - 0"), {pairing: 11, board: 2, text: "1 - 0", seen: "4"});
});

test("a line without a board has none, and no board 0", context => {
  const rows = rowsOf(context, [{line: "a", pairing: "11", board: "", version: "4", text: ""}]);
  assert.equal(rows.entryOf(rows.rows[0], "").board, null);
});

test("what others saved is typed over by the version before, until it is settled", context => {
  context.mock.timers.enable({apis: ["setTimeout"]});
  const rows = rowsOf(context, [{line: "a", pairing: "11", board: "", version: "4", text: ""}]);
  const [row] = rows.rows;
  rows.showFromOthers(row, "½ - ½", 5);
  rows.showFromOthers(row, "1 - 0", 6);
  assert.deepEqual([rows.text(row), rows.entryOf(row, "0 - 1").seen], ["1 - 0", "4"]);
  rows.store(row, "1 - 0", 6);
  assert.equal(rows.entryOf(row, "0 - 1").seen, 6);
});

test("what is stored counts, what waits and byes do not", context => {
  const bye = {line: "c", text: "bye", seat: "off"};
  const rows = rowsOf(context, [{line: "a", text: "1 - 0"}, {line: "b", text: ""}, bye], {b: {text: "0 - 1"}});
  assert.equal(rows.storedCount, 1);
});

test("undecided entries of lines that are not on the page do not count", context => {
  const refused = {state: "refused"};
  const entries = {a: {line: "a", outcome: refused}, z: {line: "z", outcome: refused}};
  assert.equal(rowsOf(context, [{line: "a", text: ""}], entries).undecidedCount, 1);
});

test("a conflict names no time and nobody where the answer names none", context => {
  const rows = rowsOf(context, []);
  rows.messages = {text: name => `<${name}>`};
  const values = rows.conflictValues({outcome: {text: "", mine: "1 - 0"}});
  assert.deepEqual(values, {by: undefined, at: undefined, theirs: "<nothing>", mine: "1 - 0"});
});
