"""Update links after an import or an edit: keep links with entries, link by id, suggest namesakes (ADR 0040).

Each call handles the changes of an event in a fixed number of queries. A link is removed only if its
entry has a different name now, so that it may be a different person.
"""

from django.db.models import Q

from tournaments.models import (
    EntryName,
    Event,
    LinkProposal,
    LinkRefusal,
    PersonLink,
    TeamLink,
)
from tournaments.models.rows import insert_all
from tournaments.people.hiding.anonymise import anonymise
from tournaments.people.hiding.hidden_marks import save_hidden_marks
from tournaments.people.hiding.import_filter import NO_MATCHES, HiddenMatches
from tournaments.people.matching.candidates import suggest_links, suggestion_of
from tournaments.people.matching.entrants import (
    Entrant,
    entrants_of,
    row_of_link,
    sides,
)
from tournaments.people.matching.names import may_be_one_name, name_key
from tournaments.people.services.automatic_links import follow_ids, hide_namesakes, link_by_id, link_teams
from tournaments.people.services.event_links import (
    EventLinks,
    Link,
    apply_hidden_matches,
    earlier_name_keys,
    has_id_of,
    is_pseudonym,
    link_team,
    name_seen,
    possible_entries,
)

Why = LinkProposal.Why
MOST_AT_ONCE = 500
"""Rows per bulk write, to stay below SQLite's limit on parameters."""


def link_entries(event: Event, by: str = "", matches: HiddenMatches = NO_MATCHES) -> None:
    """Link the entries of a changed event, inside the transaction of the change.

    Links follow their entries and wait for missing ones. A known id links at once and a new id creates a
    person; namesakes are suggested. Refusals stay in force. `matches`: what a file contains about entries
    of hidden persons; NO_MATCHES if the entries were typed.
    """
    now = EventLinks(event, by, {each.row: each for each in entrants_of(event)})
    persons = PersonLink.objects.filter(event=now.event).select_related("person")
    teams = TeamLink.objects.filter(event=now.event).select_related("team") if now.event.is_team else ()
    for link in (*persons, *teams):
        row = row_of_link(link)
        if row in now.entrants:
            now.links[row] = link
        else:
            now.waiting.append(link)
    apply_hidden_matches(now, matches)
    _return_waiting(now)
    _update_names(now)
    touched = _store_name_keys(now)
    if matches is NO_MATCHES:
        hide_namesakes(now, touched)
    fresh = [*follow_ids(now), *link_by_id(now)]
    link_teams(now, touched)
    # New persons, created from ids, may be known under a name, or `follow_ids` took their link away.
    wanted = {each.row: each for each in touched if each.row not in now.links}
    wanted |= {each.row: each for each in fresh}
    owners = {row: link.owner for row, link in now.links.items()}
    found = suggest_links(now.event, list(wanted.values()), owners, now.suggested)
    # A suggestion that still waits exists already.
    LinkProposal.objects.bulk_create(found, ignore_conflicts=True)
    save_hidden_marks(anonymise(event))


def carry_links(source: Event, copy: Event, matches: HiddenMatches = NO_MATCHES, by: str = "") -> None:
    """Copy links and refusals to a copy of an event, inside the transaction that creates the copy.

    The copy is usually older. Its entries are matched by id, name and number, as in an import, so a link
    whose entry is gone from the source can return in the copy. `matches`: what the copy contains about
    entries of hidden persons.
    """
    _carry_refusals(source, copy)
    for model in (PersonLink, TeamLink):
        there = model.objects.filter(event=copy)
        taken = set(map(row_of_link, there))
        free = [each for each in entrants_of(copy) if each.row not in taken]
        now = EventLinks(copy, by, {each.row: each for each in free})
        for link in model.objects.filter(event=source).order_by("pk"):
            link.pk, link.event_id = None, copy.pk
            link.competitor_id = None
            if isinstance(link, PersonLink):
                link.player_id = None
            now.waiting.append(link)
        apply_hidden_matches(now, matches)
        _return_waiting(now)
    save_hidden_marks(anonymise(copy))


def _carry_refusals(source: Event, copy: Event) -> None:
    was, now = f"entry:{source.pk}:", f"entry:{copy.pk}:"
    refusals = LinkRefusal.objects.filter(Q(one__startswith=was) | Q(other__startswith=was))
    copies = []
    for each in refusals:
        theirs = [side.replace(was, now) if side.startswith(was) else side for side in (each.one, each.other)]
        left, right = sides(*theirs)
        first = each.follows or each.pk
        copies.append(
            LinkRefusal(one=left, other=right, by=each.by, reason=each.reason, at=each.at, follows=first)
        )
    LinkRefusal.objects.bulk_create(copies)


# --- links follow their entries ---------------------------------------------------------------------------


def _return_waiting(now: EventLinks) -> None:
    free = [each for row, each in now.entrants.items() if row not in now.links]
    if not (now.waiting and free):
        return
    earlier_keys = earlier_name_keys(now)
    for link in list(now.waiting):
        found = [each for each in free if _matches(link, each) and not now.is_beside(link, each)]
        if isinstance(link, PersonLink) and link.person.hidden:
            # Entries that were in the event together with the hidden person are other persons.
            found = [
                each for each in found if earlier_keys.get(each.row) != each.key or is_pseudonym(link, each)
            ]
        best = [each for each in found if name_key(each.name) == name_key(link.name)] or found
        if len(best) > 1 and isinstance(link, PersonLink) and link.person.hidden:
            apply_hidden_matches(now, HiddenMatches({}, {}, possible_entries(link, best)))
            free = [each for each in free if each.row not in now.links]
            continue
        best = [each for each in best if each.number == link.number] if len(best) > 1 else best
        if len(best) == 1:
            free.remove(best[0])
            now.move(link, best[0])


def _matches(link: Link, entrant: Entrant) -> bool:
    if isinstance(link, TeamLink) != entrant.is_team:
        return False
    if is_pseudonym(link, entrant):
        return True
    if name_key(link.name) == entrant.key:
        return link_team(link) == name_key(entrant.team) or link.number == entrant.number
    return link.number == entrant.number and not entrant.player and may_be_one_name(link.name, entrant.name)


def _update_names(now: EventLinks) -> None:
    for row, link in list(now.links.items()):
        entrant = now.entrants[row]
        if (link.number, link.name, link.team if isinstance(link, PersonLink) else "") == (
            entrant.number,
            name_seen(link, entrant),
            entrant.team,
        ):
            continue
        if (
            is_pseudonym(link, entrant)
            or may_be_one_name(link.name, entrant.name)
            or has_id_of(entrant, link)
        ):
            now.move(link, entrant)
            continue
        now.wait(row)
        now.suggested.append(suggestion_of(entrant, link.owner, Why.RENAMED))


# --- names for finding namesakes --------------------------------------------------------------------------


def _store_name_keys(now: EventLinks) -> list[Entrant]:
    there = {(each.competitor_id, each.player_id): each for each in EntryName.objects.filter(event=now.event)}
    touched, added, changed = [], [], []
    for row, entrant in now.entrants.items():
        if not entrant.key:
            continue
        name = there.get(row)
        if name is None:
            added.append(
                EntryName(
                    event=now.event,
                    competitor_id=entrant.competitor,
                    player_id=entrant.player,
                    is_team=entrant.is_team,
                    key=entrant.key,
                )
            )
        elif name.key != entrant.key:
            name.key = entrant.key
            changed.append(name)
        else:
            continue
        touched.append(entrant)
    insert_all(added)
    EntryName.objects.bulk_update(changed, ["key"], batch_size=MOST_AT_ONCE)
    return touched
