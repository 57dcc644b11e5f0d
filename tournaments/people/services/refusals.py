"""Refusals: records that two sides are different, applied to persons and teams as entries are linked."""

from collections.abc import Mapping

from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.event.dates import moment_text
from tournaments.models import LinkRefusal, PersonLink, TeamLink
from tournaments.people.matching.entrants import Entrant, entrants_of_links, side_of, sides
from tournaments.people.matching.names import name_key
from tournaments.people.models.team import Owner
from tournaments.people.services.event_links import link_team
from tournaments.people.services.history import Act
from tournaments.recording.refusal import Refused

Sides = Mapping[str, str]
"""Sides of a refusal with their names for messages."""


class WasRefused(Refused):
    """Raised if an act would join two sides that a refusal separates."""

    def __init__(self, refusal: LinkRefusal, one: str, other: str) -> None:
        values = {"one": one, "other": other, "by": refusal.by, "at": moment_text(refusal.at)}
        text = _("%(one)s and %(other)s were refused as the same by %(by)s, %(at)s") % values
        text = f"{text}: {refusal.reason}" if refusal.reason else text
        self.text = f"{text.rstrip('.')}."
        way_on = _("Undo that refusal first, in the history of persons and teams.")
        super().__init__(f"{self.text} {way_on}")


def add_refusal(act: Act, one: str, other: str) -> None:
    left, right = sides(one, other)
    _store_once(act, LinkRefusal(one=left, other=right, by=act.by, reason=act.reason, at=timezone.now()))


def inherit_refusals(act: Act, side: str, owner: Owner) -> None:
    for each in LinkRefusal.standing.filter(Q(one=side) | Q(other=side)).order_by("pk"):
        left, right = sides(side_of(owner), each.other if each.one == side else each.one)
        follows = each.follows or each.pk
        _store_once(
            act,
            LinkRefusal(one=left, other=right, by=each.by, reason=each.reason, at=each.at, follows=follows),
        )


def _store_once(act: Act, refusal: LinkRefusal) -> None:
    values = {"one": refusal.one, "other": refusal.other, "follows": refusal.follows}
    added = [after for name, _key, before, after in act.changes if name == "linkrefusal" and before is None]
    if refusal.one != refusal.other and not any(values.items() <= (each or {}).items() for each in added):
        act.add(refusal)


def are_refused(one: str, other: str) -> bool:
    """Return whether a refusal separates two sides. A single query."""
    left, right = sides(one, other)
    return LinkRefusal.standing.filter(one=left, other=right).exists()


def require_not_refused(one: Sides, other: Sides) -> None:
    """Raise WasRefused if a refusal separates any side of `one` from any side of `other`. A single query."""
    rows = LinkRefusal.standing.filter(Q(one__in=one) | Q(other__in=one))
    for each in rows.order_by(F("follows").asc(nulls_first=True), "pk"):  # refusals by users first
        for left, right in ((each.one, each.other), (each.other, each.one)):
            if left in one and right in other:
                raise WasRefused(each, one[left], other[right])


def sides_of(entrant: Entrant | None, owner: Owner | None) -> Sides:
    """Return all sides of an entry, or of a person or a team with all entries."""
    found: dict[str, str] = {}
    entries = entrants_of_links(owner.links.all()) if owner else []
    for each in (*entries, *([entrant] if entrant else [])):
        found[each.side] = _("“%(entry)s” in “%(event)s”") % {"entry": each.name, "event": each.event_name}
    if owner:
        found[side_of(owner)] = f"“{owner.name}” ({owner.pk})"
    return found


def waiting_sides(link: PersonLink | TeamLink) -> set[str]:
    """Return the possible sides of a missing entry: its name, and the ids of its person."""
    key, team = name_key(link.name), link_team(link)
    found = {f"{key}@{team}" if team else key}
    if isinstance(link, PersonLink):
        found |= {f"{each.scheme}:{each.value}" for each in link.person.identifiers.all()}
    return {f"entry:{link.event_id}:{each}" for each in found}
