"""New events: from a short form with sensible defaults, or with the structure of another one."""

from dataclasses import replace
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils.text import slugify
from django.utils.translation import gettext as _

from tournaments.event.checks import check
from tournaments.event.document import CompetitorEntry, Document
from tournaments.event.finding import errors
from tournaments.event.judging import usual_system
from tournaments.models import Event, FormerSlug
from tournaments.people.withholding import unveiled
from tournaments.recording.backups import store_draft
from tournaments.recording.refusal import Refused
from tournaments.recording.rules import unruled
from tournaments.recording.systems import fide_system, settings_of_system
from tournaments.recording.turns import add, saving
from tournaments.stored import stored


def defaults_for(discipline: str, entrants: str, schedule: str, start: str = "") -> dict[str, Any]:
    """Return the settings that a short form need not ask, by field of the event; points are half-points.

    Chess scores 1-½-0 and is ranked by FIDE's rules, in the edition of the start; draughts 2-1-0. Teams play
    on four boards.
    """
    is_chess, is_team = discipline == "chess", entrants == Event.Entrants.TEAMS
    scoring = {"game_win": 2, "game_draw": 1} if is_chess else {"game_win": 4, "game_draw": 2}
    return {
        **scoring,
        **_system(Event(discipline=discipline, entrants=entrants, schedule=schedule, start=start)),
        "boards": 4 if is_team else None,
        "planned_rounds": 7 if is_team else 9,
    }


def _system(event: Event) -> dict[str, Any]:
    if fide := fide_system(event):
        # Written out: a later edition must not take over an event of this one.
        return settings_of_system(event, fide.code)
    code = usual_system(event.discipline, is_team=event.is_team, is_swiss=not event.is_round_robin)
    return {"system": code}


def create_event(
    slug: str, name: str, discipline: str, entrants: str, schedule: str, by: User, **settings: Any
) -> Event:
    """Store a draft without competitors, whose first arbiter is `by`; what is not given has its default.

    Refused where the address is not free, or the settings do not fit together.
    """
    given = {key: value for key, value in settings.items() if value is not None}
    required_values = {
        "slug": slug,
        "name": name,
        "discipline": discipline,
        "entrants": entrants,
        "schedule": schedule,
    }
    defaults = defaults_for(discipline, entrants, schedule, given.get("start", ""))
    event = Event(**{**defaults, **required_values, **given})
    with saving():
        _refuse_faulty(event)
        add(event, by)
        # full_clean() knows single fields; that they fit together is known by the checks of a file.
        if found := errors(check(stored(event).document)):
            raise Refused(found[0].message)
        event.arbiters.add(by)
    return event


def clone_event(event: Event, slug: str, name: str, by: User) -> Event:
    """Store a draft with the settings, competitors and players of an event, and nothing that happened."""
    with unveiled(event) as recorded:
        document = stored(recorded).document
    settings = replace(
        unruled(document.event),
        name=name,
        start="",
        end="",
        sources=(),
        doi="",  # which names the data of the other event
        notes="",
        trf=(),
        prizes_public=False,
    )
    entrants = tuple(_entrant(each) for each in document.competitors)
    return store_draft(Document(settings, entrants), slug, by, list(event.arbiters.all()), event)


def _entrant(competitor: CompetitorEntry) -> CompetitorEntry:
    return replace(
        competitor,
        withdrawn_after=None,
        requested_byes={},
        adjustments=(),
        category_decisions=(),
        awards=(),
        manual=None,
        manual_after=None,
    )


def _refuse_faulty(event: Event) -> None:
    if FormerSlug.objects.filter(slug=event.slug).exists():
        raise Refused(
            _("“%(slug)s” was the address of another event. Choose another one.") % {"slug": event.slug}
        )
    try:
        event.full_clean()
    except ValidationError as fault:
        raise Refused(" ".join(fault.messages)) from fault


LONGEST_ADDRESS = 80


def address_for(name: str, start: str) -> str:
    """Return an address of the name, with the year unless that is in it; blank where no letter is Latin."""
    base, year = slugify(name), start[:4]
    parts = [base[: LONGEST_ADDRESS - len(year) - 1].strip("-"), year if year not in base else ""]
    return "-".join(part for part in parts if part) if base else ""
