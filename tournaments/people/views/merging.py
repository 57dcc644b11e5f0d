"""Views that merge two persons or teams, after a preview, and split one."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _

from tournaments.admin.frame import page, refusal_of, who
from tournaments.admin.permissions import organisers_only
from tournaments.event.numbers import whole_number
from tournaments.models import PeopleAct, Person, PersonLink, Team, TeamLink
from tournaments.people.forms import ReasonForm, SplitForm
from tournaments.people.matching.entrants import entrants_of_links
from tournaments.people.matching.weighing import entries_by_owner
from tournaments.people.models.team import Owner
from tournaments.people.services.merging import merge, reason_not_same, split
from tournaments.people.services.refusals import WasRefused, require_not_refused, sides_of
from tournaments.people.texts import LABELS
from tournaments.people.views.detail import link_rows, links_by_start
from tournaments.people.views.history import act_rows
from tournaments.people.views.search import (
    desk_address,
    find_owners,
    owner_or_404,
    redirect_if_merged,
)


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A field in which both differ. `choices`: value, text, and whether it is chosen."""

    name: str
    label: str
    choices: list[tuple[str, str, bool]]


@organisers_only
def merge_view(request: HttpRequest, kind: str, key: int) -> HttpResponse:
    owner, fault, form = owner_or_404(request, kind, key), "", ReasonForm(request.POST or None)
    if merged := redirect_if_merged(request, owner):
        return merged
    sought = whole_number((request.POST if request.method == "POST" else request.GET).get("other", ""))
    other = owner_or_404(request, kind, sought) if sought not in (None, key) else None
    if other is None or other.merged_into_id:
        return _search_page(request, owner)
    if request.method == "POST" and form.is_valid():
        fault = refusal_of(partial(_merge_posted, request, owner, other, form.cleaned_data["reason"]))
        if not fault:
            text = _("“%(other)s” is merged into “%(name)s”. The history below undoes it.")
            messages.success(request, text % {"other": other.name, "name": owner.name})
            return redirect(f"admin:{kind}", key)
        owner, other = owner_or_404(request, kind, key), owner_or_404(request, kind, other.pk)
    links = [*links_by_start(owner), *links_by_start(other)]
    barred = reason_not_same(entrants_of_links(owner.links.all()), entrants_of_links(other.links.all()))
    was_refused = ""  # an earlier refusal, which a user can overrule with a reason
    try:
        require_not_refused(sides_of(None, owner), sides_of(None, other))
    except WasRefused as refusal:
        was_refused = refusal.text
    events = Counter(each.event_id for each in links)
    return page(
        request,
        None,
        "people/merge",
        _("Merge %(other)s (%(other_number)s) into %(name)s (%(number)s)")
        % {"other": other.name, "other_number": other.pk, "name": owner.name, "number": owner.pk},
        _("They cannot be merged because of the conflicts below.")
        if barred
        else _("Nothing changes until you confirm below. You can undo it in the history."),
        owner=owner,
        other=other,
        back=desk_address(owner),
        differing=contradicting_fields(owner, other, request.POST),
        joined=_merge_preview(owner, other),
        entries=link_rows(
            sorted(links, key=lambda each: (each.event.start, each.event.name, each.pk)),
            {event for event, count in events.items() if count > 1},
        ),
        form=form,
        fault=fault,
        barred=barred,
        was_refused=was_refused,
        hidden=[each for each in (owner, other) if isinstance(each, Person) and each.hidden],
    )


def _search_page(request: HttpRequest, owner: Owner) -> HttpResponse:
    text = request.GET.get("q", owner.name)[:120]
    found = [each for each in find_owners(type(owner), text) if each.owner != owner]
    entries = entries_by_owner([owner, *(each.owner for each in found)])
    return page(
        request,
        None,
        "people/merge",
        _("Merge with %(name)s") % {"name": owner.name},
        _("Choose the duplicate. You see a preview before the merge."),
        owner=owner,
        back=desk_address(owner),
        text=text,
        # With the reason why it cannot be merged, blank if it can.
        found=[(each, reason_not_same(entries[owner], entries[each.owner])) for each in found],
    )


def _merge_posted(request: HttpRequest, owner: Owner, other: Owner, reason: str) -> None:
    seen, seen_other = (whole_number(request.POST.get(name, "")) or 0 for name in ("seen", "seen_other"))
    keep: dict[str, Any] = {"identifiers": []}
    for each in contradicting_fields(owner, other, request.POST):
        chosen = [value for value, _text, is_chosen in each.choices if is_chosen]
        if each.name.startswith("id-"):
            keep["identifiers"] += [int(value) for value, *_rest in each.choices if value not in chosen]
        else:
            keep[each.name] = chosen[0]
    merge(owner, other, who(request), reason, seen=(seen, seen_other), keep=keep)


