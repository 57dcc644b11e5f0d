// The pairing screen: each act is a form that is sent beside the page, and the part that it changes is put in place.
// Names are picked by Enter, by a tap or click, or dragged onto each other; arrows go from name to name.
// Without this script the same forms load the page anew.

import {meaning, neighbour} from "./keys.js";
import {OTHER, Questions, renew, send} from "./server.js";

const board = document.querySelector("#board");
const done = document.querySelector("#done");
let isSending = false;
let sentText = "";
let waiting = [];
let dragged = null;

const questions = new Questions(board.dataset.check, html => {
  const about = board.querySelector("#about");
  if (!about) return;
  about.innerHTML = html;
  const met = new Set([...about.querySelectorAll("[data-met]")].flatMap(each => each.dataset.met.trim().split(" ")));
  for (const box of boxes()) box.closest("label").classList.toggle("met", met.has(box.value));
});

function boxes() {
  return [...board.querySelectorAll('input[name="seat"][type="checkbox"]')];
}

function picked() {
  return [...board.querySelectorAll('input[name="seat"]:checked')];
}

function isName(element) {
  return element instanceof HTMLInputElement && element.name === "seat" && element.type === "checkbox";
}

function field() {
  return board.querySelector("#command");
}

function form() {
  return board.querySelector("#pair");
}

// --- acts -------------------------------------------------------------------------------------------------

function press(act) {
  const button = form()?.querySelector(`button[name="act"][value="${act}"]`);
  if (button && !button.disabled) form().requestSubmit(button);
}

async function submit(event) {
  const sent = event.target;
  event.preventDefault();
  const fields = new FormData(sent, event.submitter);
  if (isSending) {
    // Who types fast need not wait: what is typed is sent after what is on its way.
    if (fields.get("act") !== "pair" || !field().value.trim()) return;
    waiting.push(field().value);
    field().value = "";
    return;
  }
  isSending = true;
  const focus = focused();
  sentText = field()?.value ?? "";
  if (fields.get("act") === "pair") field().value = "";
  tell(board.dataset.waits);
  board.classList.add("waiting");
  const answer = await send(location.pathname, fields);
  board.classList.remove("waiting");
  isSending = false;
  if (answer.html !== undefined) put(answer.html, focus);
  else lose(fields, answer.state);
}

/** Leave all as it was: what was typed stands in its field again, also for typed/screen.js before a reload. */
function lose(fields, state) {
  if (fields.get("act") === "pair" && !field().value) field().value = sentText;
  if (state === OTHER) location.reload();
  else tell(board.dataset.lost, true);
}

/** Send what was typed meanwhile; behind a question or a refusal it waits until that is done with. */
function sendWaiting() {
  if (!waiting.length || board.querySelector("#ask, [role=alert]")) return;
  const typing = field().value;
  field().value = waiting.shift();
  press("pair");
  field().value = typing;
}

function put(html, focus) {
  const typing = field()?.value;
  const {selectionStart, selectionEnd} = field() ?? {};
  questions.drop();
  board.innerHTML = html;
  // How far the round is stands above all that an act changes.
  const steps = board.querySelector("#steps");
  if (steps) document.querySelector("#round-steps")?.replaceWith(steps.content);
  document.querySelector(".messagelist")?.remove(); // It describes an earlier state.
  const outcome = board.querySelector("#outcome");
  tell(outcome?.textContent ?? "");
  prepare();
  if (typing) {
    field().value = typing;
    field().setSelectionRange(selectionStart, selectionEnd);
  }
  const row = outcome?.dataset.table && board.querySelector(`#table-${outcome.dataset.table}`);
  if (row) {
    row.classList.add("changed");
    row.scrollIntoView({block: "nearest"});
  }
  const asked = board.querySelector('#ask input[name="reason"], #ask input[type="submit"]');
  (asked ?? again(focus))?.focus({preventScroll: !asked});
  sendWaiting();
}

/** Announce a text, and show it below the field. The announcing element stays when the board is replaced. */
function tell(text, isLost = false) {
  done.textContent = text;
  const shown = board.querySelector(".outcome");
  if (!shown) return;
  shown.textContent = text;
  shown.classList.toggle("lost", isLost);
}

/** What has the focus, in words that hold when the part is replaced. */
function focused() {
  const element = document.activeElement;
  if (isName(element)) return {seat: element.value};
  if (element?.name === "act") return {act: element.value};
  return {id: element?.id || "command"};
}

