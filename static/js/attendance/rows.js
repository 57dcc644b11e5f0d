import {ResultRows, stateOf} from "../results/rows.js";

/**
 * The lines at the door: who is marked how, and what became of it. Whoever has the round off has no mark, and
 * is only found by a search.
 */
export class AttendanceRows extends ResultRows {
  entryOf(row, text) {
    const {line, version} = row.dataset;
    return {competitor: Number(line), text, seen: this.versionsSeen.get(row) ?? version};
  }

  showFromOthers(row, text, version, note) {
    super.showFromOthers(row, text, version);
    row.querySelector(".note").textContent = note ?? "";
    this.paint(row);
  }

  paint(row) {
    const entry = this.queue.last(row.dataset.line);
    const state = stateOf(row.dataset, entry);
    const text = this.text(row);
    for (const button of row.querySelectorAll("[data-mark]")) {
      button.setAttribute("aria-pressed", String(button.dataset.mark === text));
      button.disabled = state === "conflict";
    }
    row.dataset.state = state;
    const painted = state + (entry?.id ?? "");
    if (row.dataset.painted === painted) return; // or the buttons of a conflict would lose the focus
    row.dataset.painted = painted;
    row.querySelector(".state").replaceChildren(...this.stateNodes(row, entry, state));
  }

  // The pressed button says it, and the line above the list that everything is saved.
  stateNodes(row, entry, state) {
    return state === "saved" || state === "saving" ? [] : super.stateNodes(row, entry, state);
  }

  /** Return what a message on a conflict names, the marks in words. */
  conflictValues(entry) {
    const {theirs, mine, ...others} = super.conflictValues(entry);
    return {...others, theirs: this.word(entry.outcome.text), mine: this.word(entry.outcome.mine)};
  }

  word(mark) {
    return this.messages.text(mark || "nothing");
  }

  focus(row) {
    row.querySelector("[data-mark]").focus({preventScroll: true});
    row.scrollIntoView({block: "nearest"});
  }

  /** Return how many lines have each mark, blank for none. */
  counts() {
    const counts = {"": 0, present: 0, late: 0, absent: 0};
    for (const row of this.rows) counts[this.text(row)] += 1;
    return counts;
  }
}
