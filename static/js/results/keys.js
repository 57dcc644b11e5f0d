// The keys of the results screen. Keys are named as in the events of the keyboard: a sign, or "Enter", "Delete", …

/**
 * Return what a key does on a line, as a command with its values; null leaves the key to the browser.
 * @param {string} pressed
 * @param {object} line
 * @param {boolean} line.isTyping - its result is being typed in full
 * @param {boolean} line.isBlocked - a conflict waits for a choice
 * @param {boolean} line.hasOpponent
 * @param {Object<string, string>} line.results - the result that each single key stands for
 * @param {string} line.beginnings - the signs that a typed result may begin with
 * @param {boolean} line.takesSent - players send results here
 * @param {string} line.sent - the one result that came for the line, or an empty string
 */
export function commandOf(pressed, line) {
  if (line.isTyping) return ofTyping(pressed);
  const key = pressed.length === 1 ? pressed.toLowerCase() : pressed;
  return ofAnyLine(key) ?? (line.isBlocked ? ofConflict(key) : ofResult(key, line));
}

function ofTyping(key) {
  if (key === "Escape") return {command: "abandon"};
  const step = {Enter: 1, ArrowDown: 1, ArrowUp: -1}[key];
  return step ? {command: "finish", step} : null;
}

function ofAnyLine(key) {
  return {
    ArrowDown: {command: "move", step: 1},
    ArrowUp: {command: "move", step: -1},
    n: {command: "annotate"},
    u: {command: "undo"},
    "?": {command: "showKeys"},
  }[key];
}

function ofConflict(key) {
  if (key === "k" || key === "m") return {command: "choose", mine: key === "m"};
  const wouldType = key.length === 1 || ["Enter", "Delete", "Backspace"].includes(key);
  return wouldType ? {command: "refuse", message: "choose_first"} : null;
}

function ofResult(key, {hasOpponent, results, beginnings, takesSent, sent}) {
  if (key === "Delete" || key === "Backspace") return {command: "clear"};
  if (key === "Enter") return {command: "open"};
  if (key === "g" && hasOpponent) return {command: "countGames"};
  if (takesSent && key === "a") return {command: "takeAll"};
  if (takesSent && key === "t" && sent) return {command: "enter", text: sent};
  if (results[key] !== undefined) return {command: "enter", text: results[key]};
  if (beginnings.includes(key)) return {command: "open", text: key};
  if (key === " ") return {command: "ignore"}; // or the page would scroll
  return key.length === 1 ? {command: "refuse", message: "no_key", key} : null;
}
