"""Form for readers to report an error on an event's page, without an account or a cookie.

No cookie has any effect here, so the form has no CSRF token (ADR 0024). A signed time in the form, a hidden
field and limits keep robots out.
"""

import re
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.conf import settings
from django.core.signing import BadSignature, SignatureExpired, TimestampSigner
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from config.trace.addresses import client_address, prefix_of
from standings.caching.cached_pages import head_of
from standings.pages.frame import event_response
from tournaments.event.numbers import whole_number
from tournaments.models import Event
from tournaments.models.errorreport import LONGEST_ADDRESS, LONGEST_PAGE, LONGEST_REPORT
from tournaments.operations.revision import present
from tournaments.recording.events.error_reports import report_error
from tournaments.recording.refusal import Refused
from tournaments.recording.results.from_players import TooMany

SOONEST, LATEST = 2, 24 * 60 * 60
"""Minimum and maximum seconds between opening and sending the form."""

SIGNER = TimestampSigner(salt="standings.errorreport")


class ErrorReportForm(forms.Form):
    """A report with the page, its revision, and an address for the answer."""

    text = forms.CharField(
        label=gettext_lazy("What is wrong?"),
        max_length=LONGEST_REPORT,
        widget=forms.Textarea({"rows": 6}),
        help_text=gettext_lazy("For example: the result of table 4 is the other way round."),
    )
    address = forms.EmailField(
        label=gettext_lazy("Your mail address, if you want an answer"),
        max_length=LONGEST_ADDRESS,
        required=False,
        widget=forms.EmailInput({"autocomplete": "email"}),
        help_text=gettext_lazy("Only the officials of this event see it. It is deleted afterwards."),
    )
    website = forms.CharField(required=False)
    """Hidden from people; robots fill it in because of its name."""

    page = forms.CharField(required=False, max_length=LONGEST_PAGE, widget=forms.HiddenInput)
    revision = forms.CharField(required=False, max_length=20, widget=forms.HiddenInput)
    opened = forms.CharField(required=False, max_length=200, widget=forms.HiddenInput)


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def error_report(request: HttpRequest, slug: str) -> HttpResponse:
    # The desk corrects errors in a preview directly, and an archive has no form.
    if hasattr(request, "preview") or hasattr(request, "archive"):
        raise Http404
    head = head_of(request, slug)
    if isinstance(head, HttpResponse):
        return head
    event = present(head.pk)
    if request.method == "POST":
        response = _submitted(request, event)
    else:
        initial = {name: request.GET.get(name, "") for name in ("page", "revision")}
        form = ErrorReportForm(initial={**initial, "opened": _signed_time(event)}, label_suffix="")
        response = _form_response(request, event, form)
    response["X-Robots-Tag"] = "noindex"
    add_never_cache_headers(response)
    return response


def _submitted(request: HttpRequest, event: Event) -> HttpResponse:
    form = ErrorReportForm(request.POST, label_suffix="")
    if not is_same_origin(request):
        return _form_response(
            request, event, form, _("This form came from another site. Fill it in here."), 403
        )
    if not form.is_valid():
        return _form_response(request, event, form, "", 422)
    data = form.cleaned_data
    page = _reported_page(event, data["page"])
    thanks = f"{request.path}?{urlencode({'sent': '1', 'page': page})}"
    if data["website"]:
        return HttpResponseRedirect(thanks)  # do not show a robot that it was detected
    if not _was_opened_in_time(data["opened"], event):
        return _form_response(request, event, form, _("This form was open for too long. Send it again."), 409)
    revision = min(whole_number(data["revision"]) or 0, event.data_version or 0)
    network = prefix_of(client_address(request))
    try:
        report_error(event, page, revision, data["text"], data["address"], network)
    except Refused as refused:
        return _form_response(
            request, event, form, str(refused), 429 if isinstance(refused, TooMany) else 409
        )
    return HttpResponseRedirect(thanks)


def _form_response(
    request: HttpRequest, event: Event, form: ErrorReportForm, refusal: str = "", status: int = 200
) -> HttpResponse:
    given: Any = form.data if form.is_bound else form.initial
    if form.is_bound:  # a new time, so that a form that was open for too long can be sent again
        form.data = {**{name: given.get(name, "") for name in form.fields}, "opened": _signed_time(event)}
    context = {
        "form": form,
        "about": _reported_page(event, given.get("page", "")),
        "revision": whole_number(given.get("revision", "")) or event.data_version,
        "refusal": refusal,
        "is_sent": not form.is_bound and request.GET.get("sent") == "1",
    }
    response = event_response(request, event, "error_report", context)
    response.status_code = status
    return response


def _signed_time(event: Event) -> str:
    return SIGNER.sign(str(event.pk))


def _reported_page(event: Event, page: str) -> str:
    """Return the URL of the reported page in any language; the overview if it is not a page of the event."""
    prefixes = "|".join(f"{code}/" for code, _name in settings.LANGUAGES)
    is_ours = re.fullmatch(rf"/(?:{prefixes})?events/{re.escape(event.slug)}/[!-~]*", page)
    return page if is_ours and len(page) <= LONGEST_PAGE else reverse("event", args=[event.slug])


def is_same_origin(request: HttpRequest) -> bool:
    """Return whether the form was sent by this site, or by a browser without `Sec-Fetch-Site`."""
    return request.headers.get("Sec-Fetch-Site", "same-origin") in ("same-origin", "none")


def _was_opened_in_time(signed: str, event: Event) -> bool:
    try:
        is_of_event = SIGNER.unsign(signed, max_age=LATEST) == str(event.pk)
    except BadSignature:
        return False
    try:
        SIGNER.unsign(signed, max_age=SOONEST)
    except SignatureExpired:
        return is_of_event
    return False  # too fast for a person
