"""Results as people write them: `2-0`, `3½-½`, `1+ 1-`, `+ -`, `- -`, BYE."""

from standings.engine import points_text
from tournaments.models import Kind

ALONE = {Kind.BYE: "BYE", Kind.HALF_BYE: "½bye", Kind.ZERO_BYE: "0bye", Kind.ABSENT: "–"}


def result_text(kind: str, first: int | None, second: int | None, advantage: str = "") -> str:
    """The result of a pairing or a game; scores in half-points. Empty where there is none yet."""
    sides = [side for side in side_texts(kind, first, second, advantage) if side]
    return ("-" if kind == Kind.PLAYED and not advantage else " ").join(sides)


def side_texts(kind: str, first: int | None, second: int | None, advantage: str = "") -> tuple[str, str]:
    """The same, each side for itself: `("1½", "2½")`, `("+", "-")`, `("BYE", "")`."""
    if kind == Kind.UNKNOWN:
        return "?", ""
    if kind in ALONE:
        return ALONE[Kind(kind)], ""
    if first is None or second is None:
        return "", ""
    if kind == Kind.FORFEIT:
        return ("+" if first > second else "-"), ("+" if second > first else "-")
    marks = {"first": ("+", "-"), "second": ("-", "+")}.get(advantage, ("", ""))
    return points_text(first, 2) + marks[0], points_text(second, 2) + marks[1]
