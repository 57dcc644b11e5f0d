"""Files to import: named one by one, in folders, in ZIP archives; each is read when its turn comes."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from zipfile import ZipFile

from tournaments.files import archives
from tournaments.files.finding import Finding, Place, error
from tournaments.files.formats import is_event, is_table, suffix_of
from tournaments.files.importing import content_of

Content = tuple[bytes, Finding | None]
"""The bytes of a file, or the finding why there are none."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file by the name that reports give it; `read` gets its bytes."""

    name: str
    read: Callable[[], Content]


def sources(paths: Iterable[Path]) -> Iterator[Source]:
    """Every file, folders and archives opened up; of those only what has a known ending."""
    for path in paths:
        if path.is_dir():
            for file in sorted(each for each in path.rglob("*") if _is_wanted(each.name) and each.is_file()):
                yield from _of_file(file, file.relative_to(path).as_posix())
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
    for info in sorted(archive.infolist(), key=lambda each: each.filename):
        if not info.is_dir() and _is_wanted(info.filename):
            yield Source(f"{name}/{info.filename}", partial(_member, archive, info.filename))


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
