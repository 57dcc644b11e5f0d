"""Match points awarded by hand, independent of the score of a match."""

import re

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments.event.choices import SCORELESS
from tournaments.event.numbers import points_text
from tournaments.event.resultcodes import ResultError, parse_half_points
from tournaments.event.scores import own_match_points
from tournaments.models import Pairing
from tournaments.recording.corrections import correcting
from tournaments.recording.locking import lock_event, lock_row, save
from tournaments.recording.refusal import Refused, required

Points = tuple[int | None, int | None]

LONGEST = 20
_TWO = re.compile(r"(.+?)(?<!\s)\s*+[-‐‑‒–—:]\s*+(.+)", re.DOTALL)


def award_match_points(pairing: Pairing, text: str, seen: int, by: User, reason: str) -> Pairing:
    """Award typed match points, `2-0`, or `1` for a round off. Blank resets them to follow from the score.

    The reason is stored in the history, and in the log if the result was settled. Raise Refused without a
    reason, for a pairing of players, without a result, and for impossible points.
    """
    with lock_event(pairing.round.event) as event:
        row = lock_row(Pairing, pairing.pk, seen)
        points = _parse_match_points(text)
        if not event.is_team:
            raise Refused(_("Only a team event has match points."))
        if row.kind in SCORELESS:
            raise Refused(_("This match has no result yet. Type it first, then award its match points."))
        if points != (None, None) and (points[1] is None) != (row.second_id is None):
            raise Refused(_("Enter the match points of both teams, such as 2-0, or one number for a bye."))
        if any(each is not None and each > event.match_win for each in points):
            most = {"most": points_text(event.match_win)}
            raise Refused(_("A match gives at most %(most)s match points. Correct the figure.") % most)
        given = own_match_points(event, row.kind, (row.first_score, row.second_score), points)
        if given == (row.first_match_points, row.second_match_points):
            return row
        reason_text = required(reason)
        with correcting(event, row, row, by, reason_text):
            row.first_match_points, row.second_match_points = given
            save(row, by, reason_text)
    return row


def _parse_match_points(text: str) -> Points:
    stripped = text.strip()[:LONGEST]
    if not stripped:
        return None, None
    found = _TWO.fullmatch(stripped)
    try:
        return (
            (parse_half_points(found[1]), parse_half_points(found[2]))
            if found
            else (parse_half_points(stripped), None)
        )
    except ResultError as fault:
        raise Refused(str(fault)) from fault
