import assert from "node:assert/strict";
import {test} from "node:test";

import {keyOf, lastLogout, recordOf, removeAll, removeOld, removeSent, store} from "../../../static/js/typed/storage.js";
import {emptyStorage, forbiddenStorage, replaceGlobal} from "../browser.js";

const HOUR = 60 * 60 * 1000;
const keyAt = (account, address) => keyOf({account, url: new URL(address, "https://example.org"), form: "prizes"});
const ANNA = keyAt("7", "/admin/events/1/prizes/");
const BEN = keyAt("70", "/admin/events/1/prizes/");
const NAME = {value: "Eva", base: "", version: "3", label: "name", sent: ""};

test("a key has the parameters that choose the content of a form", () => {
  const address = "/admin/events/1/register/?of=players";
  assert.equal(keyAt("7", `${address}&back=%2Fadmin%2F&sort=name&_changelist_filters=q`), keyAt("7", address));
  assert.notEqual(keyAt("7", address), keyAt("7", "/admin/events/1/register/"));
});

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
});

test("a logout removes the records of all accounts, and other tabs see it", context => {
  const storage = emptyStorage(context);
  storage.setItem("results:7:3:5:a-b", "{}");
  store(ANNA, {at: 0, fields: {name: NAME}});
  store(BEN, {at: 0, fields: {name: NAME}});
  const before = lastLogout();
  removeAll();
  assert.notEqual(lastLogout(), before);
  assert.deepEqual(Object.keys(storage), ["results:7:3:5:a-b", "typed-logout"]);
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
  removeAll();
  assert.equal(lastLogout(), "");
  assert.deepEqual(recordOf(ANNA), {at: 0, fields: {}});
  replaceGlobal(context, "localStorage", {setItem() { throw new DOMException("full", "QuotaExceededError"); }});
  store(ANNA, {at: 5, fields: {name: NAME}});
});
