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

SUMS, README = "SHA256SUMS", "README.txt"
"""What an archive of this site has beside its events: the checksums of all of it, and what it is."""

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


def _of_file(path: Path, name: str) -> Iterator[Source]:
    if suffix_of(name) != ".zip":
        yield Source(name, partial(content_of, path))
        return
    archive, problem = archives.opened(path)
    if archive is None:
        yield Source(name, lambda: (b"", problem))
        return
    yield from _members(archive, f"{name}/")


def _members(archive: ZipFile, prefix: str = "") -> Iterator[Source]:
    for name in _wanted([each.filename for each in archive.infolist() if not each.is_dir()]):
        yield Source(f"{prefix}{name}", partial(_member, archive, name))


def only_file_of(content: bytes) -> tuple[str, bytes, Finding | None]:
    """Return the name and the bytes of the one file in an archive; or the finding why there is not one."""
    archive, problem = archives.opened(content)
    found = list(_members(archive)) if archive else []
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
    made of it, and so is what tells about them.
    """
    files = {PurePosixPath(each): each for each in names}
    roots = {each.parent for each in files if each.name == SUMS}
    archived = {each for each in files if not roots.isdisjoint(each.parents)}
    event_files = {each for each in archived if each.suffix == ".json"}
    readmes = {each.parent / README for each in event_files}
    made = {each for each in archived - event_files if each.with_suffix(".json") in event_files}
    return sorted(files[each] for each in files.keys() - readmes - made if _is_wanted(files[each]))


def _is_wanted(name: str) -> bool:
    is_hidden = any(part.startswith((".", "__MACOSX")) for part in Path(name).parts)
    return not is_hidden and (is_event(name) or is_table(name) or suffix_of(name) == ".zip")


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
