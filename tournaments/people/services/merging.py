"""Merge two persons or teams, and split them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Model
from django.utils.translation import gettext as _

from tournaments.models import (
    LinkProposal,
    PeopleAct,
    Person,
    PersonIdentifier,
    PersonLink,
    PersonName,
    Team,
    TeamLink,
    TeamName,
)
from tournaments.people.matching.entrants import Entrant, beside_each_other, entrants_of_links, sides
from tournaments.people.models.team import Owner
from tournaments.people.services.editing import part
from tournaments.people.services.history import (
    Act,
    claimed,
    events_with_links,
    foreign_key_name,
    people_act,
    said_by,
    side_of_known,
)
from tournaments.people.services.refusals import add_refusal, are_refused, give_refusals, inherit_refusals
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
        stays = claimed(into, seen[0])
        join(act, stays, claimed(other, seen[1]))
        values = dict(keep or {})
        for identifier in PersonIdentifier.objects.filter(pk__in=values.pop("identifiers", ())):
            act.remove(identifier)
        if "name" in values and values["name"] != stays.name:
            for each in stays.names.filter(name=values["name"]):
                act.change(each, name=stays.name)
        act.change(stays, **values)
        return act.store()


def split(
    known: Owner,
    links: Sequence[PersonLink] | Sequence[TeamLink],
    by: User | str,
    reason: str,
    *,
    seen: int | None = None,
    **about: Any,
) -> PeopleAct:
    """Move some links to a new person or team. Return the act; the new one is among its subjects.

    `about`: `name` (default: that of the first entry); `identifiers`: keys of ids to move in addition to
    those that only these entries have. Raise Refused if no link or all links are selected.
    """
    with people_act(Kind.SPLIT, by, required(reason), events_with_links(known)) as act:
        now = claimed(known, seen)
        chosen: list[PersonLink | TeamLink] = list(
            now.links.filter(pk__in=[each.pk for each in links]).order_by("pk")
        )
        if not chosen:
            raise Refused(_("Choose the entries that belong to another person or team."))
        if not now.links.exclude(pk__in=[each.pk for each in chosen]).exists():
            raise Refused(_("You chose all entries. Leave at least one."))
        new = _new_owner(now, about.get("name") or chosen[0].name)
        act.add(new)
        gone = entrants_of_links(chosen)
        for each in chosen:
            act.change(each, **{foreign_key_name(now): new})
        if isinstance(now, Person) and isinstance(new, Person):
            part(act, now, new, gone, entrants_of_links(now.links.all()))
        for entrant in gone:
            inherit_refusals(act, entrant.side, new)
        add_refusal(act, side_of_known(now), side_of_known(new))
        if isinstance(now, Person):
            chosen_ids = PersonIdentifier.objects.filter(person=now, pk__in=about.get("identifiers", ()))
            for identifier in chosen_ids:
                act.change(identifier, person=new)
        return act.store()


def _new_owner(known: Owner, name: str) -> Owner:
    if isinstance(known, Team):
        return Team(name=name, kind=known.kind)
    # Either of the two may be the person who asked to be hidden.
    return Person(name=name, hidden=known.hidden)


def join(act: Act, into: Owner, other: Owner) -> None:
    if into == other or type(into) is not type(other):
        raise Refused(_("Choose two different ones to merge."))
    if why := why_two(entrants_of_links(into.links.all()), entrants_of_links(other.links.all())):
        raise Refused(why)
    word = foreign_key_name(into)
    for link in other.links.all():
        act.change(link, **{word: into})
    known = {into.name, *into.names.values_list("name", flat=True)}
    for each in other.names.all():
        if each.name not in known:
            act.change(each, **{foreign_key_name(into): into})
    if other.name not in known and not other.names.filter(name=other.name).exists():
        row: Model = (
            TeamName(team=into, name=other.name)
            if isinstance(into, Team)
            else PersonName(person=into, name=other.name)
        )
        act.add(row)
    for name in ("federations", "titles", "identifiers") if isinstance(other, Person) else ("codes",):
        have = {said_by(each) for each in getattr(into, name).all()}
        for each in getattr(other, name).all():
            if said_by(each) not in have:
                act.change(each, **{foreign_key_name(into): into})
    give_refusals(act, into, other)
    mine, theirs = side_of_known(into), side_of_known(other)
    for proposal in other.proposals.all():
        one, second = sides(mine, proposal.other if proposal.one == theirs else proposal.one)
        if are_refused(one, second) or LinkProposal.objects.filter(one=one, other=second).exists():
            act.remove(proposal)
        else:
            act.change(proposal, **{foreign_key_name(into): into}, one=one, other=second)
    act.change(into, **_merged_values(into, other))
    act.change(other, merged_into=into)


def why_two(ones: Iterable[Entrant], others: Iterable[Entrant]) -> str:
    """Return why the owners of these entries cannot be one. Blank if they can."""
    if beside := beside_each_other(ones, others):
        text = _(
            "Both have entries in “%(event)s”, so they cannot be the same. Remove one of the links first."
        )
        return text % {"event": beside.event_name}
    return ""


def _merged_values(into: Owner, other: Owner) -> dict[str, Any]:
    sources = [*into.sources, *(each for each in other.sources if each not in into.sources)]
    note = "\n".join(dict.fromkeys(each for each in (into.note, other.note) if each))
    found: dict[str, Any] = {"sources": sources, "note": note}
    if isinstance(into, Person) and isinstance(other, Person):
        found |= {"sex": into.sex or other.sex, "born": into.born or other.born}
        found["hidden"] = into.hidden or other.hidden
    return found
