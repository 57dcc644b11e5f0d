"""ZIP files from anywhere: looked at before a byte is unpacked, and never unpacked to a disk."""

import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path, PurePosixPath, PureWindowsPath
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from tournaments.event.finding import Finding, Place, error
from tournaments.formats import limits

MAGIC = b"PK\x03\x04"
INSIDE = (MAGIC, b"PK\x05\x06", b"\x1f\x8b", b"Rar!", b"7z\xbc\xaf", b"BZh", b"\xfd7zXZ")
"""How archives begin; one inside another is refused."""

_ENCRYPTED = 0x1
_SMALL = 1024 * 1024  # a ratio says nothing of less
_BROKEN = (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError)
"""What the standard library raises for archives that are damaged, encrypted or packed in unknown ways."""


def opened(content: bytes | Path, unpacked: int | None = None) -> tuple[ZipFile | None, Finding | None]:
    """Return the archive, if all it says of itself is within the limits; or the finding why it is refused.

    `unpacked` is how many bytes its files may have together, if that is less than everywhere.
    """
    try:
        archive = ZipFile(content if isinstance(content, Path) else BytesIO(content))
    except _BROKEN as problem:
        text = f"The archive cannot be opened: {problem}. Pack the files again."
        return None, error("broken-archive", Place(), text)
    found = next(_refusals(archive.infolist(), unpacked or limits.most_unpacked()), None)
    return (None, found) if found else (archive, None)


def member(archive: ZipFile, info: ZipInfo) -> tuple[bytes, Finding | None]:
    """Return the bytes of one file of the archive, never more than it announced; or the finding why not."""
    try:
        with archive.open(info) as file:
            return file.read(info.file_size), None
    except _BROKEN as problem:
        text = f"It cannot be unpacked: {problem}. Pack the file again."
        return b"", error("broken-archive", Place(info.filename), text)


def _refusals(members: list[ZipInfo], unpacked: int) -> Iterator[Finding]:
    most = limits.most_files()
    if len(members) > most:
        text = f"{len(members)} files in one archive; at most {most} are read. Pack fewer together."
        yield error("too-many-files", Place(), text)
        return
    for each in members:
        yield from _refused(each)
    together = sum(each.file_size for each in members)
    if together > unpacked:
        sizes = f"{limits.in_megabytes(together)} unpacked; at most {limits.in_megabytes(unpacked)}"
        yield error("too-big", Place(), f"{sizes} are read. Pack fewer together.")


def _refused(each: ZipInfo) -> Iterator[Finding]:
    place = Place(each.filename.encode("utf-8", "replace").decode()[:120])
    if _leads_out(each.filename):
        text = "This name leads out of the archive. Pack the files under plain names."
        yield error("leads-out", place, text)
    if each.flag_bits & _ENCRYPTED:
        yield error("encrypted", place, "The file is encrypted. Pack it without a password.")
    if each.compress_type not in {ZIP_STORED, ZIP_DEFLATED}:
        yield error(
            "unknown-packing", place, "It is packed in a way that is not read here. Pack it as plain ZIP."
        )
    packed, most = max(each.compress_size, 1), limits.most_ratio()
    if each.file_size > _SMALL and each.file_size > most * packed:
        text = f"{each.file_size // packed} times larger than packed; at most {most} times is read. Check it."
        yield error("packed-too-tightly", place, text)


def _leads_out(name: str) -> bool:
    posix, windows = PurePosixPath(name), PureWindowsPath(name)
    parts = {*posix.parts, *windows.parts}
    return posix.is_absolute() or bool(windows.drive or windows.root) or ".." in parts or "\x00" in name
