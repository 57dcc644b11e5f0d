// What players sent, beside the lines: shown as it comes, and taken as if it were typed.

/** Return the one result that a row can take, an empty string where none came or the sides differ. */
export function resultToTake(row) {
  const buttons = [...row.querySelectorAll(".take")];
  return buttons.length === 1 ? buttons[0].value : "";
}

/** Return the rows that “take all” enters, each with its result. */
export function agreedIn(rows) {
  return rows
    .map(row => ({row, text: row.querySelector("[name^=agreed-]")?.value ?? ""}))
    .filter(({row, text}) => text && row.dataset.text === "");
}

/**
 * Show what came beside the rows of a form.
 * @param {Object<string, string>} sent - the HTML of the server by the name of the line; other lines have none
 */
export function showSent(form, rows, sent) {
  for (const row of rows) {
    const place = row.querySelector(".from-players");
    const html = sent[row.dataset.line] ?? "";
    if (place.dataset.shown === html) continue; // or its buttons would lose the focus
    place.dataset.shown = html;
    place.innerHTML = html;
  }
  showAgreed(form, rows);
}

/** Show how many results can be taken at once. */
export function showAgreed(form, rows) {
  const all = form.querySelector("#take-all");
  if (!all) return;
  const count = agreedIn(rows).length;
  all.closest("p").hidden = !count;
  all.querySelector("b").textContent = count;
}
