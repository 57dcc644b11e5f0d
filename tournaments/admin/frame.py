"""Helpers of all desk views: the page template, the user, and errors of the services."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic, sleep
from typing import Any, cast

from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import Promise

from config.mailing import mail_backend
from tournaments.admin.steps import steps_of
from tournaments.event.choices import is_settled
from tournaments.models import Event, Job, Round
from tournaments.operations import jobs
from tournaments.recording.refusal import Conflict, Refused

REFRESH_SECONDS = 3
"""Seconds after which the page of an open job reloads."""

CHECK_SECONDS = 0.05


def page(
    request: HttpRequest,
    event: Event | None,
    name: str,
    title: str,
    purpose: str | Promise,
    **context: Any,
) -> HttpResponse:
    """Render the desk template `name`, about an event if there is one.

    A page that answers a POST, such as a preview, stays in the browser's history (config/desk.py).
    """
    about = {"event": event, "title": title, "purpose": purpose, **context}
    answer = render(request, f"admin/{name}.html", {**admin.site.each_context(request), **about})
    # A preview is expensive to compute again.
    answer.is_for_the_way_back = request.method == "POST"  # type: ignore[attr-defined]  # read in config/desk.py
    return answer


def of_round(round_: Round, **context: Any) -> dict[str, Any]:
    """Return the context of a view about a round. `public` is the URL of its public page, if any."""
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


def add_redirect_message(request: HttpRequest, text: str) -> None:
    """Add the reason of a redirect: an error if a form was not saved, so that its typed input is kept."""
    messages.add_message(request, messages.ERROR if request.method == "POST" else messages.INFO, text)


def reload_soon(request: HttpRequest, response: HttpResponse) -> None:
    # After a form the address has a fragment, to which browsers scroll instead of loading the page again.
    response["Refresh"] = f"{REFRESH_SECONDS}; url={request.get_full_path()}"


def job_page(
    request: HttpRequest, event: Event | None, name: str, title: str, purpose: str, job: Job, **context: Any
) -> HttpResponse:
    """Render the progress of a job. If it is open, respond 202, and the page reloads."""
    ahead = jobs.ahead_of(job) if job.state == Job.State.WAITING else 0
    context |= {"job": job, "ahead": ahead, "is_stuck": jobs.is_stuck(job)}
    response = page(request, event, name, title, purpose, **context)
    if job.is_open:
        response.status_code = 202
        response["Retry-After"] = str(REFRESH_SECONDS)
        reload_soon(request, response)
    return response


def wait_for_job(job: Job, seconds: float = 2.0) -> None:
    end = monotonic() + seconds
    while monotonic() < end and Job.objects.filter(pk=job.pk, state__in=jobs.OPEN).exists():
        sleep(CHECK_SECONDS)


def who(request: HttpRequest) -> User:
    """Return the user. The desk requires a login, so it is never anonymous."""
    return cast("User", request.user)


def sends_mail() -> bool:
    return not mail_backend().endswith("dummy.EmailBackend")


def refusal_of(act: Callable[[], object]) -> str:
    """Call `act` and return its error message, or an empty string."""
    try:
        act()
    except (Refused, Conflict) as fault:
        return str(fault)
    return ""


@contextmanager
def refusal_in(form: BaseForm) -> Iterator[None]:
    """Add the message of a refusal to the form, and leave the `with` block."""
    try:
        yield
    except Refused as fault:
        form.add_error(None, str(fault))
