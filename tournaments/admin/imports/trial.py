"""An upload tried on an event: what was read, what it would change, and the token that binds the two."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import PurePosixPath

from django.core import signing
from django.utils import timezone
from django.utils.text import get_valid_filename, slugify
from django.utils.translation import gettext as _

from tournaments.admin.imports.columns import choices_of, remember
from tournaments.admin.imports.facts import chosen_facts
from tournaments.admin.permissions import User, may_change_rules, may_publish
from tournaments.event.checks import check
from tournaments.event.document import Document
from tournaments.event.finding import Finding, Place, error, errors, objections
from tournaments.event.rules import Rules
from tournaments.interchange.formats.endings import holds_event, read_event_file, suffix_of
from tournaments.interchange.formats.json.reader import Reading
from tournaments.interchange.formats.layouts.layout import LayoutFile
from tournaments.interchange.formats.layouts.outline import FACTS, NO_FACTS, EventOutline
from tournaments.interchange.formats.layouts.reading import LaidOutReading
from tournaments.interchange.formats.layouts.recognition import RecognisedFile, read_by_layout
from tournaments.interchange.formats.options import ReadingOptions, options_of
from tournaments.interchange.formats.sources import only_file_of
from tournaments.models import Event, Revision, Upload
from tournaments.recording.imports import (
    ImportTrial,
    accepted_of,
    base_of,
    read_laid_out,
    store,
    try_import,
    whole_outline,
    with_stored_edition,
    without_private_parts,
)
from tournaments.recording.locking import saving
from tournaments.recording.refusal import Refused
from tournaments.stored import stored
from tournaments.texts import phrase_of_rules

ARCHIVE = ".zip"
SALT = "tournaments.import"
LONGEST_WAIT = 24 * 60 * 60  # seconds from a preview to its import


@dataclass(frozen=True, kw_only=True)
class UploadTrial(ImportTrial):
    """An upload compared with what is stored, with how its tables and the rest of it were read."""

    upload: Upload
    found: RecognisedFile | None
    options: ReadingOptions
    revision: int

    @property
    def outline(self) -> EventOutline | None:
        """Return the facts of a new event that is made of tables; None for everything else."""
        return self.reading.outline if isinstance(self.reading, LaidOutReading) else None

    @property
    def objections(self) -> tuple[Finding, ...]:
        """Return the findings that keep it out until somebody gives a reason to pass over them."""
        return objections(self.findings)

    @property
    def is_ready(self) -> bool:
        """Say whether it can be imported as it is, and changes anything."""
        return self.accepted is not None and not self.accepted.differences.is_empty

    @property
    def needs_reason(self) -> bool:
        """Say whether readers will be told why."""
        return bool(self.corrected or self.old_rules)

    @property
    def rules(self) -> str:
        """Return how the frozen rules of the event would change, blank where they would not."""
        if self.accepted is None or self.old_rules is None:
            return ""
        was, now = self.old_rules, Rules.of(self.accepted.document.event)
        return phrase_of_rules(was.differing(now), now.differing(was), now.system)

    @property
    def token(self) -> str:
        """Return a signature of the file, the event as it was and what was chosen, which binds an import."""
        return signing.dumps(self._bound(), salt=SALT)

    def is_bound_by(self, token: str) -> bool:
        """Say whether a token was given for exactly this."""
        try:
            return bool(signing.loads(token, salt=SALT, max_age=LONGEST_WAIT) == self._bound())
        except signing.BadSignature:
            return False

    def _bound(self) -> list[str | int]:
        slug, state = ("", "")
        if self.accepted:
            slug, state = self.accepted.document.event.slug, self.accepted.document.event.state
        read_as = ""
        if self.found:
            layout = self.found.recognition.layout
            mappings = [(each.role, sorted(each.columns.items())) for each in self.found.reading.mappings]
            facts = [self.outline.fact(name) for name in FACTS] if self.outline else []
            read_as = repr((layout and layout.code, mappings, facts))
        chosen = sha256(f"{slug} {state} {read_as} {self.options}".encode()).hexdigest()
        return [self.upload.pk, self.upload.sha256, self.revision, chosen]


def try_upload(upload: Upload, user: User, data: Mapping[str, str], *, lock: bool = False) -> UploadTrial:
    """Read the upload with what was chosen, and compare it; `lock` holds the event, inside a transaction."""
    problem = _unpack(upload)
    content, options, event = bytes(upload.file), options_of(data), upload.event
    # Read before the event is: what is written in between makes the token void.
    revision = _revision(event.slug) if event else 0
    found: RecognisedFile | None = None
    if problem and errors([problem]):
        reading = Reading(None, (problem,))
    elif sha256(content).hexdigest() != upload.sha256:
        reading = _refused("damaged-upload", _("The upload is damaged. Upload it again."))
    elif holds_event(upload.name, content):
        reading = _read_event(upload, content, data, options)
    else:
        found = read_by_layout(LayoutFile(upload.name, content, options))
        found = replace(found, reading=replace(found.reading, mappings=choices_of(found, data)))
        reading = _read_tables(upload, content, found, data, options)
    if problem and reading.document:
        reading = replace(reading, findings=(problem, *reading.findings))
    if reading.document and not event:
        revision = _revision(reading.document.event.slug)
    compared = try_import(reading, lock=lock)
    return UploadTrial(
        reading,
        compared.proposal,
        (*compared.forbidden, *_organisers_only(compared, user)),
        upload=upload,
        found=found,
        options=options,
        revision=revision,
    )


def _unpack(upload: Upload) -> Finding | None:
    """Replace an archive by the one file in it. Return an error if there is not exactly one, or a warning."""
    if suffix_of(upload.name) != ARCHIVE:
        return None
    name, content, problem = only_file_of(bytes(upload.file))
    if not (problem and errors([problem])):
        upload.name = get_valid_filename(PurePosixPath(name).name)
        upload.file, upload.sha256 = content, sha256(content).hexdigest()
        upload.save(update_fields=["name", "file", "sha256"])
    return problem


def _revision(slug: str) -> int:
    """Return the revision of the event with that address, 0 where there is none."""
    return Revision.objects.filter(event__slug=slug).values_list("number", flat=True).first() or 0


def _refused(code: str, text: str) -> Reading:
    return Reading(None, (error(code, Place(), text),))


def _read_event(upload: Upload, content: bytes, data: Mapping[str, str], options: ReadingOptions) -> Reading:
    """Return the event file or report, for the event of the desk or for a new one."""
    slug = upload.event.slug if upload.event else slugify(data.get("slug", ""))[:80]
    reading = read_event_file(content, upload.name, slug, options, base_of(upload.name, content, slug))
    reading = with_stored_edition(reading)
    reading = without_private_parts(reading)
    if reading.document is None:
        return reading
    if upload.event:
        return _for_event(reading, upload, stored(upload.event).document)
    if data.get("state", "draft") == "draft":
        return replace(reading, document=_as_draft(reading.document))
    return reading


def _read_tables(
    upload: Upload, content: bytes, found: RecognisedFile, data: Mapping[str, str], options: ReadingOptions
) -> Reading:
    """Return the event of the desk with what the tables change in it, or a new one that is made of them."""
    chosen = NO_FACTS if upload.event else chosen_facts(data, whole_outline(upload.name, found, NO_FACTS))
    reading = read_laid_out(upload.name, content, found, upload.event, options, chosen)
    if upload.event is None and reading.document and data.get("state", "draft") == "draft":
        return replace(reading, document=_as_draft(reading.document))
    return reading


def _as_draft(document: Document) -> Document:
    """Return a new event as a draft, so that nobody publishes it by the way; a known one stays as it is."""
    if Event.objects.filter(slug=document.event.slug).exists():
        return document
    return replace(document, event=replace(document.event, state=Event.State.DRAFT.value))


def _for_event(reading: Reading, upload: Upload, base: Document) -> Reading:
    """Return the reading for one event: its own event file, or a report, which leaves the settings alone."""
    document = reading.document
    if document is None:
        return reading
    # The event's own file brings its settings along; a report only competitors and rounds.
    if suffix_of(upload.name) == ".json":
        if document.event.slug == base.event.slug:
            return reading
        values = {"other": document.event.slug, "slug": base.event.slug}
        text = _(
            "This is the file of “%(other)s”, not of “%(slug)s”. An organiser imports it from the first page."
        )
        another = error("another-event", Place("event.slug"), text % values)
        return replace(reading, findings=(*reading.findings, another))
    merged = replace(base, competitors=document.competitors, rounds=document.rounds)
    merged = replace(merged, event=replace(base.event, trf=document.event.trf))
    found = {(each.code, each.message) for each in reading.findings}
    more = tuple(each for each in errors(check(merged)) if (each.code, each.message) not in found)
    return replace(reading, document=merged, findings=(*reading.findings, *more))


def _organisers_only(trial: ImportTrial, user: User) -> list[Finding]:
    """Return an error where an arbiter imports rulings, rules of an event that is over, or its state."""
    proposal = trial.accepted
    if proposal is None or proposal.stored is None or may_publish(user, proposal.stored.event):
        return []
    found, before = proposal.differences, proposal.stored
    old, new = before.document.event, proposal.document.event
    frozen = trial.old_rules is not None and not may_change_rules(user, before.event)
    rules = found.overrides or found.changes or found.acknowledged or found.published or frozen
    if not rules and old.state == new.state and not found.former_slugs:
        return []
    text = _(
        "The file changes rulings, published standings, the state or the addresses: an organiser imports it."
    )
    if frozen:
        text = _("The file changes the rules of an event that is over: an organiser imports it.")
    return [error("organisers-only", Place("event"), text)]


def import_upload(upload: Upload, user: User, name: str, data: Mapping[str, str]) -> Event:
    """Import exactly what the preview showed. Refused where anything is no longer as it was then."""
    with saving():
        if upload.event:
            # Locked before the file is read again, since tables are read into the event as it is.
            Event.objects.select_for_update(of=("self",)).get(pk=upload.event.pk)
        trial = try_upload(upload, user, data, lock=True)
        if trial.accepted is None or not trial.is_bound_by(data.get("token", "")):
            raise Refused(_("Something has changed since this preview. Look at it again, then import."))
        reason, accept = data.get("reason", ""), data.get("accept", "")
        for lacking in trial.lacking(reason, accept):
            raise Refused(lacking.message)
        event = store(trial, name, reason, accept)
        # Whoever imports a new event must be able to find it.
        if trial.accepted.stored is None and user.pk:
            event.arbiters.add(user.pk)
        if trial.found and trial.found.is_by_headings:
            remember(trial.found.reading.tables, trial.found.reading.mappings)
        upload.event, upload.applied = event, timezone.now()
        upload.accepted = accepted_of(trial.accepted, accept)
        upload.save(update_fields=["event", "applied", "accepted"])
    return event
