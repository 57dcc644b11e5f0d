import assert from "node:assert/strict";
import {test} from "node:test";

import {halfPointsOf, matchScore, pointsText, showScores, withoutGames} from "../../../static/js/results/scores.js";

const WIN = 4; // half-points, where a win is two points

test("a score is read in half-points", () => {
  assert.deepEqual(halfPointsOf("2 - 0", WIN), [4, 0]);
  assert.deepEqual(halfPointsOf("½ - ½", 2), [1, 1]);
  assert.deepEqual(halfPointsOf("1½ - 2½", WIN), [3, 5]);
  assert.deepEqual(halfPointsOf("12 - 0", 24), [24, 0]);
});

test("a forfeit gives what a win gives", () => {
  assert.deepEqual(halfPointsOf("+ -", WIN), [4, 0]);
  assert.deepEqual(halfPointsOf("- +", WIN), [0, 4]);
  assert.deepEqual(halfPointsOf("- -", WIN), [0, 0]);
});

test("the games of a micro-match do not count", () => {
  assert.deepEqual(halfPointsOf("1½ - ½ g2", 2), [3, 1]);
  assert.equal(withoutGames("1½ - ½ g12"), "1½ - ½");
  assert.equal(withoutGames("2 - 0"), "2 - 0");
});

test("a result without a score has no half-points", () => {
  for (const text of ["", "?", "bye", "3"]) assert.equal(halfPointsOf(text, WIN), null, text);
});

test("half-points are written as points", () => {
  assert.deepEqual([0, 1, 2, 5].map(pointsText), ["0", "½", "1", "2½"]);
});

test("the score of a match is the sum of its boards", () => {
  assert.equal(matchScore(["1 - 0", "½ - ½", "", "- +", "?"], 2), "1½ : 1½");
  assert.equal(matchScore(["0 - 0"], 2), "0 : 0");
});

test("a match without results has no score", () => {
  assert.equal(matchScore(["", "?"], 2), "");
});

test("every match of a form shows its score", () => {
  const matchOf = texts => {
    const sum = {textContent: "before"};
    return {sum, querySelector: () => sum, querySelectorAll: () => texts.map(text => ({text}))};
  };
  const matches = [matchOf(["2 - 0", "1 - 1"]), matchOf([""])];
  showScores({querySelectorAll: () => matches, dataset: {win: "4"}}, row => row.text);
  assert.deepEqual(matches.map(match => match.sum.textContent), ["3 : 1", ""]);
});
