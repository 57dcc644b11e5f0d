"""Undo an act, or an undo. A row is restored if it still is as the act left it (ADR 0040)."""

from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError
from django.db.models import ForeignKey, Model
from django.utils.translation import gettext as _

from tournaments.event.dates import moment_text
from tournaments.models import (
    Competitor,
    LinkProposal,
    PeopleAct,
    Person,
    PersonLink,
    Player,
    Team,
    TeamLink,
)
from tournaments.people.services.history import (
    TABLES,
    Act,
    Values,
    image_of,
    people_act,
    suggest_again,
    values_of_image,
)
from tournaments.recording.refusal import Refused

SEEN = {"competitor_id", "player_id", "number", "name", "team", "at"}
"""Columns of links that follow the entry, independent of decisions."""

FOLLOWS = {"key"}
"""Columns derived from others."""

GOES_WITH_ITS_EVENT = (PersonLink, TeamLink, LinkProposal)


def undo_people_act(act: PeopleAct, by: "User | str", reason: str = "") -> PeopleAct:
    """Restore the values before an act, which may be an undo.

    Raise Refused if the act was undone already, or if a later act changed the same rows; that act must be
    undone first. Rows of deleted entries and events are not restored.
    """
    try:
        with people_act(PeopleAct.Kind.UNDO, by, reason, _events_of_act(act)) as undo_act:
            in_force = _act_in_force(act)
            for name, key, before, after in reversed(in_force.changes):
                try:
                    _restore(undo_act, in_force, name, key, before, after)
                except _ChangedSinceError as fault:
                    later = _latest_change(in_force, name, key)
                    raise Refused(f"{fault} {_act_text(later[0])}" if later else str(fault)) from None
            for name, key, before, _after in undo_act.changes:
                row = TABLES[name]._default_manager.filter(pk=key).first() if before is None else None
                owner = getattr(row, "person", None) or getattr(row, "team", None)
                if isinstance(owner, Person | Team) and owner.merged_into_id:
                    text = _("“%(name)s” was merged into number %(into)s since. Undo that merge first.")
                    raise Refused(text % {"name": owner, "into": owner.merged_into_id})
            _require_nothing_new(undo_act)
            suggest_again(undo_act, undo_act.bereft)
            return undo_act.store(undoes=in_force)
    except IntegrityError:  # a name or an id that was assigned again since
        raise Refused(_("A later action prevents this. Undo the later actions first.")) from None


class _ChangedSinceError(Refused):
    """A row is not as the act left it. The later act is added to the message."""


def _latest_change(
    act: PeopleAct, name: str, key: int
) -> tuple[PeopleAct, Values | None, Values | None] | None:
    """Return the latest later act that changed a row, with the values before and after it."""
    for later in PeopleAct.objects.filter(pk__gt=act.pk).order_by("-pk").iterator(chunk_size=100):
        for model, row, before, after in later.changes:
            if (model, row) == (name, key):
                return later, before, after
    return None


def _was_removed_later(act: PeopleAct, name: str, key: int) -> bool:
    if not (later := _latest_change(act, name, key)):
        return False
    _act, before, after = later
    model = TABLES[name]
    return after is None and not _missing_targets(model(pk=key, **values_of_image(model, before or {})))


def _missing_targets(row: Model) -> list[str]:
    waits = {"competitor", "player"} if isinstance(row, PersonLink | TeamLink) else set()
    named = [field for field in row._meta.concrete_fields if isinstance(field, ForeignKey)]
    return [
        field.attname
        for field in named
        if field.name not in waits
        and (target := getattr(row, field.attname)) is not None
        and not field.related_model._default_manager.filter(pk=target).exists()
    ]


def _act_text(act: PeopleAct) -> str:
    values = {"kind": act.get_kind_display(), "by": act.by, "at": moment_text(act.at)}
    return _("The later act in the history: %(kind)s, by %(by)s, %(at)s.") % values


def _require_nothing_new(undo_act: Act) -> None:
    """Raise Refused if a person is merged again who has got entries or ids since.

    New suggestions of that person are suggested again for the remaining one.
    """
    for name, key, _before, after in list(undo_act.changes):
        if name not in {"person", "team"} or not (after and after.get("merged_into_id")):
            continue
        owner: Any = TABLES[name]._default_manager.get(pk=key)
        if owner.links.exists() or (name == "person" and owner.identifiers.exists()):
            text = _("“%(name)s” has got entries or ids since the split. Merge the two by hand.")
            raise Refused(text % {"name": owner})
        for suggestion in owner.proposals.all():
            undo_act.bereft.add((suggestion.competitor_id, suggestion.player_id))
            undo_act.remove(suggestion)


