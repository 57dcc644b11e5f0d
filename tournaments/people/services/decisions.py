"""Confirm or refuse suggested links, one or several from a form; add and remove links by hand."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils.translation import gettext as _

from tournaments.models import (
    EntryLink,
    LinkProposal,
    LinkRefusal,
    PeopleAct,
    Person,
    PersonLink,
    Team,
    TeamCode,
    TeamLink,
)
from tournaments.people.entries import owner_at
from tournaments.people.matching.candidates import owner_of
from tournaments.people.matching.entrants import (
    Entrant,
    are_distinct_entries,
    entrants_of_links,
    side_of,
    sides,
)
from tournaments.people.matching.weighing import Weighed, evidence_checksum, links_of, weigh_suggestions
from tournaments.people.models.team import Owner
from tournaments.people.services.editing import add_entry_data
from tournaments.people.services.event_links import link_of
from tournaments.people.services.history import Act, lock_people, people_act, reload_owner, suggest_again
from tournaments.people.services.merging import merge_into
from tournaments.people.services.refusals import (
    WasRefused,
    add_refusal,
    are_refused,
    inherit_refusals,
    require_not_refused,
    sides_of,
    waiting_sides,
)
from tournaments.recording.locking import saving
from tournaments.recording.refusal import Conflict, Refused, required

Kind = PeopleAct.Kind
Author = User | str
"""An account, or the name of a command."""

Node = tuple[str, int, int]
"""One end of a suggested link: a person, a team, or an entry without owner."""


def confirm(suggestion: LinkProposal, by: Author, reason: str = "") -> PeopleAct:
    """Link as suggested: an entry to a person, two entries to a new person, or merge two persons.

    Raise Refused if the suggestion is gone, if a person would occur twice in an event, or if a refusal
    separates the two sides.
    """
    with people_act(Kind.CONFIRM, by, reason, events_of_suggestions([suggestion])) as act:
        found = _weigh_current(suggestion)
        entrant, own, other = found.entrant, found.owner, found.other_owner
        second = found.other if isinstance(found.other, Entrant) else None
        if own is None or own != other:
            require_not_refused(sides_of(entrant, own), sides_of(second, other))
        if other is None:
            assert second is not None  # a suggestion is for a person, a team or an entry  # noqa: S101
            other = own or _create_owner(act, entrant)
            add_link(act, second, other, EntryLink.How.CONFIRMED)
        if own is None:
            add_link(act, entrant, other, EntryLink.How.CONFIRMED)
        elif own != other:
            # The lower number is kept, because more addresses lead to it.
            merge_into(act, *sorted((own, other), key=lambda each: each.pk))
        _remove_settled(act, found.suggestion)
        return act.store()


def refuse_link(suggestion: LinkProposal, by: Author, reason: str = "") -> PeopleAct:
    """Record that both sides are different. They are neither suggested again nor linked by an id."""
    with people_act(Kind.REFUSE, by, reason, events_of_suggestions([suggestion])) as act:
        found = _weigh_current(suggestion)
        # If an entry is linked, the refusal applies to its person in all events.
        sides_of_entry = dict.fromkeys(side_of(each) for each in (found.entrant, found.owner) if each)
        sides_of_other = dict.fromkeys(side_of(each) for each in (found.other, found.other_owner) if each)
        for one in sides_of_entry:
            for other in sides_of_other:
                add_refusal(act, one, other)
        act.remove(found.suggestion)
        # Another person with that name may be the right one.
        suggest_again(act, [found.entrant.row])
        return act.store()


def link_entry_by_hand(entrant: Entrant, owner: Person | Team, by: Author, reason: str) -> PeopleAct:
    with people_act(Kind.LINK, by, required(reason), [entrant.event]) as act:
        if owner_of(entrant):
            raise Refused(
                _("“%(name)s” is linked already. Take that link away first.") % {"name": entrant.name}
            )
        left, right = sides(entrant.side, side_of(owner))
        refusals = LinkRefusal.objects.filter(Q(one=left, other=right))
        for each in refusals:  # a link by hand overrides earlier refusals
            act.remove(each)
        add_link(act, entrant, reload_owner(owner), EntryLink.How.HAND)
        _remove_settled(act)
        return act.store()


def link_all(entrants: Sequence[Entrant], owner: Person | Team, by: Author, reason: str) -> list[PeopleAct]:
    """Link entries by hand, each in its own act, all or none. Raise Refused as `link_entry_by_hand` does."""
    with saving():
        # All events first: locking persons before an event can deadlock.
        lock_people({each.event for each in entrants})
        return [link_entry_by_hand(each, owner, by, reason) for each in entrants]


def unlink(link: PersonLink | TeamLink, by: Author, reason: str) -> PeopleAct:
    """Remove a link permanently. Neither an id nor a name links the entry to that person again."""
    with people_act(Kind.UNLINK, by, required(reason), [link.event_id]) as act:
        current = type(link).objects.filter(pk=link.pk).first()
        if current is None:
            raise Refused(_("This link is not there any more. Go back to the list."))
        entrants = entrants_of_links([current])
        for side in sorted({each.side for each in entrants} or waiting_sides(current)):
            add_refusal(act, side, side_of(current.owner))
        act.remove(current)
        suggest_again(act, [each.row for each in entrants])
        return act.store()


# --- shared parts ------------------------------------------------------------------------------------------


def add_link(act: Act, entrant: Entrant, owner: Owner, how: str) -> None:
    """Store a link, and apply the refusals of the entry to the person or team.

    Raise Refused if another entry of the event is linked to the same person.
    """
    event_links = owner.links.filter(event=entrant.event)
    for each in entrants_of_links(event_links.all()):
        if are_distinct_entries(entrant, each):
            text = _(
                "“%(name)s” is already number %(number)s of “%(event)s”, and cannot have a second entry "
                "in the same event."
            )
            raise Refused(text % {"name": owner.name, "number": each.number, "event": each.event_name})
    if isinstance(owner, Person):
        waiting = owner.links.filter(event=entrant.event, competitor=None, player=None, number=entrant.number)
        for link in waiting:
            act.remove(link)
    act.add(link_of(entrant, owner, how, act.by, act.reason))
    if isinstance(owner, Person):
        add_entry_data(act, entrant, owner)
    inherit_refusals(act, entrant.side, owner)


def _create_owner(act: Act, entrant: Entrant) -> Owner:
    if not entrant.is_team:
        person = Person(name=entrant.name, sex=entrant.sex, born=entrant.born)
        act.add(person)
        return person
    team = Team(name=entrant.name, kind=entrant.kind)
    act.add(team)
    if entrant.code:
        act.add(TeamCode(team=team, code=entrant.code))
    return team


def stored_suggestions(suggestions: Iterable[LinkProposal]) -> list[LinkProposal]:
    rows = LinkProposal.objects.filter(pk__in=[each.pk for each in suggestions])
    return list(rows.select_related("person", "team"))


def events_of_suggestions(suggestions: Iterable[LinkProposal]) -> set[int]:
    weighed = weigh_suggestions(stored_suggestions(suggestions))
    entries = [side for each in weighed for side in (each.entrant, each.other) if isinstance(side, Entrant)]
    owners = [owner for each in weighed for owner in (each.owner, each.other_owner) if owner]
    return {each.event for each in entries} | {link.event_id for link in links_of(owners)}


def _weigh_current(suggestion: LinkProposal) -> Weighed:
    found = weigh_suggestions(stored_suggestions([suggestion]))
    if not found:
        raise Refused(
            _("Another person has already decided this, or the entry was deleted. Go back to the list.")
        )
    return found[0]


def _remove_settled(act: Act, decided: LinkProposal | None = None) -> None:
    affected = Q(pk=decided.pk) if decided else Q()
    for is_team, number in act.subjects:
        links = f"competitor__{'team' if is_team else 'person'}_link__{'team' if is_team else 'person'}"
        affected |= (
            Q(**{"team" if is_team else "person": number})
            | Q(**{links: number})
            | Q(**{f"other_{links}": number})
        )
        if not is_team:
            affected |= Q(player__person_link__person=number) | Q(other_player__person_link__person=number)
    for each in weigh_suggestions(stored_suggestions(LinkProposal.objects.filter(affected))):
        one, other = each.owner, each.other_owner
        is_same = one is not None and one == other
        was_refused = one is not None and other is not None and are_refused(side_of(one), side_of(other))
        if each.suggestion == decided or is_same or was_refused:
            act.remove(each.suggestion)


# --- several answers --------------------------------------------------------------------------------------


class Answer(NamedTuple):
    """An answer to a suggested link. `seen`: checksum of what the user was shown (`evidence_checksum`)."""

    suggestion: LinkProposal
    is_confirmed: bool
    seen: str


def store_answers(answers: Sequence[Answer], by: Author) -> dict[int, str]:
    """Store answers. Return why an answer was not stored, by the key of its suggestion.

    All answers are compared with what the user saw before any is stored, because each changes the others.
    Decisions that another answer implies count as done. Contradicting answers are reported and none of
    them is stored. Each stored answer is an act.
    """
    with saving():
        suggestions = [each.suggestion for each in answers]
        lock_people(events_of_suggestions(suggestions))
        shown = {each.suggestion.pk: each for each in weigh_suggestions(stored_suggestions(suggestions))}
        faults = {each.suggestion.pk: _fault_of_answer(each, shown) for each in answers}
        valid = [each for each in answers if not faults[each.suggestion.pk]]
        faults |= _contradictions(valid, shown)
        # Refusals last, so that they apply to the final persons.
        for each in sorted(valid, key=lambda each: not each.is_confirmed):
            key = each.suggestion.pk
            faults[key] = faults[key] or _store_answer(each, shown[key], by)
    return {key: fault for key, fault in faults.items() if fault}


def _fault_of_answer(answer: Answer, shown: Mapping[int, Weighed]) -> str:
    """Return a fault if the suggestion has changed since it was shown. Otherwise blank."""
    found = shown.get(answer.suggestion.pk)
    if found is None:
        return _("Another person has already decided this, or the entry was deleted. Go back to the list.")
    if answer.seen != evidence_checksum(found):
        return _(
            "The evidence for this link has changed since you opened the page. Check it again, then answer."
        )
    return ""


# --- contradictions ---------------------------------------------------------------------------------------


def _contradictions(answers: Sequence[Answer], shown: Mapping[int, Weighed]) -> dict[int, str]:
    parents: dict[Node, Node] = {}

    def head(node: Node) -> Node:
        while (parent := parents.get(node, node)) != node:
            node = parent
        return node

    ends = {
        key: (_node(weighed.entrant, weighed.owner), _node(weighed.other, weighed.other_owner))
        for key, weighed in shown.items()
    }
    for each in answers:
        if each.is_confirmed:
            one, other = ends[each.suggestion.pk]
            parents[head(one)] = head(other)
    groups: dict[Node, list[Answer]] = defaultdict(list)
    for each in answers:
        one, other = ends[each.suggestion.pk]
        if head(one) == head(other):
            groups[head(one)].append(each)
    return {
        each.suggestion.pk: _contradiction_text([shown[one.suggestion.pk] for one in together])
        for together in groups.values()
        if not all(each.is_confirmed for each in together)
        for each in together
    }


def _node(side: Entrant | Owner, owner: Owner | None) -> Node:
    end = owner or side
    if isinstance(end, Entrant):
        return ("entry", end.competitor or 0, end.player or 0)
    return (type(end).__name__, end.pk, 0)


def _contradiction_text(together: Sequence[Weighed]) -> str:
    names = dict.fromkeys(
        _("“%(entry)s” in “%(event)s”") % {"entry": side.name, "event": side.event_name}
        if isinstance(side, Entrant)
        else f"“{side.name}” ({side.pk})"
        for each in together
        for side in (each.entrant, each.other)
    )
    text = _(
        "Your answers contradict each other, so these were not saved: you confirmed that %(names)s are "
        "the same, and you also refused it. Change one of the answers."
    )
    return text % {"names": ", ".join(names)}


# --- storage ----------------------------------------------------------------------------------------------


def _store_answer(answer: Answer, shown: Weighed, by: Author) -> str:
    try:
        if LinkProposal.objects.filter(pk=answer.suggestion.pk).exists():
            (confirm if answer.is_confirmed else refuse_link)(answer.suggestion, by)
        else:
            _require_same_outcome(answer, shown)
    except (Refused, Conflict) as fault:
        return str(fault)
    return ""


def _require_same_outcome(answer: Answer, shown: Weighed) -> None:
    """Raise Refused if the suggestion is gone because of another answer with a different outcome."""
    one = owner_of(shown.entrant)
    if isinstance(shown.other, Entrant):
        second, other = shown.other, owner_of(shown.other)
    else:
        second, other = None, owner_at(type(shown.other), shown.other.pk)
    is_one = one is not None and one == other
    try:
        if not is_one:
            require_not_refused(sides_of(shown.entrant, one), sides_of(second, other))
    except WasRefused:
        if answer.is_confirmed:
            raise
        return
    if is_one != answer.is_confirmed:
        raise Refused(
            _("Another person has already decided this, or the entry was deleted. Go back to the list.")
        )
