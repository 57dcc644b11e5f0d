"""Errors that readers of an event's pages report: looked at, answered by mail, done with."""

from collections.abc import Iterable
from dataclasses import dataclass
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
from tournaments.recording.errorreports import answer_report, set_state

PER_PAGE = 50


class AnswerForm(forms.Form):
    """The answer to one report."""

    answer = forms.CharField(
        label=gettext_lazy("Answer"), max_length=4_000, widget=forms.Textarea({"rows": 4})
    )


@dataclass(frozen=True, slots=True)
class ReportLine:
    """A report as the screen shows it; `form` is None where it cannot be answered from here."""

    report: ErrorReport
    form: AnswerForm | None


@desk_view()
def error_reports(request: HttpRequest, event: Event) -> HttpResponse:
    """Show what readers reported, those that wait first."""
    return _screen(request, event)


@desk_view()
def error_report(request: HttpRequest, event: Event, report_id: int) -> HttpResponse:
    """Answer one report, or change its state; then lead back to all of them."""
    report = get_object_or_404(event.error_reports.all(), pk=report_id)
    if request.method != "POST":
        return redirect("admin:event-error-reports", event.pk)
    if "answer" not in request.POST:
        refusal = refusal_of(lambda: set_state(report, request.POST.get("state", ""), who(request)))
        if refusal:
            messages.error(request, refusal)
        return redirect("admin:event-error-reports", event.pk)
    form = AnswerForm(request.POST)
    if not form.is_valid() or not _answered(request, report, form):
        return _screen(request, event, report.pk, form)
    messages.success(request, _("The answer is sent."))
    return redirect("admin:event-error-reports", event.pk)


def _answered(request: HttpRequest, report: ErrorReport, form: AnswerForm) -> bool:
    """Send an answer and note it; False where the mail could not be sent, with the reason on the form."""
    if not (report.address and sends_mail()):
        form.add_error(None, _("No mail can be sent: there is no address, or the site sends no mail."))
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
        form.add_error(None, _("The mail server did not take the answer; nothing was sent. Try again later."))
        return False
    answer_report(report, form.cleaned_data["answer"], who(request))
    return True


def _screen(
    request: HttpRequest, event: Event, answered: int = 0, form: AnswerForm | None = None
) -> HttpResponse:
    waiting = event.error_reports.filter(state=ErrorReport.State.OPEN).select_related("by")
    others = event.error_reports.exclude(state=ErrorReport.State.OPEN).select_related("by")
    shown = Paginator(others, PER_PAGE).get_page(request.GET.get("page"))
    tell = names_for(request.user, event)

    def lines(reports: Iterable[ErrorReport]) -> list[ReportLine]:
        found = list(reports)
        for report in found:
            report.text, report.answer = tell(report.text), tell(report.answer)
        return [
            ReportLine(report, form if form and report.pk == answered else _form_of(report))
            for report in found
        ]

    return page(
        request,
        event,
        "event_error_reports",
        _("Error reports"),
        _("What readers say is wrong on a page of this event: look, mend it, answer, and put it aside."),
        waiting=lines(waiting),
        others=lines(shown),
        shown=shown,
        revision=revision_of(event.pk),
        sends_mail=sends_mail(),
    )


def _form_of(report: ErrorReport) -> AnswerForm | None:
    return AnswerForm(auto_id=f"id_{report.pk}_%s") if report.address and sends_mail() else None
