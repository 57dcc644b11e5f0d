"""Evidence for and against a link: equal, different and unknown facts."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from tournaments.event.dates import parse_day, parse_year
from tournaments.models import Team
from tournaments.people.matching.entrants import Entrant
from tournaments.people.matching.names import may_be_one_name, name_key
from tournaments.people.models.team import Owner

AGREES, DIFFERS, UNKNOWN = "agrees", "differs", "unknown"
LONGEST_CAREER = 80
"""Maximum number of years between two entries of a person."""

_WEIGHTS = {
    "name": (3, -3), "federation": (2, -2), "born": (4, -6), "sex": (1, -6), "team": (2, 0), "title": (1, 0),
    "fide": (8, -8), "fmjd": (8, -8), "discipline": (0, -2), "code": (2, -1), "kind": (0, -4),
    "city": (2, -2), "years": (0, -6),
}  # fmt: skip
"""Weight of each fact if it agrees, and if it differs."""

_AGAINST = {"born", "sex", "fide", "fmjd", "years", "kind"}
"""Facts whose difference excludes a link. Federation, title and team may change."""


class Evidence(NamedTuple):
    """A fact of both sides as text, with the verdict: agrees, differs, or unknown.

    `what`: name, federation, born, sex, fide, fmjd, team, title, discipline or years; for teams name,
    code, federation, kind, city or years. Unknown values are blank.
    """

    what: str
    one: str
    other: str
    verdict: str


@dataclass(frozen=True, slots=True)
class Portrait:
    """Facts of an entry, or of a person or a team, as a set of values for each."""

    names: frozenset[str]
    facts: dict[str, frozenset[str]]
    years: frozenset[int] = frozenset()


def portrait(entrant: Entrant) -> Portrait:
    return portrait_of([entrant])


def portrait_of(entrants: Iterable[Entrant], owner: Owner | None = None) -> Portrait:
    """Return the facts of entries, and of their owner if given.

    Needs four queries for related rows of the owner unless they were prefetched.
    """
    each = list(entrants)
    found: dict[str, set[str]] = {
        "federation": {entry.federation for entry in each},
        "discipline": {entry.discipline for entry in each},
    }
    if (each and each[0].is_team) or isinstance(owner, Team):
        for what in ("code", "kind", "city"):
            found[what] = {getattr(entry, what) for entry in each}
        del found["discipline"]
    else:
        for what in ("born", "sex", "title", "team"):
            found[what] = {getattr(entry, what) for entry in each}
        for scheme in ("fide", "fmjd"):
            found[scheme] = {entry.ids.get(scheme, "") for entry in each}
    names = {entry.name for entry in each}
    if owner:
        names |= {owner.name, *(row.name for row in owner.names.all())}
        _add_facts_of_owner(found, owner)
    facts = {what: frozenset(values - {""}) for what, values in found.items()}
    return Portrait(frozenset(names), facts, frozenset(entry.year for entry in each if entry.year))


def _add_facts_of_owner(found: dict[str, set[str]], owner: Owner) -> None:
    if isinstance(owner, Team):
        found["kind"].add(owner.kind)
        found["code"] |= {row.code for row in owner.codes.all()}
        return
    found["sex"].add(owner.sex)
    # The person's own date replaces those of the entries, which may have only the year.
    found["born"] = {owner.born} if owner.born else found["born"]
    found["title"] |= {row.title for row in owner.titles.all()}
    for row in owner.identifiers.all():
        found.setdefault(row.scheme, set()).add(row.value)


def compare_entrants(one: Portrait, other: Portrait) -> tuple[Evidence, ...]:
    things = [what for what in _WEIGHTS if what in one.facts or what in other.facts]
    names = _sorted_text(one.names), _sorted_text(other.names)
    found = [Evidence("name", *names, _verdict_of_names(one, other))]
    for what in things:
        left, right = (_sorted_text(each.facts.get(what, ())) for each in (one, other))
        found.append(Evidence(what, left, right, _verdict_on(what, one, other)))
    if one.years and other.years:
        apart = max(*one.years, *other.years) - min(*one.years, *other.years)
        verdict = DIFFERS if apart > LONGEST_CAREER and "born" in one.facts else UNKNOWN
        found.append(
            Evidence("years", _sorted_text(map(str, one.years)), _sorted_text(map(str, other.years)), verdict)
        )
    return tuple(found)


def weight(evidence: Iterable[Evidence]) -> int:
    total = 0
    for each in evidence:
        agrees, differs = _WEIGHTS[each.what]
        total += agrees if each.verdict == AGREES else differs if each.verdict == DIFFERS else 0
    return total


def contradicts(evidence: Iterable[Evidence], facts: Collection[str] = _AGAINST) -> bool:
    """Return whether one of the facts excludes that both are the same, if the data are right."""
    return any(each.verdict == DIFFERS and each.what in facts for each in evidence)


def _sorted_text(values: Iterable[str]) -> str:
    return ", ".join(sorted(values))


def _verdict_of_names(one: Portrait, other: Portrait) -> str:
    if {name_key(name) for name in one.names} & {name_key(name) for name in other.names}:
        return AGREES
    near = any(may_be_one_name(left, right) for left in one.names for right in other.names)
    return UNKNOWN if near else DIFFERS


def _verdict_on(what: str, one: Portrait, other: Portrait) -> str:
    left, right = one.facts.get(what, frozenset()), other.facts.get(what, frozenset())
    if not (left and right):
        return UNKNOWN
    if what == "born":
        is_same = any(
            one == other if parse_day(one) and parse_day(other) else parse_year(one) == parse_year(other)
            for one, other in product(left, right)
        )
    elif what == "team":
        is_same = not {*map(name_key, left)}.isdisjoint(map(name_key, right))
    else:
        is_same = not left.isdisjoint(right)
    return AGREES if is_same else DIFFERS
