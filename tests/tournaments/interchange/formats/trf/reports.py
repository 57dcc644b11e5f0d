"""Small tournament reports as text, with invented names and results."""

from tournaments.event.document import Document
from tournaments.event.finding import Finding
from tournaments.interchange.formats.json.reader import Reading
from tournaments.interchange.formats.trf.reading import read_report

# ruff: noqa: E501 - records have more columns than a line of code

PLAYERS = """\
012 Open of Four
022 Gent
032 BEL
042 2026/05/14
052 2026/05/16
062 4
072 3
092 Individual: Swiss-System
102 IA An Arbiter
132                                                                                        26/05/14  26/05/15  26/05/16
142 3
XXC white1
### a remark of somebody
001    1 wWGM Ash, Ann                          2300 BEL      200001 1990/01/02  2.5    1     3 w 1     2 b =     4 w 1
001    2 m FM Bay, Ben                          2200 NED      200002 1991/00/00  1.0    2     4 b 0     1 w =  0000 - H
001    3 m    Cox, Cas                          2100 BEL      200003             1.0    3     1 b 0  0000 - U  0000 - Z
001    4      Dot, Dov                                                           1.0    4     2 w 1               1 b 0
"""

TEAMS = """\
012 Cup of Three
042 2026/05/14
142 3
152 W
192 FIDE_TEAM_MP_GP
352 WB
001    1 mGM  Ash, Ann                          2300 BEL      200001 1990/01/02  2.0    1     4 w 1     5 b +
001    2      Bay, Ben                          2200 NED      200002             1.5    2     3 b =     6 w +
001    3      Cox, Cas                          2100 BEL      200003             0.5    3     2 w =
001    4      Dot, Dov                          2000 BEL      200004             0.0    4     1 b 0
001    5      Elm, Eva                          1900 BEL      200005             0.0    4               1 w -
001    6      Fir, Fay                          1800 BEL      200006             0.0    4               2 b -
310   1 Reds                             RED     2250    4.0    3.5   1     1    2
310   2 Blues                            BLU     2050    1.0    1.5   2     3    4
310   3 Greens                           GRE     1850    1.0    1.0   2     5    6
300   1   2   1 0004 0003
320  1.0  1.0   3   2
330 -+   2   3   1
"""
"""Reds beat Blues, whose line-up is in another order; Greens are absent in the second round."""


HALF_BYES = """\
012 Harbour Challengers
042 2011/02/25
092 Swiss
001    1 M    Arends, Bo                        2100 NED                         2.5    1       -       3 b 1     4 w 1
001    2 M    Brill, Cas                        2000 NED                         1.5    2     3 w 1     4 b =       -
001    3 M    Claes, Dee                        1900 NED                         0.5    4     2 b 0     1 w 0       -
001    4 M    Dorn, Eva                         1800 NED                         1.0    3       -       2 w =     1 b 0
"""
"""Rounds left blank, of which the points of three players need a half-point bye."""


def lines_with(report: str, **changed: str) -> str:
    """Return the report with lines replaced by their beginning (`_` for a blank).

    An empty text removes the line.
    """
    wanted = {key.removeprefix("at").replace("_", " "): text for key, text in changed.items()}
    kept = []
    for line in report.splitlines():
        start = next((each for each in wanted if line.startswith(each)), None)
        text = line if start is None else wanted[start]
        kept += [text] if text else []
    return "\n".join(kept) + "\n"


def reading_of(report: str, slug: str = "of-four") -> Reading:
    return read_report(report.encode(), slug)


def document_of(report: str) -> Document:
    """Return the document of a valid report."""
    found = reading_of(report)
    assert found.accepted is not None, found.findings
    return found.accepted


def _own(reading: Reading) -> list[Finding]:
    """Return the findings without those of all reports without a system (`test_report_lines.py`)."""
    return [each for each in reading.findings if each.code != "proposed-rules"]


def said(reading: Reading) -> list[tuple[str, str]]:
    """Return place and code of each finding."""
    return [(each.where, each.code) for each in _own(reading)]


def found(report: str) -> list[tuple[str, str]]:
    """Return place and code of the findings of a report's text."""
    return said(reading_of(report))


def one(reading: Reading) -> Finding:
    """Return the only finding."""
    (finding,) = _own(reading)
    return finding
