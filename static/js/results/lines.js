// The lines of the results screen: the result that each shows, what became of it, and the way from one to the
// next. A row's data holds the stored result and its version; what waits in the queue stands above it.
class Lines {
  static MARKED = 3000;

  // `choose(row, entry, mine)` settles a conflict.
  constructor({form, entries, said, choose}) {
    Object.assign(this, {form, entries, said, choose});
    this.rows = [...form.querySelectorAll("[data-line]")];
    this.byLine = new Map(this.rows.map(row => [row.dataset.line, row]));
    this.shown = new Map(); // those that somebody else has filled since, with the version that this page showed
    this.onlyMissing = document.querySelector("#only-missing").hasAttribute("aria-current");
  }

  // --- what a line holds -----------------------------------------------------------------------------------

  field(row) {
    return row.querySelector(".typed");
  }

  text(row) {
    return this.entries.last(row.dataset.line)?.text ?? row.dataset.text;
  }

  isBlocked(row) {
    return row.dataset.state === "conflict";
  }

  entryOf(row, text) {
    const {pairing, board, version} = row.dataset;
    const seen = this.shown.get(row) ?? Number(version);
    return {pairing: Number(pairing), board: board ? Number(board) : null, text, seen};
  }

  // What the server has answered, or a choice has settled.
  store(row, text, version) {
    Object.assign(row.dataset, {text, version});
    this.shown.delete(row);
  }

  // What somebody else saved: whoever types over it is asked, by the version that was shown before.
  bring(row, text, version) {
    const before = this.shown.get(row) ?? Number(row.dataset.version);
    this.store(row, text, version);
    this.shown.set(row, before);
    row.dataset.state = "";
    row.classList.add("changed");
    setTimeout(() => row.classList.remove("changed"), Lines.MARKED);
  }

  // How many results are at the server; what waits in this browser is not in.
  get entered() {
    return this.rows.filter(row => row.dataset.text !== "").length;
  }

  get undecided() {
    return this.entries.undecided.filter(entry => this.byLine.has(entry.line)).length;
  }

  // --- what it looks like ----------------------------------------------------------------------------------

  paint(row) {
    const entry = this.entries.last(row.dataset.line);
    const state = this.stateOf(row, entry);
    if (!row.dataset.typing) this.field(row).value = this.text(row);
    this.field(row).setAttribute("aria-invalid", state === "failed" || state === "conflict");
    row.dataset.state = state;
    const painted = state + (entry?.id ?? "");
    if (row.dataset.painted === painted) return;
    row.dataset.painted = painted;
    row.querySelector(".state").replaceChildren(...this.stateNodes(row, entry, state));
  }

  stateOf(row, entry) {
    if (row.dataset.typing) return "typing";
    if (!entry) return row.dataset.state === "saving" || row.dataset.state === "saved" ? "saved" : "";
    if (!entry.outcome) return "saving";
    return entry.outcome.state === "conflict" ? "conflict" : "failed";
  }

  stateNodes(row, entry, state) {
    if (state === "conflict") return this.conflictNodes(row, entry);
    if (state === "failed") return [node("strong", this.said.say("failed")), `: ${entry.outcome.message}`];
    return state ? [this.said.say(state)] : [];
  }

  conflictNodes(row, entry) {
    const facts = this.factsOf(entry);
    return [
      node("span", `${this.said.say(facts.by ? "conflict" : "conflict_untold", facts)} `),
      this.button(this.said.say("keep", facts), () => this.choose(row, entry, false)), " ",
      this.button(this.said.say("put", facts), () => this.choose(row, entry, true)),
    ];
  }

  factsOf({outcome}) {
    const nothing = this.said.say("nothing");
    const at = outcome.at && new Date(outcome.at).toLocaleTimeString(document.documentElement.lang, {timeStyle: "short"});
    return {by: outcome.by, at, theirs: outcome.text || nothing, mine: outcome.mine || nothing};
  }

  button(text, act) {
    const made = Object.assign(node("button", text), {type: "button", className: "button"});
    made.addEventListener("click", act);
    return made;
  }

  // --- going about -----------------------------------------------------------------------------------------

  focus(row) {
    if (row.hidden) row.hidden = false;
    this.field(row).focus({preventScroll: true});
    row.scrollIntoView({block: "nearest"});
  }

  move(row, step) {
    const seen = this.rows.filter(each => !each.hidden || each === row);
    const next = seen[seen.indexOf(row) + step];
    if (next) this.focus(next);
  }

  // On to the next line without a result: the next key is never typed over one that stands.
  advance(row) {
    const next = this.rows.slice(this.rows.indexOf(row) + 1).find(each => !each.hidden && this.text(each) === "");
    if (next) this.focus(next);
  }

  // The first that is missing, unless the address names another or a refused note asks for attention.
  start() {
    if (location.hash || document.querySelector(".note:not([popover])")) return;
    const first = this.rows.find(row => !row.hidden && this.text(row) === "") ?? this.rows[0];
    if (!document.activeElement.matches(".typed")) this.focus(first);
  }

  // The address says it too, for a reload.
  showOnlyMissing(onlyMissing) {
    this.onlyMissing = onlyMissing;
    const link = document.querySelector("#only-missing");
    if (onlyMissing) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
    const address = new URL(location.href);
    if (onlyMissing) address.searchParams.set("missing", "1");
    else address.searchParams.delete("missing");
    history.replaceState(history.state, "", address);
    this.filter();
  }

  filter() {
    for (const row of this.rows) row.hidden = this.onlyMissing && this.text(row) !== "" && !["failed", "conflict"].includes(row.dataset.state);
    for (const body of this.form.querySelectorAll("tbody[data-match]")) body.hidden = !body.querySelector("[data-line]:not([hidden])");
  }
}
