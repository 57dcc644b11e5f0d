import {element} from "./messages.js";

export const NARROW = "(max-width: 40rem)"; // as in desk.css

/**
 * The results of a line as big buttons, for phones: the usual ones, and the rest behind a press. The field stays,
 * unseen, for whoever has keys; it calls up no keyboard on glass unless a result is to be typed in full.
 */
export class ResultTaps {
  /**
   * @param {object} options
   * @param {Object<string, [string[], string[]]>} options.buttons - usual and further results by the seat of a line
   * @param {function} options.textOf - returns the result that a row shows
   * @param {function} options.onTap - called with the row and the result that was pressed, blank to clear it
   * @param {function} options.onType - called with the row whose result is to be typed in full
   */
  constructor({buttons, words, textOf, onTap, onType}) {
    Object.assign(this, {buttons, words, textOf, onTap, onType});
    this.groups = new Map(); // by row
  }

  /** Give each of these rows its buttons, once; those of seats that have none keep their field. */
  build(rows) {
    for (const row of rows.filter(each => this.buttons[each.dataset.seat] && !this.groups.has(each))) {
      const group = Object.assign(document.createElement("div"), {className: "taps"});
      group.setAttribute("role", "group");
      group.setAttribute("aria-label", row.dataset.name);
      group.addEventListener("click", event => this.press(row, event.target.closest("button")));
      const field = row.querySelector(".typed");
      field.after(group);
      field.inputMode = "none";
      row.classList.add("tapped");
      this.groups.set(row, group);
      this.paint(row);
    }
  }

  press(row, button) {
    if (!button) return;
    const {result, act} = button.dataset;
    if (act === "more" && !row.dataset.opened) row.dataset.opened = "yes";
    else delete row.dataset.opened;
    if (result !== undefined) this.onTap(row, result);
    this.paint(row);
    if (act === "type") return this.type(row);
    this.groups.get(row).querySelector(`[data-result="${result}"], [data-act="more"]`).focus();
  }

  type(row) {
    const field = row.querySelector(".typed");
    field.inputMode = "text";
    field.addEventListener("blur", () => { field.inputMode = "none"; }, {once: true});
    this.onType(row);
  }

  /** Show the buttons of a row as its result stands now. */
  paint(row) {
    const group = this.groups.get(row);
    const [text, isOpen] = [this.textOf(row), Boolean(row.dataset.opened)];
    const painted = `${text}|${isOpen}`;
    if (!group || group.dataset.painted === painted) return; // or a press in between would meet another button
    group.dataset.painted = painted;
    const nodes = tapsOf(this.buttons[row.dataset.seat], text, isOpen).map(result => this.result(result, text));
    if (isOpen) nodes.push(this.act("type", this.words.in_full));
    const more = this.act("more", isOpen ? this.words.less : text ? this.words.change : "…");
    more.setAttribute("aria-expanded", isOpen);
    if (!isOpen && !text) more.setAttribute("aria-label", this.words.more);
    group.replaceChildren(...nodes, more);
  }

  result(result, text) {
    const button = element("button", result || this.words.clear);
    Object.assign(button, {type: "button", className: "tap"});
    button.dataset.result = result;
    button.setAttribute("aria-pressed", result === text && result !== "");
    return button;
  }

  act(act, words) {
    const button = Object.assign(element("button", words), {type: "button", className: "tap act"});
    button.dataset.act = act;
    return button;
  }
}

/**
 * Return the results that have a button: of a line without one the usual ones, of one with a result that alone, so
 * that no stray finger changes it; of an opened line all, and a blank one that clears it.
 */
export function tapsOf([usual, further], text, isOpen) {
  if (isOpen) return [...usual, ...further, ...(text ? [""] : [])];
  return text ? [text] : usual;
}
