"""Bundles: archives of many files, which are previewed and imported one by one.

Each file is an upload with a preview of its own, in which the user resolves its problems. The worker
processes file by file. The result of a file is stored in the same transaction as the file's data, so a worker
that is stopped or killed leaves a consistent state.
"""

import logging
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256
from time import monotonic
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from tournaments.admin.imports.import_jobs import ProgressCallback, importing_as
from tournaments.admin.imports.trial import UploadTrial, import_upload, try_upload
from tournaments.admin.permissions import may_organise
from tournaments.event.choices import EventState, knows_results
from tournaments.event.finding import Finding, Place, Severity, error, errors, lines_by_kind
from tournaments.interchange.formats import archives
from tournaments.interchange.formats.foreign_files import UNKNOWN_FORMAT
from tournaments.interchange.formats.layouts.reading import MISSING_FACT, NEEDED
from tournaments.interchange.formats.layouts.titles import year_in
from tournaments.interchange.formats.manifest import NAME, NO_MANIFEST, read_manifest
from tournaments.interchange.formats.options import ANSWERED_BY, CHOICES
from tournaments.interchange.formats.sources import MANIFEST, Source, manifests_in, readable_members
from tournaments.interchange.imports.description import summary
from tournaments.models import Bundle, BundleFile, Event, Job, Round, Upload
from tournaments.operations import jobs
from tournaments.recording.events.publication import publish
from tournaments.recording.locking import name_of_user
from tournaments.recording.refusal import Refused
from tournaments.search.index import refresh_after_import

logger = logging.getLogger(__name__)

State = BundleFile.State

MAX_SECONDS = 10.0  # then the job ends and is queued again, so that other jobs get their turn

WAITING_STATES = (State.WAITING, State.CHOSEN)  # for the worker


# --- in the request ---------------------------------------------------------------------------------------


def take_in(
    user: User, name: str, content: bytes, manifest: bytes | None, chosen: Mapping[str, str]
) -> Bundle:
    """Store an archive and queue the job that unpacks and previews it.

    `manifest`: the manifest of the form, which takes precedence over one in the archive. `chosen`: the state
    of new events and facts, as in a row of a manifest.
    """
    with transaction.atomic():
        bundle = Bundle.objects.create(name=name[-255:], user=user)
        # The worker deletes both uploads after the archive was unpacked or rejected.
        stored = {
            "archive": store_upload(user, name, content).pk,
            "manifest": None if manifest is None else store_upload(user, NAME, manifest).pk,
        }
        # The worker of the previous release reads `state`.
        arguments = {"bundle": bundle.pk, "chosen": chosen, "state": chosen["state"], **stored}
        job = Job(kind=Job.Kind.BUNDLE, key=key_of(bundle), arguments=arguments, user=user)
        job.turn = jobs.Turn.IMPORT
        jobs.ask(job)
    return bundle


def store_upload(user: User, name: str, content: bytes, event: Event | None = None) -> Upload:
    name, digest = name.rpartition("/")[2][-255:], sha256(content).hexdigest()
    return Upload.objects.create(
        event=event, name=name, file=content, sha256=digest, user=user, by=name_of_user(user)
    )


def _store_file(job: Job, bundle: Bundle, position: int, source: Source, chosen: Mapping[str, str]) -> None:
    """Store a file, in its own short transaction: an archive may unpack to half a gigabyte."""
    file = BundleFile(bundle=bundle, position=position, name=source.name[-500:])
    if source.passed_over:
        text = _("Not read: it is %(reason)s.") % {"reason": source.passed_over}
        file.state, file.findings = State.SKIPPED, [text]
        with jobs.claimed(job):
            file.save()
        return
    content, problem = source.read()
    file.chosen = dict(chosen)
    digest = sha256(content).hexdigest()
    # One table can be read twice, as different parts, or have the year of the edition in its name only.
    found, year = bundle.files.filter(upload__sha256=digest, chosen=file.chosen), year_in(file.name)
    same = next((each for each in found if year_in(each.name) == year), None)
    with jobs.claimed(job):
        if problem:
            file.state, file.findings = State.FAULTY, [str(problem)]
        elif same:
            text = _("Not read: it has the same content as %(name)s.") % {"name": same.name}
            file.state, file.findings = State.SKIPPED, [text]
        else:
            file.upload = store_upload(bundle.user, source.name, content)
        file.save()


