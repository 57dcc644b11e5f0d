"""An upload tried on an event: what was read, what it would change, and the token that binds the two."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256

from django.core import signing
from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from tournaments.admin.imports.columns import choices_of, remember
from tournaments.admin.permissions import User, may_change_rules, may_publish
from tournaments.event.document import Document
from tournaments.event.finding import Finding, Place, error, errors, objections
from tournaments.event.findings import check
from tournaments.event.rules import Rules
from tournaments.formats.account import Account
from tournaments.formats.endings import holds_tables, is_table, read_event_file, suffix_of
from tournaments.formats.json.reader import Reading
from tournaments.formats.options import AS_FOUND, ReadingOptions, options_of
from tournaments.formats.tables.headings import Table, Understanding
from tournaments.formats.tables.reading import read_tables, tables_of
from tournaments.imports.proposal import Proposal, propose
from tournaments.models import Event, Revision, Upload
from tournaments.recording.importing import base_of
from tournaments.recording.imports import (
    Corrected,
    accepted_of,
    corrections_of,
    lacks_acceptance,
    lacks_reason,
    old_rules,
    store,
)
from tournaments.recording.refusal import Refused
from tournaments.stored import stored
from tournaments.wording import phrase_of_rules

SALT = "tournaments.import"
LONGEST_WAIT = 24 * 60 * 60  # seconds from a preview to its import


@dataclass(frozen=True)
class Trial:
    """What would become of an upload. There is no proposal where it cannot be imported.

    `rules` says how the frozen rules of the event would change, blank where they would not.
    """

    upload: Upload
    findings: tuple[Finding, ...]
    proposal: Proposal | None = None
    tables: tuple[Table, ...] = ()
    told: list[Understanding] = field(default_factory=list)
    corrected: list[Corrected] = field(default_factory=list)
    rules: str = ""
    revision: int = 0
    account: Account = ()
    options: ReadingOptions = AS_FOUND

    @property
    def objections(self) -> tuple[Finding, ...]:
        """What keeps it out until somebody says why it is to be imported nevertheless."""
        return objections(self.findings)

    @property
    def is_ready(self) -> bool:
        """Whether it can be imported as it is, and changes anything."""
        return self.proposal is not None and not self.proposal.differences.is_empty

    @property
    def needs_reason(self) -> bool:
        """Whether readers will be told why."""
        return bool(self.corrected or self.rules)

    @property
    def token(self) -> str:
        """What binds an import to this preview: the file, the event as it was, and what was chosen."""
        return signing.dumps(self._bound(), salt=SALT)

    def is_bound_by(self, token: str) -> bool:
        """Whether a token was given for exactly this."""
        try:
            return bool(signing.loads(token, salt=SALT, max_age=LONGEST_WAIT) == self._bound())
        except signing.BadSignature:
            return False

    def _bound(self) -> list[str | int]:
        slug, state = ("", "")
        if self.proposal:
            slug, state = self.proposal.document.event.slug, self.proposal.document.event.state
        told = repr([(each.role, sorted(each.columns.items())) for each in self.told])
        chosen = sha256(f"{slug} {state} {told} {self.options}".encode()).hexdigest()
        return [self.upload.pk, self.upload.sha256, self.revision, chosen]


def tried(upload: Upload, user: User, data: Mapping[str, str], *, lock: bool = False) -> Trial:
    """The upload read with what was chosen, and compared; `lock` holds the event, inside a transaction."""
    content = bytes(upload.file)
    if sha256(content).hexdigest() != upload.sha256:
        return Trial(
            upload, (error("damaged-upload", Place(), _("The upload is damaged. Upload it again.")),)
        )
    if upload.event is not None and holds_tables(upload.name, content):
        return _of_tables(upload, user, content, data, lock=lock)
    if is_table(upload.name):
        text = _("A table goes into an event. Make the event first, then import at its desk.")
        return Trial(upload, (error("table-without-event", Place(), text),))
    return _of_event_file(upload, user, content, data, lock=lock)


def _of_tables(upload: Upload, user: User, content: bytes, data: Mapping[str, str], *, lock: bool) -> Trial:
    options = options_of(data)
    found = tables_of(content, upload.name, options)
    if errors(found.findings) or upload.event is None:
        return Trial(upload, found.findings, options=options)
    told = choices_of(found.tables, data)
    revision = _revision(upload.event.slug)
    reading = read_tables(stored(upload.event).document, found.tables, told, options)
    reading = replace(reading, findings=(*found.findings, *reading.findings))
    trial = Trial(upload, (), None, found.tables, told, revision=revision, options=options)
    return _compared(trial, reading, user, lock=lock)


def _of_event_file(
    upload: Upload, user: User, content: bytes, data: Mapping[str, str], *, lock: bool
) -> Trial:
    slug = upload.event.slug if upload.event else slugify(data.get("slug", ""))[:80]
    options = options_of(data)
    reading = read_event_file(content, upload.name, slug, options, base_of(upload.name, slug))
    document = reading.document
    if document is None:
        return Trial(upload, reading.findings, account=reading.account, options=options)
    if upload.event:
        reading = _for_event(reading, upload, stored(upload.event).document)
    elif data.get("state", "draft") == "draft":
        reading = replace(reading, document=_as_draft(document))
    revision = _revision(upload.event.slug if upload.event else document.event.slug)
    return _compared(Trial(upload, (), revision=revision, options=options), reading, user, lock=lock)


def _as_draft(document: Document) -> Document:
    """A new event that nobody publishes by the way; one that is here stays as public as it is."""
    if Event.objects.filter(slug=document.event.slug).exists():
        return document
    return replace(document, event=replace(document.event, state=Event.State.DRAFT.value))


def _for_event(reading: Reading, upload: Upload, base: Document) -> Reading:
    """The file at the desk of one event: its own event file, or a report, which leaves the settings alone."""
    document = reading.document
    if document is None:
        return reading
    if suffix_of(upload.name) == ".json":
        if document.event.slug == base.event.slug:
            return reading
        told = {"other": document.event.slug, "slug": base.event.slug}
        text = _(
            "This is the file of “%(other)s”, not of “%(slug)s”. An organiser imports it from the first page."
        )
        another = error("another-event", Place("event.slug"), text % told)
        return replace(reading, findings=(*reading.findings, another))
    kept = replace(base, competitors=document.competitors, rounds=document.rounds)
    kept = replace(kept, event=replace(base.event, trf=document.event.trf))
    said = {(each.code, each.message) for each in reading.findings}
    more = tuple(each for each in errors(check(kept)) if (each.code, each.message) not in said)
    return replace(reading, document=kept, findings=(*reading.findings, *more))


def _compared(trial: Trial, reading: Reading, user: User, *, lock: bool) -> Trial:
    """The trial with what was read, and with what it would change where nothing forbids it."""
    trial = replace(trial, findings=reading.findings, account=reading.account)
    if reading.accepted is None:
        return trial
    proposal = propose(reading.accepted, reading, lock=lock)
    forbidden = (*proposal.findings, *_organisers_only(proposal, user))
    if forbidden:
        return replace(trial, findings=(*trial.findings, *forbidden))
    was, now = old_rules(proposal), Rules.of(proposal.document.event)
    rules = phrase_of_rules(was.differing(now), now.differing(was), now.system) if was else ""
    return replace(trial, proposal=proposal, corrected=corrections_of(proposal), rules=rules)


def _organisers_only(proposal: Proposal, user: User) -> list[Finding]:
    """What an arbiter may not import: rulings, the rules of what is over, what readers see of it at all."""
    found, before = proposal.differences, proposal.stored
    if before is None or may_publish(user, before.event):
        return []
    old, new = before.document.event, proposal.document.event
    frozen = old_rules(proposal) is not None and not may_change_rules(user, before.event)
    rules = found.overrides or found.changes or found.acknowledged or found.published or frozen
    if not rules and old.state == new.state and not found.former_slugs:
        return []
    text = _(
        "The file changes rulings, published standings, the state or the addresses: an organiser imports it."
    )
    if frozen:
        text = _("The file changes the rules of an event that is over: an organiser imports it.")
    return [error("organisers-only", Place("event"), text)]


def _revision(slug: str) -> int:
    """The revision of the event with that address, 0 where there is none."""
    return Revision.objects.filter(event__slug=slug).values_list("number", flat=True).first() or 0


def applied(upload: Upload, user: User, name: str, data: Mapping[str, str]) -> Event:
    """Import exactly what the preview showed. Refused where anything is no longer as it was then."""
    with transaction.atomic():
        if upload.event:
            Event.objects.select_for_update(of=("self",)).get(pk=upload.event.pk)
        trial = tried(upload, user, data, lock=True)
        if trial.proposal is None or not trial.is_bound_by(data.get("token", "")):
            raise Refused(_("Something has changed since this preview. Look at it again, then import."))
        reason = data.get("reason", "")
        if problem := lacks_reason(trial.proposal, reason):
            raise Refused(problem.message)
        accept = data.get("accept", "")
        if problem := lacks_acceptance(trial.proposal.objections, accept):
            raise Refused(problem.message)
        event = store(trial.proposal, name, reason, accept)
        if trial.proposal.stored is None and user.pk:
            event.arbiters.add(user.pk)
        remember(trial.tables, trial.told)
        upload.event, upload.applied = event, timezone.now()
        upload.accepted = accepted_of(trial.proposal, accept)
        upload.save(update_fields=["event", "applied", "accepted"])
    return event
