"""Warnings about a list of criteria, from FIDE C.07.

They do not block saving, because the regulations of an event may require what C.07 advises against.
"""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from standings.engine import Criterion, Family, edition_of, get_criterion
from tournaments.event.checks.references import comes_too_early
from tournaments.models import Event
from tournaments.recording.events.systems import edition_in_force
from tournaments.texts import criterion_name, name_of_edition


class ListWarning(NamedTuple):
    """A warning about a criterion, or about the entire list (`abbr` is blank)."""

    abbr: str
    text: str


def warnings_of_list(event: Event, codes: Sequence[str]) -> list[ListWarning]:
    """Return the warnings about a list of criteria for this event, in the order of the list; a single query.

    Raise UnknownCriterionError if a code is unknown.
    """
    criteria = [get_criterion(code) for code in codes]
    warnings = [ListWarning("", text) for text in _edition_warnings(event)]
    unrated = 0 if event.unrated else event.competitors.filter(rating=None).count()
    for at, criterion in enumerate(criteria):
        texts = _criterion_warnings(event, criterion, codes[:at], unrated)
        warnings += [ListWarning(criterion.abbr, text) for text in texts]
    return warnings


def _edition_warnings(event: Event) -> list[str]:
    edition, of_start = edition_in_force(event), edition_of(event.start).code
    if not edition or not event.start or edition == of_start:
        return []
    values = {"start": event.start, "used": name_of_edition(edition), "then": name_of_edition(of_start)}
    return [
        _("The event starts on %(start)s, under %(then)s, but uses %(used)s. Choose an edition below.")
        % values
    ]


def _criterion_warnings(event: Event, criterion: Criterion, before: Sequence[str], unrated: int) -> list[str]:
    texts = []
    if criterion.swiss and event.is_round_robin:
        text = _("Made for Swiss tournaments (%(article)s): in a round robin all have the same opponents.")
        texts.append(text % {"article": criterion.article})
    if criterion.teams and not event.is_team:
        text = _("For team events only (%(article)s). In an individual event it has no effect.")
        texts.append(text % {"article": criterion.article})
    if first := comes_too_early(criterion.code, before):
        values = {"first": criterion_name(get_criterion(first)), "abbr": get_criterion(first).abbr}
        if criterion.is_fide:
            values["article"] = criterion.article
            text = _("Fair only between teams level in %(first)s (%(article)s): put %(abbr)s before it.")
        else:
            text = _("Only fair after %(first)s, which does not come before it.")
        texts.append(text % values)
    if criterion.is_fide and criterion.family is Family.RATINGS and unrated:
        text = ngettext(
            "%(count)s competitor has no rating. This criterion does not count unless the settings give a "
            "rating for unrated players.",
            "%(count)s competitors have no rating. This criterion does not count unless the settings give "
            "a rating for unrated players.",
            unrated,
        )
        texts.append(text % {"count": unrated})
    edition = edition_in_force(event) or edition_of(event.start).code
    if criterion.since and edition < f"fide-{criterion.since}":
        values = {"since": criterion.since, "edition": name_of_edition(edition)}
        texts.append(_("New in %(since)s: %(edition)s do not have it.") % values)
    return texts
