import {newId, problemOf, request, requestIdOf} from "./server.js";
import {keyOf, storedEntries} from "./storage.js";

const PAUSES = [500, 1000, 2000, 3000]; // milliseconds
const LARGEST_BATCH = 20; // it takes a second, and nginx tries another server after ten (deploy/nginx.conf)

/**
 * Typed results, or marks of attendance, on their way to the server. Each is kept in the browser's storage until the server has answered it;
 * it goes out under its own id, which the server takes in once. Of one line the next goes out when the last is
 * answered, so that it knows the version it follows.
 */
export class EntryQueue {
  /**
   * @param {object} options
   * @param {string} options.address - where entries are sent
   * @param {{screen?: string, event: string, round: string, account: number}} options.place - whose entries these are
   * @param {function} options.onAnswer - called with every entry, its outcome, and the entry that follows it
   * @param {function} options.onChange - called after every change
   */
  constructor({address, place, onAnswer, onChange}) {
    Object.assign(this, {address, place, onAnswer, onChange});
    this.entries = new Map();
    this.problem = ""; // of the connection
    this.requestId = ""; // of the answer that told of it
    this.isStored = true;
    this.failures = 0;
    this.turn = 0;
  }

  // --- what there is ---------------------------------------------------------------------------------------

  /** The entries without an answer, in order. */
  get waiting() {
    return this.inOrder().filter(entry => !entry.outcome);
  }

  /** The entries that were answered, and that somebody has to look at. */
  get undecided() {
    return this.inOrder().filter(entry => entry.outcome);
  }

  inOrder() {
    return [...this.entries.values()].sort((a, b) => a.at - b.at || a.turn - b.turn);
  }

  last(line) {
    return this.inOrder().filter(entry => entry.line === line).at(-1);
  }

  /** Add what was typed on a line and send it; it takes the place of an undecided entry, and follows a waiting one. */
  add(line, typed) {
    const before = this.last(line);
    if (before?.outcome) this.remove(before);
    const after = before && !before.outcome ? before.id : "";
    const entry = {id: newId(), at: Date.now(), turn: this.turn++, line, after, ...typed};
    this.store(entry);
    this.send();
    return entry;
  }

  // --- in the browser's storage ----------------------------------------------------------------------------

  store(entry) {
    this.entries.set(entry.id, entry);
    this.change(key => localStorage.setItem(key, JSON.stringify(entry)), entry);
  }

  remove(entry) {
    this.entries.delete(entry.id);
    this.change(key => localStorage.removeItem(key), entry);
  }

  change(act, {id}) {
    try {
      act(keyOf({...this.place, id}));
    } catch {
      this.isStored = false;
    }
    this.onChange();
  }

  /** Take up what an earlier visit or another tab left behind. */
  adopt() {
    const ours = keyOf({...this.place, id: ""});
    for (const stored of storedEntries(this.place.screen)) {
      const isOurs = keyOf({screen: this.place.screen, ...stored, id: ""}) === ours;
      if (isOurs && !this.entries.has(stored.id)) this.entries.set(stored.id, JSON.parse(stored.text));
    }
    this.onChange();
    this.send();
  }

  // --- sent ------------------------------------------------------------------------------------------------

  /** Return the entries that can go: none that follows another which is not answered yet. */
  batch() {
    return this.waiting.filter(entry => !this.entries.has(entry.after)).slice(0, LARGEST_BATCH);
  }

  /** Send what can go, one request at a time; what was not taken in goes again after a pause. */
  async send() {
    clearTimeout(this.timer);
    const batch = this.batch();
    if (this.isSending || !batch.length) return;
    this.isSending = true;
    this.onChange();
    const {problem, requestId, outcomes} = await this.post(batch);
    this.isSending = false;
    Object.assign(this, {problem, requestId});
    outcomes.forEach(outcome => this.answer(this.entries.get(outcome.id), outcome));
    this.failures = problem ? this.failures + 1 : 0;
    this.timer = setTimeout(() => this.send(), pauseAfter(this.failures));
    this.onChange();
  }

  async post(batch) {
    try {
      const answer = await request(this.address, {user: this.place.account, entries: batch.map(toSend)});
      const problem = problemOf(answer);
      return {problem, requestId: requestIdOf(answer), outcomes: problem ? [] : (await answer.json()).outcomes};
    } catch {
      return {problem: "lost", requestId: "", outcomes: []};
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
      this.store(following);
    }
    if (isDone || following) this.remove(entry);
    else this.store(Object.assign(entry, {outcome}));
    this.onAnswer(entry, outcome, following);
  }
}

/** Return the milliseconds to wait after so many failures in a row. */
export function pauseAfter(failures) {
  return PAUSES[Math.min(failures, PAUSES.length) - 1] ?? 0;
}

// What is typed differs from screen to screen; the rest is the queue's own.
function toSend(entry) {
  const ours = new Set(["at", "turn", "line", "after", "outcome"]);
  return Object.fromEntries(Object.entries(entry).filter(([name]) => !ours.has(name)));
}
