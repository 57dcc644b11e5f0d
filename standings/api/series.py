"""Series with their editions and totals, and congresses with their sections."""

from collections import Counter

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.text import slugify

from standings.api.list_schemas import (
    CareerData,
    CongressBrief,
    CongressData,
    CongressListData,
    EditionData,
    FirstPlaceData,
    SeriesBrief,
    SeriesData,
    SeriesListData,
)
from standings.api.lists import briefs_of
from standings.api.responses import endpoint, select_fields
from standings.caching.cached_pages import site_page
from standings.catalogue.editions import (
    Edition,
    congress_of,
    editions_of,
    sections_of_congress,
)
from standings.catalogue.outcomes import Outcome
from standings.catalogue.series.honours import Placed, honours_of
from standings.catalogue.seriesrows import SeriesRow, series_rows
from standings.engine import decimal_text
from tournaments.event.choices import PUBLIC
from tournaments.models import Event, Series
from tournaments.operations.revision import site_revision


@endpoint(site_page)
def series_list(request: HttpRequest) -> SeriesListData:
    """All series, each with its editions and who won the last one that is over."""
    return SeriesListData(series=[_series_brief(row, request) for row in series_rows(site_revision())])


def _series_brief(row: SeriesRow, request: HttpRequest) -> SeriesBrief:
    outcome = row.outcome
    absolute = request.build_absolute_uri
    return select_fields(
        SeriesBrief,
        row,
        last_event=row.last.slug,
        is_over=row.last.is_over,
        first=_first(outcome) if outcome else [],
        sharing=outcome.sharing if outcome else 0,
        address=absolute(reverse("api-series", args=[row.slug])),
        page=absolute(reverse("series", args=[row.slug])),
    )


def _first(outcome: Outcome) -> list[FirstPlaceData]:
    return [
        {"place": outcome.places[each.number][0], "number": each.number, "name": each.name}
        for each in outcome.first
    ]


@endpoint(site_page)
def series(request: HttpRequest, slug: str) -> SeriesData:
    """One series: its editions with their first three, medals, and all matches of all time."""
    found = get_object_or_404(Series, slug=slug)
    editions = editions_of(found)
    if not editions:
        raise Http404
    honours = honours_of([edition.event for edition in editions])
    return SeriesData(
        slug=found.slug,
        name=found.name,
        page=request.build_absolute_uri(reverse("series", args=[found.slug])),
        editions=[_edition_data(each, request) for each in editions],
        medals=[_career(each) for each in honours.medals],
        all_time=[_career(each) for each in honours.all_time],
        mixed=honours.mixed,
    )


def _edition_data(edition: Edition, request: HttpRequest) -> EditionData:
    event = edition.event
    return select_fields(
        EditionData,
        event,
        event=event.slug,
        year=edition.year,
        rests_on=edition.basis,
        first=[{"place": each.place, "number": each.number, "name": each.name} for each in edition.first],
        address=request.build_absolute_uri(reverse("api-event", args=[event.slug])),
    )


def _career(placed: Placed) -> CareerData:
    career = placed.career
    event, result = career.last
    gold, silver, bronze = career.medals
    return select_fields(
        CareerData,
        career,
        place=placed.place,
        name=result.name,
        code=result.code,
        event=event.slug,
        number=result.number,
        gold=gold,
        silver=silver,
        bronze=bronze,
        best=career.best or None,
        match_points=decimal_text(career.match_points, 2),
        game_points=decimal_text(career.points, 2),
        most_game_points=decimal_text(career.most, 2),
    )


@endpoint(site_page)
def congress_list(request: HttpRequest) -> CongressListData:
    """All congresses: events that were played as one, section by section."""
    events = Event.objects.filter(state__in=PUBLIC).exclude(congress="").only("congress")
    sections = Counter(event.congress for event in events.order_by("congress"))
    slugs = {slugify(event.congress): event.congress for event in events}
    absolute = request.build_absolute_uri
    return CongressListData(
        congresses=[
            CongressBrief(
                slug=slug,
                name=name,
                sections=sections[name],
                address=absolute(reverse("api-congress", args=[slug])),
                page=absolute(reverse("congress", args=[slug])),
            )
            for slug, name in sorted(slugs.items())
            if slug
        ]
    )


@endpoint(site_page)
def congress(request: HttpRequest, slug: str) -> CongressData:
    """One congress, with its sections."""
    name = congress_of(slug)
    if not name:
        raise Http404
    return CongressData(
        slug=slug,
        name=name,
        page=request.build_absolute_uri(reverse("congress", args=[slug])),
        sections=briefs_of([event.pk for event in sections_of_congress(name)], request),
    )
