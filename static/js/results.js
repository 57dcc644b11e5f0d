// The results screen by keyboard: one key a result, and the next line comes by itself. What is typed goes into
// the queue of entries.js; what others type comes in every five seconds and never over what is being typed.
(() => {
  const EVERY = 5000;
  const MARKED = 3000;

  const form = document.querySelector("#results");
  if (!form.querySelector("[data-line]")) return;
  const said = document.querySelector("#said");
  const keys = JSON.parse(form.dataset.keys);
  const words = JSON.parse(form.dataset.words);
  const place = {event: form.dataset.event, round: form.dataset.round};
  const user = Number(form.dataset.user);

  const rows = [...form.querySelectorAll("[data-line]")];
  const byLine = new Map(rows.map(row => [row.dataset.line, row]));
  const field = row => row.querySelector(".typed");
  const shown = row => entries.last(row.dataset.line)?.text ?? row.dataset.text;
  const fresh = new Map(); // lines that somebody else has just filled, with the version before: his may not have been seen
  const undone = []; // what stood before each result typed here, the latest last
  let onlyMissing = document.querySelector("#only-missing").hasAttribute("aria-current");
  let latest = null; // the line typed last
  let heard = ""; // what was said of the connection

  const entries = new Entries({address: form.dataset.entries, place, user, told, turned});

  function say(name, facts = {}) {
    return words[name].replace(/%\((\w+)\)s/g, (_, key) => facts[key] ?? "");
  }

  // --- one line --------------------------------------------------------------------------------------------

  function paint(row) {
    const entry = entries.last(row.dataset.line);
    const state = stateOf(row, entry);
    if (!row.dataset.typing) field(row).value = shown(row);
    field(row).setAttribute("aria-invalid", state === "failed" || state === "conflict");
    row.dataset.state = state;
    const painted = state + (entry?.id ?? "");
    if (row.dataset.painted === painted) return;
    row.dataset.painted = painted;
    row.querySelector(".state").replaceChildren(...stateNodes(row, entry, state));
  }

  function stateOf(row, entry) {
    if (row.dataset.typing) return "typing";
    if (!entry) return row.dataset.state === "saving" || row.dataset.state === "saved" ? "saved" : "";
    if (!entry.outcome) return "saving";
    return entry.outcome.state === "conflict" ? "conflict" : "failed";
  }

  function stateNodes(row, entry, state) {
    if (state === "conflict") return conflictNodes(row, entry);
    if (state === "failed") return [node("strong", say("failed")), `: ${entry.outcome.message}`];
    return state ? [say(state)] : [];
  }

  function conflictNodes(row, entry) {
    const facts = factsOf(entry);
    return [
      node("span", `${say(facts.by ? "conflict" : "conflict_untold", facts)} `),
      button(say("keep", facts), () => choose(row, entry, false)), " ",
      button(say("put", facts), () => choose(row, entry, true)),
    ];
  }

  function factsOf({outcome}) {
    const at = outcome.at && new Date(outcome.at).toLocaleTimeString(document.documentElement.lang, {timeStyle: "short"});
    return {by: outcome.by, at, theirs: outcome.text || say("nothing"), mine: outcome.mine || say("nothing")};
  }

  // Theirs is what the conflict showed; a third result saved meanwhile is a conflict again.
  function choose(row, entry, mine) {
    entries.drop(entry);
    store(row, entry.outcome.text, entry.outcome.version);
    if (mine) type(row, entry.text, {reason: entry.reason, remember: true});
    else paint(row);
    focus(row);
  }

  function store(row, text, version) {
    Object.assign(row.dataset, {text, version});
  }

  function node(name, text) {
    return Object.assign(document.createElement(name), {textContent: text});
  }

  function button(text, act) {
    const made = Object.assign(node("button", text), {type: "button", className: "button"});
    made.addEventListener("click", act);
    return made;
  }

  // --- typing ----------------------------------------------------------------------------------------------

  function isBlocked(row) {
    return row.dataset.state === "conflict";
  }

  async function type(row, text, {reason = "", remember = true} = {}) {
    const before = shown(row);
    delete row.dataset.typing;
    if (text === before && !entries.last(row.dataset.line)?.outcome) return paint(row);
    if (!reason && needsReason(row)) reason = await corrections.ask(row, entryOf(row, text));
    if (reason === null) return paint(row);
    if (remember) undone.push([row, before]);
    latest = row;
    entries.add(row.dataset.line, {...entryOf(row, text), reason});
    paint(row);
  }

  function entryOf(row, text) {
    const {pairing, board, version} = row.dataset;
    const seen = fresh.get(row) ?? Number(version);
    return {pairing: Number(pairing), board: board ? Number(board) : null, text, seen};
  }

  function needsReason(row) {
    return form.dataset.needs === "always" || (form.dataset.needs === "standing" && row.dataset.text !== "");
  }

  function undo() {
    const [row, text] = undone.pop() ?? [];
    if (!row) return announce(say("nothing_to_undo"));
    focus(row);
    if (!isBlocked(row)) type(row, text, {remember: false});
  }

  function open(row, text = null) {
    row.dataset.typing = "yes";
    if (text !== null) field(row).value = text;
    paint(row);
    focus(row);
    if (text === null) field(row).select();
    else field(row).setSelectionRange(text.length, text.length);
  }

  function close(row, {save}) {
    const text = field(row).value.trim();
    delete row.dataset.typing;
    if (save) type(row, text);
    else paint(row);
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
    field(row).value = shown(row);
    if (sign && !key(row, sign)) open(row, sign);
  });

  function typingKey(row, pressed) {
    const step = {Enter: 1, ArrowDown: 1, ArrowUp: -1}[pressed];
    if (pressed === "Escape") close(row, {save: false});
    else if (step) { close(row, {save: true}); move(row, step); }
    else return false;
    return true;
  }

  // Whether the key is one of ours; others are the browser's.
  function key(row, pressed) {
    const name = pressed.length === 1 ? pressed.toLowerCase() : pressed;
    const act = {
      ArrowDown: () => move(row, 1), ArrowUp: () => move(row, -1), u: undo,
      "?": () => document.querySelector("#keys").toggleAttribute("open"),
    }[name];
    if (act) act();
    else if (isBlocked(row)) return decide(row, name);
    else return result(row, name);
    return true;
  }

  function decide(row, name) {
    const entry = entries.last(row.dataset.line);
    if (name === "k" || name === "m") choose(row, entry, name === "m");
    else if (name.length > 1 && name !== "Enter" && name !== "Delete" && name !== "Backspace") return false;
    else announce(say("choose_first"));
    return true;
  }

  function result(row, name) {
    const text = keys[row.dataset.seat][name];
    if (name === "Delete" || name === "Backspace") type(row, "");
    else if (name === "Enter") open(row);
    else if (name === "g" && row.dataset.seat !== "off") games(row);
    else if (text !== undefined) { type(row, text); advance(row); }
    else if (/^[\d½.,:+=–-]$/.test(name)) open(row, name);
    else if (name.length === 1 && name !== " ") announce(say("no_key", {key: name}));
    else return name === " ";
    return true;
  }

  // How many games a micro-match took: of this line, or of the one just typed where this is still empty.
  function games(row) {
    const at = !shown(row) && latest && shown(latest) ? latest : row;
    if (!isBlocked(at)) open(at, `${shown(at).replace(/ g\d+$/, "")} g`);
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

  // --- going about -----------------------------------------------------------------------------------------

  function focus(row) {
    if (row.hidden) row.hidden = false;
    field(row).focus({preventScroll: true});
    row.scrollIntoView({block: "nearest"});
  }

  function move(row, step) {
    const seen = rows.filter(each => !each.hidden || each === row);
    const next = seen[seen.indexOf(row) + step];
    if (next) focus(next);
  }

  // Rounds off that are settled are passed over, and in the filtered list whatever is in.
  function advance(row) {
    const passed = each => each.hidden || (shown(each) && (onlyMissing || each.dataset.seat === "off"));
    const next = rows.slice(rows.indexOf(row) + 1).find(each => !passed(each));
    if (next) focus(next);
  }

  document.querySelector("#only-missing").addEventListener("click", event => {
    event.preventDefault();
    onlyMissing = !onlyMissing;
    event.target.toggleAttribute("aria-current", onlyMissing);
    const address = new URL(location.href);
    if (onlyMissing) address.searchParams.set("missing", "1");
    else address.searchParams.delete("missing");
    history.replaceState(history.state, "", address);
    filter();
  });

  function filter() {
    for (const row of rows) row.hidden = onlyMissing && shown(row) !== "" && !["failed", "conflict"].includes(row.dataset.state);
    for (const body of form.querySelectorAll("tbody[data-match]")) body.hidden = !body.querySelector("[data-line]:not([hidden])");
  }

  // --- what is said ----------------------------------------------------------------------------------------

  function announce(text) {
    said.textContent = "";
    setTimeout(() => { said.textContent = text; }, 50); // so that the same words are heard twice
  }

  function told(entry, outcome, following) {
    const row = byLine.get(entry.line);
    if (!row) return tellLost(entry, outcome);
    if (outcome.state !== "refused") store(row, outcome.text, outcome.version);
    if (outcome.state !== "saved" && !outcome.agrees) announceTrouble(row, following ?? entry, outcome);
    paint(row);
  }

  // A line that is gone, or not on this page, cannot show what became of it.
  function tellLost(entry, outcome) {
    if (outcome.state !== "refused") return;
    entries.drop(entry);
    tell(say("no_line", {text: entry.text, message: outcome.message}));
  }

  function tell(text) {
    const others = document.querySelector("#others");
    others.textContent = `${others.textContent} ${text}`.trim();
    others.hidden = false;
    announce(text);
  }

  function announceTrouble(row, entry, outcome) {
    const facts = {label: row.dataset.label, message: outcome.message};
    if (outcome.state === "refused") announce(say("told_failed", facts));
    else announce(say("told_conflict", {...factsOf(entry), ...facts}));
  }

  function turned() {
    rows.forEach(paint);
    sums();
    document.querySelector("#entered").textContent = rows.filter(row => shown(row) !== "" && !entries.last(row.dataset.line)?.outcome).length;
    tellConnection();
  }

  function tellConnection() {
    const count = entries.waiting.length;
    const open = entries.undecided.filter(entry => byLine.has(entry.line)).length;
    const name = entries.connection || (count ? "sending" : open ? "undecided" : "all_saved");
    const texts = [say(name, {count: count || open, name: form.dataset.name})];
    if (open && name !== "undecided") texts.push(say("undecided", {count: open}));
    if (!entries.isKept) texts.push(say("not_kept"));
    const told = document.querySelector("#connection");
    told.textContent = texts.join(" ");
    told.dataset.state = entries.connection || open ? "lost" : name;
    document.querySelector("#login").hidden = entries.connection !== "login";
    if (name === heard || name === "sending" || name === "undecided") return;
    if (heard) announce(told.textContent);
    heard = name;
  }

  // --- the score of a match --------------------------------------------------------------------------------

  function sums() {
    for (const body of form.querySelectorAll("tbody[data-match]")) {
      const boards = [...body.querySelectorAll("[data-line]")].map(row => halves(shown(row))).filter(Boolean);
      const sum = side => points(boards.reduce((total, board) => total + board[side], 0));
      body.querySelector(".sum").textContent = boards.length ? `${sum(0)} : ${sum(1)}` : "";
    }
  }

  // Both sides of a board in half-points; nothing where there is no score.
  function halves(text) {
    const sides = text.replace(/ g\d+$/, "").match(/^([+-]) ([+-])$/)?.slice(1);
    if (sides) return sides.map(side => side === "+" ? Number(form.dataset.win) : 0);
    const figures = text.replace(/ g\d+$/, "").match(/\d+½?|½/g);
    return figures?.length === 2 ? figures.map(figure => 2 * (parseInt(figure) || 0) + Number(figure.endsWith("½"))) : null;
  }

  function points(half) {
    return half % 2 ? `${Math.floor(half / 2) || ""}½` : String(half / 2);
  }

  // --- what others type ------------------------------------------------------------------------------------

  async function poll() {
    if (document.visibilityState !== "visible" || entries.isSending) return;
    entries.adopt();
    if (entries.waiting.length) return;
    const address = new URL(form.dataset.news, location.href);
    address.searchParams.set("revision", form.dataset.revision);
    try {
      const answer = await ask(address);
      entries.connection = connectionOf(answer);
      if (answer.status === 200 && !entries.waiting.length) take(await answer.json());
    } catch {
      entries.connection = "lost";
    }
    turned();
  }

  function take({revision, lines, shape, needs}) {
    document.querySelector("#changed").hidden = shape === form.dataset.shape;
    const news = Object.entries(lines)
      .map(([line, [text, version]]) => ({row: byLine.get(line), text, version}))
      .filter(({row, version}) => row && Number(row.dataset.version) !== version && !entries.last(row.dataset.line));
    const free = news.filter(({row}) => !row.dataset.typing);
    free.forEach(bring);
    form.dataset.needs = needs;
    if (free.length === news.length) form.dataset.revision = revision; // else it is asked again
  }

  function bring({row, text, version}) {
    fresh.set(row, Number(row.dataset.version));
    store(row, text, version);
    row.dataset.state = "";
    row.classList.add("changed");
    setTimeout(() => { row.classList.remove("changed"); fresh.delete(row); }, MARKED);
  }

  // --- corrections -----------------------------------------------------------------------------------------

  const corrections = {
    dialog: document.querySelector("#correction"),

    // The reason that was given, or null where the result is to stay as it is.
    async ask(row, entry) {
      const [what, moves, because] = [".what", ".moves", "#because"].map(part => this.dialog.querySelector(part));
      const facts = {name: row.dataset.name, was: row.dataset.text || say("nothing"), now: entry.text || say("nothing")};
      what.textContent = say("becomes", facts);
      because.value = "";
      this.dialog.returnValue = "";
      this.dialog.showModal();
      because.focus();
      this.tellMoves(moves, entry);
      await new Promise(resolve => this.dialog.addEventListener("close", resolve, {once: true}));
      focus(row);
      return this.dialog.returnValue === "correct" && because.value.trim() ? because.value.trim() : null;
    },

    async tellMoves(moves, entry) {
      moves.replaceChildren(say("working_out"));
      try {
        const answer = await ask(form.dataset.trial, {entries: [{...entry, id: newId()}]});
        const {outcomes: [outcome], moves: told} = await answer.json();
        moves.replaceChildren(...this.nodes(outcome, told));
      } catch {
        moves.replaceChildren(say("moves_untold"));
      }
    },

    nodes(outcome, told) {
      if (outcome.state !== "saved") return [outcome.message];
      if (!told.length) return [say("no_moves")];
      const list = document.createElement("ul");
      list.append(...told.map(move => node("li", move)));
      return [say("moves"), list];
    },
  };

  // --- the start -------------------------------------------------------------------------------------------

  function tellOthers() {
    const texts = Entries.elsewhere(place, user).map(([round, account]) =>
      account === String(user) ? say("elsewhere", {round}) : say("others_wait"));
    new Set(texts).forEach(tell);
  }

  document.querySelector("#plain").hidden = true;
  document.querySelectorAll("#keys [hidden]").forEach(part => { part.hidden = false; });
  document.querySelector("#keys").open = innerWidth > 600;
  addEventListener("online", () => entries.send());
  document.addEventListener("visibilitychange", poll);
  addEventListener("beforeunload", event => { if (!entries.isKept && entries.waiting.length) event.preventDefault(); });
  setInterval(poll, EVERY);
  entries.adopt();
  entries.undecided.filter(entry => !byLine.has(entry.line)).forEach(entry => tellLost(entry, entry.outcome));
  tellOthers();
  const first = rows.find(row => !row.hidden && shown(row) === "") ?? rows[0];
  if (!location.hash && !document.activeElement.matches(".typed")) focus(first);
})();
