"""The checks of an event, one module for each part of the file."""

from tournaments.event.checks import categories, event, pairings, prizes, published, rulings, texts
from tournaments.event.document import Document
from tournaments.event.finding import Finding, Severity

CHECKS = (
    event.settings,
    event.check_competitors,
    event.check_people,
    categories.check_categories,
    prizes.check_prizes,
    texts.check_texts,
    pairings.check_rounds,
    pairings.meetings,
    pairings.check_schedule,
    pairings.check_lineups,
    rulings.check_overrides,
    rulings.check_records,
    published.check_published,
)
"""Every check: takes a document and yields findings."""


def check_document(document: Document) -> tuple[Finding, ...]:
    """Return all findings of an event, including acknowledged ones, in the order of the file."""
    return tuple(finding for each in CHECKS for finding in each(document))


def unacknowledged(findings: tuple[Finding, ...], document: Document) -> tuple[Finding, ...]:
    """Return the findings without the warnings that were acknowledged for their round and table."""
    accepted = {(each.finding, each.round, each.table) for each in document.acknowledged}
    return tuple(
        each
        for each in findings
        if each.severity is Severity.ERROR or (each.code, each.round, each.table) not in accepted
    )
