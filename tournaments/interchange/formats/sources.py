"""Files to import: single files, folders and ZIP archives. Each file is read when it is imported."""

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from zipfile import ZipFile

from tournaments.event.finding import Finding, Place, error, warning
from tournaments.interchange.formats import archives
from tournaments.interchange.formats.file_formats import ENDINGS, holds_event, is_table, suffix_of
from tournaments.interchange.formats.foreign_files import foreign_refusal
from tournaments.interchange.formats.json.parsing import content_of, unreadable
from tournaments.interchange.formats.manifest import is_manifest

SUMS, README = "SHA256SUMS", "README.txt"  # checksums and description in an archive of this site

# files of a published site for browsers and crawlers
OF_SITE = ("404.html", "robots.txt", "feed.xml", "sitemap.xml", "search/events.js", "search/names.js")

# assets of the pages in an archive, and the image next to the pages of an event
STATIC, IMAGE = "static/", "card.png"

# files of a bag other than its data (RFC 8493)
BAG = ("bagit.txt", "bag-info.txt", "manifest-sha256.txt", "tagmanifest-sha256.txt")

# pages of an archive, and the schema of its event files: not imported
PAGE, SCHEMA = "index.html", PurePosixPath("schema/event-1.json")

Content = tuple[bytes, Finding | None]  # the bytes of a file, or the finding if there are none


MANIFEST, HIDDEN = "a manifest", "a hidden file"
LINKED, SPECIAL = "a link to a folder", "not a regular file"
EMPTY = "an archive without files"
DERIVED = "a part of an archive of this site that is made from its event files"
"""Reasons for skipping files."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file, by its name in reports.

    `read`: returns its bytes. `passed_over`: the reason for skipping the file, or blank.
    """

    name: str
    read: Callable[[], Content]
    passed_over: str = ""


def sources(paths: Iterable[Path], report: Path | None = None) -> Iterator[Source]:
    """Yield all files of these paths, folders and ZIP archives, including skipped ones.

    `report`: the file that the import writes, which may be in the same folder.
    """
    for path in paths:
        if path.is_dir():
            yield from _of_folder(path, report)
        else:
            yield from _of_file(path, path.name)


def _of_folder(folder: Path, report: Path | None) -> Iterator[Source]:
    failures: list[OSError] = []
    files: dict[str, Path] = {}
    special: dict[str, str] = {}
    for top, folders, names in os.walk(folder, onerror=failures.append):
        for each in (Path(top, name) for name in (*folders, *names)):
            name = each.relative_to(folder).as_posix()
            is_report = report is not None and each.resolve() == report.resolve()
            if is_report or (each.is_dir() and not each.is_symlink()):
                continue
            files[name] = each
            if each.is_dir():
                special[name] = LINKED
            elif each.exists() and not each.is_file():
                special[name] = SPECIAL  # reading a pipe would block
    for problem in failures:
        yield Source(
            f"{os.path.relpath(problem.filename, folder)}/", partial(_no_content, unreadable(problem))
        )
    passed_over = _passed_over(files) | special
    for name in sorted(files):
        if reason := passed_over.get(name):
            yield Source(name, partial(content_of, files[name]), reason)
        else:
            yield from _of_file(files[name], name)


def _no_content(problem: Finding | None) -> Content:
    return b"", problem


def manifests(paths: Iterable[Path]) -> Iterator[Source]:
    for path in paths:
        if path.is_dir():
            for each in sorted(path.rglob("*")):
                if each.is_file() and is_manifest(each.name):
                    yield Source(each.relative_to(path).as_posix(), partial(content_of, each))
        elif suffix_of(path.name) == ".zip":
            archive, _problem = archives.opened(path)  # the problem is reported with the files
            if archive:
                for name in manifests_in(archive):
                    yield Source(f"{path.name}/{name}", partial(_content_of_member, archive, name))


def manifests_in(archive: ZipFile) -> list[str]:
    return sorted(each.filename for each in archive.infolist() if is_manifest(each.filename))


