"""Files to import: named one by one, in folders, in ZIP archives; each is read when its turn comes."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from zipfile import ZipFile

from tournaments.event.finding import Finding, Place, error
from tournaments.formats import archives
from tournaments.formats.endings import is_event, is_table, suffix_of
from tournaments.formats.json.parsing import MOST_BYTES, unreadable
from tournaments.formats.manifest import is_manifest

SUMS, README = "SHA256SUMS", "README.txt"
"""What an archive of this site has beside its events: the checksums of all of it, and what it is."""

OF_SITE = ("404.html", "robots.txt", "feed.xml", "sitemap.xml")
"""What a published site has for browsers and machines."""

BAG = ("bagit.txt", "bag-info.txt", "manifest-sha256.txt", "tagmanifest-sha256.txt")
"""What a bag has beside its data (RFC 8493)."""

PAGE, SCHEMA = "index.html", PurePosixPath("schema/event-1.json")
"""Its pages, and the schema of its event files: neither is a file to import."""

Content = tuple[bytes, Finding | None]
"""The bytes of a file, or the finding why there are none."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file by the name that reports give it; `read` gets its bytes."""

    name: str
    read: Callable[[], Content]


def sources(paths: Iterable[Path]) -> Iterator[Source]:
    """Yield every file, folders and archives opened up; of those only what has a known ending."""
    for path in paths:
        if path.is_dir():
            files = {each.relative_to(path).as_posix(): each for each in path.rglob("*") if each.is_file()}
            for name in _wanted(files):
                yield from _of_file(files[name], name)
        else:
            yield from _of_file(path, path.name)


def manifests(paths: Iterable[Path]) -> Iterator[Source]:
    """Yield the manifests that stand in the folders and archives, and are no events themselves."""
    for path in paths:
        if path.is_dir():
            for each in sorted(path.rglob("*")):
                if each.is_file() and is_manifest(each.name):
                    yield Source(each.relative_to(path).as_posix(), partial(content_of, each))
        elif suffix_of(path.name) == ".zip":
            archive, _problem = archives.opened(path)  # the problem is told with its files
            if archive:
                for name in manifests_in(archive):
                    yield Source(f"{path.name}/{name}", partial(_member, archive, name))


def manifests_in(archive: ZipFile) -> list[str]:
    """Return the names of the manifests in an archive."""
    return sorted(each.filename for each in archive.infolist() if is_manifest(each.filename))


def _of_file(path: Path, name: str) -> Iterator[Source]:
    if suffix_of(name) != ".zip":
        yield Source(name, partial(content_of, path))
        return
    archive, problem = archives.opened(path)
    if archive is None:
        yield Source(name, lambda: (b"", problem))
        return
    yield from members(archive, f"{name}/")


def members(archive: ZipFile, prefix: str = "") -> Iterator[Source]:
    """Yield the files of an archive that are to be imported."""
    for name in _wanted([each.filename for each in archive.infolist() if not each.is_dir()]):
        yield Source(f"{prefix}{name}", partial(_member, archive, name))


def only_file_of(content: bytes) -> tuple[str, bytes, Finding | None]:
    """Return the name and the bytes of the one file in an archive; or the finding why there is not one."""
    archive, problem = archives.opened(content)
    found = list(members(archive)) if archive else []
    if problem is None and len(found) != 1:
        text = (
            f"The archive holds {len(found)} files that can be imported, and one is imported here at a time. "
            "Unpack it and take one of them, or ask for manage.py import_event."
        )
        problem = error("not-one-file", Place(), text)
    if problem or archive is None:
        return "", b"", problem
    # Read whole, and kept: an archive may hold more than what is taken as a file.
    if archive.getinfo(found[0].name).file_size > archives.most_bytes():
        most = archives.in_megabytes(archives.most_bytes())
        return "", b"", error("too-big", Place(), f"The file in it is larger than {most}. Cut it.")
    content, problem = found[0].read()
    return found[0].name, content, problem


def _wanted(names: Iterable[str]) -> list[str]:
    """Return the names of the files to import, in order.

    In an archive of this site, known by its checksums, the other forms of an event beside its event file are
    made of it, and so are the pages and what tells about them.
    """
    files = {PurePosixPath(each): each for each in names}
    roots = {each.parent for each in files if each.name == SUMS}
    archived = {each for each in files if not roots.isdisjoint(each.parents)}
    event_files = {each for each in archived if each.suffix == ".json" and "." not in each.stem}
    told = {each.parent / README for each in event_files} | {
        root / name for root in roots for name in (SCHEMA, *OF_SITE)
    }
    told |= {each.with_name(name) for each in files if each.name == BAG[0] for name in BAG}
    pages = {each for each in archived if each.name == PAGE}
    # No address of an event has a point: `cup.crosstable.csv` is made of `cup.json`.
    made = {each for each in archived - event_files if _event_file_of(each) in event_files}
    return sorted(files[each] for each in files.keys() - told - pages - made if _is_wanted(files[each]))


def _event_file_of(name: PurePosixPath) -> PurePosixPath:
    return name.with_name(f"{name.name.partition('.')[0]}.json")


def _is_wanted(name: str) -> bool:
    is_hidden = any(part.startswith((".", "__MACOSX")) for part in Path(name).parts)
    if is_hidden or is_manifest(name):
        return False
    return is_event(name) or is_table(name) or suffix_of(name) == ".zip"


def _member(archive: ZipFile, name: str) -> Content:
    content, problem = archives.member(archive, archive.getinfo(name))
    if problem is None and suffix_of(name) == ".zip":
        return b"", error(
            "nested-archive", Place(), "An archive inside an archive is not opened. Unpack it first."
        )
    return content, problem


def content_of(file: Path) -> tuple[bytes, Finding | None]:
    """Return the bytes of a file, at most one more than any reader takes; or why there are none."""
    try:
        with file.open("rb") as opened:
            return opened.read(MOST_BYTES + 1), None
    except OSError as problem:
        return b"", unreadable(problem)
