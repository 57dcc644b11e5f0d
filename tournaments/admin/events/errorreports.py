"""Reports of errors by readers of an event's pages: list them, answer by mail, and set their state."""

from smtplib import SMTPException

from django import forms
from django.contrib import messages
from django.core.mail import send_mail
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.admin.frame import page, refusal_of, sends_mail, who
from tournaments.admin.history import names_for
from tournaments.admin.permissions import desk_view
from tournaments.models import ErrorReport, Event
from tournaments.operations.revision import revision_of
from tournaments.recording.events.error_reports import answer_report, set_state

PAGE_SIZE = 50


class ReplyForm(forms.Form):
    answer = forms.CharField(
        label=gettext_lazy("Answer"), max_length=4_000, widget=forms.Textarea({"rows": 4})
    )


@desk_view()
def error_reports(request: HttpRequest, event: Event) -> HttpResponse:
    return _reports_page(request, event)


@desk_view()
def error_report(request: HttpRequest, event: Event, report_id: int) -> HttpResponse:
    report = get_object_or_404(event.error_reports.all(), pk=report_id)
    if "answer" in request.POST:
        form = ReplyForm(request.POST)
        if not form.is_valid() or not _send_answer(request, report, form):
            return _reports_page(request, event, report.pk, form)
        messages.success(request, _("The answer is sent."))
    elif request.method == "POST":
        error = refusal_of(lambda: set_state(report, request.POST.get("state", ""), who(request)))
        if error:
            messages.error(request, error)
    return redirect("admin:event-error-reports", event.pk)


def _send_answer(request: HttpRequest, report: ErrorReport, form: ReplyForm) -> bool:
    """Mail the answer and record it. Return False, with the reason in the form, if that fails."""
    if not (report.address and sends_mail()):
        form.add_error(
            None, _("The answer cannot be sent: there is no email address, or the site sends no email.")
        )
        return False
    about = {
        "event": report.event,
        "report": report,
        "page": request.build_absolute_uri(report.page),
        "answer": form.cleaned_data["answer"],
    }
    subject, _blank, text = render_to_string("admin/mail_error_report.txt", about).partition("\n\n")
    try:
        send_mail(" ".join(subject.split()), text, None, [report.address])
    except (OSError, SMTPException):
        form.add_error(None, _("The mail server rejected the answer. It was not sent. Try again later."))
        return False
    answer_report(report, form.cleaned_data["answer"], who(request))
    return True


def _reports_page(
    request: HttpRequest, event: Event, answered_pk: int = 0, form: ReplyForm | None = None
) -> HttpResponse:
    waiting = list(event.error_reports.filter(state=ErrorReport.State.OPEN).select_related("by"))
    others = event.error_reports.exclude(state=ErrorReport.State.OPEN).select_related("by")
    shown = Paginator(others, PAGE_SIZE).get_page(request.GET.get("page"))
    hide_names = names_for(request.user, event)
    for report in [*waiting, *shown]:
        report.text, report.answer = hide_names(report.text), hide_names(report.answer)
        if form and report.pk == answered_pk:
            report.form = form  # type: ignore[attr-defined]  # for the template
        elif report.address and sends_mail():
            report.form = ReplyForm(auto_id=f"id_{report.pk}_%s")  # type: ignore[attr-defined]  # the same
    return page(
        request,
        event,
        "event_error_reports",
        _("Error reports"),
        _(
            "Error reports from the public about pages of this event: check, correct, answer, then close "
            "them."
        ),
        waiting=waiting,
        shown=shown,
        revision=revision_of(event.pk),
        sends_mail=sends_mail(),
    )
