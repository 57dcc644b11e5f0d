"""Texts as a search compares them."""

import re

import pytest
from anyascii import anyascii
from django.conf import settings

from tournaments.search.folding import (
    LETTERS,
    MANY_TOGETHER,
    engine_words_of_line,
    federation_word,
    fold,
    initials_word,
    likeness,
    searchable,
    sort_key,
    spellings_of,
    whole_name,
)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Erdős", " erdos"),
        ("ŁÓDŹ", " lodz"),
        ("Sønderborg", " sonderborg"),
        ("Weißenburg", " weissenburg"),
        ("O'Kelly de Galway", " okelly de galway"),
        ("Den-Haag (NED)", " den haag ned"),
        ("Þórir Æsir, İstanbul", " thorir aesir istanbul"),
        ("Алексей Чижов", " алексеи чижов"),
        ("two\nlines", " two\n lines"),
    ],
)
def test_case_and_diacritics_make_no_difference(text: str, folded: str) -> None:
    assert fold(text) == folded
    assert fold(folded) == folded


def test_names_are_sorted_by_letters_before_accents() -> None:
    """The order of ICU for English and Dutch."""
    names = (
        "Åberg,Aesop,Æsop,de Boer,De Vries,Dekker,Đorđe,Dordrecht,États-Unis,Iglesias,IJmuiden,Lodewijk,Łódź,"
        "Müller,Ostapenko,Östlund,Strasse,Zoe,Zoë,Zomer,Ёлкин,Ермаков,Иванов"
    )
    ordered = names.split(",")
    assert sorted(ordered, key=sort_key) == ordered


@pytest.mark.parametrize(
    ("text", "latin"),
    [
        ("Алексей Чижов", " aleksei chizhov"),
        ("Карлсен, Магнус", " karlsen magnus"),
        ("Щёголев", " shchegolev"),
        ("Зубов, Юрій", " zubov yurii"),
        ("Παπαϊωάννου", " papaioannoy"),
        ("ნონა გაფრინდაშვილი", " nona gaprindashvili"),
        ("Łódź", " lodz"),
    ],
)
def test_other_scripts_are_searched_in_latin_letters(text: str, latin: str) -> None:
    assert searchable(text) == latin
    assert searchable(latin) == latin


def test_the_script_of_pages_folds_letters_alike() -> None:
    script = (settings.BASE_DIR / "static/js/folding.js").read_text()
    tables = re.findall(r'^  "(.)": "(.+)",$', script, re.MULTILINE)
    assert [first for first, _letters in tables] == ["α", "а", "Ґ", "ա", "ა"]
    for first, letters in tables:
        in_order = (chr(ord(first) + at) for at in range(len(letters.split())))
        assert letters == " ".join(anyascii(each).lower() for each in in_order)
    single = dict(re.findall(r'(\w): "(\w+)"', script))
    assert single == {chr(sign): text for sign, text in LETTERS.items() if text} | {"ß": "ss", "ς": "σ"}


def test_a_federation_is_a_single_term_for_its_year() -> None:
    assert federation_word("NED", 2020) == "=netherlands"
    assert federation_word("USA2", 2020) == "=unitedstates"
    assert federation_word("XXX", 2020) == federation_word("", 2020) == ""


def test_a_full_name_is_a_single_term_in_any_order() -> None:
    assert whole_name(["carlsen", "magnus"]) == whole_name(["magnus", "carlsen", "carlsen"])
    assert whole_name(["carlsen"]) != whole_name(["carlsen", "magnus"])


def test_two_terms_of_a_line_are_indexed_by_first_letters_in_any_order() -> None:
    told = engine_words_of_line(" carlsen magnus ned =norway 1503014")
    assert told == {
        initials_word("carlsen", "magnus"),
        initials_word("ned", "magnus"),
        initials_word("ned", "carlsen"),
    }
    assert initials_word("mag", "carl") in told
    assert engine_words_of_line(" ".join(f" {letter * 3}" for letter in "abcdefghijklm")) == {MANY_TOGETHER}


@pytest.mark.parametrize(("word", "other"), [("ka", "carlsen"), ("carla", "carlsen"), ("1503014", "carlsen")])
def test_ambiguous_combinations_are_not_indexed(word: str, other: str) -> None:
    assert initials_word(word, other) == initials_word(other, word) == ""


@pytest.mark.parametrize("typed", ["karlsen", "carlsn", "caarlsen", "calrsen"])
def test_a_single_typo_leaves_a_common_form(typed: str) -> None:
    assert {*spellings_of(typed)} & {*spellings_of("carlsen")}
    assert likeness(typed, "carlsen") > likeness(typed, "karpov")


@pytest.mark.parametrize("word", ["ann", "2019", "x" * 30])
def test_short_terms_and_numbers_are_not_corrected(word: str) -> None:
    assert spellings_of(word) == []
