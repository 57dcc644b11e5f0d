import assert from "node:assert/strict";
import {test} from "node:test";

import {faultOf, numbersOf, orderOf, orderWithout} from "../../../static/js/lineups/orders.js";

test("a key stands for an order that is known", () => {
  assert.equal(orderOf("l", {roster: "123", last: "132", sent: ""}), "132");
});

test("a key for an order that is not known, or no key of ours, stands for none", () => {
  const orders = {roster: "123", last: "", sent: ""};
  assert.equal(orderOf("s", orders), null);
  assert.equal(orderOf("1", orders), null);
});

test("digits seat players one by one, a dash nobody", () => {
  assert.deepEqual(numbersOf("31-", true), ["3", "1", ""]);
});

test("from ten players on blanks part the numbers", () => {
  assert.deepEqual(numbersOf("12 1", false), ["12", "1"]);
  assert.deepEqual(numbersOf("12", false), ["12"]);
});

test("nobody sits twice, or above one who is listed earlier where the order is fixed", () => {
  assert.equal(faultOf(["1", "1"], false), "twice");
  assert.equal(faultOf(["1", "3", "2"], true), "order");
  assert.equal(faultOf(["1", "3", "2"], false), "");
  assert.equal(faultOf(["2", "", "10"], true), "");
});

test("the next players of the roster replace absent players", () => {
  const present = ["1", "3", "4", "5"];
  assert.equal(orderWithout(["1", "2", "3"], present, 3, true), "134");
  assert.equal(orderWithout(["3", "2", "1"], present, 3, true), "314");
  assert.equal(orderWithout(["", "2", "4"], present, 3, true), "-45");
  assert.equal(orderWithout(["1", "2", ""], present, 3, true), "13-");
  assert.equal(orderWithout(["1", "2", "5"], present, 3, true), "153");
});

test("an empty line-up gets the first present players, and a board without a player has a dash", () => {
  assert.equal(orderWithout([], ["1", "3", "4", "5"], 3, true), "134");
  assert.equal(orderWithout([], ["1", "12"], 3, false), "1 12 -");
});
