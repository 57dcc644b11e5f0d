"""The lists of all persons and of all teams over events, a page at a time, as a reader filters them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.db.models import Case, Count, Exists, F, OuterRef, Q, QuerySet, Subquery, When

from standings.careers.medals import Medals, count_medals, medals_among, won_by
from standings.entries import flag_of
from standings.tables.sorting import ASCENDING, DESCENDING, SortKey
from standings.words import name_of_federation
from tournaments.event.choices import PUBLIC
from tournaments.event.federations import federation
from tournaments.models import (
    Person,
    PersonFederation,
    PersonLink,
    PersonName,
    PersonTitle,
    Team,
    TeamCode,
    TeamLink,
    TeamName,
)
from tournaments.pairing.startorder import TITLES
from tournaments.people.entries import Leading, leading_to, team_slug
from tournaments.people.names import name_words

PER_PAGE = 50
LONGEST_SEARCH = 100
MOST_WORDS = 6


class ListedOverEvents(NamedTuple):
    """A person or a team in the list: who it is, the codes and titles that are recorded, events, medals."""

    leading: Leading
    codes: list[str]
    titles: list[str]
    events: int
    medals: Medals

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
    names: QuerySet[Any]
    related: tuple[str, ...]
    titles: QuerySet[Any] | None = None

    def of_each(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        """Return the rows that hang on the person or team of the query around this one."""
        return rows.filter(**{self.owner: OuterRef("pk")})


LISTED_PERSONS = ListedKind(
    Person.objects.filter(merged_into=None, hidden=False),
    PersonLink.objects.filter(event__state__in=PUBLIC).exclude(competitor=None, player=None),
    "person",
    PersonFederation.objects.all(),
    PersonName.objects.all(),
    ("federations", "titles"),
    PersonTitle.objects.all(),
)
LISTED_TEAMS = ListedKind(
    Team.objects.filter(merged_into=None),
    TeamLink.objects.filter(event__state__in=PUBLIC, competitor__isnull=False),
    "team",
    TeamCode.objects.all(),
    TeamName.objects.all(),
    ("codes",),
)

RANKS = [When(title__in=group, then=rank) for rank, group in enumerate(TITLES)]
"""The titles of chess and draughts in their order, the highest first; any other comes after them."""

BY_MEDALS = {
    SortKey.GOLD: (0, 1, 2, 3, 4, 5),
    SortKey.SILVER: (1, 0, 2, 3, 4, 5),
    SortKey.BRONZE: (2, 0, 1, 3, 4, 5),
    SortKey.TEAM: (3, 4, 5, 0, 1, 2),
}
"""The orders by medals: which counts of `Medals` are compared, one after the other."""

BEST_FIRST = {SortKey.NAME: ASCENDING, SortKey.CODE: ASCENDING, SortKey.TITLE: ASCENDING}
"""The direction of the first click, where it is not the greatest first."""

BY_NAME = ("name", "pk")


class Directory:
    """The persons, or teams, that a reader asked for, in that order; beyond the last page is the last one.

    Who is hidden is not among them, nor who is in no event that readers find, nor who has the key `without`.
    Ten queries at most, and those of events whose medals are still to be counted (`behind` says how many).
    Who is level in what the list is sorted by stands by name.
    """

    def __init__(self, kind: ListedKind, asked: Mapping[str, str], without: int | None = None) -> None:
        self.kind, self.without = kind, without
        self.search = " ".join(asked.get("q", "").split())[:LONGEST_SEARCH]
        self.country, self.title = asked.get("country", ""), asked.get("title", "")
        self.sort, self.direction = _order(asked, has_titles=kind.titles is not None)
        self.behind = count_medals()
        self.pages = max(-(-self.total // PER_PAGE), 1)
        self.page = min(int(asked.get("page", 1)), self.pages)
        self._asked = asked

    @cached_property
    def is_only_shown(self) -> bool:
        """Say whether this is a search, is still incomplete, or asks for what the list has not."""
        # Words are without number, and so are values that nobody has: their pages must not displace others.
        shown = {"page": str(self.page) if self.page > 1 else "", "sort": self.sort, "q": ""}
        shown["dir"] = self._asked.get("dir", "") if self.sort else ""
        shown["country"] = self.country if self._has(self.countries, self.country) else ""
        shown["title"] = self.title if self._has(self.titles, self.title) else ""
        return bool(self.behind) or any(value != shown.get(name, "") for name, value in self._asked.items())

    @staticmethod
    def _has(offered: Sequence[ListFilter], value: str) -> bool:
        return any(each.value == value for each in offered)

    @cached_property
    def _found(self) -> QuerySet[Any]:
        kind = self.kind
        rows = everybody_of(kind).exclude(pk=self.without)
        for word in sorted(name_words(self.search))[:MOST_WORDS]:
            named = Q(key__startswith=word) | Q(key__contains=f" {word}")
            rows = rows.filter(named | Q(Exists(kind.of_each(kind.names).filter(named))))
        if self.country:
            rows = rows.filter(Exists(kind.of_each(kind.codes).filter(code=self.country)))
        if self.title and kind.titles is not None:
            rows = rows.filter(Exists(kind.of_each(kind.titles).filter(title=self.title)))
        return rows

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
        kind, keys = self.kind, self._keys
        linked = kind.of_each(kind.links).order_by().values(kind.owner)
        counted = linked.annotate(all=Count("event", distinct=True)).values("all")
        listed = kind.rows.annotate(events=Subquery(counted)).prefetch_related(*kind.related)
        rows = listed.in_bulk(keys)
        medals = medals_among(kind.links, kind.owner, keys)
        return [_line(rows[key], medals.get(key, Medals())) for key in keys if key in rows]

    @cached_property
    def _keys(self) -> list[int]:
        """Return the keys of the page in order."""
        start, end = self.first - 1, self.last
        if self.sort in BY_MEDALS:
            return self._by_medals(start, end)
        return list(self._in_order().values_list("pk", flat=True)[start:end])

    def _in_order(self) -> QuerySet[Any]:
        """Return all that was found, in the order that the database can tell."""
        kind = self.kind
        found: QuerySet[Any] = self._found
        if self.sort == SortKey.EVENTS:
            linked = kind.of_each(kind.links).order_by().values(kind.owner)
            by = Subquery(linked.annotate(all=Count("event", distinct=True)).values("all"))
        elif self.sort == SortKey.CODE:
            by = Subquery(kind.of_each(kind.codes).order_by("since", "code").values("code")[:1])
        elif self.sort == SortKey.TITLE and kind.titles is not None:
            rank = Case(*RANKS, default=len(RANKS))
            ranked = kind.of_each(kind.titles).annotate(rank=rank).order_by("rank")
            by = Subquery(ranked.values("rank")[:1])
        else:
            return found.order_by(*(("-name", "-pk") if self.direction == DESCENDING else BY_NAME))
        value = F("sorted_by")
        is_turned = self.direction == DESCENDING
        order = value.desc(nulls_last=True) if is_turned else value.asc(nulls_last=True)
        in_order: QuerySet[Any] = found.annotate(sorted_by=by).order_by(order, *BY_NAME)
        return in_order

    def _by_medals(self, start: int, end: int) -> list[int]:
        """Return the keys of that part of the list: who has a medal first, or last; two queries at most."""
        kind, places = self.kind, BY_MEDALS[SortKey(self.sort)]
        found = self._found
        won = medals_among(kind.links, kind.owner, found.values("pk"))
        has_won = Exists(kind.of_each(won_by(kind.links)))
        is_reversed = self.direction == DESCENDING
        names = dict(found.filter(has_won).order_by(*BY_NAME).values_list("pk", "name"))
        medallists = sorted(
            names, key=lambda key: [won.get(key, Medals())[at] for at in places], reverse=is_reversed
        )
        others = found.exclude(has_won).order_by(*BY_NAME).values_list("pk", flat=True)
        if is_reversed:
            beyond = max(start - len(medallists), 0), max(end - len(medallists), 0)
            return [*medallists[start:end], *(others[slice(*beyond)] if beyond[1] else [])]
        before = self.total - len(medallists)
        first = list(others[start : min(end, before)]) if start < before else []
        return [*first, *medallists[max(start - before, 0) : max(end - before, 0)]]

    @property
    def previous(self) -> str:
        """Return the query of the page before; empty on the first."""
        return self._query(self.page - 1) if self.page > 1 else ""

    @property
    def next(self) -> str:
        """Return the query of the page after; empty on the last."""
        return self._query(self.page + 1) if self.page < self.pages else ""

    @property
    def carried(self) -> dict[str, str]:
        """Return what the headings that sort carry on."""
        asked = {"q": self.search, "country": self.country, "title": self.title}
        return {name: value for name, value in asked.items() if value}

    def _query(self, page: int) -> str:
        asked = self.carried | {"sort": self.sort, "dir": self._asked.get("dir", "") if self.sort else ""}
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


def _line(row: Any, medals: Medals) -> ListedOverEvents:
    is_team = isinstance(row, Team)
    codes = [each.code for each in (row.codes if is_team else row.federations).all()]
    titles = [] if is_team else [each.title for each in row.titles.all()]
    return ListedOverEvents(_leading(row), codes, titles, row.events, medals)


def _order(asked: Mapping[str, str], *, has_titles: bool) -> tuple[str, str]:
    """Return the column that is sorted by and the direction; by name where the list has no such column."""
    keys = {SortKey.NAME, SortKey.CODE, SortKey.EVENTS, *BY_MEDALS, SortKey.TITLE}
    if not has_titles:
        keys -= {SortKey.TITLE, SortKey.TEAM}
    sort = asked.get("sort", "")
    if sort not in keys:
        return "", ASCENDING
    return sort, asked.get("dir") or BEST_FIRST.get(SortKey(sort), DESCENDING)
