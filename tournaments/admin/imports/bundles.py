"""Many files at once: an archive of hundreds is tried file by file, shown, and what is ready is imported.

Each file is an upload like any other, with a preview of its own, where a person settles what it asks. The
worker goes from file to file; each is read, or stored, in one transaction with the note of it, so that who
stops the work, or kills the worker, finds every file as it was left.
"""

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from time import monotonic
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import DataError, IntegrityError, InterfaceError, OperationalError, transaction
from django.utils.translation import gettext as _

from tournaments.admin.imports.import_jobs import MOST_AT_ONCE, acting
from tournaments.admin.imports.trial import UploadTrial, import_upload, try_upload
from tournaments.admin.permissions import may_create
from tournaments.event.finding import Finding, Place, error, errors
from tournaments.interchange.formats import archives
from tournaments.interchange.formats.endings import holds_event, is_report
from tournaments.interchange.formats.layouts.outline import FACTS
from tournaments.interchange.formats.manifest import NAME, NO_MANIFEST, Manifest, read_manifest
from tournaments.interchange.formats.sources import MANIFEST, Source, manifests_in, members
from tournaments.interchange.imports.description import summary
from tournaments.models import Bundle, BundleFile, Job, Upload
from tournaments.operations import jobs
from tournaments.recording.imports import unheard
from tournaments.recording.integrity import sentence_of
from tournaments.recording.locking import name_of
from tournaments.recording.refusal import Refused
from tournaments.search.index import refresh_after_import

logger = logging.getLogger(__name__)

Tell = Callable[[int, int], None]
State = BundleFile.State

SLICE = 10.0
"""Seconds after which the next of those who wait has its turn, and the rest of the bundle the one after."""

MOST_FINDINGS = 50
"""Findings of a file that its bundle keeps; its preview has all of them."""

ASKED_FOR = (State.WAITING, State.CHOSEN)
"""The stages in which a file waits for the worker."""


# --- taken in ---------------------------------------------------------------------------------------------


def take_in(user: User, name: str, content: bytes, manifest: bytes | None, state: str) -> Bundle:
    """Keep an archive, and have the worker unpack it and try its files.

    `manifest` is that of the form, and wins over one in the archive; `state` is that of new events.
    """
    with transaction.atomic():
        bundle = Bundle.objects.create(name=name[-255:], user=user)
        # The worker deletes both uploads once the archive is unpacked or refused.
        kept = {
            "archive": _upload_of(user, name, content).pk,
            "manifest": None if manifest is None else _upload_of(user, NAME, manifest).pk,
        }
        arguments = {"bundle": bundle.pk, "state": state, **kept}
        job = Job(kind=Job.Kind.BUNDLE, key=key_of(bundle), arguments=arguments, user=user)
        job.turn = jobs.Turn.IMPORT
        jobs.ask(job)
    return bundle


def has_many(user: User) -> bool:
    """Return whether so many bundles of the account are open that no other is taken."""
    return Job.objects.filter(user=user, kind=Job.Kind.BUNDLE, state__in=jobs.OPEN).count() >= MOST_AT_ONCE


def _upload_of(user: User, name: str, content: bytes) -> Upload:
    digest = sha256(content).hexdigest()
    return Upload.objects.create(
        name=name.rpartition("/")[2][-255:], file=content, sha256=digest, user=user, by=name_of(user)
    )


def _keep(bundle: Bundle, position: int, source: Source, manifest: Manifest, state: str) -> None:
    """Keep a file, in a short transaction of its own: an archive may unpack to half a gigabyte."""
    file = BundleFile(bundle=bundle, position=position, name=source.name[-500:])
    if source.passed_over:
        text = _("Not read: it is %(reason)s.") % {"reason": source.passed_over}
        file.state, file.findings = State.UNCHANGED, [text]
        file.save()
        return
    content, problem = source.read()
    file.chosen = {"state": state, **manifest.row(source.name)}
    with transaction.atomic():
        if problem:
            file.state, file.findings = State.FAULTY, [str(problem)]
        else:
            file.upload = _upload_of(bundle.user, source.name, content)
        file.save()


