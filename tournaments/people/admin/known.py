"""The desk's page of a person or a team: what is known, the entries, and what was done to it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.admin.frame import page, refusal_of, who
from tournaments.admin.permissions import organisers_only, visible
from tournaments.models import (
    Event,
    LinkProposal,
    Person,
    PersonLink,
    Team,
    TeamLink,
)
from tournaments.people.admin.doubts import open_doubts
from tournaments.people.admin.finding import Known, address_of, find_persons, find_teams
from tournaments.people.admin.history import shown_acts
from tournaments.people.admin.knownforms import KnownForm, PartsField, PersonForm, TeamForm
from tournaments.people.entries import leading_to, team_slug
from tournaments.people.public import public_name
from tournaments.people.services.editing import IdTaken, edit, make

Link = PersonLink | TeamLink


@dataclass(frozen=True, slots=True)
class ShownEntry:
    """A link as the desk lists it; `is_there`: the entry is in its event at present."""

    pk: int
    event: Event
    name: str
    team: str
    how: str
    by: str
    is_there: bool
    event_address: str
    public_address: str
    unlink: str
    number: int
    is_twice: bool = False
    is_chosen: bool = False


@organisers_only
def people(request: HttpRequest) -> HttpResponse:
    """Search persons and teams; without a text those that changed last."""
    text = request.GET.get("q", "")[:120]
    return page(
        request,
        None,
        "people",
        _("Persons and teams"),
        _(
            "Whoever plays in several events is one person here, and a team is one team. "
            "Readers follow them over events."
        ),
        text=text,
        found=[*find_persons(text), *find_teams(text)],
        waiting=LinkProposal.objects.count(),
        doubts=open_doubts(request),
    )


def known_or_404(request: HttpRequest, kind: str, key: int) -> Known:
    """Return the person or the team of that number, as far as the account may see it."""
    found = visible(request.user, MODELS[kind]).filter(pk=key).first()
    if found is None:
        raise Http404
    known: Known = found
    return known


MODELS: dict[str, type[Known]] = {"person": Person, "team": Team}


@organisers_only
def new(request: HttpRequest, kind: str) -> HttpResponse:
    """Make a person or a team that no entry made."""
    form = _form_of(kind)(request.POST or None)
    others: list[tuple[str, Known]] = []
    taken: list[Known] = []
    if request.method == "POST" and form.is_valid():
        own, rows = values_of(form)
        made, reason = MODELS[kind](**own), form.cleaned_data["reason"] or _("Made by hand.")
        act = partial(make, made, who(request), reason, **rows)
        fault = refusal_of(lambda: _noting_taken(act, taken))
        if not fault:
            messages.success(request, _("Saved."))
            return redirect(address_of(made))
        form.add_error(None, fault)
        others = [(address_of(each), each) for each in taken]
    title = _("New person") if kind == "person" else _("New team")
    purpose = _("Most come by themselves, with the entries of events. Search first: each stands here once.")
    return page(request, None, "known_new", title, purpose, form=form, others=others)


def _noting_taken(act: Callable[[], object], taken: list[Known]) -> None:
    """Do an act; where an id is another person's, note who that is."""
    try:
        act()
    except IdTaken as fault:
        taken.append(fault.person)
        raise


@organisers_only
def known(request: HttpRequest, kind: str, key: int) -> HttpResponse:
    """Show a person or a team; a post stores what is known of it."""
    found = known_or_404(request, kind, key)
    if found.merged_into_id:
        messages.info(request, _("Number %(number)s was merged into this one.") % {"number": key})
        return redirect(f"admin:{kind}", found.merged_into_id)
    form, fault = _form_of(kind)(request.POST or None, initial=initial_of(found)), ""
    taken: list[Known] = []
    if request.method == "POST" and form.is_valid():
        (own, rows), seen = values_of(form), form.cleaned_data["seen"] or 0
        reason = form.cleaned_data["reason"]
        act = partial(edit, found, seen, who(request), reason, **own, **rows)
        fault = refusal_of(lambda: _noting_taken(act, taken))
        if not fault:
            messages.success(request, _("Saved."))
            return redirect(f"admin:{kind}", key)
        found = known_or_404(request, kind, key)
    return _shown(request, found, form, fault, taken)


def _shown(
    request: HttpRequest, found: Known, form: KnownForm, fault: str, taken: Sequence[Known]
) -> HttpResponse:
    kind = kind_of(found)
    stored: list[tuple[str, str]] = []
    if fault and form.cleaned_data.get("seen") != found.version:
        # What is typed stays in the form, under the version of now, beside what somebody else has saved.
        stored = _in_words(found, form)
        posted = request.POST.copy()
        posted["seen"] = str(found.version)
        form = type(form)(posted)
    links = links_of(found)
    ways = [(reverse(f"admin:{kind}-{act}", args=[found.pk]), text) for act, text in _ways(found, len(links))]
    return page(
        request,
        None,
        "known",
        found.name,
        _("Number %(number)s. Whatever is changed here can be undone below.") % {"number": found.pk},
        form=form,
        fault=fault,
        stored=stored,
        others=[(_merge_address(found, each), each) for each in taken],
        ways=ways,
        entries=entries_shown(links),
        acts=shown_acts(found),
        hidden_as=public_name(found) if isinstance(found, Person) and found.hidden else "",
        page_address=public_address(found),
    )


