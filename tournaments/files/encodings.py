"""Bytes → text, for files that do not say how they are encoded: UTF-8, UTF-16, or a page of Windows."""

import codecs
import re

from tournaments.files.finding import Finding, Place, warning

LINE_END = re.compile("\r\n|\n|\r")

# Letters of one code page that stand for signs no name has in the other.
_POLISH_OR_CZECH = re.compile(rb"[\x8d\x8f\x9d]|[A-Za-z][\xa3\xa5\xaf\xb3\xb9\xbf]|[\xa3\xb3\xb9\xbf][a-z]")
_CYRILLIC_WORD = re.compile(rb"(?<![A-Za-z])[\xc0-\xff\xa8\xb8]{3,}(?![A-Za-z])")
_HIGH = re.compile(rb"[\x80-\xff]")


def decoded(content: bytes) -> tuple[str, list[Finding]]:
    """The text in whatever encoding it is; with a warning where that is only the likeliest."""
    if sixteen := _utf_16(content):
        return content.decode(sixteen, "replace").removeprefix("\ufeff"), []
    try:
        return content.decode("utf-8-sig"), []
    except UnicodeDecodeError as problem:
        line = len(LINE_END.findall(content[: problem.start].decode("latin-1"))) + 1
    page = _code_page(content)
    text = f"This is not UTF-8, so it was read as {page}. Look at the names, or save the file as UTF-8."
    return _by_page(content, page), [warning("not-utf-8", Place(f"line {line}"), text)]


def _utf_16(content: bytes) -> str:
    """The order of the bytes of UTF-16: by its mark, or because every other byte of the start is nought."""
    for mark, name in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if content.startswith(mark):
            return name
    start = content[:64]
    if len(start) >= 4 and not any(start[1::2]):
        return "utf-16-le"
    return "utf-16-be" if len(start) >= 4 and not any(start[::2]) else ""


def _code_page(content: bytes) -> str:
    """Windows-1252, but where the letters can only be Cyrillic or those of Central Europe."""
    cyrillic = sum(map(len, _CYRILLIC_WORD.findall(content)))
    if 2 * cyrillic > len(_HIGH.findall(content)):
        return "cp1251"
    return "cp1250" if _POLISH_OR_CZECH.search(content) else "cp1252"


def _by_page(content: bytes, page: str) -> str:
    """The text; a byte that the page leaves free stands for itself, as in Latin-1."""
    try:
        return content.decode(page)
    except UnicodeDecodeError:
        return "".join(_one(byte, page) for byte in content)


def _one(byte: int, page: str) -> str:
    letter = bytes([byte])
    decoded = letter.decode(page, "replace")
    return letter.decode("latin-1") if decoded == "\ufffd" else decoded
