"""Limits on the rows and cells of a workbook, checked while it is unpacked and before it is parsed.

Sizes that a workbook declares can be wrong: the directory of the archive, the dimensions of a sheet, the
numbers of its rows. So the elements are counted, in XLSX and ODS alike.
"""

import re
from collections import Counter
from collections.abc import Iterator
from zipfile import ZipFile, ZipInfo

from tournaments.event.finding import Finding, Place, cut, error
from tournaments.interchange.formats import archives
from tournaments.interchange.formats.tables.grid import MOST_CELLS, MOST_ROWS

MOST_TAGS = 10 * MOST_CELLS  # in all files of a workbook; a cell has at most four tags

STEP = 1024 * 1024
_LONGEST_TAG = 80
_TAG = re.compile(rb"<(?:[\w.-]{1,40}:)?(row|c|si|table-row|(?:covered-)?table-cell)[\s/>]")
# no workbook has these; the parser also rejects entities, but without a message
_DECLARATION = re.compile(rb"<!(?:DOCTYPE|ENTITY)")


def refusal_of_workbook(archive: ZipFile) -> Finding | None:
    counted: Counter[bytes] = Counter()
    for info in archive.infolist():
        try:
            if problem := next(_problems(archive, info, counted), None):
                return problem
        except archives.BROKEN as problem:
            text = f"It cannot be unpacked: {cut(str(problem))}. Pack the file again."
            return error("broken-archive", Place(info.filename[:120]), text)
    return None


def _problems(archive: ZipFile, info: ZipInfo, counted: Counter[bytes]) -> Iterator[Finding]:
    for text in _pieces(archive, info):
        if _DECLARATION.search(text):
            message = "The workbook declares its own entities or types, which are not allowed. Save it again."
            yield error("xml-entities", Place(info.filename[:120]), message)
        counted[b"<"] += text.count(b"<")
        if counted[b"<"] <= MOST_TAGS:
            counted.update(_TAG.findall(text))
        if counted[b"row"] + counted[b"table-row"] > MOST_ROWS:
            message = f"The workbook has more than {MOST_ROWS} rows. Cut the tables."
            yield error("too-large-a-sheet", Place(), message)
        cells = counted[b"c"] + counted[b"table-cell"] + counted[b"covered-table-cell"]
        if max(cells, counted[b"si"]) > MOST_CELLS or counted[b"<"] > MOST_TAGS:
            message = f"The workbook has more than {MOST_CELLS} cells. Cut the tables."
            yield error("too-large-a-sheet", Place(), message)


def _pieces(archive: ZipFile, info: ZipInfo) -> Iterator[bytes]:
    rest = b""
    with archive.open(info) as file:
        while step := file.read(STEP):
            # In UTF-16, every other byte of a tag is 0.
            text = rest + (step.replace(b"\0", b"") if b"\0" in step else step)
            begun = text.rfind(b"<", max(len(text) - _LONGEST_TAG, 0))
            whole = len(text) if begun < 0 else begun
            yield text[:whole]
            rest = text[whole:]
    yield rest
