"""The form by which readers report an error on a page of an event, without an account and without a cookie.

No session protects it against forged posts, and none needs to: nobody's cookie decides anything here (ADR
0024). What keeps robots out is a signed moment in the form, a field that people do not see, and limits.
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
from standings.pages.frame import event_answer
from tournaments.event.numbers import whole_number
from tournaments.models import Event
from tournaments.models.errorreport import LONGEST_ADDRESS, LONGEST_PAGE, LONGEST_REPORT
from tournaments.operations.revision import present
from tournaments.recording.errorreports import report_error
from tournaments.recording.playersentry import TooMany
from tournaments.recording.refusal import Refused

SOONEST, LATEST = 2, 24 * 60 * 60
"""Seconds after which a form that was asked for may come back at the earliest, and at the latest."""

SIGNER = TimestampSigner(salt="standings.errorreport")


class ErrorReportForm(forms.Form):
    """What is wrong, on which page at which revision, and where an answer may go."""

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
    """Robots fill in what has such a name; people do not see it."""

    page = forms.CharField(required=False, max_length=LONGEST_PAGE, widget=forms.HiddenInput)
    revision = forms.CharField(required=False, max_length=20, widget=forms.HiddenInput)
    opened = forms.CharField(required=False, max_length=200, widget=forms.HiddenInput)


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def error_report(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the form about a page of the event; after a post lead to words of thanks, or say what is wrong."""
    # The desk mends an event itself while readers do not see it.
    if hasattr(request, "preview") or hasattr(request, "archive"):
        raise Http404
    head = head_of(request, slug)
    if isinstance(head, HttpResponse):
        return head
    event = present(head.pk)
    answer = _taken_in(request, event) if request.method == "POST" else _shown(request, event)
    answer["X-Robots-Tag"] = "noindex"
    add_never_cache_headers(answer)
    return answer


def _taken_in(request: HttpRequest, event: Event) -> HttpResponse:
    form = ErrorReportForm(request.POST, label_suffix="")
    if not is_from_here(request):
        return _page(request, event, form, _("This form came from another site. Fill it in here."), 403)
    if not form.is_valid():
        return _page(request, event, form, "", 422)
    given = form.cleaned_data
    page = _page_of(event, given["page"])
    thanks = f"{request.path}?{urlencode({'sent': '1', 'page': page})}"
    if given["website"]:
        return HttpResponseRedirect(thanks)  # a robot need not know that it was found out
    if not _was_opened(given["opened"], event):
        return _page(request, event, form, _("This form was open for too long. Send it again."), 409)
    revision = min(whole_number(given["revision"]) or 0, event.data_version or 0)
    network = prefix_of(client_address(request))
    try:
        report_error(event, page, revision, given["text"], given["address"], network)
    except Refused as refused:
        return _page(request, event, form, str(refused), 429 if isinstance(refused, TooMany) else 409)
    return HttpResponseRedirect(thanks)


def _shown(request: HttpRequest, event: Event) -> HttpResponse:
    about = {name: request.GET.get(name, "") for name in ("page", "revision")}
    return _page(
        request, event, ErrorReportForm(initial={**about, "opened": _opened_now(event)}, label_suffix="")
    )


def _page(
    request: HttpRequest, event: Event, form: ErrorReportForm, refusal: str = "", status: int = 200
) -> HttpResponse:
    given: Any = form.data if form.is_bound else form.initial
    if form.is_bound:  # another moment, so that a form that was open for too long can be sent again
        form.data = {**{name: given.get(name, "") for name in form.fields}, "opened": _opened_now(event)}
    context = {
        "form": form,
        "about": _page_of(event, given.get("page", "")),
        "revision": whole_number(given.get("revision", "")) or event.data_version,
        "refusal": refusal,
        "is_sent": not form.is_bound and request.GET.get("sent") == "1",
    }
    answer = event_answer(request, event, "error_report", context)
    answer.status_code = status
    return answer


def _opened_now(event: Event) -> str:
    return SIGNER.sign(str(event.pk))


def _page_of(event: Event, page: str) -> str:
    """Return the address of the page of the event that was named, in any language; else of its overview."""
    prefixes = "|".join(f"{code}/" for code, _name in settings.LANGUAGES)
    is_ours = re.fullmatch(rf"/(?:{prefixes})?events/{re.escape(event.slug)}/[!-~]*", page)
    return page if is_ours and len(page) <= LONGEST_PAGE else reverse("event", args=[event.slug])


def is_from_here(request: HttpRequest) -> bool:
    """Say whether a form was sent by a page of this site, or by a browser that does not tell."""
    return request.headers.get("Sec-Fetch-Site", "same-origin") in ("same-origin", "none")


def _was_opened(signed: str, event: Event) -> bool:
    """Say whether the form was asked for of this event, not just now, and not too long ago."""
    try:
        is_of_event = SIGNER.unsign(signed, max_age=LATEST) == str(event.pk)
    except BadSignature:
        return False
    try:
        SIGNER.unsign(signed, max_age=SOONEST)
    except SignatureExpired:
        return is_of_event
    return False  # nobody reads and writes that fast