def ask(bundle: Bundle) -> Job | None:
    """Put the work on a bundle into the queue, if any of its files waits for it."""
    if bundle.stopped or not bundle.files.filter(state__in=ASKED_FOR).exists():
        return None
    # Last in turn: a person who waits for one file goes before hundreds.
    job = Job(kind=Job.Kind.BUNDLE, key=key_of(bundle), arguments={"bundle": bundle.pk}, user=bundle.user)
    job.turn = jobs.Turn.BEFOREHAND
    return jobs.ask(job)


def key_of(bundle: Bundle) -> str:
    """Return the key of a bundle's jobs."""
    return f"{Job.Kind.BUNDLE}-{bundle.pk}"


# --- in the worker ----------------------------------------------------------------------------------------


def run_bundle(job: Job, tell: Tell) -> dict[str, Any]:
    """Try and import the files of a bundle that wait for it; return how many of each stage there are.

    After a while the job ends and asks for the next one, so that others have their turn between.
    """
    user = User.objects.get(pk=job.user_id or 0)
    if not (user.is_active and may_create(user)):
        raise PermissionError
    began = monotonic()
    if findings := _unpack(job):
        return {"findings": [str(each) for each in findings[:MOST_FINDINGS]]}
    for file in _waiting(job.arguments["bundle"]):
        with acting(user):
            _do(file, user)
        counts = states_of(file.bundle)
        tell(sum(counts.values()) - sum(counts[each] for each in ASKED_FOR), sum(counts.values()))
        if monotonic() - began > SLICE:
            break
    refresh_after_import()
    bundle = Bundle.objects.get(pk=job.arguments["bundle"])
    counts = states_of(bundle)
    with transaction.atomic():
        jobs.end(job, result=dict(counts))
        # Also for what was asked between the last look and the end of the job.
        ask(bundle)
    return dict(counts)


def _unpack(job: Job) -> Sequence[Finding]:
    """Keep the files of the archive of a new bundle. Return the findings if the archive is refused."""
    bundle, about = Bundle.objects.get(pk=job.arguments["bundle"]), job.arguments
    if bundle.whole:
        return ()
    uploads = Upload.objects.filter(pk__in=[about.get("archive"), about.get("manifest")]).in_bulk()
    kept = uploads.get(about.get("archive"))
    if kept is None:
        return [error("no-bytes", Place(bundle.name), _("Its bytes are no longer kept. Upload it again."))]
    # Of an attempt in which the worker died.
    Upload.objects.filter(bundle_file__bundle=bundle).delete()
    bundle.files.all().delete()
    given = uploads.get(about["manifest"])
    findings = _take_out(bundle, bytes(kept.file), bytes(given.file) if given else None, about["state"])
    with transaction.atomic():
        Upload.objects.filter(pk__in=uploads).delete()
        Bundle.objects.filter(pk=bundle.pk).update(whole=not findings)
    return findings


def _take_out(bundle: Bundle, content: bytes, manifest: bytes | None, state: str) -> Sequence[Finding]:
    archive, problem = archives.opened(content)
    if archive is None or problem:
        return [problem] if problem else []
    files = list(members(archive))
    if not files:
        text = _("The archive holds no file.")
        return [error("no-files", Place(bundle.name), text)]
    found, given = manifests_in(archive), manifest
    if manifest is None and len(found) > 1:
        text = _("There are %(count)s manifests in it. Leave one, or choose it in the form.")
        return [error("several-manifests", Place(bundle.name), text % {"count": len(found)})]
    if manifest is None and found:
        manifest, problem = archives.member(archive, archive.getinfo(found[0]))
        if problem:
            return [problem]
    if given is None:  # else the manifests of the archive are not used
        files = [each for each in files if each.passed_over != MANIFEST]
    tried = [each for each in files if not each.passed_over]
    read = read_manifest(manifest, [each.name for each in tried]) if manifest else NO_MANIFEST
    if errors(read.findings):
        return read.findings
    # What is passed over comes last: the screen lists only the first files of a large archive.
    rest = [each for each in files if each.passed_over]
    for position, source in enumerate([*tried, *rest]):
        _keep(bundle, position, source, read, state)
    return ()


def _waiting(bundle: int) -> Iterator[BundleFile]:
    """Yield one file after the other that waits, as long as nobody stops the work."""
    while Bundle.objects.filter(pk=bundle, stopped=False).exists():
        file = (
            BundleFile.objects.filter(bundle=bundle, state__in=ASKED_FOR)
            .select_related("bundle", "upload__event")
            .first()
        )
        if file is None:
            return
        yield file


