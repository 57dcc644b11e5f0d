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

_EXAMPLE = """\
<?xml version="1.0"?>
<chessresults>
 <tournamentdata>
  <tournament key="900001" type="0" name="Harbour Open 2021" location="Port" rounds="3" from="20210501"
   to="20210503" ratedfide="J" chiefarbiter="Fay Gold" federation="NED"/>
 </tournamentdata>
 <rounds>
  <round round="1" date="20210501" time="14:00"/>
  <round round="2" date="20210502" time="14:00"/>
  <round round="3" date="20210503" time="10:00"/>
 </rounds>
 <players>
  <player no="1" lastname="Arends" firstname="Bo" title="IM" rtg="2410" fed="NED" fideid="90000001" rank="1"
   pts="2,5" tb1="2,0"/>
  <player no="2" lastname="Brill" firstname="Cas" rtg="2300" dob="1990" sex="m" fed="BEL" rank="2" pts="2,0"
   tb1="2,5"/>
  <player no="3" lastname="Claes" firstname="Dee" rtg="2200" sex="w" fed="GER" rank="3" pts="0,5" tb1="4,5"/>
 </players>
 <playerpairings>
  <playerpairing round="1" pairing="1" whiteno="1" blackno="2" reswhite="1" resblack="0"/>
  <playerpairing round="1" pairing="2" whiteno="3" blackno="-2" reswhite="0" resblack=""/>
  <playerpairing round="2" pairing="1" whiteno="3" blackno="1" reswhite="0,5" resblack="0,5"/>
  <playerpairing round="2" pairing="2" whiteno="2" blackno="-1" reswhite="1" resblack="0" forfeit="K"/>
  <playerpairing round="3" pairing="1" whiteno="2" blackno="3" reswhite="1" resblack="0" forfeit="K"/>
  <playerpairing round="3" pairing="2" whiteno="1" blackno="-1" reswhite="1" resblack="0" forfeit="K"/>
 </playerpairings>
</chessresults>
"""


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
    example=_EXAMPLE,
)
