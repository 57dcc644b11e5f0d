"""Federation codes, their bearers, and the files of the flags."""

import json
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tournaments.event.federations import Federation, bearers, federation

ROOT = Path(__file__).resolve().parents[3]
FLAGS = ROOT / "static" / "flags"
DEMO = sorted((ROOT / "tournaments" / "demo").glob("*.json"))

Facts = tuple[str, str, str | None]
GEORGIA = ("GEO", "Georgia", "ge")

# Organisations that compete under the flag of no country.
WITHOUT_A_FLAG = {"AHO", "IBCA", "ICCD", "IPCA", "RDF", "TPE"}


def facts_of(code: str, year: int | None = None) -> Facts | None:
    found = federation(code, year)
    return (found.code, found.name, found.flag) if found else None


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("GEO", GEORGIA),
        ("GEO2", GEORGIA),
        ("GEO13", GEORGIA),
        ("ge", GEORGIA),
        ("NED", ("NED", "Netherlands", "nl")),
        ("nl", ("NED", "Netherlands", "nl")),
        ("IRI", ("IRI", "Iran", "ir")),
        ("ENG", ("ENG", "England", "gb-eng")),
        ("FAI", ("FAI", "Faroe Islands", "fo")),
        (
            "BFA",
            ("BUR", "Burkina Faso", "bf"),
        ),  # its ISO code, as draughts lists print it
        ("ROM", ("ROU", "Romania", "ro")),  # the older code
        ("gl", ("gl", "Greenland", "gl")),  # a country without a federation
        ("IBCA", ("IBCA", "International Braille Chess Association", None)),
    ],
)
def test_a_code_of_today(code: str, expected: Facts) -> None:
    assert facts_of(code) == expected
    assert facts_of(code, 2026) == expected


@pytest.mark.parametrize("code", ["", "2", "XXX", "ned", "NL", "Georgia"])
def test_unknown_code_has_no_bearer(code: str) -> None:
    assert federation(code) is None
    assert federation(code, 2020) is None


@pytest.mark.parametrize(
    ("code", "year", "expected"),
    [
        ("URS", 1984, ("URS", "Soviet Union", None)),
        ("URS", None, ("URS", "Soviet Union", None)),
        ("YUG", 1958, ("YUG", "Yugoslavia", None)),
        ("CSR", 1968, ("CSR", "Czechoslovakia", "cz")),
        ("GER", 1936, ("GER", "Germany", None)),
        ("GER", 1964, ("GER", "West Germany", "de")),
        ("GER", 2008, ("GER", "Germany", "de")),
        ("MKD", 2010, ("MKD", "FYR Macedonia", "mk")),
        ("MKD", 2019, ("MKD", "North Macedonia", "mk")),
        ("SYR", 2018, ("SYR", "Syria", "sy-1980")),
        ("SYR", 2025, ("SYR", "Syria", "sy")),
        ("BUR", 1970, ("BUR", "Burma", None)),
        ("BUR", 1984, ("BUR", "Burkina Faso", "bf")),
        ("VNM", 1970, ("VNM", "South Vietnam", None)),
        ("VNM", 2022, ("VIE", "Vietnam", "vn")),
    ],
)
def test_code_means_its_bearer_in_that_year(code: str, year: int | None, expected: Facts) -> None:
    assert facts_of(code, year) == expected


def test_former_code_has_no_bearer_in_other_years() -> None:
    assert federation("URS", 2018) is None


@pytest.mark.parametrize(
    ("code", "last_year_before"),
    [("GEO", 2003), ("RSA", 1993), ("CAN", 1964), ("LBA", 2010), ("za", 1993)],
)
def test_current_flag_is_not_shown_for_older_results(code: str, last_year_before: int) -> None:
    before, after = (
        federation(code, last_year_before),
        federation(code, last_year_before + 1),
    )

    assert before
    assert after
    assert before.flag is None
    assert after.flag is not None
    assert before.name == after.name


def test_chinese_taipei_competes_under_a_flag_we_do_not_have() -> None:
    assert facts_of("TPE") == ("TPE", "Chinese Taipei", None)
    assert facts_of("tw") == ("tw", "Taiwan", "tw")


# --- the table and the files --------------------------------------------------------------------------------


def test_every_flag_has_its_file_and_every_file_its_use() -> None:
    named = {bearer.flag for bearer in bearers()} - {None}

    assert named == {file.stem for file in FLAGS.glob("*.svg")}


def test_flags_folder_has_their_licence() -> None:
    assert "MIT" in (FLAGS / "LICENSE").read_text()


@pytest.mark.parametrize("part", ["<script", "javascript:", "onload=", "<image", "@import", 'href="http'])
def test_flag_files_contain_only_a_drawing(part: str) -> None:
    assert [file.name for file in FLAGS.glob("*.svg") if part in file.read_text()] == []


def test_code_never_has_two_bearers_at_a_time() -> None:
    bearers_of: defaultdict[str, list[Federation]] = defaultdict(list)
    for bearer in bearers():
        for code in bearer.codes:
            bearers_of[code].append(bearer)

    for code, rows in bearers_of.items():
        past = [row for row in rows if row.historical]
        assert len(rows) - len(past) <= 1, code
        for older, newer in pairwise(past):
            assert (older.last_year or 9999) <= (newer.first_year or 0), code


def test_a_code_is_written_as_codes_are() -> None:
    for bearer in bearers():
        for code in bearer.codes:
            assert code.isalpha(), code
            assert (code.islower() and len(code) == 2) or (code.isupper() and len(code) in {3, 4}), code


@pytest.mark.parametrize("path", DEMO, ids=lambda path: path.stem)
def test_every_code_of_the_demo_has_its_flag(path: Path) -> None:
    document = json.loads(path.read_text(encoding="utf-8"))
    year = int(document["event"]["start"][:4])

    without = {code for code in codes_in(document) if not getattr(federation(code, year), "flag", None)}

    assert without <= WITHOUT_A_FLAG
    assert all(federation(code, year) for code in without)


def codes_in(document: dict[str, Any]) -> set[str]:
    holders = [document["event"], *document["competitors"]]
    return {holder[key] for holder in holders for key in ("country", "code", "flag") if key in holder}
