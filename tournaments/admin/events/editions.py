"""Create further editions of a series from a pasted list: a preview, then all are created together."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.admin.fields import PastedField
from tournaments.admin.frame import page, who
from tournaments.admin.permissions import desk_view, may_copy
from tournaments.models import Event
from tournaments.recording.events.editions import EditionList, create_editions, read_editions
from tournaments.recording.refusal import Refused

MOST_SIGNS = 50_000


class EditionsForm(forms.Form):
    """The pasted list."""

    text = PastedField(gettext_lazy("Editions, a line each"), rows=12, most_signs=MOST_SIGNS)


@desk_view(may_copy)
def editions(request: HttpRequest, event: Event) -> HttpResponse:
    form = EditionsForm(request.POST or None)
    is_pasted = form.is_valid()
    if is_pasted and "enter" in request.POST and _create_drafts(request, event, form):
        return redirect("admin:tournaments_event_changelist")
    drafts = _read_list(event, form) if is_pasted else EditionList(())
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


def _read_list(event: Event, form: EditionsForm) -> EditionList:
    try:
        return read_editions(event, form.cleaned_data["text"])
    except Refused as refused:
        form.add_error(None, str(refused))
        return EditionList(())


def _create_drafts(request: HttpRequest, event: Event, form: EditionsForm) -> bool:
    try:
        created = create_editions(event, form.cleaned_data["text"], who(request))
    except Refused as refused:
        form.add_error(None, str(refused))
        return False
    count = len(created.lines)
    message = ngettext("%(count)s draft was made.", "%(count)s drafts were made.", count) % {"count": count}
    messages.success(request, message)
    return True
