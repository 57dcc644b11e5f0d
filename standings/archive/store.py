"""ZIP archives kept on disk under what they were made of; a machine makes one at a time (ADR 0031)."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from time import time as clock
from typing import BinaryIO, NamedTuple

from django.conf import settings
from django.core.files import locks

from standings.archive.making import Origin, OvertakenError, write_zip
from standings.build import build
from standings.serving.pages import Head
from tournaments.event.choices import PUBLIC
from tournaments.models import Event
from tournaments.revision import present

MOST_BYTES = 1_000_000_000
"""The bytes that all archives together may take; beyond it those that were made longest ago go first."""

LIVE_PAUSE = 300
"""Seconds for which an event in progress keeps the archive it has: changes pour in, and each makes it old."""

TRIES = 2


class Kept(NamedTuple):
    """An archive that is open to be read, and the name that tells it from any other."""

    name: str
    file: BinaryIO


def obtain(head: Head, origin: Origin) -> Kept | None:
    """The archive of an event: kept, or made now; None while any is being made, or the event changes.

    The archive of an event in progress may be five minutes old. It says which version of the data it shows.
    """
    folder = Path(settings.ARCHIVES)
    folder.mkdir(parents=True, exist_ok=True)
    found = _opened(folder / name_of(head, origin)) or _recent(folder, head, origin)
    if found:
        return found
    with _alone(folder) as alone:
        if not alone:
            return None
        # Whoever had the lock before may have made this very archive since it was looked for.
        return _opened(folder / name_of(head, origin)) or _made(folder, head, origin)


def name_of(head: Head, origin: Origin) -> str:
    """The name of an archive: of whom, for which site and build, at which version."""
    return f"{_of(head, origin)}-{head.version}.zip"


def _of(head: Head, origin: Origin) -> str:
    """Return the name of an archive without its version."""
    # An archive that readers never saw has another name: none of them gets it for the last one of an event.
    made_for = f"{origin} {build()} {head.epoch} {head.state in PUBLIC}"
    digest = blake2b(made_for.encode(), digest_size=6).hexdigest()
    return f"{head.pk}-{digest}"


def _opened(path: Path) -> Kept | None:
    try:
        return Kept(path.stem, path.open("rb"))
    except FileNotFoundError:  # never made, or taken away this moment
        return None


def _recent(folder: Path, head: Head, origin: Origin) -> Kept | None:
    """The last archive of an event in progress, while it is young."""
    if head.state != Event.State.LIVE:
        return None
    made = ((_made_at(path), path) for path in folder.glob(f"{_of(head, origin)}-*.zip"))
    moment, last = max(made, default=(0.0, folder))
    return _opened(last) if clock() - moment < LIVE_PAUSE else None


@contextmanager
def _alone(folder: Path) -> Iterator[bool]:
    """Yield whether nobody else on this machine makes an archive."""
    # A lock of the system goes with the process that holds it; a file that stands for one outlives a crash.
    with (folder / "lock").open("w") as lock:
        held = locks.lock(lock, locks.LOCK_EX | locks.LOCK_NB)
        try:
            yield held
        finally:
            if held:
                locks.unlock(lock)


def _made(folder: Path, head: Head, origin: Origin) -> Kept | None:
    """The archive made now, unless the event changes at every try; older ones of the event go."""
    unfinished = folder / "unfinished"  # one name for all: only the holder of the lock writes
    for _ in range(TRIES):
        event = present(head.pk)
        if event.is_public != (head.state in PUBLIC):
            return None  # it was published, or withdrawn, since the one who asks was let in
        now = head._replace(version=event.data_version or 0, state=event.state, epoch=event.epoch)
        with suppress(OvertakenError):
            write_zip(event, origin, unfinished)
            path = unfinished.replace(folder / name_of(now, origin))
            _clear(folder, head.pk, path)
            return _opened(path)
    return None


def _clear(folder: Path, pk: int, made: Path) -> None:
    """Take away the event's other archives, and the oldest of all beyond what they may take."""
    for path in folder.glob(f"{pk}-*.zip"):
        if path != made:
            path.unlink(missing_ok=True)
    left = MOST_BYTES
    for path in sorted(folder.glob("*.zip"), key=_made_at, reverse=True):
        left -= path.stat().st_size
        if left < 0 and path != made:
            path.unlink(missing_ok=True)


def _made_at(path: Path) -> float:
    """When it was made, in seconds since 1970; 0 for one that is gone."""
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0.0
