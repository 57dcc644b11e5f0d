"""The filters of a table of standings."""

from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from functools import cached_property
from itertools import chain

from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from standings.caching.cached_pages import choices, mark_uncacheable
from standings.catalogue.listpage import Filter, Option, federation_name
from standings.tables.sheet import StandingsSheet
from standings.tables.switches import query_of
from tournaments.event.choices import Sex
from tournaments.prizes.texts import category_name
from tournaments.search.folding import sort_key

FILTERS = (gettext_noop("federation"), "club", "city", "category", gettext_noop("sex"), "title")
"""The query parameters, which are also the labels."""


class RowFilter:
    """The filters of a table of standings.

    `chosen`: the values of the reader; those that no competitor has are ignored. `sheet`: the sheet with the
    competitors that match, as part of its group.
    """

    def __init__(self, request: HttpRequest, sheet: StandingsSheet) -> None:
        self.event, self.asked = sheet.event, choices(request)
        numbers = [entry.number for entry in sheet.entries]
        self.among = numbers if sheet.among is None else sheet.among
        self.facts = {key: dict(zip(numbers, sheet.facts(key), strict=True)) for key in FILTERS}
        asked = {key: self.asked[key] for key in FILTERS if key in self.asked}
        known = {key: {*chain.from_iterable(self.facts[key].values())} for key in asked}
        self.chosen = {key: value for key, value in asked.items() if value in known[key]}
        if self.chosen != asked:
            mark_uncacheable(request)  # unknown values are unlimited
        self.sheet = sheet
        if self.chosen:
            group = ", ".join(filter(None, (sheet.group, *(name for name, _query in self.links))))
            self.sheet = replace(sheet, among=frozenset(self._matches()), group=group)

    def _matches(self, ignored: str = "") -> Collection[int]:
        matches = self.among
        for key in self.chosen.keys() - {ignored}:
            matches = [each for each in matches if self.chosen[key] in self.facts[key][each]]
        return matches

    @cached_property
    def filters(self) -> list[Filter]:
        """Return the chosen filters, and those whose values several competitors share, but not all."""
        found = []
        for key in FILTERS:
            matches, chosen = self._matches(ignored=key), self.chosen.get(key)
            counts = Counter(chain.from_iterable(map(self.facts[key].__getitem__, matches)))
            if chosen or (5 * len(counts) < 4 * counts.total() and {*counts.values()} != {len(matches)}):
                names = ((self._name_of(key, value), value) for value in counts)
                named = sorted(names, key=lambda each: (sort_key(each[0]), each[1]))
                options = [Option(value, name, counts[value], value == chosen) for name, value in named]
                found.append(Filter(key, _(key), options))
        return found

    def _name_of(self, key: str, value: str) -> str:
        if key == "category":
            declared = (category_name(each) for each in self.event.categories if each["code"] == value)
            return next(declared, value)
        if key == "sex":
            return _("women and girls") if value == Sex.W else _("men and boys")
        return federation_name(value) if key == "federation" else value

    @property
    def links(self) -> list[tuple[str, str]]:
        """Return the name of each chosen value, and the query string without it."""
        return [
            (self._name_of(key, value), query_of({**self.asked, key: ""}))
            for key, value in self.chosen.items()
        ]
