import assert from "node:assert/strict";
import {test} from "node:test";

import {choose, partsOf, spread} from "../../static/js/charts.js";

/** Return a part of a picture, with as much of a class list as the script uses. */
function part(number, kind, ...classes) {
  const has = new Set(classes);
  return {
    dataset: {number},
    classList: {contains: name => has.has(name), toggle: (name, on) => (on ? has.add(name) : has.delete(name))},
    matches: selector => selector === kind,
    parentNode: {appended: [], append(child) { this.appended.push(child); }},
  };
}

const figureOf = parts => ({querySelectorAll: () => parts});
const chosenIn = parts => parts.filter(each => each.classList.contains("chosen")).map(each => each.dataset.number);

test("parts are found by the number of their competitor", () => {
  const [line, name, other] = [part("12", "g"), part("12", "a"), part("3", "g")];
  assert.deepEqual([...partsOf(figureOf([line, name, other]))], [["12", [line, name]], ["3", [other]]]);
});

test("one is chosen instead of another, and drawn on top of it", () => {
  const parts = [part("1", "g", "chosen"), part("12", "g"), part("12", "a")];
  assert.equal(choose(figureOf(parts), "12"), false);
  assert.deepEqual(chosenIn(parts), ["12", "12"]);
  assert.deepEqual(parts.map(each => each.parentNode.appended.length), [0, 1, 0]);
});

test("who is chosen already stays so, and is told", () => {
  const parts = [part("1", "g", "chosen"), part("1", "a", "chosen")];
  assert.equal(choose(figureOf(parts), "1"), true);
  assert.deepEqual(chosenIn(parts), ["1", "1"]);
});

test("names are at least as far apart as required, and not below the lines", () => {
  assert.deepEqual(spread([0, 3, 100], 15, 346), [0, 15, 100]);
  assert.deepEqual(spread([340, 342, 344], 15, 346), [316, 331, 346]);
});

test("who is not in a picture takes nobody's highlight", () => {
  const parts = [part("1", "g", "chosen")];
  assert.equal(choose(figureOf(parts), "99"), false);
  assert.deepEqual(chosenIn(parts), ["1"]);
});
