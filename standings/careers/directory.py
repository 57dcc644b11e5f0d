"""The lists of all persons and of all teams over events, a page at a time, as a reader filters them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.db.models import Count, Exists, QuerySet

from standings.careers.medals import Medals
from standings.careers.tallies import ListedKind, refresh
from standings.catalogue.askedwords import LookedUp, meant, words_of
from standings.catalogue.peoplesearch import KeysNamed, keys_named
from standings.entries import flag_of
from standings.tables.sorting import ASCENDING, DESCENDING, SortKey
from standings.words import name_of_federation
from tournaments.event.federations import federation
from tournaments.models import Team
from tournaments.models.tally import SEPARATOR
from tournaments.people.entries import Leading, leading_to, team_slug
from tournaments.search import index

PER_PAGE = 50
LONGEST_SEARCH = 100

MOST_NAMED = 10_000
"""Of those who are called as a search asks, so many are listed at least."""


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


MEDALS = ("first", "second", "third")
TEAM_MEDALS = ("team_first", "team_second", "team_third")

BY_MEDALS = {
    SortKey.GOLD: ("first", "second", "third"),
    SortKey.SILVER: ("second", "first", "third"),
    SortKey.BRONZE: ("third", "first", "second"),
}
"""The orders by medals: which are compared, one after the other; those won with teams come after them."""

BEST_FIRST = {SortKey.NAME: ASCENDING, SortKey.CODE: ASCENDING, SortKey.TITLE: ASCENDING}
"""The direction of the first click, where it is not the greatest first."""

BY_NAME = ("name", "pk")


class NamedInList(NamedTuple):
    """Whom a search names, by key; `meant` are words that were guessed where those asked for find nobody."""

    keys: list[int]
    is_all: bool
    meant: str = ""


class Directory:
    """The persons, or teams, that a reader asked for, in that order; beyond the last page is the last one.

    Who is hidden is not among them, nor who is in no event that readers find, nor who has the key `without`.
    Eight queries at most, and those of what is still to be tallied (`behind` says how much is left then). A
    name is searched as events are, by four more and as many for a guess, which is made unless the list
    `is_exact`; `is_partial` says that more are called so than are listed.
    Who is level in what the list is sorted by stands by name; the other direction is the same list from its
    end, where those without a code or a title stay behind all others.
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
        self.sort, self.direction = _order(asked, has_titles=kind.titles is not None)
        self.behind = refresh(kind)
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
        rows = self.kind.tallies._default_manager.all()
        if self.without is not None:
            rows = rows.exclude(pk=self.without)
        if self._named is not None:
            rows = rows.filter(pk__in=self._named.keys)
        if self.country:
            rows = rows.filter(codes__in=_with(self.country, self._codes))
        if self.title and self.kind.titles is not None:
            rows = rows.filter(titles__in=_with(self.title, self._titles))
        return rows

    @cached_property
    def _named(self) -> NamedInList | None:
        """Whom the words of the search name; None where there is none."""
        words = words_of(self.search)
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
            # A word that was guessed may be of somebody who is hidden, and begin another name.
            named = keys_named(other, kind, MOST_NAMED, {*guess} - {*words})
            if self._are_listed(named):
                return NamedInList(*named, " ".join(guess).title())
        return NamedInList(*found)

    def _are_listed(self, named: KeysNamed) -> bool:
        return bool(named.keys) and self.kind.tallies._default_manager.filter(pk__in=named.keys).exists()

    @property
    def is_partial(self) -> bool:
        """Say whether more are called as the search asks than were looked at."""
        return self._named is not None and not self._named.is_all

    @property
    def meant(self) -> str:
        """The words that are shown instead of those asked for, which find nobody; blank where they do."""
        return self._named.meant if self._named else ""

    @property
    def shown_search(self) -> str:
        """The words of which the list is: those asked for, or those that were meant."""
        return self.meant or self.search

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
        found = self._found.order_by(*self.order)
        keys = list(found.values_list("pk", flat=True)[self.first - 1 : self.last])
        # Who was hidden at this very moment may be tallied still, and is left out.
        rows = self.kind.tallied.in_bulk(keys)
        return [_line(getattr(rows[key], self.kind.owner), rows[key]) for key in keys if key in rows]

    @property
    def order(self) -> list[str]:
        """Return the columns of tallies that the list is ordered by."""
        return _columns(self.sort, self.direction, self.kind)

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
        found = [ListFilter(code, _country(code), count) for code, count in _each(self._codes).items()]
        return sorted(found, key=lambda each: each.name.casefold())

    @cached_property
    def titles(self) -> list[ListFilter]:
        """Return the titles that there are; none of teams."""
        return [ListFilter(title, title, count) for title, count in sorted(_each(self._titles).items())]

    @cached_property
    def _codes(self) -> dict[str, int]:
        return self._counted("codes")

    @cached_property
    def _titles(self) -> dict[str, int]:
        return {} if self.kind.titles is None else self._counted("titles")

    def _counted(self, column: str) -> dict[str, int]:
        """Return how many are listed with these values together: few have more than one."""
        rows = self.kind.tallies._default_manager.order_by()
        if column == "titles":  # few have one, and these have an index of their own
            rows = rows.filter(has_no_title=False)
        return dict(rows.values_list(column).annotate(all=Count("*")))


