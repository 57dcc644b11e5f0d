// The editor of a list of criteria without a page load for each step: arrows, dragging, Alt and the arrow keys.
// Without this script its buttons post the form, and the server takes the same step.

import {fill} from "./text.js";

const STEPS = {ArrowUp: -1, ArrowDown: 1};

const editor = document.querySelector("[data-reorder]");
if (editor) start();

function start() {
  const form = editor.closest("form");
  const list = editor.querySelector("ol");
  const added = editor.querySelector("#added");
  const status = editor.querySelector("[role=status]");

  const items = () => [...list.querySelectorAll("li:not(.none)")];
  const name = item => item.querySelector(".name a").textContent;

  // What was shown of another list does not count for this one: it is asked again.
  function announce(text) {
    form.querySelector(".asking")?.remove();
    form.querySelector("[name=confirmed]")?.setAttribute("value", "");
    const save = form.querySelector("[data-asks]");
    save.textContent = save.dataset.asks;
    status.textContent = text;
    form.dispatchEvent(new Event("reordered"));
  }

  function announceMove(item) {
    const all = items();
    announce(fill(editor.dataset.moved, {name: name(item), at: all.indexOf(item) + 1, all: all.length}));
  }

  function move(item, step) {
    const beside = step < 0 ? item.previousElementSibling : item.nextElementSibling;
    if (!beside) return;
    step < 0 ? beside.before(item) : beside.after(item);
    announceMove(item);
  }

  function takeOut(item) {
    const next = item.nextElementSibling ?? item.previousElementSibling;
    item.remove();
    announce(fill(editor.dataset.gone, {name: name(item)}));
    (next?.querySelector("[name=out]") ?? added).focus();
  }

  list.addEventListener("click", event => {
    const button = event.target.closest("button");
    if (!button) return;
    event.preventDefault();
    const item = button.closest("li");
    if (button.name === "out") return takeOut(item);
    move(item, button.name === "up" ? -1 : 1);
    button.focus();
  });

  list.addEventListener("keydown", event => {
    const step = STEPS[event.key];
    const item = event.target.closest("li");
    if (!event.altKey || !step || !item) return;
    event.preventDefault();
    move(item, step);
    event.target.focus();
  });

  let dragged = null;
  for (const item of items()) item.draggable = true;
  for (const link of list.querySelectorAll("a")) link.draggable = false;
  list.addEventListener("dragstart", event => {
    dragged = event.target.closest("li");
    dragged.classList.add("dragged");
    event.dataTransfer.effectAllowed = "move";
  });
  list.addEventListener("dragover", event => {
    const over = event.target.closest("li");
    if (!dragged || !over || over === dragged) return;
    event.preventDefault();
    const {top, height} = over.getBoundingClientRect();
    event.clientY < top + height / 2 ? over.before(dragged) : over.after(dragged);
  });
  list.addEventListener("drop", event => event.preventDefault());
  list.addEventListener("dragend", () => {
    dragged.classList.remove("dragged");
    announceMove(dragged);
    dragged = null;
  });
}
