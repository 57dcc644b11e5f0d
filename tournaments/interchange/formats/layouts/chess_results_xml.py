"""The XML that programs upload to chess-results.com, as in the description of its interface.

It has an element for each player, round, pairing, team and match, with all data in attributes.
"""

import re

from tournaments.event.finding import Place, error
from tournaments.interchange.formats import archives
from tournaments.interchange.formats.account import ReadingTally
from tournaments.interchange.formats.layouts.layout import Layout, LayoutFile, LayoutReading, Signs
from tournaments.interchange.formats.layouts.upload_tables import UploadTables, upload_elements

_START = re.compile(r"\s*+(?>(?:[<{]\?xml[^>}]*+[>}]\s*+)?(?:<!--.*?-->\s*+)*)[<{]chessresults\b", re.DOTALL)


def recognise_chess_results_upload(file: LayoutFile) -> Signs:
    head = file.text[:2000]
    if not _START.match(head):
        return ()
    signs = ["the root element “chessresults”"]
    signs += [f"the element “{each}”" for each in ("tournamentdata", "players") if each in file.text]
    return tuple(signs)


def read_chess_results_upload(file: LayoutFile) -> LayoutReading:
    tally = ReadingTally()
    if len(file.content) > archives.most_bytes():
        return LayoutReading(findings=file.grid_findings, account=tally.account())
    elements, findings = upload_elements(file)
    if not findings and not any(each.name == "player" for each in elements):
        text = "The file has no element “player”. Export the file again."
        findings = [error("no-players", Place("players"), text)]
    if findings:
        return LayoutReading(findings=tuple(findings), account=tally.account())
    return UploadTables(elements, tally).reading()


CHESS_RESULTS_XML = Layout(
    code="chess-results-xml",
    name="chess-results.com, XML of an upload",
    endings=(".xml",),
    recognise=recognise_chess_results_upload,
    read=read_chess_results_upload,
)
