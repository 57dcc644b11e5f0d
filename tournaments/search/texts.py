"""What events are found by, read from the record: a line for the event, and one for each name in it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from tournaments.event.dates import year_of
from tournaments.models import Competitor, Event, PersonLink, Player
from tournaments.people.public import public_name
from tournaments.search.folding import LONGEST_WORD, federation_word, searchable, whole_name


class TextLine(NamedTuple):
    """An event, a competitor or a player: the text, the word of the federation, what is shown of it."""

    text: str
    federation: str
    shown: str


class EventTexts(NamedTuple):
    """The lines of an event, folded and as they are shown, as `SearchEntry` has them."""

    folded: str
    shown: str

    def own_words(self) -> set[str]:
        """Return the words that the event has of itself."""
        return {word[:LONGEST_WORD] for word in self.folded.partition("\n")[0].split()}

    def words_of_names(self) -> set[str]:
        """Return the words of the names in it, and for each name the one that stands for all of it."""
        found: set[str] = set()
        for line, shown in zip(self.folded.split("\n")[1:], self.shown.split("\n"), strict=False):
            found.update(word[:LONGEST_WORD] for word in line.split())
            found.add(whole_name(searchable(shown.split("\t")[1]).split()))
        return found


def read_texts(keys: Sequence[int]) -> dict[int, EventTexts]:
    """Return what these events are found by, each by its key; four queries.

    Who is hidden is found by the pseudonym alone.
    """
    lines: dict[int, list[TextLine]] = {}
    years = {}
    columns = ("pk", "name", "place", "start", "country", "series__name")
    for each in Event.objects.filter(pk__in=keys).order_by().values_list(*columns, named=True):
        years[each.pk] = year_of(each.start)
        text = f"{each.name} {each.place} {each.start[:4]} {each.series__name or ''} {each.country}"
        lines[each.pk] = [TextLine(text, federation_word(each.country, years[each.pk]), "")]
    names: defaultdict[int, list[TextLine]] = defaultdict(list)
    pseudonyms = _pseudonyms(keys)
    for pk, line in chain(_competitors(keys, years, pseudonyms), _players(keys, pseudonyms)):
        names[pk].append(line)
    return {pk: _texts(own + names[pk]) for pk, own in lines.items()}


class Pseudonyms(NamedTuple):
    """What readers are shown instead of the names of who is hidden, by the keys of the entries."""

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
        shown = _shown(each.number, name)
        word = federation_word(code, years.get(each.event))
        yield each.event, TextLine(f"{name} {each.code} {each.flag}", word, shown)


def _players(keys: Sequence[int], pseudonyms: Pseudonyms) -> Iterator[tuple[int, TextLine]]:
    rows = Player.objects.filter(competitor__event__in=keys).order_by("competitor__event", "pk")
    columns = ("pk", "competitor__event", "competitor__number", "name", "competitor__name")
    for each in rows.values_list(*columns, named=True):
        name = pseudonyms.players.get(each.pk, each.name)
        shown = _shown(each.competitor__number, name, each.competitor__name)
        yield each.competitor__event, TextLine(name, "", shown)


def _texts(lines: list[TextLine]) -> EventTexts:
    folded = searchable("\n".join(_line(each.text) for each in lines)).split("\n")
    marked = (
        f"{text} {each.federation}" if each.federation else text
        for text, each in zip(folded, lines, strict=True)
    )
    return EventTexts("\n".join(marked), "\n".join(each.shown for each in lines[1:]))


def _shown(number: int, name: str, team: str = "") -> str:
    return f"{number}\t{_line(name)}\t{_line(team)}"


def _line(text: str) -> str:
    return " ".join(text.split())
