// Pairing from a number pad: Enter goes on to the next field, and saves from an empty one or the last.
// A competitor who is not paired yet takes y, =, 0 or - while one of his buttons has the focus.
// A form goes out once, however often Enter is pressed; what is typed while it is on its way is stored for the page
// that comes back, and typed there.

import {fieldAfter, isShortcut, isTyping, typed} from "./keys.js";

const STORED = `pairings:${location.pathname}`;
const form = document.querySelector("#pair");
let isSent = false;

function fields() {
  return [...form.querySelectorAll('input[name="first"], input[name="second"]')];
}

function values() {
  return fields().map(field => field.value);
}

function storedKeys() {
  try {
    return JSON.parse(sessionStorage.getItem(STORED) ?? "[]");
  } catch {
    return []; // a browser that keeps nothing
  }
}

function storeKeys(keys) {
  try {
    if (keys.length) sessionStorage.setItem(STORED, JSON.stringify(keys));
    else sessionStorage.removeItem(STORED);
  } catch {
    // a browser that keeps nothing
  }
}

function goOn(event) {
  const at = fields().indexOf(event.target);
  if (event.key !== "Enter" || event.isComposing || at < 0) return;
  const next = fieldAfter(values(), at);
  if (next === null) return;
  event.preventDefault();
  if (next === at) return;
  fields()[next].focus();
  fields()[next].select();
}

function pressButton(event) {
  const line = event.target.closest(".unpaired li");
  if (!line || isShortcut(event)) return;
  const button = [...line.querySelectorAll("button")].find(each => each.dataset.key === event.key);
  if (!button) return;
  event.preventDefault();
  button.click();
}

function sendOnce(event) {
  if (isSent) event.preventDefault();
  isSent = true;
}

function storeKey(event) {
  if (!isSent || !isTyping(event)) return;
  event.preventDefault();
  storeKeys([...storedKeys(), event.key]);
}

function typeStored(keys) {
  const at = fields().indexOf(document.activeElement);
  if (at < 0) return;
  const after = typed(keys, values(), at);
  fields().forEach((field, each) => { if (field.value !== after.values[each]) field.value = after.values[each]; });
  if (after.at !== at) fields()[after.at].focus();
}

const keys = storedKeys();
storeKeys([]);
// Where the saved lines left nobody to pair there is no form.
if (form) {
  form.addEventListener("keydown", goOn);
  form.addEventListener("keydown", pressButton);
  form.addEventListener("submit", sendOnce);
  addEventListener("keydown", storeKey, true);
  addEventListener("pageshow", () => { isSent = false; });
  const invalid = form.querySelector('[aria-invalid="true"]');
  (invalid ?? fields().find(field => !field.value))?.focus({preventScroll: !invalid});
  if (!invalid) typeStored(keys);
}
