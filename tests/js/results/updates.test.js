import assert from "node:assert/strict";
import {test} from "node:test";

import {Updates, changesOf} from "../../../static/js/results/updates.js";
import {replaceGlobal} from "../browser.js";

const rowOf = (line, version, typing) => ({dataset: {line, version: String(version), typing}});

test("a line with another version has changed", () => {
  const rows = new Map([["a", rowOf("a", 1)], ["b", rowOf("b", 2)]]);
  const changes = changesOf({a: ["1 - 0", "1"], b: ["0 - 1", "3"]}, rows, () => undefined);
  assert.deepEqual(changes, [{row: rows.get("b"), text: "0 - 1", version: "3", note: undefined}]);
});

test("a line that is not on the page, or has an entry of its own, is left", () => {
  const rows = new Map([["a", rowOf("a", 1)]]);
  assert.deepEqual(changesOf({a: ["1 - 0", 2], z: ["0 - 1", 3]}, rows, line => line === "a"), []);
});

/** A results screen whose server answers every poll alike. */
function screenOf(context, answer, {rows = [], waiting = [], isSending = false, visibilityState = "visible"} = {}) {
  context.mock.timers.enable({apis: ["setInterval"]});
  const changed = {hidden: true};
  const form = {dataset: {news: "/news/?totals=1", revision: "8", shape: "s"}};
  const screen = {asked: [], changed, shown: [], polls: 0, form};
  replaceGlobal(context, "document", {
    visibilityState, cookie: "", addEventListener() {}, querySelector: () => changed,
  });
  replaceGlobal(context, "location", {href: "https://crosstable.example/desk/"});
  replaceGlobal(context, "fetch", async address => {
    screen.asked.push(String(address));
    if (answer instanceof Error) throw answer;
    return {ok: true, status: answer ? 200 : 204, headers: new Headers(), json: async () => answer};
  });
  screen.queue = {waiting, isSending, problem: "", adopt() {}, last: () => undefined};
  const byLine = new Map(rows.map(row => [row.dataset.line, row]));
  const showFromOthers = (row, text, version) => screen.shown.push([row, text, version]);
  screen.updates = new Updates({
    form: screen.form, queue: screen.queue, rows: {byLine, showFromOthers}, onPoll: () => { screen.polls += 1; }, onSent: () => {},
  });
  return screen;
}

test("it asks every five seconds for what is newer than the page", async context => {
  const screen = screenOf(context, null);
  context.mock.timers.tick(10_000);
  await new Promise(resolve => setImmediate(resolve));
  assert.deepEqual(screen.asked, Array(2).fill("https://crosstable.example/news/?totals=1&revision=8"));
  assert.equal(screen.polls, 2);
});

test("it does not ask while the page is hidden, or entries wait or are being sent", async context => {
  for (const state of [{visibilityState: "hidden"}, {waiting: [{}]}, {isSending: true}]) {
    const screen = screenOf(context, null, state);
    await screen.updates.poll();
    assert.deepEqual(screen.asked, []);
    context.mock.timers.reset();
  }
});

test("what others typed is shown, and the next poll asks for what is newer", async context => {
  const row = rowOf("a", 1);
  const answer = {revision: 9, lines: {a: ["1 - 0", 2]}, shape: "s", needs: "standing"};
  const screen = screenOf(context, answer, {rows: [row]});
  await screen.updates.poll();
  assert.deepEqual(screen.shown, [[row, "1 - 0", 2]]);
  assert.deepEqual([screen.form.dataset.revision, screen.form.dataset.needs], [9, "standing"]);
  assert.ok(screen.changed.hidden);
});

test("a line that is being typed is left, and asked for again", async context => {
  const answer = {revision: 9, lines: {a: ["1 - 0", 2]}, shape: "s", needs: ""};
  const screen = screenOf(context, answer, {rows: [rowOf("a", 1, "yes")]});
  await screen.updates.poll();
  assert.deepEqual(screen.shown, []);
  assert.equal(screen.form.dataset.revision, "8");
});

test("other pairings or seats are told of", async context => {
  const screen = screenOf(context, {revision: 9, lines: {}, shape: "t", needs: ""});
  await screen.updates.poll();
  assert.equal(screen.changed.hidden, false);
});

test("a lost connection is a problem of the queue", async context => {
  const screen = screenOf(context, new TypeError("no connection"));
  await screen.updates.poll();
  assert.equal(screen.queue.problem, "lost");
  assert.equal(screen.polls, 1);
});

test("where nothing is sent by players, as at the door, news are no lost connection", async context => {
  const screen = screenOf(context, {revision: "9", lines: {}, shape: "s", needs: ""});
  delete screen.updates.onSent;
  await screen.updates.poll();
  assert.equal(screen.queue.problem, "");
  assert.equal(screen.form.dataset.revision, "9");
});
