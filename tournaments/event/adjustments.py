"""Format and parse bonus and penalty points: `-½ from 4: late`, `+1 GP -2 MP`, `-4 final`.

Without a unit they are game points; without a round they count from the first.
"""

import re

from django.utils.translation import gettext as _

from tournaments.event.document import PointsAdjustment
from tournaments.event.numbers import parse_points, points_text

LONGEST_REASON = 200
_DASHES = str.maketrans("‐‑‒–—−", "------")  # dashes of keyboards and text editors
_POINTS = re.compile(r"([+-])\s*+(\d{1,4}½|½|\d{1,4}(?:[.,][05])?)(?:\s*+(MP|GP))?", re.IGNORECASE)
_ONE = r"[+-]\s*+(?:\d{1,4}½|½|\d{1,4}(?:[.,][05])?)(?:\s*+(?:MP|GP))?[\s,]*+"
_WRITTEN = re.compile(
    rf"(?P<points>(?>(?:{_ONE})+))(?:(?<=[\s,])(?:from\s+(?P<round>\d{{1,4}})|(?P<final>final)))?"
    r"\s*+(?::\s*+(?P<reason>.*))?",
    re.IGNORECASE,
)


class AdjustmentError(ValueError):
    """The text is neither a bonus nor a penalty; the message explains the format."""


def adjustment_text(adjustment: PointsAdjustment) -> str:
    """Return bonus or penalty points in the form that `read_adjustment` parses."""
    game, match = adjustment["game"], adjustment["match"]
    points = [_signed_points(game) + (" GP" if match else "")] if game or not match else []
    points += [f"{_signed_points(match)} MP"] if match else []
    begins = ["final"] if adjustment["final"] else []
    begins += [f"from {adjustment['round']}"] if adjustment["round"] and not begins else []
    reason = f": {adjustment['reason']}" if adjustment["reason"] else ""
    return " ".join([*points, *begins]) + reason


def _signed_points(half_points: int) -> str:
    return f"{'-' if half_points < 0 else '+'}{points_text(abs(half_points))}"


def read_adjustment(text: str) -> PointsAdjustment:
    """Return the bonus or penalty points of a line. Raise AdjustmentError if it is invalid."""
    before, colon, reason = text.strip().partition(":")
    found = _WRITTEN.fullmatch(f"{before.translate(_DASHES)}{colon}{reason}")
    if not found:
        params = {"text": text.strip()[:60], "example": "-½ from 4: late"}
        raise AdjustmentError(_("“%(text)s” is no bonus and no penalty. Write %(example)s.") % params)
    half_points = {"GP": 0, "MP": 0}
    for sign, points, unit in _POINTS.findall(found["points"]):
        given = int(2 * parse_points(points))
        half_points[unit.upper() or "GP"] += -given if sign == "-" else given
    written = (found["reason"] or "").strip()
    if len(written) > LONGEST_REASON:
        params = {"most": str(LONGEST_REASON)}
        raise AdjustmentError(_("The reason is too long: %(most)s characters fit.") % params)
    return PointsAdjustment(
        round=int(found["round"] or 0),
        game=half_points["GP"],
        match=half_points["MP"],
        final=bool(found["final"]),
        reason=written,
    )
