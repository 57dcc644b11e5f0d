import assert from "node:assert/strict";
import {test} from "node:test";

import {AttendanceRows} from "../../../static/js/attendance/rows.js";
import {replaceGlobal} from "../browser.js";

/** The lines of a door, from their data, with what waits in the queue by line. */
function rowsOf(context, lines, waiting = {}) {
  replaceGlobal(context, "document", {querySelector: () => null});
  const elements = lines.map(dataset => ({dataset}));
  const queue = {last: line => waiting[line]};
  const messages = {text: name => `<${name}>`};
  return new AttendanceRows({form: {querySelectorAll: () => elements}, queue, messages, onChoice() {}});
}

test("a mark names the competitor and the version that was seen", context => {
  const rows = rowsOf(context, [{line: "7", text: "", version: "3.abc"}]);
  assert.deepEqual(rows.entryOf(rows.rows[0], "late"), {competitor: 7, text: "late", seen: "3.abc"});
});

test("what waits to be sent is counted", context => {
  const rows = rowsOf(context, [{line: "1", text: "present"}, {line: "2", text: ""}, {line: "3", text: ""}],
    {2: {text: "absent"}});
  assert.deepEqual(rows.counts(), {"": 1, present: 1, late: 0, absent: 1});
});

test("a conflict names both marks in words", context => {
  const rows = rowsOf(context, []);
  const outcome = {at: "", by: "Anna", text: "absent", mine: ""};
  assert.deepEqual(rows.conflictValues({outcome}), {at: "", by: "Anna", theirs: "<absent>", mine: "<nothing>"});
});
