"""The lists of all persons and all teams: search, filters, sorting and pages."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.db.models import Count, Exists, QuerySet

from standings.careers.medals import refresh_tallies
from standings.catalogue.askedwords import LookedUp, meant, search_tokens
from standings.catalogue.peoplesearch import KeysNamed, keys_named
from standings.flags import flag_of
from standings.tables.sorting import ASCENDING, DESCENDING, SortKey
from standings.words import name_of_federation
from tournaments.event.federations import federation
from tournaments.models import Team
from tournaments.people.entries import Leading, leading_to, team_slug
from tournaments.people.models.tallies import SEPARATOR
from tournaments.people.services.tallies import ListedKind, Medals
from tournaments.search import index

PER_PAGE = 50
LONGEST_SEARCH = 100

MOST_NAMED = 10_000
"""At least so many matches of a search are listed."""


class ListedOverEvents(NamedTuple):
    """A person or team in the list, with its recorded codes and titles."""

    leading: Leading
    codes: list[str]
    titles: list[str]
    events: int
    medals: Medals

    @property
    def flags(self) -> list[str]:
        return [flag for code in self.codes if (flag := flag_of(code, None))]


class ListFilter(NamedTuple):
    """A filter value with the number of matches."""

    value: str
    name: str
    listed: int


MEDALS = ("first", "second", "third")
TEAM_MEDALS = ("team_first", "team_second", "team_third")

BY_MEDALS = {
    SortKey.GOLD: ("first", "second", "third"),
    SortKey.SILVER: ("second", "first", "third"),
    SortKey.BRONZE: ("third", "first", "second"),
}
"""The sort columns of each medal order. Medals won with teams are compared last."""

BEST_FIRST = {SortKey.NAME: ASCENDING, SortKey.CODE: ASCENDING, SortKey.TITLE: ASCENDING}
"""The direction of the first click if it is not descending."""

BY_NAME = ("name", "pk")


class NamedInList(NamedTuple):
    """The matches of a search by key. `meant`: the corrected terms if the original ones do not match."""

    keys: list[int]
    is_all: bool
    meant: str = ""


class Directory:
    """A page of the list of persons or teams; a page after the last is the last page.

    Without hidden persons, those without public events, and the one with the key `without`. At most eight
    queries, and those of `refresh`; `behind`: how many tallies are still outdated. A search adds four
    queries, and as many if its terms are corrected, unless `is_exact`. `is_partial`: there are more matches
    than listed. Equal rows are sorted by name. The other direction reverses the list, but rows without a code
    or title stay last.
    """

    def __init__(
        self,
        kind: ListedKind,
        asked: Mapping[str, str],
        without: int | None = None,
        *,
        is_exact: bool = False,
    ) -> None:
        self.kind, self.without, self._is_exact = kind, without, is_exact
        self.search = " ".join(asked.get("q", "").split())[:LONGEST_SEARCH]
        self.country, self.title = asked.get("country", ""), asked.get("title", "")
        self.sort, self.direction = _requested_order(asked, has_titles=kind.titles is not None)
        self.behind = refresh_tallies(kind)
        self.pages = max(-(-self.total // PER_PAGE), 1)
        self.page = min(int(asked.get("page", 1)), self.pages)
        self._asked = asked

    @cached_property
    def is_only_shown(self) -> bool:
        """Return whether the page must not be cached: a search, outdated tallies, or an unknown value."""
        # Search terms and unknown values are unlimited. Their pages must not evict others from the cache.
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
        rows = self.kind.tallies._default_manager.all()
        if self.without is not None:
            rows = rows.exclude(pk=self.without)
        if self._named is not None:
            rows = rows.filter(pk__in=self._named.keys)
        if self.country:
            rows = rows.filter(codes__in=_combinations_with(self.country, self._codes))
        if self.title and self.kind.titles is not None:
            rows = rows.filter(titles__in=_combinations_with(self.title, self._titles))
        return rows

    @cached_property
    def _named(self) -> NamedInList | None:
        words = search_tokens(self.search)
        if not words:
            return None
        index.refresh()
        kind, looked = self.kind.searched, LookedUp(words, only_names=True)
        found = keys_named(looked, kind, MOST_NAMED)
        if self._is_exact or self._are_listed(found):
            return NamedInList(*found)
        begun = zip(looked.words, looked.begun, strict=True)
        unknown = [each.word for each, standing in begun if not len(standing.of(kind))]
        for guess in meant(words, unknown):
            other = LookedUp(guess, looked, only_names=True)
            # A correction could reveal the name of a hidden person if only a prefix of it is public.
            named = keys_named(other, kind, MOST_NAMED, {*guess} - {*words})
            if self._are_listed(named):
                return NamedInList(*named, " ".join(guess).title())
        return NamedInList(*found)

    def _are_listed(self, named: KeysNamed) -> bool:
        return bool(named.keys) and self.kind.tallies._default_manager.filter(pk__in=named.keys).exists()

    @property
    def is_partial(self) -> bool:
        return self._named is not None and not self._named.is_all

    @property
    def meant(self) -> str:
        return self._named.meant if self._named else ""

    @property
    def shown_search(self) -> str:
        return self.meant or self.search

    @cached_property
    def total(self) -> int:
        return int(self._found.count())

    @property
    def first(self) -> int:
        return (self.page - 1) * PER_PAGE + 1

    @property
    def last(self) -> int:
        return min(self.page * PER_PAGE, self.total)

    @cached_property
    def lines(self) -> list[ListedOverEvents]:
        found = self._found.order_by(*self.order)
        keys = list(found.values_list("pk", flat=True)[self.first - 1 : self.last])
        # A person hidden a moment ago may still have a tally.
        rows = self.kind.tallied.in_bulk(keys)
        return [_list_line(getattr(rows[key], self.kind.owner), rows[key]) for key in keys if key in rows]

    @property
    def order(self) -> list[str]:
        return _sort_columns(self.sort, self.direction, self.kind)

    @property
    def previous(self) -> str:
        """Return the query string of the previous page, blank on the first."""
        return self._query(self.page - 1) if self.page > 1 else ""

    @property
    def next(self) -> str:
        """Return the query string of the next page, blank on the last."""
        return self._query(self.page + 1) if self.page < self.pages else ""

    @property
    def carried(self) -> dict[str, str]:
        asked = {"q": self.search, "country": self.country, "title": self.title}
        return {name: value for name, value in asked.items() if value}

    def _query(self, page: int) -> str:
        asked = self.carried | {"sort": self.sort, "dir": self._asked.get("dir", "") if self.sort else ""}
        asked["page"] = str(page) if page > 1 else ""
        return "?" + urlencode({name: value for name, value in asked.items() if value})

    @cached_property
    def countries(self) -> list[ListFilter]:
        found = [
            ListFilter(code, _federation_name(code), count) for code, count in _per_value(self._codes).items()
        ]
        return sorted(found, key=lambda each: each.name.casefold())

    @cached_property
    def titles(self) -> list[ListFilter]:
        return [ListFilter(title, title, count) for title, count in sorted(_per_value(self._titles).items())]

    @cached_property
    def _codes(self) -> dict[str, int]:
        return self._counted("codes")

    @cached_property
    def _titles(self) -> dict[str, int]:
        return {} if self.kind.titles is None else self._counted("titles")

    def _counted(self, column: str) -> dict[str, int]:
        rows = self.kind.tallies._default_manager.order_by()
        if column == "titles":  # few persons have titles, and the index is partial
            rows = rows.filter(has_no_title=False)
        return dict(rows.values_list(column).annotate(all=Count("*")))


def _per_value(counted: Mapping[str, int]) -> Counter[str]:
    found: Counter[str] = Counter()
    for values, count in counted.items():
        found.update(dict.fromkeys(values.split(SEPARATOR) if values else (), count))
    return found


def _combinations_with(value: str, counted: Mapping[str, int]) -> list[str]:
    return [values for values in counted if value in values.split(SEPARATOR)]


def everybody_of(kind: ListedKind) -> QuerySet[Any]:
    return kind.rows.filter(Exists(kind.of_each(kind.links)))


def first_listed(kind: ListedKind, most: int) -> list[Leading]:
    """Return the first persons or teams by number; one query."""
    rows = everybody_of(kind).order_by("pk")[:most]
    return [_leading_to_row(each) for each in rows]


def _leading_to_row(row: Any) -> Leading:
    return Leading(row.pk, row.name, team_slug(row)) if isinstance(row, Team) else leading_to(row)


def _federation_name(code: str) -> str:
    found = federation(code)
    return name_of_federation(found) if found else code


def _list_line(row: Any, tally: Any) -> ListedOverEvents:
    is_team = isinstance(row, Team)
    columns = MEDALS if is_team else (*MEDALS, *TEAM_MEDALS)
    medals = Medals(*(getattr(tally, each) for each in columns))
    return ListedOverEvents(
        _leading_to_row(row),
        _split_values(tally.codes),
        [] if is_team else _split_values(tally.titles),
        tally.events,
        medals,
    )


def _split_values(values: str) -> list[str]:
    return values.split(SEPARATOR) if values else []


def _sort_columns(sort: str, direction: str, kind: ListedKind) -> list[str]:
    if sort in (SortKey.CODE, SortKey.TITLE):
        none, value = ("has_no_code", "codes") if sort == SortKey.CODE else ("has_no_title", "title_rank")
        return [none, f"-{value}" if direction == DESCENDING else value, *BY_NAME]
    with_teams = TEAM_MEDALS if kind.titles is not None else ()
    first = (
        {
            SortKey.EVENTS: ("events",),
            SortKey.TEAM: (*TEAM_MEDALS, *MEDALS),
            **{key: (*medals, *with_teams) for key, medals in BY_MEDALS.items()},
        }.get(SortKey(sort))
        if sort
        else None
    )
    if first is None:
        return [f"-{each}" for each in BY_NAME] if direction == DESCENDING else [*BY_NAME]
    if direction == DESCENDING:
        return [*(f"-{each}" for each in first), *BY_NAME]
    return [*first, *(f"-{each}" for each in BY_NAME)]


def _requested_order(asked: Mapping[str, str], *, has_titles: bool) -> tuple[str, str]:
    keys = {SortKey.NAME, SortKey.CODE, SortKey.EVENTS, *BY_MEDALS, SortKey.TITLE, SortKey.TEAM}
    if not has_titles:
        keys -= {SortKey.TITLE, SortKey.TEAM}
    sort = asked.get("sort", "")
    if sort not in keys:
        return "", ASCENDING
    return sort, asked.get("dir") or BEST_FIRST.get(SortKey(sort), DESCENDING)
