import assert from "node:assert/strict";
import {test} from "node:test";

import {addressOf, hitsIn, similarIn} from "../../static/js/tools.js";

test("rows that have every word are found, names that begin with it first", () => {
  const names = ["Van Dijk, Jan", "Abdijk, Jan", "Dijkstra, Åke", "Fox"];
  assert.deepEqual(hitsIn(names, "dijk"), [0, 2, 1]);
  assert.deepEqual(hitsIn(names, "dijk jan"), [0, 1]);
  assert.deepEqual(hitsIn(names, "ake"), [2]);
  assert.deepEqual(hitsIn(names, "  "), []);
});

test("a name with exactly these words comes first", () => {
  const names = ["Dekker-Sørensen, Julia\nNED", "Sørensen, Juliana\nNED", "Sørensen, Julia\nNED"];
  assert.deepEqual(hitsIn(names, "Julia Sørensen"), [2, 0, 1]);
});

test("names are found in any order, in another script, and with a wrong letter in each word", () => {
  const names = ["Карлсен, Магнус", "Chizhov, Aleksej", "Fox"];
  assert.deepEqual([hitsIn(names, "magnus karlsen"), hitsIn(names, "Чижов")], [[0], [1]]);
  assert.deepEqual([hitsIn(names, "carlsen magnos"), similarIn(names, "carlsen magnos")], [[], [0]]);
  assert.deepEqual([similarIn(names, "chizov alek"), similarIn(names, "fax"), similarIn(names, " ")], [[1], [], []]);
});

test("the address of a view names its row, once", () => {
  assert.equal(addressOf("/standings/?sort=name#c3", "c12"), "/standings/?sort=name#c12");
  assert.equal(addressOf("/standings/", ""), "/standings/");
});
