"""Standings table on drawn crosstables: symbols, order and escaping."""

import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from django.conf import settings
from django.utils.translation import override

from standings.engine import CHESS, RankingOverride, Scale, Scoring
from standings.pages.events.notes import list_notes_of, notes_of
from standings.tables.cells import FORM, TINT
from standings.tables.columns import all_columns
from standings.tables.rows import StandingsTable
from standings.tables.sheet import StandingsSheet
from standings.tables.switches import apply_choices, query_of, switches_of
from standings.tables.values import table_legend
from standings.tables.why import with_reasons
from tests.standings.drawn import cells_of, draw, moves, sheet, shown, spoken

EVERY_SIGN = draw(
    """
    1 Ann  2:2-0    3:1+-1-  bye    5:+
    2 Bea  1:0-2    4:--     ½bye   3:?
    3 Cor  4:       1:1--1+  0bye   2:?
    4 Dan  3:       2:--     –      –
    5 Eve  –        –        –      1:-
    """
)
LEVEL = draw(
    """
    1 Ann  2:1-1  3:2-0
    2 Bea  1:1-1  4:2-0
    3 Cor  4:1-1  1:0-2
    4 Dan  3:1-1  2:0-2
    """
)


def names_in_order(sheet: StandingsSheet, sort: str, direction: str = "") -> list[str]:
    return [row[1] for row in shown(sheet, sort, direction)]


def heads(sheet: StandingsSheet, sort: str = "", direction: str = "") -> str:
    return StandingsTable(sheet, all_columns(sheet), {"sort": sort, "dir": direction}).heads


def test_visible_text_of_round_cells() -> None:
    assert shown(sheet(EVERY_SIGN)) == [
        ["1", "Ann", "1", "2 2", "3 1+", "BYE", "5 +", "7"],
        ["2", "Bea", "2", "1 0", "4 - -", "½bye", "3 ?", "1"],
        ["", "Cor", "3", "4", "1 1-", "0bye", "2 ?", "1"],
        ["4", "Dan", "4", "3", "2 - -", "–", "–", "0"],
        ["", "Eve", "5", "–", "–", "–", "1 -", "0"],
    ]


@pytest.mark.parametrize(("language", "squares"), [("en", "bye+"), ("nl", "vrij+")])
def test_square_of_a_bye_on_a_phone_is_a_word(language: str, squares: str) -> None:
    with override(language):
        table = StandingsTable(sheet(EVERY_SIGN), all_columns(sheet(EVERY_SIGN)))
    row = next(row for row in str(table.rows).split("</tr>") if ">Ann<" in row)
    # A letter B would look like Black. The style sheet has the letters of played rounds.
    assert "".join(re.findall(r'data-form="(.*?)"', row)) == squares


@pytest.mark.parametrize("language", dict(settings.LANGUAGES))
def test_style_sheet_has_the_translated_letters_of_results(language: str) -> None:
    css = (settings.BASE_DIR / "static" / "css" / "site.css").read_text()
    letters = dict(re.findall(r'\.r\.([wdl]) { --letter: "(.)"; }', css))
    letters |= dict(re.findall(rf'\.r\.([wdl]):lang\({language}\) {{ --letter: "(.)"; }}', css))
    with override(language):
        assert letters == {TINT[outcome]: str(letter) for outcome, letter in FORM.items()}


def test_screen_reader_text_of_round_cells() -> None:
    heard = spoken(
        sheet(replace(EVERY_SIGN, colour=np.where(EVERY_SIGN.opponent >= 0, [[1], [-1], [1], [-1], [-1]], 0)))
    )
    assert heard["Ann"] == [
        "Round 1, white against Bea, won 2-0",
        "Round 2, white against Cor, drawn 1-1 with advantage",
        "Round 3, bye",
        "Round 4, white against Eve, won by forfeit",
    ]
    assert heard["Bea"] == [
        "Round 1, black against Ann, lost 0-2",
        "Round 2, black against Dan, lost by forfeit on both sides",
        "Round 3, half-point bye",
        "Round 4, black against Cor, result unknown",
    ]
    assert heard["Dan"] == [
        "Round 1, black against Cor, not yet played",
        "Round 2, black against Bea, lost by forfeit on both sides",
        "Round 3, absent",
        "Round 4, absent",
    ]


