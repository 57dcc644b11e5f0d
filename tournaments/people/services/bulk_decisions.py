"""Answer several suggested links from a form, without conflicts between the answers."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _

from tournaments.models import LinkProposal
from tournaments.people.entries import owner_at
from tournaments.people.matching.entrants import Entrant
from tournaments.people.matching.evidence import owner_of
from tournaments.people.matching.weighing import Weighed, evidence_checksum, weigh_suggestions
from tournaments.people.models.team import Owner
from tournaments.people.services.decisions import (
    Author,
    confirm,
    events_of_suggestions,
    refuse_link,
    stored_suggestions,
)
from tournaments.people.services.history import lock_people
from tournaments.people.services.refusals import WasRefused, require_not_refused, sides_of
from tournaments.recording.locking import saving
from tournaments.recording.refusal import Conflict, Refused

Node = tuple[str, int, int]
"""One end of a suggested link: a person, a team, or an entry without owner."""


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

    ends = {}
    for each in answers:
        weighed = shown[each.suggestion.pk]
        ends[each.suggestion.pk] = (
            _node(weighed.entrant, weighed.owner),
            _node(weighed.other, weighed.other_owner),
        )
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
