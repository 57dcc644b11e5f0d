// What the screen asks the server: to do an act, and what an act would break.

/** What became of a request: the part of the page that it changes, or why there is none. */
export const LOST = "lost";
export const OTHER = "other";

const TIMEOUT = 20_000; // milliseconds, as of results (results/server.js)

/**
 * Send a form with its pressed button; answer {html}, {state: LOST} where nothing came through, or
 * {state: OTHER} where the page is to be loaded anew: logged out, or a backup restored.
 */
export async function send(address, fields, ask = fetch) {
  fields.set("fragment", "1");
  return answerOf(ask, address, {method: "POST", body: fields});
}

/** Fetch the part of the page as it is now. */
export async function renew(address, ask = fetch) {
  return answerOf(ask, `${address}?fragment=1`);
}

async function answerOf(ask, address, options = {}) {
  try {
    const answer = await ask(address, {...options, redirect: "manual", signal: AbortSignal.timeout(TIMEOUT)});
    if (answer.ok) return {html: await answer.text()};
    const isOver = answer.type === "opaqueredirect" || [401, 403, 404, 409].includes(answer.status);
    return {state: isOver ? OTHER : LOST};
  } catch {
    return {state: LOST};
  }
}

/** Ask what an act would make, at most one question a pause, and give `show` the answer to the latest alone. */
export class Questions {
  constructor(address, show, {pause = 150, ask = (...all) => fetch(...all)} = {}) {
    Object.assign(this, {address, show, pause, request: ask, asked: 0, timer: 0});
  }

  /** Ask about a text, or about who is picked; nothing about nobody. */
  ask(values) {
    clearTimeout(this.timer);
    const turn = ++this.asked;
    if (!values.length) {
      this.show("");
      return;
    }
    this.timer = setTimeout(async () => {
      try {
        const answer = await this.request(`${this.address}?${new URLSearchParams(values)}`, {redirect: "manual"});
        if (turn === this.asked && answer.ok) this.show(await answer.text());
      } catch {
        // What an act would break is said again when it is done.
      }
    }, this.pause);
  }

  /** Forget the questions that are on their way. */
  drop() {
    clearTimeout(this.timer);
    this.asked += 1;
  }
}
