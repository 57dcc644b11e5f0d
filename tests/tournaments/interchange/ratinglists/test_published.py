"""Formats of published rating lists, and errors in rows."""

from pathlib import Path
from zipfile import ZipFile

import pytest

from tests import ratinglists
from tools.benchmarks.publishedlist import HEADING
from tournaments.interchange.ratinglists import published
from tournaments.interchange.ratinglists.players import RatedPlayer
from tournaments.interchange.ratinglists.published import BadLine, NoListError

JANUARY = f"""{HEADING.partition("SRtng")[0]}JAN23 Gms K  B-day Flag
{"5045886":<15}{"A K, Kalshyan":<61}IND M{"":<32}1671  0   20 1964
{"4804929":<15}{"A-ALI, Sali Abbas Abdulzahra":<61}IRQ F   WFM  WFM  {"":<19}1876  13  20 2001  w
"""
NOTHING = ("ENG", "F", "", "")
XML = """<?xml version="1.0" encoding="utf-8"?>
<playerslist>
<player>
<fideid>25121731</fideid>
<name>A C J John</name>
<country>IND</country>
<sex>M</sex>
<title></title>
<w_title></w_title>
<rating>1063</rating>
<games>0</games>
<k>40</k>
<rapid_rating>1100</rapid_rating>
<birthday>1987</birthday>
<flag>i</flag>
</player>
<player><fideid>x</fideid><name>Nobody &amp; Co</name></player>
</playerslist>
"""
FMJD = """\
"nr_ew","nick","last_n","first_n","country","title","rating","wtitle","wrating"
"10201","","Jansen","Piet","NL","MI","2290","",""
"10202","anna","Petrova","Anna","RUS","","","MIF","2101"
"""


def read(path: Path, kind: str = "", name: str = "") -> tuple[tuple[str, ...], str, list[object]]:
    """Return kinds, date and rows of a file."""
    with published.opened(path, name or path.name, kind) as opened:
        return opened.kinds, opened.date, [row for _, row in opened.rows]


def test_the_list_of_all_players_has_three_ratings_and_no_day(tmp_path: Path) -> None:
    kinds, date, rows = read(ratinglists.written(tmp_path / "players_list_foa.txt"))

    assert (kinds, date, len(rows)) == (("standard", "rapid", "blitz"), "", len(ratinglists.PLAYERS))
    assert rows[1] == RatedPlayer(
        700070, "Polgar, Judit", "HUN", "w", "GM", 1976, 2675, 2646, 2736, is_inactive=True
    )
    assert rows[4] == RatedPlayer(4800025, "Muller, Hans", "GER", "m", "FM", None, 2310)


def test_the_month_is_in_a_list_of_a_single_kind(tmp_path: Path) -> None:
    path = tmp_path / "rapid_jan23frl.txt"
    path.write_text(JANUARY)

    kinds, date, rows = read(path)

    assert (kinds, date) == (("rapid",), "2023-01-01")
    assert rows[1] == RatedPlayer(
        4804929, "A-ALI, Sali Abbas Abdulzahra", "IRQ", "w", "WFM", 2001, None, 1876
    )
    assert read(path, "standard")[2][0] == RatedPlayer(
        5045886, "A K, Kalshyan", "IND", "m", born=1964, standard=1671
    )


def test_a_name_of_an_older_encoding_shifts_no_column(tmp_path: Path) -> None:
    more = ratinglists.line(9, "Núñez, José", "ESP", "M", "", "", 1700, 0, 0, "1999", "")
    expected = RatedPlayer(9, "Núñez, José", "ESP", "m", "", 1999, 1700)

    for encoding in ("utf-8", "cp1252"):
        path = ratinglists.written(tmp_path / "list.txt", more, encoding=encoding)
        assert read(path)[2][-1] == expected


def test_xml_is_read_player_by_player_out_of_its_archive(tmp_path: Path) -> None:
    path = tmp_path / "players_list_xml.zip"
    with ZipFile(path, "w") as archive:
        archive.writestr("players_list_xml_foa.xml", XML)

    kinds, _, rows = read(path)

    assert kinds == ("standard", "rapid", "blitz")
    assert rows == [
        RatedPlayer(25121731, "A C J John", "IND", "m", "", 1987, 1063, 1100, is_inactive=True),
        BadLine(2, "“x” is no id."),
    ]


def test_xml_with_entities_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "list.xml"
    path.write_text('<!DOCTYPE p [<!ENTITY a "aaaa">]><playerslist/>')

    with pytest.raises(NoListError, match="entities"):
        read(path)


def test_the_list_of_the_fmjd_has_names_in_two_columns_and_codes_of_countries(tmp_path: Path) -> None:
    path = tmp_path / "V260401.DRA"
    path.write_text(FMJD)

    kinds, date, rows = read(path)

    assert (kinds, date) == (("standard",), "2026-04-01")
    assert rows == [
        RatedPlayer(10201, "Jansen, Piet", "NED", "", "MI", None, 2290),
        RatedPlayer(10202, "Petrova, Anna", "RUS", "", "MIF", None, 2101),
    ]


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ("12", "The line is too short."),
        (ratinglists.line("12x", "Doe, Jane", *NOTHING, 0, 0, 0, "", ""), "“12x” is no id."),
        (ratinglists.line("12", "", *NOTHING, 0, 0, 0, "", ""), "12 has no name."),
        (ratinglists.line("12", "Doe, Jane", *NOTHING, "20??", 0, 0, "", ""), "“20??” of 12 is no rating."),
    ],
)
def test_a_bad_row_is_left_out_and_named(bad: str, why: str, tmp_path: Path) -> None:
    *good, last = read(ratinglists.written(tmp_path / "list.txt", bad))[2]

    assert len(good) == len(ratinglists.PLAYERS)
    assert last == BadLine(len(ratinglists.PLAYERS) + 2, why)


@pytest.mark.parametrize("text", ["", "Dear arbiter,\nhere is the list\n", "a,b\n1,2\n", "x" * 2_000_000])
def test_a_file_without_a_list_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text(text)

    with pytest.raises(NoListError):
        read(path)


def test_an_archive_of_several_files_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "list.zip"
    with ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "a")
        archive.writestr("b.txt", "b")

    with pytest.raises(NoListError, match="2 files"):
        read(path)
