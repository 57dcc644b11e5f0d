"""Which entries of a file are those of hidden persons, where an id, a name, or what else it says tells it.

A number tells which of two namesakes is meant only as long as the file has both as the record does. Where
nothing tells, all are told who may be the hidden one: nobody is shown because a number changed (ADR 0041).
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from tournaments import models
from tournaments.event.dates import year_of
from tournaments.event.document import CompetitorEntry, Document, PlayerEntry
from tournaments.people.hiddenentries import IDS, HiddenEntry

AnyEntry = CompetitorEntry | PlayerEntry
At = tuple[bool, int, str]
"""Where an entry is: whether it is a player of a team, the number of the competitor or the team, the name."""

FACTS = ("title", "sex", "club", "city", "code", *IDS)
"""What tells namesakes apart where both entries say it, beside birth, rating and opponents."""

NEAR_RATING = 100
"""The rating of one player differs by less from one version of a file to the next."""

Facts = Mapping[str, Any]


class Telling(NamedTuple):
    """Whose the entries of a file are, by the identity of the object and by place; `doubtful` ones may be."""

    whose: Mapping[int, HiddenEntry]
    own: Mapping[At, int]
    doubtful: Mapping[At, int]


NOBODY = Telling({}, {}, {})


def tell(document: Document, record: Document, hidden: Sequence[HiddenEntry]) -> Telling:
    """Say of the entries of a file which are hidden persons'; `record` is the event as it is stored."""
    whose: dict[int, HiddenEntry] = {}
    own: dict[At, int] = {}
    doubtful: dict[At, int] = {}
    there = [each for each in hidden if each.entry]
    for each in there:
        entries, known = (_entries_of(of, each) for of in (document, record))
        facts = _facts(document, entries), _record_facts(record, known, each, there)
        # An id that the record has for somebody else of the event tells nothing.
        others = {value for _number, entry in known for value in _ids_of(entry)}
        told, doubts = _told(each, entries, *facts, {*each.redaction.ids} - others)
        is_player = isinstance(each.entry, models.Player)
        for number, entry in entries:
            at = (is_player, number, entry.name)
            if id(entry) in told:
                whose[id(entry)], own[at] = each, each.link.person_id
            elif id(entry) in doubts:
                doubtful.setdefault(at, each.link.person_id)
    return Telling(whose, own, {at: person for at, person in doubtful.items() if at not in own})


def _entries_of(document: Document, hidden: HiddenEntry) -> list[tuple[int, AnyEntry]]:
    """Return the entries of the sort that a hidden one is, each with its number or that of its team."""
    if isinstance(hidden.entry, models.Competitor):
        return [(each.number, each) for each in document.competitors]
    return list(players_of_file(document))


def players_of_file(document: Document) -> Iterator[tuple[int, PlayerEntry]]:
    """Yield every player with the number of the team, as its roster and as its games have them."""
    yield from ((each.number, player) for each in document.competitors for player in each.players)
    for _round, pairing in document.pairings():
        for game in pairing.games:
            for team, player in ((pairing.first, game.first_player), (pairing.second, game.second_player)):
                if team is not None and player is not None:
                    yield team, player


def _told(
    hidden: HiddenEntry,
    entries: Sequence[tuple[int, AnyEntry]],
    facts: Mapping[int, Facts],
    record: Mapping[int, Facts],
    ids: Collection[str],
) -> tuple[set[int], set[int]]:
    """Return which entries are the hidden person's, and which may be, by the identity of the object.

    `ids` are those that tell of the hidden person in this event.
    """
    by_id = {id(each) for _number, each in entries if not _ids_of(each).isdisjoint(ids)}
    by_id |= {id(each) for _number, each in entries if each.name == hidden.pseudonym}
    if by_id:
        return by_id, set()
    named = [(number, each) for number, each in entries if hidden.redaction.is_name(each.name)]
    found = {number: facts[number] for number, _each in named}
    if len(found) <= 1 and len(record) == 1:
        return {id(each) for _number, each in named}, set()
    own, doubts = _which(found, record, _number_of(hidden))
    told = {id(each) for number, each in named if number in own}
    return told, {id(each) for number, each in named if number in doubts}


def _ids_of(entry: AnyEntry) -> set[str]:
    return {str(value) for name in IDS if (value := getattr(entry, name))}


def _which(found: Mapping[int, Facts], record: Mapping[int, Facts], number: int) -> tuple[set[int], set[int]]:
    """Return of the numbers of namesakes which is the hidden person's, and which may be as well.

    `record` has the namesakes of now by number, of whom `number` is the hidden one.
    """
    same = {at for at, facts in found.items() if at in record and not _contradict(facts, record[at])}
    if same == {*record}:
        return {number}, set()  # whoever else is there has come since
    fits = {at for at, facts in found.items() if not _contradict(facts, record[number])}
    if not fits:
        # What is known of the hidden one has changed, or that one has left; who is as before is not it.
        fits = {*found} - same
    if len(fits) == 1 and not fits & same - {number}:
        return fits, set()
    own = fits & {number} or set(sorted(fits - same)[:1])
    return own, fits - own


def _contradict(one: Facts, other: Facts) -> bool:
    """Say whether two entries cannot be the same one: both say something, and each something else."""
    for what in {*one} & {*other}:
        far = abs(one[what] - other[what]) > NEAR_RATING if what == "rating" else one[what] != other[what]
        if far:
            return True
    return False


def _facts(document: Document, entries: Iterable[tuple[int, AnyEntry]]) -> dict[int, Facts]:
    """Return what entries say of who somebody is, by number; of a player the roster before the games."""
    found: dict[int, Facts] = {}
    for number, entry in entries:
        found.setdefault(number, _facts_of({name: getattr(entry, name, "") for name in _ASKED}))
    for round_number, pairing in document.pairings():
        for one, opponent in ((pairing.first, pairing.second), (pairing.second, pairing.first)):
            if one in found and opponent is not None:
                found[one] = {**found[one], f"opponent {round_number}": opponent}
    return found


_ASKED = (*FACTS, "born", "rating")


def _facts_of(values: Mapping[str, Any]) -> dict[str, Any]:
    facts: dict[str, Any] = {name: values[name] for name in (*FACTS, "rating") if values.get(name)}
    if year := year_of(values.get("born", "")):
        facts["born"] = year  # public files tell no more
    return facts


def _record_facts(
    record: Document,
    entries: Sequence[tuple[int, AnyEntry]],
    hidden: HiddenEntry,
    others: Sequence[HiddenEntry],
) -> dict[int, Facts]:
    """Return what the record says of the hidden one and of the namesakes, by number."""
    pseudonyms = {
        (_number_of(each), each.pseudonym): each
        for each in others
        if each is hidden or any(map(hidden.redaction.is_name, each.redaction.names))
    }
    listed = [
        (number, entry)
        for number, entry in entries
        if (number, entry.name) in pseudonyms or hidden.redaction.is_name(entry.name)
    ]
    facts = _facts(record, listed)
    for number, entry in listed:
        if each := pseudonyms.get((number, entry.name)):
            facts[number] = {**facts[number], **_facts_of(each.before)}
    facts.setdefault(_number_of(hidden), _facts_of(hidden.before))
    return facts


def _number_of(hidden: HiddenEntry) -> int:
    team = hidden.entry.competitor if isinstance(hidden.entry, models.Player) else hidden.entry
    return int(team.number or 0) if team else 0
