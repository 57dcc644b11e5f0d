import assert from "node:assert/strict";
import {test} from "node:test";

import {commandOf} from "../../../static/js/results/keys.js";

const LINE = {
  isTyping: false,
  isBlocked: false,
  hasOpponent: true,
  results: {1: "1 - 0", "=": "½ - ½", w: "1 - 0", "-": "- +"},
  beginnings: "+-01½",
};
const TYPING = {...LINE, isTyping: true};
const CONFLICT = {...LINE, isBlocked: true};
const BYE = {...LINE, hasOpponent: false, results: {g: "bye"}};

test("one key is a result, in either case", () => {
  assert.deepEqual(commandOf("=", LINE), {command: "enter", text: "½ - ½"});
  assert.deepEqual(commandOf("W", LINE), {command: "enter", text: "1 - 0"});
});

test("a key that stands for a result goes before one that begins a result", () => {
  assert.deepEqual(commandOf("-", LINE), {command: "enter", text: "- +"});
  assert.deepEqual(commandOf("+", LINE), {command: "open", text: "+"});
});

test("a key that is no result is refused, with its name", () => {
  assert.deepEqual(commandOf("q", LINE), {command: "refuse", message: "no_key", key: "q"});
});

test("Delete and Backspace clear, Enter opens the field", () => {
  assert.deepEqual(commandOf("Delete", LINE), {command: "clear"});
  assert.deepEqual(commandOf("Backspace", LINE), {command: "clear"});
  assert.deepEqual(commandOf("Enter", LINE), {command: "open"});
});

test("the space bar does not scroll the page", () => {
  assert.deepEqual(commandOf(" ", LINE), {command: "ignore"});
});

test("g asks for the games where somebody plays, and is a result elsewhere", () => {
  assert.deepEqual(commandOf("g", LINE), {command: "countGames"});
  assert.deepEqual(commandOf("g", BYE), {command: "enter", text: "bye"});
});

test("other keys are the browser's", () => {
  for (const line of [LINE, TYPING, CONFLICT]) {
    for (const key of ["Tab", "Shift", "F5", "PageDown"]) assert.equal(commandOf(key, line), null, key);
  }
});

test("arrows, note, undo and help work on every line but one that is being typed", () => {
  for (const line of [LINE, CONFLICT, BYE]) {
    assert.deepEqual(commandOf("ArrowDown", line), {command: "move", step: 1});
    assert.deepEqual(commandOf("ArrowUp", line), {command: "move", step: -1});
    assert.deepEqual(commandOf("n", line), {command: "annotate"});
    assert.deepEqual(commandOf("U", line), {command: "undo"});
    assert.deepEqual(commandOf("?", line), {command: "showKeys"});
  }
});

test("a result that is being typed takes every sign", () => {
  for (const key of ["1", "?", "n", "u", " ", "Delete"]) assert.equal(commandOf(key, TYPING), null, key);
});

test("a typed result is finished by Enter and the arrows, and abandoned by Escape", () => {
  assert.deepEqual(commandOf("Enter", TYPING), {command: "finish", step: 1});
  assert.deepEqual(commandOf("ArrowDown", TYPING), {command: "finish", step: 1});
  assert.deepEqual(commandOf("ArrowUp", TYPING), {command: "finish", step: -1});
  assert.deepEqual(commandOf("Escape", TYPING), {command: "abandon"});
});

test("a conflict is settled by k or m", () => {
  assert.deepEqual(commandOf("k", CONFLICT), {command: "choose", mine: false});
  assert.deepEqual(commandOf("M", CONFLICT), {command: "choose", mine: true});
});

test("nothing is typed over a conflict", () => {
  for (const key of ["1", "x", " ", "Enter", "Delete", "Backspace"]) {
    assert.deepEqual(commandOf(key, CONFLICT), {command: "refuse", message: "choose_first"}, key);
  }
});

test("what players sent is taken by a key, and all that agree by another", () => {
  const line = {...LINE, takesSent: true, sent: "½ - ½"};
  assert.deepEqual(commandOf("t", line), {command: "enter", text: "½ - ½"});
  assert.deepEqual(commandOf("a", line), {command: "takeAll"});
  assert.equal(commandOf("t", {...line, sent: ""}).command, "refuse");
  assert.equal(commandOf("a", LINE).command, "refuse");
});
