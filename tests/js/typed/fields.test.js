import assert from "node:assert/strict";
import {test} from "node:test";

import {takeRejected, updateFields} from "../../../static/js/typed/fields.js";

const form = {querySelector: () => null};

function controls(values) {
  return new Map(Object.entries(values).map(([name, [value, defaultValue]]) => {
    const field = {name, value, defaultValue, form, parentElement: form, closest: () => null, getAttribute: () => name};
    return [name, [field]];
  }));
}

const stored = (value, sent = "") => ({value, base: "", version: " ", label: "club", sent});
const page = (names = {}) => ({own: new Set(), offered: new Map(), rejected: new Set(), sent: "", ...names});

test("changed fields are stored, and removed when they are changed back", () => {
  const [fields, names] = [{}, page()];
  updateFields(fields, controls({club: ["Damlust", ""], city: ["Gouda", "Gouda"]}), names);
  assert.deepEqual(fields, {club: stored("Damlust")});
  updateFields(fields, controls({club: ["", ""], city: ["Gouda", "Gouda"]}), names);
  assert.deepEqual(fields, {});
});

test("fields that another tab has stored stay, also after this tab has stored and removed them", () => {
  const names = page();
  const fields = {club: stored("Damlust")};
  updateFields(fields, controls({club: ["", ""]}), names);
  assert.deepEqual(fields, {club: stored("Damlust")});
  updateFields(fields, controls({club: ["Dam", ""]}), names);
  updateFields(fields, controls({club: ["", ""]}), names);
  assert.deepEqual(fields, {});
  fields.club = stored("Damlust");
  updateFields(fields, controls({club: ["", ""]}), names);
  assert.deepEqual(fields, {club: stored("Damlust")});
});

test("a field of an earlier visit comes back when the input over it is removed", () => {
  const fields = {club: stored("Damlust")};
  const names = page({offered: new Map([["club", stored("Damlust")]])});
  updateFields(fields, controls({club: ["Dam", ""]}), names);
  assert.deepEqual(fields, {club: stored("Dam")});
  updateFields(fields, controls({club: ["", ""]}), names);
  assert.deepEqual(fields, {club: stored("Damlust")});
});

test("a rejected field stays stored, and keeps its id until it is changed", () => {
  const fields = {rating: stored("much", "a")};
  const names = page({rejected: new Set(["rating"])});
  updateFields(fields, controls({rating: ["much", "much"]}), names);
  assert.equal(fields.rating.sent, "a");
  updateFields(fields, controls({rating: ["1900", "much"]}), names);
  assert.deepEqual([fields.rating.value, fields.rating.base, fields.rating.sent], ["1900", "", ""]);
});

test("fields that a refused form does not show again were saved", () => {
  const fields = {"n1-name": stored("Eva", "a"), "n2-rating": stored("much", "a"), "n3-name": stored("Fay", "b")};
  assert.deepEqual(takeRejected(fields, controls({"n2-rating": ["much", "much"]}), ["a"]), ["n2-rating"]);
  assert.deepEqual(Object.keys(fields), ["n2-rating", "n3-name"]);
});

test("a page without the form rejects and removes no fields", () => {
  const fields = {"n1-name": stored("Eva", "a")};
  assert.deepEqual(takeRejected(fields, controls({other: ["", ""]}), ["a"]), []);
  assert.deepEqual(Object.keys(fields), ["n1-name"]);
});
