"""Changes of an import that need a reason: published results, frozen rules, overridden objections."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf

from tournaments.event.choices import RoundState, is_settled, later_rounds_depend
from tournaments.event.document import Document, EventEntry, GameEntry, RoundEntry
from tournaments.event.finding import Finding, Place, error
from tournaments.event.rules import Rules, first_rules, overrides_explain_rules
from tournaments.interchange.imports.differences import PairingChange, RowChange
from tournaments.interchange.imports.import_diff import ImportDiff, round_taken_back
from tournaments.models import Change, Event
from tournaments.recording.corrections import (
    log_text_of_pairing,
    log_text_of_result,
    moved_between,
    paired_before_text,
)
from tournaments.recording.events.rules import needs_record
from tournaments.recording.refusal import prose

LONGEST = 200  # of the text of a result in the log


@dataclass(frozen=True, slots=True)
class CorrectedResult:
    """A published result that an import changes, with the texts before and after of the public log.

    `published` and `drafts`: numbers of the rounds that were paired from the old result.
    """

    round: int
    table: int
    was: str
    now: str
    published: tuple[int, ...]
    drafts: tuple[int, ...]


def corrections_of(diff: ImportDiff) -> list[CorrectedResult]:
    """Return the published results that would change, by round and table. Empty for a draft event.

    Changes that the file's own records contain are left out.
    """
    if diff.stored is None or diff.stored.document.event.state == Event.State.DRAFT:
        return []
    before, found = diff.stored.document, diff.differences
    # An event file contains the log of its source site; these changes are not logged twice.
    recorded = {(row.new.round, row.new.table) for row in found.changes if row.new and not row.old}
    rewinds = (row.new for row in found.overrides if row.new and not row.old)
    rewound = min((each.round for each in rewinds if each.kind == "rewind" and each.round), default=inf)
    rounds = (each for each in before.rounds if each.number < rewound)
    settled = {each.number for each in rounds if _is_settled(before, each)}
    paired = _rounds_that_stay_paired(diff)
    rows = (each for each in found.pairings if each.round in settled and each.row.old)
    corrected = (each for row in rows for each in _corrected_results(found.event.either, row, paired))
    return sorted(
        (each for each in corrected if (each.round, each.table) not in recorded),
        key=lambda each: (each.round, each.table),
    )


def _rounds_that_stay_paired(diff: ImportDiff) -> list[RoundEntry]:
    if diff.stored is None or diff.stored.document.event.is_round_robin:
        return []
    gone = Counter(
        each.round
        for each in diff.differences.pairings
        if each.row.old and each.row.old.second and (each.is_relocated or each.row.new is None)
    )
    rounds = diff.stored.document.rounds
    return [
        each for each in rounds if sum(bool(pairing.second) for pairing in each.pairings) > gone[each.number]
    ]


def paired_from_old(corrected: Sequence[CorrectedResult]) -> str:
    """Return sentences about rounds that were paired from results that an import corrects."""
    published = sorted({number for each in corrected for number in each.published})
    drafts = sorted({number for each in corrected for number in each.drafts})
    return paired_before_text(published, drafts, stood=True)


def _is_settled(document: Document, round_: RoundEntry) -> bool:
    later = (each.kind for number, each in document.pairings() if number > round_.number and each.second)
    event = document.event
    return is_settled(event.state, round_.state) or later_rounds_depend(
        later, is_round_robin=event.is_round_robin
    )


def _corrected_results(
    event: EventEntry, row: PairingChange, paired: Sequence[RoundEntry]
) -> Iterator[CorrectedResult]:
    old, new = row.row.old, row.row.new
    if old is None or old.kind == "pending":
        return
    boards = [each for each in row.games if _board_text(event, each.old) != _board_text(event, each.new)]
    was, now = log_text_of_pairing(event, old), log_text_of_pairing(event, new) if new else "…"
    if was != now or boards:
        was = _with_boards(event, was, boards, is_old=True)
        now = _with_boards(event, now, boards, is_old=False)
        later = [each for each in paired if each.number > row.round]
        published = tuple(each.number for each in later if each.state != RoundState.DRAFT)
        drafts = tuple(each.number for each in later if each.state == RoundState.DRAFT)
        yield CorrectedResult(row.round, old.table, was, now, published, drafts)


def _board_text(event: EventEntry, game: GameEntry | None) -> str:
    return log_text_of_result(event, game) if game else ""


def _with_boards(event: EventEntry, total: str, boards: list[RowChange[GameEntry]], *, is_old: bool) -> str:
    results = ((each.either.board, each.old if is_old else each.new) for each in boards)
    listed = ", ".join(f"board {board}: {log_text_of_result(event, game)}" for board, game in results if game)
    text = f"{total} ({listed})" if listed else total
    return text if len(text) <= LONGEST else total[:LONGEST]


def old_rules(diff: ImportDiff) -> Rules | None:
    """Return the current rules if an import changes them and must store an override. Otherwise None.

    None if the event is new, if its rules are free, or if the overrides of the file contain the change.
    """
    if diff.stored is None:
        return None
    before, after = diff.stored.document, diff.document
    was, now = Rules.of(before.event), Rules.of(after.event)
    if overrides_explain_rules(now, first_rules(was, before.overrides), after.overrides):
        return None
    return was if needs_record(diff.stored.event, was, now) else None


def lacks_reason(
    diff: ImportDiff, corrected: list[CorrectedResult], was: Rules | None, reason: str
) -> Finding | None:
    """Return the finding that forbids corrections and changes of the rules without a reason.

    A round that the log refers to must remain, even with a reason.
    """
    # The log entry would refer to a round without a page.
    if gone := {each.round for each in corrected} - {each.number for each in diff.document.rounds}:
        return round_taken_back(min(gone))
    if prose(reason):
        return None
    if was:
        names = was.differing(Rules.of(diff.document.event))
        changed = ", ".join(name.replace("_", " ") for name in names)
        text = (
            f"The event has or had results, and the file changes its rules: {changed}. Give a reason; the "
            "public sees the change and the reason."
        )
        return error("reason-needed", Place("event"), text)
    if not corrected:
        return None
    first, others = corrected[0], len(corrected) - 1
    more = f", and {others} more" if others else ""
    text = (
        f"A published result would change{more}: {first.was} → {first.now}. Give a reason; it appears in "
        "the public log."
    )
    return error("reason-needed", Place("", first.round, first.table), text)


def reason_to_accept(code: str, answers: Mapping[str, str]) -> str:
    """Return the reason to accept the objections with a code: that of `accept-CODE`, or of all (`accept`)."""
    return prose(answers.get(f"accept-{code}", "")) or prose(answers.get("accept", ""))


def lacks_acceptance(objections: Sequence[Finding], answers: Mapping[str, str]) -> Finding | None:
    """Return the finding that forbids an import with objections and no reason to accept them."""
    unanswered = sum(not reason_to_accept(each.code, answers) for each in objections)
    if not unanswered:
        return None
    text = (
        f"Errors in this file: {unanswered}. Correct the file, or give a reason to import it anyway. "
        "The reason is stored with the imports of the event."
    )
    return error("acceptance-needed", Place(), text)


def moved_by_import(
    diff: ImportDiff, before: dict[int, int | None], after: dict[int, int | None]
) -> list[list[int | None]]:
    # The import may have assigned other numbers, so old places are looked up by the new numbers.
    renumbered = {
        row.old.number: row.new.number for row in diff.differences.competitors if row.old and row.new
    }
    was = {renumbered.get(number, number): place for number, place in before.items()}
    return moved_between(was, after)


def log_corrections(
    event: Event, corrected: list[CorrectedResult], moved: list[list[int | None]], by: str, reason: str
) -> None:
    """Log each corrected result. The last log entry has the place changes of all."""
    last = len(corrected) - 1
    Change.objects.bulk_create(
        Change(
            event=event,
            round=each.round,
            table=each.table,
            was=each.was,
            now=each.now,
            reason=reason,
            by=by,
            # All corrections of a file happen at once, so place changes cannot be assigned to one of them.
            moved=moved if at == last else [],
            paired=list(each.published),
        )
        for at, each in enumerate(corrected)
    )
