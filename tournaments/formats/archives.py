"""ZIP files from anywhere: looked at before a byte is unpacked, and never unpacked to a disk.

How much an upload may hold is a setting (docs/import.md); what is beyond is refused before it is unpacked.
"""

import zlib
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path, PurePosixPath, PureWindowsPath
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from django.conf import settings

from tournaments.event.finding import Finding, Place, error

MAGIC = b"PK\x03\x04"
INSIDE = (MAGIC, b"PK\x05\x06", b"\x1f\x8b", b"Rar!", b"7z\xbc\xaf", b"BZh", b"\xfd7zXZ")
"""How archives begin; one inside another is refused."""

_ENCRYPTED = 0x1
_SMALL = 1024 * 1024  # a ratio says nothing of less
BROKEN = (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError)
"""What the standard library raises for archives that are damaged, encrypted or packed in unknown ways."""


# --- limits -----------------------------------------------------------------------------------------------


def most_bytes() -> int:
    """Return how many bytes the largest file may have."""
    return int(settings.IMPORT_MOST_BYTES)


def most_files() -> int:
    """Return how many files one archive may hold."""
    return int(settings.IMPORT_MOST_FILES)


def most_unpacked() -> int:
    """Return how many bytes the files of one archive may have together."""
    return int(settings.IMPORT_MOST_UNPACKED)


def most_ratio() -> int:
    """Return how many times larger than packed a file of an archive may be."""
    return int(settings.IMPORT_MOST_RATIO)


def in_megabytes(count: int) -> str:
    """Return a size in megabytes, as people read it."""
    return f"{count / 1024 / 1024:.0f} MB"


# --- opening ----------------------------------------------------------------------------------------------


def opened(content: bytes | Path, unpacked: int | None = None) -> tuple[ZipFile | None, Finding | None]:
    """Return the archive, if all it says of itself is within the limits; or the finding why it is refused.

    `unpacked` is how many bytes its files may have together, if that is less than everywhere.
    """
    try:
        archive = ZipFile(content if isinstance(content, Path) else BytesIO(content))
    except BROKEN as problem:
        text = f"The archive cannot be opened: {problem}. Pack the files again."
        return None, error("broken-archive", Place(), text)
    found = next(_refusals(archive.infolist(), unpacked or most_unpacked()), None)
    return (None, found) if found else (archive, None)


def member(archive: ZipFile, info: ZipInfo) -> tuple[bytes, Finding | None]:
    """Return the bytes of one file of the archive, never more than it announced; or the finding why not."""
    try:
        with archive.open(info) as file:
            return file.read(info.file_size), None
    except BROKEN as problem:
        text = f"It cannot be unpacked: {problem}. Pack the file again."
        return b"", error("broken-archive", Place(info.filename), text)


def _refusals(members: list[ZipInfo], unpacked: int) -> Iterator[Finding]:
    most = most_files()
    if len(members) > most:
        text = f"{len(members)} files in one archive; at most {most} are read. Pack fewer together."
        yield error("too-many-files", Place(), text)
        return
    for each in members:
        yield from _refused(each)
    # Files are read by their names, so only the last one of a name would be.
    names = Counter(PurePosixPath(each.filename) for each in members if not each.is_dir())
    for name, count in names.items():
        if count > 1:
            text = f"{count} files of the archive have this name. Give each a name of its own."
            yield error("same-name", Place(_shown(str(name))), text)
    together = sum(each.file_size for each in members)
    if together > unpacked:
        sizes = f"{in_megabytes(together)} unpacked; at most {in_megabytes(unpacked)}"
        yield error("too-big", Place(), f"{sizes} are read. Pack fewer together.")


def _refused(each: ZipInfo) -> Iterator[Finding]:
    place = Place(_shown(each.filename))
    if _leads_out(each.filename):
        text = "This name leads out of the archive. Pack the files under plain names."
        yield error("leads-out", place, text)
    if each.flag_bits & _ENCRYPTED:
        yield error("encrypted", place, "The file is encrypted. Pack it without a password.")
    if each.compress_type not in {ZIP_STORED, ZIP_DEFLATED}:
        yield error(
            "unknown-packing", place, "It is packed in a way that is not read here. Pack it as plain ZIP."
        )
    packed, most = max(each.compress_size, 1), most_ratio()
    if each.file_size > _SMALL and each.file_size > most * packed:
        text = f"{each.file_size // packed} times larger than packed; at most {most} times is read. Check it."
        yield error("packed-too-tightly", place, text)


def _shown(name: str) -> str:
    return name.encode("utf-8", "replace").decode()[:120]


def _leads_out(name: str) -> bool:
    posix, windows = PurePosixPath(name), PureWindowsPath(name)
    parts = {*posix.parts, *windows.parts}
    return posix.is_absolute() or bool(windows.drive or windows.root) or ".." in parts or "\x00" in name
