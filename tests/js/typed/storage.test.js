import assert from "node:assert/strict";
import {test} from "node:test";

import {keyOf, recordOf, removeAll, removeOld, removeSent, store} from "../../../static/js/typed/storage.js";
import {emptyStorage, forbiddenStorage, replaceGlobal} from "../browser.js";

const HOUR = 60 * 60 * 1000;
const ANNA = keyOf({account: "7", address: "/admin/events/1/prizes/", form: "prizes-0-amount"});
const BEN = keyOf({account: "70", address: "/admin/events/1/prizes/", form: "prizes-0-amount"});
const NAME = {value: "Eva", base: "", version: "3", label: "name", sent: ""};

test("a record is stored with its fields, and removed without them", context => {
  const storage = emptyStorage(context);
  store(ANNA, {at: 5, fields: {name: NAME}});
  assert.deepEqual(recordOf(ANNA), {at: 5, fields: {name: NAME}});
  store(ANNA, {at: 5, fields: {}});
  assert.deepEqual(Object.keys(storage), []);
  assert.deepEqual(recordOf(ANNA), {at: 0, fields: {}});
});

test("records are removed a day after the last typing", context => {
  const storage = emptyStorage(context);
  store(ANNA, {at: 0, fields: {name: NAME}});
  store(BEN, {at: HOUR, fields: {name: NAME}});
  removeOld({account: "", now: 24 * HOUR});
  assert.deepEqual(Object.keys(storage), [ANNA, BEN]);
  removeOld({account: "", now: 24 * HOUR + 1});
  assert.deepEqual(Object.keys(storage), [BEN]);
});

test("records of other accounts are removed once the account is known", context => {
  const storage = emptyStorage(context);
  storage.setItem("results:7:3:5:a-b", "{}");
  store(ANNA, {at: 0, fields: {name: NAME}});
  store(BEN, {at: 0, fields: {name: NAME}});
  removeOld({account: "7", now: 0});
  assert.deepEqual(Object.keys(storage), ["results:7:3:5:a-b", ANNA]);
  removeAll();
  assert.deepEqual(Object.keys(storage), ["results:7:3:5:a-b"]);
});

test("only fields that were sent under an id are removed with it", context => {
  emptyStorage(context);
  store(ANNA, {at: 5, fields: {name: {...NAME, sent: "a"}, club: {...NAME, sent: "b"}}});
  removeSent(["a"]);
  assert.deepEqual(Object.keys(recordOf(ANNA).fields), ["club"]);
});

test("damaged records are removed", context => {
  const storage = emptyStorage(context);
  storage.setItem(ANNA, "{");
  removeOld({account: "7", now: 48 * HOUR});
  assert.deepEqual(Object.keys(storage), []);
});

test("a browser without storage, or with a full one, raises no error", context => {
  forbiddenStorage(context);
  store(ANNA, {at: 5, fields: {name: NAME}});
  removeOld({account: "7", now: 0});
  assert.deepEqual(recordOf(ANNA), {at: 0, fields: {}});
  replaceGlobal(context, "localStorage", {setItem() { throw new DOMException("full", "QuotaExceededError"); }});
  store(ANNA, {at: 5, fields: {name: NAME}});
});