def test_halved_forfeit_in_cells_text_and_legend() -> None:
    """The Olympiad of 1939 has six matches set to 2-2 by forfeit. A forfeit of 3-1 is an ordinary win."""
    four = Scoring(2, boards=4)
    made = sheet(
        draw("1 Reds 2:2-2f 2:3-1f \n 2 Blues 1:2-2f 1:1-3f", scoring=four, primary=Scale.MATCH),
        "match-points",
        entrants="teams",
        boards=4,
    )
    assert [[cell for cell in row if cell[2:] in {"=", "+", "-"}] for row in shown(made)] == [
        ["2 =", "2 +"],
        ["1 =", "1 -"],
    ]
    assert spoken(made)["Reds"] == [
        "Round 1, against Blues, drawn by forfeit, 2-2",
        "Round 2, against Blues, won by forfeit, 3-1",
    ]
    assert notes_of(made)[1].endswith("=: drawn by forfeit")
    css = [cell for row in cells_of(made) for cell in row if 'class="r x"' in cell]
    assert len(css) == 4


UNPLAYED = "1 Ann 2:1-0 bye \n 2 Bea 1:0-1 –"
BY_DRAUGHTS = "Unplayed rounds count by the rules of draughts (FMJD), because the event names no other rules."


@pytest.mark.parametrize(
    ("drawn", "criteria", "event", "told"),
    [
        (UNPLAYED, ("total-score", "buchholz"), {"discipline": "chess"}, True),
        (UNPLAYED, ("total-score", "manual"), {"discipline": "chess"}, False),
        (UNPLAYED, ("total-score", "buchholz"), {"discipline": "draughts-100"}, False),
        (UNPLAYED, ("total-score", "buchholz"), {"discipline": "chess", "unplayed": "fmjd"}, False),
        (UNPLAYED, ("total-score", "buchholz"), {"discipline": "chess", "schedule": "round-robin"}, False),
        (UNPLAYED, ("total-score", "buchholz"), {"discipline": "chess", "system": "olympiad-2010"}, False),
        ("1 Ann 2:1-0 \n 2 Bea 1:0-1", ("total-score", "buchholz"), {"discipline": "chess"}, False),
    ],
)
def test_note_on_draughts_policy_in_chess_swiss(
    drawn: str, criteria: tuple[str, ...], event: dict[str, Any], told: bool
) -> None:
    """The note requires no chosen rules, unplayed rounds, and a criterion affected by them."""
    own: dict[str, Any] = {"schedule": "swiss", "system": "manual-swiss"} | event
    assert (BY_DRAUGHTS in notes_of(sheet(draw(drawn, scoring=CHESS), *criteria, **own))) == told


def test_note_on_unplayed_rounds_is_translated() -> None:
    own: dict[str, Any] = {"schedule": "swiss", "system": "manual-swiss", "discipline": "chess"}
    with override("nl"):
        notes = notes_of(sheet(draw(UNPLAYED, scoring=CHESS), "total-score", "buchholz", **own))
    assert any("regels van het dammen" in note for note in notes)


@pytest.mark.parametrize(("criterion", "told"), [("wins@game", True), ("wins", False)])
def test_note_on_missing_boards_if_criteria_need_them(criterion: str, told: bool) -> None:
    three = Scoring(2, boards=3)
    table = draw("1 Reds 2:2-1 2:2-1/wwl \n 2 Blues 1:1-2 1:1-2/llw", scoring=three, primary=Scale.MATCH)
    made = sheet(table, "match-points", criterion, entrants="teams", boards=3)
    note = "?: no value, because the boards of 1 match are not all recorded."
    assert any(each.startswith(note) for each in notes_of(made)) == told


def test_red_is_reserved_for_byes_and_forfeits() -> None:
    rows = StandingsTable(made := sheet(EVERY_SIGN), all_columns(made)).rows.split("\n")
    css = [[cell.split('"')[1] for cell in row.split("<td ")[4:-1]] for row in rows]
    assert css[:2] == [["r w", "r d", "r x", "r x"], ["r l", "r x", "r x", "r n"]]


def test_notes_explain_only_symbols_in_use() -> None:
    numbers, legend, missing = notes_of(sheet(EVERY_SIGN))
    assert "start number (column: start)" in numbers
    assert legend == (
        "BYE: no opponent this round · ½bye: requested bye, ½ point · 0bye: requested bye, 0 points · + "
        "and -: decided by forfeit, - -: lost by forfeit on both sides · –: absent · ?: result unknown · "
        "1+ and 1-: draw with advantage, with disadvantage"
    )
    assert missing == (
        "After round 4, 1 result of an earlier round missing, computed without 1 unknown result."
    )
    [cells] = notes_of(sheet(LEVEL))
    assert cells.startswith("Each cell: the opponent's start number (column: start), w for White")


