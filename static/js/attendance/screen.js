// Attendance at the door: a press is a mark, kept in the browser until the server has it.

import {Messages} from "../results/messages.js";
import {EntryQueue} from "../results/queue.js";
import {Updates} from "../results/updates.js";
import {AttendanceRows} from "./rows.js";
import {folded, matchesQuery, onlyMatch} from "./search.js";

const form = document.querySelector("#attendance");
const field = document.querySelector("#find-who");
const onlyUnmarked = document.querySelector("#only-unmarked");
const lines = [...form.querySelectorAll(".door > li")];

const {event, round, user} = form.dataset;
const place = {screen: "attendance", event, round, account: Number(user)};
const messages = new Messages(form);
const queue = new EntryQueue({address: form.dataset.entries, place, onAnswer: showOutcome, onChange: show});
const rows = new AttendanceRows({form, queue, messages, onChoice: choose});

function mark(row, text) {
  const isTakenBack = rows.text(row) === text; // the button that is pressed already
  const now = isTakenBack ? "" : text;
  queue.add(row.dataset.line, rows.entryOf(row, now));
  row.querySelector(".note").textContent = "";
  rows.paint(row);
  messages.announce(messages.text("told_marked", {label: row.dataset.label, text: rows.word(now)}));
}

// Theirs is what the conflict showed; a third mark made meanwhile is a conflict again.
function choose(row, entry, mine) {
  queue.remove(entry);
  rows.store(row, entry.outcome.text, entry.outcome.version);
  if (mine) queue.add(row.dataset.line, rows.entryOf(row, entry.text));
  rows.paint(row);
  rows.focus(row);
}

function showOutcome(entry, outcome, following) {
  const row = rows.byLine.get(entry.line);
  if (!row) return showLost(entry, outcome);
  if (outcome.state !== "refused") rows.store(row, outcome.text, outcome.version);
  if (outcome.state !== "saved" && !outcome.agrees) announceTrouble(row, following ?? entry, outcome);
  rows.paint(row);
}

function showLost(entry, outcome) {
  if (outcome.state !== "refused") return;
  queue.remove(entry);
  messages.addNotice(messages.text("no_line", {text: rows.word(entry.text), message: outcome.message}));
}

function announceTrouble(row, entry, outcome) {
  const {label} = row.dataset;
  messages.announce(outcome.state === "refused"
    ? messages.text("told_failed", {label, message: outcome.message})
    : messages.text("told_conflict", {label, ...rows.conflictValues(entry)}));
}

function show() {
  rows.rows.forEach(row => rows.paint(row));
  for (const [state, count] of Object.entries(rows.counts())) {
    document.querySelector(`[data-count="${state}"]`).textContent = count;
  }
  messages.showConnection(queue, rows.undecidedCount);
}

// --- finding -------------------------------------------------------------------------------------------------

function filter() {
  const asked = folded(field.value);
  const isLookingForUnmarked = onlyUnmarked.querySelector("input").checked;
  for (const line of lines) {
    const isDone = line.dataset.line ? rows.text(line) !== "" && !["failed", "conflict"].includes(line.dataset.state) : true;
    line.hidden = Boolean(asked) && !matchesQuery(asked, line.dataset.words) || isLookingForUnmarked && !asked && isDone;
  }
  return lines.filter(line => !line.hidden);
}

// Enter marks the only one found present, and the field is ready for the next.
document.querySelector("#find").addEventListener("submit", submitted => {
  submitted.preventDefault();
  const found = onlyMatch(folded(field.value), filter().filter(line => line.dataset.line));
  if (!found) return messages.announce(messages.text("found", {count: filter().length}));
  if (rows.text(found) !== "present" && !rows.isBlocked(found)) mark(found, "present");
  field.value = "";
  filter();
});
field.addEventListener("input", filter);
onlyUnmarked.addEventListener("change", filter);

form.addEventListener("submit", submitted => submitted.preventDefault());
form.addEventListener("click", clicked => {
  const button = clicked.target.closest("[data-mark]");
  if (!button) return;
  mark(button.closest("li"), button.dataset.mark);
  if (!field.value) return;
  field.value = "";
  field.focus();
  filter();
});

// --- the start -----------------------------------------------------------------------------------------------

onlyUnmarked.hidden = false;
document.querySelector("#find-plain").hidden = true;
addEventListener("online", () => queue.send());
addEventListener("beforeunload", left => { if (!queue.isStored && queue.waiting.length) left.preventDefault(); });
new Updates({form, queue, rows, onPoll: show});
queue.adopt();
filter();
