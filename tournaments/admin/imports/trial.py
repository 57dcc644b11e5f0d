"""The trial of an upload: how it was read, what it would change, and the token that binds an import to it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import PurePosixPath

from django.contrib.auth.models import User
from django.core import signing
from django.utils import timezone
from django.utils.text import get_valid_filename
from django.utils.translation import gettext as _

from tournaments.admin.imports.columns import choices_of, remember
from tournaments.admin.imports.facts import CHOSEN, chosen_facts
from tournaments.admin.permissions import may_change_rules, may_organise
from tournaments.event.checks import check_document
from tournaments.event.checks.references import ROUND_BEYOND_LAST
from tournaments.event.document import Document
from tournaments.event.finding import Finding, Place, error, errors, objections
from tournaments.event.numbers import whole_number
from tournaments.event.rules import Rules
from tournaments.interchange.formats.file_formats import holds_event, is_report, outline_of_file, suffix_of
from tournaments.interchange.formats.json.reader import Reading
from tournaments.interchange.formats.layouts.layout import LayoutFile
from tournaments.interchange.formats.layouts.outline import FACTS, NO_FACTS, EventOutline, outline_of
from tournaments.interchange.formats.layouts.reading import LaidOutReading
from tournaments.interchange.formats.layouts.recognition import RecognisedFile, read_by_layout
from tournaments.interchange.formats.options import ReadingOptions, options_of
from tournaments.interchange.formats.sources import only_file_of
from tournaments.models import Event, Revision, Upload
from tournaments.recording.imports import importing
from tournaments.recording.locking import name_of_user, saving
from tournaments.recording.refusal import Refused
from tournaments.stored import stored
from tournaments.texts import phrase_of_rules

ARCHIVE = ".zip"
SALT = "tournaments.import"
MAX_AGE = 24 * 60 * 60  # seconds between a preview and its import


@dataclass(frozen=True, kw_only=True)
class UploadTrial(importing.ImportTrial):
    """An upload compared with the stored event, and how it was read.

    `found`: the recognised tables, None for event files. `revision`: that of the event, 0 for a new one.
    """

    upload: Upload
    found: RecognisedFile | None
    options: ReadingOptions
    revision: int

    @property
    def outline(self) -> EventOutline | None:
        return self.reading.outline if isinstance(self.reading, LaidOutReading) else None

    @property
    def objections(self) -> tuple[Finding, ...]:
        return objections(self.findings)

    @property
    def is_ready(self) -> bool:
        """Return whether the upload can be imported without a reason and has any changes."""
        return self.accepted is not None and not self.accepted.differences.is_empty

    @property
    def needs_reason(self) -> bool:
        return bool(self.corrected or self.old_rules)

    @property
    def rules(self) -> str:
        if self.accepted is None or self.old_rules is None:
            return ""
        old_rules, new_rules = self.old_rules, Rules.of(self.accepted.document.event)
        return phrase_of_rules(
            old_rules.differing(new_rules), new_rules.differing(old_rules), new_rules.system
        )

    @property
    def token(self) -> str:
        """Return a signature of the file, the event's revision and the choices. It binds the import."""
        return signing.dumps(self._token_content(), salt=SALT)

    def is_bound_by(self, token: str) -> bool:
        try:
            return bool(signing.loads(token, salt=SALT, max_age=MAX_AGE) == self._token_content())
        except signing.BadSignature:
            return False

    def _token_content(self) -> list[str | int]:
        event = self.accepted.document.event if self.accepted else None
        read_as = ""
        if self.found:
            layout = self.found.recognition.layout
            mappings = [(each.role, sorted(each.columns.items())) for each in self.found.reading.mappings]
            facts = [self.outline.fact(name) for name in FACTS] if self.outline else []
            read_as = repr((layout and layout.code, mappings, facts))
        chosen = sha256(f"{event} {read_as} {self.options}".encode()).hexdigest()
        return [self.upload.pk, self.upload.sha256, self.revision, chosen]


def try_upload(
    upload: Upload, user: User, data: Mapping[str, str], *, lock: bool = False, home: str = ""
) -> UploadTrial:
    """Read the upload with the user's choices and compare it. `lock` and `home`: as in `try_import`."""
    problem = _unpack_upload(upload)
    content, event = bytes(upload.file), upload.event
    # Questions that were answered in an earlier import of the same file are not asked again.
    same = Upload.objects.filter(sha256=upload.sha256).exclude(applied=None).exclude(accepted={})
    earlier = same.values_list("accepted", flat=True).first() or {}
    options = options_of({**earlier.get("answers", {}), **data})
    # Read before the event, so that a change in between invalidates the token.
    revision = _revision_of_slug(event.slug) if event else 0
    found: RecognisedFile | None = None
    if problem and errors([problem]):
        reading = Reading(None, (problem,))
    elif sha256(content).hexdigest() != upload.sha256:
        damaged = error("damaged-upload", Place(), _("The upload is damaged. Upload it again."))
        reading = Reading(None, (damaged,))
    else:
        if not holds_event(upload.name, content):
            found = read_by_layout(LayoutFile(upload.name, content, options))
            found = replace(found, reading=replace(found.reading, tables=choices_of(found, data)))
        reading = _read_upload(upload, content, found, data, options)
    if problem and reading.document:
        reading = replace(reading, findings=(problem, *reading.findings))
    if reading.document and not event:
        revision = _revision_of_slug(reading.document.event.slug)
    compared = importing.try_import(reading, lock=lock, home=home)
    return UploadTrial(
        reading,
        compared.diff,
        (*compared.forbidden, *_permission_errors(compared, user)),
        upload=upload,
        found=found,
        options=options,
        revision=revision,
    )


