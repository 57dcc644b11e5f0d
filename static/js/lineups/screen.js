// The line-ups of a round by keyboard: a key for an order that is known, arrows from team to team.

import {faultOf, numbersOf, orderOf, orderWithout} from "./orders.js";

const form = document.querySelector("#lineups");
if (form) start();

function start() {
  const fields = [...form.querySelectorAll("[data-roster]")];
  // The orders before and after the ticks at absent players, so that removing a tick restores the order.
  const changed = new Map();

  function show(field) {
    const part = field.closest(".lineup-team");
    const items = [...part.querySelectorAll("[data-number]")];
    const names = Object.fromEntries(items.map(item => [item.dataset.number, item.dataset.name]));
    const numbers = numbersOf(field.value, items.every(item => item.dataset.number.length === 1));
    // Names are read by the server alone.
    if (numbers.some(number => number && !names[number])) return;
    part.querySelector(".seated").replaceChildren(...numbers.map(number =>
      Object.assign(document.createElement("li"), {textContent: names[number] ?? "–"})));
    const fault = faultOf(numbers, "fixed" in form.dataset);
    part.querySelector(".fault").textContent = {twice: form.dataset.twice, order: form.dataset.order}[fault] ?? "";
    field.setAttribute("aria-invalid", Boolean(fault));
  }

  function focus(field) {
    field?.focus();
    field?.select();
  }

  form.addEventListener("keydown", event => {
    const field = event.target;
    if (!fields.includes(field) || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
    const isWhole = field.selectionStart === 0 && field.selectionEnd === field.value.length;
    const text = isWhole ? orderOf(event.key, field.dataset) : null;
    if (!step && text === null) return;
    event.preventDefault();
    if (step) return focus(fields[fields.indexOf(field) + step]);
    field.value = text;
    field.select();
    show(field);
  });
  form.addEventListener("input", event => { if (fields.includes(event.target)) show(event.target); });
  form.addEventListener("change", event => {
    if (event.target.name !== "absent") return;
    const part = event.target.closest(".lineup-team");
    const field = part.querySelector("[data-roster]");
    const items = [...part.querySelectorAll("[data-number]")];
    const all = items.map(item => item.dataset.number);
    const present = items.filter(item => !item.querySelector("input").checked).map(item => item.dataset.number);
    const isShort = all.every(number => number.length === 1);
    const last = changed.get(field);
    const order = last?.after === field.value ? last.before : field.value;
    const numbers = numbersOf(order, isShort);
    // Only the server reads names.
    if (numbers.some(number => number && !all.includes(number))) return;
    field.value = orderWithout(numbers, present, Number(form.dataset.boards), isShort);
    changed.set(field, {before: order, after: field.value});
    show(field);
  });
  form.querySelector("[name=fill]").hidden = true;
  // The first has the focus already: the page gave it before this script was there.
  if (fields.includes(document.activeElement)) document.activeElement.select();
  form.addEventListener("focusin", event => { if (fields.includes(event.target)) event.target.select(); });
}
