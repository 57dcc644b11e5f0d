"""Middleware for the desk only, so that it costs nothing on public pages."""

import re
from collections.abc import Callable, Iterable

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.encoding import iri_to_uri
from django.utils.html import format_html_join
from django_otp.middleware import OTPMiddleware
from simple_history.middleware import HistoryRequestMiddleware

from tournaments.accounts.services.login_delays import finish_attempt
from tournaments.accounts.services.sessions import update_last_seen
from tournaments.operations.epoch import epoch_now
from tournaments.operations.restore_guard import checked_epoch

Answer = Callable[[HttpRequest], HttpResponse]

FIELD = "epoch"
TYPED = "typed"
TYPED_ID = re.compile(r"[\w-]{1,40}", re.ASCII)
TOKEN = re.compile(rb'<input type="hidden" name="csrfmiddlewaretoken" value="[^"]*">')
"""The CSRF field, which every form with method POST contains, those of Django's admin too."""


def epoch_layer(get_response: Answer) -> Answer:
    """Reject forms that were opened before a backup was restored.

    A restore resets versions and primary keys to those of the backup, so an old form could change a different
    row. Every form contains the epoch in which it was rendered; a form of another epoch gets a 409. Results
    that wait in the browser carry the epoch with the row version (`admin.wire`). One query.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        # Read before the view reads any rows: a form must not carry a newer epoch than its data.
        epoch = checked_epoch(epoch_now(), {})
        if request.method == "POST" and request.user.is_authenticated:
            posted_epochs = {*request.POST.getlist(FIELD)}
            if posted_epochs - {epoch} and not request.path_info.endswith("/logout/"):
                return render(request, "admin/restored.html", status=409)
        return _add_to_forms(get_response(request), FIELD, [epoch])

    return middleware


def typed_input_layer(get_response: Answer) -> Answer:
    """Return the ids of a form's typed input, so that the browser forgets what was saved (static/js/typed).

    A redirect means that the form was accepted, and has the ids in its fragment. Other pages have them in
    their forms, so that they reach the redirect after a preview or a correction.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.method != "POST":
            return response
        ids = [each for each in request.POST.getlist(TYPED) if TYPED_ID.fullmatch(each)]
        if response.status_code != 302:
            return _add_to_forms(response, TYPED, ids)
        if ids and admin.site.has_permission(request):
            separator = "&" if "#" in response["Location"] else "#"
            response["Location"] += f"{separator}saved={','.join(ids)}"
        return response

    return middleware


def _add_to_forms(response: HttpResponse, name: str, values: Iterable[str]) -> HttpResponse:
    fields = format_html_join(
        "", '<input type="hidden" name="{}" value="{}">', ((name, each) for each in values)
    )
    if fields and not response.streaming and response.get("Content-Type", "").startswith("text/html"):
        response.content = TOKEN.sub(lambda token: token[0] + fields.encode(), response.content)
    return response


DESK = "/admin/"
"""Prefix of all URLs of the desk."""
SCREENS_OF_ACTIONS = {"event-rounds", "results"}  # they stay open after each action


def back_layer(get_response: Answer) -> Answer:
    """After a save in a form that was opened with `?back=`, return to that screen of the desk."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response, back = get_response(request), request.GET.get("back", "")
        if request.method != "POST" or response.status_code != 302 or not back.startswith(DESK):
            return response
        screen = getattr(request.resolver_match, "url_name", "")
        stays = screen in SCREENS_OF_ACTIONS or {"_continue", "_addanother"} & request.POST.keys()
        # Without permission, the redirect leads to the login and then to the form again.
        if not stays and admin.site.has_permission(request):
            response["Location"] = iri_to_uri(back)
        return response

    return middleware


LAYERS: tuple[Callable[[Answer], Answer], ...] = (
    HistoryRequestMiddleware,  # records the user in the history of saved rows
    OTPMiddleware,  # sets whether the user is verified by a second factor
    typed_input_layer,  # returns which typed input was saved
    epoch_layer,  # refuses forms that were rendered before a restore
    back_layer,  # returns to the screen that the user came from
)
"""Outermost first."""


def middleware(answer: Answer) -> Answer:
    """Apply the middleware above to requests of the desk."""
    at_the_desk = answer
    for layer in reversed(LAYERS):
        at_the_desk = layer(at_the_desk)

    def either(request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith(DESK):
            return answer(request)
        response = at_the_desk(request)
        if getattr(response, "is_for_the_way_back", False):
            # Django's admin sends no-store. Then going back to a preview would show the browser's request to
            # send the form again.
            response["Cache-Control"] = "private, no-cache"
        update_last_seen(request.session)
        return finish_attempt(request, response)

    return either