def _act_in_force(act: PeopleAct) -> PeopleAct:
    while undoing := PeopleAct.objects.filter(undoes=act).first():
        again = PeopleAct.objects.filter(undoes=undoing).first()
        if again is None:
            raise Refused(_("This was undone already. Undo the undoing to have it back."))
        act = again
    return act


def _events_of_act(act: PeopleAct) -> set[int]:
    keys: dict[str, set[int]] = {name: set() for name in TABLES}
    found: set[int] = set()
    for name, key, before, after in act.changes:
        keys[name].add(key)
        found |= {image["event_id"] for image in (before, after) if image and "event_id" in image}
    # Hiding affects all events of the person.
    found |= {*PersonLink.objects.filter(person__in=keys["person"]).values_list("event", flat=True)}
    for model in (PersonLink, TeamLink):
        links = model.objects.filter(pk__in=keys[model._meta.model_name or ""])
        found |= {*links.values_list("event", flat=True)}
    return found


def _restore(
    act: Act, undone: PeopleAct, name: str, key: int, before: Values | None, after: Values | None
) -> None:
    model = TABLES[name]
    row = model._default_manager.filter(pk=key).first()
    if after is None:
        _add_again(act, undone, model, key, before or {}, row)
        return
    if row is None:
        # The row was deleted with its event or entry, unless a later act removed it.
        if issubclass(model, GOES_WITH_ITS_EVENT) and not _was_removed_later(undone, name, key):
            return
        raise _ChangedSinceError(_("A record changed by this action was deleted. Undo the deletion first."))
    _require_unchanged(row, after)
    if before is None:
        act.remove(row)
    else:
        act.change(row, **values_of_image(model, before))


def _require_unchanged(row: Model, after: Values) -> None:
    now = image_of(row)
    ignored = FOLLOWS | SEEN if isinstance(row, PersonLink | TeamLink) and "event_id" in after else FOLLOWS
    differing = [name for name in after if name not in ignored and now[name] != after[name]]
    if differing:
        raise _ChangedSinceError(
            _("“%(name)s” was changed again since (%(what)s). Undo the later act first.")
            % {"name": row, "what": ", ".join(name.removesuffix("_id") for name in differing)}
        )


def _add_again(
    act: Act, undone: PeopleAct, model: type[Model], key: int, image: Values, there: Model | None
) -> None:
    if there is not None:
        raise _ChangedSinceError(
            _("“%(name)s” is there again already. Undo the later act first.") % {"name": there}
        )
    row = model(pk=key, **values_of_image(model, image))
    if _missing_targets(row):
        if isinstance(row, GOES_WITH_ITS_EVENT):
            return
        raise _ChangedSinceError(_("A record changed by this action was deleted. Undo the deletion first."))
    if isinstance(row, PersonLink | TeamLink):
        if not Competitor.objects.filter(pk=row.competitor_id or 0).exists():
            row.competitor = None
        if isinstance(row, PersonLink) and not Player.objects.filter(pk=row.player_id or 0).exists():
            row.player = None
        _require_free_entry(row)
    same = LinkProposal.objects.filter(one=row.one, other=row.other) if isinstance(row, LinkProposal) else ()
    for suggestion in same:  # suggested again by an import, or by a later act, which must be undone first
        if later := _latest_change(undone, "linkproposal", suggestion.pk):
            text = _("“%(name)s” has been suggested again since. Undo the later action first.") % {
                "name": image["one"]
            }
            raise Refused(f"{text} {_act_text(later[0])}")
        return
    act.add(row)


def _require_free_entry(link: PersonLink | TeamLink) -> None:
    columns = ("competitor_id", "player_id") if isinstance(link, PersonLink) else ("competitor_id",)
    for column in columns:
        key = getattr(link, column)
        if key and type(link).objects.filter(**{column: key}).exists():
            raise _ChangedSinceError(
                _("“%(name)s” has been linked to another person since. Undo that link first.")
                % {"name": link.name}
            )