def ask(bundle: Bundle) -> None:
    """Queue the job of a bundle if any of its files waits for it."""
    if bundle.stopped or not bundle.files.filter(state__in=WAITING_STATES).exists():
        return
    # At low priority: a user who waits for a single file goes first.
    job = Job(kind=Job.Kind.BUNDLE, key=key_of(bundle), arguments={"bundle": bundle.pk}, user=bundle.user)
    job.turn = jobs.Turn.BEFOREHAND
    jobs.ask(job)


def key_of(bundle: Bundle) -> str:
    return f"{Job.Kind.BUNDLE}-{bundle.pk}"


# --- in the worker ----------------------------------------------------------------------------------------


def run_bundle(job: Job, report_progress: ProgressCallback) -> dict[str, Any]:
    """Preview and import the waiting files of a bundle. Return the number of files by state.

    After `MAX_SECONDS` the job ends and queues the next one, so that other jobs get their turn.
    """
    user = User.objects.get(pk=job.user_id or 0)
    if not (user.is_active and may_organise(user)):
        raise PermissionError
    started = monotonic()
    if findings := _unpack_bundle(job):
        return {"findings": lines_by_kind(findings)}
    for file in _waiting_files(job.arguments["bundle"]):
        _process_file(job, file, user)
        counts = states_of(file.bundle)
        report_progress(
            sum(counts.values()) - sum(counts[each] for each in WAITING_STATES), sum(counts.values())
        )
        if monotonic() - started > MAX_SECONDS:
            break
    refresh_after_import()
    bundle = Bundle.objects.get(pk=job.arguments["bundle"])
    counts = states_of(bundle)
    with transaction.atomic():
        jobs.end(job, result=dict(counts))
        # Includes files that were requested just before the end of the job.
        ask(bundle)
    return dict(counts)


def _unpack_bundle(job: Job) -> Sequence[Finding]:
    bundle, arguments = Bundle.objects.get(pk=job.arguments["bundle"]), job.arguments
    if bundle.whole:
        return ()
    uploads = Upload.objects.filter(pk__in=[arguments.get("archive"), arguments.get("manifest")]).in_bulk()
    stored = uploads.get(arguments.get("archive"))
    if stored is None:
        return [error("no-bytes", Place(bundle.name), _("The file has been deleted. Upload it again."))]
    with jobs.claimed(job):  # left by a previous attempt in which the worker died
        Upload.objects.filter(bundle_file__bundle=bundle).delete()
        bundle.files.all().delete()
    posted_manifest = uploads.get(arguments["manifest"])
    findings = _store_members(
        job,
        bundle,
        bytes(stored.file),
        bytes(posted_manifest.file) if posted_manifest else None,
        arguments.get("chosen") or {"state": arguments["state"]},
    )
    with jobs.claimed(job):
        Upload.objects.filter(pk__in=uploads).delete()
        Bundle.objects.filter(pk=bundle.pk).update(whole=not findings)
    return findings


def _store_members(
    job: Job, bundle: Bundle, content: bytes, manifest: bytes | None, chosen: Mapping[str, str]
) -> Sequence[Finding]:
    archive, problem = archives.opened(content)
    if archive is None or problem:
        return [problem] if problem else []
    files = list(readable_members(archive))
    if not files:
        text = _("The archive contains no files.")
        return [error("no-files", Place(bundle.name), text)]
    found, posted_manifest = manifests_in(archive), manifest
    if manifest is None and len(found) > 1:
        text = _("There are %(count)s manifests in it. Leave one, or choose it in the form.")
        return [error("several-manifests", Place(bundle.name), text % {"count": len(found)})]
    if manifest is None and found:
        manifest, problem = archives.member(archive, archive.getinfo(found[0]))
        if problem:
            return [problem]
    if posted_manifest is None:  # otherwise the manifests of the archive are not used
        files = [each for each in files if each.passed_over != MANIFEST]
    candidates = [each for each in files if not each.passed_over]
    read = read_manifest(manifest, [each.name for each in candidates]) if manifest else NO_MANIFEST
    if errors(read.findings):
        return read.findings
    # Skipped files come last, since the page lists only the first files of a large archive.
    rest = [each for each in files if each.passed_over]
    for position, source in enumerate([*candidates, *rest]):
        _store_file(job, bundle, position, source, {**chosen, **read.rows.get(source.name, {})})
    return ()


