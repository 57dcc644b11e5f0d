import assert from "node:assert/strict";
import {test} from "node:test";

import {followedIn, GROUPS, groupsIn, numbersIn, parse, read, slugOf, subscribe, toggle} from "../../static/js/follow.js";
import {emptyStorage, forbiddenStorage, replaceGlobal} from "./browser.js";

const FOX = {number: 12, name: "Fox"};

test("the slug of an event is found in every language, and nowhere else", () => {
  assert.equal(slugOf("/nl/events/two-teams/rounds/1/"), "two-teams");
  assert.equal(slugOf("/criteria/"), "");
});

test("who is followed is kept by event, and taken off again", context => {
  emptyStorage(context);
  let told = 0;
  subscribe(() => { told += 1; });
  assert.equal(toggle("cup", FOX), "kept");
  assert.deepEqual(read(), {cup: [FOX]});
  assert.deepEqual(followedIn("cup"), new Set([12]));
  assert.equal(toggle("cup", FOX), "kept");
  assert.deepEqual(read(), {});
  assert.equal(told, 2);
});

test("text that is not ours is nobody followed", () => {
  for (const text of ["", "[1]", "null", "{", '{"cup": 3}', '{"cup": [{"number": "x", "name": "Fox"}]}']) {
    assert.deepEqual(parse(text), {});
  }
});

test("thirty may be followed, and one of them may always be taken off", context => {
  emptyStorage(context);
  for (let number = 1; number <= 30; number += 1) assert.equal(toggle("cup", {number, name: "x"}), "kept");
  assert.equal(toggle("other", FOX), "many");
  assert.equal(toggle("cup", {number: 1, name: "x"}), "kept");
});

test("a group is followed in all events, independent of competitors", context => {
  emptyStorage(context);
  toggle("cup", FOX);
  assert.equal(toggle(GROUPS, {group: "federation:NED", name: "Netherlands"}), "kept");
  assert.equal(toggle(GROUPS, {group: "club:foxes", name: "Foxes"}), "kept");
  assert.equal(toggle(GROUPS, {group: "federation:NED", name: "Netherlands"}), "kept");
  assert.deepEqual(read(), {cup: [FOX], [GROUPS]: [{group: "club:foxes", name: "Foxes"}]});
  assert.deepEqual(parse('{"*": [{"group": 3, "name": "x"}]}'), {});
});

test("the groups of an event are requested once, and an error is no group", async context => {
  const requested = [];
  replaceGlobal(context, "fetch", async address => {
    requested.push(address);
    return {ok: address.includes("cup"), json: async () => ({"club:foxes": {name: "Foxes", numbers: [3]}})};
  });
  for (let at = 0; at < 2; at += 1) {
    assert.deepEqual((await groupsIn("cup", "/nl/events/-slug-/followed/"))["club:foxes"].numbers, [3]);
  }
  assert.deepEqual(await groupsIn("gone", "/events/-slug-/followed/"), {});
  assert.deepEqual(requested, ["/nl/events/cup/followed/", "/events/gone/followed/"]);
});

test("a full storage loses nobody who was followed before", context => {
  const full = {"crosstable.followed": JSON.stringify({cup: [FOX]}), setItem() { throw new DOMException("", "QuotaExceededError"); }};
  replaceGlobal(context, "localStorage", full);
  assert.equal(toggle("cup", {number: 3, name: "Bo"}), "unkept");
  assert.deepEqual(followedIn("cup"), new Set([12, 3]));
  toggle("cup", {number: 3, name: "Bo"});
  emptyStorage(context);
  toggle("cup", FOX);
});

test("a row is about its competitor, a pairing about both sides", () => {
  const linkTo = address => ({getAttribute: () => address});
  const pairing = {dataset: {}, querySelectorAll: () => [linkTo("/events/cup/competitors/3/"), linkTo("../competitors/40/")]};
  assert.deepEqual(numbersIn({dataset: {number: "12"}}), [12]);
  assert.deepEqual(numbersIn(pairing), [3, 40]);
});

test("a browser that keeps nothing follows as long as the page lasts", context => {
  forbiddenStorage(context);
  assert.equal(toggle("cup", FOX), "unkept");
  assert.deepEqual(followedIn("cup"), new Set([12]));
  assert.equal(toggle("cup", FOX), "unkept");
});
