"""Further editions of a series from a pasted list: a preview first, then all of them or none."""

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
from tournaments.recording.editions import EditionList, create_editions, read_editions
from tournaments.recording.refusal import Refused

MOST_SIGNS = 50_000


class EditionsForm(forms.Form):
    """The list as it was pasted."""

    text = PastedField(gettext_lazy("Editions, a line each"), rows=12, most_signs=MOST_SIGNS)


@desk_view(may_copy)
def editions(request: HttpRequest, event: Event) -> HttpResponse:
    """Show the form, then what it would make, line by line; make that once it was looked at."""
    form = EditionsForm(request.POST or None)
    is_pasted = form.is_valid()
    if is_pasted and "enter" in request.POST and _create(request, event, form):
        return redirect("admin:tournaments_event_changelist")
    drafts = _read(event, form) if is_pasted else EditionList(())
    return page(
        request,
        event,
        "event_editions",
        _("Further editions"),
        _(
            "Makes many editions of the series at once: drafts with the settings of this event, without "
            "competitors or results. You see first what it makes of the list."
        ),
        form=form,
        pasted=drafts,
        # “Change” shows the field again with what was typed; without it a preview would be a dead end.
        is_ready=bool(drafts.lines) and not drafts.faults and "change" not in request.POST,
    )


def _read(event: Event, form: EditionsForm) -> EditionList:
    try:
        return read_editions(event, form.cleaned_data["text"])
    except Refused as refused:
        form.add_error(None, str(refused))
        return EditionList(())


def _create(request: HttpRequest, event: Event, form: EditionsForm) -> bool:
    """Say whether all were made; why not stands at the form."""
    try:
        made = create_editions(event, form.cleaned_data["text"], who(request))
    except Refused as refused:
        form.add_error(None, str(refused))
        return False
    count = len(made.lines)
    message = ngettext("%(count)s draft was made.", "%(count)s drafts were made.", count) % {"count": count}
    messages.success(request, message)
    return True
