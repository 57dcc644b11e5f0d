"""The lists of all persons and all teams: search, filters, sorting, pages and table."""

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property
from html import escape
from typing import Any, NamedTuple

from django.db.models import Count, Exists, QuerySet
from django.db.models.functions import Left
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.careers.medals import refresh_tallies
from standings.catalogue.listpage import Filter, ListPage, Option, federation_name
from standings.catalogue.peoplesearch import KeysNamed, keys_named
from standings.catalogue.search_terms import SearchQuery, alternative_spellings, search_tokens
from standings.flags import flag_of
from standings.tables.sorting import ASCENDING, DESCENDING, SortedTable, SortKey, TableColumn, text_column
from tournaments.people.entries import Leading, leading_to
from tournaments.people.models.tallies import SEPARATOR
from tournaments.people.services.tallies import ListedKind, Medals
from tournaments.search import index
from tournaments.search.folding import sort_key

PER_PAGE = 50

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


OWN_MEDALS, TEAM_MEDALS = Medals._fields[:3], Medals._fields[3:]

MEDALS_THEN_EVENTS = ("first", "second", "third", *TEAM_MEDALS, "events")

ORDERS: dict[str, tuple[str, ...]] = {
    "": MEDALS_THEN_EVENTS,
    SortKey.NAME: (),
    SortKey.CODE: ("codes",),
    SortKey.TITLE: ("title_rank",),
    SortKey.EVENTS: ("events",),
    SortKey.GOLD: MEDALS_THEN_EVENTS,
    SortKey.SILVER: ("second", "first", "third", *TEAM_MEDALS),
    SortKey.BRONZE: ("third", "first", "second", *TEAM_MEDALS),
    SortKey.TEAM: (*TEAM_MEDALS, *OWN_MEDALS),
}
"""The columns of each order, before the name. Teams have neither titles nor medals won with teams."""

MISSING_LAST: dict[str, str] = {SortKey.CODE: "has_no_code", SortKey.TITLE: "has_no_title"}

BEST_FIRST: dict[str, str] = dict.fromkeys((SortKey.NAME, SortKey.CODE, SortKey.TITLE), ASCENDING)
"""The direction of the first click if it is not descending."""

BY_NAME = ("name", "pk")

OTHER_LETTERS = "other"
"""The option of names that begin with a digit, a sign or one of thousands of Chinese characters."""


