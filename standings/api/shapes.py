"""What the endpoints answer, as plain data; what the event file says is said in its words."""

from collections.abc import Callable, Iterator
from typing import Any

from django.http import Http404
from django.urls import reverse

from standings.api.plain import explanation_data, standings_data
from standings.basis import basis_of, rests_on
from standings.catalogue.eventlines import entries_in
from standings.catalogue.listing import Listing
from standings.checking.comparing import Agreement, Figures
from standings.checking.reports import checked_tables, verdict_of
from standings.engine import POLICIES, SYSTEMS, Criterion, RankingSystem, decimal_text, every
from standings.entries import Entry
from standings.eventwords import last_recorded_day
from standings.services import Ranked, places_after_each_round
from tournaments.event.declaring import object_of
from tournaments.event.document import Document, RoundEntry
from tournaments.event.layout import Lines, Rows
from tournaments.models import Event, Published

Absolute = Callable[[str], str]
"""Makes a whole address of a path."""


def events_data(listing: Listing, absolute: Absolute) -> dict[str, Any]:
    """A page of the public events, as the first page of the site lists them; two queries and the list's."""
    keys = listing.keys
    events = Event.objects.select_related("series").in_bulk(keys)
    entries = entries_in(keys)
    here = reverse("api-events")
    return Lines(
        total=listing.total,
        page=listing.page,
        pages=listing.pages,
        previous=absolute(here + listing.query(listing.page - 1)) if listing.page > 1 else None,
        next=absolute(here + listing.query(listing.page + 1)) if listing.page < listing.pages else None,
        events=Rows(_brief(events[pk], entries.get(pk, 0), absolute) for pk in keys if pk in events),
    )


def _brief(event: Event, entries: int, absolute: Absolute) -> dict[str, Any]:
    return {
        "slug": event.slug,
        "name": event.name,
        "series": event.series.slug if event.series else None,
        "place": event.place,
        "country": event.country,
        "start": event.start,
        "end": event.end,
        "state": event.state,
        "discipline": event.discipline,
        "entrants": event.entrants,
        "schedule": event.schedule,
        "rounds": event.planned_rounds,
        "competitors": entries,
        "address": absolute(reverse("api-event", args=[event.slug])),
    }


def event_data(event: Event, document: Document, absolute: Absolute) -> dict[str, Any]:
    """The event as in its event file, how far it has come, and where everything of it is."""

    def link(name: str, *further: object) -> str:
        return absolute(reverse(name, args=[event.slug, *further]))

    return Lines(
        event=object_of(document.event),
        version=event.data_version,
        told_until=last_recorded_day(event) or None,
        competitors=len(document.competitors),
        rounds=Rows(_round_facts(each, link) for each in document.rounds if each.pairings),
        links=Lines(
            page=link("event"),
            standings=link("api-standings"),
            competitors=link("api-competitors"),
            event_file=link("event-json"),
        ),
    )


def _round_facts(round_: RoundEntry, link: Callable[..., str]) -> dict[str, Any]:
    return {
        "number": round_.number,
        "date": round_.date,
        "state": round_.state,
        "pairings": len(round_.pairings),
        "awaited": sum(each.kind == "pending" for each in round_.pairings),
        "address": link("api-round", round_.number),
    }


def ranking_data(event: Event, found: Ranked) -> dict[str, Any]:
    """The standings, each row with who it is."""
    by_number = {entry.number: entry for entry in found.entries}
    data = standings_data(event.slug, found.standings)
    rows = Rows(_named(row, by_number[row["number"]]) for row in data["rows"])
    basis = rests_on(basis_of(found.standings.table))
    return Lines({**data, "version": event.data_version, "rests_on": basis, "rows": rows})


def _named(row: dict[str, Any], entry: Entry) -> dict[str, Any]:
    return {"number": entry.number, "name": entry.name, "code": entry.code, **row}


def round_data(event: Event, round_: RoundEntry) -> dict[str, Any]:
    """A round with its pairings, as in the event file."""
    return Lines(
        event=event.slug,
        version=event.data_version,
        number=round_.number,
        date=round_.date,
        state=round_.state,
        pairings=Rows(object_of(each) for each in round_.pairings),
    )


