"""The public part of an event's document: all but rounds that are drafts, and of days of birth the year.

Special prizes are told with the prize list, not before it.

Whatever leaves the site without a login (pages, downloads, archives, the API) is made of this document. The
desk's own event file and report, and `export_event`, are made of the whole one.
"""

from dataclasses import replace

from tournaments import models
from tournaments.event.dates import year_of
from tournaments.event.document import CompetitorEntry, Document
from tournaments.event.prizes import shows_prizes
from tournaments.formats.trf.identities import births_of, public_line
from tournaments.stored import stored


def public_birth(born: str) -> str:
    """Return the year of a birth that is stored as a day or a year; blank where no year is known."""
    year = year_of(born)
    return f"{year:04d}" if year else ""


def public(document: Document) -> Document:
    """Return the document as the public sees it."""
    published = document.without_drafts()
    # Collected first: a line of a report may name the birth of anybody in the event.
    births = births_of(published)
    trf = tuple(public_line(each, births) for each in published.event.trf)
    competitors = tuple(_public(each) for each in published.competitors)
    if not shows_prizes(published.event):
        competitors = tuple(replace(each, awards=()) if each.awards else each for each in competitors)
    return replace(published, event=replace(published.event, trf=trf), competitors=competitors)


def public_document(event: models.Event) -> Document:
    """Return the stored event as the public sees it; as many queries as `stored` asks."""
    return public(stored(event).document)


def _public(competitor: CompetitorEntry) -> CompetitorEntry:
    # Readers see the year of a birth, never the day.
    players = tuple(replace(each, born=public_birth(each.born)) for each in competitor.players)
    return replace(competitor, born=public_birth(competitor.born), players=players)