@pytest.mark.parametrize(
    ("style", "places"),
    [
        ("blank", ["1", "", "3", ""]),
        ("range", ["1-2", "1-2", "3-4", "3-4"]),
        ("equals", ["1=", "1=", "3=", "3="]),
    ],
)
def test_formats_of_shared_places(style: str, places: list[str]) -> None:
    assert [row[0] for row in shown(sheet(LEVEL, places=style))] == places


def test_screen_readers_get_hidden_shared_places() -> None:
    rows = StandingsTable(made := sheet(LEVEL), all_columns(made)).rows
    assert rows.count('class="spoken"> shared<') == 4


def test_guests_and_annulled_competitors_have_no_place() -> None:
    table = draw(
        """
        1 Ann  withdrawn=1  2:0-2  3:      4:
        2 Bea  outside      1:2-0  4:2-0   3:2-0
        3 Cor               4:2-0  1:      2:0-2
        4 Dan               3:0-2  2:0-2   1:
        """,
        games_each=3,
    )
    made = sheet(table, particulars={"Ann": {"withdrawn_after": 1}})
    assert [row[:2] for row in shown(made)] == [
        ["-", "Bea"],
        ["1", "Cor"],
        ["2", "Dan"],
        ["–", "Ann withdrawn after round 1"],
    ]
    assert "place -: plays outside the competition" in notes_of(made)[1]
    assert "struck out: annulled" in notes_of(made)[1]


def test_games_after_a_withdrawal_are_won_by_the_opponent() -> None:
    """Ann withdrew with more than half of her games played. No result is entered for the last game."""
    table = draw(
        """
        1 Ann  withdrawn=2  2:2-0  3:1-1  4:
        2 Bea               1:0-2  4:2-0  3:1-1
        3 Cor               4:2-0  1:1-1  2:1-1
        4 Dan               3:0-2  2:0-2  1:
        """,
        games_each=3,
    )
    made = sheet(table, "total-score", "solkoff", particulars={"Ann": {"withdrawn_after": 2}})
    cells = {row[1].split()[0]: row[-3] for row in shown(made)}
    assert (cells["Ann"], cells["Dan"]) == ("4 -", "1 +")
    assert spoken(made)["Dan"][2] == "Round 3, against Ann, won by forfeit"


class TestNumbersInTheCells:
    """A number in a cell identifies exactly one row (rules § 1, `cell_number`)."""

    ORDERED = draw(
        """
        1 Ann  3:0-2  2:2-0
        2 Bea  4:2-0  1:0-2
        3 Cor  1:2-0  4:2-0
        4 Dan  2:0-2  3:0-2
        """
    )

    def test_numbers_are_places_if_these_are_unique(self) -> None:
        made = sheet(self.ORDERED, "total-score", "solkoff")
        assert [row[:4] for row in shown(made)[:2]] == [
            ["1", "Cor", "2 2", "4 2"],
            ["2", "Ann", "1 0", "3 2"],
        ]
        assert "place in this table" in notes_of(made)[0]

    def test_start_numbers_have_a_column_if_a_place_is_shared(self) -> None:
        made = sheet(replace(LEVEL, numbers=np.array([11, 12, 13, 14])))
        assert [row[:5] for row in shown(made)] == [
            ["1", "Ann", "11", "12 1", "13 2"],
            ["", "Bea", "12", "11 1", "14 2"],
            ["3", "Cor", "13", "14 1", "11 0"],
            ["", "Dan", "14", "13 1", "12 0"],
        ]
        assert notes_of(made)[0].startswith("Each cell: the opponent's start number")
        signs = table_legend(made, all_columns(made)).signs
        assert [(column.label, column.name) for column in signs][-1] == ("start", "Start number")

    def test_numbers_are_start_numbers_if_a_competitor_has_no_place(self) -> None:
        """Two guests would both have the place `-`."""
        outside = replace(self.ORDERED, outside=np.array([True, False, False, False]))
        assert [row[2:5] for row in shown(sheet(outside, "total-score", "solkoff"))] == [
            ["3", "1 2", "4 2"],
            ["1", "3 0", "2 2"],
            ["2", "4 2", "1 0"],
            ["4", "2 0", "3 0"],
        ]

    def test_numbers_are_start_numbers_if_the_event_requires_it(self) -> None:
        made = sheet(self.ORDERED, "total-score", "solkoff", cell_number="start")
        assert shown(made)[0][:5] == ["1", "Cor", "3", "1 2", "4 2"]

    def test_no_number_column_if_cells_contain_codes(self) -> None:
        codes = {name: {"code": name.upper()} for name in LEVEL.names}
        made = sheet(LEVEL, "match-points", particulars=codes, entrants="teams")
        assert "number" not in [column.key for column in all_columns(made)]

    def test_sort_by_the_start_number(self) -> None:
        made = sheet(LEVEL, "total-score")
        assert names_in_order(made, "number") == ["Ann", "Bea", "Cor", "Dan"]
        assert names_in_order(made, "number", "desc") == ["Dan", "Cor", "Bea", "Ann"]

    def test_numbers_in_the_computed_table_ignore_decisions(self) -> None:
        """A decision separates a shared place. Without it the cells show start numbers."""
        made = sheet(
            draw("1 Ann 2:1-1\n2 Bea 1:1-1"),
            overrides=(
                RankingOverride("place", competitor=1, place=1),
                RankingOverride("place", competitor=0, place=2),
            ),
        )
        assert shown(made)[0][:3] == ["1*", "Bea", "2 1"]
        assert shown(apply_choices(made, {"as": "computed"}))[0][:4] == ["1", "Ann", "1", "2 1"]


