// The scores of matches as their boards come in. Points are counted in half-points.

/** Write the score of every match of the form; `textOf` returns the result that a row shows. */
export function showScores(form, textOf) {
  for (const match of form.querySelectorAll("tbody[data-match]")) {
    const texts = [...match.querySelectorAll("[data-line]")].map(textOf);
    match.querySelector(".sum").textContent = matchScore(texts, Number(form.dataset.win));
  }
}

/** Return the score of a match from the results of its boards, or an empty string where none has a score. */
export function matchScore(texts, win) {
  const boards = texts.map(text => halfPointsOf(text, win)).filter(Boolean);
  const sum = side => pointsText(boards.reduce((total, board) => total + board[side], 0));
  return boards.length ? `${sum(0)} : ${sum(1)}` : "";
}

/** Return the half-points of both sides of a result, or null where it has no score; `win` is what a forfeit gives. */
export function halfPointsOf(text, win) {
  const result = withoutGames(text);
  const forfeit = result.match(/^([+-]) ([+-])$/)?.slice(1);
  if (forfeit) return forfeit.map(side => side === "+" ? win : 0);
  const points = result.match(/\d+½?|½/g);
  return points?.length === 2 ? points.map(each => 2 * (parseInt(each) || 0) + Number(each.endsWith("½"))) : null;
}

/** Return half-points as points: 5 is "2½". */
export function pointsText(halfPoints) {
  return halfPoints % 2 ? `${Math.floor(halfPoints / 2) || ""}½` : String(halfPoints / 2);
}

/** Return a result without the number of games of a micro-match: "1½-½ g2" is "1½-½". */
export function withoutGames(text) {
  return text.replace(/ g\d+$/, "");
}
