"""Results of the write API: those of a round, singly and in bulk, as `recording.results` stores them."""

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Annotated, Any
from uuid import UUID

from django.shortcuts import get_object_or_404
from ninja import Router, Schema
from ninja.params.functions import Header, Path
from pydantic import ConfigDict, Field

from tournaments.accounts.services.tokens import log_use
from tournaments.admin.results.sending import HIGHEST_BOARD, LONGEST_REASON, LONGEST_RESULT, parse_result
from tournaments.admin.wire import HIGHEST_VERSION, MAX_ENTRIES, outcome_json, version_text
from tournaments.api.access import Action, ApiRequest, ProblemError, require_action, require_event, responses
from tournaments.event.dates import in_zone
from tournaments.models import Round
from tournaments.recording.refusal import Busy
from tournaments.recording.results.sheets import result_lines
from tournaments.recording.results.submissions import BUSY, CONFLICT, REFUSED, SAVED, enter

router = Router(tags=["results"])
PATH = "/events/{slug:slug}/rounds/{int:number}/results"
Number = Annotated[int, Field(ge=0, le=HIGHEST_VERSION)]
Text = Annotated[str, Field(pattern=r"^[0-9]{1,9}\.", max_length=60)]
Board = Annotated[int, Path(ge=1, le=HIGHEST_BOARD)]
Key = Annotated[UUID, Header(alias="Idempotency-Key")]


class ResultInput(Schema):
    model_config = ConfigDict(extra="forbid")  # a misspelt key would be ignored

    result: str = Field(max_length=LONGEST_RESULT, description="As typed at the desk, such as 1-0 or ½-½.")
    version: Number | Text = Field(
        description="The version that the client read. A number, or text that also names the database."
    )
    reason: str = Field("", max_length=LONGEST_REASON, description="Only for a correction. Public.")


class BulkResult(ResultInput):
    id: UUID = Field(description="Created by the client. The same id again returns the same outcome.")
    table: int = Field(ge=1, le=HIGHEST_BOARD)
    board: int | None = Field(None, ge=1, le=HIGHEST_BOARD, description="Of a match of teams.")


class ResultsInput(Schema):
    results: list[BulkResult] = Field(max_length=MAX_ENTRIES)


class Outcome(Schema):
    id: str
    state: str = Field(description="saved, conflict, refused, or busy (not stored; send it again)")
    result: str = Field(alias="text", description="The stored result.")
    version: str = Field(description="Of the stored result.")
    by: str = Field(description="In a conflict: who saved it. Blank if not known.")
    at: str
    message: str
    repeated: bool


class TableData(Schema):
    table: int = Field(alias="line.pairing.table")
    board: int | None = Field(alias="line.board")
    first: int = Field(alias="line.pairing.first.number", description="The number of the first competitor.")
    second: int | None = Field(None, alias="line.pairing.second.number")
    result: str = Field(alias="line.typed")
    version: str


class RoundData(Schema):
    results: list[TableData]


class OutcomesData(Schema):
    outcomes: list[Outcome]


@router.get(PATH, response=responses(RoundData), summary="The tables of a round.")
def get_results(request: ApiRequest, slug: str, number: int) -> dict[str, Any]:
    round_ = _round_to_record(request, slug, number)
    lines = [] if round_.is_draft else result_lines(round_)
    rows = [SimpleNamespace(line=each, version=version_text(each.version, request.epoch)) for each in lines]
    return {"results": rows}


@router.put(PATH, response=responses(OutcomesData, 400, 413, 415, 422), summary="Enter results.")
def put_results(request: ApiRequest, slug: str, number: int, body: ResultsInput) -> dict[str, Any]:
    """Each result is stored or refused on its own."""
    return {"outcomes": _entered(request, _round_to_record(request, slug, number), body.results)}


@router.put(
    f"{PATH}/{{int:table}}",
    response=responses(Outcome, 400, 409, 413, 415, 422),
    summary="Enter the result of a table.",
)
def put_result(
    request: ApiRequest,
    slug: str,
    number: int,
    table: int,
    body: ResultInput,
    key: Key,
    board: int | None = None,
) -> Any:
    entry = BulkResult.model_construct(id=key, table=table, board=board, **body.model_dump())
    outcome = _entered(request, _round_to_record(request, slug, number), [entry])[0]
    if outcome["state"] == BUSY:
        raise Busy
    if outcome["state"] == CONFLICT:
        stored = {name: outcome[name] for name in ("version", "by", "at")}
        raise ProblemError(409, outcome["message"], result=outcome["text"], **stored)
    if outcome["state"] == REFUSED:
        raise ProblemError(422, outcome["message"])
    return outcome


@router.put(
    f"{PATH}/{{int:table}}/{{int:board}}",
    response=responses(Outcome, 400, 409, 413, 415, 422),
    summary="Enter the result of a board of a match.",
)
def put_board_result(
    request: ApiRequest, slug: str, number: int, table: int, board: Board, body: ResultInput, key: Key
) -> Any:
    return put_result(request, slug, number, table, body, key, board)


def _round_to_record(request: ApiRequest, slug: str, number: int) -> Round:
    require_action(request, Action.RESULTS)
    event = require_event(request, slug)
    return get_object_or_404(Round.objects.select_related("event"), event=event, number=number)


def _entered(request: ApiRequest, round_: Round, entries: Sequence[BulkResult]) -> list[dict[str, Any]]:
    keys, epoch = dict(round_.pairings.values_list("table", "pk")), request.epoch
    # The key 0 is that of no pairing, so that an unknown table is refused and the others are stored.
    rows = [
        {"pairing": keys.get(each.table, 0), "text": each.result, "seen": each.version} for each in entries
    ]
    typed = [parse_result({**dict(each), **row}, epoch) for each, row in zip(entries, rows, strict=True)]
    with in_zone(round_.event.time_zone):
        outcomes = enter(round_.event, typed, request.auth.user)
    if saved := sum(each.state == SAVED and not each.repeated for each in outcomes):
        log_use(request.auth, f"{saved} results of round {round_.number} of {round_.event.slug}")
    text = f"Round {round_.number} has no table %s. Read the tables of the round again."
    return [
        outcome_json(each if entry.table in keys else replace(each, message=text % entry.table), epoch)
        for each, entry in zip(outcomes, entries, strict=True)
    ]
