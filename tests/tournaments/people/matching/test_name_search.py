"""Search for names in texts: orders, scripts, initials, addresses, and ordinary vocabulary."""

import pytest

from tournaments.people.matching.name_search import NameSearch


def shown(text: str, *names: str, is_prose: bool = True, shared: tuple[str, ...] = ()) -> str:
    """The text with `#` for the person."""
    for start, end in reversed(NameSearch(names, shared).find(text, is_prose=is_prose)):
        text = f"{text[:start]}#{text[end:]}"
    return text


@pytest.mark.parametrize(
    "named",
    [
        "Žofie Kvíčalová",
        "Kvíčalová, Žofie",
        "Kvíčalová Žofie",
        "KVÍČALOVÁ ŽOFIE",
        "Zofie Kvicalova",
        "zofie-kvicalova",
        "kvicalova_zofie",
        "Ž. Kvíčalová",
        "Kvíčalová, Ž.",
        "Kvicalova Z",
        "Квичалова Жофие",
        "Квичалова, Ж.",
        "Kvi\u0301c\u030calova\u0301",
        "Kvicalova",
    ],
)
def test_every_form_of_a_name_is_found(named: str) -> None:
    names = ("Kvíčalová, Žofie", "Жофие Квичалова")

    assert shown(f"In round 3 {named} won.", *names) == "In round 3 # won."
    assert shown(f"{named}'s game", *names) == "#'s game"


@pytest.mark.parametrize(
    "text",
    [
        "Round 3, White to move in May.",
        "White may claim a draw.",
        "The round was white",
        "A may be white",
    ],
)
@pytest.mark.parametrize("name", ["White, May", "May White", "Round", "White", "May", "Draw, Round"])
def test_ordinary_vocabulary_is_not_a_match(name: str, text: str) -> None:
    assert shown(text, name) == text


def test_a_name_of_ordinary_vocabulary_is_found_in_full() -> None:
    assert shown("Then May White won; J. White lost, M. White drew.", "White, May") == (
        "Then # won; J. White lost, # drew."
    )
    assert shown("White", "White") == "#"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("the van der Bergs", "the van der Bergs"),
        ("Jan van der Berg and J. van der Berg", "# and #"),
        ("Berg, Jan van der", "#"),
        ("P. van der Berg", "P. van der Berg"),
        ("on a berg", "on a berg"),
        ("https://example.org/players/van-der-berg/", "https://example.org/players/#/"),
    ],
)
def test_a_surname_of_several_parts(text: str, left: str) -> None:
    assert shown(text, "van der Berg, Jan") == left


def test_a_shared_surname_is_found_only_with_the_given_name() -> None:
    assert shown("Polgar, J. Polgar and Judit Polgar", "Polgar, Judit", shared=("polgar",)) == (
        "Polgar, J. Polgar and #"
    )


def test_outside_prose_a_bare_surname_is_no_match() -> None:
    assert shown("Hotel Berg", "Berg, Jan", is_prose=False) == "Hotel Berg"
    assert shown("Ghestem beat him", "Ghestem", is_prose=False) == "# beat him"


def test_a_bare_given_name_is_no_match() -> None:
    assert shown("Zora and Ton", "Quixley, Zora", "Ton Sijbrands") == "Zora and Ton"
