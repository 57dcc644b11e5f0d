import {problemOf, request, requestIdOf} from "./server.js";

const INTERVAL = 5_000; // milliseconds

/** What others type comes in while the page is visible, and never over what is being typed. */
export class Updates {
  /** `onPoll` is called after every asking, `onSent` with what players sent, by line; at the door they send nothing. */
  constructor({form, queue, rows, onPoll, onSent}) {
    Object.assign(this, {form, queue, rows, onPoll, onSent});
    document.addEventListener("visibilitychange", () => this.poll());
    setInterval(() => this.poll(), INTERVAL);
  }

  async poll() {
    if (document.visibilityState !== "visible" || this.queue.isSending) return;
    this.queue.adopt();
    if (this.queue.waiting.length) return;
    const address = new URL(this.form.dataset.news, location.href);
    address.searchParams.set("revision", this.form.dataset.revision);
    try {
      const answer = await request(address);
      Object.assign(this.queue, {problem: problemOf(answer), requestId: requestIdOf(answer)});
      if (answer.status === 200 && !this.queue.waiting.length) this.take(await answer.json());
    } catch {
      this.queue.problem = "lost";
    }
    this.onPoll();
  }

  take({revision, lines, shape, needs, sent}) {
    document.querySelector("#changed").hidden = shape === this.form.dataset.shape;
    this.form.dataset.needs = needs;
    const changes = changesOf(lines, this.rows.byLine, line => this.queue.last(line));
    const free = changes.filter(({row}) => !row.dataset.typing);
    for (const {row, text, version, note} of free) this.rows.showFromOthers(row, text, version, note);
    this.onSent?.(sent);
    // Where somebody is typing on a line that has changed, the same revision is asked for again.
    if (free.length === changes.length) this.form.dataset.revision = revision;
  }
}

/**
 * Return the rows whose stored result is another one now, with its text, its version and a note if there is one.
 * @param {Object<string, [string, string, string?]>} lines - the three by the name of the line
 * @param {Map<string, HTMLElement>} rows - by the name of the line
 * @param {function} entryOf - returns the entry of a line in the queue, which goes before what others typed
 */
export function changesOf(lines, rows, entryOf) {
  return Object.entries(lines)
    .map(([line, [text, version, note]]) => ({row: rows.get(line), text, version, note}))
    .filter(({row, version}) => row && row.dataset.version !== version && !entryOf(row.dataset.line));
}