def _each(counted: Mapping[str, int]) -> Counter[str]:
    """Return how many have each value, whatever others they have."""
    found: Counter[str] = Counter()
    for values, count in counted.items():
        found.update(dict.fromkeys(values.split(SEPARATOR) if values else (), count))
    return found


def _with(value: str, counted: Mapping[str, int]) -> list[str]:
    """Return what there is of values together that has this one among them."""
    return [values for values in counted if value in values.split(SEPARATOR)]


def everybody_of(kind: ListedKind) -> QuerySet[Any]:
    """Return all who may be listed: in an event that readers find, and not hidden."""
    return kind.rows.filter(Exists(kind.of_each(kind.links)))


def first_listed(kind: ListedKind, most: int) -> list[Leading]:
    """Return the first so many by their numbers; one query."""
    rows = everybody_of(kind).order_by("pk")[:most]
    return [_leading(each) for each in rows]


def _leading(row: Any) -> Leading:
    return Leading(row.pk, row.name, team_slug(row)) if isinstance(row, Team) else leading_to(row)


def _country(code: str) -> str:
    found = federation(code)
    return name_of_federation(found) if found else code


def _line(row: Any, tally: Any) -> ListedOverEvents:
    is_team = isinstance(row, Team)
    columns = MEDALS if is_team else (*MEDALS, *TEAM_MEDALS)
    medals = Medals(*(getattr(tally, each) for each in columns))
    return ListedOverEvents(
        _leading(row), _apart(tally.codes), [] if is_team else _apart(tally.titles), tally.events, medals
    )


def _apart(values: str) -> list[str]:
    return values.split(SEPARATOR) if values else []


def _columns(sort: str, direction: str, kind: ListedKind) -> list[str]:
    """Return what the list is ordered by, as an index of the tallies has it, forwards or backwards."""
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


def _order(asked: Mapping[str, str], *, has_titles: bool) -> tuple[str, str]:
    """Return the column that is sorted by and the direction; by name where the list has no such column."""
    keys = {SortKey.NAME, SortKey.CODE, SortKey.EVENTS, *BY_MEDALS, SortKey.TITLE, SortKey.TEAM}
    if not has_titles:
        keys -= {SortKey.TITLE, SortKey.TEAM}
    sort = asked.get("sort", "")
    if sort not in keys:
        return "", ASCENDING
    return sort, asked.get("dir") or BEST_FIRST.get(SortKey(sort), DESCENDING)