def _merge_address(found: Known, other: Known) -> str:
    return f"{reverse('admin:person-merge', args=[found.pk])}?other={other.pk}"


def _ways(found: Known, entries: int) -> list[tuple[str, str]]:
    ways = [("link", _("Link an entry")), ("merge", _("Merge"))]
    if entries > 1:
        ways.append(("split", _("Split")))
    if isinstance(found, Person):
        ways.append(("hide", _("Show again") if found.hidden else _("Hide")))
        if found.hidden:
            ways.append(("remaining", _("Where the surname appears")))
    return ways


def kind_of(found: Known) -> str:
    """Return `person` or `team`, as addresses name them."""
    return "team" if isinstance(found, Team) else "person"


def public_address(found: Known) -> str:
    """Return the public page of a person or a team."""
    if isinstance(found, Team):
        slug = team_slug(found)
        return f"/teams/{found.pk}-{slug}/" if slug else f"/teams/{found.pk}/"
    leading = leading_to(found)
    return f"/people/{leading.id}-{leading.slug}/" if leading.slug else f"/people/{leading.id}/"


# --- the form ---------------------------------------------------------------------------------------------


def _form_of(kind: str) -> type[KnownForm]:
    return PersonForm if kind == "person" else TeamForm


def initial_of(found: Known) -> dict[str, Any]:
    """Return what the form begins with; four queries at most."""
    shown: dict[str, Any] = {
        "seen": found.version,
        "name": found.name,
        "note": found.note,
        "sources": found.sources,
    }
    if isinstance(found, Team):
        return shown | {
            "kind": found.kind,
            "names": [(each.name, each.since, each.until) for each in found.names.all()],
            "codes": [(each.code, each.since, each.until) for each in found.codes.all()],
        }
    return shown | {
        "sex": found.sex,
        "born": found.born,
        "names": [(each.name,) for each in found.names.all()],
        "federations": [(each.code, each.since, each.until) for each in found.federations.all()],
        "titles": [(each.title, each.since) for each in found.titles.all()],
        "identifiers": [(each.scheme, each.value) for each in found.identifiers.all()],
    }


def values_of(form: KnownForm) -> tuple[dict[str, Any], dict[str, list[dict[str, str]]]]:
    """Return the fields that were typed, by name, and the rows of each list, each its fields by name."""
    typed = {name: value for name, value in form.cleaned_data.items() if name not in {"seen", "reason"}}
    rows = {
        name: [dict(zip(field.columns, line, strict=True)) for line in typed.pop(name)]
        for name, field in form.fields.items()
        if isinstance(field, PartsField)
    }
    return typed, rows


def _in_words(found: Known, form: KnownForm) -> list[tuple[str, str]]:
    """Return label and text of each value as it is stored, where it differs from what was typed."""
    stored = initial_of(found)
    told = []
    for name, value in stored.items():
        field = form.fields[name]
        if name != "seen" and value != form.cleaned_data.get(name):
            text = field.prepare_value(value) if isinstance(value, list) else str(value)
            told.append((str(field.label), text.replace("\n", " / ")))
    return told


# --- entries and history ----------------------------------------------------------------------------------


def links_of(found: Known) -> list[Link]:
    """Return the links of a person or a team by the start of their events; one query."""
    rows: Any = found.links
    beside = (
        ("event", "competitor") if isinstance(found, Team) else ("event", "competitor", "player__competitor")
    )
    return list(rows.select_related(*beside).order_by("event__start", "event__name", "pk"))


def entries_shown(links: Iterable[Link], twice: frozenset[int] = frozenset()) -> list[ShownEntry]:
    """Return links as they are listed; `twice` are the events to be marked."""
    return [_entry_shown(each, twice) for each in links]


def _entry_shown(link: Link, twice: frozenset[int]) -> ShownEntry:
    player = link.player if isinstance(link, PersonLink) else None
    entry = player or link.competitor
    competitor = player.competitor if player else link.competitor
    public = ""
    if competitor and link.event.is_public:
        public = reverse("competitor", args=[link.event.slug, competitor.number])
    kind = "team" if isinstance(link, TeamLink) else "person"
    return ShownEntry(
        link.pk,
        link.event,
        entry.name if entry else link.name,
        player.competitor.name if player else "",
        link.get_how_display(),
        link.by,
        entry is not None,
        reverse("admin:event-desk", args=[link.event_id]),
        public,
        reverse(f"admin:{kind}-unlink", args=[link.pk]),
        competitor.number if competitor else link.number,
        is_twice=link.event_id in twice,
    )
