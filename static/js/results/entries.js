// Typed results on their way to the server. Each is kept in the browser's storage, under a key of its own so
// that two tabs never write over each other, until the server has answered it; it goes out under its own id,
// which the server takes in once. Of one line the next goes out when the last is answered, so that it knows
// the version it follows.
class Entries {
  static TIMEOUT = 20000;
  static PAUSES = [500, 1000, 2000, 3000];
  static MOST = 100;

  // `place` names event, round and account; `told(entry, outcome)` hears every answer, `turned()` every change.
  constructor({address, place, user, told, turned}) {
    Object.assign(this, {address, user, told, turned});
    this.prefix = `results:${place.event}:${place.round}:${user}:`;
    this.entries = new Map();
    this.connection = "";
    this.isKept = true;
    this.failures = 0;
    this.turn = 0;
  }

  // --- what there is ---------------------------------------------------------------------------------------

  get waiting() {
    return this.inOrder().filter(entry => !entry.outcome);
  }

  get undecided() {
    return this.inOrder().filter(entry => entry.outcome);
  }

  inOrder() {
    return [...this.entries.values()].sort((a, b) => a.at - b.at || a.turn - b.turn);
  }

  last(line) {
    return this.inOrder().filter(entry => entry.line === line).at(-1);
  }

  add(line, {pairing, board, text, seen, reason = ""}) {
    const before = this.last(line);
    if (before?.outcome) this.drop(before);
    const after = before && !before.outcome ? before.id : "";
    const entry = {id: newId(), at: Date.now(), turn: this.turn++, line, pairing, board, text, reason, seen, after};
    this.keep(entry);
    this.send();
    return entry;
  }

  // --- kept in the browser ---------------------------------------------------------------------------------

  keep(entry) {
    this.entries.set(entry.id, entry);
    try {
      localStorage.setItem(this.prefix + entry.id, JSON.stringify(entry));
    } catch {
      this.isKept = false;
    }
    this.turned();
  }

  drop(entry) {
    this.entries.delete(entry.id);
    try {
      localStorage.removeItem(this.prefix + entry.id);
    } catch {
      this.isKept = false;
    }
    this.turned();
  }

  // Takes up what an earlier visit or another tab left behind.
  adopt() {
    for (const [key, text] of stored()) {
      const id = key.startsWith(this.prefix) && key.slice(this.prefix.length);
      if (id && !this.entries.has(id)) this.entries.set(id, JSON.parse(text));
    }
    this.turned();
    this.send();
  }

  // What waits of other rounds of the event, and of other accounts: lists of [round, user].
  static elsewhere(place, user) {
    const found = stored().map(([key]) => key.split(":"))
      .filter(([name, event]) => name === "results" && event === String(place.event))
      .map(([, , round, account]) => [round, account])
      .filter(([round, account]) => round !== String(place.round) || account !== String(user));
    return [...new Map(found.map(each => [each.join(), each])).values()];
  }

  // --- sent ------------------------------------------------------------------------------------------------

  // Entries that can go: none that follows another which is not answered yet.
  batch() {
    return this.waiting.filter(entry => !this.entries.has(entry.after)).slice(0, Entries.MOST);
  }

  async send() {
    clearTimeout(this.again);
    const batch = this.batch();
    if (this.isSending || !batch.length) return;
    this.isSending = true;
    this.turned();
    const {connection, outcomes} = await this.post(batch);
    this.isSending = false;
    this.connection = connection;
    outcomes.forEach(outcome => this.answer(this.entries.get(outcome.id), outcome));
    this.failures = connection ? this.failures + 1 : 0;
    const pause = Entries.PAUSES[Math.min(this.failures, Entries.PAUSES.length) - 1] ?? 0;
    this.again = setTimeout(() => this.send(), pause);
    this.turned();
  }

  async post(batch) {
    try {
      const answer = await ask(this.address, {user: this.user, entries: batch.map(wired)});
      const connection = connectionOf(answer);
      return {connection, outcomes: connection ? [] : (await answer.json()).outcomes};
    } catch {
      return {connection: "lost", outcomes: []};
    }
  }

  answer(entry, outcome) {
    if (!entry) return; // another tab has had the answer
    const following = this.waiting.find(each => each.after === entry.id);
    const isDone = outcome.state === "saved" || outcome.agrees;
    if (following) {
      following.after = "";
      if (outcome.state === "conflict" && !isDone) following.outcome = {...outcome, mine: following.text};
      else following.seen = isDone ? outcome.version : entry.seen;
      this.keep(following);
    }
    if (isDone || following) this.drop(entry);
    else this.keep(Object.assign(entry, {outcome}));
    this.told(entry, outcome, following);
  }
}

// The answer of the server to a question with a body, or without one; rejected where there is no connection.
async function ask(address, body) {
  const csrf = document.cookie.match(/(?:^|; )(?:__Host-)?csrftoken=([^;]*)/)?.[1] ?? "";
  return fetch(address, {
    method: body ? "POST" : "GET",
    headers: body ? {"Content-Type": "application/json", "X-CSRFToken": csrf} : {},
    body: body && JSON.stringify(body),
    redirect: "manual", // to the login form
    cache: "no-store",
    signal: AbortSignal.timeout(Entries.TIMEOUT),
  });
}

// What an answer says of the connection: nothing where all is well.
function connectionOf(answer) {
  if (answer.ok) return "";
  if (answer.type === "opaqueredirect" || answer.status === 403) return "login";
  return {400: "broken", 404: "gone", 409: "other_account"}[answer.status] ?? "lost";
}

function wired({id, pairing, board, text, seen, reason}) {
  return {id, pairing, board, text, seen, reason};
}

function stored() {
  try {
    return Object.entries(localStorage);
  } catch {
    return [];
  }
}

// crypto.randomUUID is there on secure pages only, and a hall's own network may be none.
function newId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = bytes[6] & 0x0f | 0x40;
  bytes[8] = bytes[8] & 0x3f | 0x80;
  const hex = [...bytes].map(byte => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
}
