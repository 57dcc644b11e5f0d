"""Two persons or teams merged, after a look at what comes together and what contradicts; and one split."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.admin.frame import page, refusal_of, who
from tournaments.admin.permissions import organisers_only
from tournaments.event.numbers import whole_number
from tournaments.models import PeopleAct, Person, PersonIdentifier, PersonLink, Team, TeamLink
from tournaments.people.admin.finding import FoundKnown, Known, address_of, find_persons, find_teams
from tournaments.people.admin.history import shown_act
from tournaments.people.admin.known import (
    entries_shown,
    kind_of,
    known_or_404,
    links_of,
)
from tournaments.people.admin.knownforms import WhyForm
from tournaments.people.matching.entrants import Entrant, by_row
from tournaments.people.services.joining import merge, split, why_two
from tournaments.people.services.learning import entrants_of_links
from tournaments.people.services.refusals import WasRefused, heed_refusals, sides_of

LABELS = {
    "name": gettext_lazy("name"),
    "born": gettext_lazy("born"),
    "sex": gettext_lazy("sex"),
    "kind": gettext_lazy("what it is"),
}


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A value that two who are merged have otherwise; `choices` are value, text, and whether it is chosen."""

    name: str
    label: str
    choices: list[tuple[str, str, bool]]


class SplitForm(WhyForm):
    """The name of whom the chosen entries are."""

    name = forms.CharField(
        label=gettext_lazy("Name of the other one"),
        max_length=120,
        required=False,
        help_text=gettext_lazy("Empty: the name of the first entry that is ticked."),
    )
    field_order = ("name", "reason")


@organisers_only
def merge_known(request: HttpRequest, kind: str, key: int) -> HttpResponse:
    """Find the other one, show what would become of both, and merge them."""
    known, fault, form = known_or_404(request, kind, key), "", WhyForm(request.POST or None)
    if known.merged_into_id:
        return redirect(f"admin:{kind}", key)
    sought = whole_number((request.POST if request.method == "POST" else request.GET).get("other", ""))
    other = known_or_404(request, kind, sought) if sought not in (None, key) else None
    if other is None or other.merged_into_id:
        return _search(request, known)
    if request.method == "POST" and form.is_valid():
        fault = refusal_of(partial(_merge, request, known, other, form.cleaned_data["reason"]))
        if not fault:
            text = _("“%(other)s” is merged into “%(name)s”. The history below undoes it.")
            messages.success(request, text % {"other": other.name, "name": known.name})
            return redirect(f"admin:{kind}", key)
        known, other = known_or_404(request, kind, key), known_or_404(request, kind, other.pk)
    links = [*links_of(known), *links_of(other)]
    barred, was_refused = _why_not(known, other)
    events = Counter(each.event_id for each in links)
    return page(
        request,
        None,
        "known_merge",
        _("Merge %(other)s (%(other_number)s) into %(name)s (%(number)s)")
        % {"other": other.name, "other_number": other.pk, "name": known.name, "number": known.pk},
        _("They cannot be merged as things stand.")
        if barred
        else _("Nothing is done until you say so below, and the history undoes it."),
        known=known,
        other=other,
        back=address_of(known),
        differing=contradictions(known, other, request.POST),
        joined=_joined(known, other),
        entries=entries_shown(
            sorted(links, key=lambda each: (each.event.start, each.event.name, each.pk)),
            frozenset(event for event, count in events.items() if count > 1),
        ),
        form=form,
        fault=fault,
        barred=barred,
        was_refused=was_refused,
        hidden=[each for each in (known, other) if isinstance(each, Person) and each.hidden],
    )


def _why_not(known: Known, other: Known) -> tuple[str, str]:
    """Return why two cannot be merged, and what was said against it, which hinders nobody with a reason."""
    barred = why_two(entrants_of_links(known.links.all()), entrants_of_links(other.links.all()))
    try:
        heed_refusals(sides_of(None, known), sides_of(None, other))
    except WasRefused as said:
        return barred, said.said
    return barred, ""


def _search(request: HttpRequest, known: Known) -> HttpResponse:
    text = request.GET.get("q", known.name)[:120]
    found = find_teams(text) if isinstance(known, Team) else find_persons(text)
    return page(
        request,
        None,
        "known_merge",
        _("Merge with %(name)s") % {"name": known.name},
        _("Choose who is the same. You see first what would come together."),
        known=known,
        back=address_of(known),
        text=text,
        found=_choices(known, [each for each in found if each.pk != known.pk]),
    )


def _choices(known: Known, found: Sequence[FoundKnown]) -> list[tuple[FoundKnown, str]]:
    """Return who may be chosen, and of who may not, why; four queries."""
    model: Any = TeamLink if isinstance(known, Team) else PersonLink
    links = list(model.objects.filter(**{f"{kind_of(known)}__in": [each.pk for each in found]}))
    entries = by_row(entrants_of_links(links))
    theirs: dict[int, list[Entrant]] = defaultdict(list)
    for link in links:
        if entry := entries.get((link.competitor_id, getattr(link, "player_id", None))):
            theirs[getattr(link, f"{kind_of(known)}_id")].append(entry)
    ours = entrants_of_links(known.links.all())
    return [(each, why_two(ours, theirs[each.pk])) for each in found]


