"""Pages of a person and of a team across events."""

from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from standings.caching.cached_pages import people_page, rendered, temporary_redirect
from standings.careers.members import members_of_team
from standings.careers.tables import members_table
from standings.careers.totals import federations_told, titles_told, written_ways
from standings.downloads.citations import without_empty
from standings.flags import flag_of
from standings.pages.frame import json_ld
from standings.pages.people.lookup import PERSONS, TEAMS
from standings.texts import name_of_federation
from tournaments.event.federations import federation
from tournaments.operations.revision import person_page_stamp
from tournaments.people.matching.candidates import unlinked_entries
from tournaments.people.public import PublicPerson, PublicSpan

FIDE_PROFILE = "https://ratings.fide.com/profile/"
SCHEMES = {"fide": "FIDE", "fmjd": "FMJD"}
"""The names of international id schemes."""


class FederationSpan(NamedTuple):
    """A federation that a person played for, with partial dates if known."""

    flag: SafeString
    name: str
    code: str
    since: str
    until: str


class LabelledIdentifier(NamedTuple):
    """An id with the name of its scheme, and the URL of the profile if there is one."""

    scheme: str
    value: str
    address: str


@people_page(PERSONS.name, person_page_stamp, "key")
def person(request: HttpRequest, key: int, named: str = "") -> HttpResponse:
    about = PERSONS.known(key)
    if (about.id, about.slug) != (key, named):
        return temporary_redirect(PERSONS.address(about.id, about.slug))
    if about.is_hidden:
        return rendered(request, "standings/person.html", {"about": about})
    shown = PERSONS.shown(key)
    unlinked = unlinked_entries(key)
    context = {
        "about": about,
        "written": [*about.names, *written_ways((about.name, *about.names), shown.career)],
        "federations": list(map(_federation_span, federations_told(about, shown.career))),
        "titles": titles_told(about, shown.career),
        "identifiers": [labelled_identifier(*identifier) for identifier in about.identifiers],
        "shown": shown,
        "structured": _person_json_ld(about, request.build_absolute_uri(request.path)),
        "feed": reverse("person-feed", args=[key]),
        "choose": PERSONS.opponents(key),
        "unlinked": unlinked,
        "unlinked_count": len({entry.event.pk for entry in unlinked}),
    }
    return rendered(request, "standings/person.html", context)


@people_page(TEAMS.name, TEAMS.stamp_of, "key")
def team(request: HttpRequest, key: int, named: str = "") -> HttpResponse:
    about = TEAMS.known(key)
    if (about.id, about.slug) != (key, named):
        return temporary_redirect(TEAMS.address(about.id, about.slug))
    shown = TEAMS.shown(key)
    names = [PublicSpan(each.name, each.since, each.until) for each in about.team.names.all()]
    codes = [PublicSpan(each.code, each.since, each.until) for each in about.team.codes.all()]
    members = members_of_team(key, shown.career)
    title = _("Players of %(name)s, the most games first") % {"name": about.name}
    context = {
        "about": about,
        "names": names,
        "written": written_ways({about.name, *(each.text for each in names)}, shown.career),
        "codes": list(map(_federation_span, codes)),
        "shown": shown,
        "members": members_table(members, title) if members else None,
        "has_unknown": any(member.leading is None for member in members),
        "feed": reverse("team-feed", args=[key]),
        "choose": TEAMS.opponents(key),
    }
    return rendered(request, "standings/team.html", context)


def _federation_span(span: PublicSpan) -> FederationSpan:
    bearer = federation(span.text)
    name = name_of_federation(bearer) if bearer else span.text
    return FederationSpan(flag_of(span.text, None), name, span.text, span.since, span.until)


def labelled_identifier(scheme: str, value: str) -> LabelledIdentifier:
    address = f"{FIDE_PROFILE}{value}" if scheme == "fide" and value.isdecimal() else ""
    return LabelledIdentifier(SCHEMES.get(scheme, scheme.upper()), value, address)


def _person_json_ld(about: PublicPerson, address: str) -> SafeString:
    """Return the person as JSON-LD, with the fields of `public_person` only."""
    identifiers = [labelled_identifier(*identifier) for identifier in about.identifiers]
    last = federation(about.federations[-1].text) if about.federations else None
    facts: dict[str, Any] = {
        "@type": "Person",
        "@id": f"{address}#person",
        "url": address,
        "name": about.name,
        "alternateName": list(about.names),
        "birthDate": about.born,
        "nationality": {"@type": "Country", "name": last.name} if last else None,
        "honorificPrefix": about.titles[-1].text if about.titles else "",
        "sameAs": [identifier.address for identifier in identifiers if identifier.address],
        "identifier": [
            {"@type": "PropertyValue", "propertyID": identifier.scheme, "value": identifier.value}
            for identifier in identifiers
        ],
    }
    return json_ld(without_empty(facts))
