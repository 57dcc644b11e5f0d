import assert from "node:assert/strict";
import {test} from "node:test";

import {newId, problemOf, request, requestIdOf} from "../../../static/js/results/server.js";
import {replaceGlobal} from "../browser.js";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Ask with a cookie; return what `fetch` was called with. */
async function asked(context, cookie, ...question) {
  const calls = [];
  replaceGlobal(context, "document", {cookie});
  replaceGlobal(context, "fetch", async (address, options) => { calls.push({address, ...options}); });
  await request(...question);
  return calls[0];
}

test("a question without a body is a GET", async context => {
  const call = await asked(context, "csrftoken=abc", "/news/");
  assert.equal(call.method, "GET");
  assert.equal(call.body, undefined);
  assert.deepEqual(call.headers, {});
});

test("a body is posted as JSON with the token of the cookie", async context => {
  const call = await asked(context, "theme=dark; csrftoken=abc; other=1", "/entries/", {user: 5});
  assert.equal(call.method, "POST");
  assert.equal(call.body, '{"user":5}');
  assert.deepEqual(call.headers, {"Content-Type": "application/json", "X-CSRFToken": "abc"});
});

test("the token is found under the name that it has in production", async context => {
  const call = await asked(context, "__Host-csrftoken=xyz", "/entries/", {});
  assert.equal(call.headers["X-CSRFToken"], "xyz");
});

test("a redirect is not followed, and an answer that does not come is given up", async context => {
  const call = await asked(context, "", "/news/");
  assert.equal(call.redirect, "manual");
  assert.ok(call.signal instanceof AbortSignal);
});

test("an answer says what is wrong", () => {
  assert.equal(problemOf({ok: true, status: 204}), "");
  assert.equal(problemOf({type: "opaqueredirect", status: 0}), "login");
  const problems = [400, 403, 404, 409, 500, 502, 503].map(status => problemOf({ok: false, status}));
  assert.deepEqual(problems, ["broken", "login", "gone", "other_account", "fault", "lost", "busy"]);
});

test("an answer names the request under which it is logged", () => {
  assert.equal(requestIdOf({headers: new Headers({"X-Request-ID": "c03e"})}), "c03e");
  assert.equal(requestIdOf({headers: new Headers()}), "");
});

test("ids are random UUIDs, also on a page that is not secure", context => {
  assert.match(newId(), UUID);
  const {crypto} = globalThis;
  replaceGlobal(context, "crypto", {getRandomValues: bytes => crypto.getRandomValues(bytes)});
  assert.match(newId(), UUID);
  assert.notEqual(newId(), newId());
});
