"""Searchable texts of events: a line for the event, and one for each name."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from tournaments.event.dates import year_of
from tournaments.models import Competitor, Event, PersonLink, Player, SearchKind
from tournaments.people.public import public_name
from tournaments.search.entries import key_of
from tournaments.search.folding import (
    engine_words,
    engine_words_of_line,
    engine_words_of_name,
    federation_word,
    searchable_lines,
)


class TextLine(NamedTuple):
    """A searched line: text, federation as a search word, displayed text, and names."""

    text: str
    federation: str
    shown: str
    names: tuple[str, ...] = ()


class SearchText(NamedTuple):
    """Search data of an item, as in `SearchEntry`. `words`: words for the search engine."""

    words: set[str]
    folded: str
    shown: str


def read_events(keys: Sequence[int]) -> dict[int, SearchText]:
    """Return the search data of these events and their names, by key. Four queries.

    Hidden persons are found only by their pseudonym.
    """
    own: dict[int, TextLine] = {}
    years = {}
    columns = ("pk", "name", "place", "start", "country", "series__name")
    for each in Event.objects.filter(pk__in=keys).order_by().values_list(*columns, named=True):
        years[each.pk] = year_of(each.start)
        text = f"{each.name} {each.place} {each.start[:4]} {each.series__name or ''} {each.country}"
        own[each.pk] = TextLine(text, federation_word(each.country, years[each.pk]), "")
    names: defaultdict[int, list[TextLine]] = defaultdict(list)
    pseudonyms = _pseudonyms(keys)
    for pk, line in chain(_competitors(keys, years, pseudonyms), _players(keys, pseudonyms)):
        names[pk].append(line)
    found = {key_of(SearchKind.EVENT, pk): _search_text([line]) for pk, line in own.items()}
    return found | {key_of(SearchKind.NAMES, pk): text_of_names(names[pk]) for pk in own}


class Pseudonyms(NamedTuple):
    """Pseudonyms of hidden persons by the keys of their entries."""

    competitors: dict[int, str]
    players: dict[int, str]


def _pseudonyms(keys: Sequence[int]) -> Pseudonyms:
    found = Pseudonyms({}, {})
    links = PersonLink.objects.filter(event__in=keys, person__hidden=True).select_related("person")
    for link in links:
        if link.competitor_id:
            found.competitors[link.competitor_id] = public_name(link.person)
        elif link.player_id:
            found.players[link.player_id] = public_name(link.person)
    return found


def _competitors(
    keys: Sequence[int], years: Mapping[int, int | None], pseudonyms: Pseudonyms
) -> Iterator[tuple[int, TextLine]]:
    rows = Competitor.objects.filter(event__in=keys).order_by("event", "number")
    columns = ("pk", "event", "number", "name", "code", "flag", "event__teams_are")
    for each in rows.values_list(*columns, named=True):
        name = pseudonyms.competitors.get(each.pk, each.name)
        has_nation = each.event__teams_are == Event.TeamsAre.NATIONS
        code = each.flag or (each.code if has_nation else "")
        shown = _display_text(each.number, name)
        word = federation_word(code, years.get(each.event))
        yield each.event, TextLine(f"{name} {each.code} {each.flag}", word, shown, (name,))


def _players(keys: Sequence[int], pseudonyms: Pseudonyms) -> Iterator[tuple[int, TextLine]]:
    rows = Player.objects.filter(competitor__event__in=keys).order_by("competitor__event", "pk")
    columns = ("pk", "competitor__event", "competitor__number", "name", "competitor__name")
    for each in rows.values_list(*columns, named=True):
        name = pseudonyms.players.get(each.pk, each.name)
        shown = _display_text(each.competitor__number, name, each.competitor__name)
        yield each.competitor__event, TextLine(name, "", shown, (name,))


def text_of_names(lines: Sequence[TextLine]) -> SearchText:
    text = _search_text(lines)
    text.words.update(word for each in text.folded.split("\n") for word in engine_words_of_line(each))
    text.words.update(
        word
        for each in searchable_lines(_single_spaced(name) for line in lines for name in line.names)
        for word in engine_words_of_name(each)
    )
    return text


def _search_text(lines: Sequence[TextLine]) -> SearchText:
    folded = searchable_lines(_single_spaced(each.text) for each in lines)
    marked = "\n".join(
        f"{text} {each.federation}" if each.federation else text
        for text, each in zip(folded, lines, strict=False)
    )
    return SearchText(engine_words(marked), marked, "\n".join(each.shown for each in lines))


def _display_text(number: int, name: str, team: str = "") -> str:
    return f"{number}\t{_single_spaced(name)}\t{_single_spaced(team)}"


def _single_spaced(text: str) -> str:
    return " ".join(text.split())
