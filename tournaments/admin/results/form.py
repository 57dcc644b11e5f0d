"""The screen as a plain form: every line in one post, and each with an outcome of its own."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID, uuid4

from django.contrib.auth.models import User

from tournaments.admin.results.fromplayers import SentBeside
from tournaments.admin.results.sheet import BoardRow
from tournaments.admin.results.wire import result_typed
from tournaments.admin.wire import HIGHEST_VERSION
from tournaments.event.numbers import whole_number
from tournaments.models import Event
from tournaments.recording.entries import CONFLICT, SAVED, EntryOutcome, ResultEntry, enter, notes_of

THEIRS, MINE = "theirs", "mine"
TAKE, TAKE_ALL, AGREED = "take-", "take-all", "agreed-"
"""Names in the form: a result that a player sent, the button that takes all, and those that it takes."""


@dataclass(frozen=True, slots=True)
class ResultField:
    """A line as the form prints it.

    `text` stands in its field; `sent_back` comes back with it: the version seen, the id of an entry made from
    it, and the result that was shown. A conflict shows `outcome` and asks to choose. `came` is what players
    sent for it.
    """

    row: BoardRow
    text: str
    sent_back: str
    outcome: EntryOutcome | None = None
    came: SentBeside | None = None

    @property
    def is_conflict(self) -> bool:
        """Say whether somebody else's result stands against the typed one."""
        return self.outcome is not None and self.outcome.state == CONFLICT

    @property
    def state(self) -> str:
        """Return the state of the line: `conflict`, `failed`, or blank."""
        if self.outcome is None or self.outcome.state == SAVED:
            return ""
        return "conflict" if self.is_conflict else "failed"


@dataclass(frozen=True, slots=True)
class FormEntry:
    """An entry of the form, and the line it came from."""

    key: str
    entry: ResultEntry


@dataclass(frozen=True, slots=True)
class FormOutcome:
    """The answer to a form: how many lines were saved, and the outcome of each other line by its key.

    `notes` are what does not follow from the saved ones.
    """

    saved: int
    others: Mapping[str, tuple[FormEntry, EntryOutcome]]
    notes: Sequence[str] = ()


def take_in(event: Event, rows: Sequence[BoardRow], posted: Mapping[str, str], by: User) -> FormOutcome:
    """Enter every line that was changed, each for itself."""
    typed = list(typed_in(rows, posted))
    outcomes = enter(event, [each.entry for each in typed], by)
    answered = {each.key: (each, outcome) for each, outcome in zip(typed, outcomes, strict=True)}
    # Two who typed the same agree: the second is told that it is saved, not that there is a conflict.
    open_ = {key: pair for key, pair in answered.items() if pair[1].state != SAVED and not pair[1].agrees}
    return FormOutcome(len(answered) - len(open_), open_, notes_of(outcomes))


def typed_in(rows: Sequence[BoardRow], posted: Mapping[str, str]) -> Iterator[FormEntry]:
    """Yield the entries of a posted form: a line is one where it no longer says what was shown."""
    for row in rows:
        version, key, shown = _apart(posted.get(f"line-{row.key}", ""))
        text = result_typed(_text_of(row.key, posted))
        choice = posted.get(f"choose-{row.key}", "")
        # What says the same as was shown is no entry, even where the stored result has changed since.
        if key is None or text == shown or choice == THEIRS:
            continue
        if choice == MINE:
            version = whole_number(posted.get(f"stored-{row.key}", ""), HIGHEST_VERSION) or 0
        entry = ResultEntry(
            key, row.line.pairing.pk, row.line.board, text, version, reason=posted.get("reason", "").strip()
        )
        yield FormEntry(row.key, entry)


def _text_of(key: str, posted: Mapping[str, str]) -> str:
    """Return what a line is to say: what is taken of the players' results, or else what was typed."""
    # The result itself comes with the button: what a player corrects meanwhile is not taken unseen.
    taken = posted.get(f"{TAKE}{key}") or (posted.get(f"{AGREED}{key}") if TAKE_ALL in posted else "")
    return taken or posted.get(f"text-{key}", "")


def fields_of(
    rows: Sequence[BoardRow], answers: FormOutcome | None = None, came: Mapping[str, SentBeside] | None = None
) -> list[ResultField]:
    """Return the lines of the form: as stored, or as typed with what became of it."""
    others = answers.others if answers else {}
    fields = []
    for row in rows:
        typed, outcome = others.get(row.key, (None, None))
        fields.append(_field(row, typed, outcome, (came or {}).get(row.key)))
    return fields


def _field(
    row: BoardRow, typed: FormEntry | None, outcome: EntryOutcome | None, came: SentBeside | None
) -> ResultField:
    if typed is None or outcome is None:
        return ResultField(row, row.line.typed, _hidden_text(row.line.version, row.line.typed), came=came)
    # Of a conflict the old version is told again: unless a choice is made, it is a conflict again.
    seen = typed.entry.seen if outcome.state == CONFLICT else row.line.version
    return ResultField(row, typed.entry.text, _hidden_text(seen, row.line.typed), outcome, came)


def _hidden_text(version: int, shown: str) -> str:
    # The id is made with the form, so a form that is sent twice is one entry.
    return f"{version} {uuid4()} {shown}"


def _apart(sent: str) -> tuple[int, UUID | None, str]:
    """Return version, id and result of a line as posted; no id where that is nothing of ours."""
    version, key, shown = (*sent.split(" ", 2), "", "", "")[:3]
    try:
        return whole_number(version, HIGHEST_VERSION) or 0, UUID(key), shown.strip()
    except ValueError:
        return 0, None, ""
