import assert from "node:assert/strict";
import {test} from "node:test";

import {cellsOf, isBlock, stepOf} from "../../../static/js/register/cells.js";

const INSIDE = {shift: false, isWhole: false, atStart: false, atEnd: false};

test("arrows and Enter go from row to row", () => {
  assert.deepEqual(stepOf("ArrowDown", INSIDE), {rows: 1, columns: 0});
  assert.deepEqual(stepOf("Enter", INSIDE), {rows: 1, columns: 0});
  assert.deepEqual(stepOf("Enter", {...INSIDE, shift: true}), {rows: -1, columns: 0});
  assert.deepEqual(stepOf("ArrowUp", INSIDE), {rows: -1, columns: 0});
});

test("arrows to the sides leave a cell at its edges only", () => {
  assert.equal(stepOf("ArrowLeft", INSIDE), null);
  assert.deepEqual(stepOf("ArrowLeft", {...INSIDE, atStart: true}), {rows: 0, columns: -1});
  assert.deepEqual(stepOf("ArrowRight", {...INSIDE, isWhole: true}), {rows: 0, columns: 1});
  assert.equal(stepOf("ArrowRight", {...INSIDE, atEnd: true, shift: true}), null);
  assert.equal(stepOf("a", {...INSIDE, isWhole: true}), null);
});

test("a block is cells in rows", () => {
  assert.deepEqual(cellsOf("Ann\t2100\r\nBea\t\r\n"), [["Ann", "2100"], ["Bea", ""]]);
  assert.deepEqual(cellsOf('"De ""Wit""\n jr"\tx'), [['De "Wit"  jr', "x"]]);
  assert.deepEqual(cellsOf('Jan "de Beer"\t1'), [['Jan "de Beer"', "1"]]);
});

test("a text of one cell is no block", () => {
  assert.ok(!isBlock("Bierema, B.\n"));
  assert.ok(isBlock("a\tb"));
  assert.ok(isBlock("a\r\nb"));
});