function again({seat, act, id}) {
  if (seat) return boxes().find(box => box.value === seat);
  if (act) return board.querySelector(`button[value="${act}"]`) ?? board.querySelector("#command");
  return document.getElementById(id) ?? board.querySelector("#command");
}

// --- picking ----------------------------------------------------------------------------------------------

function pick() {
  const chosen = picked();
  if (chosen.length === 2) press("exchange");
  else questions.ask(chosen.map(box => ["seat", box.value]));
}

function clear() {
  waiting = [];
  for (const box of picked()) box.checked = false;
  questions.ask([]);
}

function consider(box) {
  const [first, ...more] = picked();
  if (first && !more.length && box !== first) questions.ask([["seat", first.value], ["seat", box.value]]);
}

/** The names as rows of the arrows: two of a table, one of each list. */
function rows() {
  const found = new Map();
  for (const box of boxes()) {
    const row = box.closest("tr, li");
    found.set(row, [...(found.get(row) ?? []), box]);
  }
  return [...found.values()];
}

function move(arrow) {
  const places = rows();
  const row = places.findIndex(each => each.includes(document.activeElement));
  if (row < 0) return;
  const [to, side] = neighbour(places, [row, places[row].indexOf(document.activeElement)], arrow);
  focusOn(places[to][side]);
}

function focusOn(box) {
  document.activeElement.tabIndex = -1;
  box.tabIndex = 0;
  box.focus();
}

function act(name) {
  if (name !== "undo" && !picked().length) document.activeElement.checked = true;
  press(name);
}

function key(event) {
  const element = document.activeElement;
  const isWriting = element?.matches?.("input:not([type=checkbox], [type=submit]), textarea, select");
  const found = meaning(event, {isOnName: isName(element), isWriting});
  if (!found || !form()) return;
  if (found.clear) {
    if (board.querySelector("#ask")) leave();
    else clear();
    tell("");
    return;
  }
  event.preventDefault();
  if (found.act) act(found.act);
  else if (found.pick) element.click();
  else if (found.arrow) move(found.arrow);
  else if (found.write) board.querySelector("#command").focus();
  else if (found.help) document.querySelector("#keys").toggleAttribute("open");
}

function leave() {
  board.querySelector("#ask").remove();
  clear();
  board.querySelector("#command").focus();
}

// --- dragging ---------------------------------------------------------------------------------------------

function nameAt(event) {
  return event.target.closest?.("label")?.querySelector('input[name="seat"]') ?? null;
}

function follow() {
  board.addEventListener("pointerdown", event => {
    const label = event.target.closest("label");
    if (label && event.pointerType === "mouse") label.draggable = true;
  });
  board.addEventListener("dragstart", event => {
    dragged = nameAt(event);
    if (!dragged) return;
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", dragged.value);
    clear();
    dragged.checked = true;
    board.classList.add("dragging");
  });
  board.addEventListener("dragover", event => {
    const box = nameAt(event);
    if (!dragged || !box || box === dragged) return;
    event.preventDefault();
    if (box.closest("label").classList.contains("over")) return;
    unmark();
    box.closest("label").classList.add("over");
    consider(box);
  });
  board.addEventListener("drop", event => {
    const box = nameAt(event);
    if (!dragged || !box || box === dragged) return;
    event.preventDefault();
    box.checked = true;
    pick();
  });
  board.addEventListener("dragend", () => {
    dragged = null;
    board.classList.remove("dragging");
    unmark();
    if (!isSending) clear();
  });
}

function unmark() {
  for (const label of board.querySelectorAll("label.over")) label.classList.remove("over");
}

// --- start ------------------------------------------------------------------------------------------------

function prepare() {
  boxes().forEach((box, at) => { box.tabIndex = at ? -1 : 0; });
}

board.classList.add("scripted");
prepare();
follow();
board.addEventListener("submit", submit);
board.addEventListener("change", event => { if (isName(event.target)) pick(); });
board.addEventListener("focusin", event => { if (isName(event.target)) consider(event.target); });
board.addEventListener("input", event => {
  if (!["command", "freed"].includes(event.target.id)) return;
  const freed = board.querySelector("#freed")?.value ?? "";
  questions.ask(field().value.trim() ? [["text", field().value], ["freed", freed]] : []);
});
board.addEventListener("click", event => {
  if (!event.target.closest("[data-leave]")) return;
  event.preventDefault();
  leave();
});
document.addEventListener("keydown", key);
// A page out of the browser's own store shows the round as it was then.
addEventListener("pageshow", async event => {
  if (!event.persisted) return;
  const answer = await renew(location.pathname);
  if (answer.html !== undefined) put(answer.html, {id: "command"});
});
