"""The lists of all persons and of all teams over events, a page at a time, as a reader filters them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery

from standings.entries import flag_of
from standings.words import name_of_federation
from tournaments.event.choices import PUBLIC
from tournaments.event.federations import federation
from tournaments.models import Person, PersonFederation, PersonLink, PersonTitle, Team, TeamCode, TeamLink
from tournaments.people.entries import Leading, leading_to, team_slug
from tournaments.people.names import name_words

PER_PAGE = 50
LONGEST_SEARCH = 100
MOST_WORDS = 6


class ListedOverEvents(NamedTuple):
    """A person or a team in the list: who it is, the codes and titles that are recorded, how many events."""

    leading: Leading
    codes: list[str]
    titles: list[str]
    events: int

    @property
    def flags(self) -> list[str]:
        """Return the flags of the codes that have one."""
        return [flag for code in self.codes if (flag := flag_of(code, None))]


class ListFilter(NamedTuple):
    """A value that the list can be filtered by, and how many it would show."""

    value: str
    name: str
    listed: int


@dataclass(frozen=True)
class ListedKind:
    """Persons, or teams, as the list asks for them: `related` are the columns that lines need beside."""

    rows: QuerySet[Any]
    links: QuerySet[Any]
    owner: str
    codes: QuerySet[Any]
    names: str
    related: tuple[str, ...]
    titles: QuerySet[Any] | None = None


LISTED_PERSONS = ListedKind(
    Person.objects.filter(merged_into=None, hidden=False),
    PersonLink.objects.filter(event__state__in=PUBLIC).exclude(competitor=None, player=None),
    "person",
    PersonFederation.objects.all(),
    "names",
    ("federations", "titles"),
    PersonTitle.objects.all(),
)
LISTED_TEAMS = ListedKind(
    Team.objects.filter(merged_into=None),
    TeamLink.objects.filter(event__state__in=PUBLIC, competitor__isnull=False),
    "team",
    TeamCode.objects.all(),
    "names",
    ("codes",),
)


class Directory:
    """The persons, or teams, that a reader asked for, by name; beyond the last page is the last one.

    Who is hidden is not among them, nor who is in no event that readers find, nor who has the key `without`.
    Six queries at most.
    """

    def __init__(self, kind: ListedKind, asked: Mapping[str, str], without: int | None = None) -> None:
        self.kind, self.without = kind, without
        self.search = " ".join(asked.get("q", "").split())[:LONGEST_SEARCH]
        self.country, self.title = asked.get("country", ""), asked.get("title", "")
        self.pages = max(-(-self.total // PER_PAGE), 1)
        self.page = min(int(asked.get("page", 1)), self.pages)

    @cached_property
    def _found(self) -> QuerySet[Any]:
        rows = everybody_of(self.kind).exclude(pk=self.without)
        for word in sorted(name_words(self.search))[:MOST_WORDS]:
            named = Q(key__startswith=word) | Q(key__contains=f" {word}")
            other = Q(**{f"{self.kind.names}__key__startswith": word})
            rows = rows.filter(named | other | Q(**{f"{self.kind.names}__key__contains": f" {word}"}))
        if self.country:
            rows = rows.filter(**{f"{self.kind.related[0]}__code": self.country})
        if self.title and self.kind.titles is not None:
            rows = rows.filter(titles__title=self.title)
        return rows.distinct()

    @cached_property
    def total(self) -> int:
        """Return how many were found, on all pages."""
        return int(self._found.count())

    @property
    def first(self) -> int:
        """Return the position of the page's first line, from 1."""
        return (self.page - 1) * PER_PAGE + 1

    @property
    def last(self) -> int:
        """Return the position of the page's last line."""
        return min(self.page * PER_PAGE, self.total)

    @cached_property
    def lines(self) -> list[ListedOverEvents]:
        """Return the lines of the page."""
        linked = self.kind.links.filter(**{self.kind.owner: OuterRef("pk")}).order_by()
        counted = linked.values(self.kind.owner).annotate(all=Count("event", distinct=True)).values("all")
        rows = self._found.annotate(events=Subquery(counted)).prefetch_related(*self.kind.related)
        return [_line(each) for each in rows.order_by("name", "pk")[self.first - 1 : self.last]]

    @property
    def previous(self) -> str:
        """Return the query of the page before; empty on the first."""
        return self._query(self.page - 1) if self.page > 1 else ""

    @property
    def next(self) -> str:
        """Return the query of the page after; empty on the last."""
        return self._query(self.page + 1) if self.page < self.pages else ""

    def _query(self, page: int) -> str:
        asked = {"q": self.search, "country": self.country, "title": self.title}
        asked["page"] = str(page) if page > 1 else ""
        return "?" + urlencode({name: value for name, value in asked.items() if value})

    @cached_property
    def countries(self) -> list[ListFilter]:
        """Return the federations, or codes, that there are."""
        found = [
            ListFilter(code, _country(code), count) for code, count in self._counted(self.kind.codes, "code")
        ]
        return sorted(found, key=lambda each: each.name.casefold())

    @cached_property
    def titles(self) -> list[ListFilter]:
        """Return the titles that there are; none of teams."""
        if self.kind.titles is None:
            return []
        return [ListFilter(title, title, count) for title, count in self._counted(self.kind.titles, "title")]

    def _counted(self, rows: QuerySet[Any], column: str) -> Sequence[tuple[str, int]]:
        owner = self.kind.owner
        counted = rows.filter(**{f"{owner}__in": everybody_of(self.kind).order_by().values("pk")}).order_by(
            column
        )
        return list(counted.values_list(column).annotate(all=Count(owner, distinct=True)))


def everybody_of(kind: ListedKind) -> QuerySet[Any]:
    """Return all who may be listed: in an event that readers find, and not hidden."""
    return kind.rows.filter(Exists(kind.links.filter(**{kind.owner: OuterRef("pk")})))


def first_listed(kind: ListedKind, most: int) -> list[Leading]:
    """Return the first so many by their numbers; one query."""
    rows = everybody_of(kind).order_by("pk")[:most]
    return [_leading(each) for each in rows]


def _leading(row: Any) -> Leading:
    return Leading(row.pk, row.name, team_slug(row)) if isinstance(row, Team) else leading_to(row)


def _country(code: str) -> str:
    found = federation(code)
    return name_of_federation(found) if found else code


def _line(row: Any) -> ListedOverEvents:
    if isinstance(row, Team):
        return ListedOverEvents(_leading(row), [each.code for each in row.codes.all()], [], row.events)  # type: ignore[attr-defined]  # annotated
    codes = [each.code for each in row.federations.all()]
    return ListedOverEvents(_leading(row), codes, [each.title for each in row.titles.all()], row.events)
