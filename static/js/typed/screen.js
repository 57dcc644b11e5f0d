// Typed input of every form of the desk is stored in the browser until the server has saved it, and offered when the
// page is opened again. The browser warns before a page with unsaved input is left. docs/recording.md explains it.

import {newId} from "../results/server.js";
import {fill} from "../text.js";
import {controlsOf, nameOf, renderedValueOf, setValue, textOf, valueOf, versionOf} from "./controls.js";
import {removeOwn, takeRejected, updateFields} from "./fields.js";
import {keyOf, lastLogout, recordOf, removeAll, removeOld, removeSent, store} from "./storage.js";

const PAUSE = 300; // milliseconds after the last sign
const LONGEST_TEXT = 120; // of a value in the offer

const words = document.querySelector("#typed-input").dataset;
const {account} = words;
const logout = lastLogout(); // a later one in another tab ends the storing
const states = new WeakMap(); // by form
const sentByScript = new Set(); // forms; a script replaces those that were saved
let leaving = null; // the form that is being sent
let timer = 0;

// Forms with a queue of their own (results/queue.js), and those with a password or a passkey, are not stored.
function forms() {
  const selector = "form[method=post]:not(#logout-form, #changelist-form, [data-entries], [data-passkey])";
  return [...document.querySelectorAll(selector)]
    .filter(form => !form.querySelector("[type=password]"));
}

function stateOf(form) {
  if (!states.has(form)) {
    const url = new URL(form.getAttribute("action") ?? "", location.href);
    states.set(form, {
      key: keyOf({account, url, form: nameOf(form)}),
      own: new Set(), // names of fields that this page has stored
      rejected: new Set(), // names of fields that were sent, and that this page shows again
      offered: new Map(), // fields of an earlier visit, by name
      sent: "", // the id under which the form was sent from this page
      isSaved: false,
    });
  }
  return states.get(form);
}

function isUnsaved(form) {
  const {rejected, isSaved} = stateOf(form);
  if (isSaved) return false;
  return rejected.size > 0 || [...controlsOf(form).values()].some(control => valueOf(control) !== renderedValueOf(control));
}

// --- storing -------------------------------------------------------------------------------------------------

/** Store the changed fields of a form. Fields of an earlier visit remain until the user decides about them. */
function remember(form, sent = "") {
  const {key, isSaved, ...names} = stateOf(form);
  if (!account || isSaved || lastLogout() !== logout) return;
  const record = recordOf(key);
  const values = () => JSON.stringify(Object.entries(record.fields).map(([name, {value}]) => [name, value]));
  const before = values();
  updateFields(record.fields, controlsOf(form), {...names, sent});
  if (values() !== before) record.at = Date.now();
  store(key, record);
}

function rememberAll() {
  clearTimeout(timer);
  for (const form of sentByScript) {
    if (form.isConnected) continue;
    sentByScript.delete(form);
    const state = stateOf(form);
    const record = recordOf(state.key);
    for (const name of state.own) removeOwn(record.fields, name, state);
    store(state.key, record);
  }
  forms().filter(form => !states.has(form)).forEach(findOffered);
  forms().forEach(form => remember(form));
}

// --- sending -------------------------------------------------------------------------------------------------

/** Mark the fields as sent. The server returns the id with the page after the form: see `typed_input_layer`. */
function send(form) {
  const state = stateOf(form);
  state.sent = newId();
  remember(form, state.sent);
  if (!Object.values(recordOf(state.key).fields).some(field => field.sent === state.sent)) return;
  form.querySelector("input[name=typed][data-own]")?.remove();
  const field = Object.assign(document.createElement("input"), {type: "hidden", name: "typed", value: state.sent});
  field.dataset.own = "";
  form.append(field);
}

