"""Typed results into the record: each under the id its client made, each told what became of it.

Marks of attendance take the same way: what is stored of an entry is its `Recording`'s.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple, Protocol
from uuid import UUID

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from tournaments.event.resultcodes import ResultError
from tournaments.models import Event, Receipt
from tournaments.recording.integrity import sentence_of
from tournaments.recording.refusal import Busy, Conflict, Refused
from tournaments.recording.results import StoredResult, record, result_at
from tournaments.recording.turns import in_turn
from tournaments.times import clock_text

SAVED, CONFLICT, REFUSED, BUSY = "saved", "conflict", "refused", "busy"


@dataclass(frozen=True, slots=True)
class ResultEntry:
    """One result as somebody typed it.

    `id` is made by the client, once for each typing; `pairing` is a primary key; `board` is None for a game
    of players, a round off, or the total of a match; `seen` is the version shown, 0 where a board has no row
    yet; `games_played` is of a micro-match; `reason` is needed for a correction only.
    """

    id: UUID
    pairing: int
    board: int | None
    text: str
    seen: int
    games_played: int | None = None
    reason: str = ""


class Entry(Protocol):
    """An entry of any kind."""

    @property
    def id(self) -> UUID: ...


class Recording(NamedTuple):
    """How the entries of one kind are stored, each by a call with the event, whose row is locked.

    `record` stores an entry and returns it with a note, or raises Conflict or Refused; `stored_at` returns
    what is stored where the entry was to go, and the entry's text as it was read.
    """

    record: Callable[[Event, Any, User], tuple[StoredResult, str]]
    stored_at: Callable[[Event, Any], tuple[StoredResult, str]]


RESULTS = Recording(record, result_at)


@dataclass(frozen=True, slots=True)
class EntryOutcome:
    """The answer to an entry; every field is plain JSON.

    `text` and `version` belong to the stored result, `match` and `match_version` to its match. In a conflict,
    `mine` is the typed result as it was read, and `by` and `at` state who saved the other result and when
    (ISO; blank if not known). `message` is the reason of a refusal, or a note on a saved result. `repeated`
    is true if an entry with this id was processed before.
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
        """Say whether both sides of a conflict typed the same."""
        return self.state == CONFLICT and self.mine == self.text


def notes_of(outcomes: Iterable[EntryOutcome]) -> list[str]:
    """Return what does not follow from the saved entries, each sentence once."""
    return list(dict.fromkeys(each.message for each in outcomes if each.state == SAVED and each.message))


def enter(
    event: Event, entries: Sequence[Entry], by: User, recording: Recording = RESULTS
) -> list[EntryOutcome]:
    """Take in each entry for itself, in its own transaction; one that fails hinders no other.

    Where somebody else keeps the event for too long, the outcome of that entry and all after it is `busy`:
    nothing of them was stored, and they may be sent again under their ids.
    """
    outcomes: list[EntryOutcome] = []
    # A lock for each entry: one that fails must not undo those before it, and others get their turn in
    # between.
    try:
        for entry in entries:
            with in_turn(event) as now:
                outcomes.append(_answer(now, entry, by, recording))
    except Busy as busy:
        waiting = entries[len(outcomes) :]  # not tried one by one: each would wait as long
        outcomes += [EntryOutcome(str(each.id), BUSY, message=str(busy)) for each in waiting]
    return outcomes


def enter_together(event: Event, entries: Sequence[ResultEntry], by: User) -> list[EntryOutcome]:
    """Take in all entries, or none: nothing is stored unless every outcome is `saved`."""
    with in_turn(event) as now:
        outcomes = [_answer(now, entry, by, RESULTS) for entry in entries]
        if any(outcome.state != SAVED for outcome in outcomes):
            transaction.set_rollback(True)
    return outcomes


def _answer(event: Event, entry: Entry, by: User, recording: Recording) -> EntryOutcome:
    """Return the answer the id got before, or what becomes of the entry now."""
    receipt = Receipt.objects.filter(pk=entry.id).first()
    if receipt is None:
        outcome = _outcome(event, entry, by, recording)
        Receipt.objects.create(id=entry.id, event=event, by=by, outcome=asdict(outcome))
        return outcome
    # A client makes the ids, so another event's outcome must not be told to whoever guesses one.
    if receipt.event_id != event.pk:
        return _refused(
            entry, _("This id belongs to an entry of another event. Send the entry under a new one.")
        )
    # A connection that broke after the entry was stored sends it again; it must not become a second entry.
    return replace(EntryOutcome(**receipt.outcome), repeated=True)


def _outcome(event: Event, entry: Entry, by: User, recording: Recording) -> EntryOutcome:
    try:
        with transaction.atomic():
            stored, note = recording.record(event, entry, by)
            return EntryOutcome(str(entry.id), SAVED, *stored, message=note)
    except Conflict as conflict:
        return _conflict(entry, conflict, *recording.stored_at(event, entry))
    except (Refused, ResultError) as refusal:
        return _refused(entry, str(refusal))
    # The triggers refuse what two writers did at once, which no check before could see.
    except IntegrityError as refusal:
        return _refused(entry, _("%(why)s Reload the page.") % {"why": sentence_of(refusal)})


def _conflict(entry: Entry, conflict: Conflict, theirs: StoredResult, mine: str) -> EntryOutcome:
    return EntryOutcome(
        str(entry.id),
        CONFLICT,
        *theirs,
        mine=mine,
        by=conflict.by,
        at=clock_text(conflict.at) if conflict.at else "",
        message=str(conflict),
    )


def _refused(entry: Entry, message: str) -> EntryOutcome:
    return EntryOutcome(str(entry.id), REFUSED, message=message)
