import assert from "node:assert/strict";
import {test} from "node:test";

import {Messages, connectionMessages, element} from "../../../static/js/results/messages.js";
import {replaceGlobal} from "../browser.js";

const QUIET = {problem: "", waiting: 0, undecided: 0, isStored: true};

test("where nothing waits everything is saved", () => {
  assert.deepEqual(connectionMessages(QUIET), ["all_saved"]);
});

test("what waits is being saved", () => {
  assert.deepEqual(connectionMessages({...QUIET, waiting: 2}), ["sending"]);
});

test("lines to look at are named alone, or after what goes before them", () => {
  assert.deepEqual(connectionMessages({...QUIET, undecided: 1}), ["undecided"]);
  assert.deepEqual(connectionMessages({...QUIET, undecided: 1, waiting: 2}), ["sending", "undecided"]);
});

test("a problem of the connection goes before everything", () => {
  assert.deepEqual(connectionMessages({...QUIET, problem: "lost", waiting: 2}), ["lost"]);
  assert.deepEqual(connectionMessages({...QUIET, problem: "login", undecided: 1}), ["login", "undecided"]);
});

test("a browser that keeps nothing is always named, at the end", () => {
  assert.deepEqual(connectionMessages({...QUIET, isStored: false}), ["all_saved", "not_kept"]);
  const all = {problem: "lost", waiting: 1, undecided: 1, isStored: false};
  assert.deepEqual(connectionMessages(all), ["lost", "undecided", "not_kept"]);
});

test("messages are the page's own sentences, filled", () => {
  const messages = new Messages({dataset: {words: '{"keep": "Keep %(theirs)s"}', name: "Ada"}});
  assert.equal(messages.text("keep", {theirs: "1 - 0"}), "Keep 1 - 0");
});

test("how the queue stands is shown, and announced where it has changed", context => {
  context.mock.timers.enable({apis: ["setTimeout"]});
  const parts = {"#connection": {dataset: {}}, "#login": {}, "#said": {}};
  replaceGlobal(context, "document", {querySelector: css => parts[css]});
  const words = {all_saved: "Saved.", sending: "Sending %(count)s.", lost: "Lost; %(count)s wait for %(name)s."};
  const messages = new Messages({dataset: {words: JSON.stringify(words), name: "Ada"}});
  const heard = (problem, ...waiting) => {
    messages.showConnection({problem, waiting, isStored: true}, 0);
    parts["#said"].textContent = "";
    context.mock.timers.tick(50);
    return [parts["#connection"].textContent, parts["#connection"].dataset.state, parts["#said"].textContent];
  };
  assert.deepEqual(heard(""), ["Saved.", "all_saved", ""]);
  assert.deepEqual(heard("", "entry"), ["Sending 1.", "sending", ""]);
  assert.deepEqual(heard("lost", "entry"), ["Lost; 1 wait for Ada.", "lost", "Lost; 1 wait for Ada."]);
  assert.deepEqual(heard("lost", "entry", "entry"), ["Lost; 2 wait for Ada.", "lost", ""]);
  assert.deepEqual(heard(""), ["Saved.", "all_saved", "Saved."]);
  assert.equal(parts["#login"].hidden, true);
});

test("a mistake of the server is told with the id of its request", context => {
  const parts = {"#connection": {dataset: {}}, "#login": {}};
  replaceGlobal(context, "document", {querySelector: css => parts[css]});
  const messages = new Messages({dataset: {words: '{"fault": "Kept: %(count)s. Tell this: %(id)s"}', name: "Ada"}});
  messages.showConnection({problem: "fault", requestId: "c03e", waiting: ["entry"], isStored: true}, 0);
  assert.equal(parts["#connection"].textContent, "Kept: 1. Tell this: c03e");
});

test("an element has a name and a text", context => {
  replaceGlobal(context, "document", {createElement: name => ({name})});
  assert.deepEqual(element("li", "5 to 4"), {name: "li", textContent: "5 to 4"});
});

test("a notice stands on the page once", context => {
  const notices = {textContent: "", hidden: true};
  replaceGlobal(context, "document", {querySelector: () => notices});
  const messages = new Messages({dataset: {words: "{}"}});
  context.mock.method(messages, "announce", () => {});
  for (const text of ["Round 2 was paired.", "Round 2 was paired.", "Another."]) messages.addNotice(text);
  assert.equal(notices.textContent, "Round 2 was paired. Another.");
  assert.equal(messages.announce.mock.callCount(), 3);
});
