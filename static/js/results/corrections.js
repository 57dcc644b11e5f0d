// A result that readers took for settled is changed only with a reason: a dialog asks for it, and tells which
// places would move.
class Corrections {
  constructor({form, said}) {
    Object.assign(this, {form, said});
    this.dialog = document.querySelector("#correction");
    [this.what, this.moves, this.because] = [".what", ".moves", "#because"].map(part => this.dialog.querySelector(part));
  }

  areNeeded(row) {
    const {needs} = this.form.dataset;
    return needs === "always" || (needs === "standing" && row.dataset.text !== "");
  }

  // The reason that was given, or null where the result is to stay as it is.
  async ask(row, entry) {
    const nothing = this.said.say("nothing");
    const facts = {name: row.dataset.name, was: row.dataset.text || nothing, now: entry.text || nothing};
    this.what.textContent = this.said.say("becomes", facts);
    this.because.value = "";
    this.dialog.returnValue = "";
    this.dialog.showModal();
    this.because.focus();
    this.tellMoves(entry);
    await new Promise(resolve => this.dialog.addEventListener("close", resolve, {once: true}));
    return this.dialog.returnValue === "correct" && this.because.value.trim() ? this.because.value.trim() : null;
  }

  async tellMoves(entry) {
    this.moves.replaceChildren(this.said.say("working_out"));
    try {
      const answer = await ask(this.form.dataset.trial, {entries: [{...entry, id: newId()}]});
      const {outcomes: [outcome], moves} = await answer.json();
      this.moves.replaceChildren(...this.nodes(outcome, moves));
    } catch {
      this.moves.replaceChildren(this.said.say("moves_untold"));
    }
  }

  nodes(outcome, moves) {
    if (outcome.state !== "saved") return [outcome.message];
    if (!moves.length) return [this.said.say("no_moves")];
    const list = document.createElement("ul");
    list.append(...moves.map(move => node("li", move)));
    return [this.said.say("moves"), list];
  }
}