class Directory(ListPage):
    """A page of the list of persons or teams.

    Without hidden persons, those without public events, and the one with the key `without`. At most nine
    queries, and those of `refresh`; `behind`: how many tallies are still outdated. A search adds four
    queries, and as many if its terms are corrected, unless `is_exact`. `is_partial`: there are more matches
    than listed. Medals come first, then events; the API, opponents and names with a letter are sorted by
    name, and so are equal rows. The other direction reverses the list, but rows without a code
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
        super().__init__(asked, PER_PAGE)
        self.kind, self.without, self._is_exact = kind, without, is_exact
        self._columns = {"country": "codes", "letter": "letter"}
        self._columns |= {} if kind.titles is None else {"title": "titles"}
        self.chosen = {key: asked[key] for key in self._columns if asked.get(key)}
        sort = asked.get("sort", "")
        is_known = sort in ORDERS and (kind.titles is not None or sort not in {SortKey.TITLE, SortKey.TEAM})
        is_by_name = is_exact or without or "letter" in self.chosen
        self.sort = (sort if is_known else "") or (SortKey.NAME if is_by_name else "")
        self.direction = (self.sort and asked.get("dir")) or BEST_FIRST.get(self.sort, DESCENDING)
        if self.sort and is_known:
            self.sorting = {key: asked[key] for key in ("sort", "dir") if asked.get(key)}
        self.behind = refresh_tallies(kind)

    @property
    def is_only_shown(self) -> bool:
        """Return whether the page must not be cached: also if tallies are outdated."""
        return bool(self.behind) or super().is_only_shown

    @cached_property
    def _found(self) -> QuerySet[Any]:
        rows = self.kind.tallies._default_manager.alias(letter=Left("name", 1))
        if self.without is not None:
            rows = rows.exclude(pk=self.without)
        if self._named is not None:
            rows = rows.filter(pk__in=self._named.keys)
        for key, value in self.chosen.items():
            having = [values for values in self._stored[key] if value in _options_of(key, values)]
            rows = rows.filter(**{f"{self._columns[key]}__in": having})
            if key == "letter" and having and value != OTHER_LETTERS:
                rows = rows.filter(name__range=(value, f"{value}\U0010ffff"))  # a range of the index
        return rows

    @cached_property
    def _named(self) -> KeysNamed | None:
        words = search_tokens(self.search)
        if not words:
            return None
        index.refresh()
        kind, query = self.kind.searched, SearchQuery(words, only_names=True)
        found = keys_named(query, kind, MOST_NAMED)
        if self._is_exact or self._are_listed(found):
            return found
        begun = zip(query.words, query.begun, strict=True)
        unknown = [each.word for each, standing in begun if not len(standing.of(kind))]
        for guess in alternative_spellings(words, unknown):
            other = SearchQuery(guess, query, only_names=True)
            # A correction could reveal the name of a hidden person if only a prefix of it is public.
            named = keys_named(other, kind, MOST_NAMED, {*guess} - {*words})
            if self._are_listed(named):
                return named._replace(correction=" ".join(guess).title())
        return found

    def _are_listed(self, named: KeysNamed) -> bool:
        return bool(named.keys) and self.kind.tallies._default_manager.filter(pk__in=named.keys).exists()

    @property
    def is_partial(self) -> bool:
        return self._named is not None and not self._named.is_all

    @property
    def correction(self) -> str:
        return self._named.correction if self._named else ""

    @property
    def shown_search(self) -> str:
        return self.correction or self.search

    @cached_property
    def total(self) -> int:
        return int(self._found.count())

    @cached_property
    def lines(self) -> list[ListedOverEvents]:
        found = self._found.order_by(*self.order)
        keys = list(found.values_list("pk", flat=True)[self.first - 1 : self.last])
        # A person hidden a moment ago may still have a tally.
        rows = self.kind.tallied.in_bulk(keys)
        return [_list_line(getattr(rows[key], self.kind.owner), rows[key]) for key in keys if key in rows]

    @property
    def order(self) -> list[str]:
        has_team_medals = self.kind.titles is not None
        columns = [each for each in ORDERS[self.sort] if has_team_medals or each not in TEAM_MEDALS]
        first = [f"-{each}" if self.direction == DESCENDING else each for each in columns or BY_NAME]
        if missing := MISSING_LAST.get(self.sort):
            return [missing, *first, *BY_NAME]
        names = BY_NAME if self.direction == DESCENDING else [f"-{each}" for each in BY_NAME]
        return [*first, *names] if columns else first

    @property
    def filters(self) -> list[Filter]:
        countries = [self._option("country", code, federation_name(code)) for code in self._counts["country"]]
        countries.sort(key=lambda each: sort_key(each.name))
        titles = [self._option("title", title, title) for title in sorted(self._counts["title"])]
        label = _("code") if self.kind.titles is None else _("federation")
        both = Filter("country", label, countries), Filter("title", _("title"), titles)
        return [each for each in both if each.options]

    @property
    def letters(self) -> list[Option]:
        letters = sorted(self._counts["letter"], key=lambda each: (each == OTHER_LETTERS, each))
        names = {OTHER_LETTERS: _("All others")}
        return [self._option("letter", each, names.get(each, each.upper())) for each in letters]

    @cached_property
    def _counts(self) -> dict[str, Counter[str]]:
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        for key, stored in self._stored.items():
            for values, count in stored.items():
                counts[key].update(dict.fromkeys(_options_of(key, values), count))
        return counts

    @cached_property
    def _stored(self) -> dict[str, dict[str, int]]:
        """The stored texts of each filter, with all values of a row, and the number of rows with each."""
        rows = self.kind.tallies._default_manager.order_by().annotate(letter=Left("name", 1))
        stored = {}
        for key, column in self._columns.items():
            # Few persons have titles, and the index is partial.
            having = rows.filter(has_no_title=False) if key == "title" else rows
            stored[key] = dict(having.values_list(column).annotate(all=Count("*")))
        return stored


def first_listed(kind: ListedKind, most: int) -> list[Leading]:
    """Return the first persons or teams by number; one query."""
    rows = kind.rows.filter(Exists(kind.of_each(kind.links))).order_by("pk")[:most]
    return [leading_to(each) for each in rows]


def _list_line(row: Any, tally: Any) -> ListedOverEvents:
    return ListedOverEvents(
        leading_to(row),
        _split_values(tally.codes),
        _split_values(getattr(tally, "titles", "")),
        tally.events,
        Medals(*(getattr(tally, each, 0) for each in Medals._fields)),
    )


def _options_of(key: str, stored: str) -> list[str]:
    if key == "letter" and (not stored.isalpha() or unicodedata.name(stored, "").startswith("CJK")):
        return [OTHER_LETTERS]
    return _split_values(stored)


def _split_values(values: str) -> list[str]:
    return values.split(SEPARATOR) if values else []


AS_LISTED = [0] * PER_PAGE
"""Equal sort keys: the database has sorted the rows."""


def directory_table(directory: Directory, title: str, *, is_team: bool) -> SortedTable:
    lines = directory.lines
    names = [
        f'<th scope="row" class="who"><a class="name" href="{escape(each.leading.address)}">'
        f"{escape(each.leading.name)}</a></th>"
        for each in lines
    ]
    head = (_("team"), _("Team")) if is_team else (_("name"), _("Name"))
    code = (_("code"), _("Code")) if is_team else (_("federation"), _("Federation"))
    codes = (SafeString("".join(each.flags) + escape(", ".join(each.codes))) for each in lines)
    columns = [
        TableColumn(SortKey.NAME, *head, "who", names, AS_LISTED, BEST_FIRST.get(SortKey.NAME, DESCENDING)),
        _sorting(SortKey.CODE, *code, "left", codes),
    ]
    if not is_team:
        titles = (", ".join(each.titles) for each in lines)
        columns.append(_sorting(SortKey.TITLE, _("title"), _("Title"), "left", titles))
    events = (each.events for each in lines)
    columns.append(_sorting(SortKey.EVENTS, _("events"), _("Events"), "tb", events))
    medals = (
        (SortKey.GOLD, _("1st"), _("First places")),
        (SortKey.SILVER, _("2nd"), _("Second places")),
        (SortKey.BRONZE, _("3rd"), _("Third places")),
    )
    for at, (key, label, name) in enumerate(medals):
        # Zeros are blank, since phones leave out blank cells.
        columns.append(_sorting(key, label, name, "tb", [each.medals[at] or "" for each in lines]))
    if not is_team:
        label, name = _("in teams"), _("First, second and third places with teams")
        columns.append(_sorting(SortKey.TEAM, label, name, "tb", map(_team_medals_text, lines)))
    asked = {"sort": directory.sort, "dir": directory.direction}
    return SortedTable(title, columns, asked, carried=directory.carried)


def _team_medals_text(each: ListedOverEvents) -> str:
    medals = each.medals
    of_teams = (medals.team_first, medals.team_second, medals.team_third)
    return "–".join(map(str, of_teams)) if any(of_teams) else ""


def _sorting(key: SortKey, label: str, name: str, css: str, texts: Iterable[object]) -> TableColumn:
    return text_column(key, label, name, css, texts, AS_LISTED, BEST_FIRST.get(key, DESCENDING))
