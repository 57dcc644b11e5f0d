"""Publish the pairings of a round, and unpublish them while it has no results (ADR 0020)."""

from collections.abc import Collection, Sequence

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.event.choices import Kind, is_settled
from tournaments.event.finding import Finding
from tournaments.event.pairingsettings import delayed_games
from tournaments.models import Event, Override, Pairing, Round
from tournaments.models.pairing import delayed
from tournaments.recording.competitors.attendance import seat_rounds_off, unseat_rounds_off
from tournaments.recording.corrections import is_built_upon
from tournaments.recording.events.rulings import open_findings
from tournaments.recording.locking import add_override, lock_event, name_of_user, save
from tournaments.recording.pairings.drafts import departures
from tournaments.recording.refusal import Refused, prose, required, unpublished
from tournaments.recording.rounds.opening import locked_round, to_be_confirmed
from tournaments.recording.teams.match_scores import decided_in
from tournaments.stored import stored


def publish_pairings(round_: Round, by: User, reason: str = "") -> Round:
    """Publish the pairings of a round. Later changes by hand are overrides.

    Competitors with a round off get a pairing of that kind first. If the proposal followed the event's
    rules, pairings that differ from it are stored as overrides and need the reason. Raise Refused if there
    are no pairings or, in a Swiss, if an earlier round is a draft.
    """
    with lock_event(round_.event) as event:
        return _publish_pairings(event, round_, by, prose(reason), open_findings(event))


def publish_rounds(event: Event, numbers: Collection[int], by: User) -> list[Round]:
    """Publish several rounds, all or none. Raise Refused as `publish_pairings` does."""
    with lock_event(event) as now:
        rounds, findings = now.rounds.filter(number__in=numbers).order_by("number"), open_findings(now)
        return [_publish_pairings(now, each, by, "", findings) for each in rounds]


def _publish_pairings(
    event: Event, round_: Round, by: User, reason: str, findings: Sequence[Finding]
) -> Round:
    now = locked_round(event, round_)
    if not now.is_draft:
        return now
    if not now.pairings.exists():
        raise Refused(_("Round %(round)s has no pairings yet. Pair it first.") % {"round": now.number})
    earlier = event.rounds.filter(number__lt=now.number, state=Round.State.DRAFT).order_by("number").first()
    if earlier and not event.is_round_robin:
        raise unpublished(earlier.number)
    seat_rounds_off(now, by)
    now.confirmed = to_be_confirmed(now, findings)
    now.state = Round.State.PUBLISHED
    open_earlier = Pairing.objects.filter(delayed(), round__event=event, round__number__lt=now.number)
    if not now.provisional_results and open_earlier.exists():  # paired by hand
        now.provisional_results = delayed_games(stored(event).document, now.number)
    save(now, by, reason)
    _add_departure_overrides(event, now, by, reason)
    return now


def _add_departure_overrides(event: Event, round_: Round, by: User, reason: str) -> None:
    found = departures(round_)
    if not found:
        return
    tables = ", ".join(str(each.table) for each in found)
    because = required(
        reason,
        _("The pairings of table %(tables)s depart from the proposal, and carry a * in public.")
        % {"tables": tables},
    )
    # Each proposed pair is recorded at a single table, so that undoing all overrides restores it.
    at, left = timezone.now(), {each.proposed for each in found}
    for each in found:
        was = each.proposed if each.proposed in left else None
        left.discard(was)
        place = {"round": round_.number, "table": each.table}
        add_override(
            event, Override.Kind.PAIRING, name_of_user(by), because, at=at, was=_seats_text(was), **place
        )


def _seats_text(numbers: Sequence[int] | None) -> str:
    if not numbers:
        return ""
    return "-".join(map(str, numbers)) if len(numbers) > 1 else f"{numbers[0]} {Kind.BYE.value}"


def take_back_pairings(round_: Round, by: User, reason: str = "") -> Round:
    """Make a published round a draft again.

    Overrides since publication are undone by further records, so that no `*` remains. Pairings stay,
    except rounds off, which follow the attendance again. Raise Refused if the round has results or
    corrections, or later rounds build upon it.
    """
    with lock_event(round_.event) as event:
        now = locked_round(event, round_)
        if refusal := why_published(event, now):
            raise Refused(refusal)
        if not now.is_draft:
            now.state, now.pairing_numbers, now.provisional_results = Round.State.DRAFT, {}, []
            save(now, by, prose(reason))
            unseat_rounds_off(now, by)
            ruled = event.overrides.filter(kind=Override.Kind.PAIRING, round=now.number, undone_by=None)
            because = prose(reason) or _("The pairings of the round were taken back.")
            who, at = name_of_user(by), timezone.now()
            for override in ruled.order_by("number"):
                add_override(event, Override.Kind.UNDO, who, because, at=at, undoes=override)
    return now


def why_published(event: Event, round_: Round) -> str:
    """Return why the pairings of a round cannot be unpublished. Blank if they can. Three queries."""
    values = {"round": round_.number}
    if is_settled(event.state, round_.state):
        return _("Round %(round)s is settled. Open it again first.") % values
    if decided_in(round_):
        return _("Round %(round)s has a result, so its pairings stay published.") % values
    # The public record would refer to a round without pairings.
    if event.changes.filter(round=round_.number).exists():
        message = _("The public log shows corrections in round %(round)s, so its pairings stay published.")
        return message % values
    if is_built_upon(event, round_):
        return _("A later round is built upon round %(round)s: its pairings stay published.") % values
    return ""
