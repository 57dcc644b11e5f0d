"""What was said not to be the same: kept once, and handed on where entries get other owners."""

from django.db.models import Q

from tournaments.models import LinkRefusal, PersonLink, TeamLink
from tournaments.people.entrants import sides
from tournaments.people.evidence import Known
from tournaments.people.names import name_key
from tournaments.recording.people.acts import Act, side_of


def add_refusal(act: Act, one: str, other: str) -> None:
    """Store that two sides are not the same, once."""
    left, right = sides(one, other)
    if left != right and not LinkRefusal.objects.filter(one=left, other=right).exists():
        act.add(LinkRefusal(one=left, other=right, by=act.by, reason=act.reason))


def inherit_refusals(act: Act, side: str, known: Known) -> None:
    """Whom an entry was refused, the person or team that it is was refused too."""
    for refusal in LinkRefusal.objects.filter(Q(one=side) | Q(other=side)):
        other = refusal.other if refusal.one == side else refusal.one
        add_refusal(act, side_of(known), other)


def give_refusals(act: Act, into: Known, other: Known) -> None:
    """Whom the one was refused, the other is too, with the reason that was given then."""
    mine, theirs = side_of(into), side_of(other)
    for each in LinkRefusal.objects.filter(Q(one=theirs) | Q(other=theirs)):
        one, second = sides(mine, each.other if each.one == theirs else each.one)
        if one == second or LinkRefusal.objects.filter(one=one, other=second).exists():
            continue
        act.add(LinkRefusal(one=one, other=second, by=each.by, reason=each.reason))


def are_refused(one: str, other: str) -> bool:
    """Say whether two sides were said not to be the same; one query."""
    left, right = sides(one, other)
    return LinkRefusal.objects.filter(one=left, other=right).exists()


def waiting_sides(link: PersonLink | TeamLink) -> set[str]:
    """Return the sides as which the entry of a waiting link may come back: its name, an id of its person."""
    key, team = name_key(link.name), name_key(link.team) if isinstance(link, PersonLink) else ""
    found = {f"{key}@{team}" if team else key}
    if isinstance(link, PersonLink):
        found |= {f"{each.scheme}:{each.value}" for each in link.person.identifiers.all()}
    return {f"entry:{link.event_id}:{each}" for each in found}
