import assert from "node:assert/strict";
import {test} from "node:test";

import {EntryQueue, pauseAfter} from "../../../static/js/results/queue.js";
import {emptyStorage, forbiddenStorage, replaceGlobal} from "../browser.js";

const PLACE = {event: "7", round: "3", account: 5};
const TYPED = {pairing: 11, board: null, text: "1 - 0", seen: 2, reason: ""};

/** A queue, and a server that answers a request when it is told to. */
class Desk {
  constructor(context) {
    this.requests = []; // the entries of each
    this.answers = []; // what the queue said of each entry that was answered
    this.pauses = [];
    this.retry = () => {};
    replaceGlobal(context, "document", {cookie: ""});
    replaceGlobal(context, "fetch", (address, options) => this.receive(options));
    replaceGlobal(context, "setTimeout", (act, pause) => { this.retry = act; this.pauses.push(pause); });
    replaceGlobal(context, "clearTimeout", () => {});
    this.queue = new EntryQueue({
      address: "/entries/",
      place: PLACE,
      onAnswer: (entry, outcome, following) => this.answers.push({entry, outcome, following}),
      onChange: () => {},
    });
  }

  receive({body}) {
    this.requests.push(JSON.parse(body).entries);
    return new Promise((resolve, reject) => Object.assign(this, {resolve, reject}));
  }

  /** Answer the last request with an outcome for each of its entries. */
  async answer(...outcomes) {
    const ids = this.requests.at(-1).map(entry => entry.id);
    const found = outcomes.map((outcome, at) => ({id: ids[at], ...outcome}));
    this.resolve({ok: true, status: 200, headers: new Headers(), json: async () => ({outcomes: found})});
    await settled();
  }

  async refuse(status, headers = {}) {
    this.resolve({ok: false, status, headers: new Headers(headers)});
    await settled();
  }

  async lose() {
    this.reject(new TypeError("no connection"));
    await settled();
  }
}

/** Wait until everything has happened that was waiting for an answer. */
function settled() {
  return new Promise(resolve => setImmediate(resolve));
}

test("an entry is stored until it is saved", async context => {
  const storage = emptyStorage(context);
  const desk = new Desk(context);
  const entry = desk.queue.add("g1", TYPED);
  assert.deepEqual(Object.keys(storage), [`results:7:3:5:${entry.id}`]);
  assert.deepEqual(desk.requests, [[{id: entry.id, ...TYPED, reason: ""}]]);
  await desk.answer({state: "saved", text: "1 - 0", version: 3});
  assert.deepEqual(Object.keys(storage), []);
  assert.deepEqual(desk.queue.inOrder(), []);
  assert.equal(desk.answers[0].outcome.version, 3);
});

test("entries go in the order in which they were typed, one request at a time", async context => {
  emptyStorage(context);
  const desk = new Desk(context);
  for (const line of ["g1", "g2", "g3"]) desk.queue.add(line, {...TYPED, text: line});
  assert.deepEqual(desk.requests.map(entries => entries.map(entry => entry.text)), [["g1"]]);
  await desk.answer({state: "saved", version: 3});
  desk.retry();
  assert.deepEqual(desk.requests[1].map(entry => entry.text), ["g2", "g3"]);
});

test("no more than twenty entries go at once", context => {
  emptyStorage(context);
  const desk = new Desk(context);
  desk.queue.isSending = true;
  for (let line = 0; line < 150; line += 1) desk.queue.add(`g${line}`, TYPED);
  assert.equal(desk.queue.batch().length, 20);
});

test("the second entry of a line waits for the first, and takes its version", async context => {
  emptyStorage(context);
  const desk = new Desk(context);
  desk.queue.add("g1", TYPED);
  desk.queue.add("g1", {...TYPED, text: "0 - 1"});
  assert.deepEqual(desk.queue.batch().map(entry => entry.text), ["1 - 0"]);
  await desk.answer({state: "saved", version: 3});
  desk.retry();
  assert.deepEqual(desk.requests[1].map(({text, seen}) => [text, seen]), [["0 - 1", 3]]);
});

test("the second entry of a line keeps its version where the first was refused", async context => {
  emptyStorage(context);
  const desk = new Desk(context);
  desk.queue.add("g1", TYPED);
  desk.queue.add("g1", {...TYPED, text: "0 - 1"});
  await desk.answer({state: "refused", message: "No."});
  assert.deepEqual(desk.queue.inOrder().map(({text, seen}) => [text, seen]), [["0 - 1", 2]]);
});

