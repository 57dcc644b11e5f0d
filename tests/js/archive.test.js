import assert from "node:assert/strict";
import {test} from "node:test";

import "../../static/js/archive.js";

const {compare, fold, hitsIn, keyOf, ledOn, sortedBy} = globalThis.archive;

const cell = (textContent, value) => ({textContent, dataset: value === undefined ? {} : {value}});

test("a figure sorts as a number, halves and signs with it", () => {
  assert.deepEqual(["12", "3½", "½", "−1½", "+2.40", "0,5"].map(text => keyOf(cell(text))), [12, 3.5, 0.5, -1.5, 2.4, 0.5]);
});

test("the value for machines goes before what is shown", () => {
  assert.equal(keyOf(cell("1 234,5", "1234.5")), 1234.5);
});

test("words sort as words, and a blank cell as nothing", () => {
  assert.equal(keyOf(cell(" Reds ")), "Reds");
  assert.equal(keyOf(cell("")), "");
  assert.equal(keyOf(undefined), "");
});

test("blank ones are last either way", () => {
  for (const sign of [1, -1]) {
    assert.ok(compare("", 3, sign) > 0);
    assert.ok(compare("Reds", "", sign) < 0);
    assert.equal(compare("", "", sign), 0);
  }
});

test("who is level stays in the table's own order", () => {
  const keys = new Map([["a", 2], ["b", 3], ["c", 2], ["d", ""]]);
  assert.deepEqual(sortedBy([...keys.keys()], keys, 1), ["a", "c", "b", "d"]);
  assert.deepEqual(sortedBy([...keys.keys()], keys, -1), ["b", "a", "c", "d"]);
});

test("words are folded as the site folds those of events", () => {
  assert.deepEqual(fold("CÚP Łódź, Ørsted"), ["cup", "lodz", "orsted"]);
  assert.deepEqual(fold("Đoković O’Kelly d'Or Weiß İzmir"), ["dokovic", "okelly", "dor", "weiss", "izmir"]);
  assert.deepEqual(fold("Петров ΣΟΦΟΣ (1990)"), ["петров", "σοφοσ", "1990"]);
  assert.deepEqual(fold(" - "), []);
});

const EVENTS = [
  {slug: "cup", name: "Cup", folded: "cup wien 1990", keys: ["chess"]},
  {slug: "open", name: "Open", folded: "open riga 1991", keys: ["draughts"]},
];
const NAMES = [[1, "Müller, Ann", 2, "Reds"], [1, "Muller, Bea"]];

test("names are found by how their parts begin", () => {
  const numbers = (...asked) => hitsIn(NAMES, asked, [""], EVENTS).map(hit => `${hit.event.slug} ${hit.number}`);
  assert.deepEqual(numbers("mul"), ["cup 1", "open 1"]);
  assert.deepEqual(numbers("mul", "an"), ["cup 1"]);
  assert.deepEqual(numbers("uller"), []);
});

test("the other words may be of the event, but one is of the name", () => {
  const names = (...asked) => hitsIn(NAMES, asked, [""], EVENTS).map(hit => hit.name);
  assert.deepEqual(names("muller", "riga"), ["Muller, Bea"]);
  assert.deepEqual(names("riga"), []);
});

test("names of events that are filtered out are no hits", () => {
  assert.deepEqual(hitsIn(NAMES, ["mul"], ["draughts"], EVENTS).map(hit => hit.name), ["Muller, Bea"]);
});

test("no more than twenty hits", () => {
  const many = [Array.from({length: 60}, (_, at) => (at % 2 ? "Ann" : at))];
  assert.equal(hitsIn(many, ["ann"], [""], EVENTS).length, 20);
});

test("matches and explanations lead to their place", () => {
  assert.equal(ledOn("/x/events/cup/rounds/3/5/"), "/x/events/cup/rounds/3/index.html#m5");
  assert.equal(ledOn("/events/cup/rounds/3/5/index.html"), "/events/cup/rounds/3/index.html#m5");
  assert.equal(ledOn("/events/cup/competitors/4/dsb/"), "/events/cup/competitors/4/index.html#dsb");
});

test("a path that an archive lacks leads nowhere else", () => {
  for (const path of ["/events/cup/rounds/3/", "/events/cup/competitors/4/", "/nowhere/", "/"]) assert.equal(ledOn(path), path);
});
