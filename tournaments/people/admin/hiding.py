"""Hiding a person who asks for it under a pseudonym, and showing the name again (docs/privacy.md)."""

from typing import cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.admin.frame import page, refusal_of, who
from tournaments.admin.permissions import organisers_only
from tournaments.event.numbers import whole_number
from tournaments.models import Person
from tournaments.people.admin.finding import desk_address
from tournaments.people.admin.known import known_or_404, links_by_start
from tournaments.people.admin.knownforms import WhyForm
from tournaments.people.admin.surnames import names_with_surname
from tournaments.people.hiding.hidden_marks import is_noted
from tournaments.people.public import PSEUDONYM
from tournaments.people.services.editing import hide, show

NOT_NOTED = gettext_lazy(
    "But the list of hidden persons (HIDDEN_FILE) could not be written, so a restored backup would undo this."
    " Tell whoever runs the server, then do it again."
)


@organisers_only
def hide_person(request: HttpRequest, key: int) -> HttpResponse:
    person = cast("Person", known_or_404(request, "person", key))
    if person.merged_into_id:
        return redirect("admin:person", key)
    form, fault = WhyForm(request.POST if "asked" in request.POST else None), ""
    if form.is_valid():
        act = show if person.hidden else hide
        seen = whole_number(request.POST.get("seen", "")) or 0
        fault = refusal_of(lambda: act(person, who(request), form.cleaned_data["reason"], seen=seen))
        if not fault:
            was_hidden = person.hidden
            shown, hidden = _("Readers are shown the name again."), _("Readers are shown a pseudonym now.")
            text = shown if was_hidden else hidden
            messages.success(request, text)
            if not is_noted(person.pk, hidden=not was_hidden):
                messages.error(request, str(NOT_NOTED))
            return redirect("admin:person" if was_hidden else "admin:person-remaining", key)
        person = cast("Person", known_or_404(request, "person", key))
    links = links_by_start(person)
    return page(
        request,
        None,
        "people_ask",
        _("Show %(name)s again") % {"name": person.name}
        if person.hidden
        else _("Hide %(name)s") % {"name": person.name},
        _("For a person who asks to be left out, and for who takes that back. It is done at once."),
        told=[
            _(
                "Readers are shown name, birth and ids again, as the events had them. "
                "These events are concerned:"
            )
        ]
        if person.hidden
        else _hide_consequences(person),
        listed=[f"{each.event.start} {each.event.name}".strip() for each in links],
        form=form,
        fault=fault,
        seen=person.version,
        back=desk_address(person),
        back_name=person.name,
        verb=_("Show again") if person.hidden else _("Hide"),
    )


def _hide_consequences(person: Person) -> list[str]:
    texts = [
        _(
            "Readers are shown “%(pseudonym)s” instead of name, ids, birth, titles, club and city: on pages, "
            "in files, archives made from now on, the API and searches, also where notes, reasons and games "
            "tell the name."
        )
        % {"pseudonym": f"{PSEUDONYM} {person.pk}"},
        _(
            "Results, places and ratings stay. What the events said is kept here and comes back when the "
            "person is shown again. Files that were uploaded, backups and histories keep the name, for "
            "organisers alone."
        ),
        _("Archives and files that somebody took away before are out of reach. These events are concerned:"),
    ]
    named = names_with_surname(person)
    if named:
        text = _(
            "Names and addresses of events, series and teams stay as they are. Look at these, which may "
            "tell: %(names)s."
        )
        texts.insert(2, text % {"names": ", ".join(named)})
    waiting = person.proposals.select_related("event", "competitor", "player").order_by("event", "pk")
    likely = [
        _("“%(entry)s” in “%(event)s”") % {"entry": entry.name, "event": each.event.name}
        for each in waiting
        if (entry := each.player or each.competitor)
    ]
    if likely:
        text = _(
            "These entries are not hidden with the person, for their likely links wait. Answer these first: "
            "%(entries)s."
        )
        texts.insert(2, text % {"entries": ", ".join(likely)})
    return texts
