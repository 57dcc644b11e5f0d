// The results screen by keyboard: one key a result, and the next line comes by itself. What is typed goes into
// the queue of entries.js.
(() => {
  const form = document.querySelector("#results");
  if (!form.querySelector("[data-line]")) return;
  const keys = JSON.parse(form.dataset.keys);
  const begins = JSON.parse(form.dataset.begins);
  const place = {event: form.dataset.event, round: form.dataset.round};
  const user = Number(form.dataset.user);
  const undone = []; // what stood before each result typed here, the latest last
  let latest = null; // the line typed last

  const said = new Said(form);
  const entries = new Entries({address: form.dataset.entries, place, user, told, turned});
  const lines = new Lines({form, entries, said, choose});
  const sums = new Sums(form);
  const corrections = new Corrections({form, said});

  // --- typing ----------------------------------------------------------------------------------------------

  async function type(row, text, {reason = "", remember = true} = {}) {
    const before = lines.text(row);
    delete row.dataset.typing;
    if (text === before && !entries.last(row.dataset.line)?.outcome) return lines.paint(row);
    if (!reason && corrections.areNeeded(row)) reason = await reasonOf(row, text);
    if (reason === null) return lines.paint(row);
    if (remember) undone.push([row, before]);
    latest = row;
    entries.add(row.dataset.line, {...lines.entryOf(row, text), reason});
    lines.paint(row);
  }

  async function reasonOf(row, text) {
    const reason = await corrections.ask(row, lines.entryOf(row, text));
    lines.focus(row);
    return reason;
  }

  // Theirs is what the conflict showed; a third result saved meanwhile is a conflict again.
  function choose(row, entry, mine) {
    entries.drop(entry);
    lines.store(row, entry.outcome.text, entry.outcome.version);
    if (mine) type(row, entry.text, {reason: entry.reason});
    else lines.paint(row);
    lines.focus(row);
  }

  function undo() {
    const [row, text] = undone.pop() ?? [];
    if (!row) return said.announce(said.say("nothing_to_undo"));
    lines.focus(row);
    if (!lines.isBlocked(row)) type(row, text, {remember: false});
  }

  function open(row, text = null) {
    const field = lines.field(row);
    row.dataset.typing = "yes";
    if (text !== null) field.value = text;
    lines.paint(row);
    lines.focus(row);
    if (text === null) field.select();
    else field.setSelectionRange(text.length, text.length);
  }

  function close(row, {save}) {
    const text = lines.field(row).value.trim();
    delete row.dataset.typing;
    if (save) type(row, text);
    else lines.paint(row);
  }

  // --- keys ------------------------------------------------------------------------------------------------

  form.addEventListener("keydown", event => {
    if (!event.target.matches(".typed") || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const row = event.target.closest("tr");
    if (row.dataset.typing ? typingKey(row, event.key) : key(row, event.key)) event.preventDefault();
  });

  // Keyboards on glass tell no key: what they wrote is taken for one.
  form.addEventListener("input", event => {
    const row = event.target.closest("[data-line]");
    if (!row || row.dataset.typing || !event.target.matches(".typed")) return;
    const sign = event.data?.at(-1) ?? "";
    lines.field(row).value = lines.text(row);
    if (sign && !key(row, sign)) open(row, sign);
  });

  function typingKey(row, pressed) {
    const step = {Enter: 1, ArrowDown: 1, ArrowUp: -1}[pressed];
    if (pressed === "Escape") close(row, {save: false});
    else if (step) { close(row, {save: true}); lines.move(row, step); }
    else return false;
    return true;
  }

  // Whether the key is one of ours; others are the browser's.
  function key(row, pressed) {
    const name = pressed.length === 1 ? pressed.toLowerCase() : pressed;
    const act = {
      ArrowDown: () => lines.move(row, 1), ArrowUp: () => lines.move(row, -1), n: () => annotate(row), u: undo,
      "?": () => document.querySelector("#keys").toggleAttribute("open"),
    }[name];
    if (act) act();
    else if (lines.isBlocked(row)) return decide(row, name);
    else return result(row, name);
    return true;
  }

  function decide(row, name) {
    const entry = entries.last(row.dataset.line);
    if (name === "k" || name === "m") choose(row, entry, name === "m");
    else if (name.length > 1 && name !== "Enter" && name !== "Delete" && name !== "Backspace") return false;
    else said.announce(said.say("choose_first"));
    return true;
  }

  function result(row, name) {
    const text = keys[row.dataset.seat][name];
    if (name === "Delete" || name === "Backspace") type(row, "");
    else if (name === "Enter") open(row);
    else if (name === "g" && row.dataset.seat !== "off") games(row);
    else if (text !== undefined) { type(row, text); lines.advance(row); }
    else if (begins[row.dataset.seat].includes(name)) open(row, name);
    else if (name.length === 1 && name !== " ") said.announce(said.say("no_key", {key: name}));
    else return name === " ";
    return true;
  }

  // How many games a micro-match took: of this line, or of the one just typed where this is still empty.
  function games(row) {
    const at = !lines.text(row) && latest && lines.text(latest) ? latest : row;
    if (!lines.isBlocked(at)) open(at, `${lines.text(at).replace(/ g\d+$/, "")} g`);
  }

  // A browser that knows no popovers shows every note below the lines, as the page shows one that was refused.
  function annotate(row) {
    const note = document.querySelector(`#note-${row.dataset.pairing}`);
    if (note.popover) note.showPopover();
    else note.querySelector("textarea").focus();
  }

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
    if (row?.dataset.typing && event.target.matches(".typed")) close(row, {save: true});
  });
  form.addEventListener("focusin", event => event.target.matches(".typed") && !event.target.closest("tr").dataset.typing && event.target.select());
  form.addEventListener("submit", event => event.preventDefault());

  document.querySelector("#only-missing").addEventListener("click", event => {
    event.preventDefault();
    lines.showOnlyMissing(!lines.onlyMissing);
  });

  // --- what became of it -----------------------------------------------------------------------------------

  function told(entry, outcome, following) {
    const row = lines.byLine.get(entry.line);
    if (!row) return tellLost(entry, outcome);
    if (outcome.state !== "refused") lines.store(row, outcome.text, outcome.version);
    if (outcome.state !== "saved" && !outcome.agrees) announceTrouble(row, following ?? entry, outcome);
    lines.paint(row);
  }

  // A line that is gone, or not on this page, cannot show what became of it.
  function tellLost(entry, outcome) {
    if (outcome.state !== "refused") return;
    entries.drop(entry);
    said.tell(said.say("no_line", {text: entry.text, message: outcome.message}));
  }

  function announceTrouble(row, entry, outcome) {
    const facts = {label: row.dataset.label, message: outcome.message};
    if (outcome.state === "refused") said.announce(said.say("told_failed", facts));
    else said.announce(said.say("told_conflict", {...lines.factsOf(entry), ...facts}));
  }

  function turned() {
    lines.rows.forEach(row => lines.paint(row));
    sums.show(row => lines.text(row));
    document.querySelector("#entered").textContent = lines.entered;
    said.tellConnection(entries, lines.undecided);
  }

  // --- the start -------------------------------------------------------------------------------------------

  function tellOthers() {
    const texts = Entries.elsewhere(place, user).map(([round, account]) =>
      account === String(user) ? said.say("elsewhere", {round}) : said.say("others_wait"));
    new Set(texts).forEach(text => said.tell(text));
  }

  document.querySelector("#plain").hidden = true;
  document.querySelectorAll("#keys [hidden]").forEach(part => { part.hidden = false; });
  document.querySelector("#keys").open = innerWidth > 600;
  addEventListener("online", () => entries.send());
  addEventListener("beforeunload", event => { if (!entries.isKept && entries.waiting.length) event.preventDefault(); });
  new News({form, entries, lines, turned});
  entries.adopt();
  entries.undecided.filter(entry => !lines.byLine.has(entry.line)).forEach(entry => tellLost(entry, entry.outcome));
  tellOthers();
  lines.start();
})();
