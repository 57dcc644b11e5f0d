"""Redaction of texts: names in any order, ids, births, lines of reports, tags of games."""

import pytest

from tournaments.people.hiding.redaction import Redaction
from tournaments.people.matching.name_search import surname_of

N = "N.N. 17"
HIDDEN = Redaction(N, names=["Erdős, Ann"], ids=["703303", "12"], births=["1990-01-02", "1991"])


def test_the_surname_precedes_a_comma_or_is_last() -> None:
    assert surname_of("Sijbrands, Ton") == "Sijbrands"
    assert surname_of("Ton Sijbrands") == "Sijbrands"
    assert surname_of("Ghestem") == "Ghestem"


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Erdős, Ann came late.", f"{N} came late."),
        ("ANN  ERDŐS came late.", f"{N} came late."),
        ("Won by Ann Erdos!", f"Won by {N}!"),
        ("Joann Erdős and Ann Erdőssy", "Joann Erdős and Ann Erdőssy"),
        ("Erdős objected.", "Erdős objected."),
        ("id 703303, not 1703303", "id , not 1703303"),
        ("12 boards", "12 boards"),
        ("born 02.01.1990, 2-1-1990, 1990-01-02", "born , , "),
        ("in 1991", "in 1991"),
        ("", ""),
    ],
)
def test_a_text_is_without_the_person(said: str, shown: str) -> None:
    assert HIDDEN.text(said) == shown


@pytest.mark.parametrize("sign", ["\u00ad", "\u200b", "\u2060", "\ufeff", "\u034f", "\u3164", "\U000e0041"])
def test_invisible_characters_do_not_hide_a_name(sign: str) -> None:
    said = f"Er{sign}dős,{sign} A{sign}nn (70{sign}3303, 1990{sign}-01-02) won{sign}."
    assert HIDDEN.text(said) == f"{N} (, ) won{sign}."
    assert HIDDEN.text(f"Why E{sign}rdős lost", is_prose=True) == f"Why {N} lost"
    assert HIDDEN.is_name(f"Er{sign}dős, Ann{sign}")
    assert Redaction(N, names=[f"Er{sign}dős, Ann"]).text("Ann Erdős") == N
    line = f"### Er{sign}dős, Ann (70{sign}3303) protested"
    assert HIDDEN.line(line) == f"### {N:12}({'':7}) protested"
    assert len(HIDDEN.line(line)) == len(line)


def test_in_prose_a_bare_surname_is_replaced_too() -> None:
    assert HIDDEN.text("Erdős objected.", is_prose=True) == f"{N} objected."


def test_plain_data_is_without_the_person() -> None:
    said = [{"name": "Ann Erdős", "fide_id": 703303, "n": 3}, "Ann Erdős", None, {"Ann Erdős": [1]}]

    assert HIDDEN.value(said) == [{"name": N, "fide_id": None, "n": 3}, N, None, {N: [1]}]


def test_a_record_of_a_report_keeps_its_columns() -> None:
    line = f"001    7 w GM {'Erdos, Ann':33} 2400 HUN {703303:>11} 1990/01/02  3.5    1"
    shown = HIDDEN.line(line)

    assert shown == f"001    7 w    {N:33} 2400 HUN {'':11} {'':10}  3.5    1"
    assert len(shown) == len(line)


def test_any_other_line_of_a_report_keeps_its_length() -> None:
    line = "### Erdős, Ann (703303) protested"

    assert HIDDEN.line(line) == f"### {N}    (      ) protested"


def test_naming_tags_are_removed_and_moves_stay() -> None:
    tags = '[ECO "C20"]\n[WhiteTitle "GM"]\n[WhiteElo "2400"]\n[BlackTeam "Reds"]'
    moves = f"{tags}\n\n1. e4 {{Erdős, Ann thinks}} e5"

    assert HIDDEN.moves(moves, "White") == (
        f'[ECO "C20"]\n[WhiteElo "2400"]\n[BlackTeam "Reds"]\n\n1. e4 {{{N} thinks}} e5'
    )
    assert HIDDEN.moves(moves, "").startswith('[ECO "C20"]\n[WhiteElo "2400"]\n\n1.')
    assert HIDDEN.moves("1. e4", "Black") == "1. e4"


def test_a_bare_surname_is_replaced_in_tags_and_comments_but_not_in_moves() -> None:
    mine = Redaction(N, names=["Kxd, Ann"])
    moves = '[Event "Kxd in Rome"]\n\n1. Kxd4 {Kxd waits [%clk 0:01]} e5 ; Kxd smiles\n2. Kxd5 {Ann Kxd}'
    shown = f'[Event "{N} in Rome"]\n\n1. Kxd4 {{{N} waits [%clk 0:01]}} e5 ; {N} smiles\n2. Kxd5 {{{N}}}'

    assert mine.moves(moves, None) == shown
    assert mine.moves(moves, "White") == shown


def test_a_record_of_a_namesake_stays() -> None:
    mine = Redaction(N, names=["Erdős, Ann"], ids=["703303"], others=["Ann Erdos"], number=7)
    line = f"001    8 w    {'Erdos, Ann':33} 2400 HUN"

    assert mine.line(line) == line
    assert mine.text("Ann Erdős came late.") == "Ann Erdős came late."
    assert N in mine.line(line.replace("   8", "   7"))


def test_a_name_shared_by_two_hidden_persons_has_no_number() -> None:
    mine = Redaction(N, names=["Erdős, Ann"], hidden_too=["Erdős, Bob"])
    said = "Erdős; Ann Erdős and B. Erdős"

    assert mine.text(said, is_prose=True) == f"N.N.; {N} and B. Erdős"