class TestTeams:
    TABLE = replace(
        draw(
            """
            1 Reds    2:2½-1½  3:4-0
            2 Blues   1:1½-2½  bye
            3 Greens  bye=2    1:0-4
            """,
            scoring=Scoring(game_win=2, boards=4),
        ),
        primary=Scale.MATCH,
    )
    CODES = {name: {"code": name[:3].upper()} for name in TABLE.names}

    def made(self, **event: Any) -> StandingsSheet:
        return sheet(
            self.TABLE, "match-points", "game-points", particulars=self.CODES, entrants="teams", **event
        )

    def test_criteria_first_then_results_then_rounds(self) -> None:
        assert shown(self.made()) == [
            ["1", "Reds", "RED", "4", "6½", "2", "0", "0", "BLU 2½", "GRE 4"],
            ["2", "Blues", "BLU", "2", "5½", "0", "0", "1", "RED 1½", "BYE"],
            ["3", "Greens", "GRE", "1", "2", "0", "0", "1", "BYE", "RED 0"],
        ]

    def test_columns_as_olimpbase_prints_them(self) -> None:
        labels = [column.label for column in all_columns(self.made(columns="olimpbase"))]
        assert labels == [
            "pl.",
            "±",
            "team",
            "code",
            "pts",
            "MP",
            "Buch pts",
            "dSB",
            "dSMP",
            "+",
            "=",
            "−",
            "1",
            "2",
        ]

    def test_cells_contain_places_without_codes(self) -> None:
        plain = sheet(self.TABLE, "match-points", entrants="teams")
        assert shown(plain)[0][-2:] == ["2 2½", "3 4"]