def _waiting_files(bundle: int) -> Iterator[BundleFile]:
    files = BundleFile.objects.filter(bundle=bundle, bundle__stopped=False, state__in=WAITING_STATES)
    while file := files.select_related("bundle", "upload__event").first():
        yield file


def states_of(bundle: Bundle) -> Counter[str]:
    """Return the number of files by state. One query."""
    return Counter(bundle.files.order_by().values_list("state", flat=True))


def _process_file(job: Job, file: BundleFile, user: User) -> None:
    # Counted in advance: a file in which the worker dies must not block the following files.
    file.attempts += 1
    with jobs.claimed(job):
        file.save(update_fields=["attempts"])
    if file.attempts > jobs.MOST_ATTEMPTS:
        text = _(
            "The worker stopped while it read this file. Import the file separately, and tell the "
            "operators of the site."
        )
        _store_state(job, file, State.FAULTY, [error("too-hard", Place(file.name), text)])
        return
    try:
        _preview_or_import(job, file, user)
    except (OperationalError, InterfaceError):  # the connection was lost; the job is repeated
        raise
    except Exception as failure:
        logger.exception("File %s of bundle %s failed.", file.name, file.bundle_id)
        text = _("Could not read the file (%(why)s). Tell the operators of the site.")
        finding = error("unreadable", Place(file.name), text % {"why": type(failure).__name__})
        _store_state(job, file, State.FAULTY, [finding])


def _preview_or_import(job: Job, file: BundleFile, user: User) -> None:
    if file.upload is None:
        text = _("The file has been deleted. Upload it again.")
        _store_state(job, file, State.FAULTY, [error("no-bytes", Place(file.name), text)])
    elif file.upload.applied:
        _store_state(job, file, State.IMPORTED)
    elif file.state != State.CHOSEN:
        _store_trial(job, file, try_upload(file.upload, user, file.chosen))
    else:
        try:
            with importing_as(user):
                import_upload(file.upload, user, {**file.chosen, "token": file.token})
                _store_state(job, file, State.IMPORTED)
        except Refused as refused:  # or the data have changed since the preview
            file.upload.refresh_from_db()
            _store_trial(job, file, try_upload(file.upload, user, file.chosen))
            file.findings = [str(refused), *file.findings]
            file.save(update_fields=["findings"])


def _store_trial(job: Job, file: BundleFile, trial: UploadTrial) -> None:
    lacking = trial.lacking(file.chosen)
    stored = None if trial.accepted is None or trial.accepted.differences.is_empty else trial.accepted.stored
    if stored and (imported := file.bundle.files.filter(upload__event=stored.event).first()):
        text = _("“%s” of this archive is imported as this event. Choose another address.") % imported.name
        trial = replace(trial, forbidden=(*trial.forbidden, error("address-taken", Place("slug"), text)))
    codes = {each.code for each in errors(trial.findings)}
    if UNKNOWN_FORMAT in codes:
        state = State.UNKNOWN
    elif codes == {MISSING_FACT}:
        state = State.OBJECTED
    elif errors(trial.findings) or trial.accepted is None:
        state = State.FAULTY
    elif trial.accepted.differences.is_empty:
        state = State.UNCHANGED
    else:
        state = State.OBJECTED if lacking else State.READY
    file.summary = ""
    if trial.accepted:
        name, changes = trial.accepted.document.event.name, trial.accepted.differences
        file.summary = f"{name}: {summary(changes)}"
    file.token = trial.token
    unread = [str(each) for each in trial.reading.account if each.unread]
    _store_state(job, file, state, [*trial.findings, *lacking], unread)