/** Remove what was saved according to the fragment of the address, and restore the fragment of the page. */
function receive() {
  const [, anchor, ids] = location.hash.match(/^#?(.*?)&?saved=([\w,-]+)$/) ?? [];
  if (!ids) return;
  history.replaceState(history.state, "", location.pathname + location.search);
  if (anchor) location.replace(`#${anchor}`);
  if (!document.querySelector(".messagelist .error")) removeSent(ids.split(","));
}

/** Find the fields that this page shows again, because they were refused or are to be confirmed. */
function findRejected() {
  const answers = [...document.querySelectorAll("input[name=typed]")];
  const ids = answers.map(answer => answer.value);
  if (document.querySelector("[data-saved]")) removeSent(ids); // a page about what was saved, without a redirect
  for (const form of forms()) {
    const {key, rejected} = stateOf(form);
    const record = recordOf(key);
    takeRejected(record.fields, controlsOf(form), ids).forEach(name => rejected.add(name));
    store(key, record);
    if (rejected.size) remember(form);
  }
  const isRejected = form => states.get(form)?.rejected.size;
  if (!forms().some(isRejected)) return;
  // Another form of the page does not confirm these fields.
  answers.filter(answer => !isRejected(answer.form)).forEach(answer => answer.remove());
}

// --- the offer -----------------------------------------------------------------------------------------------

function findOffered(form) {
  const {key, rejected, offered} = stateOf(form);
  const record = recordOf(key);
  const controls = controlsOf(form);
  for (const [name, field] of Object.entries(record.fields)) {
    const control = controls.get(name);
    if (rejected.has(name)) continue;
    if (control && renderedValueOf(control) === field.value) delete record.fields[name]; // it is saved
    else if (!control || valueOf(control) !== field.value) offered.set(name, field);
  }
  store(key, record);
  if (offered.size) showOffer(form, record.at);
}

function showOffer(form, at) {
  const {offered} = stateOf(form);
  const controls = controlsOf(form);
  const changed = [...offered].filter(([name, {base, version}]) => {
    const control = controls.get(name);
    return control && (renderedValueOf(control) !== base || versionOf(control) !== version);
  });
  const isSent = [...offered.values()].every(({sent}) => sent);
  const sentence = words[(isSent ? "sent" : "unsent") + (offered.size === 1 ? "One" : "Several")];
  const day = {day: "numeric", month: "short"};
  const time = {hour: "2-digit", minute: "2-digit", hourCycle: "h23"};
  const moment = [day, time].map(style => new Date(at).toLocaleString("en-GB", style)).join(" ");
  const lines = changed.map(([name, field]) => {
    const control = controls.get(name);
    const [now, typed] = [renderedValueOf(control), field.value].map(value => textOf(control, value, words));
    return fill(words.both, {label: field.label, now: shorten(now), typed: shorten(typed)});
  });
  show(form, [fill(sentence, {at: moment, count: offered.size}), changed.length ? words.changed : ""], lines, [
    button(words.putBack, () => putBack(form)),
    button(words.discard, () => discard(form)),
  ]);
}

function show(form, sentences, lines, buttons) {
  let line = form.querySelector(".typed-offer");
  if (!line) {
    line = Object.assign(document.createElement("div"), {className: "typed-offer", role: "status", tabIndex: -1});
    form.prepend(line);
    form.closest("details")?.setAttribute("open", "");
  }
  const paragraph = document.createElement("p");
  paragraph.textContent = sentences.filter(Boolean).join(" ");
  const list = document.createElement("ul");
  list.append(...lines.map(textContent => Object.assign(document.createElement("li"), {textContent})));
  line.replaceChildren(paragraph, ...lines.length ? [list] : [], ...buttons);
  return line;
}

function button(textContent, act) {
  const made = Object.assign(document.createElement("button"), {type: "button", className: "button", textContent});
  made.addEventListener("click", act);
  return made;
}

function shorten(text) {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}

function putBack(form) {
  const {offered} = stateOf(form);
  let controls = controlsOf(form);
  const done = [];
  for (const [name, field] of offered) {
    if (!controls.has(name) && addRows(form, name)) controls = controlsOf(form);
    const control = controls.get(name);
    // What the user has typed into the field since stays.
    const isFree = control && valueOf(control) === renderedValueOf(control);
    if (!control || isFree && !setValue(control, field.value)) continue;
    offered.delete(name);
    if (isFree) done.push([control, field.value]);
  }
  for (const [control] of done) {
    control[0].closest("details")?.setAttribute("open", "");
    control[0].closest("[popover]")?.showPopover?.();
    control.forEach(element => element.classList.add("put-back"));
    control[0].setAttribute("aria-description", words.mark);
    for (const type of ["input", "change"]) control[0].dispatchEvent(new Event(type, {bubbles: true}));
  }
  // A change may have calculated another field that was put back, for example the line-up without an absent player.
  for (const [control, value] of done) {
    setValue(control, value);
    control[0].dispatchEvent(new Event("input", {bubbles: true}));
  }
  const lines = [...offered.values()].map(({label, value}) => `${label}: ${shorten(value || words.empty)}`);
  const sentences = [fill(words.done, {count: done.length}), lines.length ? words.left : ""];
  const line = show(form, sentences, lines, lines.length ? [button(words.discard, () => discard(form))] : []);
  (done[0]?.[0][0] ?? line).focus();
  rememberAll();
}

/** Let the form add the row of a field. Return whether it has the field now. */
function addRows(form, name) {
  form.dispatchEvent(new CustomEvent("rowneeded", {detail: name}));
  const inlines = [...form.querySelectorAll("[data-inline-formset]")]; // of Django's admin
  const inline = inlines.find(each => name.startsWith(`${JSON.parse(each.dataset.inlineFormset).options.prefix}-`));
  const [, number] = name.match(/-(\d+)-/) ?? [];
  for (let count = 0; inline && count <= number && !form.elements[name]; count += 1) {
    inline.querySelector(".add-row a")?.click();
  }
  return controlsOf(form).has(name);
}

function discard(form) {
  const {key, offered} = stateOf(form);
  const record = recordOf(key);
  for (const [name, field] of offered) if (record.fields[name]?.value === field.value) delete record.fields[name];
  offered.clear();
  store(key, record);
  show(form, [words.discarded], [], []).focus();
}

// --- the page ------------------------------------------------------------------------------------------------

if (location.pathname === words.logout) removeAll();
removeOld({account, now: Date.now()});
receive();
if (account) {
  findRejected();
  forms().forEach(findOffered);
}

for (const type of ["input", "change", "click", "focusin", "keyup", "paste", "drop"]) {
  document.addEventListener(type, () => {
    clearTimeout(timer);
    timer = setTimeout(rememberAll, PAUSE);
  });
}
document.addEventListener("input", ({target}) => {
  leaving = null;
  if (states.has(target.form)) states.get(target.form).isSaved = false;
});
document.addEventListener("submit", event => {
  const form = event.target;
  if (event.defaultPrevented) return sentByScript.add(form);
  leaving = form;
  if (forms().includes(form)) send(form);
});
document.addEventListener("visibilitychange", () => { if (document.hidden) rememberAll(); });
addEventListener("beforeunload", event => {
  rememberAll();
  if (forms().some(form => form !== leaving && isUnsaved(form))) event.preventDefault();
});
// A page out of the browser's own store, after its form was saved, still shows the typed values.
addEventListener("pageshow", event => {
  leaving = null;
  if (!event.persisted) return;
  for (const form of forms()) {
    const state = stateOf(form);
    const isStored = Object.values(recordOf(state.key).fields).some(({sent}) => sent === state.sent);
    state.isSaved = Boolean(state.sent) && !isStored;
  }
});