def competitors_data(event: Event, document: Document) -> dict[str, Any]:
    """Everybody, as in the event file; a team with all its players, those too whom its games would tell."""
    entries = Rows(object_of(each) for each in document.competitors)
    return Lines(event=event.slug, version=event.data_version, competitors=entries)


def competitor_data(event: Event, document: Document, found: Ranked, row: int) -> dict[str, Any]:
    """A row of the crosstable: the competitor as in the event file, where it stands, and its rounds."""
    entry, ranking = found.entries[row], standings_data(event.slug, found.standings)
    standing = next(each for each in ranking["rows"] if each["number"] == entry.number)
    competitor = next((each for each in document.competitors if each.number == entry.number), None)
    if competitor is None:  # taken out a moment ago
        raise Http404
    return Lines(
        event=event.slug,
        version=event.data_version,
        after=ranking["after"],
        rests_on=rests_on(basis_of(found.standings.table)),
        competitor=object_of(competitor),
        standing=_named(standing, entry),
        rounds=Rows(_own_rounds(event, document, found, row)),
    )


def _own_rounds(event: Event, document: Document, found: Ranked, row: int) -> Iterator[dict[str, Any]]:
    """Each paired round: what the competitor had and where it stood after it, and whom it met."""
    number = found.entries[row].number
    pairings = {at: each for at, each in document.pairings() if number in (each.first, each.second)}
    totals = found.standings.table.points().cumsum(axis=1)[row].tolist()
    # Not strict: a round may have been paired since the standings were read, and the next answer has it.
    after_each = zip(totals, places_after_each_round(event), strict=False)
    for at, (total, places) in enumerate(after_each, start=1):
        yield {
            "round": at,
            "total": decimal_text(total, 2),
            "place": places[row] or None,
            "pairing": object_of(pairings[at]) if at in pairings else None,
        }


def check_data(event: Event, published: Published | None) -> dict[str, Any]:
    """Our standings held against the published ones, as on the page: what is computed, rulings beside it."""
    tables = checked_tables(event, published) if published else []
    return Lines(
        event=event.slug,
        version=event.data_version,
        verdict=verdict_of(event, published).state,
        publisher=published.publisher if published else "",
        source=published.source if published else "",
        taken=(published.taken if published else "") or None,
        tables=Rows(
            {"after": table.after, "columns": [_agreement(each) for each in table.agreements]}
            for table in tables
        ),
    )


def _agreement(agreement: Agreement) -> dict[str, Any]:
    return {
        "label": agreement.label,
        "rows": agreement.rows,
        "agreeing": agreement.agreeing if agreement.checked else None,
        "differences": [_figures(each) for each in agreement.differences],
        "ruled": [_figures(each) for each in agreement.ruled],
    }


def _figures(figures: Figures) -> dict[str, Any]:
    return {
        "number": figures.number,
        "published": figures.published,
        "computed": figures.computed,
        "ruled": figures.ruled,
        "why": figures.why,
    }


def value_data(event: Event, found: Ranked, row: int, code: str) -> dict[str, Any]:
    """How a value came about; UnknownCriterionError where there is no such criterion."""
    data = explanation_data(found.standings, row, code)
    return Lines({"event": event.slug, "version": event.data_version, **data, "lines": Rows(data["lines"])})


def criteria_data(absolute: Absolute) -> dict[str, Any]:
    """Every criterion, ranking system and policy for unplayed rounds."""
    return Lines(
        criteria=Rows(_criterion(each, absolute) for each in every()),
        systems=Rows(_system(each) for each in SYSTEMS.values()),
        policies=list(POLICIES),
    )


def _criterion(criterion: Criterion, absolute: Absolute) -> dict[str, Any]:
    return {
        "code": criterion.code,
        "name": criterion.name,
        "abbreviation": criterion.abbr,
        "rule": criterion.rule,
        "source": criterion.source,
        "scaled": criterion.scaled,
        "page": absolute(reverse("criterion", args=[criterion.code])),
    }


def _system(system: RankingSystem) -> dict[str, Any]:
    return {
        "code": system.code,
        "name": system.name,
        "frozen": system.frozen,
        "criteria": list(system.criteria),
        "unplayed": system.unplayed.code,
    }
