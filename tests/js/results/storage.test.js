import assert from "node:assert/strict";
import {test} from "node:test";

import {countByRound, keyOf, storedEntries, waitingElsewhere} from "../../../static/js/results/storage.js";
import {emptyStorage, forbiddenStorage} from "../browser.js";

const STORED = {event: "7", round: "3", account: "5", id: "a-b"};

function storeAll(context, ...keys) {
  const storage = emptyStorage(context);
  for (const key of keys) storage.setItem(key, "{}");
}

test("the key of an entry has event, round, account and id", () => {
  assert.equal(keyOf(STORED), "results:7:3:5:a-b");
  assert.equal(keyOf({event: 7, round: 3, account: 5, id: "a-b"}), "results:7:3:5:a-b");
});

test("stored entries are found by their keys, among others", context => {
  storeAll(context, "results:7:3:5:a-b", "theme", "results:7:3:5:", "pairings:/desk/");
  assert.deepEqual(storedEntries(), [{...STORED, text: "{}"}]);
});

test("a browser that keeps nothing has no entries", context => {
  forbiddenStorage(context);
  assert.deepEqual(storedEntries(), []);
  assert.deepEqual(countByRound("7"), []);
});

test("entries are counted by round, in the order of the rounds", context => {
  storeAll(context, "results:7:10:5:a", "results:7:9:5:b", "results:7:10:6:c", "results:8:1:5:d");
  assert.deepEqual(countByRound(7), [["9", 1], ["10", 2]]);
});

test("what waits elsewhere is of other rounds or other accounts of the event, once each", context => {
  storeAll(context, "results:7:3:5:a", "results:7:4:5:b", "results:7:4:5:c", "results:7:3:6:d", "results:8:4:5:e");
  assert.deepEqual(waitingElsewhere({event: "7", round: 3, account: 5}), [["4", "5"], ["3", "6"]]);
});