class TestSorting:
    MADE = sheet(LEVEL, "total-score", "solkoff", "manual")

    def test_default_order_is_that_of_the_standings(self) -> None:
        assert names_in_order(self.MADE, "") == ["Ann", "Bea", "Cor", "Dan"]
        assert names_in_order(self.MADE, "unknown", "asc") == ["Ann", "Bea", "Cor", "Dan"]
        assert names_in_order(self.MADE, "place", "desc") == ["Ann", "Bea", "Cor", "Dan"]

    def test_sort_by_name_in_both_directions(self) -> None:
        assert names_in_order(self.MADE, "name") == ["Ann", "Bea", "Cor", "Dan"]
        assert names_in_order(self.MADE, "name", "desc") == ["Dan", "Cor", "Bea", "Ann"]

    def test_equal_rows_remain_in_standings_order(self) -> None:
        assert names_in_order(self.MADE, "total-score") == ["Ann", "Bea", "Cor", "Dan"]
        assert names_in_order(self.MADE, "total-score", "asc") == ["Cor", "Dan", "Ann", "Bea"]

    def test_sort_by_round(self) -> None:
        assert names_in_order(sheet(EVERY_SIGN), "round-3") == ["Ann", "Bea", "Cor", "Dan", "Eve"]
        assert names_in_order(sheet(EVERY_SIGN), "round-1", "asc")[:3] == ["Cor", "Dan", "Eve"]

    def test_sorting_does_not_change_places(self) -> None:
        assert [row[0] for row in shown(self.MADE, "name", "desc")] == ["", "3", "", "1"]

    def test_manual_column_is_hidden_if_unused(self) -> None:
        used = replace(LEVEL, manual=np.array([0, 1, 0, 0]))
        assert "Man" not in [column.label for column in all_columns(self.MADE)]
        assert names_in_order(sheet(used, "total-score", "manual"), "") == ["Bea", "Ann", "Cor", "Dan"]
        assert "Man" in [column.label for column in all_columns(sheet(used, "manual"))]

    def test_third_click_restores_the_default_order(self) -> None:
        """Best first, then reversed, then the standings order."""
        assert 'id="sort-solkoff" href="?sort=solkoff&amp;dir=desc"' in heads(self.MADE)
        first = heads(self.MADE, "solkoff", "desc")
        assert 'aria-sort="descending"><a id="sort-solkoff" href="?sort=solkoff&amp;dir=asc"' in first
        second = heads(self.MADE, "solkoff", "asc")
        assert 'aria-sort="ascending"><a id="sort-solkoff" href="./"' in second
        assert "aria-sort" not in heads(self.MADE)

    def test_score_groups_are_separated_only_in_standings_order(self) -> None:
        rows = StandingsTable(self.MADE, all_columns(self.MADE)).rows.split("\n")
        assert ['class="group"' in row for row in rows] == [False, True, False, False]
        assert 'class="group"' not in StandingsTable(self.MADE, all_columns(self.MADE), {"sort": "name"}).rows


class TestByHand:
    def test_stars_on_place_value_pairing_and_criteria(self) -> None:
        rulings = (
            RankingOverride("place", competitor=1, place=1),
            RankingOverride("value", competitor=2, criterion="total-score", levels=(Fraction(2),)),
            RankingOverride("pairing", round=1, table=1),
            RankingOverride("criteria", criteria=("total-score", "solkoff")),
        )
        made = sheet(LEVEL, overrides=rulings)
        rows = {row[1]: row for row in shown(made)}
        assert rows["Bea"][0] == "1*"
        assert rows["Cor"][-2] == "2*"
        assert [rows[name][2] for name in ("Ann", "Bea", "Cor")] == ["1 1*", "2 1*", "4 1"]
        assert "Solk*" in heads(made)
        assert notes_of(made)[-1] == "*: 4 manual changes."
        assert list_notes_of(made)[-1] == "*: 3 manual changes."  # a list has no cells of pairings
        assert spoken(made)["Bea"][0] == "Round 1, against Ann, drawn 1-1, manually changed"

    def test_computed_table_has_no_stars(self) -> None:
        made = sheet(LEVEL, overrides=(RankingOverride("place", competitor=1, place=1),))
        computed = apply_choices(made, {"as": "computed"})
        assert shown(computed) == shown(sheet(LEVEL))
        assert "standings without manual changes" in StandingsTable(computed, all_columns(computed)).caption
        assert "*" not in " ".join(notes_of(computed))
        assert apply_choices(sheet(LEVEL), {"as": "computed"}).as_computed is False


class TestMoves:
    TABLE = draw(
        """
        1 Ann           2:2-0  3:0-2  4:1-1
        2 Bea           1:0-2  4:2-0  3:2-0
        3 Cor           4:1-1  1:2-0  2:0-2
        4 Dan  outside  3:1-1  2:0-2  1:1-1
        """
    )

    def test_moves_have_symbols_and_text(self) -> None:
        """After round 2: Cor 3, Ann and Bea 2. After round 3: Bea 4, Ann and Cor 3."""
        assert [row[:2] for row in shown(sheet(self.TABLE))][:3] == [["1", "Bea"], ["2", "Ann"], ["", "Cor"]]
        assert moves(sheet(self.TABLE)) == [
            ("▲1", ["up 1 place"]),
            ("=", ["same place"]),
            ("▼1", ["down 1 place"]),
            ("", []),
        ]

    def test_no_move_for_a_row_without_place(self) -> None:
        """Bea, second after round 1, loses her place because her withdrawal annuls all results."""
        table = draw(
            "1 Ann 2:2-0 3:2-0 \n 2 Bea withdrawn=1 1:0-2 4: \n 3 Cor 4:1-1 1:0-2 \n 4 Dan 3:1-1 2:",
            games_each=3,
        )
        shown_moves = dict(zip(names_in_order(sheet(table), "place"), moves(sheet(table)), strict=True))
        assert next(move for name, move in shown_moves.items() if "Bea" in name) == ("", [])
        assert shown_moves["Ann"] == ("=", ["same place"])

    def test_no_moves_after_the_first_round(self) -> None:
        first = sheet(self.TABLE.after(1))
        assert moves(first) == []
        assert "move" not in [column.key for column in all_columns(first)]

    def test_sort_by_moves(self) -> None:
        assert names_in_order(sheet(self.TABLE), "move") == ["Bea", "Ann", "Cor", "Dan"]


