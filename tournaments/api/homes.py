"""The home of an event in the write API: a Crosstable borrows an event and gives it back."""

from typing import Any

from ninja import Router, Schema
from pydantic import Field

from tournaments.accounts.services.tokens import log_use
from tournaments.admin.permissions import may_organise
from tournaments.api.access import Action, ApiRequest, ProblemError, require_action, require_event, responses
from tournaments.models import Event
from tournaments.operations.revision import revision_of
from tournaments.recording.events.home import lend, return_home

router = Router(tags=["home"])
PATH = "/events/{slug:slug}/home"


class HomeData(Schema):
    event: str = Field(description="Slug.")
    home: str = Field(description="The name of the token that borrowed the event. Blank: this site.")
    is_yours: bool = Field(description="Whether this token borrowed it.")
    revision: int = Field(description="Of the event, for `If-Match`.")


class LentEvent(HomeData):
    file: str = Field(description="The event file, with data that public files omit.")


def _event_to_lend(request: ApiRequest, slug: str) -> Event:
    require_action(request, Action.HOME)
    event = require_event(request, slug)
    if not may_organise(request.auth.user, event):
        raise ProblemError(403, "Only the token of an organiser can borrow an event. Ask an organiser.")
    return event


def _home_data(request: ApiRequest, event: Event) -> dict[str, Any]:
    is_yours, revision = event.home == request.auth.name, revision_of(event.pk)
    return {"event": event.slug, "home": event.home, "is_yours": is_yours, "revision": revision}


@router.get(PATH, response=responses(HomeData), summary="Where the event is changed.")
def get_home(request: ApiRequest, slug: str) -> dict[str, Any]:
    return _home_data(request, _event_to_lend(request, slug))


@router.put(PATH, response=responses(LentEvent, 409), summary="Borrow the event.")
def put_home(request: ApiRequest, slug: str) -> dict[str, Any]:
    event = _event_to_lend(request, slug)
    lent, file = lend(event, request.auth.name, request.auth.user)
    log_use(request.auth, f"borrowed {slug}")
    return {**_home_data(request, lent), "file": file}


@router.delete(PATH, response=responses(HomeData, 409), summary="Give the event back.")
def delete_home(request: ApiRequest, slug: str) -> dict[str, Any]:
    event = _event_to_lend(request, slug)
    here = return_home(event, request.auth.name, request.auth.user)
    log_use(request.auth, f"gave {slug} back")
    return _home_data(request, here)