def _of_file(path: Path, name: str) -> Iterator[Source]:
    if suffix_of(name) != ".zip":
        yield Source(name, partial(content_of, path))
        return
    archive, problem = archives.opened(path)
    if archive is None:
        yield Source(name, partial(_no_content, problem))
        return
    found = list(readable_members(archive, f"{name}/"))
    yield from found or [Source(name, partial(_no_content, None), EMPTY)]


def readable_members(archive: ZipFile, prefix: str = "") -> Iterator[Source]:
    names = [each.filename for each in archive.infolist() if not each.is_dir()]
    passed_over = _passed_over(names)
    for name in sorted(names):
        yield Source(f"{prefix}{name}", partial(_content_of_member, archive, name), passed_over.get(name, ""))


def readable(found: Iterable[Source]) -> list[Source]:
    return [
        each
        for each in found
        if not each.passed_over
        and (
            suffix_of(each.name) in (*ENDINGS, ".zip")
            or is_table(each.name)
            or holds_event(each.name, each.read()[0])
        )
    ]


def only_file_of(content: bytes) -> tuple[str, bytes, Finding | None]:
    """Return name and bytes of the only file in an archive, or an error if there are several or none.

    A warning names files of unknown formats.
    """
    archive, problem = archives.opened(content)
    every = [each for each in readable_members(archive) if not each.passed_over] if archive else []
    found = every if len(every) == 1 else readable(every)
    if problem is None and not found:
        problem = next(filter(None, (foreign_refusal(each.read()[0]) for each in every)), None)
    if problem is None and len(found) != 1:
        text = (
            f"The archive has {len(found)} files that can be imported, but this page imports one file at "
            "a time. Use “Import many files”, or unpack the archive and import one of them."
        )
        problem = error("not-one-file", Place(), text)
    if problem or archive is None:
        return "", b"", problem
    # Read at once, because an archive may be larger than a file.
    if archive.getinfo(found[0].name).file_size > archives.most_bytes():
        most = archives.in_megabytes(archives.most_bytes())
        return "", b"", error("too-big", Place(), f"The file in it is larger than {most}. Cut it.")
    content, problem = found[0].read()
    if problem is None and len(every) > 1:
        names = ", ".join(each.name for each in every if each is not found[0])
        text = f"{len(every) - 1} files of the archive are of no known format and are not read: {names}."
        problem = warning("files-not-read", Place(), text)
    return found[0].name, content, problem


# In an archive of this site, recognised by its checksums, all files but event files are derived.
def _passed_over(names: Iterable[str]) -> dict[str, str]:
    files = {PurePosixPath(each): each for each in names}
    roots = {each.parent for each in files if each.name == SUMS}
    archived = {each for each in files if not roots.isdisjoint(each.parents)}
    event_files = {each for each in archived if each.suffix == ".json" and "." not in each.stem}
    derived = {each.parent / README for each in event_files} | {
        root / name for root in roots for name in (SUMS, SCHEMA, *OF_SITE)
    }
    derived |= {each.with_name(name) for each in files if each.name == BAG[0] for name in BAG}
    derived |= {each for each in archived if each.name in (PAGE, IMAGE)}
    derived |= {each for each in archived if any(each.is_relative_to(root / STATIC) for root in roots)}
    # Slugs have no point: `cup.crosstable.csv` is derived from `cup.json`.
    derived |= {
        each
        for each in archived - event_files
        if each.with_name(f"{each.name.partition('.')[0]}.json") in event_files
    }
    reasons = {files[each]: DERIVED for each in derived & files.keys()}
    for name in files.values():
        if is_manifest(name):
            reasons[name] = MANIFEST
        elif any(part.startswith((".", "__MACOSX")) for part in PurePosixPath(name).parts):
            reasons[name] = HIDDEN
    return reasons


def _content_of_member(archive: ZipFile, name: str) -> Content:
    content, problem = archives.member(archive, archive.getinfo(name))
    if problem is None and suffix_of(name) == ".zip":
        return b"", error(
            "nested-archive", Place(), "An archive inside an archive is not opened. Unpack it first."
        )
    return content, problem
