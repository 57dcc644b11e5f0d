"""The parts that all lists share: the page, the links to other pages, and the filters with their counts."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from html import escape
from urllib.parse import urlencode

from django.utils.functional import Promise
from django.utils.safestring import SafeString

from standings.texts import name_of_federation
from tournaments.event.federations import federation

LONGEST_SEARCH = 100


@dataclass(frozen=True)
class Option:
    """A value of a filter, with the number of matches."""

    value: str
    name: str
    count: int
    chosen: bool


@dataclass(frozen=True)
class Filter:
    """A filter with its available values. `key`: the query parameter."""

    key: str
    label: str | Promise
    options: list[Option]

    @property
    def choices(self) -> SafeString:
        """Return the options as HTML. A template takes ten times as long for a hundred options."""
        rows = (
            f'<option value="{escape(each.value)}"{" selected" if each.chosen else ""}>'
            f"{escape(each.name)} ({each.count})</option>"
            for each in self.options
        )
        return SafeString("\n".join(rows))


class ListPage:
    """A page of a list; a page after the last is the last page.

    `chosen`: the values of the filters. `_counts`: the matches by filter and value. `sorting`: the query
    parameters of the order, none by default.
    """

    def __init__(self, asked: Mapping[str, str], per_page: int) -> None:
        self._asked, self.per_page = asked, per_page
        self.search = " ".join(asked.get("q", "").split())[:LONGEST_SEARCH]
        self.chosen: dict[str, str] = {}
        self.sorting: dict[str, str] = {}

    @cached_property
    def total(self) -> int:
        raise NotImplementedError

    @cached_property
    def pages(self) -> int:
        return max(-(-self.total // self.per_page), 1)

    @cached_property
    def page(self) -> int:
        # `choices` has checked that the page is a number.
        return min(int(self._asked.get("page", 1)), self.pages)

    @cached_property
    def offered(self) -> dict[str, str]:
        return {key: value for key, value in self.chosen.items() if value in self._counts[key]}

    @cached_property
    def _counts(self) -> dict[str, Counter[str]]:
        raise NotImplementedError

    def _option(self, key: str, value: str, name: str) -> Option:
        return Option(value, name, self._counts[key][value], value == self.chosen.get(key))

    @property
    def is_only_shown(self) -> bool:
        """Return whether the page must not be cached: a search, or an unknown value."""
        # Search terms and unknown values are unlimited. Their pages must not evict others from the cache.
        shown = {**self.offered, **self.sorting, "page": str(self.page) if self.page > 1 else ""}
        return any(value != shown.get(name, "") for name, value in self._asked.items())

    @property
    def first(self) -> int:
        return (self.page - 1) * self.per_page + 1

    @property
    def last(self) -> int:
        return min(self.page * self.per_page, self.total)

    @property
    def previous(self) -> str:
        return self._address(self.page - 1) if self.page > 1 else ""

    @property
    def next(self) -> str:
        return self._address(self.page + 1) if self.page < self.pages else ""

    @property
    def carried(self) -> dict[str, str]:
        asked = {"q": self.search, **self.chosen}
        return {name: value for name, value in asked.items() if value}

    def query(self, page: int) -> str:
        """Return the query string of a page of the list, blank for the first page of a complete list."""
        asked = self.carried | self.sorting | ({"page": str(page)} if page > 1 else {})
        return f"?{urlencode(asked)}" if asked else ""

    def _address(self, page: int) -> str:
        # A blank URL would retain the query of the current page.
        return self.query(page) or "?"


def federation_name(code: str) -> str:
    found = federation(code)
    return name_of_federation(found) if found else code
