"""What persons and teams over events are found by, read from the record: a line for each."""

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
    """Return what the persons of these hundreds are found by, by the key of the entry; five queries.

    That is what readers are told of them: every name, the ids, the federations; of the hidden a pseudonym.
    """
    lines: defaultdict[int, list[TextLine]] = defaultdict(list)
    for person in with_public_facts(Person.objects.filter(within(hundreds), merged_into=None).order_by("pk")):
        told = public_person(person)
        ids = " ".join(value for _scheme, value in told.identifiers)
        codes = [(each.text, each.until or each.since) for each in told.federations]
        lines[hundred_of(person.pk)].append(_line(person.pk, (told.name, *told.names), ids, codes))
    return {key_of(SearchKind.PERSONS, each): text_of_names(lines[each]) for each in hundreds}


def read_teams(hundreds: Sequence[int]) -> dict[int, SearchText]:
    """Return what the teams of these hundreds are found by: every name and code; three queries."""
    lines: defaultdict[int, list[TextLine]] = defaultdict(list)
    teams = Team.objects.filter(within(hundreds), merged_into=None).order_by("pk")
    for team in teams.prefetch_related("names", "codes"):
        names = (team.name, *(each.name for each in team.names.all()))
        codes = [(each.code, each.until or each.since) for each in team.codes.all()]
        # The code of a club may be that of some country, which it is not.
        marked = codes if team.kind == TeamsAre.NATIONS else []
        lines[hundred_of(team.pk)].append(_line(team.pk, names, " ".join(code for code, _ in codes), marked))
    return {key_of(SearchKind.TEAMS, each): text_of_names(lines[each]) for each in hundreds}


def _line(key: int, names: Sequence[str], more: str, codes: Sequence[tuple[str, str]]) -> TextLine:
    words = dict.fromkeys(federation_word(code, year_of(date)) for code, date in codes)
    shown = "\t".join([str(key), *(" ".join(name.split()) for name in names)])
    return TextLine(" ".join([*names, more]), " ".join(filter(None, words)), shown, tuple(names))
