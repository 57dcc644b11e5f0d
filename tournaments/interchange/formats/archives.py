"""ZIP archives from users: checked before they are unpacked, and never unpacked to a disk.

The limits are settings (docs/import.md). Archives beyond them are rejected before unpacking.
"""

import zlib
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path, PurePosixPath, PureWindowsPath
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from django.conf import settings

from tournaments.event.finding import Finding, Place, cut, error

MAGIC = b"PK\x03\x04"

_ENCRYPTED = 0x1
_SMALL = 1024 * 1024  # smaller files can have any ratio
BROKEN = (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError)
"""The exceptions for archives that are damaged, encrypted or compressed by unknown methods."""


# --- limits -----------------------------------------------------------------------------------------------


def most_bytes() -> int:
    return int(settings.IMPORT_MOST_BYTES)


def in_megabytes(count: int) -> str:
    return f"{count / 1024 / 1024:.0f} MB"


# --- opening ----------------------------------------------------------------------------------------------


def opened(content: bytes | Path, unpacked: int | None = None) -> tuple[ZipFile | None, Finding | None]:
    """Return the archive if its declared sizes are within the limits, else a finding.

    `unpacked`: the largest size of all files in bytes, if lower than the general limit.
    """
    try:
        archive = ZipFile(content if isinstance(content, Path) else BytesIO(content))
    except BROKEN as problem:
        text = f"The archive cannot be opened: {cut(str(problem))}. Pack the files again."
        return None, error("broken-archive", Place(), text)
    found = next(_archive_errors(archive.infolist(), unpacked or settings.IMPORT_MOST_UNPACKED), None)
    return (None, found) if found else (archive, None)


def member(archive: ZipFile, info: ZipInfo) -> tuple[bytes, Finding | None]:
    """Return the bytes of a file, at most as many as declared, else a finding."""
    try:
        with archive.open(info) as file:
            return file.read(info.file_size), None
    except BROKEN as problem:
        text = f"It cannot be unpacked: {cut(str(problem))}. Pack the file again."
        return b"", error("broken-archive", Place(info.filename), text)


def _archive_errors(members: list[ZipInfo], unpacked: int) -> Iterator[Finding]:
    most = settings.IMPORT_MOST_FILES
    if len(members) > most:
        text = (
            f"The archive has {len(members)} files; at most {most} are read. Split it into smaller archives."
        )
        yield error("too-many-files", Place(), text)
        return
    for each in members:
        yield from _member_errors(each)
    # Files are read by name, so only the last of a name would be read.
    names = Counter(PurePosixPath(each.filename) for each in members if not each.is_dir())
    for name, count in names.items():
        if count > 1:
            text = f"{count} files of the archive have this name. Give each a name of its own."
            yield error("same-name", Place(_printable_name(str(name))), text)
    together = sum(each.file_size for each in members)
    if together > unpacked:
        sizes = f"{in_megabytes(together)} unpacked; at most {in_megabytes(unpacked)}"
        yield error("too-big", Place(), f"{sizes} are read. Pack fewer together.")


def _member_errors(each: ZipInfo) -> Iterator[Finding]:
    place = Place(_printable_name(each.filename))
    posix, windows = PurePosixPath(each.filename), PureWindowsPath(each.filename)
    parts = {*posix.parts, *windows.parts}
    if posix.is_absolute() or windows.drive or windows.root or ".." in parts or "\x00" in each.filename:
        text = "This name leads out of the archive. Pack the files under plain names."
        yield error("leads-out", place, text)
    if each.flag_bits & _ENCRYPTED:
        yield error("encrypted", place, "The file is encrypted. Pack it without a password.")
    if each.compress_type not in {ZIP_STORED, ZIP_DEFLATED}:
        yield error(
            "unknown-packing", place, "It is packed in a way that is not read here. Pack it as plain ZIP."
        )
    packed, most = max(each.compress_size, 1), settings.IMPORT_MOST_RATIO
    if each.file_size > _SMALL and each.file_size > most * packed:
        text = f"{each.file_size // packed} times larger than packed; at most {most} times is read. Check it."
        yield error("packed-too-tightly", place, text)


def _printable_name(name: str) -> str:
    return name.encode("utf-8", "replace").decode()[:120]
