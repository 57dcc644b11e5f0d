"""Compare a document with the database: differences, and findings that forbid the import."""

from collections.abc import Iterator
from dataclasses import dataclass

from tournaments import models
from tournaments.event.choices import OverrideKind
from tournaments.event.document import Document
from tournaments.event.finding import Finding, Place, error
from tournaments.event.rules import SETTLED, Rules, first_rules, overrides_explain_rules
from tournaments.interchange.formats.account import Account
from tournaments.interchange.formats.json.reader import Reading
from tournaments.interchange.imports.differences import (
    Differences,
    differences,
    with_private_kept,
    with_records_kept,
)
from tournaments.people.hiding.import_filter import NO_MATCHES, HiddenMatches, without_hidden
from tournaments.stored import Stored, stored


@dataclass(frozen=True, slots=True)
class ImportDiff:
    """The changes that an import would make. `stored`: None for a new event. `findings` forbid the import.

    `account`: the data of the file that were read or not. `objections`: can be overridden with a reason.
    `hidden_matches`: which entries belong to hidden persons.
    """

    document: Document
    stored: Stored | None
    differences: Differences
    findings: tuple[Finding, ...]
    account: Account = ()
    objections: tuple[Finding, ...] = ()
    hidden_matches: HiddenMatches = NO_MATCHES


def compare_with_stored(
    document: Document, read: Reading | None = None, *, lock: bool = False, home: str = ""
) -> ImportDiff:
    """Compare a document with the database. `read`: the reading of the file, if there is one.

    `lock` locks the event until the end of the transaction. `home`: the home that has sent the file.
    """
    events = models.Event.objects.select_related("series")
    event = (
        (events.select_for_update(of=("self",)) if lock else events).filter(slug=document.event.slug).first()
    )
    found = stored(event) if event else None
    hidden_matches = NO_MATCHES
    if found:
        # Before the comparison, because data that public files omit are not a change.
        document, hidden_matches = without_hidden(document, found.event, found.document)
        document = with_private_kept(found.document, with_records_kept(found.document, document))
    changed = differences(found.document if found else None, document)
    findings = [*_slug_errors(document, event)]
    if found:
        findings += [*_rules_errors(document, found.document), *_log_errors(changed, found.document)]
        # The desk of its home has checked the others, and may for example have gone back to before a round.
        if not (home and found.event.home == home):
            findings += [*_override_errors(changed), *_round_errors(document, found.document)]
    account = (read.account, read.objections) if read else ((), ())
    return ImportDiff(document, found, changed, tuple(findings), *account, hidden_matches=hidden_matches)


def _slug_errors(document: Document, event: models.Event | None) -> Iterator[Finding]:
    slug, place = document.event.slug, Place("event")
    taken = models.FormerSlug.objects.filter(slug__in=[slug, *document.event.former_slugs])
    for former in taken.exclude(event=event).select_related("event"):
        key = "slug" if former.slug == slug else "former_slugs"
        text = (
            f"“{former.slug}” is a former address of {former.event.slug}. Take another slug, or that event's."
        )
        yield error("slug-taken", place.key(key), text)
    if event and event.former_slugs.filter(slug=slug).exists():
        text = f"“{slug}” is among the former addresses of this event. Remove it there first."
        yield error("slug-taken", place.key("slug"), text)
    for other in models.Event.objects.filter(slug__in=document.event.former_slugs):
        text = f"“{other.slug}” is the address of another event, {other.name}. Change its address first."
        yield error("slug-taken", place.key("former_slugs"), text)


def _rules_errors(document: Document, before: Document) -> Iterator[Finding]:
    now = Rules.of(document.event)
    known = {each.number for each in before.overrides}
    brings = any(each.kind == OverrideKind.RULES and each.number not in known for each in document.overrides)
    is_frozen = any(each.kind in SETTLED for _, each in before.pairings())
    if brings and is_frozen:
        first = first_rules(Rules.of(before.event), before.overrides)
        if not overrides_explain_rules(now, first, document.overrides):
            text = (
                "The changes of the rules in this file do not lead from the rules recorded here to those "
                "of the file. Take them out, and give a reason for the change."
            )
            yield error("rules-of-another-record", Place("overrides"), text)


def _round_errors(document: Document, before: Document) -> Iterator[Finding]:
    drafts = {each.number for each in document.rounds if each.is_draft}
    logged = {each.round for each in before.changes}
    had: set[int] = set()
    # Readers have not seen results of a draft event, so they may be removed.
    if before.event.state != models.Event.State.DRAFT:
        had = {
            number
            for number, each in before.pairings()
            if each.second is not None
            and (each.kind in SETTLED or any(game.kind in SETTLED for game in each.games))
        }
    gone = logged - {each.number for each in document.rounds}
    for number in sorted(gone | (drafts & (logged | had))):
        yield round_taken_back(number)


def round_taken_back(number: int) -> Finding:
    """Return the error about a removed round with results that readers know."""
    text = (
        f"Readers know of results of round {number}: its pairings stay published. Keep the round in the "
        "file, with its state “published”; its results can be taken out."
    )
    return error("round-taken-back", Place(round=number), text)


def _log_errors(found: Differences, before: Document) -> Iterator[Finding]:
    moved = {number for change in before.changes for number, *_places in change.moved}
    for row in found.competitors:
        if row.old and not row.new and row.old.number in moved:
            text = (
                f"Competitor {row.old.number} is missing in the file, but the public log mentions this "
                "competitor in a correction. Keep the competitor, marked as withdrawn if needed."
            )
            yield error("competitor-of-the-log", Place("competitors"), text)


def _override_errors(found: Differences) -> Iterator[Finding]:
    for override in found.overrides:
        if override.old and not override.new:
            text = (
                f"Override {override.old.number} is recorded and missing here. Add it; undo it if it is void."
            )
            yield error("override-removed", Place("overrides"), text)
        elif override.old and override.new:
            text = (
                f"Override {override.old.number} differs from the stored one. Restore it in the file. To "
                "reverse an override, add an undo override."
            )
            yield error("override-changed", Place("overrides"), text)