class TestChoices:
    CHESS = draw(
        """
        1 Ann  2:1-0  3:½-½
        2 Bea  1:0-1  bye
        3 Cor  bye    1:½-½
        """,
        scoring=CHESS,
    )
    CHESS = replace(CHESS, colour=np.array([[1, -1], [-1, 0], [0, 1]]))
    EVENT: dict[str, Any] = {"game_win": 2, "game_draw": 1, "game_loss": 0}

    def chosen(self, **choices: str) -> StandingsSheet:
        return apply_choices(sheet(self.CHESS, "total-score", "solkoff", **self.EVENT), choices)

    def test_notation_changes_only_points(self) -> None:
        assert shown(self.chosen())[0] == ["1", "Ann", "3w 1", "2b ½", "1½", "2½"]
        assert shown(self.chosen(notation="2-0"))[0] == ["1", "Ann", "3w 2", "2b 1", "3", "2½"]
        assert spoken(self.chosen(notation="2-0"))["Ann"][0] == "Round 1, white against Bea, won 2-0"
        assert notes_of(self.chosen(notation="2-0"))[-1] == (
            "Points of games are shown with 2 for a win; other values stay as computed, with 1."
        )

    def test_draughts_in_chess_notation(self) -> None:
        made = sheet(LEVEL, game_win=4, game_draw=2, game_loss=0)
        assert shown(apply_choices(made, {"notation": "1-0"}))[0] == ["1", "Ann", "1", "2 ½", "3 1", "1½"]

    @pytest.mark.parametrize(
        ("style", "cells"), [("12w1", ["3w 1", "2b ½"]), ("W12", ["W3 1", "B2 ½"]), ("+12w", ["+3w", "=2b"])]
    )
    def test_styles_of_cells(self, style: str, cells: list[str]) -> None:
        made = self.chosen(cells=style)
        assert shown(made)[0][2:4] == cells
        assert [row[3] for row in shown(made) if row[1] == "Bea"] == ["BYE"]
        assert spoken(made) == spoken(self.chosen())
        if style == "+12w":
            assert "+ won, = drawn or − lost" in notes_of(made)[0]

    def test_notation_does_not_change_data_attributes(self) -> None:
        def data(made: StandingsSheet) -> list[str]:
            return re.findall('data-value="(.*?)"', StandingsTable(made, all_columns(made)).rows)

        plain = data(self.chosen())
        assert plain[:2] == ["1.5", "2.5"]
        assert data(self.chosen(notation="2-0", cells="W12")) == plain

    def test_links_retain_the_display_options(self) -> None:
        made = self.chosen(notation="2-0")
        asked = {"sort": "name", "dir": "desc"}
        table = StandingsTable(made, all_columns(made), asked, carried={"notation": "2-0"})
        assert 'href="?sort=solkoff&amp;dir=desc&amp;notation=2-0"' in table.heads
        assert 'id="sort-name" href="?notation=2-0"' in table.heads
        assert query_of({"cells": "+12w"}) == "?cells=%2B12w"

    def test_switches_are_limited_to_those_that_apply(self) -> None:
        made = self.chosen()
        points, cells, _reasons = switches_of(made, {"notation": "2-0", "sort": "name"})
        assert [option.chosen for option in points.options] == [False, True]
        assert points.options[0].query == "?sort=name"
        assert [option.text for option in cells.options] == ["12w 1", "W12 1", "+12w"]
        made.event.entrants = "teams"
        assert [switch.label for switch in switches_of(made, {})] == ["points", "reasons for the order"]
        made.event.game_win = 24
        assert [switch.label for switch in switches_of(made, {})] == ["reasons for the order"]


