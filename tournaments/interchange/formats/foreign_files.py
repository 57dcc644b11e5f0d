"""Files of other programs that are not read, recognised by their first bytes, with advice how to proceed."""

import re
from pathlib import PurePath
from typing import NamedTuple

from tournaments.event.finding import Finding, Place, error

UNKNOWN_FORMAT = "unknown-format"  # code of a finding

_REPORT = "export the report for FIDE (TRF)"
_COPY = "Copy the text of the table and paste it, or save the table as HTML, CSV or XLSX."
_OLE, _ZIP, _DBASE = (
    rb"\xd0\xcf\x11\xe0",
    rb"PK\x03\x04",
    rb"[\x03\x83\x8b\xf5].[\x01-\x0c][\x01-\x1f].{8}\0\0.{18}[A-Z]",
)
_DIRECTORY = 65_536  # bytes at both ends of a ZIP archive that contain the names of its files


class ForeignFile(NamedTuple):
    """A kind of file that is not read: its name and file name extensions, and what users can do instead.

    `signatures`: patterns of the first bytes and of other bytes; none if only the extension shows the kind.
    """

    name: str
    endings: str
    advice: str
    signatures: tuple[tuple[bytes, bytes], ...] = ()


FOREIGN_FILES = (
    ForeignFile(
        "a tournament of Papi (an Access database)", ".papi",
        "Show the grid (“Grille américaine”) in Papi or on the federation's site, copy it and paste it; or "
        f"open the file in Sharly Chess and {_REPORT}.",
        ((rb"\0\x01\0\0Standard (?:Jet|ACE) DB", b""),),
    ),
    ForeignFile(
        "a tournament of Sharly Chess", ".sce", f"Open the tournament in Sharly Chess and {_REPORT}.",
        ((rb"SQLite format 3\0", b""),),
    ),
    ForeignFile(
        "a tournament of Swiss-Manager", ".tunx .turx .tutx .tumx .tun .tur .tut .tum",
        f"In Swiss-Manager choose Other › FIDE data export and {_REPORT}; or export the cross table of "
        "chess-results.com to Excel.",
        ((rb"\x93\xff\x89D", b""),),
    ),
    ForeignFile(
        "a part of a tournament of SwissPerfect", ".trn .sco",
        "In SwissPerfect show the cross table, choose File › Export and save it as text with tabs.",
        (
            (_DBASE, rb"LOC_ID|W_SCORE|SURNAME"),
            (rb"\s*+\[[^]]{1,40}\]", rb"\[(?:Tournament Info|View Cross Table)\]"),
        ),
    ),
    ForeignFile(
        "a tournament of Vega", ".vegx .veg",
        f"In Vega choose Rating Report and {_REPORT}; or save the cross table of its web pages.",
        ((rb"(?:\xef\xbb\xbf)?\s*+(?i:Vega(?:Team)? \d+\.[\d.]+ ?[#\r\n]|<\?xml[^>]{0,99}>\s*+<vega)", b""),),
    ),
    ForeignFile("a tournament of Swiss Master", ".sm .smw", f"In Swiss Master {_REPORT}."),
    ForeignFile("a dBase table", ".dbf", "Open it in a spreadsheet and save it as XLSX.", ((_DBASE, b""),)),
    ForeignFile(
        "a PDF", ".pdf",
        "Copy the text of the table and paste it; a scanned page needs a program that reads its text (OCR).",
        ((rb"\s*+%PDF-", b""),),
    ),
    ForeignFile(
        "a picture", "",
        "Type the table into a spreadsheet, or let a program read its text (OCR) and check every figure.",
        ((rb"\x89PNG|\xff\xd8\xff|GIF8|BM.{4}\0{4}|II\*\0|MM\0\*|RIFF.{4}WEBP|.{4}ftyp(?:hei|avi)", b""),),
    ),
    ForeignFile("a text of a word processor (RTF)", ".rtf", _COPY, ((rb"\{\\rtf", b""),)),
    ForeignFile(
        "a document of Word or another word processor", ".doc .docx .odt", _COPY,
        (
            (_OLE, rb"W\0o\0r\0d\0D\0o\0c\0u\0m\0e\0n\0t"),
            (_ZIP, rb"word/document|opendocument\.text"),
            (rb"\xdb\xa5-\0|\xffWPC", b""),
        ),
    ),
    ForeignFile(
        "a document of Numbers or Pages", ".numbers .pages",
        "In Numbers choose File › Export To › CSV; in Pages copy the text of the table and paste it.",
        ((_ZIP, rb"Index/\w|Index\.zip|(?<![\w/])index\.(?:xml|apxl)"),),
    ),
    ForeignFile(
        "a document of PageMaker", ".pmd .p65 .pm6 .pm5", f"Export it as a PDF. {_COPY}",
        ((rb"\0{6}(?:\xff\x99|\x99\xff)", b""), (_OLE, rb"P\0?a\0?g\0?e\0?M\0?a\0?k\0?e\0?r")),
    ),
    ForeignFile(
        "a page saved with its pictures in one file (MHTML)", ".mht .mhtml",
        "Save the page as “HTML only”, or copy the table and paste it.",
        ((rb"[A-Z][\w-]{1,40}: ", rb"(?i:Content-Type:)\s{0,9}multipart/related"),),
    ),
)  # fmt: skip

_PATTERNS = [
    (each, re.compile(start, re.DOTALL), re.compile(part))
    for each in FOREIGN_FILES
    for start, part in each.signatures
]


def foreign_refusal(content: bytes, name: str = "") -> Finding | None:
    """Return the finding about a file that another program has to export, by its bytes, else by its name."""
    end = content[:_DIRECTORY] + content[-_DIRECTORY:] if content.startswith(b"PK") else content
    found = [each for each, start, part in _PATTERNS if start.match(content) and part.search(end)]
    suffix = PurePath(name).suffix.casefold()
    found += [each for each in FOREIGN_FILES if suffix and suffix in each.endings.split()]
    if not found:
        return None
    return error(UNKNOWN_FORMAT, Place(), f"This is {found[0].name}, which is not read. {found[0].advice}")