test("the second entry of a line takes over the conflict of the first", async context => {
  emptyStorage(context);
  const desk = new Desk(context);
  desk.queue.add("g1", TYPED);
  desk.queue.add("g1", {...TYPED, text: "0 - 1"});
  await desk.answer({state: "conflict", text: "½ - ½", mine: "1 - 0", version: 4});
  const [entry] = desk.queue.undecided;
  assert.deepEqual([entry.text, entry.outcome.mine, entry.outcome.text], ["0 - 1", "0 - 1", "½ - ½"]);
  assert.equal(desk.answers[0].following, entry);
  assert.deepEqual(desk.queue.waiting, []);
});

test("a conflict about the same result is none", async context => {
  emptyStorage(context);
  const desk = new Desk(context);
  desk.queue.add("g1", TYPED);
  await desk.answer({state: "conflict", agrees: true, text: "1 - 0", version: 4});
  assert.deepEqual(desk.queue.inOrder(), []);
});

test("what is refused or in conflict stays, and is not sent again", async context => {
  const storage = emptyStorage(context);
  const desk = new Desk(context);
  const entry = desk.queue.add("g1", TYPED);
  await desk.answer({state: "refused", message: "No."});
  assert.deepEqual(desk.queue.undecided, [entry]);
  assert.deepEqual(desk.queue.batch(), []);
  assert.equal(JSON.parse(Object.values(storage)[0]).outcome.message, "No.");
});

test("what is typed over an undecided entry takes its place", async context => {
  emptyStorage(context);
  const desk = new Desk(context);
  desk.queue.add("g1", TYPED);
  await desk.answer({state: "refused", message: "No."});
  desk.queue.add("g1", {...TYPED, text: "0 - 1"});
  assert.deepEqual(desk.queue.inOrder().map(entry => [entry.text, entry.after]), [["0 - 1", ""]]);
});

test("without a connection the same entries go again, after longer and longer pauses", async context => {
  emptyStorage(context);
  const desk = new Desk(context);
  desk.queue.add("g1", TYPED);
  for (let failure = 0; failure < 5; failure += 1) {
    await desk.lose();
    assert.equal(desk.queue.problem, "lost");
    desk.retry();
  }
  assert.deepEqual(desk.pauses, [500, 1000, 2000, 3000, 3000]);
  assert.equal(new Set(desk.requests.map(entries => entries[0].id)).size, 1);
  await desk.answer({state: "saved", version: 3});
  assert.equal(desk.queue.problem, "");
  assert.equal(desk.pauses.at(-1), 0);
});

test("an answer that takes nothing in names the problem and keeps the entries", async context => {
  emptyStorage(context);
  const desk = new Desk(context);
  desk.queue.add("g1", TYPED);
  await desk.refuse(409);
  assert.equal(desk.queue.problem, "other_account");
  assert.equal(desk.queue.waiting.length, 1);
});

test("a mistake of the server is named by the id of its request, until an answer comes", async context => {
  emptyStorage(context);
  const desk = new Desk(context);
  desk.queue.add("g1", TYPED);
  await desk.refuse(500, {"X-Request-ID": "c03e"});
  assert.deepEqual([desk.queue.problem, desk.queue.requestId, desk.queue.waiting.length], ["fault", "c03e", 1]);
  desk.retry();
  await desk.lose();
  assert.deepEqual([desk.queue.problem, desk.queue.requestId], ["lost", ""]);
});

test("entries that another visit left behind are taken up and sent", context => {
  const storage = emptyStorage(context);
  const left = {id: "x", at: 1, turn: 0, line: "g1", ...TYPED, reason: "", after: ""};
  storage.setItem("results:7:3:5:x", JSON.stringify(left));
  storage.setItem("results:7:4:5:y", JSON.stringify({...left, id: "y"}));
  storage.setItem("results:7:3:6:z", JSON.stringify({...left, id: "z"}));
  const desk = new Desk(context);
  desk.queue.adopt();
  assert.deepEqual(desk.queue.inOrder(), [left]);
  assert.deepEqual(desk.requests.map(entries => entries.map(entry => entry.id)), [["x"]]);
});

test("a browser that keeps nothing sends all the same, and says so", async context => {
  forbiddenStorage(context);
  const desk = new Desk(context);
  desk.queue.add("g1", TYPED);
  assert.equal(desk.queue.isStored, false);
  await desk.answer({state: "saved", version: 3});
  assert.deepEqual(desk.queue.inOrder(), []);
});

test("an outcome of an entry that another tab has dealt with is left", async context => {
  emptyStorage(context);
  const desk = new Desk(context);
  const entry = desk.queue.add("g1", TYPED);
  desk.queue.remove(entry);
  await desk.answer({state: "saved", version: 3});
  assert.deepEqual(desk.answers, []);
});

test("pauses grow to three seconds", () => {
  assert.deepEqual([0, 1, 2, 3, 4, 5, 100].map(pauseAfter), [0, 500, 1000, 2000, 3000, 3000, 3000]);
});
