import {fill} from "../text.js";

/** What the results screen says, in the sentences that the page brings along. */
export class Messages {
  constructor(form) {
    this.sentences = JSON.parse(form.dataset.words);
    this.account = form.dataset.name;
    this.announced = ""; // the message on the connection that was announced last
  }

  text(name, values) {
    return fill(this.sentences[name], values);
  }

  /** Say a text to those who do not see the screen. */
  announce(text) {
    const region = document.querySelector("#said");
    region.textContent = "";
    setTimeout(() => { region.textContent = text; }, 50); // so that the same words are heard twice
  }

  /** Announce a text that stays on the page, where it stands once. */
  addNotice(text) {
    const notices = document.querySelector("#others");
    if (!notices.textContent.includes(text)) notices.textContent = `${notices.textContent} ${text}`.trim();
    notices.hidden = false;
    this.announce(text);
  }

  /** Show how the queue stands, and announce it where it has changed. */
  showConnection(queue, undecided) {
    const waiting = queue.waiting.length;
    const [name, ...more] = connectionMessages({problem: queue.problem, waiting, undecided, isStored: queue.isStored});
    const first = this.text(name, {count: waiting || undecided, name: this.account, id: queue.requestId});
    const shown = document.querySelector("#connection");
    shown.textContent = [first, ...more.map(each => this.text(each, {count: undecided}))].join(" ");
    shown.dataset.state = queue.problem || undecided ? "lost" : name;
    document.querySelector("#login").hidden = queue.problem !== "login";
    if (name === this.announced || name === "sending" || name === "undecided") return;
    if (this.announced) this.announce(shown.textContent);
    this.announced = name;
  }
}

/**
 * Return the names of the messages on the connection, the most important one first.
 * @param {object} state
 * @param {string} state.problem - of the connection, or an empty string
 * @param {number} state.waiting - entries without an answer
 * @param {number} state.undecided - lines of this page that somebody has to look at
 * @param {boolean} state.isStored - whether the browser keeps entries between pages
 */
export function connectionMessages({problem, waiting, undecided, isStored}) {
  const names = [problem || (waiting ? "sending" : undecided ? "undecided" : "all_saved")];
  if (undecided && names[0] !== "undecided") names.push("undecided");
  if (!isStored) names.push("not_kept");
  return names;
}

/** Return a new element with a text. */
export function element(name, text) {
  return Object.assign(document.createElement(name), {textContent: text});
}