def _merge(request: HttpRequest, known: Known, other: Known, reason: str) -> None:
    seen, seen_other = (whole_number(request.POST.get(name, "")) or 0 for name in ("seen", "seen_other"))
    keep: dict[str, Any] = {"identifiers": []}
    for each in contradictions(known, other, request.POST):
        chosen = [value for value, _text, is_chosen in each.choices if is_chosen]
        if each.name.startswith("id-"):
            keep["identifiers"] += [int(value) for value, *_rest in each.choices if value not in chosen]
        else:
            keep[each.name] = chosen[0]
    merge(known, other, who(request), reason, seen=(seen, seen_other), keep=keep)


def contradictions(known: Known, other: Known, posted: Any) -> list[Contradiction]:
    """Return what both have, each otherwise, and ids of one scheme; the values of `known` are proposed."""
    names = ("name", "kind") if isinstance(known, Team) else ("name", "born", "sex")
    found = []
    for name in names:
        values = [str(getattr(each, name)) for each in (known, other)]
        if all(values) and values[0] != values[1]:
            shown = [str(_shown(each, name)) for each in (known, other)]
            found.append(_contradiction(name, str(LABELS[name]), values, shown, posted))
    if isinstance(known, Person):
        for scheme, ids in _ids_of(known, other).items():
            values = [str(each.pk) for each in ids]
            label = _("id of %(scheme)s") % {"scheme": scheme.upper()}
            found.append(_contradiction(f"id-{scheme}", label, values, [each.value for each in ids], posted))
    return found


def _contradiction(name: str, label: str, values: list[str], shown: list[str], posted: Any) -> Contradiction:
    chosen = posted.get(f"keep-{name}", values[0])
    chosen = chosen if chosen in values else values[0]
    return Contradiction(
        name, label, [(value, text, value == chosen) for value, text in zip(values, shown, strict=True)]
    )


def _ids_of(known: Known, other: Known) -> dict[str, list[PersonIdentifier]]:
    """Return the ids of each scheme of which both have one."""
    rows = PersonIdentifier.objects.filter(person__in=[known.pk, other.pk]).order_by("pk")
    found: dict[str, list[PersonIdentifier]] = {}
    for each in rows:
        found.setdefault(each.scheme, []).append(each)
    both = {scheme: {each.person_id for each in ids} for scheme, ids in found.items()}
    return {
        scheme: sorted(ids, key=lambda each: (each.person_id != known.pk, each.pk))
        for scheme, ids in found.items()
        if len(both[scheme]) > 1
    }


def _shown(known: Known, name: str) -> str:
    told = getattr(known, f"get_{name}_display", None)
    return str(told() if told else getattr(known, name))


def _joined(known: Known, other: Known) -> list[tuple[str, list[str]]]:
    """Return what both have together, by its label."""
    rows = {
        _("names"): [name for each in (known, other) for name in (each.name, *map(str, each.names.all()))],
    }
    tables = {"codes": _("codes")}
    if isinstance(known, Person):
        for name in ("sex", "born"):
            said = {_shown(each, name) for each in (known, other) if getattr(each, name)}
            if len(said) < len((known, other)):  # else they contradict each other, and one is chosen above
                rows[str(LABELS[name])] = [*said]
        tables = {"federations": _("federations"), "titles": _("titles"), "identifiers": _("ids")}
    for table, label in tables.items():
        rows[label] = [str(row) for each in (known, other) for row in getattr(each, table).all()]
    rows[_("sources")] = [*known.sources, *other.sources]
    rows[_("note")] = [each.note for each in (known, other) if each.note]
    return [(label, list(dict.fromkeys(texts))) for label, texts in rows.items()]


# --- split ------------------------------------------------------------------------------------------------


@organisers_only
def split_known(request: HttpRequest, kind: str, key: int) -> HttpResponse:
    """Give chosen entries to a new person or team."""
    known, fault = known_or_404(request, kind, key), ""
    if known.merged_into_id:
        return redirect(f"admin:{kind}", key)
    form, chosen = SplitForm(request.POST or None), request.POST.getlist("link")
    links = links_of(known)
    if request.method == "POST" and form.is_valid():
        seen = whole_number(request.POST.get("seen", "")) or 0
        taken = [each for each in links if str(each.pk) in chosen]
        values = form.cleaned_data
        fault = refusal_of(
            lambda: split(known, taken, who(request), values["reason"], name=values["name"], seen=seen)  # type: ignore[arg-type]  # links of one kind
        )
        if not fault:
            _tell_of_split(request, kind, key)
            return redirect(f"admin:{kind}", key)
        known = known_or_404(request, kind, key)
    return page(
        request,
        None,
        "known_split",
        _("Split %(name)s") % {"name": known.name},
        _("Where the entries of two were put together: tick those of the other one."),
        known=known,
        seen=known.version,
        back=address_of(known),
        entries=[replace(each, is_chosen=str(each.pk) in chosen) for each in entries_shown(links)],
        barred="" if len(links) > 1 else _one_entry(links),
        form=form,
        fault=fault,
    )


def _tell_of_split(request: HttpRequest, kind: str, key: int) -> None:
    """Tell who was split off, with the way there."""
    act = PeopleAct.objects.filter(kind=PeopleAct.Kind.SPLIT, subjects__number=key).first()
    told = shown_act(act).about if act else []
    others = [(name, address) for name, address in told if address != reverse(f"admin:{kind}", args=[key])]
    for name, address in others:
        text = format_html('{} <a href="{}">{}</a>', _("Split off, and to be undone below:"), address, name)
        messages.success(request, text)


def _one_entry(links: Sequence[PersonLink | TeamLink]) -> str:
    if links:
        return _("There is one entry, so there is nothing to split off. Take its link away if it is wrong.")
    return _("There is no entry, so there is nothing to split off.")
