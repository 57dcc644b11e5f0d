"""Two persons or teams merged into one, and one split into two."""

from collections.abc import Collection, Iterable, Mapping, Sequence
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
from tournaments.people.entrants import Entrant, beside_each_other, sides
from tournaments.people.evidence import Known
from tournaments.recording.people.acts import Act, acting, claimed, events_of, said_by, side_of, word_of
from tournaments.recording.people.learning import entrants_of_links, part
from tournaments.recording.people.refusals import add_refusal, are_refused, give_refusals, inherit_refusals
from tournaments.recording.refusal import Refused, required

Kind = PeopleAct.Kind


def merge(
    into: Known,
    other: Known,
    by: User | str,
    reason: str,
    *,
    seen: tuple[int | None, int | None] = (None, None),
    keep: Mapping[str, Any] | None = None,
) -> PeopleAct:
    """Merge `other` into `into`: its entries, names, ids and the rest; its number leads on for ever.

    `keep` are values that stay where both have one (`name`, `born`, `sex`, `kind`), else those of `into`
    do; `identifiers` are the keys of ids that are not taken over. `seen` are the versions that were looked
    at. Where one of the two is hidden, what becomes of them is hidden. Refused where both played one event of
    players, or one of them is gone; Conflict where somebody else has changed one meanwhile.
    """
    with acting(Kind.MERGE, by, required(reason), events_of(into) | events_of(other)) as act:
        stays = claimed(into, seen[0])
        join(act, stays, claimed(other, seen[1]))
        _keep(act, stays, dict(keep or {}))
        return act.store()


def _keep(act: Act, known: Known, values: dict[str, Any]) -> None:
    """Let the chosen values stay: a name that gives way becomes another name."""
    for identifier in PersonIdentifier.objects.filter(pk__in=values.pop("identifiers", ())):
        act.remove(identifier)
    if "name" in values and values["name"] != known.name:
        for each in known.names.filter(name=values["name"]):
            act.change(each, name=known.name)
    act.change(known, **values)


def split(
    known: Known,
    links: Sequence[PersonLink] | Sequence[TeamLink],
    by: User | str,
    reason: str,
    *,
    seen: int | None = None,
    **about: Any,
) -> PeopleAct:
    """Give some of the links to a new person or team, and return the act; the new one is among its subjects.

    `about`: `name`, else that of the first entry; `identifiers`, the keys of those that go along beside the
    ids that these entries alone have. Refused where no link is chosen, or none would be left.
    """
    with acting(Kind.SPLIT, by, required(reason), events_of(known)) as act:
        now = claimed(known, seen)
        chosen = list(now.links.filter(pk__in=[each.pk for each in links]).order_by("pk"))
        if not chosen:
            raise Refused(_("Choose the entries that are somebody else's."))
        if not now.links.exclude(pk__in=[each.pk for each in chosen]).exists():
            raise Refused(_("All entries are chosen, so nobody would be left. Leave some of them."))
        new = _like(now, about.get("name") or chosen[0].name)
        act.add(new)
        _part_entries(act, now, new, chosen)
        if isinstance(now, Person):
            _give_identifiers(act, now, new, about.get("identifiers", ()))
        return act.store()


def _part_entries(act: Act, now: Known, new: Known, chosen: Sequence[Any]) -> None:
    """Give entries to somebody new, with what they alone tell; the two are never proposed to be one again."""
    gone = entrants_of_links(chosen)
    for each in chosen:
        act.change(each, **{word_of(now): new})
    if isinstance(now, Person) and isinstance(new, Person):
        part(act, now, new, gone, entrants_of_links(now.links.all()))
    for entrant in gone:
        inherit_refusals(act, entrant.side, new)
    add_refusal(act, side_of(now), side_of(new))


def _like(known: Known, name: str) -> Known:
    if isinstance(known, Team):
        return Team(name=name, kind=known.kind)
    # Whoever asked not to be shown may be either of the two.
    return Person(name=name, hidden=known.hidden)


def _give_identifiers(act: Act, person: Person, new: Known, keys: Collection[int]) -> None:
    for each in PersonIdentifier.objects.filter(person=person, pk__in=keys):
        act.change(each, person=new)


def join(act: Act, into: Known, other: Known) -> None:
    """Merge within an act."""
    if into == other or type(into) is not type(other):
        raise Refused(_("Choose two different ones to merge."))
    if why := why_two(entrants_of_links(into.links.all()), entrants_of_links(other.links.all())):
        raise Refused(why)
    word = word_of(into)
    for link in other.links.all():
        act.change(link, **{word: into})
    _give_names(act, into, other)
    for name in ("federations", "titles", "identifiers") if isinstance(other, Person) else ("codes",):
        _give(act, into, other, name)
    give_refusals(act, into, other)
    _give_proposals(act, into, other)
    act.change(into, **_joined(into, other))
    act.change(other, merged_into=into)


def why_two(ones: Iterable[Entrant], others: Iterable[Entrant]) -> str:
    """Return why those whose entries these are cannot be one, blank where they can."""
    if beside := beside_each_other(ones, others):
        text = _("Both are in “%(event)s”, so they cannot be one. Take one of the links away first.")
        return text % {"event": beside.event_name}
    return ""


def _give_names(act: Act, into: Known, other: Known) -> None:
    known = {into.name, *into.names.values_list("name", flat=True)}
    for each in other.names.all():
        if each.name not in known:
            act.change(each, **{word_of(into): into})
    if other.name not in known and not other.names.filter(name=other.name).exists():
        row: Model = (
            TeamName(team=into, name=other.name)
            if isinstance(into, Team)
            else PersonName(person=into, name=other.name)
        )
        act.add(row)


def _give(act: Act, into: Known, other: Known, name: str) -> None:
    """Move rows that hang on the one to the other, but those that it has itself."""
    have = {said_by(each) for each in getattr(into, name).all()}
    for each in getattr(other, name).all():
        if said_by(each) not in have:
            act.change(each, **{word_of(into): into})


def _give_proposals(act: Act, into: Known, other: Known) -> None:
    mine, theirs = side_of(into), side_of(other)
    for each in other.proposals.all():
        one, second = sides(mine, each.other if each.one == theirs else each.one)
        if are_refused(one, second) or LinkProposal.objects.filter(one=one, other=second).exists():
            act.remove(each)
        else:
            act.change(each, **{word_of(into): into}, one=one, other=second)


def _joined(into: Known, other: Known) -> dict[str, Any]:
    sources = [*into.sources, *(each for each in other.sources if each not in into.sources)]
    note = "\n".join(dict.fromkeys(each for each in (into.note, other.note) if each))
    found: dict[str, Any] = {"sources": sources, "note": note}
    if isinstance(into, Person) and isinstance(other, Person):
        found |= {"sex": into.sex or other.sex, "born": into.born or other.born}
        found["hidden"] = into.hidden or other.hidden
    return found
