"""Results of the write API: those of a round, singly and in bulk, as `recording.results` stores them."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any
from uuid import UUID

from django.shortcuts import get_object_or_404
from ninja import Header, Router, Schema
from pydantic import ConfigDict, Field

from tournaments.accounts.services.tokens import log_use
from tournaments.admin.results.sending import HIGHEST_BOARD, LONGEST_REASON, LONGEST_RESULT, printable_result
from tournaments.admin.wire import HIGHEST_VERSION, MAX_ENTRIES, OF_NO_ROW
from tournaments.api.access import Action, ApiRequest, ProblemError, event_to_record, refusals
from tournaments.event.dates import in_zone
from tournaments.models import Event, Round
from tournaments.operations.revision import revision_of
from tournaments.recording.refusal import Busy
from tournaments.recording.results.sheets import result_lines
from tournaments.recording.results.storing import SubmittedResult
from tournaments.recording.results.submissions import (
    BUSY,
    CONFLICT,
    REFUSED,
    SAVED,
    SubmissionOutcome,
    enter,
)

router = Router(tags=["results"])

PATH = "/events/{slug:slug}/rounds/{int:number}/results"
Version = Annotated[
    int, Field(ge=0, le=HIGHEST_VERSION, description="The version that this was made against.")
]
Epoch = Annotated[
    str | None,
    Field(description="The epoch of the versions. After a restore of the site, all results are conflicts."),
]


IdempotencyKey = Annotated[UUID, Header(alias="Idempotency-Key")]


class Strict(Schema):
    """A body that refuses unknown keys, because a misspelt one would be ignored."""

    model_config = ConfigDict(extra="forbid")


class ResultInput(Strict):
    result: str = Field(max_length=LONGEST_RESULT, description="As typed at the desk: 1-0, ½-½, + - …")
    version: Version
    reason: str = Field("", max_length=LONGEST_REASON, description="Only for a correction. Public.")
    epoch: Epoch = None


class BulkResult(Strict):
    id: UUID = Field(description="Created by the client. The same id again returns the same outcome.")
    table: int = Field(ge=1, le=HIGHEST_BOARD)
    board: int | None = Field(None, ge=1, le=HIGHEST_BOARD, description="Of a match of teams.")
    result: str = Field(max_length=LONGEST_RESULT)
    version: Version
    reason: str = Field("", max_length=LONGEST_REASON)


class ResultsInput(Strict):
    results: list[BulkResult] = Field(max_length=MAX_ENTRIES)
    epoch: Epoch = None


class Outcome(Schema):
    id: str
    state: str = Field(description="saved, conflict, refused, or busy (not stored; send it again)")
    result: str = Field(description="The stored result.")
    version: int = Field(description="Of the stored result.")
    by: str = Field(description="In a conflict: who saved it. Blank if not known.")
    at: str = Field(description="In a conflict: when.")
    message: str
    repeated: bool


class Outcomes(Schema):
    outcomes: list[Outcome]


class TableData(Schema):
    table: int
    board: int | None
    first: int = Field(description="The number of the first competitor.")
    second: int | None
    result: str
    version: int


class RoundResults(Schema):
    event: str
    round: int
    revision: int
    epoch: str
    results: list[TableData]


@router.get(PATH, response={200: RoundResults, **refusals()}, summary="The tables of a round.")
def get_results(request: ApiRequest, slug: str, number: int) -> dict[str, Any]:
    event, round_ = _round_to_record(request, slug, number)
    revision = revision_of(event.pk)
    return {
        "event": event.slug,
        "round": number,
        "revision": revision,
        "epoch": request.epoch,
        "results": [
            {
                "table": line.pairing.table,
                "board": line.board,
                "first": line.pairing.first.number,
                "second": line.pairing.second and line.pairing.second.number,
                "result": line.typed,
                "version": line.version,
            }
            for line in ([] if round_.is_draft else result_lines(round_))
        ],
    }


@router.put(
    PATH,
    response={200: Outcomes, **refusals(400, 413, 415, 422)},
    summary="Enter results of a round. Each is stored or refused on its own.",
)
def put_results(request: ApiRequest, slug: str, number: int, body: ResultsInput) -> dict[str, Any]:
    event, round_ = _round_to_record(request, slug, number)
    return {"outcomes": _entered(request, event, round_, body.results, body.epoch)}


def put_result(
    request: ApiRequest, slug: str, number: int, table: int, body: ResultInput, key: IdempotencyKey
) -> dict[str, Any]:
    return _single(request, slug, number, (table, None), body, key)


def put_board_result(
    request: ApiRequest,
    slug: str,
    number: int,
    table: int,
    board: int,
    body: ResultInput,
    key: IdempotencyKey,
) -> dict[str, Any]:
    return _single(request, slug, number, (table, board), body, key)


for _path, _view, _summary in (
    (f"{PATH}/{{int:table}}", put_result, "Enter the result of a table."),
    (f"{PATH}/{{int:table}}/{{int:board}}", put_board_result, "Enter the result of a board of a match."),
):
    _responses = {200: Outcome, **refusals(400, 409, 413, 415, 422)}
    router.put(_path, response=_responses, summary=_summary)(_view)


def _round_to_record(request: ApiRequest, slug: str, number: int) -> tuple[Event, Round]:
    event = event_to_record(request, slug, Action.RESULTS)
    return event, get_object_or_404(Round.objects.select_related("event"), event=event, number=number)


def _single(
    request: ApiRequest,
    slug: str,
    number: int,
    place: tuple[int, int | None],
    body: ResultInput,
    key: UUID,
) -> dict[str, Any]:
    event, round_ = _round_to_record(request, slug, number)
    table, board = place
    values = body.model_dump(exclude={"epoch"})
    entry = BulkResult.model_construct(id=key, table=table, board=board, **values)
    outcome = _entered(request, event, round_, [entry], body.epoch)[0]
    stored = {name: outcome[name] for name in ("result", "version", "by", "at")}
    if outcome["state"] == BUSY:
        raise Busy
    if outcome["state"] == CONFLICT:
        raise ProblemError(409, outcome["message"], **stored)
    if outcome["state"] == REFUSED:
        raise ProblemError(422, outcome["message"])
    return outcome


def _entered(
    request: ApiRequest, event: Event, round_: Round, entries: Sequence[BulkResult], epoch: str | None
) -> list[dict[str, Any]]:
    """Store the results, and return the outcome of each in the same order."""
    keys = dict(round_.pairings.values_list("table", "pk"))
    is_old = epoch is not None and epoch != request.epoch
    submissions = [
        SubmittedResult(
            each.id,
            keys[each.table],
            each.board,
            printable_result(each.result),
            OF_NO_ROW if is_old else each.version,
            reason=each.reason,
        )
        for each in entries
        if each.table in keys
    ]
    with in_zone(event.time_zone):
        stored = iter(enter(event, submissions, request.auth.user))
    outcomes = [next(stored) if each.table in keys else _no_table(each, round_) for each in entries]
    if saved := sum(each.state == SAVED and not each.repeated for each in outcomes):
        log_use(request.auth, f"{saved} results of round {round_.number} of {event.slug}")
    return [{**asdict(each), "result": each.text} for each in outcomes]


def _no_table(entry: BulkResult, round_: Round) -> SubmissionOutcome:
    text = f"Round {round_.number} has no table {entry.table}. Read the tables of the round."
    return SubmissionOutcome(str(entry.id), REFUSED, message=text)
