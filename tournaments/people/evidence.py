"""What speaks for a link and against it: what agrees, what differs, what is not known."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from tournaments.event.dates import day_of, year_of
from tournaments.models import Person, PersonLink, Team, TeamLink
from tournaments.people.entrants import Entrant
from tournaments.people.names import may_be_one_name, name_key

AGREES, DIFFERS, UNKNOWN = "agrees", "differs", "unknown"
LONGEST_CAREER = 80
"""Years between two entries of one person."""

_WEIGHTS = {
    "name": (3, -3), "federation": (2, -2), "born": (4, -6), "sex": (1, -6), "team": (2, 0), "title": (1, 0),
    "fide": (8, -8), "fmjd": (8, -8), "discipline": (0, -2), "code": (2, -1), "kind": (0, -4),
    "city": (2, -2), "years": (0, -6),
}  # fmt: skip
"""What each thing adds where it agrees and where it differs."""

_AGAINST = {"born", "sex", "fide", "fmjd", "years", "kind"}
"""What contradicts that two are the same; a federation, a title and a team change."""


Known = Person | Team
"""Who is over events."""


class Evidence(NamedTuple):
    """One thing of both sides, each as it is written, and the verdict: agrees, differs, or unknown.

    `what` is one of name, federation, born, sex, fide, fmjd, team, title, discipline, years; of teams name,
    code, federation, kind, city, years. A value that is not known is blank.
    """

    what: str
    one: str
    other: str
    verdict: str


@dataclass(frozen=True, slots=True)
class Portrait:
    """What is known of an entry, or of a person or a team over events; a set of values for each thing."""

    names: frozenset[str]
    known: dict[str, frozenset[str]]
    years: frozenset[int] = frozenset()

    def told(self, what: str) -> str:
        """Return the values as they are shown."""
        return ", ".join(sorted(self.known.get(what, ())))


def portrait(entrant: Entrant) -> Portrait:
    """Return what an entry tells."""
    return portrait_of([entrant])


def portrait_of(entrants: Iterable[Entrant], known: Known | None = None) -> Portrait:
    """Return what entries tell together, and with them the person or team that they are.

    Of a person or team its other rows (`names` and the rest) are read, at four queries where they were not
    prefetched.
    """
    each = list(entrants)
    found: dict[str, set[str]] = {
        "federation": {entry.federation for entry in each},
        "discipline": {entry.discipline for entry in each},
    }
    if (each and each[0].is_team) or isinstance(known, Team):
        for what in ("code", "kind", "city"):
            found[what] = {getattr(entry, what) for entry in each}
        del found["discipline"]
    else:
        for what in ("born", "sex", "title", "team"):
            found[what] = {getattr(entry, what) for entry in each}
        for scheme in ("fide", "fmjd"):
            found[scheme] = {entry.ids.get(scheme, "") for entry in each}
    names = {entry.name for entry in each}
    if known:
        names |= {known.name, *(row.name for row in known.names.all())}
        _add_known(found, known)
    told = {what: frozenset(values - {""}) for what, values in found.items()}
    return Portrait(frozenset(names), told, frozenset(entry.year for entry in each if entry.year))


def _add_known(found: dict[str, set[str]], known: Known) -> None:
    if isinstance(known, Team):
        found["kind"].add(known.kind)
        found["code"] |= {row.code for row in known.codes.all()}
        return
    found["sex"].add(known.sex)
    # The person's own date stands for those of the entries, of which some tell the year alone.
    found["born"] = {known.born} if known.born else found["born"]
    found["title"] |= {row.title for row in known.titles.all()}
    for row in known.identifiers.all():
        found.setdefault(row.scheme, set()).add(row.value)


def compare(one: Portrait, other: Portrait) -> tuple[Evidence, ...]:
    """Return what two portraits have alike and what not, the name first."""
    things = [what for what in _WEIGHTS if what in one.known or what in other.known]
    name = Evidence("name", _listed(one.names), _listed(other.names), _verdict_of_names(one, other))
    found = [
        name,
        *(Evidence(what, one.told(what), other.told(what), _verdict(what, one, other)) for what in things),
    ]
    apart = _years_apart(one.years, other.years)
    if apart is not None:
        verdict = DIFFERS if apart > LONGEST_CAREER and "born" in one.known else UNKNOWN
        found.append(Evidence("years", _listed(map(str, one.years)), _listed(map(str, other.years)), verdict))
    return tuple(found)


def weight(evidence: Iterable[Evidence]) -> int:
    """Return what agrees less what differs."""
    total = 0
    for each in evidence:
        agrees, differs = _WEIGHTS[each.what]
        total += agrees if each.verdict == AGREES else differs if each.verdict == DIFFERS else 0
    return total


def contradicts(evidence: Iterable[Evidence]) -> bool:
    """Say whether anything forbids that both are the same, as far as the record is right."""
    return any(each.verdict == DIFFERS and each.what in _AGAINST for each in evidence)


def contradicts_id(evidence: Iterable[Evidence]) -> bool:
    """Say whether anything speaks against two who have one id alike: the name, the sex, the birth."""
    found = {each.what for each in evidence if each.verdict == DIFFERS}
    return bool(found & {"name", "sex", "born"})


def _listed(values: Iterable[str]) -> str:
    return ", ".join(sorted(values))


def _verdict_of_names(one: Portrait, other: Portrait) -> str:
    if {name_key(name) for name in one.names} & {name_key(name) for name in other.names}:
        return AGREES
    near = any(may_be_one_name(left, right) for left in one.names for right in other.names)
    return UNKNOWN if near else DIFFERS


def _verdict(what: str, one: Portrait, other: Portrait) -> str:
    left, right = one.known.get(what, frozenset()), other.known.get(what, frozenset())
    if not (left and right):
        return UNKNOWN
    if what == "born":
        return _verdict_of_births(left, right)
    if what == "team":
        return AGREES if {*map(name_key, left)} & {*map(name_key, right)} else DIFFERS
    return AGREES if left & right else DIFFERS


def _verdict_of_births(left: frozenset[str], right: frozenset[str]) -> str:
    """Compare days where both know one, and years where one of them knows no more."""
    pairs = [(one, other) for one in left for other in right]
    same = any(
        one == other if day_of(one) and day_of(other) else year_of(one) == year_of(other)
        for one, other in pairs
    )
    return AGREES if same else DIFFERS


def _years_apart(one: frozenset[int], other: frozenset[int]) -> int | None:
    if not (one and other):
        return None
    return max(*one, *other) - min(*one, *other)


# --- whose an entry is --------------------------------------------------------------------------------------


def owner_of(entrant: Entrant) -> Known | None:
    """Return the person or team that an entry is linked to; one query."""
    if entrant.is_team:
        of_team = TeamLink.objects.filter(competitor=entrant.competitor).select_related("team").first()
        return of_team.team if of_team else None
    rows = PersonLink.objects.select_related("person")
    link = (
        rows.filter(player=entrant.player) if entrant.player else rows.filter(competitor=entrant.competitor)
    )
    found = link.first()
    return found.person if found else None
