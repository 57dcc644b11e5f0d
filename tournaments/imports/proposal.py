"""A document beside what is stored: what would change, and what forbids it."""

from collections.abc import Iterator
from dataclasses import dataclass

from tournaments import models
from tournaments.event.choices import OverrideKind
from tournaments.event.document import Document, PairingEntry
from tournaments.event.finding import Finding, Place, error
from tournaments.event.rules import SETTLED, Rules, first_rules, tells_its_rules
from tournaments.formats.account import Account
from tournaments.formats.json.reader import Reading
from tournaments.imports.differences import Differences, differences, with_days_kept, with_records_kept
from tournaments.people.incoming import without_hidden
from tournaments.people.telling import NOBODY, Telling
from tournaments.stored import Stored, stored


@dataclass(frozen=True, slots=True)
class Proposal:
    """The changes that an import would make. `stored` is None where the event is new; findings forbid it.

    `account` says what was read of a file and what not; `objections` to it are accepted with a reason.
    `telling` says which entries are those of hidden persons.
    """

    document: Document
    stored: Stored | None
    differences: Differences
    findings: tuple[Finding, ...]
    account: Account = ()
    objections: tuple[Finding, ...] = ()
    telling: Telling = NOBODY


def propose(document: Document, read: Reading | None = None, *, lock: bool = False) -> Proposal:
    """Return the document compared with the database; `read` is how a file told it, if one did.

    Inside a transaction, `lock` holds the event until its end.
    """
    events = models.Event.objects.select_related("series")
    event = (
        (events.select_for_update(of=("self",)) if lock else events).filter(slug=document.event.slug).first()
    )
    found = stored(event) if event else None
    telling = NOBODY
    if found:
        # Before the comparison: what public files leave out is no change.
        document, telling = without_hidden(document, found.event, found.document)
        document = with_days_kept(found.document, with_records_kept(found.document, document))
    changed = differences(found.document if found else None, document)
    findings = (*_addresses(document, event), *_records(changed), *_rules(document, found))
    findings = (*findings, *_rounds(document, found), *_logged(changed, found))
    account = (read.account, read.objections) if read else ((), ())
    return Proposal(document, found, changed, findings, *account, telling=telling)


def _addresses(document: Document, event: models.Event | None) -> Iterator[Finding]:
    """Yield an error where an address would lead to two events."""
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
        text = f"“{other.slug}” is the address of another event, {other.name}. Rename that one first."
        yield error("slug-taken", place.key("former_slugs"), text)


def _rules(document: Document, stored: Stored | None) -> Iterator[Finding]:
    """Yield an error where the changes of rules in a file do not begin at the rules that are recorded."""
    if stored is None:
        return
    before, now = stored.document, Rules.of(document.event)
    known = {each.number for each in before.overrides}
    brings = any(each.kind == OverrideKind.RULES and each.number not in known for each in document.overrides)
    is_frozen = any(each.kind in SETTLED for _, each in before.pairings())
    if brings and is_frozen:
        first = first_rules(Rules.of(before.event), before.overrides)
        if not tells_its_rules(now, first, document.overrides):
            text = (
                "The changes of the rules in this file do not lead from the rules recorded here to those "
                "of the file. Take them out, and give a reason for the change."
            )
            yield error("rules-of-another-record", Place("overrides"), text)


def _rounds(document: Document, stored: Stored | None) -> Iterator[Finding]:
    """Yield an error for a round that is missing or a draft again, and that readers know of."""
    if stored is None:
        return
    before = stored.document
    drafts = {each.number for each in document.rounds if each.is_draft}
    logged = {each.round for each in before.changes}
    had: set[int] = set()
    # No reader has seen the results of a draft, so they may go.
    if before.event.state != models.Event.State.DRAFT:
        had = {number for number, each in before.pairings() if _has_result(each)}
    gone = logged - {each.number for each in document.rounds}
    for number in sorted(gone | (drafts & (logged | had))):
        yield round_taken_back(number)


def round_taken_back(number: int) -> Finding:
    """Return the error that a file hides a round from readers who know of its results."""
    text = (
        f"Readers know of results of round {number}: its pairings stay published. Keep the round in the "
        "file, with its state “published”; its results can be taken out."
    )
    return error("round-taken-back", Place(round=number), text)


def _has_result(pairing: PairingEntry) -> bool:
    """Say whether two have a result here, be it of one board."""
    decided = pairing.kind in SETTLED or any(each.kind in SETTLED for each in pairing.games)
    return pairing.second is not None and decided


def _logged(found: Differences, stored: Stored | None) -> Iterator[Finding]:
    """Yield an error for a competitor who is missing, and whom the public log says to have moved."""
    changes = stored.document.changes if stored else ()
    moved = {number for change in changes for number, *_places in change.moved}
    for row in found.competitors:
        if row.old and not row.new and row.old.number in moved:
            text = (
                f"Competitor {row.old.number} is missing here, and the public log says that a correction "
                "moved him. Keep him, withdrawn where he has left."
            )
            yield error("competitor-of-the-log", Place("competitors"), text)


def _records(found: Differences) -> Iterator[Finding]:
    """Yield an error for an override that is missing or changed: what was ruled stays to be read."""
    for override in found.overrides:
        if override.old and not override.new:
            text = (
                f"Override {override.old.number} is recorded and missing here. Add it; undo it if it is void."
            )
            yield error("override-removed", Place("overrides"), text)
        elif override.old and override.new:
            text = (
                f"Override {override.old.number} is recorded otherwise. Restore it; undo it by a further one."
            )
            yield error("override-changed", Place("overrides"), text)
