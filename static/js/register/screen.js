// The register by keyboard, and pasted blocks; what is stored, the form stores.

import {fill} from "../text.js";
import {cellsOf, isBlock, stepOf} from "./cells.js";

const FIELDS = "td > input:not([type=checkbox]), th > input:not([type=hidden])";

const form = document.querySelector("#register");
const newRows = document.querySelector("#new-rows");
const status = document.querySelector("#changed-rows");

const rows = () => [...form.querySelectorAll("tr[data-key]")];
const fieldsOf = row => [...row.querySelectorAll(FIELDS)];
const isNew = row => row.dataset.key.startsWith("n");
const isChanged = field => field.type === "checkbox" ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;

// A row that was refused is sent again as it stands; one with a choice in it is sent with the choice.
const isTouched = row => row.classList.contains("refused") || [...row.querySelectorAll("input:not([type=hidden])")].some(isChanged);

// --- going about -----------------------------------------------------------------------------------------------

function fieldAt(row, column) {
  return fieldsOf(row).find(each => each.closest("td, th").cellIndex === column);
}

function go(field, {rows: down, columns: right}) {
  const all = rows();
  const row = field.closest("tr");
  const at = all.indexOf(row) + down;
  if (down && at === all.length) addRow();
  const target = down
    ? rows()[at] && fieldAt(rows()[at], field.closest("td, th").cellIndex)
    : fieldsOf(row)[fieldsOf(row).indexOf(field) + right];
  if (!target) return;
  target.focus();
  target.select();
}

form.addEventListener("keydown", event => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") {
    event.preventDefault();
    return form.requestSubmit(form.querySelector(".submit-row [name=save]"));
  }
  const field = event.target;
  if (!field.matches(FIELDS) || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.key === "Escape") {
    field.value = field.defaultValue;
    return show();
  }
  const {selectionStart: start, selectionEnd: end, value} = field;
  const step = stepOf(event.key, {
    shift: event.shiftKey,
    isWhole: start === 0 && end === value.length,
    atStart: start === 0 && end === 0,
    atEnd: start === value.length,
  });
  if (!step) return;
  event.preventDefault();
  go(field, step);
});

form.addEventListener("focusin", event => {
  if (event.target.matches(FIELDS)) event.target.select();
});

// --- rows and blocks -------------------------------------------------------------------------------------------

function addRow() {
  const last = newRows.lastElementChild;
  const row = last.cloneNode(true);
  const key = `n${Number(last.dataset.key.slice(1)) + 1}`;
  row.dataset.key = key;
  row.classList.remove("refused", "touched");
  row.querySelectorAll(".fault, fieldset").forEach(each => each.remove());
  for (const field of fieldsOf(row)) {
    field.name = field.name.replace(/^n\d+/, key);
    if (field.id) field.id = field.name;
    field.value = "";
    field.defaultValue = "";
    field.removeAttribute("aria-invalid");
  }
  newRows.append(row);
  return row;
}

form.addEventListener("paste", event => {
  const field = event.target;
  const text = event.clipboardData.getData("text");
  if (!field.matches(FIELDS) || !isBlock(text)) return;
  event.preventDefault();
  const cells = cellsOf(text);
  const first = rows().indexOf(field.closest("tr"));
  while (rows().length < first + cells.length) addRow();
  const all = rows();
  let count = 0;
  cells.forEach((values, down) => {
    const fields = fieldsOf(all[first + down]);
    const column = field.closest("td, th").cellIndex;
    const begin = fields.findIndex(each => each.closest("td, th").cellIndex === column);
    values.forEach((value, right) => {
      const target = begin < 0 ? null : fields[begin + right];
      if (!target) return;
      target.value = value;
      count += 1;
    });
  });
  show();
  status.textContent = `${fill(form.dataset.pasted, {count})} ${status.textContent}`;
});

// For typed input that is put back (typed/screen.js).
form.addEventListener("rowneeded", ({detail: name}) => {
  const [, number] = name.match(/^n(\d+)-/) ?? [];
  while (Number(newRows.lastElementChild.dataset.key.slice(1)) < number) addRow();
});

const more = document.querySelector("#more-rows");
more.hidden = false;
more.addEventListener("click", () => {
  const row = addRow();
  for (let count = 1; count < 10; count += 1) addRow();
  fieldsOf(row)[0].focus();
});

// --- what has changed ------------------------------------------------------------------------------------------

function show() {
  let count = 0;
  for (const row of rows()) {
    const touched = isTouched(row);
    row.classList.toggle("touched", touched);
    count += Number(touched);
    for (const field of fieldsOf(row)) field.classList.toggle("typed", isChanged(field));
  }
  status.textContent = count ? fill(form.dataset.changed, {count}) : "";
  return count;
}

form.addEventListener("input", show);

// Only what was touched is sent: the rest of a page of two hundred and fifty rows says nothing new.
form.addEventListener("submit", () => {
  for (const row of rows().filter(each => !isTouched(each))) {
    row.querySelectorAll("input").forEach(field => { field.disabled = true; });
  }
});
addEventListener("pageshow", () => {
  form.querySelectorAll("input:disabled").forEach(field => { field.disabled = false; });
  show();
});

document.querySelector(".keys-of-register").hidden = false;
(form.querySelector("[aria-invalid]") ?? (rows().every(isNew) ? fieldsOf(rows()[0])[0] : null))?.focus();
