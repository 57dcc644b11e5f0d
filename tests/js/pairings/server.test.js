import assert from "node:assert/strict";
import {test} from "node:test";

import {LOST, OTHER, Questions, renew, send} from "../../../static/js/pairings/server.js";

const answers = (status, text = "", type = "basic") => async () => ({
  ok: status === 200, status, type, text: async () => text,
});
/** Let some time pass of the clock that the test moves, and all that is promised come true. */
const pass = async (context, milliseconds) => {
  context.mock.timers.tick(milliseconds);
  await new Promise(resolve => { setImmediate(resolve); });
};

test("an act is answered with the part that it changes", async () => {
  const asked = [];
  const fields = new FormData();
  fields.set("act", "turn");
  const answer = await send("/pairings/", fields, async (address, options) => {
    asked.push([address, options.method, options.body.get("fragment"), options.redirect]);
    return answers(200, "<p>")();
  });
  assert.deepEqual(answer, {html: "<p>"});
  assert.deepEqual(asked, [["/pairings/", "POST", "1", "manual"]]);
});

test("a lost connection and an outage leave the page as it is", async () => {
  const refuse = async () => { throw new TypeError("offline"); };
  assert.deepEqual(await send("/", new FormData(), refuse), {state: LOST});
  assert.deepEqual(await send("/", new FormData(), answers(503)), {state: LOST});
});

test("an act of a server that hangs is lost after 20 seconds", async context => {
  const timeout = context.mock.method(AbortSignal, "timeout", () => AbortSignal.abort());
  const hang = (_address, {signal}) => new Promise((_resolve, reject) => { if (signal.aborted) reject(signal.reason); });
  assert.deepEqual(await send("/", new FormData(), hang), {state: LOST});
  assert.deepEqual(timeout.mock.calls[0].arguments, [20_000]);
});

test("a login, a restored backup or a round that is gone ask for the page anew", async () => {
  assert.deepEqual(await send("/", new FormData(), answers(0, "", "opaqueredirect")), {state: OTHER});
  for (const status of [403, 404, 409]) {
    assert.deepEqual(await renew("/pairings/", answers(status)), {state: OTHER});
  }
});

test("only the answer to the last question is shown", async context => {
  context.mock.timers.enable({apis: ["setTimeout"]});
  const shown = [];
  const answer = {};
  const ask = address => new Promise(resolve => {
    const text = new URLSearchParams(address.split("?")[1]).get("text");
    answer[text] = async () => resolve(await answers(200, text)());
  });
  const questions = new Questions("/check/", html => shown.push(html), {pause: 5, ask});
  questions.ask([["text", "a"]]);
  await pass(context, 5);
  questions.ask([["text", "b"]]);
  await pass(context, 5);
  await answer.b();
  await answer.a();
  await pass(context, 0);
  assert.deepEqual(shown, ["b"]);
});

test("who types fast asks once, and nothing is asked about nobody", async context => {
  context.mock.timers.enable({apis: ["setTimeout"]});
  const asked = [];
  const shown = [];
  const ask = async address => { asked.push(address); return answers(200, "x")(); };
  const questions = new Questions("/check/", html => shown.push(html), {pause: 5, ask});
  questions.ask([["text", "1"]]);
  await pass(context, 4);
  questions.ask([["text", "12"]]);
  await pass(context, 4);
  assert.deepEqual(asked, []);
  await pass(context, 1);
  questions.ask([["text", "12 7"]]);
  questions.ask([]);
  await pass(context, 20);
  assert.deepEqual(asked, ["/check/?text=12"]);
  assert.deepEqual(shown, ["x", ""]);
});

test("a question that fails says nothing, and a dropped one neither", async context => {
  context.mock.timers.enable({apis: ["setTimeout"]});
  const shown = [];
  const refuse = async () => { throw new TypeError("offline"); };
  new Questions("/check/", html => shown.push(html), {pause: 0, ask: refuse}).ask([["seat", "1"]]);
  const dropped = new Questions("/check/", html => shown.push(html), {pause: 0, ask: answers(200, "x")});
  dropped.ask([["seat", "1"]]);
  dropped.drop();
  await pass(context, 15);
  assert.deepEqual(shown, []);
});
