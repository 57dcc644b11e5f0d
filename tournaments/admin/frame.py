"""What every screen of the desk has in common: its page, who asks, and why something was refused."""

from collections.abc import Callable
from typing import Any, cast

from django.contrib import admin
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import Promise

from config.mailing import mail_backend
from tournaments.admin.steps import steps_of
from tournaments.event.choices import is_settled
from tournaments.models import Event, Round
from tournaments.recording.refusal import Conflict, Refused


def page(
    request: HttpRequest,
    event: Event | None,
    name: str,
    title: str,
    purpose: str | Promise,
    **context: Any,
) -> HttpResponse:
    """Show a screen, of an event if it is about one, by the name of its template.

    One that answers a form, such as a preview, is kept by the browser for its way back: see config/desk.py.
    """
    about = {"event": event, "title": title, "purpose": purpose, **context}
    answer = render(request, f"admin/{name}.html", {**admin.site.each_context(request), **about})
    # The page has a preview in it, which costs a trial to compute again.
    answer.is_for_the_way_back = request.method == "POST"  # type: ignore[attr-defined]  # ours
    return answer


def of_round(round_: Round, **context: Any) -> dict[str, Any]:
    """Return what a screen of one round needs besides `context`; `public` is its public page, if any."""
    event = round_.event
    first_side, second_side = ("first team", "second team") if event.is_team else ("White", "Black")
    has_page = event.is_public and not round_.is_draft
    public = reverse("round", args=[event.slug, round_.number]) if has_page else ""
    return {
        "round": round_,
        "steps": steps_of(event, round_.number),
        "is_settled": is_settled(event.state, round_.state),
        "public": public,
        "first_side": first_side,
        "second_side": second_side,
        **context,
    }


def who(request: HttpRequest) -> User:
    """Return the account that asks; the desk is behind the login."""
    return cast("User", request.user)


def sends_mail() -> bool:
    """Say whether the site has been told how to send mail."""
    return not mail_backend().endswith("dummy.EmailBackend")


def refusal_of(act: Callable[[], object]) -> str:
    """Call `act` and return its error message, or an empty string."""
    try:
        act()
    except (Refused, Conflict) as fault:
        return str(fault)
    return ""
