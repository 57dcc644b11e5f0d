"""The results screen without its script: a form with all lines, each of which is saved independently."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID, uuid4

from django.contrib.auth.models import User

from tournaments.admin.results.sending import printable_result
from tournaments.admin.results.sheet import BoardRow, SentForLine
from tournaments.admin.wire import HIGHEST_VERSION
from tournaments.event.numbers import whole_number
from tournaments.models import Event
from tournaments.recording.results.storing import SubmittedResult
from tournaments.recording.results.submissions import (
    CONFLICT,
    SAVED,
    SubmissionOutcome,
    distinct_notes,
    enter,
)

THEIRS, MINE = "theirs", "mine"
TAKE, TAKE_ALL, AGREED = "take-", "take-all", "agreed-"
"""Prefixes of field names: a result sent by a player, the button that takes all, their results."""


@dataclass(frozen=True, slots=True)
class ResultField:
    """A line of the form.

    `text`: content of the field. `sent_back`: hidden value with the version seen, the id of the entry and the
    result shown. `outcome`: why the line was not saved. `came`: results that players sent.
    """

    row: BoardRow
    text: str
    sent_back: str
    outcome: SubmissionOutcome | None = None
    came: SentForLine | None = None

    @property
    def is_conflict(self) -> bool:
        return self.outcome is not None and self.outcome.state == CONFLICT

    @property
    def state(self) -> str:
        if self.outcome is None or self.outcome.state == SAVED:
            return ""
        return "conflict" if self.is_conflict else "failed"


@dataclass(frozen=True, slots=True)
class FormOutcome:
    """The result of a posted form: number of saved lines, and the outcomes of the others by key of the line.

    `notes`: consequences of the saved results that are not applied automatically.
    """

    saved: int
    others: Mapping[str, tuple[SubmittedResult, SubmissionOutcome]]
    notes: Sequence[str] = ()


def save_changed_lines(
    event: Event, rows: Sequence[BoardRow], posted: Mapping[str, str], by: User
) -> FormOutcome:
    typed = dict(changed_entries(rows, posted))
    outcomes = enter(event, [*typed.values()], by)
    outcome_of = {
        key: (entry, outcome) for (key, entry), outcome in zip(typed.items(), outcomes, strict=True)
    }
    # If two users typed the same result, the second one is not a conflict.
    open_ = {key: pair for key, pair in outcome_of.items() if pair[1].state != SAVED and not pair[1].agrees}
    return FormOutcome(len(outcome_of) - len(open_), open_, distinct_notes(outcomes))


def changed_entries(
    rows: Sequence[BoardRow], posted: Mapping[str, str]
) -> Iterator[tuple[str, SubmittedResult]]:
    for row in rows:
        version, key, shown_text = _parse_hidden(posted.get(f"line-{row.key}", ""))
        # The button posts the result itself, so that a later correction by a player is not taken unseen.
        taken = posted.get(f"{TAKE}{row.key}")
        if not taken and TAKE_ALL in posted:
            taken = posted.get(f"{AGREED}{row.key}")
        text = printable_result(taken or posted.get(f"text-{row.key}", ""))
        delayed = posted.get(f"delay-{row.key}")
        if text == shown_text and delayed is not None and row.line.is_open:
            text = printable_result(delayed)
        choice = posted.get(f"choose-{row.key}", "")
        # A line with the result that was shown is no entry, even if the stored result has changed since.
        if key is None or text == shown_text or choice == THEIRS:
            continue
        if choice == MINE:
            version = whole_number(posted.get(f"stored-{row.key}", ""), HIGHEST_VERSION) or 0
        entry = SubmittedResult(
            key, row.line.pairing.pk, row.line.board, text, version, reason=posted.get("reason", "").strip()
        )
        yield row.key, entry


def fields_of(
    rows: Sequence[BoardRow],
    answers: FormOutcome | None = None,
    came: Mapping[str, SentForLine] | None = None,
) -> list[ResultField]:
    others = answers.others if answers else {}
    fields = []
    for row in rows:
        typed, outcome = others.get(row.key, (None, None))
        text, seen = row.line.typed, row.line.version
        if typed and outcome:
            text = typed.text
            # A conflict keeps the old version, so that it is a conflict again unless the user chooses.
            seen = typed.seen if outcome.state == CONFLICT else seen
        # The id is generated with the form, so that a form that is posted twice stores a single entry.
        hidden = f"{seen} {uuid4()} {row.line.typed}"
        fields.append(ResultField(row, text, hidden, outcome, (came or {}).get(row.key)))
    return fields


def _parse_hidden(value: str) -> tuple[int, UUID | None, str]:
    """Return version, id and result of a posted line. The id is None if the value is malformed."""
    version, key, shown = (*value.split(" ", 2), "", "", "")[:3]
    try:
        return whole_number(version, HIGHEST_VERSION) or 0, UUID(key), shown.strip()
    except ValueError:
        return 0, None, ""
