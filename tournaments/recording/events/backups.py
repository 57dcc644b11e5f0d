"""Backups of an event as an event file, created before risky changes and restored as a copy (ADR 0021)."""

from dataclasses import replace
from hashlib import sha256

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from tournaments.event.document import Document
from tournaments.interchange.formats.json.reader import read
from tournaments.interchange.formats.json.writer import write
from tournaments.interchange.imports.applying import apply
from tournaments.interchange.imports.import_diff import compare_with_stored
from tournaments.models import Backup, Event
from tournaments.people.hiding.anonymise import with_real_names
from tournaments.people.hiding.hidden_entries import hidden_entries
from tournaments.people.hiding.import_filter import NO_MATCHES, find_hidden_entries
from tournaments.people.services.linking import carry_links, link_entries
from tournaments.recording.locking import attribute, name_of_user, saving
from tournaments.recording.refusal import Refused
from tournaments.stored import stored


def back_up(event: Event, by: User, reason: str) -> Backup:
    """Store a backup of the event. Return the last one if nothing has changed."""
    return keep(event, stored(event).document, name_of_user(by), reason)


def keep(event: Event, document: Document, by: str, reason: str) -> Backup:
    """Store a backup of an event that was loaded already. `by` is a name, because commands have no account.

    The backup contains the real names of hidden persons. Whatever is restored from it hides them again, as
    long as they are hidden.
    """
    with with_real_names(event) as recorded:
        document = document if recorded is event else stored(recorded).document
    file = write(document).encode()
    digest = sha256(file).hexdigest()
    last = event.backups.defer("file").first()
    # Closing and opening rounds creates backups often; identical ones are not stored.
    if last and last.sha256 == digest:
        return last
    return Backup.objects.create(event=event, file=file, sha256=digest, by=by, reason=reason)


def restore(backup: Backup, slug: str, by: User) -> Event:
    """Restore a backup as a draft with a free slug. The arbiters are the current ones, and `by`.

    Everything in an event file is restored: results, overrides, change log, acknowledgements. Raise
    Refused if the checksum does not match.
    """
    file = bytes(backup.file)
    document = read(file).document
    # A restored database dump may have truncated the file.
    if document is None or sha256(file).hexdigest() != backup.sha256:
        raise Refused(_("This backup is damaged. Use another backup."))
    arbiters = list(backup.event.arbiters.all())
    return store_draft(document, slug, by, arbiters, backup.event)


def store_draft(
    document: Document, slug: str, by: User, arbiters: list[User], source: Event | None = None
) -> Event:
    """Store a document as a new draft. Raise Refused if the slug is taken or the document has an error.

    `source`: event with the same entries, whose links to persons and teams are copied.
    """
    event = replace(document.event, slug=slug, former_slugs=(), state=Event.State.DRAFT.value)
    with saving():
        proposal = compare_with_stored(replace(document, event=event), lock=True)
        if proposal.stored is not None:
            raise Refused(
                _("“%(slug)s” is the address of another event. Choose another one.") % {"slug": slug}
            )
        if proposal.findings:
            raise Refused(proposal.findings[0].message)
        made = apply(proposal)
        matches = NO_MATCHES
        if source:
            if hidden := hidden_entries(source):
                matches = find_hidden_entries(proposal.document, stored(source).document, hidden)
            carry_links(source, made, matches, name_of_user(by))
        link_entries(made, name_of_user(by), matches)
        attribute(made, by)
        made.arbiters.set({*arbiters, by})
    return made
