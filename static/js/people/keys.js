// What a key means in the queue of likely links, and which link comes next.

/** The answers by the key that gives each. */
export const ANSWERS = {c: "confirm", r: "refuse", l: "later"};

/**
 * What a key does: {answer} to the link that has the focus, {step} to another one, {send: true}, {help: true}, or null.
 * `isWriting`: a field is being typed in, which keeps its keys.
 */
export function meaning(event, {isWriting = false} = {}) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || isWriting) return null;
  const {key} = event;
  if (Object.hasOwn(ANSWERS, key)) return {answer: ANSWERS[key]};
  if (key === "ArrowDown") return {step: 1};
  if (key === "ArrowUp") return {step: -1};
  if (key === "s") return {send: true};
  return key === "?" ? {help: true} : null;
}

/** The link that a step leads to from `at`, of so many; -1, for none yet, begins at the first. */
export function indexAfter(at, step, count) {
  return Math.min(Math.max(at + step, 0), count - 1);
}

/** How many of these answers say something: all but "later". */
export function decided(answers) {
  return answers.filter(each => each !== ANSWERS.l).length;
}
