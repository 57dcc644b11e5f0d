// The scores of matches as their boards come in. Points are half-points.
class Sums {
  constructor(form) {
    this.matches = [...form.querySelectorAll("tbody[data-match]")];
    this.win = Number(form.dataset.win);
  }

  // `textOf` tells the result that a row shows.
  show(textOf) {
    for (const body of this.matches) {
      const boards = [...body.querySelectorAll("[data-line]")].map(row => this.halves(textOf(row))).filter(Boolean);
      const sum = side => Sums.points(boards.reduce((total, board) => total + board[side], 0));
      body.querySelector(".sum").textContent = boards.length ? `${sum(0)} : ${sum(1)}` : "";
    }
  }

  // Both sides of a board; nothing where there is no score.
  halves(text) {
    const result = text.replace(/ g\d+$/, "");
    const sides = result.match(/^([+-]) ([+-])$/)?.slice(1);
    if (sides) return sides.map(side => side === "+" ? this.win : 0);
    const figures = result.match(/\d+½?|½/g);
    return figures?.length === 2 ? figures.map(figure => 2 * (parseInt(figure) || 0) + Number(figure.endsWith("½"))) : null;
  }

  static points(half) {
    return half % 2 ? `${Math.floor(half / 2) || ""}½` : String(half / 2);
  }
}
