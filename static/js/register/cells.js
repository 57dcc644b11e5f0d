// The register as a grid: where a key leads, and a pasted block as cells.

/**
 * Return the step that a key means in a cell, as {rows, columns}, or null where the key is the cell's own.
 * @param {string} key
 * @param {object} cell
 * @param {boolean} cell.shift
 * @param {boolean} cell.isWhole - whether the whole text is selected, or there is none
 * @param {boolean} cell.atStart - whether the caret stands in front of the text
 * @param {boolean} cell.atEnd - whether it stands behind the text
 */
export function stepOf(key, {shift, isWhole, atStart, atEnd}) {
  if (key === "ArrowUp" || key === "Enter" && shift) return {rows: -1, columns: 0};
  if (key === "ArrowDown" || key === "Enter") return {rows: 1, columns: 0};
  if (shift) return null; // which selects signs of the text
  if (key === "ArrowLeft" && (isWhole || atStart)) return {rows: 0, columns: -1};
  if (key === "ArrowRight" && (isWhole || atEnd)) return {rows: 0, columns: 1};
  return null;
}

/**
 * Return the rows of cells that a spreadsheet has put on the clipboard: tabs between cells, quotes round a cell
 * that has a tab, a line break or a quote in it.
 */
export function cellsOf(text) {
  const rows = [[""]];
  let isQuoted = false;
  const source = text.replace(/\r\n?/g, "\n").replace(/\n$/, "");
  for (let at = 0; at < source.length; at += 1) {
    const sign = source[at];
    const row = rows.at(-1);
    const end = row.length - 1;
    if (isQuoted && sign === '"' && source[at + 1] === '"') {
      row[end] += '"';
      at += 1;
    } else if (sign === '"' && (isQuoted || row[end] === "")) isQuoted = !isQuoted;
    else if (isQuoted) row[end] += sign === "\n" ? " " : sign;
    else if (sign === "\t") row.push("");
    else if (sign === "\n") rows.push([""]);
    else row[end] += sign;
  }
  return rows.map(row => row.map(cell => cell.trim()));
}

/** Say whether a pasted text is a block of cells, not the text of one. */
export function isBlock(text) {
  return /\t|\n./.test(text.trimEnd().replace(/\r/g, ""));
}
