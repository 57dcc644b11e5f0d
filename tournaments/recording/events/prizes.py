"""Check and store the categories and prizes of an event."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments.event.categories import EventCategory
from tournaments.event.checks import check_document
from tournaments.event.document import Document
from tournaments.event.finding import added_findings, errors
from tournaments.event.prizes import EventPrize
from tournaments.models import Event
from tournaments.recording.locking import compare_version, lock_event, save
from tournaments.recording.refusal import Refused
from tournaments.stored import stored

LONGEST_NAME = 120
PRIZE_RULES = ("prize_currency", "prize_sharing", "prizes_cumulative", "prize_step", "prizes_public")
"""Fields of the event with the rules for prizes."""


def set_categories(event: Event, categories: Sequence[EventCategory], seen: int, by: User) -> None:
    """Replace the categories. Raise Conflict if the settings have changed.

    Raise Refused if a check finds an error, such as a prize of a missing category.
    """
    with lock_event(event) as now:
        compare_version(now, seen)
        document = stored(now).document
        _require_no_new_errors(document, replace(document.event, categories=tuple(categories)), {})
        if now.categories != list(categories):
            now.categories = list(categories)
            save(now, by, _("Categories"))


def set_prizes(
    event: Event,
    prizes: Sequence[EventPrize],
    rules: Mapping[str, Any],
    awards: Mapping[int, Sequence[str]],
    seen: int,
    by: User,
) -> None:
    """Replace the prizes and their rules. `awards`: special prizes by competitor number.

    Raise Conflict if the settings have changed, Refused if a check finds an error.
    """
    with lock_event(event) as now:
        compare_version(now, seen)
        document = stored(now).document
        settings = replace(document.event, prizes=tuple(prizes), **rules)
        _require_no_new_errors(document, settings, awards)
        if (now.prizes, {name: getattr(now, name) for name in PRIZE_RULES}) != (list(prizes), {**rules}):
            now.prizes = list(prizes)
            for name, value in rules.items():
                setattr(now, name, value)
            save(now, by, _("Prizes"))
        for each in now.competitors.order_by("number"):
            if each.awards != (given := list(awards.get(each.number, ()))):
                each.awards = given
                save(each, by, _("Special prizes"))


def _require_no_new_errors(document: Document, settings: Any, awards: Mapping[int, Sequence[str]]) -> None:
    if unknown := sorted(set(awards) - {each.number for each in document.competitors}):
        raise Refused(_("There is no competitor %(number)s. Correct the number.") % {"number": unknown[0]})
    competitors = tuple(
        replace(each, awards=tuple(awards.get(each.number, ()))) for each in document.competitors
    )
    if settings.categories != document.event.categories:
        competitors = document.competitors
    after = errors(check_document(replace(document, event=settings, competitors=competitors)))
    if new := added_findings(after, check_document(document)):
        raise Refused(new[0].message)
