"""A ruling is shown before it is made: what it would move, and then a second click."""

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from django.http import HttpRequest, QueryDict

from tournaments.models import Event
from tournaments.recording.refusal import Conflict, Refused
from tournaments.recording.trials import Moved, moved_by

UNASKED = ("csrfmiddlewaretoken", "confirmed", "added", "seen")
"""Fields that make no other question."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a posted act came to: `done`, or a question with the places it would move, or why not.

    `made` is what the act gave back, also where it was only tried. `token` names the question.
    """

    done: bool = False
    token: str = ""
    moved: list[Moved] = field(default_factory=list)
    made: Any = None
    fault: str = ""
    is_conflict: bool = False


def ask_or_do(request: HttpRequest, event: Event, act: Callable[[], Any], *, ask: bool = True) -> Answer:
    """Do it where exactly this was confirmed, or needs no asking; otherwise say what it would do."""
    token = token_of(request.POST)
    try:
        if not ask or request.POST.get("confirmed") == token:
            return Answer(done=True, made=act())
        made: list[Any] = []
        moved = moved_by(event, lambda: made.append(act()))
    except (Refused, Conflict) as fault:
        return Answer(fault=str(fault), is_conflict=isinstance(fault, Conflict))
    return Answer(token=token, moved=moved, made=made[0])


def token_of(posted: QueryDict) -> str:
    """A name for what was filled in: another list or another reason is another question."""
    filled = sorted((name, values) for name, values in posted.lists() if name not in UNASKED)
    return sha256(repr(filled).encode()).hexdigest()[:16]