def contradicting_fields(owner: Owner, other: Owner, posted: Any) -> list[Contradiction]:
    """Return the fields in which both differ, and ids of the same scheme.

    The values of `owner` are preselected.
    """
    fields: list[tuple[str, str, list[str], list[str]]] = []
    for name in ("name", "kind") if isinstance(owner, Team) else ("name", "born", "sex"):
        values = [str(getattr(each, name)) for each in (owner, other)]
        if all(values) and values[0] != values[1]:
            texts = [_display_value(each, name) for each in (owner, other)]
            fields.append((name, str(LABELS[name]), values, texts))
    if isinstance(owner, Person) and isinstance(other, Person):
        own, others = ([*each.identifiers.order_by("pk")] for each in (owner, other))
        shared = {each.scheme for each in own} & {each.scheme for each in others}
        for scheme in sorted(shared):
            ids = [each for each in (*own, *others) if each.scheme == scheme]
            label = _("id of %(scheme)s") % {"scheme": scheme.upper()}
            fields.append(
                (f"id-{scheme}", label, [str(each.pk) for each in ids], [each.value for each in ids])
            )
    found = []
    for name, label, values, texts in fields:
        chosen = posted.get(f"keep-{name}")
        chosen = chosen if chosen in values else values[0]
        choices = [(value, text, value == chosen) for value, text in zip(values, texts, strict=True)]
        found.append(Contradiction(name, label, choices))
    return found


def _display_value(owner: Owner, name: str) -> str:
    display = getattr(owner, f"get_{name}_display", None)
    return str(display() if display else getattr(owner, name))


def _merge_preview(owner: Owner, other: Owner) -> list[tuple[str, list[str]]]:
    rows = {
        _("names"): [name for each in (owner, other) for name in (each.name, *map(str, each.names.all()))],
    }
    tables = {"codes": _("codes")}
    if isinstance(owner, Person):
        for name in ("sex", "born"):
            values = {_display_value(each, name) for each in (owner, other) if getattr(each, name)}
            # otherwise they contradict each other, and the user chooses one
            if len(values) < len((owner, other)):
                rows[str(LABELS[name])] = [*values]
        tables = {"federations": _("federations"), "titles": _("titles"), "identifiers": _("ids")}
    for table, label in tables.items():
        rows[label] = [str(row) for each in (owner, other) for row in getattr(each, table).all()]
    rows[_("sources")] = [*owner.sources, *other.sources]
    rows[_("note")] = [each.note for each in (owner, other) if each.note]
    return [(label, list(dict.fromkeys(texts))) for label, texts in rows.items()]


# --- split ------------------------------------------------------------------------------------------------


@organisers_only
def split_view(request: HttpRequest, kind: str, key: int) -> HttpResponse:
    owner, fault = owner_or_404(request, kind, key), ""
    if merged := redirect_if_merged(request, owner):
        return merged
    form, chosen = SplitForm(request.POST or None), request.POST.getlist("link")
    links = links_by_start(owner)
    if request.method == "POST" and form.is_valid():
        seen = whole_number(request.POST.get("seen", "")) or 0
        taken = [each for each in links if str(each.pk) in chosen]
        values = form.cleaned_data
        fault = refusal_of(
            lambda: split(owner, taken, who(request), values["reason"], name=values["name"], seen=seen)  # type: ignore[arg-type]  # links of one kind
        )
        if not fault:
            _add_split_message(request, kind, key)
            return redirect(f"admin:{kind}", key)
        owner = owner_or_404(request, kind, key)
    return page(
        request,
        None,
        "people/split",
        _("Split %(name)s") % {"name": owner.name},
        _("If the entries of two persons or teams were mixed up: tick the entries of the other one."),
        owner=owner,
        seen=owner.version,
        back=desk_address(owner),
        entries=link_rows(links, chosen=chosen),
        barred=_split_obstacle(links),
        form=form,
        fault=fault,
    )


def _add_split_message(request: HttpRequest, kind: str, key: int) -> None:
    act = PeopleAct.objects.filter(kind=PeopleAct.Kind.SPLIT, subjects__number=key).first()
    subjects = act_rows([act])[0].about if act else []
    own_address = reverse(f"admin:{kind}", args=[key])
    for name, address in subjects:
        if address != own_address:
            label = _("Split off, and to be undone below:")
            messages.success(request, format_html('{} <a href="{}">{}</a>', label, address, name))


def _split_obstacle(links: Sequence[PersonLink | TeamLink]) -> str:
    if not links:
        return _("There is no entry to split off.")
    if len(links) == 1:
        return _("There is only one entry, so it cannot be split off. If the link is wrong, remove it.")
    return ""
