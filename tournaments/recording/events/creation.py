"""Create events from a short form with defaults, or with the structure of an existing event."""

from dataclasses import replace
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from tournaments.event.checks import check_document
from tournaments.event.document import Document
from tournaments.event.finding import errors
from tournaments.event.judging import usual_system
from tournaments.models import Event, FormerSlug
from tournaments.people.hiding.anonymise import with_real_names
from tournaments.recording.events.backups import store_draft
from tournaments.recording.events.rules import unruled
from tournaments.recording.events.systems import settings_of_system
from tournaments.recording.locking import add, saving
from tournaments.recording.refusal import Refused
from tournaments.stored import stored


def default_settings(event: Event) -> dict[str, Any]:
    """Return default settings by field, for discipline, entrants, schedule and start of an event.

    Points are half-points. Chess is scored 1-½-0 and ranked by FIDE's rules in the edition of the start
    date; draughts 2-1-0. Teams have four boards.
    """
    code = usual_system(event.discipline, is_team=event.is_team, is_swiss=not event.is_round_robin)
    is_chess = event.discipline == "chess"
    return {
        # The edition of FIDE's rules is stored explicitly, so that a later one does not apply to this event.
        **settings_of_system(event, code),
        "game_win": 2 if is_chess else 4,
        "game_draw": 1 if is_chess else 2,
        "boards": 4 if event.is_team else None,
        "planned_rounds": 7 if event.is_team else 9,
    }


def create_event(
    slug: str, name: str, discipline: str, entrants: str, schedule: str, by: User, **settings: Any
) -> Event:
    """Create a draft without competitors, with `by` as its arbiter. Missing settings get defaults.

    Raise Refused if the slug is taken or the settings are inconsistent.
    """
    given = {key: value for key, value in settings.items() if value is not None}
    kind = {"discipline": discipline, "entrants": entrants, "schedule": schedule}
    defaults = default_settings(Event(**kind, start=given.get("start", "")))
    event = Event(**{**defaults, **kind, **given}, slug=slug, name=name)
    with saving():
        _validate_event(event)
        add(event, by)
        # full_clean() validates single fields; the checks of a file validate combinations.
        if found := errors(check_document(stored(event).document)):
            raise Refused(found[0].message)
        event.arbiters.add(by)
    return event


def clone_event(event: Event, slug: str, name: str, by: User) -> Event:
    with with_real_names(event) as recorded:
        document = stored(recorded).document
    settings = replace(
        unruled(document.event),
        name=name,
        start="",
        end="",
        sources=(),
        doi="",  # a DOI identifies the data of an event
        notes="",
        trf=(),
        prizes_public=False,
    )
    entrants = tuple(
        replace(
            each,
            withdrawn_after=None,
            requested_byes={},
            pairing_number=None,
            fixed_table=None,
            adjustments=(),
            category_decisions=(),
            awards=(),
            manual=None,
            manual_after=None,
        )
        for each in document.competitors
    )
    return store_draft(Document(settings, entrants), slug, by, list(event.arbiters.all()), event)


def _validate_event(event: Event) -> None:
    if FormerSlug.objects.filter(slug=event.slug).exists():
        raise Refused(
            _("“%(slug)s” was the address of another event. Choose another one.") % {"slug": event.slug}
        )
    try:
        event.full_clean()
    except ValidationError as fault:
        raise Refused(" ".join(fault.messages)) from fault
