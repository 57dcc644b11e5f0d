"""Store typed results, each under an id created by the client, with an outcome for each.

Attendance marks use the same functions, with another `Recording`.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple, Protocol, cast
from uuid import UUID

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from tournaments.event.dates import clock_text
from tournaments.event.resultcodes import ResultError
from tournaments.models import Event, Receipt
from tournaments.recording.integrity import sentence_of
from tournaments.recording.locking import lock_event
from tournaments.recording.refusal import Busy, Conflict, Refused
from tournaments.recording.results.storing import StoredResult, SubmittedResult, record_result, result_at

SAVED, CONFLICT, REFUSED, BUSY = "saved", "conflict", "refused", "busy"


class Submission(Protocol):
    @property
    def id(self) -> UUID: ...


class Recording(NamedTuple):
    """How submissions of the same kind are stored. Both functions get the locked event.

    `record` stores a submission and returns it with a note, or raises Conflict or Refused. `stored_at`
    returns the stored value, and the text of the submission as parsed.
    """

    record: Callable[[Event, Any, User], tuple[StoredResult, str]]
    stored_at: Callable[[Event, Any], tuple[StoredResult, str]]


RESULTS = Recording(record_result, result_at)


@dataclass(frozen=True, slots=True)
class SubmissionOutcome:
    """The outcome of a submission; every field is plain JSON.

    `text` and `version` belong to the stored result, `match` and `match_version` to its match. In a conflict,
    `mine` is the typed result as it was read, and `by` and `at` state who saved the other result and when
    (ISO; blank if not known). `message` is the reason of a refusal, or a note on a saved result. `repeated`
    is true if a submission with this id was processed before.
    """

    id: str
    state: str
    text: str = ""
    version: int = 0
    match: str = ""
    match_version: int = 0
    mine: str = ""
    by: str = ""
    at: str = ""
    message: str = ""
    repeated: bool = False

    @property
    def agrees(self) -> bool:
        return self.state == CONFLICT and self.mine == self.text


def distinct_notes(outcomes: Iterable[SubmissionOutcome]) -> list[str]:
    return list(dict.fromkeys(each.message for each in outcomes if each.state == SAVED and each.message))


def enter(
    event: Event, submissions: Sequence[Submission], by: User, recording: Recording = RESULTS
) -> list[SubmissionOutcome]:
    """Store each submission independently, in its own transaction.

    If another writer locks the event for too long, this submission and all later ones get the outcome `busy`:
    they were not stored and may be sent again with the same ids. Those of a lent event are refused.
    """
    outcomes: list[SubmissionOutcome] = []
    # One lock per submission: a failure must not undo earlier submissions, and others may write in between.
    try:
        for submission in submissions:
            with lock_event(event) as now:
                outcomes.append(_store_once(now, submission, by, recording))
    except Refused as refusal:  # of the lock
        state = BUSY if isinstance(refusal, Busy) else REFUSED
        waiting = submissions[len(outcomes) :]  # not tried, because each would wait as long
        outcomes += [SubmissionOutcome(str(each.id), state, message=str(refusal)) for each in waiting]
    return outcomes


def enter_together(event: Event, submissions: Sequence[SubmittedResult], by: User) -> list[SubmissionOutcome]:
    """Store all submissions or none: no data are stored unless every outcome is `saved`."""
    with lock_event(event) as now:
        outcomes = [_store_once(now, submission, by, RESULTS) for submission in submissions]
        if any(outcome.state != SAVED for outcome in outcomes):
            transaction.set_rollback(True)
    return outcomes


def _store_once(event: Event, submission: Submission, by: User, recording: Recording) -> SubmissionOutcome:
    receipt, fields = Receipt.objects.filter(pk=submission.id).first(), asdict(cast("Any", submission))
    sent = {name: str(value) for name, value in fields.items() if name not in {"id", "seen"}}
    if receipt is None:
        outcome = _outcome_of(event, submission, by, recording)
        Receipt.objects.create(id=submission.id, event=event, by=by, outcome=asdict(outcome) | {"sent": sent})
        return outcome
    # Clients create the ids, so an outcome must not be disclosed to a client that guesses an id.
    if receipt.outcome.pop("sent", sent) != sent or receipt.event_id != event.pk:
        text = _("This id belongs to another entry. Send this entry under a new id.")
        return SubmissionOutcome(str(submission.id), REFUSED, message=text)
    # After a lost connection the client sends the submission again; it must not be stored twice.
    return replace(SubmissionOutcome(**receipt.outcome), repeated=True)


def _outcome_of(event: Event, submission: Submission, by: User, recording: Recording) -> SubmissionOutcome:
    key = str(submission.id)
    try:
        with transaction.atomic():
            stored, note = recording.record(event, submission, by)
            return SubmissionOutcome(key, SAVED, *stored, message=note)
    except Conflict as conflict:
        theirs, mine = recording.stored_at(event, submission)
        at = clock_text(conflict.at) if conflict.at else ""
        return SubmissionOutcome(
            key, CONFLICT, *theirs, mine=mine, by=conflict.by, at=at, message=str(conflict)
        )
    except (Refused, ResultError) as refusal:
        return SubmissionOutcome(key, REFUSED, message=str(refusal))
    # Triggers refuse concurrent writes that no earlier check can detect.
    except IntegrityError as refusal:
        text = _("%(why)s Reload the page.") % {"why": sentence_of(refusal)}
        return SubmissionOutcome(key, REFUSED, message=text)
