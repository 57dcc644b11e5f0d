import assert from "node:assert/strict";
import {test} from "node:test";

import {controlsOf, labelOf, nameOf, renderedValueOf, setValue, textOf, valueOf, versionOf} from "../../../static/js/typed/controls.js";

const WORDS = {yes: "yes", no: "no", empty: "(empty)"};

function field(type, name, values = {}) {
  return {type, name, matches: selector => selector.split(",").includes(`[type=${type}]`), ...values};
}

const text = (name, value, defaultValue = value) => field("text", name, {value, defaultValue});
const box = (name, value, checked, defaultChecked = checked, type = "checkbox") =>
  field(type, name, {value, checked, defaultChecked, labels: [{textContent: ` ${value.toUpperCase()} `}]});
const option = (value, selected, defaultSelected) => ({value, text: value.toUpperCase(), selected, defaultSelected});
const choice = (options, multiple = false) => field(multiple ? "select-multiple" : "select-one", "choice", {options, multiple});

test("controls have the name of their field, checkboxes with the value, and repeated names a number", () => {
  const radio = ["a", "b"].map(value => box("bye", value, false, false, "radio"));
  const elements = [text("name", ""), text("name", ""), text("name", ""), box("arbiters", "5", true), ...radio];
  assert.deepEqual([...controlsOf({elements}).keys()], ["name", "name 2", "name 3", "arbiters=5", "bye"]);
  assert.deepEqual(controlsOf({elements}).get("bye"), radio);
});

test("passwords, files, hidden fields and templates of rows are left out", () => {
  const types = ["password", "file", "hidden", "submit", "search"];
  const elements = [...types.map(type => field(type, type)), text("rows-__prefix__-name", ""), text("", "")];
  assert.deepEqual([...controlsOf({elements}).keys()], []);
});

test("forms of a page are told apart by their id, or that of their first control", () => {
  const reason = id => ({...text("reason", ""), id});
  assert.equal(nameOf({id: "register", elements: [reason("reason-1")]}), "register");
  assert.notEqual(nameOf({id: "", elements: [reason("reason-1")]}), nameOf({id: "", elements: [reason("reason-2")]}));
  assert.equal(nameOf({id: "", elements: [box("entry", "5", true)]}), "entry");
  assert.equal(nameOf({id: "", elements: []}), "");
});

test("values are read as they are, and as the server rendered them", () => {
  const radios = [box("bye", "half", true, false, "radio"), box("bye", "zero", false, true, "radio")];
  const controls = [
    [[text("name", "Eva", "Ann")], "Eva", "Ann"],
    [[box("public", "1", true, false)], "on", ""],
    [radios, "half", "zero"],
    [[choice([option("a", false, false), option("b", true, false)])], "b", "a"],
    [[choice([option("a", true, true), option("b", true, false)], true)], "a\nb", "a"],
  ];
  for (const [control, value, rendered] of controls) {
    assert.equal(valueOf(control), value);
    assert.equal(renderedValueOf(control), rendered);
  }
});

test("a value is put into a control of any kind", () => {
  const radios = [box("bye", "half", true, true, "radio"), box("bye", "zero", false, false, "radio")];
  for (const [control, value] of [
    [[text("name", "")], "Eva"],
    [[box("public", "1", false)], "on"],
    [radios, "zero"],
    [[choice([option("a", true, true), option("b", false, false)], true)], "b"],
  ]) {
    assert.equal(setValue(control, value), true);
    assert.equal(valueOf(control), value);
  }
  assert.equal(setValue([text("name", "")].map(each => ({...each, disabled: true})), "Eva"), false);
  assert.equal(setValue(radios, "none of them"), false);
});

test("values are shown as texts of the page", () => {
  assert.equal(textOf([text("name", "")], "Eva", WORDS), "Eva");
  assert.equal(textOf([text("name", "")], "", WORDS), "(empty)");
  assert.equal(textOf([box("public", "1", true)], "", WORDS), "no");
  assert.equal(textOf([box("bye", "half", true, true, "radio")], "half", WORDS), "HALF");
  assert.equal(textOf([choice([option("a", true, true)])], "a", WORDS), "A");
});

test("the label of a control follows that of its row", () => {
  const row = {getAttribute: () => "Prizes 2"};
  const made = {...text("amount", ""), closest: () => row, getAttribute: () => null, labels: [{textContent: "Amount:"}]};
  assert.equal(labelOf([made]), "Prizes 2, Amount");
  assert.equal(labelOf([{...made, closest: () => null, labels: []}]), "amount");
});

test("the version is the nearest hidden field of one, with the epoch of the form", () => {
  const formOf = values => ({querySelector: selector => selector.includes("epoch") ? {value: "b7"} : values.shift() ?? null});
  const row = (form, field) => ({querySelector: () => field, parentElement: form});
  const near = formOf([{value: "4"}]);
  assert.equal(versionOf([{form: near, parentElement: row(near, {value: "9"})}]), "b7 9");
  assert.equal(versionOf([{form: near, parentElement: row(near, null)}]), "b7 4");
  const without = {querySelector: () => null};
  assert.equal(versionOf([{form: without, parentElement: without}]), " ");
});
