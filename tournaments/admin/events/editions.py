"""Create further editions of a series from a pasted list: a preview, then all are created together."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.admin.fields import PastedField
from tournaments.admin.frame import page, refusal_in, who
from tournaments.admin.permissions import desk_view, may_create
from tournaments.models import Event
from tournaments.recording.events.editions import EditionList, create_editions, read_editions

MOST_SIGNS = 50_000


class EditionsForm(forms.Form):
    """The pasted list."""

    text = PastedField(gettext_lazy("Editions, a line each"), rows=12, most_signs=MOST_SIGNS)


@desk_view(may_create)
def editions(request: HttpRequest, event: Event) -> HttpResponse:
    form = EditionsForm(request.POST or None)
    drafts = EditionList(())
    if form.is_valid():
        text = form.cleaned_data["text"]
        if "enter" in request.POST:
            with refusal_in(form):
                count = len(create_editions(event, text, who(request)).lines)
                message = ngettext("%(count)s draft was made.", "%(count)s drafts were made.", count)
                messages.success(request, message % {"count": count})
                return redirect("admin:tournaments_event_changelist")
        with refusal_in(form):
            drafts = read_editions(event, text)
    return page(
        request,
        event,
        "event_editions",
        _("Further editions"),
        _(
            "Creates several editions of the series at once, as drafts with the settings of this event, "
            "without competitors or results. You see a preview first."
        ),
        form=form,
        pasted=drafts,
        # "Change" shows the form again. Otherwise the list could not be edited after the preview.
        is_ready=bool(drafts.lines) and not drafts.faults and "change" not in request.POST,
    )
