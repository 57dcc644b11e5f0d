"""Searchable texts of persons and teams, one line each."""

from collections import defaultdict
from collections.abc import Sequence

from tournaments.event.choices import TeamsAre
from tournaments.event.dates import year_of
from tournaments.models import Person, SearchKind, Team
from tournaments.people.public import public_person, with_public_facts
from tournaments.search.entries import hundred_of, key_of, within
from tournaments.search.folding import federation_word
from tournaments.search.texts import SearchText, TextLine, text_of_names


def read_persons(hundreds: Sequence[int]) -> dict[int, SearchText]:
    """Return the search data of the persons of these hundreds, by key of the entry. Five queries.

    Only public data: names, ids and federations; for a hidden person the pseudonym.
    """
    lines: defaultdict[int, list[TextLine]] = defaultdict(list)
    for person in with_public_facts(Person.objects.filter(within(hundreds), merged_into=None).order_by("pk")):
        public = public_person(person)
        ids = " ".join(value for _scheme, value in public.identifiers)
        codes = [(each.text, each.until or each.since) for each in public.federations]
        lines[hundred_of(person.pk)].append(_text_line(person.pk, (public.name, *public.names), ids, codes))
    return {key_of(SearchKind.PERSONS, each): text_of_names(lines[each]) for each in hundreds}


def read_teams(hundreds: Sequence[int]) -> dict[int, SearchText]:
    """Return the search data of the teams of these hundreds: names and codes. Three queries."""
    lines: defaultdict[int, list[TextLine]] = defaultdict(list)
    teams = Team.objects.filter(within(hundreds), merged_into=None).order_by("pk")
    for team in teams.prefetch_related("names", "codes"):
        names = (team.name, *(each.name for each in team.names.all()))
        codes = [(each.code, each.until or each.since) for each in team.codes.all()]
        # The code of a club may also be that of a country.
        marked = codes if team.kind == TeamsAre.NATIONS else []
        lines[hundred_of(team.pk)].append(
            _text_line(team.pk, names, " ".join(code for code, _ in codes), marked)
        )
    return {key_of(SearchKind.TEAMS, each): text_of_names(lines[each]) for each in hundreds}


def _text_line(key: int, names: Sequence[str], more: str, codes: Sequence[tuple[str, str]]) -> TextLine:
    words = dict.fromkeys(federation_word(code, year_of(date)) for code, date in codes)
    shown = "\t".join([str(key), *(" ".join(name.split()) for name in names)])
    return TextLine(" ".join([*names, more]), " ".join(filter(None, words)), shown, tuple(names))
