import assert from "node:assert/strict";
import {test} from "node:test";

import {start} from "../../static/js/dropzone.js";

/** A form that remembers its listeners, its class and whether it was sent. */
function formWith(input) {
  const form = {listeners: {}, sent: 0, marked: false};
  form.querySelector = () => input;
  form.classList = {toggle: (_name, is) => { form.marked = is; }};
  form.addEventListener = (name, listener) => { form.listeners[name] = listener; };
  form.requestSubmit = () => { form.sent += 1; };
  return form;
}

function dragged(types, files = []) {
  const event = {dataTransfer: {types, files}, prevented: false};
  event.preventDefault = () => { event.prevented = true; };
  return event;
}

test("a dropped file is chosen and sent", () => {
  const input = {};
  const form = formWith(input);
  start(form);
  form.listeners.dragover(dragged(["Files"]));
  assert.equal(form.marked, true);
  form.listeners.drop(dragged(["Files"], ["event.json"]));
  assert.deepEqual([input.files, form.sent, form.marked], [["event.json"], 1, false]);
});

test("a dragged text is left to the field", () => {
  const form = formWith({});
  start(form);
  const event = dragged(["text/plain"]);
  form.listeners.drop(event);
  assert.deepEqual([event.prevented, form.sent], [false, 0]);
});
