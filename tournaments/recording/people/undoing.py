"""An act undone, be it an undoing: each row is put back where it is still as the act left it (ADR 0040)."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.db import IntegrityError
from django.db.models import ForeignKey, Model
from django.utils.translation import gettext as _

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
from tournaments.recording.people.acts import (
    TABLES,
    Act,
    Values,
    acting,
    image_of,
    propose_again,
    values_of,
)
from tournaments.recording.refusal import Refused
from tournaments.times import moment_text

SEEN = {"competitor_id", "player_id", "number", "name", "team", "at"}
"""Columns of links that follow the entry, whatever people decide."""

FOLLOWS = {"key"}
"""Columns that follow from others by rules of the code."""

GOES_WITH_ITS_EVENT = (PersonLink, TeamLink, LinkProposal)


def undo(act: PeopleAct, by: "User | str", reason: str = "") -> PeopleAct:
    """Undo an act, be it the undoing of another: every value is again what it was before.

    Refused where it was undone already, or where a later act changed the same; that one is undone first.
    What hangs on an entry or an event that is gone meanwhile stays gone.
    """
    try:
        with acting(PeopleAct.Kind.UNDO, by, reason, _events_of(act)) as done:
            standing = _standing(act)
            for name, key, before, after in reversed(standing.changes):
                with _naming_later(standing, name, key):
                    _put_back(done, standing, name, key, before, after)
            _refuse_merged_owners(done)
            _leave_nothing_behind(done)
            propose_again(done, done.bereft)
            return done.store(undoes=standing)
    except IntegrityError:  # a name or an id that somebody gave again since
        raise Refused(
            _("Something that was done since stands in the way. Undo the later acts first.")
        ) from None


class _ChangedSinceError(Refused):
    """Raised where a row is not as an act left it; which act did that is said by `_naming_later`."""


@contextmanager
def _naming_later(act: PeopleAct, name: str, key: int) -> Iterator[None]:
    """Say of a row that was changed again which act did it."""
    try:
        yield
    except _ChangedSinceError as fault:
        later = _latest_change(act, name, key)
        if later is None:
            raise Refused(str(fault)) from None
        raise Refused(f"{fault} {_named(later.act)}") from None


class _LaterChange(NamedTuple):
    """What a later act made of a row: the values before it and after it."""

    act: PeopleAct
    before: Values | None
    after: Values | None


def _latest_change(act: PeopleAct, name: str, key: int) -> _LaterChange | None:
    """Return what the last act after this one did to a row; None where none did anything."""
    for later in PeopleAct.objects.filter(pk__gt=act.pk).order_by("-pk").iterator(chunk_size=100):
        for model, row, before, after in later.changes:
            if (model, row) == (name, key):
                return _LaterChange(later, before, after)
    return None


def _was_taken_away(act: PeopleAct, name: str, key: int) -> bool:
    """Say whether a later act took a row away that could come back: its event and its entries are there."""
    later = _latest_change(act, name, key)
    if later is None or later.after is not None:
        return False
    model = TABLES[name]
    return not _gone(model(pk=key, **values_of(model, later.before or {})))


def _gone(row: Model) -> list[str]:
    """Return the columns of a row that name what is not there any more; an entry a link can wait for."""
    waits = {"competitor", "player"} if isinstance(row, PersonLink | TeamLink) else set()
    named = [field for field in row._meta.concrete_fields if isinstance(field, ForeignKey)]
    return [
        field.attname
        for field in named
        if field.name not in waits
        and (target := getattr(row, field.attname)) is not None
        and not field.related_model._default_manager.filter(pk=target).exists()
    ]


def _named(act: PeopleAct) -> str:
    values = {"kind": act.get_kind_display(), "by": act.by, "at": moment_text(act.at)}
    return _("The later act in the history: %(kind)s, by %(by)s, %(at)s.") % values


def _refuse_merged_owners(done: Act) -> None:
    """Refuse where a row came back to somebody who is merged; only in the end all rows are as they were."""
    for name, key, before, _after in done.changes:
        row = TABLES[name]._default_manager.filter(pk=key).first() if before is None else None
        owner = getattr(row, "person", None) or getattr(row, "team", None)
        if isinstance(owner, Person | Team) and owner.merged_into_id:
            text = _("“%(name)s” was merged into number %(into)s since. Undo that merge first.")
            raise Refused(text % {"name": owner, "into": owner.merged_into_id})


def _leave_nothing_behind(done: Act) -> None:
    """See that nobody is merged again who has got entries since: these would hang on who is no more.

    Likely links that were found since are proposed anew. Refused where there are entries or ids.
    """
    for name, key, _before, after in list(done.changes):
        if name not in {"person", "team"} or not (after and after.get("merged_into_id")):
            continue
        known: Any = TABLES[name]._default_manager.get(pk=key)
        if known.links.exists() or (name == "person" and known.identifiers.exists()):
            text = _("“%(name)s” has got entries or ids since it stood alone. Merge the two by hand.")
            raise Refused(text % {"name": known})
        for proposal in known.proposals.all():
            done.bereft.add((proposal.competitor_id, proposal.player_id))
            done.remove(proposal)


def _standing(act: PeopleAct) -> PeopleAct:
    """Return the act by which it holds: itself, or what undid its undoing; Refused where it is undone."""
    while undoing := PeopleAct.objects.filter(undoes=act).first():
        again = PeopleAct.objects.filter(undoes=undoing).first()
        if again is None:
            raise Refused(_("This was undone already. Undo the undoing to have it back."))
        act = again
    return act


def _events_of(act: PeopleAct) -> set[int]:
    """Return the events whose links an act changed, as far as they are there."""
    keys: dict[str, set[int]] = {name: set() for name in TABLES}
    found: set[int] = set()
    for name, key, before, after in act.changes:
        keys[name].add(key)
        found |= {image["event_id"] for image in (before, after) if image and "event_id" in image}
    # What is hidden or shown again is so in every event of the person.
    found |= {*PersonLink.objects.filter(person__in=keys["person"]).values_list("event", flat=True)}
    for model in (PersonLink, TeamLink):
        links = model.objects.filter(pk__in=keys[model._meta.model_name or ""])
        found |= {*links.values_list("event", flat=True)}
    return found


def _put_back(
    act: Act, undone: PeopleAct, name: str, key: int, before: Values | None, after: Values | None
) -> None:
    """Make a row again what it was before the act that is undone."""
    model = TABLES[name]
    row = model._default_manager.filter(pk=key).first()
    if after is None:
        _bring_back(act, undone, model, key, before or {}, row)
        return
    if row is None:
        # Its event or its entry is gone, unless a later act took it away.
        if issubclass(model, GOES_WITH_ITS_EVENT) and not _was_taken_away(undone, name, key):
            return
        raise _ChangedSinceError(
            _("What this act changed is not there any more. Undo first what took it away.")
        )
    _compare(row, after)
    if before is None:
        act.remove(row)
    else:
        act.change(row, **values_of(model, before))


def _compare(row: Model, after: Values) -> None:
    """Refuse where a row has not the values that an act gave it."""
    now = image_of(row)
    ignored = FOLLOWS | SEEN if isinstance(row, PersonLink | TeamLink) and "event_id" in after else FOLLOWS
    differing = [name for name in after if name not in ignored and now[name] != after[name]]
    if differing:
        raise _ChangedSinceError(
            _("“%(name)s” was changed again since (%(what)s). Undo the later act first.")
            % {"name": row, "what": ", ".join(name.removesuffix("_id") for name in differing)}
        )


def _bring_back(
    act: Act, undone: PeopleAct, model: type[Model], key: int, image: Values, there: Model | None
) -> None:
    """Store a row again that an act took away."""
    if there is not None:
        raise _ChangedSinceError(
            _("“%(name)s” is there again already. Undo the later act first.") % {"name": there}
        )
    row = model(pk=key, **values_of(model, image))
    if _gone(row):
        if isinstance(row, GOES_WITH_ITS_EVENT):
            return
        raise _ChangedSinceError(
            _("What this act changed is not there any more. Undo first what took it away.")
        )
    if isinstance(row, PersonLink | TeamLink):
        _let_wait(row)
        _refuse_if_taken(row)
    same = LinkProposal.objects.filter(one=row.one, other=row.other) if isinstance(row, LinkProposal) else ()
    for proposal in same:  # an import proposed it again, or a later act, which is undone first
        if later := _latest_change(undone, "linkproposal", proposal.pk):
            text = _("“%(name)s” was proposed anew since. Undo the later act first.") % {"name": image["one"]}
            raise Refused(f"{text} {_named(later.act)}")
        return
    act.add(row)


def _let_wait(link: PersonLink | TeamLink) -> None:
    """Let a link that comes back wait where its entry went meanwhile."""
    if not Competitor.objects.filter(pk=link.competitor_id or 0).exists():
        link.competitor = None
    if isinstance(link, PersonLink) and not Player.objects.filter(pk=link.player_id or 0).exists():
        link.player = None


def _refuse_if_taken(link: PersonLink | TeamLink) -> None:
    """Refuse where the entry of a link that comes back has another one by now."""
    columns = ("competitor_id", "player_id") if isinstance(link, PersonLink) else ("competitor_id",)
    for column in columns:
        key = getattr(link, column)
        if key and type(link).objects.filter(**{column: key}).exists():
            raise _ChangedSinceError(
                _("“%(name)s” was linked to somebody else since. Undo that first.") % {"name": link.name}
            )