class TestDetails:
    """The columns about a player, of which readers see the useful ones."""

    LOCAL: dict[str, dict[str, Any]] = {
        "Ann": {"code": "NED", "title": "GM", "club": "Den Haag", "birth_year": "1990"},
        "Bea": {"code": "NED", "club": "Den <Oude> & Co", "birth_year": "1990", "categories": ["W", "U20"]},
        "Cor": {"code": "NED", "club": "Den Haag", "birth_year": "1990"},
        "Dan": {"code": "NED", "birth_year": "1990"},
    }

    def made(self, columns: str = "", **changed: dict[str, Any]) -> StandingsSheet:
        particulars = {name: facts | changed.get(name, {}) for name, facts in self.LOCAL.items()}
        return apply_choices(sheet(LEVEL, particulars=particulars), {"columns": columns} if columns else {})

    def keys(self, *args: Any, **kwargs: Any) -> list[str]:
        css = ("code", "rating", "detail")
        return [column.key for column in all_columns(self.made(*args, **kwargs)) if column.css in css]

    def test_column_needs_different_values(self) -> None:
        assert self.keys() == ["club", "category"]
        assert "flags/" not in "".join(map("".join, cells_of(self.made())))
        assert self.keys(Dan={"code": "BEL", "rating": 2000}) == ["code", "club", "category", "rating"]

    def test_city_is_proposed_instead_of_missing_clubs(self) -> None:
        cities = {name: {"club": "", "city": f"{name}'s"} for name in self.LOCAL}
        assert self.keys(**cities) == ["city", "category"]
        assert self.keys(Ann={"city": "Goes"}) == ["club", "category"]

    def test_year_of_birth_is_shown_on_request_only(self) -> None:
        assert self.keys(Ann={"birth_year": "2012"}) == ["club", "category"]
        assert self.keys("club,born", Ann={"birth_year": "2012"}) == ["club", "born"]
        assert self.keys("club,born") == ["club"]

    def test_reader_can_hide_columns_and_titles(self) -> None:
        assert self.keys("none") == []
        assert [row[1] for row in shown(self.made())] == ["Ann GM", "Bea", "Cor", "Dan"]
        assert [row[1] for row in shown(self.made("club"))] == ["Ann", "Bea", "Cor", "Dan"]

    def test_reasons_stand_after_columns_of_several_lines(self) -> None:
        made = self.made()
        keys = [column.key for column in with_reasons(all_columns(made), made, made.rows)]
        assert keys.index("why") == keys.index("category") + 1

    def test_switch_adds_or_removes_a_column(self) -> None:
        usual = switches_of(self.made(), {"sort": "name"})[-1]
        assert [(option.text, option.chosen) for option in usual.options] == [
            ("title", True),
            ("club", True),
            ("category", True),
        ]
        # Columns that this table lacks are retained for others.
        assert usual.options[1].query == "?sort=name&columns=title%2Ccode%2Crating%2Ccategory"
        less = switches_of(self.made("title,code,rating,category"), {"columns": "title,code,rating,category"})
        assert less[-1].options[1].query == "./"
        assert switches_of(self.made("club"), {})[-1].options[1].query == "?columns=none"

    def test_facts_are_read_once(self) -> None:
        made = self.made()
        assert made.facts("club") is made.facts("club")

    def test_clubs_link_to_their_players(self) -> None:
        html = "".join(map("".join, cells_of(self.made())))
        assert 'standings/?club=Den%20%3COude%3E%20%26%20Co">Den &lt;Oude&gt; &amp; Co</a>' in html

    def test_sorted_by_club_with_unknown_clubs_last(self) -> None:
        made = self.made()
        assert [row[1] for row in shown(made, "club")] == ["Ann GM", "Cor", "Bea", "Dan"]

    def test_group_has_places_of_its_own_and_no_column_with_a_single_value(self) -> None:
        group = replace(self.made(), among={2, 3}, group="Two")
        assert [column.label for column in all_columns(group)][:3] == ["pl.", "overall", "name"]
        assert [row[:3] for row in shown(group)] == [["1", "1", "Bea"], ["2", "3", "Cor"]]
        assert "Drawn, Two: standings" in StandingsTable(group, all_columns(group)).caption
        clubless = replace(self.made(), among={1, 3})
        assert "club" not in [column.key for column in all_columns(clubless)]


