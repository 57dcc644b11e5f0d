"""Searchable texts of events, persons and teams: a line for each, and one for each name of an event."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from django.db.models import Q

from tournaments.event.choices import TeamsAre
from tournaments.event.dates import parse_year
from tournaments.models import Competitor, Event, Person, PersonLink, Player, SearchKind, Team
from tournaments.people.public import public_name, public_person, with_public_facts
from tournaments.search import folding


class TextLine(NamedTuple):
    """A searched line: text, federation and kind of event as search words, displayed text, and names."""

    text: str
    tokens: str
    shown: str
    names: tuple[str, ...] = ()


Pseudonyms = Mapping[tuple[int | None, int | None], str]
"""Pseudonyms of hidden persons by the keys of the competitor and of the player, one of which is None."""


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
    columns = ("pk", "name", "place", "start", "country", "series__name", "discipline", "system")
    for each in Event.objects.filter(pk__in=keys).order_by().values_list(*columns, named=True):
        years[each.pk] = parse_year(each.start)
        text = f"{each.name} {each.place} {each.start[:4]} {each.series__name or ''} {each.country}"
        federation = folding.federation_word(each.country, years[each.pk])
        kinds = map(folding.word_of_federation, (each.discipline, each.system))
        own[each.pk] = TextLine(text, " ".join([federation, *kinds]).strip(), "")
    names: defaultdict[int, list[TextLine]] = defaultdict(list)
    links = PersonLink.objects.filter(event__in=keys, person__hidden=True).select_related("person")
    pseudonyms = {(each.competitor_id, each.player_id): public_name(each.person) for each in links}
    for pk, line in chain(_competitor_lines(keys, years, pseudonyms), _player_lines(keys, pseudonyms)):
        names[pk].append(line)
    found = {entry_key(SearchKind.EVENT, pk): _search_text([line]) for pk, line in own.items()}
    return found | {entry_key(SearchKind.NAMES, pk): text_of_names(names[pk]) for pk in own}


def _competitor_lines(
    keys: Sequence[int], years: Mapping[int, int | None], pseudonyms: Pseudonyms
) -> Iterator[tuple[int, TextLine]]:
    rows = Competitor.objects.filter(event__in=keys).order_by("event", "number")
    columns = ("pk", "event", "number", "name", "club", "code", "flag", "event__teams_are", "event__entrants")
    for each in rows.values_list(*columns, named=True):
        name = pseudonyms.get((each.pk, None), each.name)
        has_nation = each.event__teams_are == Event.TeamsAre.NATIONS
        code = each.flag or (each.code if has_nation else "")
        is_named = (each.pk, None) not in pseudonyms and each.event__entrants == Event.Entrants.PLAYERS
        club = each.club if is_named else ""
        shown = _display_text(each.number, name, club)
        word = folding.federation_word(code, years.get(each.event))
        yield each.event, TextLine(f"{name} {each.code} {each.flag} {club}", word, shown, (name,))


def _player_lines(keys: Sequence[int], pseudonyms: Pseudonyms) -> Iterator[tuple[int, TextLine]]:
    rows = Player.objects.filter(competitor__event__in=keys).order_by("competitor__event", "pk")
    columns = ("pk", "competitor__event", "competitor__number", "name", "club", "competitor__name")
    for each in rows.values_list(*columns, named=True):
        name = pseudonyms.get((None, each.pk), each.name)
        club = "" if (None, each.pk) in pseudonyms else each.club
        shown = _display_text(each.competitor__number, name, each.competitor__name)
        yield each.competitor__event, TextLine(f"{name} {club}", "", shown, (name,))


def text_of_names(lines: Sequence[TextLine]) -> SearchText:
    text = _search_text(lines)
    text.words.update(word for each in text.folded.split("\n") for word in folding.engine_words_of_line(each))
    text.words.update(
        word
        for each in folding.searchable_lines(_single_spaced(name) for line in lines for name in line.names)
        for word in folding.engine_words_of_name(each)
    )
    return text


def _search_text(lines: Sequence[TextLine]) -> SearchText:
    folded = folding.searchable_lines(_single_spaced(each.text) for each in lines)
    marked = "\n".join(
        f"{text} {each.tokens}" if each.tokens else text for text, each in zip(folded, lines, strict=False)
    )
    return SearchText(folding.engine_words(marked), marked, "\n".join(each.shown for each in lines))


def _display_text(number: int, name: str, team: str = "") -> str:
    return f"{number}\t{_single_spaced(name)}\t{_single_spaced(team)}"


def _single_spaced(text: str) -> str:
    return " ".join(text.split())


IN_AN_ENTRY = 100
"""Number of persons or teams in one entry, about as many as an event has."""

KINDS = 4
"""Distance between keys of the same kind. The triggers use it too."""


def entry_key(kind: SearchKind, number: int) -> int:
    return number * KINDS + kind


def hundred_of(key: int) -> int:
    return key // IN_AN_ENTRY


def within_hundreds(hundreds: Iterable[int]) -> Q:
    condition = Q(pk__in=())
    for each in hundreds:
        condition |= Q(pk__gte=each * IN_AN_ENTRY, pk__lt=(each + 1) * IN_AN_ENTRY)
    return condition


def read_persons(hundreds: Sequence[int]) -> dict[int, SearchText]:
    """Return the search data of the persons of these hundreds, by key of the entry. Five queries.

    Only public data: names, ids and federations; for a hidden person the pseudonym.
    """
    lines: defaultdict[int, list[TextLine]] = defaultdict(list)
    for person in with_public_facts(
        Person.objects.filter(within_hundreds(hundreds), merged_into=None).order_by("pk")
    ):
        public = public_person(person)
        ids = " ".join(value for _scheme, value in public.identifiers)
        codes = [(each.text, each.until or each.since) for each in public.federations]
        lines[hundred_of(person.pk)].append(_text_line(person.pk, (public.name, *public.names), ids, codes))
    return {entry_key(SearchKind.PERSONS, each): text_of_names(lines[each]) for each in hundreds}


def read_teams(hundreds: Sequence[int]) -> dict[int, SearchText]:
    """Return the search data of the teams of these hundreds: names and codes. Three queries."""
    lines: defaultdict[int, list[TextLine]] = defaultdict(list)
    teams = Team.objects.filter(within_hundreds(hundreds), merged_into=None).order_by("pk")
    for team in teams.prefetch_related("names", "codes"):
        names = (team.name, *(each.name for each in team.names.all()))
        codes = [(each.code, each.until or each.since) for each in team.codes.all()]
        # The code of a club may also be that of a country.
        marked = codes if team.kind == TeamsAre.NATIONS else []
        lines[hundred_of(team.pk)].append(
            _text_line(team.pk, names, " ".join(code for code, _ in codes), marked)
        )
    return {entry_key(SearchKind.TEAMS, each): text_of_names(lines[each]) for each in hundreds}


def _text_line(key: int, names: Sequence[str], more: str, codes: Sequence[tuple[str, str]]) -> TextLine:
    words = dict.fromkeys(folding.federation_word(code, parse_year(date)) for code, date in codes)
    shown = "\t".join([str(key), *(" ".join(name.split()) for name in names)])
    return TextLine(" ".join([*names, more]), " ".join(filter(None, words)), shown, tuple(names))
