"""The desk's page of a person or a team: data, entries and history."""

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.admin.frame import page, refusal_of, who
from tournaments.admin.permissions import organisers_only
from tournaments.models import Person, PersonLink, Team, TeamLink
from tournaments.people.entries import leading_to
from tournaments.people.forms import OwnerForm, PartsField, PersonForm, TeamForm
from tournaments.people.models.team import Owner
from tournaments.people.public import public_name
from tournaments.people.services.editing import IdTaken, create_owner, edit
from tournaments.people.services.history import owner_kind
from tournaments.people.views.history import act_rows_of
from tournaments.people.views.search import (
    MODELS,
    desk_address,
    owner_or_404,
    redirect_if_merged,
)

FORMS: dict[str, type[OwnerForm]] = {"person": PersonForm, "team": TeamForm}
Link = PersonLink | TeamLink


@organisers_only
def new(request: HttpRequest, kind: str) -> HttpResponse:
    form = FORMS[kind](request.POST or None)
    taken: list[Owner] = []
    if request.method == "POST" and form.is_valid():
        own, rows = form_values(form)
        created, reason = MODELS[kind](**own), form.cleaned_data["reason"] or _("Made by hand.")
        act = partial(create_owner, created, who(request), reason, **rows)
        fault = refusal_of(lambda: _call_noting_owner(act, taken))
        if not fault:
            messages.success(request, _("Saved."))
            return redirect(desk_address(created))
        form.add_error(None, fault)
    title = _("New person") if kind == "person" else _("New team")
    purpose = _(
        "Most are created automatically from the entries of events. Search first, to avoid duplicates."
    )
    others = [(desk_address(each), each) for each in taken]
    return page(request, None, "people/new", title, purpose, form=form, others=others)


def _call_noting_owner(act: Callable[[], object], taken: list[Owner]) -> None:
    """Call `act`. If an id belongs to another person, append that person to `taken`."""
    try:
        act()
    except IdTaken as fault:
        taken.append(fault.person)
        raise


@organisers_only
def detail(request: HttpRequest, kind: str, key: int) -> HttpResponse:
    found = owner_or_404(request, kind, key)
    if merged := redirect_if_merged(request, found):
        return merged
    form, fault = FORMS[kind](request.POST or None, initial=form_initial(found)), ""
    taken: list[Owner] = []
    if request.method == "POST" and form.is_valid():
        (own, rows), seen = form_values(form), form.cleaned_data["seen"] or 0
        reason = form.cleaned_data["reason"]
        act = partial(edit, found, seen, who(request), reason, **own, **rows)
        fault = refusal_of(lambda: _call_noting_owner(act, taken))
        if not fault:
            messages.success(request, _("Saved."))
            return redirect(f"admin:{kind}", key)
        found = owner_or_404(request, kind, key)
    return _owner_page(request, found, form, fault, taken)


def _owner_page(
    request: HttpRequest, found: Owner, form: OwnerForm, fault: str, taken: Sequence[Owner]
) -> HttpResponse:
    kind = owner_kind(found)
    stored: list[tuple[str, str]] = []
    if fault and form.cleaned_data.get("seen") != found.version:
        # The form keeps the typed values, with the current version, and the stored values are listed.
        stored = _stored_differences(found, form)
        posted = request.POST.copy()
        posted["seen"] = str(found.version)
        form = type(form)(posted)
    links = links_by_start(found)
    actions = [("link", _("Link an entry")), ("merge", _("Merge"))]
    if len(links) > 1:
        actions.append(("split", _("Split")))
    if isinstance(found, Person):
        actions.append(("hide", _("Show again") if found.hidden else _("Hide")))
        if found.hidden:
            actions.append(("remaining", _("Mentions of the surname")))
    merge_address = reverse(f"admin:{kind}-merge", args=[found.pk])
    return page(
        request,
        None,
        "people/detail",
        found.name,
        _("Number %(number)s. You can undo every change below.") % {"number": found.pk},
        form=form,
        fault=fault,
        stored=stored,
        others=[(f"{merge_address}?other={each.pk}", each) for each in taken],
        ways=[(reverse(f"admin:{kind}-{action}", args=[found.pk]), text) for action, text in actions],
        entries=link_rows(links),
        acts=act_rows_of(found),
        hidden_as=public_name(found) if isinstance(found, Person) and found.hidden else "",
        page_address=leading_to(found).address,
    )


# --- the form ---------------------------------------------------------------------------------------------


def form_initial(found: Owner) -> dict[str, Any]:
    values: dict[str, Any] = {"seen": found.version}
    for name, field in FORMS[owner_kind(found)].base_fields.items():
        if isinstance(field, PartsField):
            rows = getattr(found, name).all()
            values[name] = [tuple(getattr(row, column) for column in field.columns) for row in rows]
        elif name not in {"seen", "reason"}:
            values[name] = getattr(found, name)
    return values


def form_values(form: OwnerForm) -> tuple[dict[str, Any], dict[str, list[dict[str, str]]]]:
    values = {name: value for name, value in form.cleaned_data.items() if name not in {"seen", "reason"}}
    rows = {
        name: [dict(zip(field.columns, line, strict=True)) for line in values.pop(name)]
        for name, field in form.fields.items()
        if isinstance(field, PartsField)
    }
    return values, rows


def _stored_differences(found: Owner, form: OwnerForm) -> list[tuple[str, str]]:
    stored = form_initial(found)
    rows = []
    for name, value in stored.items():
        field = form.fields[name]
        if name != "seen" and value != form.cleaned_data.get(name):
            text = field.prepare_value(value) if isinstance(value, list) else str(value)
            rows.append((str(field.label), text.replace("\n", " / ")))
    return rows


# --- entries ----------------------------------------------------------------------------------------------


def links_by_start(found: Owner) -> list[Link]:
    """Return the links by the start of their events, with a single query."""
    rows: Any = found.links
    related = (
        ("event", "competitor") if isinstance(found, Team) else ("event", "competitor", "player__competitor")
    )
    return list(rows.select_related(*related).order_by("event__start", "event__name", "pk"))


def link_rows(
    links: Iterable[Link], twice: Collection[int] = (), chosen: Collection[str] = ()
) -> list[dict[str, Any]]:
    """Return links with data of their entries, or as last seen.

    `twice`: events with another link. `chosen`: keys of links that are ticked in the form.
    """
    rows = []
    for link in links:
        player = link.player if isinstance(link, PersonLink) else None
        competitor = player.competitor if player else link.competitor
        entry, public = player or competitor, ""
        if competitor and link.event.is_public:
            public = reverse("competitor", args=[link.event.slug, competitor.number])
        row = {
            "link": link,
            "name": entry.name if entry else link.name,
            "number": competitor.number if competitor else link.number,
            "team": player.competitor.name if player else "",
            "is_there": entry is not None,
            "public_address": public,
            "unlink": reverse(f"admin:{owner_kind(link.owner)}-unlink", args=[link.pk]),
            "is_twice": link.event_id in twice,
            "is_chosen": str(link.pk) in chosen,
        }
        rows.append(row)
    return rows
