"""Plausibility checks of persons and teams: future births, periods that end before they begin,
invalid ids.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.event.dates import ends_before
from tournaments.people.matching.entrants import SCHEMES
from tournaments.recording.refusal import Refused

Rows = Sequence[Mapping[str, Any]]
LONGEST_NUMBER = 10
"""Digits of an id of FIDE or the FMJD."""


def refuse_nonsense(born: str, rows: Mapping[str, Rows]) -> None:
    """Raise Refused for implausible values, with the line and a correction."""
    _refuse_future(_("The birth"), born)
    for each in (row for listed in rows.values() for row in listed):
        since, until = each.get("since", ""), each.get("until", "")
        _refuse_future(_("“%(line)s”: the beginning") % {"line": _joined_row(each)}, since)
        if since and until and ends_before(since, until):
            text = _("“%(line)s” ends before it begins. Write since when first, then until when.")
            raise Refused(text % {"line": _joined_row(each)})
    for each in rows.get("identifiers", ()):
        _refuse_letters(each)
    _refuse_overlaps(rows.get("federations", ()))


def _refuse_future(what: str, date: str) -> None:
    today = timezone.localdate().isoformat()
    if date > today[: len(date)]:
        text = _("%(what)s, %(date)s, is still to come. Check the year.")
        raise Refused(text % {"what": what, "date": date})


def _refuse_letters(identifier: Mapping[str, Any]) -> None:
    scheme, value = identifier["scheme"], identifier["value"]
    if scheme in SCHEMES and not (value.isascii() and value.isdigit() and len(value) <= LONGEST_NUMBER):
        text = _("“%(value)s” is not an id of %(whose)s: such an id has at most %(most)s digits.")
        raise Refused(text % {"value": value, "whose": scheme.upper(), "most": LONGEST_NUMBER})


def _refuse_overlaps(federations: Rows) -> None:
    dated = [each for each in federations if each.get("since") or each.get("until")]
    for one, other in combinations(dated, 2):
        if one["code"] != other["code"] and _overlap(one, other):
            text = _(
                "“%(one)s” and “%(other)s” overlap in time. Enter the end of the earlier one, or leave "
                "the dates out."
            )
            raise Refused(text % {"one": _joined_row(one), "other": _joined_row(other)})


def _overlap(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    ends_first = one.get("until") and other.get("since") and not ends_before(one["until"], other["since"])
    ends_last = other.get("until") and one.get("since") and not ends_before(other["until"], one["since"])
    return not (ends_first or ends_last)


def _joined_row(row: Mapping[str, Any]) -> str:
    return "; ".join(str(value) for value in row.values()).rstrip("; ")
