// The results screen by keyboard: one key a result, and the next line comes by itself.

import {CorrectionDialog, needsReason} from "./corrections.js";
import {commandOf} from "./keys.js";
import {Messages} from "./messages.js";
import {EntryQueue} from "./queue.js";
import {ResultRows, WITHOUT_OPPONENT} from "./rows.js";
import {showScores, withoutGames} from "./scores.js";
import {agreedIn, resultToTake, showAgreed, showSent} from "./sent.js";
import {showSteps} from "./steps.js";
import {waitingElsewhere} from "./storage.js";
import {NARROW, ResultTaps} from "./taps.js";
import {Updates} from "./updates.js";

const form = document.querySelector("#results");
if (form.querySelector("[data-line]")) start();

function start() {
  const {event, round, user} = form.dataset;
  const place = {event, round, account: Number(user)};
  const resultsOfKeys = JSON.parse(form.dataset.keys); // by seat
  const beginnings = JSON.parse(form.dataset.begins); // by seat
  const undone = []; // the row and what stood there before each result typed here, the latest last
  let latest = null; // the row typed last

  const messages = new Messages(form);
  const queue = new EntryQueue({address: form.dataset.entries, place, onAnswer: showOutcome, onChange: show});
  const rows = new ResultRows({form, queue, messages, onChoice: choose});
  const dialog = new CorrectionDialog({form, messages});
  const taps = new ResultTaps({
    buttons: JSON.parse(form.dataset.taps),
    words: messages.sentences,
    textOf: row => rows.text(row),
    onTap: (row, text) => { if (!rows.isBlocked(row)) enter(row, text); },
    onType: row => open(row),
  });

  // --- typing ----------------------------------------------------------------------------------------------

  async function enter(row, text, {reason = "", isUndo = false} = {}) {
    const before = rows.text(row);
    delete row.dataset.typing;
    if (text === before && !queue.last(row.dataset.line)?.outcome) return rows.paint(row);
    if (!reason && needsReason(form.dataset.needs, row.dataset.text)) reason = await askReason(row, text);
    if (reason === null) return rows.paint(row);
    if (!isUndo) undone.push([row, before]);
    latest = row;
    queue.add(row.dataset.line, {...rows.entryOf(row, text), reason});
    rows.paint(row);
  }

  async function askReason(row, text) {
    const reason = await dialog.ask(row, rows.entryOf(row, text));
    rows.focus(row);
    return reason;
  }

  // Theirs is what the conflict showed; a third result saved meanwhile is a conflict again.
  function choose(row, entry, mine) {
    queue.remove(entry);
    rows.store(row, entry.outcome.text, entry.outcome.version);
    if (mine) enter(row, entry.text, {reason: entry.reason});
    else rows.paint(row);
    rows.focus(row);
  }

  function undo() {
    const [row, text] = undone.pop() ?? [];
    if (!row) return messages.announce(messages.text("nothing_to_undo"));
    rows.focus(row);
    if (!rows.isBlocked(row)) enter(row, text, {isUndo: true});
  }

  function open(row, text = null) {
    const field = rows.field(row);
    row.dataset.typing = "yes";
    if (text !== null) field.value = text;
    rows.paint(row);
    rows.focus(row);
    if (text === null) field.select();
    else field.setSelectionRange(text.length, text.length);
  }

  function abandon(row) {
    delete row.dataset.typing;
    rows.paint(row);
  }

  function finish(row) {
    enter(row, rows.field(row).value.trim());
  }

  // How many games a micro-match took: of this line, or of the one just typed where this is still empty.
  function countGames(row) {
    const counted = !rows.text(row) && latest && rows.text(latest) ? latest : row;
    if (!rows.isBlocked(counted)) open(counted, `${withoutGames(rows.text(counted))} g`);
  }

  // A browser that knows no popovers shows every note below the lines, as the page shows one that was refused.
  function annotate(row) {
    const note = document.querySelector(`#note-${row.dataset.pairing}`);
    if (note.popover) note.showPopover();
    else note.querySelector("textarea").focus();
  }

  // --- keys ------------------------------------------------------------------------------------------------

  const acts = {
    abandon,
    annotate,
    countGames,
    undo,
    choose: (row, {mine}) => choose(row, queue.last(row.dataset.line), mine),
    clear: row => enter(row, ""),
    enter: (row, {text}) => { enter(row, text); rows.advance(row); },
    finish: (row, {step}) => { finish(row); rows.move(row, step); },
    ignore: () => {},
    move: (row, {step}) => rows.move(row, step),
    open: (row, {text}) => open(row, text),
    refuse: (row, {message, key}) => messages.announce(messages.text(message, {key})),
    // The next key must not go over a result that was just taken.
    takeAll: row => { takeAll(); if (rows.text(row)) rows.advance(row); },
    showKeys: () => document.querySelector("#keys").toggleAttribute("open"),
  };

  /** Do what a key does on a row; return whether it is one of ours. */
  function press(row, key) {
    const found = commandOf(key, {
      isTyping: Boolean(row.dataset.typing),
      isBlocked: rows.isBlocked(row),
      hasOpponent: row.dataset.seat !== WITHOUT_OPPONENT,
      results: resultsOfKeys[row.dataset.seat],
      beginnings: beginnings[row.dataset.seat],
      takesSent: "sent" in form.dataset,
      sent: resultToTake(row),
    });
    if (found) acts[found.command](row, found);
    return Boolean(found);
  }

  form.addEventListener("keydown", event => {
    if (!event.target.matches(".typed") || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (press(event.target.closest("tr"), event.key)) event.preventDefault();
  });

  // Keyboards on glass tell no key: what they wrote is taken for one.
  form.addEventListener("input", event => {
    const row = event.target.closest("[data-line]");
    if (!row || row.dataset.typing || !event.target.matches(".typed")) return;
    rows.field(row).value = rows.text(row);
    if (event.data) press(row, event.data.at(-1));
  });

  // One result pasted goes into its line; several go to the screen that shows them in words.
  form.addEventListener("paste", event => {
    const text = event.clipboardData.getData("text").trim();
    if (!event.target.matches(".typed") || event.target.closest("tr").dataset.typing) return;
    event.preventDefault();
    if (!text.includes("\n")) return open(event.target.closest("tr"), text);
    const block = document.querySelector("#block");
    block.elements.text.value = text;
    block.submit();
  });

  form.addEventListener("focusout", event => {
    const row = event.target.closest("[data-line]");
    if (row?.dataset.typing && event.target.matches(".typed")) finish(row);
  });

  form.addEventListener("focusin", event => {
    if (event.target.matches(".typed") && !event.target.closest("tr").dataset.typing) event.target.select();
  });

  form.addEventListener("change", event => {
    if (event.target.matches(".delay")) enter(event.target.closest("tr"), event.target.value);
  });

  form.addEventListener("submit", event => event.preventDefault());

  // What players sent goes the way of what is typed: through the queue, over the version that is shown.
  form.addEventListener("click", event => {
    const button = event.target.closest(".take, #take-all");
    if (!button) return;
    event.preventDefault();
    if (button.id === "take-all") takeAll();
    else enter(button.closest("tr"), button.value);
  });

  function takeAll() {
    for (const {row, text} of agreedIn(rows.rows)) if (!rows.isBlocked(row)) enter(row, text);
  }

  document.querySelector("#only-missing").addEventListener("click", event => {
    event.preventDefault();
    rows.showOnlyMissing(!rows.onlyMissing);
  });

  // --- what became of it -----------------------------------------------------------------------------------

  function showOutcome(entry, outcome, following) {
    const row = rows.byLine.get(entry.line);
    if (!row) return showLost(entry, outcome);
    if (outcome.state !== "refused") rows.store(row, outcome.text, outcome.version);
    if (outcome.state !== "saved" && !outcome.agrees) announceTrouble(row, following ?? entry, outcome);
    if (outcome.state === "saved" && outcome.message) messages.addNotice(outcome.message);
    rows.paint(row);
  }

  // A line that is gone, or not on this page, cannot show what became of it.
  function showLost(entry, outcome) {
    if (outcome.state !== "refused") return;
    queue.remove(entry);
    messages.addNotice(messages.text("no_line", {text: entry.text, message: outcome.message}));
  }

  function announceTrouble(row, entry, outcome) {
    const {label} = row.dataset;
    const text = outcome.state === "refused"
      ? messages.text("told_failed", {label, message: outcome.message})
      : messages.text("told_conflict", {label, ...rows.conflictValues(entry)});
    messages.announce(text);
  }

  function show() {
    rows.rows.forEach(row => { rows.paint(row); taps.paint(row); });
    showAgreed(form, rows.rows);
    showScores(form, row => rows.text(row));
    document.querySelector("#entered").textContent = rows.storedCount;
    showSteps({
      isBegun: rows.rows.some(row => row.dataset.seat !== WITHOUT_OPPONENT && rows.text(row) !== ""),
      isComplete: rows.rows.every(row => row.dataset.text !== "") && !queue.waiting.length && !rows.undecidedCount,
    });
    messages.showConnection(queue, rows.undecidedCount);
  }

  // --- the start -------------------------------------------------------------------------------------------

  function showWaitingElsewhere() {
    const texts = waitingElsewhere(place).map(([otherRound, account]) =>
      account === user ? messages.text("elsewhere", {round: otherRound}) : messages.text("others_wait"));
    new Set(texts).forEach(text => messages.addNotice(text));
  }

  document.querySelector("#plain").hidden = true;
  document.querySelectorAll("#keys [hidden]").forEach(part => { part.hidden = false; });
  document.querySelector("#keys").open = innerWidth > 600;
  const narrow = matchMedia(NARROW);
  const buildTaps = () => { if (narrow.matches) taps.build(rows.rows); };
  narrow.addEventListener("change", buildTaps);
  buildTaps();
  addEventListener("online", () => queue.send());
  addEventListener("beforeunload", event => { if (!queue.isStored && queue.waiting.length) event.preventDefault(); });
  new Updates({form, queue, rows, onPoll: show, onSent: sent => showSent(form, rows.rows, sent)});
  queue.adopt();
  for (const entry of queue.undecided.filter(each => !rows.byLine.has(each.line))) showLost(entry, entry.outcome);
  showWaitingElsewhere();
  rows.focusFirst();
}