def _store_state(
    job: Job, file: BundleFile, state: str, findings: list[Finding] | None = None, unread: Sequence[str] = ()
) -> None:
    if BundleFile.objects.values_list("chosen", flat=True).get(pk=file.pk) != file.chosen:
        state = State.WAITING  # it was answered while it was read
    file.state, file.attempts = state, 0
    if findings is not None:
        file.findings = [*lines_by_kind(findings), *unread]
    with jobs.claimed(job):
        file.save(update_fields=["state", "attempts", "summary", "findings", "token"])


# --- questions --------------------------------------------------------------------------------------------

_KIND = re.compile(r"(error|objection): (?:([^:]*): )?.*\[([a-z0-9-]+)\](?: [0-9]+ more\.)?", re.DOTALL)
_CODES = r"^(?:error|objection|warning): (?:event\.unknown: )?| \[[a-z0-9-]+\](?=(?: \d+ more\.)?$)"
plain_line = partial(re.compile(_CODES).sub, "")  # a stored line of a file without severity and code
_OF_ALL = NEEDED.keys() - {"name", "scoring"}  # facts that many files may share


def questions_of(bundle: Bundle, *states: str) -> dict[str, list[tuple[str, BundleFile]]]:
    """Return findings and their files by the field that answers them once for all files. A single query."""
    questions: dict[str, list[tuple[str, BundleFile]]] = {}
    for file in bundle.files.filter(state__in=(State.FAULTY, State.OBJECTED, *states)):
        for text in file.findings:
            severity, where, code = found.groups() if (found := _KIND.fullmatch(text)) else ("", "", "")
            names = [f"accept-{code}"] if severity == Severity.OBJECTION else []
            if code == MISSING_FACT:
                names = [name for name in where.split(", ") if name in _OF_ALL]
            elif ANSWERED_BY.get(code) in CHOICES:
                names = [ANSWERED_BY[code]]
            for name in names:
                question = f"The file lacks {NEEDED[name]}." if code == MISSING_FACT else plain_line(text)
                questions.setdefault(name, []).append((question, file))
    return questions


def answer(bundle: Bundle, answers: Mapping[str, str]) -> None:
    for name, concerned in questions_of(bundle, State.WAITING).items():
        for _text, file in concerned if answers.get(name) else ():
            file.chosen[name], file.state = answers[name], State.WAITING
            file.save(update_fields=["chosen", "state"])
    ask(bundle)


# --- actions of users -------------------------------------------------------------------------------------


def drafts_of(bundle: Bundle) -> QuerySet[Event]:
    return Event.objects.filter(state=EventState.DRAFT, uploads__bundle_file__bundle=bundle).distinct()


def publish_drafts(bundle: Bundle, by: User) -> Iterator[str]:
    """Publish the events of a bundle, as final if all rounds are closed. Yield why others remain drafts."""
    for event in drafts_of(bundle):
        closed = event.rounds.filter(state=Round.State.CLOSED).count()
        is_whole = not knows_results(event) or closed >= event.planned_rounds
        try:
            publish(event, EventState.FINAL if is_whole else EventState.LIVE, by)
        except Refused as refusal:
            yield f"{event.name}: {refusal}"


def settle(bundle: Bundle, wish: str) -> None:
    """Perform the action of a button: import, again, stop or go_on. Raise PermissionDenied for others."""
    if wish == "import":
        bundle.files.filter(state=State.READY).update(state=State.CHOSEN)
    elif wish == "again":
        again = (State.FAULTY, State.OBJECTED, State.UNCHANGED, State.UNKNOWN)
        bundle.files.filter(state__in=again, upload__applied=None).exclude(upload=None).update(
            state=State.WAITING
        )
    elif wish not in ("stop", "go_on"):
        raise PermissionDenied
    bundle.stopped = wish == "stop"
    bundle.save(update_fields=["stopped"])
    ask(bundle)