def test_short_name_is_the_surname_and_a_pseudonym_is_whole() -> None:
    made = sheet(LEVEL)
    names = {"Roozenburg, Piet": "Roozenburg", "Piet Roozenburg": "Roozenburg", "N.N. 5": "N.N. 5"}
    for name, short in names.items():
        entries = [made.entries[0]._replace(name=name), *made.entries[1:]]
        assert replace(made, entries=entries).short_name(0) == short


def test_names_are_escaped() -> None:
    table = replace(LEVEL, names=('<b>"A"</b>', "B & C", "Cor", "Dan"))
    made = sheet(table, particulars={"B & C": {"code": "<i>", "title": "<u>"}})
    rows = StandingsTable(made, all_columns(made)).rows
    for tag in ("<i>", "<u>", '<b>"', "against <b>"):
        assert tag not in rows
    assert 'aria-label="Round 1, against B &amp; C, drawn 1-1"' in rows


def test_table_before_the_first_round() -> None:
    made = sheet(draw("1 Ann\n2 Bea", scoring=CHESS))
    assert shown(made) == [["1", "Ann", "0"], ["", "Bea", "0"]]


POSTPONED = draw(
    """
    1 Ann  2:1-0  3:1-0  4:1-0
    2 Bea  1:0-1  4:     3:1-0
    3 Cor  4:1-0  1:0-1  2:0-1
    4 Dan  3:0-1  2:     1:0-1
    """,
    scoring=CHESS,
)


def test_place_changes_compare_complete_rounds_only() -> None:
    made = sheet(POSTPONED)
    assert "±: Places gained or lost since round 1" in heads(made)
    # Ann and Cor shared first place after round 1, Bea and Dan third place.
    assert [text for text, _heard in moves(made)] == ["=", "▲1", "▼1", "▼1"]


@pytest.mark.parametrize("rounds", [1, 2])
def test_no_place_changes_without_two_complete_rounds(rounds: int) -> None:
    assert "Places gained or lost" not in heads(sheet(POSTPONED.after(rounds)))


class TestPublished:
    """The published places in the table (rules § 6)."""

    def test_published_places_are_shown_if_one_differs(self) -> None:
        made = replace(sheet(EVERY_SIGN), published={1: 2, 2: 1, 3: 2})
        assert [row[:3] for row in shown(made)] == [
            ["1", "2 ≠", "Ann"],
            ["2", "1 ≠", "Bea"],
            ["", "2", "Cor"],
            ["4", "", "Dan"],
            ["", "", "Eve"],
        ]

    def test_sort_by_published_place_with_missing_places_last(self) -> None:
        made = replace(sheet(EVERY_SIGN), published={1: 2, 2: 1, 3: 3})
        assert [row[2] for row in shown(made, "published")] == ["Bea", "Ann", "Cor", "Dan", "Eve"]

    def test_no_published_column_if_all_places_agree(self) -> None:
        made = replace(sheet(EVERY_SIGN), published={1: 1, 2: 2})
        assert shown(made) == shown(sheet(EVERY_SIGN))
        assert names_in_order(made, "published") == names_in_order(made, "")


def test_accessible_names_of_headings_contain_the_visible_text() -> None:
    heard = re.findall(r'id="sort-(.+?)".*?(?: aria-label="(.+?)")?>(.+?)<', heads(sheet(EVERY_SIGN)))
    assert heard == [
        ("move", "±: Places gained or lost since round 2", "±"),
        ("name", "", "name"),
        ("number", "start: Start number", "start"),
        ("round-1", "R1: Round 1", "R1"),
        ("round-2", "R2: Round 2", "R2"),
        ("round-3", "R3: Round 3", "R3"),
        ("round-4", "R4: Round 4", "R4"),
        ("total-score", "Pts: Total score", "Pts"),
    ]
    assert "title=" not in heads(sheet(EVERY_SIGN))


def test_legend_lists_criteria_in_order_and_symbols_in_use() -> None:
    made = replace(sheet(EVERY_SIGN, "total-score", "wins"), published={1: 2})
    legend = table_legend(made, all_columns(made))
    assert [(each.abbr, each.name) for each in legend.deciding] == [
        ("Pts", "Total score"),
        ("W", "Number of wins"),
    ]
    assert [column.label for column in legend.signs] == ["published", "±", "start"]
    assert legend.beside == []


def test_legend_lists_columns_that_do_not_rank() -> None:
    made = sheet(LEVEL, columns="olimpbase")
    codes = [each.code for each in table_legend(made, all_columns(made)).beside]
    assert codes == ["game-points", "match-points", "buchholz@game", "dsb", "dsmp"]
