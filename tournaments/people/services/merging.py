"""Merge two persons or teams, and split them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments.models import (
    LinkProposal,
    PeopleAct,
    Person,
    PersonIdentifier,
    PersonLink,
    Team,
    TeamLink,
)
from tournaments.people.matching.entrants import (
    Entrant,
    entrants_of_links,
    first_distinct_entry,
    side_of,
    sides,
)
from tournaments.people.models.team import Owner
from tournaments.people.services.editing import move_split_data
from tournaments.people.services.history import (
    Act,
    events_with_links,
    owner_kind,
    people_act,
    reload_owner,
    values_of_row,
)
from tournaments.people.services.refusals import add_refusal, are_refused, inherit_refusals
from tournaments.recording.refusal import Refused, required

Kind = PeopleAct.Kind


def merge(
    into: Owner,
    other: Owner,
    by: User | str,
    reason: str,
    *,
    seen: tuple[int | None, int | None] = (None, None),
    keep: Mapping[str, Any] | None = None,
) -> PeopleAct:
    """Merge `other` into `into`: entries, names, ids and other rows. The number of `other` redirects forever.

    `keep`: values to use if both have one (`name`, `born`, `sex`, `kind`; default: those of `into`);
    `identifiers`: keys of ids to drop. `seen`: the versions that were shown. The result is hidden if one
    of them is. Raise Refused if both played in the same event of players or one is gone, Conflict if one
    has changed.
    """
    with people_act(
        Kind.MERGE, by, required(reason), events_with_links(into) | events_with_links(other)
    ) as act:
        stays = reload_owner(into, seen[0])
        merge_into(act, stays, reload_owner(other, seen[1]))
        values = dict(keep or {})
        for identifier in PersonIdentifier.objects.filter(pk__in=values.pop("identifiers", ())):
            act.remove(identifier)
        if "name" in values and values["name"] != stays.name:
            for each in stays.names.filter(name=values["name"]):
                act.change(each, name=stays.name)
        act.change(stays, **values)
        return act.store()


def split(
    owner: Owner,
    links: Sequence[PersonLink] | Sequence[TeamLink],
    by: User | str,
    reason: str,
    *,
    name: str = "",
    seen: int | None = None,
) -> PeopleAct:
    """Move some links to a new person or team. Return the act; the new one is among its subjects.

    `name`: of the new one, by default that of the first entry. Ids that only these entries have move too.
    Raise Refused if no link or all links are selected.
    """
    with people_act(Kind.SPLIT, by, required(reason), events_with_links(owner)) as act:
        now = reload_owner(owner, seen)
        chosen: list[PersonLink | TeamLink] = list(
            now.links.filter(pk__in=[each.pk for each in links]).order_by("pk")
        )
        if not chosen:
            raise Refused(_("Choose the entries that belong to another person or team."))
        if not now.links.exclude(pk__in=[each.pk for each in chosen]).exists():
            raise Refused(_("You chose all entries. Leave at least one."))
        name = name or chosen[0].name
        new: Owner
        if isinstance(now, Team):
            new = Team(name=name, kind=now.kind)
        else:  # either of the two may be the person who asked to be hidden
            new = Person(name=name, hidden=now.hidden)
        act.add(new)
        gone = entrants_of_links(chosen)
        for each in chosen:
            act.change(each, **{owner_kind(now): new})
        if isinstance(now, Person) and isinstance(new, Person):
            move_split_data(act, now, new, gone, entrants_of_links(now.links.all()))
        for entrant in gone:
            inherit_refusals(act, entrant.side, new)
        add_refusal(act, side_of(now), side_of(new))
        return act.store()


def merge_into(act: Act, into: Owner, other: Owner) -> None:
    if into == other or type(into) is not type(other):
        raise Refused(_("Choose two different ones to merge."))
    if why := reason_not_same(entrants_of_links(into.links.all()), entrants_of_links(other.links.all())):
        raise Refused(why)
    word = owner_kind(into)
    for link in other.links.all():
        act.change(link, **{word: into})
    names = {into.name, *into.names.values_list("name", flat=True)}
    for each in other.names.all():
        if each.name not in names:
            act.change(each, **{word: into})
    if other.name not in names and not other.names.filter(name=other.name).exists():
        act.add(into.names.model(**{word: into}, name=other.name))
    for name in into.DEPENDENT_ROWS[1:]:  # names are above
        have = {values_of_row(each) for each in getattr(into, name).all()}
        for each in getattr(other, name).all():
            if values_of_row(each) not in have:
                act.change(each, **{word: into})
    mine, theirs = side_of(into), side_of(other)
    inherit_refusals(act, theirs, into)
    for suggestion in other.proposals.all():
        one, second = sides(mine, suggestion.other if suggestion.one == theirs else suggestion.one)
        if are_refused(one, second) or LinkProposal.objects.filter(one=one, other=second).exists():
            act.remove(suggestion)
        else:
            act.change(suggestion, **{word: into}, one=one, other=second)
    sources = [*into.sources, *(each for each in other.sources if each not in into.sources)]
    note = "\n".join(dict.fromkeys(each for each in (into.note, other.note) if each))
    merged: dict[str, Any] = {"sources": sources, "note": note}
    if isinstance(into, Person) and isinstance(other, Person):
        merged |= {"sex": into.sex or other.sex, "born": into.born or other.born}
        merged["hidden"] = into.hidden or other.hidden
    act.change(into, **merged)
    act.change(other, merged_into=into)


def reason_not_same(ones: Iterable[Entrant], others: Iterable[Entrant]) -> str:
    """Return why the owners of these entries cannot be one. Blank if they can."""
    if beside := first_distinct_entry(ones, others):
        text = _(
            "Both have entries in “%(event)s”, so they cannot be the same. Remove one of the links first."
        )
        return text % {"event": beside.event_name}
    return ""
