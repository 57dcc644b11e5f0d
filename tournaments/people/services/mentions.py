"""Search of texts with the surname of a person, which the redaction does not change (ADR 0041)."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.db.models import Model

from tournaments import models
from tournaments.operations.revision import EVENTS_OF
from tournaments.people.hiding.anonymise import NOT_SEARCHED, OF_THE_EVENT, text_fields
from tournaments.people.matching.name_search import surname_of
from tournaments.people.matching.names import without_ignorable
from tournaments.people.public import PSEUDONYM
from tournaments.search.folding import searchable

MOST_PLACES = 200
"""Maximum number of places that are listed."""

LONGEST_TEXT = 120
"""Maximum number of characters shown of a line."""

_SHORT = 4  # characters, including the blank before it; a surname this short must be a complete word

_NUMBERS: dict[type[Model], tuple[str, ...]] = {
    models.Competitor: ("number",),
    models.Player: ("competitor__number",),
    models.Round: ("number",),
    models.Pairing: ("round__number", "table"),
    models.Game: ("pairing__round__number", "pairing__table"),
}
"""Numbers that locate a row on the screens of its event: competitor's number, or round and table."""

_OF_EVENTS = [model for model in EVENTS_OF if model not in {models.Event, *NOT_SEARCHED}]


@dataclass(frozen=True, slots=True)
class RemainingPlace:
    """A line of text with the surname; `event` is None if the row belongs to no event."""

    model: type[Model]
    key: int
    field: str
    line: str
    event: int | None = None
    numbers: tuple[int, ...] = ()


def surname_places(person: models.Person) -> list[RemainingPlace]:
    """Return at most `MOST_PLACES` + 1 places; a query for each table, and two more.

    Names and texts of all events are searched, and every text of the person's own events.
    """
    names_surname = _surname_finder(person)
    own = list(models.PersonLink.objects.filter(person=person).values_list("event", flat=True).distinct())

    def found() -> Iterator[RemainingPlace]:
        yield from _places_in_names(names_surname)
        texts = [
            name for name in text_fields(models.Event) if name not in ("name", "congress", "slug", "trf")
        ]
        yield from _places_in_rows(models.Event, texts, names_surname, models.Event.objects.all(), event="pk")
        events = models.Event.objects.filter(pk__in=own)
        yield from _places_in_rows(models.Event, ["trf"], names_surname, events, event="pk")
        for model in _OF_EVENTS:
            event = OF_THE_EVENT.get(model, "event")
            rows = model._default_manager.filter(**{f"{event}__in": own})
            yield from _places_in_rows(model, text_fields(model), names_surname, rows, event=event)

    return list(islice(found(), MOST_PLACES + 1))


def names_with_surname(person: models.Person) -> list[str]:
    own = models.Event.objects.filter(person_links__person=person)
    names_surname = _surname_finder(person)
    teams = models.Competitor.objects.filter(event__in=own, event__entrants=models.Event.Entrants.TEAMS)
    places = [
        *_places_in_names(names_surname),
        *_places_in_rows(models.Competitor, ["name"], names_surname, teams),
    ]
    return list(dict.fromkeys(each.line for each in places))


def _surname_finder(person: models.Person) -> Callable[[str], bool]:
    """Return a function: whether a text contains a surname of the person, in any script and case. Two
    queries.

    A surname may be the beginning of a word (`Carlsens`), unless it is very short.
    """
    names = [person.name, *person.names.values_list("name", flat=True)]
    names += models.PersonLink.objects.filter(person=person).values_list("name", flat=True)
    surnames = {searchable(surname_of(name)) for name in names if not name.startswith(PSEUDONYM)}
    parts = [f"{each} " if len(each) <= _SHORT else each for each in surnames if each.strip()]

    def names_surname(text: str) -> bool:
        folded = f"{searchable(without_ignorable(text))} "
        return any(each in folded for each in parts)

    return names_surname


def _places_in_names(names_surname: Callable[[str], bool]) -> Iterator[RemainingPlace]:
    events = models.Event.objects.all()
    yield from _places_in_rows(models.Event, ["name", "congress", "slug"], names_surname, events, event="pk")
    yield from _places_in_rows(models.FormerSlug, ["slug"], names_surname, event="event")
    yield from _places_in_rows(models.Series, ["name", "slug"], names_surname)
    yield from _places_in_rows(models.Team, ["name"], names_surname)
    yield from _places_in_rows(models.TeamName, ["name"], names_surname, key="team")


def _places_in_rows(
    model: type[Model],
    names: Sequence[str],
    names_surname: Callable[[str], bool],
    rows: Any = None,
    *,
    event: str = "",
    key: str = "pk",
) -> Iterator[RemainingPlace]:
    numbers = _NUMBERS.get(model, ())
    found = (model._default_manager.all() if rows is None else rows).order_by("pk")
    for row in found.values_list(key, event or "pk", *numbers, *names).iterator():
        at = 2 + len(numbers)
        for name, value in zip(names, row[at:], strict=True):
            lines = list(_text_lines(value))
            # Most texts are long and do not contain the name, so the entire text is folded once.
            if not names_surname("\n".join(lines)):
                continue
            for line in filter(names_surname, lines):
                event_key = row[1] if event else None
                yield RemainingPlace(model, row[0], name, line[:LONGEST_TEXT], event_key, row[2:at])


def _text_lines(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield from value.splitlines()
    elif isinstance(value, dict):
        for key, each in value.items():
            yield key
            yield from _text_lines(each)
    elif isinstance(value, list):
        for each in value:
            yield from _text_lines(each)
