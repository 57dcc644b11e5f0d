// What a key means on the pairing screen, and where the arrows lead.

/** The acts of single keys, on the name that has the focus or those that are picked. */
export const ACTS = {
  t: "turn",
  x: "part",
  l: "lock",
  u: "undo",
  y: "off-bye",
  "=": "off-half-bye",
  0: "off-zero-bye",
  "-": "off-absent",
};

const ARROWS = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]};

/** Whether a key belongs to the browser or to a field being written in. */
export function isShortcut(event) {
  return event.ctrlKey || event.altKey || event.metaKey || event.isComposing;
}

/**
 * What a key does: {act}, {pick: true}, {clear: true}, {write: true} for the field, {help: true}, {arrow}, or null.
 * `isOnName`: a name has the focus; `isWriting`: a field has it.
 */
export function meaning(event, {isOnName = false, isWriting = false} = {}) {
  if (isShortcut(event)) return null;
  const {key} = event;
  if (key === "Escape") return {clear: true};
  if (isWriting) return null;
  if (key === "/") return {write: true};
  if (key === "?") return {help: true};
  if (key === "u") return {act: "undo"};
  if (!isOnName) return null;
  if (key === "Enter") return {pick: true};
  if (ARROWS[key]) return {arrow: ARROWS[key]};
  return ACTS[key] ? {act: ACTS[key]} : null;
}

/**
 * The place an arrow leads to from `at`, of rows of one or two names each; `at` where there is none.
 * A place is [row, side]; in a row of one name both sides are that name.
 */
export function neighbour(rows, [row, side], [down, right]) {
  if (right) return [row, Math.min(Math.max(side + right, 0), rows[row].length - 1)];
  const next = Math.min(Math.max(row + down, 0), rows.length - 1);
  return [next, Math.min(side, rows[next].length - 1)];
}