def _unpack_upload(upload: Upload) -> Finding | None:
    if suffix_of(upload.name) != ARCHIVE:
        return None
    name, content, problem = only_file_of(bytes(upload.file))
    if not (problem and errors([problem])):
        upload.name = get_valid_filename(PurePosixPath(name).name)
        upload.file, upload.sha256 = content, sha256(content).hexdigest()
        upload.save(update_fields=["name", "file", "sha256"])
    return problem


def _revision_of_slug(slug: str) -> int:
    return Revision.objects.filter(event__slug=slug).values_list("number", flat=True).first() or 0


def _read_upload(
    upload: Upload,
    content: bytes,
    found: RecognisedFile | None,
    data: Mapping[str, str],
    options: ReadingOptions,
) -> Reading:
    chosen, into = outline_of(data, CHOSEN), ""
    if upload.event:
        chosen, into = NO_FACTS, upload.event.slug
    elif found:
        defaults = EventOutline(defaults=chosen.defaults)
        chosen = chosen_facts(data, outline_of_file(upload.name, found, defaults))
    reading = importing.read_upload(upload.name, content, into, options, chosen, found)
    # The first file of a program may have had round 1 only, which was then the number of rounds.
    if upload.event and reading.document and {each.code for each in reading.errors} == {ROUND_BEYOND_LAST}:
        rounds = whole_number(data.get("rounds", ""), 1_000) or 0
        earlier = upload.event.uploads.exclude(applied=None).filter(name=upload.name)
        if rounds or earlier.exists():
            rounds = max(rounds, *(each.number for each in reading.document.rounds))
            reading = importing.read_upload(upload.name, content, into, options, chosen, found, rounds)
    if reading.document and upload.event and not found:
        return _merged_reading(reading, reading.document, upload, stored(upload.event).document)
    if reading.document and not upload.event and data.get("state", "draft") == "draft":
        event = reading.document.event
        # A draft, so that a new event is not published unnoticed. An existing event keeps its state.
        if not Event.objects.filter(slug=event.slug).exists():
            draft = replace(event, state=Event.State.DRAFT.value)
            return replace(reading, document=replace(reading.document, event=draft))
    return reading


def _merged_reading(reading: Reading, document: Document, upload: Upload, base: Document) -> Reading:
    # The event's own file includes its settings; a report has only competitors and rounds.
    if not is_report(upload.name, bytes(upload.file)):
        if document.event.slug == base.event.slug:
            return reading
        values = {"other": document.event.slug, "slug": base.event.slug}
        text = _(
            "This is the file of “%(other)s”, not of “%(slug)s”. An organiser imports it from the first page."
        )
        another = error("another-event", Place("event.slug"), text % values)
        return replace(reading, findings=(*reading.findings, another))
    merged = replace(base, competitors=document.competitors, rounds=document.rounds)
    rounds = max(base.event.planned_rounds, document.event.planned_rounds)
    merged = replace(merged, event=replace(base.event, trf=document.event.trf, planned_rounds=rounds))
    found = {(each.code, each.message) for each in reading.findings}
    more = tuple(each for each in errors(check_document(merged)) if (each.code, each.message) not in found)
    return replace(reading, document=merged, findings=(*reading.findings, *more))


def _permission_errors(trial: importing.ImportTrial, user: User) -> list[Finding]:
    diff = trial.accepted
    if diff is None or diff.stored is None or may_organise(user, diff.stored.event):
        return []
    found, stored_event = diff.differences, diff.stored
    old, new = stored_event.document.event, diff.document.event
    frozen = trial.old_rules is not None and not may_change_rules(user, stored_event.event)
    rules = found.overrides or found.changes or found.acknowledged or found.published or frozen
    if not rules and old.state == new.state and not found.former_slugs:
        return []
    text = _(
        "The file changes rulings, published standings, the state or the addresses: an organiser imports it."
    )
    if frozen:
        text = _("The file changes the rules of an event that is over: an organiser imports it.")
    return [error("organisers-only", Place("event"), text)]


def import_upload(upload: Upload, user: User, data: Mapping[str, str], home: str = "") -> Event:
    """Import the upload as previewed. Raise Refused if anything has changed since."""
    with saving():
        if upload.event:
            # Locked before the file is read again, since tables are merged into the stored event.
            Event.objects.select_for_update(of=("self",)).get(pk=upload.event.pk)
        trial = try_upload(upload, user, data, lock=True, home=home)
        if trial.accepted is None or not trial.is_bound_by(data.get("token", "")):
            raise Refused(_("The data have changed since this preview. Check it again, then import."))
        for lacking in trial.lacking(data):
            raise Refused(lacking.message)
        name = name_of_user(user)
        event = importing.store_trial(trial, name, data)
        # The user who imports a new event must be able to find it.
        if trial.accepted.stored is None and user.pk:
            event.arbiters.add(user.pk)
        if trial.found and trial.found.is_by_headings:
            remember(trial.found.reading.tables)
        upload.event, upload.applied = event, timezone.now()
        upload.accepted = importing.accepted_of(trial.accepted, data, name, trial.options)
        upload.save(update_fields=["event", "applied", "accepted"])
    return event
