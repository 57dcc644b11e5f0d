"""Bytes → text, for files that do not say how they are encoded: UTF-8, UTF-16, or a page of Windows."""

import codecs
import re

from tournaments.event.finding import Finding, Place, error, warning

LINE_END = re.compile("\r\n|\n|\r")

ENCODINGS: dict[str, str] = {
    "utf-8": "UTF-8",
    "utf-16": "UTF-16",
    "cp1250": "Windows-1250, Central Europe",
    "cp1251": "Windows-1251, Cyrillic",
    "cp1252": "Windows-1252, Western Europe",
    "cp1253": "Windows-1253, Greek",
    "cp1254": "Windows-1254, Turkish",
    "cp1255": "Windows-1255, Hebrew",
    "cp1256": "Windows-1256, Arabic",
    "cp1257": "Windows-1257, Baltic",
    "cp437": "DOS 437, Western",
    "cp850": "DOS 850, Western Europe",
    "cp852": "DOS 852, Central Europe",
    "cp866": "DOS 866, Cyrillic",
    "koi8-r": "KOI8-R, Russian",
    "koi8-u": "KOI8-U, Ukrainian",
    "iso-8859-2": "ISO 8859-2, Central Europe",
    "iso-8859-15": "ISO 8859-15, Western Europe",
    "mac-roman": "Mac, Western Europe",
    "mac-cyrillic": "Mac, Cyrillic",
}
"""The encodings that can be chosen, with what people call them."""

# Letters of one code page that stand for signs no name has in the other.
_POLISH_OR_CZECH = re.compile(rb"[\x8d\x8f\x9d]|[A-Za-z][\xa3\xa5\xaf\xb3\xb9\xbf]|[\xa3\xb3\xb9\xbf][a-z]")
_CYRILLIC_WORD = re.compile(rb"(?<![A-Za-z])[\xc0-\xff\xa8\xb8]{3,}(?![A-Za-z])")
_HIGH = re.compile(rb"[\x80-\xff]")


def decoded(content: bytes, encoding: str = "") -> tuple[str, list[Finding]]:
    """Return the text in the encoding that was chosen, else in the likeliest, with a warning then.

    There is an error where the bytes are no text of the encoding that was chosen.
    """
    if encoding:
        return _as_chosen(content, encoding)
    if sixteen := _utf_16(content):
        return content.decode(sixteen, "replace").removeprefix("\ufeff"), []
    try:
        return content.decode("utf-8-sig"), []
    except UnicodeDecodeError as problem:
        line = len(LINE_END.findall(content[: problem.start].decode("latin-1"))) + 1
    page = _code_page(content)
    text = (
        f"This is not UTF-8, so it was read as {page}. Look at the names; choose the encoding where they are "
        "wrong, or save the file as UTF-8."
    )
    return _by_page(content, page), [warning("not-utf-8", Place(f"line {line}"), text)]


def _as_chosen(content: bytes, encoding: str) -> tuple[str, list[Finding]]:
    try:
        return content.decode(encoding).removeprefix("\ufeff"), []
    except UnicodeDecodeError as problem:
        line = len(LINE_END.findall(content[: problem.start].decode("latin-1"))) + 1
        text = f"The byte {content[problem.start]:#04x} is nothing in {encoding}. Choose another encoding."
        return "", [error("wrong-encoding", Place(f"line {line}"), text)]


def _utf_16(content: bytes) -> str:
    """Return the order of the bytes of UTF-16, blank where the text is none of it."""
    for mark, name in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if content.startswith(mark):
            return name
    # Without a mark every other byte of the first letters is nought.
    start = content[:64]
    if len(start) >= 4 and not any(start[1::2]):
        return "utf-16-le"
    return "utf-16-be" if len(start) >= 4 and not any(start[::2]) else ""


def _code_page(content: bytes) -> str:
    """Return Windows-1252, but where the letters can only be Cyrillic or those of Central Europe."""
    cyrillic = sum(map(len, _CYRILLIC_WORD.findall(content)))
    if 2 * cyrillic > len(_HIGH.findall(content)):
        return "cp1251"
    return "cp1250" if _POLISH_OR_CZECH.search(content) else "cp1252"


def _by_page(content: bytes, page: str) -> str:
    """Return the text; a byte that the page leaves free stands for itself, as in Latin-1."""
    try:
        return content.decode(page)
    # A byte that a page leaves free would else cost the whole file.
    except UnicodeDecodeError:
        return "".join(_one(byte, page) for byte in content)


def _one(byte: int, page: str) -> str:
    letter = bytes([byte])
    decoded = letter.decode(page, "replace")
    return letter.decode("latin-1") if decoded == "\ufffd" else decoded
