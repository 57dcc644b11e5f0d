"""Redirects from the URLs of an old site: their list, and the import from a file or a pasted list."""

from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.admin.fields import PastedField, PastedListForm
from tournaments.admin.frame import page, refusal_in
from tournaments.admin.modeladmin import DeskAdmin
from tournaments.admin.permissions import ReadOnly, may_organise, organisers_only
from tournaments.models import Redirect
from tournaments.recording.events.redirects import (
    RedirectList,
    enter_redirects,
    read_redirects,
)

MOST_SIGNS = 200_000
MAX_PREVIEW = 100
"""How many lines of a list are shown before the import. Lines with errors are all shown."""


@admin.register(Redirect)
class RedirectAdmin(ReadOnly, DeskAdmin):
    """Redirects, which are imported as lists, because these are checked."""

    purpose = gettext_lazy(
        "Addresses of an old site and their new addresses. Add new ones as a list on the first page of "
        "the desk."
    )
    list_display = ("path", "target")
    search_fields = ("path", "target")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return may_organise(request.user)


class RedirectsForm(PastedListForm):
    text = PastedField(gettext_lazy("The list"), rows=10, most_signs=MOST_SIGNS, required=False)
    too_large = gettext_lazy("This file is too large. The command import_redirects reads it.")


@organisers_only
def import_redirects(request: HttpRequest) -> HttpResponse:
    form = RedirectsForm(request.POST or None, request.FILES or None)
    is_submitted = form.is_valid()
    if is_submitted and "enter" in request.POST:
        with refusal_in(form):
            entered = enter_redirects(form.cleaned_data["text"])
            values = {"new": entered.count("new"), "changed": entered.count("changed")}
            messages.success(request, _("Redirects recorded: %(new)s new, %(changed)s changed.") % values)
            return redirect("admin:tournaments_redirect_changelist")
    redirects = RedirectList(())
    if is_submitted:
        # so that the preview posts the text of a file too
        form = RedirectsForm({"text": form.cleaned_data["text"]})
        redirects = read_redirects(form.data["text"])
    return page(
        request,
        None,
        "redirects",
        _("Redirects of an old site"),
        _("Redirects addresses of your previous site to this site. You see a preview of the list first."),
        form=form,
        pasted=redirects,
        shown=redirects.lines[:MAX_PREVIEW],
        is_ready=bool(redirects.lines) and not redirects.faults and "change" not in request.POST,
        counts={state: redirects.count(state) for state in ("new", "changed", "same")},
    )
