"""Files of other programs that are not read, recognised by their first bytes, with advice how to proceed."""

import re
from pathlib import PurePath
from typing import NamedTuple

from tournaments.event.finding import Finding, Place, error

UNKNOWN_FORMAT = "unknown-format"  # code of a finding

_REPORT = "export the report for FIDE (TRF)"
_COPY = "Copy the text of the table and paste it, or save the table as HTML, CSV or XLSX."
_OLE, _ZIP, _DBASE = rb"\xd0\xcf\x11\xe0", rb"PK\x03\x04", rb"[\x03\x83\x8b\xf5].[\x01-\x0c][\x01-\x1f].{8}\0\0.{18}[A-Z]"
_DIRECTORY = 65_536  # bytes at both ends of a ZIP archive that contain the names of its files


class ForeignFile(NamedTuple):
    """A kind of file that is not read: its name and file name extensions, and what users can do instead.

    `start`: the pattern of its first bytes; blank if only the extension shows the kind. `part`: the pattern of
    bytes that such a file has somewhere.
    """

    name: str
    start: bytes
    part: bytes
    endings: str
    advice: str


FOREIGN_FILES = (
    ForeignFile(
        "a tournament of Papi (an Access database)", rb"\x00\x01\0\0Standard (?:Jet|ACE) DB", b"", ".papi",
        "Show the grid (“Grille américaine”) in Papi or on the federation's site, copy it and paste it; or open "
        f"the file in Sharly Chess and {_REPORT}.",
    ),
    ForeignFile(
        "a tournament of Sharly Chess", rb"SQLite format 3\0", b"", ".sce",
        f"Open the tournament in Sharly Chess and {_REPORT}.",
    ),
    ForeignFile(
        "a tournament of Swiss-Manager", rb"\x93\xff\x89D", b"",
        ".tunx .turx .tutx .tumx .tun .tur .tut .tum",
        f"In Swiss-Manager choose Other › FIDE data export and {_REPORT}; or export the cross table of "
        "chess-results.com to Excel.",
    ),
    *(
        ForeignFile(
            "a part of a tournament of SwissPerfect", start, part, ".trn .sco",
            "In SwissPerfect show the cross table, choose File › Export and save it as text with tabs.",
        )
        for start, part in (
            (_DBASE, rb"LOC_ID|W_SCORE|SURNAME"),
            (rb"\s*\[[^]]{1,40}\]", rb"\[(?:Tournament Info|View Cross Table)\]"),
        )
    ),
    ForeignFile(
        "a tournament of Vega", rb"(?:\xef\xbb\xbf)?\s*(?i:Vega(?:Team)? \d|<\?xml[^>]{0,99}>\s*<vega)", b"",
        ".vegx .veg", f"In Vega choose Rating Report and {_REPORT}; or save the cross table of its web pages.",
    ),
    ForeignFile(
        "a tournament of Swiss Master", b"", b"", ".sm .smw", f"In Swiss Master {_REPORT}."
    ),
    ForeignFile("a dBase table", _DBASE, b"", ".dbf", "Open it in a spreadsheet and save it as XLSX."),
    ForeignFile(
        "a PDF", rb"\s*%PDF-", b"", ".pdf",
        "Copy the text of the table and paste it; a scanned page needs a program that reads its text (OCR).",
    ),
    ForeignFile(
        "a picture",
        rb"\x89PNG|\xff\xd8\xff|GIF8|BM.{4}\0{4}|II\*\0|MM\0\*|RIFF.{4}WEBP|.{4}ftyp(?:hei|avi|mif|msf)", b"", "",
        "Type the table into a spreadsheet, or let a program read its text (OCR) and check every figure.",
    ),
    ForeignFile("a text of a word processor (RTF)", rb"\{\\rtf", b"", ".rtf", _COPY),
    *(
        ForeignFile("a document of Word or another word processor", start, part, ".doc .docx .odt", _COPY)
        for start, part in (
            (_OLE, rb"W\0o\0r\0d\0D\0o\0c\0u\0m\0e\0n\0t"),
            (_ZIP, rb"word/document|opendocument\.text"),
            (rb"\xdb\xa5-\0|\xffWPC", b""),
        )
    ),
    ForeignFile(
        "a document of Numbers or Pages", _ZIP, rb"Index/\w|Index\.zip|(?<![\w/])index\.(?:xml|apxl)",
        ".numbers .pages",
        "In Numbers choose File › Export To › CSV or Excel; in Pages copy the text of the table and paste it.",
    ),
    *(
        ForeignFile("a document of PageMaker", start, part, ".pmd .p65 .pm6 .pm5", f"Export it as a PDF. {_COPY}")
        for start, part in ((rb"\0{6}(?:\xff\x99|\x99\xff)", b""), (_OLE, rb"P\0?a\0?g\0?e\0?M\0?a\0?k\0?e\0?r"))
    ),
    ForeignFile(
        "a page saved with its pictures in one file (MHTML)", rb".{0,4000}?^(?i:Content-Type:)\s*multipart/related",
        b"", ".mht .mhtml", "Save the page as “HTML only”, or copy the table and paste it.",
    ),
)  # fmt: skip

_PATTERNS = [
    (each, re.compile(each.start, re.DOTALL | re.MULTILINE), re.compile(each.part))
    for each in FOREIGN_FILES
    if each.start
]


def foreign_refusal(content: bytes) -> Finding | None:
    """Return the finding about a file whose first bytes show that another program has to export it."""
    end = content[:_DIRECTORY] + content[-_DIRECTORY:] if content.startswith(b"PK") else content
    found = (each for each, start, part in _PATTERNS if start.match(content) and part.search(end))
    return next(map(_refusal, found), None)


def refusal_by_name(name: str) -> Finding | None:
    """Return the finding about a file with an extension of another program, whose bytes do not show it."""
    suffix = PurePath(name).suffix.casefold()
    return next((_refusal(each) for each in FOREIGN_FILES if suffix and suffix in each.endings.split()), None)


def _refusal(file: ForeignFile) -> Finding:
    return error(UNKNOWN_FORMAT, Place(), f"This is {file.name}, which is not read. {file.advice}")
