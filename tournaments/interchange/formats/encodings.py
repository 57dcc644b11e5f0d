"""Text from bytes without a declared encoding: UTF-8, UTF-16, or a code page."""

import codecs
import re

from tournaments.event.finding import Finding, Place, error, warning
from tournaments.interchange.formats.encoding_evidence import in_page, likeliest

_CHARSET = re.compile(
    rb"<meta[^>]{0,200}?charset\s*+=\s*+[\"']?+\s*+([\w.:-]{2,40})", re.IGNORECASE | re.ASCII
)
_LOOKED_AT = 4096  # letters that decide the byte order of UTF-16
LINE_END = re.compile("\r\n|\n|\r")

# the encodings that users can choose, with their names
ENCODINGS: dict[str, str] = {
    "utf-8": "UTF-8", "utf-16": "UTF-16", "cp1250": "Windows-1250, Central Europe",
    "cp1251": "Windows-1251, Cyrillic", "cp1252": "Windows-1252, Western Europe",
    "cp1253": "Windows-1253, Greek", "cp1254": "Windows-1254, Turkish", "cp1255": "Windows-1255, Hebrew",
    "cp1256": "Windows-1256, Arabic", "cp1257": "Windows-1257, Baltic", "cp437": "DOS 437, Western",
    "cp737": "DOS 737, Greek", "cp775": "DOS 775, Baltic", "cp850": "DOS 850, Western Europe",
    "cp852": "DOS 852, Central Europe", "cp857": "DOS 857, Turkish", "cp866": "DOS 866, Cyrillic",
    "koi8-r": "KOI8-R, Russian", "koi8-u": "KOI8-U, Ukrainian", "iso-8859-2": "ISO 8859-2, Central Europe",
    "iso-8859-5": "ISO 8859-5, Cyrillic", "iso-8859-7": "ISO 8859-7, Greek",
    "iso-8859-9": "ISO 8859-9, Turkish", "iso-8859-13": "ISO 8859-13, Baltic",
    "iso-8859-15": "ISO 8859-15, Western Europe", "mac-roman": "Mac, Western Europe",
    "mac-latin2": "Mac, Central Europe", "mac-cyrillic": "Mac, Cyrillic", "mac-greek": "Mac, Greek",
    "mac-turkish": "Mac, Turkish",
}  # fmt: skip

_MODERN = ("cp1252", "cp1250", "cp1251")
CODE_PAGES = (*_MODERN, *(each for each in ENCODINGS if not each.startswith("utf-") and each not in _MODERN))
"""The single-byte encodings that are detected; the first of those with the same text."""

_BY_CODEC = {codecs.lookup(each).name: each for each in ENCODINGS}


def decode_text(content: bytes, encoding: str = "") -> tuple[str, list[Finding]]:
    """Return the text in the chosen encoding, else in the detected one with a warning.

    The encoding that an HTML page declares is used if its bytes are not UTF-8 and can be decoded. There is an
    error if the bytes cannot be decoded in the chosen encoding.
    """
    if encoding:
        try:
            return content.decode(encoding).removeprefix("\ufeff"), []
        except UnicodeDecodeError as problem:
            value = f"{content[problem.start]:#04x}"
            text = f"The byte {value} is not valid in {encoding}. Choose another encoding."
            return "", [error("wrong-encoding", _place_of_byte(content, problem.start), text)]
    if sixteen := _utf_16(content):
        return content.decode(sixteen, "replace").removeprefix("\ufeff"), []
    try:
        return content.decode("utf-8-sig"), []
    except UnicodeDecodeError as problem:
        place = _place_of_byte(content, problem.start)
    if known := _declared(content):
        return content.decode(known), []
    guess, evidence = likeliest(content, CODE_PAGES)
    text = (
        f"The file is not UTF-8, so it was read as {ENCODINGS[guess]} ({guess}). "
        f"{evidence} Choose the encoding if names are wrong."
    )
    return in_page(content, guess), [warning("not-utf-8", place, text)]


def _declared(content: bytes) -> str:
    found = _CHARSET.search(content[:_LOOKED_AT])
    declared = found[1].decode("ascii") if found else ""
    try:
        name = codecs.lookup(declared).name if declared else ""
        # Pages that declare ISO 8859-1 are read as Windows-1252, as in browsers.
        encoding = {"iso8859-1": "cp1252", "ascii": "cp1252"}.get(name) or _BY_CODEC.get(name, "")
        if encoding:
            content.decode(encoding)
    except (LookupError, ValueError):
        return ""
    return encoding


def _place_of_byte(content: bytes, at: int) -> Place:
    return Place(f"line {len(LINE_END.findall(content[:at].decode('latin-1'))) + 1}")


def _utf_16(content: bytes) -> str:
    for mark, name in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if content.startswith(mark):
            return name
    # Without a mark, every other byte of figures, separators and line ends is 0, which code pages never have.
    start = content[: 2 * _LOOKED_AT]
    low, high = start[::2].count(0), start[1::2].count(0)
    if 20 * max(low, high) < len(start) or len(start) < 4 or not (high > 4 * low or low > 4 * high):
        return ""
    return "utf-16-le" if high > low else "utf-16-be"
