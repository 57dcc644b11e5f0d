import {isDelayed} from "./corrections.js";
import {element} from "./messages.js";

const MARKED = 3_000; // milliseconds
export const WITHOUT_OPPONENT = "off"; // the seat of a line

/**
 * The rows of the results screen: the result that each shows, what became of it, and the way from one to the next.
 * A row's data holds the stored result and its version, with the epoch: compared, never counted; what waits in the queue stands above it.
 */
export class ResultRows {
  /** `onChoice(row, entry, mine)` settles a conflict. */
  constructor({form, queue, messages, onChoice}) {
    Object.assign(this, {form, queue, messages, onChoice});
    this.rows = [...form.querySelectorAll("[data-line]")];
    this.byLine = new Map(this.rows.map(row => [row.dataset.line, row]));
    this.versionsSeen = new Map(); // of the rows that somebody else has filled since the page was shown
    this.onlyMissing = document.querySelector("#only-missing")?.hasAttribute("aria-current") ?? false;
  }

  // --- what a row holds ------------------------------------------------------------------------------------

  field(row) {
    return row.querySelector(".typed");
  }

  text(row) {
    return this.queue.last(row.dataset.line)?.text ?? row.dataset.text;
  }

  isBlocked(row) {
    return row.dataset.state === "conflict";
  }

  entryOf(row, text) {
    const {pairing, board, version} = row.dataset;
    const seen = this.versionsSeen.get(row) ?? version;
    return {pairing: Number(pairing), board: board ? Number(board) : null, text, seen};
  }

  /** Set the stored result, as the server has answered or a choice has settled it. */
  store(row, text, version) {
    Object.assign(row.dataset, {text, version});
    this.versionsSeen.delete(row);
  }

  /** Show what somebody else saved; whoever types over it is asked, by the version that was shown before. */
  showFromOthers(row, text, version) {
    const before = this.versionsSeen.get(row) ?? row.dataset.version;
    this.store(row, text, version);
    this.versionsSeen.set(row, before);
    row.dataset.state = "";
    row.classList.add("changed");
    setTimeout(() => row.classList.remove("changed"), MARKED);
  }

  /** How many results are at the server; what waits in this browser does not count, nor do byes. */
  get storedCount() {
    return this.rows.filter(row => row.dataset.text !== "" && row.dataset.seat !== WITHOUT_OPPONENT).length;
  }

  get undecidedCount() {
    return this.queue.undecided.filter(entry => this.byLine.has(entry.line)).length;
  }

  // --- what it looks like ----------------------------------------------------------------------------------

  paint(row) {
    const entry = this.queue.last(row.dataset.line);
    const state = stateOf(row.dataset, entry);
    if (!row.dataset.typing) this.field(row).value = this.text(row);
    const delay = row.querySelector(".delay");
    if (delay) delay.value = isDelayed(this.text(row)) ? this.text(row) : "";
    this.field(row).setAttribute("aria-invalid", state === "failed" || state === "conflict");
    row.dataset.state = state;
    const painted = state + (entry?.id ?? "");
    if (row.dataset.painted === painted) return; // or the buttons of a conflict would lose the focus
    row.dataset.painted = painted;
    row.querySelector(".state").replaceChildren(...this.stateNodes(row, entry, state));
  }

  stateNodes(row, entry, state) {
    if (state === "conflict") return this.conflictNodes(row, entry);
    if (state === "failed") return [element("strong", this.messages.text("failed")), `: ${entry.outcome.message}`];
    return state ? [this.messages.text(state)] : [];
  }

  conflictNodes(row, entry) {
    const values = this.conflictValues(entry);
    return [
      element("span", `${this.messages.text(values.by ? "conflict" : "conflict_untold", values)} `),
      this.button(this.messages.text("keep", values), () => this.onChoice(row, entry, false)), " ",
      this.button(this.messages.text("put", values), () => this.onChoice(row, entry, true)),
    ];
  }

  /** Return what the messages on a conflict name: both results, and who saved the other one when. */
  conflictValues({outcome: {at, by, text, mine}}) {
    const nothing = this.messages.text("nothing");
    return {by, at, theirs: text || nothing, mine: mine || nothing};
  }

  button(text, act) {
    const button = Object.assign(element("button", text), {type: "button", className: "button"});
    button.addEventListener("click", act);
    return button;
  }

  // --- going about -----------------------------------------------------------------------------------------

  focus(row) {
    if (row.hidden) row.hidden = false;
    this.field(row).focus({preventScroll: true});
    row.scrollIntoView({block: "nearest"});
  }

  move(row, step) {
    const shown = this.rows.filter(each => !each.hidden || each === row);
    const next = shown[shown.indexOf(row) + step];
    if (next) this.focus(next);
  }

  /** Go on to the next row without a result: the next key is never typed over one that stands. */
  advance(row) {
    const next = this.rows.slice(this.rows.indexOf(row) + 1).find(each => !each.hidden && this.text(each) === "");
    if (next) this.focus(next);
  }

  /** Focus the first that is missing, unless the address names another or a refused note asks for attention. */
  focusFirst() {
    if (location.hash || document.querySelector(".note:not([popover])")) return;
    const first = this.rows.find(row => !row.hidden && this.text(row) === "") ?? this.rows[0];
    if (!document.activeElement.matches(".typed")) this.focus(first);
  }

  showOnlyMissing(onlyMissing) {
    this.onlyMissing = onlyMissing;
    const link = document.querySelector("#only-missing");
    if (onlyMissing) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
    // The address says it too, for a reload.
    const address = new URL(location.href);
    if (onlyMissing) address.searchParams.set("missing", "1");
    else address.searchParams.delete("missing");
    history.replaceState(history.state, "", address);
    this.filter();
  }

  filter() {
    for (const row of this.rows) {
      const isDone = this.text(row) !== "" && !["failed", "conflict"].includes(row.dataset.state);
      row.hidden = this.onlyMissing && isDone;
    }
    for (const match of this.form.querySelectorAll("tbody[data-match]")) {
      match.hidden = !match.querySelector("[data-line]:not([hidden])");
    }
  }
}

/**
 * Return the state of a row: "typing", "saving", "saved", "conflict", "failed", or an empty string.
 * @param {{typing: string, state: string}} shown - the data of the row as it stands
 * @param {object} entry - the last entry of its line in the queue, if there is one
 */
export function stateOf(shown, entry) {
  if (shown.typing) return "typing";
  if (!entry) return shown.state === "saving" || shown.state === "saved" ? "saved" : "";
  if (!entry.outcome) return "saving";
  return entry.outcome.state === "conflict" ? "conflict" : "failed";
}
