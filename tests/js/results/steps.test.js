import assert from "node:assert/strict";
import {test} from "node:test";

import {showSteps} from "../../../static/js/results/steps.js";
import {replaceGlobal} from "../browser.js";

/** A part of the page as far as the steps use it. */
function part(hidden = false) {
  const attributes = new Set(hidden ? ["hidden"] : []);
  return {
    attributes,
    classList: new Set(),
    get hidden() { return attributes.has("hidden"); },
    set hidden(value) { this.toggleAttribute("hidden", value); },
    setAttribute: name => attributes.add(name),
    removeAttribute: name => attributes.delete(name),
    toggleAttribute(name, value) { value ? attributes.add(name) : attributes.delete(name); },
  };
}

/** The strip of a round whose results are being typed. */
function strip(context, {closing = part(true), back = part(), typing = part()} = {}) {
  const steps = [part(), part(), part(), part()];
  steps[2].setAttribute("aria-current");
  for (const step of steps) step.classList.toggle = (name, value) => (value ? step.classList.add(name) : step.classList.delete(name));
  const found = {"#close-round": closing, "#take-back": back, "#enter-results": typing};
  replaceGlobal(context, "document", {querySelector: name => found[name], querySelectorAll: () => steps});
  const current = () => steps.findIndex(step => step.attributes.has("aria-current"));
  return {closing, back, typing, current};
}

test("the last result shows the button that closes, and a cleared one hides it", context => {
  const {closing, typing, current} = strip(context);
  showSteps({isBegun: true, isComplete: true});
  assert.equal(closing.hidden, false);
  assert.equal(typing.hidden, true);
  assert.equal(current(), 3);
  showSteps({isBegun: true, isComplete: false});
  assert.equal(closing.hidden, true);
  assert.equal(typing.hidden, false);
  assert.equal(current(), 2);
});

test("the first result hides the button that takes the pairings back", context => {
  const {back} = strip(context);
  showSteps({isBegun: false, isComplete: false});
  assert.equal(back.hidden, false);
  showSteps({isBegun: true, isComplete: false});
  assert.equal(back.hidden, true);
});

test("a round without these buttons stays as it is", context => {
  const {current} = strip(context, {closing: null, back: null});
  showSteps({isBegun: true, isComplete: true});
  assert.equal(current(), 2);
});
