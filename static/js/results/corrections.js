import {element} from "./messages.js";
import {newId, request} from "./server.js";

/** The dialog that asks for the reason of a correction, and tells which places would move. */
export class CorrectionDialog {
  constructor({form, messages}) {
    Object.assign(this, {form, messages});
    this.dialog = document.querySelector("#correction");
    [this.what, this.moves, this.reason] = [".what", ".moves", "#because"].map(part => this.dialog.querySelector(part));
  }

  /** Return the reason that was given, or null where the result is to stay as it is. */
  async ask(row, entry) {
    const nothing = this.messages.text("nothing");
    const values = {name: row.dataset.name, was: row.dataset.text || nothing, now: entry.text || nothing};
    this.what.textContent = this.messages.text("becomes", values);
    this.reason.value = "";
    this.dialog.returnValue = "";
    this.dialog.showModal();
    this.reason.focus();
    this.showMoves(entry);
    await new Promise(resolve => this.dialog.addEventListener("close", resolve, {once: true}));
    return this.dialog.returnValue === "correct" && this.reason.value.trim() ? this.reason.value.trim() : null;
  }

  async showMoves(entry) {
    this.moves.replaceChildren(this.messages.text("working_out"));
    try {
      const answer = await request(this.form.dataset.trial, {entries: [{...entry, id: newId()}]});
      const {outcomes: [outcome], moves} = await answer.json();
      this.moves.replaceChildren(...this.moveNodes(outcome, moves));
    } catch {
      this.moves.replaceChildren(this.messages.text("moves_untold"));
    }
  }

  moveNodes(outcome, moves) {
    if (outcome.state !== "saved") return [outcome.message];
    const notes = outcome.message ? [element("p", outcome.message)] : []; // rounds that were paired from the old result
    if (!moves.length) return [this.messages.text("no_moves"), ...notes];
    const list = document.createElement("ul");
    list.append(...moves.map(move => element("li", move)));
    return [this.messages.text("moves"), list, ...notes];
  }
}

/** Return whether this is the mark of a game without a result that does not block the next round. */
export function isDelayed(text) {
  return text === "postponed" || text === "adjourned";
}

/**
 * Return whether a change of a stored result needs a reason: readers may take it for settled.
 * @param {string} needs - "always", "standing" (where a result stands), or anything else for never
 */
export function needsReason(needs, stored) {
  if (isDelayed(stored)) return false;
  return needs === "always" || (needs === "standing" && stored !== "");
}