def states_of(bundle: Bundle) -> Counter[str]:
    """Return how many files of a bundle are in each stage; one query."""
    return Counter(bundle.files.order_by().values_list("state", flat=True))


def _do(file: BundleFile, user: User) -> None:
    """Try or import a file, and note what became of it; whatever is wrong with it stops no other."""
    # Noted before: a file in which the worker dies must not hold up those behind it.
    file.attempts += 1
    file.save(update_fields=["attempts"])
    if file.attempts > jobs.MOST_ATTEMPTS:
        text = _("The worker died with it. Import it by itself, and tell those who look after the site.")
        _note(file, State.FAULTY, [error("too-hard", Place(file.name), text)])
        return
    try:
        _settle(file, user)
    except (OperationalError, InterfaceError):  # the database went away; the job is done again
        raise
    except Exception as failure:
        logger.exception("File %s of bundle %s failed.", file.name, file.bundle_id)
        text = _("It could not be read (%(why)s). Tell those who look after the site.")
        wrong = error("unreadable", Place(file.name), text % {"why": type(failure).__name__})
        _note(file, State.FAULTY, [wrong])


def _settle(file: BundleFile, user: User) -> None:
    if file.upload is None:
        text = _("Its bytes are no longer kept. Upload it again.")
        _note(file, State.FAULTY, [error("no-bytes", Place(file.name), text)])
    elif file.upload.applied:
        _note(file, State.IMPORTED)
    elif file.state == State.CHOSEN:
        _import(file, file.upload, user)
    elif facts := _unheard(file, file.upload):
        _note(file, State.FAULTY, [unheard(facts)])
    else:
        _try(file, try_upload(file.upload, user, file.chosen))


def _unheard(file: BundleFile, upload: Upload) -> list[str]:
    """Return the facts that the manifest says of a file which says them itself."""
    content = bytes(upload.file)
    if not holds_event(upload.name, content):
        return []
    # A report has no address of its own.
    own = [each for each in FACTS if each != "slug" or not is_report(upload.name, content)]
    return [each for each in own if each in file.chosen]


def _import(file: BundleFile, upload: Upload, user: User) -> None:
    """Import a file as it was tried; tried again where that is refused or something has changed."""
    try:
        with transaction.atomic():
            import_upload(upload, user, name_of(user), {**file.chosen, "token": file.token})
            _note(file, State.IMPORTED)
    except (Refused, IntegrityError, DataError) as refusal:
        upload.refresh_from_db()
        _try(file, try_upload(upload, user, file.chosen))
        why = str(refusal) if isinstance(refusal, Refused) else sentence_of(refusal)
        file.findings = [why, *file.findings][:MOST_FINDINGS]
        file.save(update_fields=["findings"])


def _try(file: BundleFile, trial: UploadTrial) -> None:
    """Note what a trial found, and in which stage the file is now."""
    lacking = trial.lacking(file.chosen.get("reason", ""), file.chosen.get("accept", ""))
    if errors(trial.findings) or trial.accepted is None:
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
    _note(file, state, [*trial.findings, *lacking])


def _note(file: BundleFile, state: str, findings: list[Finding] | None = None) -> None:
    file.state, file.attempts = state, 0
    if findings is not None:
        file.findings = [str(each) for each in findings[:MOST_FINDINGS]]
    file.save(update_fields=["state", "attempts", "summary", "findings", "token"])


# --- what a person asks of it -----------------------------------------------------------------------------


def settle(bundle: Bundle, wish: str) -> None:
    """Do what a button of the bundle's screen says: import, again, stop or go_on. PermissionDenied else."""
    if wish == "import":
        bundle.files.filter(state=State.READY).update(state=State.CHOSEN)
    elif wish == "again":
        again = (State.FAULTY, State.OBJECTED, State.UNCHANGED)
        bundle.files.filter(state__in=again, upload__applied=None).exclude(upload=None).update(
            state=State.WAITING
        )
    elif wish not in ("stop", "go_on"):
        raise PermissionDenied
    bundle.stopped = wish == "stop"
    bundle.save(update_fields=["stopped"])
    ask(bundle)
