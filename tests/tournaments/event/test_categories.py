"""Membership of categories by decision, by label and by rule; unknown facts make no members."""

import pytest

from tournaments.event.categories import (
    CategoryPerson,
    Why,
    is_code,
    meets_rule,
    members_by_category,
    membership_reason,
)

START = "2024-05-10"
ANN = CategoryPerson(1, sex="w", born="2004-03-01", rating=1850, club="Utrecht", country="NED")


@pytest.mark.parametrize(
    ("born", "belongs"),
    [
        ("2003-12-31", False),
        ("2004-01-01", True),
        ("2010", True),
        ("2004", True),
        ("2003", False),
        ("", None),
    ],
)
def test_u20_has_not_reached_20_before_1_january_of_the_year(born: str, belongs: bool | None) -> None:
    """FIDE's world youth events of 2024: U18 were those born from 1 January 2006 on."""
    assert meets_rule({"code": "U20", "age_under": 20}, ANN._replace(born=born), START) is belongs


@pytest.mark.parametrize(
    ("born", "belongs"), [("1959-12-31", True), ("1960-01-01", False), ("1959", True), ("1960", False)]
)
def test_s65_reaches_65_in_the_year(born: str, belongs: bool) -> None:
    assert meets_rule({"code": "S65", "age_from": 65}, ANN._replace(born=born), START) is belongs


@pytest.mark.parametrize(
    ("born", "belongs"),
    [("2004-08-31", False), ("2004-09-01", True), ("2004", None), ("2003", False), ("2005", True)],
)
def test_another_day_needs_the_day_of_birth(born: str, belongs: bool | None) -> None:
    category = {"code": "U20", "age_under": 20, "age_on": "2024-09-01"}
    assert meets_rule(category, ANN._replace(born=born), START) is belongs


def test_player_born_on_29_february_has_a_birthday_every_year() -> None:
    category = {"code": "S20", "age_from": 20, "age_on": "2024-02-29"}
    assert meets_rule(category, ANN._replace(born="2004-02-29"), START) is True
    category = {"code": "S21", "age_from": 21, "age_on": "2025-02-28"}
    assert meets_rule(category, ANN._replace(born="2004-02-29"), START) is False


def test_without_the_year_of_the_event_no_age_is_known() -> None:
    assert meets_rule({"code": "U20", "age_under": 20}, ANN, "") is None


@pytest.mark.parametrize(
    ("rule", "rating", "belongs"),
    [
        ({"rating_from": 1800, "rating_to": 1999}, 1800, True),
        ({"rating_from": 1800, "rating_to": 1999}, 1999, True),
        ({"rating_from": 1800, "rating_to": 1999}, 2000, False),
        ({"rating_from": 1800, "rating_to": 1999}, None, False),
        ({"rating_to": 1799, "unrated": True}, None, True),
        ({"rating_to": 1799, "unrated": True}, 1799, True),
        ({"unrated": True}, None, True),
        ({"unrated": True}, 1200, False),
    ],
)
def test_bands_of_ratings(rule: dict[str, object], rating: int | None, belongs: bool) -> None:
    assert meets_rule({"code": "B", **rule}, ANN._replace(rating=rating), START) is belongs


def test_clubs_and_federations() -> None:
    assert meets_rule({"code": "U", "clubs": ["utrecht ", "Delft"]}, ANN, START) is True
    assert meets_rule({"code": "U", "clubs": ["Delft"]}, ANN, START) is False
    assert meets_rule({"code": "N", "federations": ["NED"]}, ANN, START) is True
    assert meets_rule({"code": "N", "federations": ["NED"]}, ANN._replace(country=""), START) is None


def test_all_conditions_of_a_rule_must_be_met() -> None:
    girls = {"code": "G", "sex": "w", "age_under": 20}
    assert meets_rule(girls, ANN, START) is True
    assert meets_rule(girls, ANN._replace(sex=""), START) is None
    assert meets_rule(girls, ANN._replace(sex="", born="1990"), START) is False


def test_decisions_go_before_labels_and_labels_before_rules() -> None:
    women = {"code": "W", "sex": "w"}
    assert membership_reason(women, ANN, START) is Why.RULE
    assert membership_reason(women, ANN._replace(sex="m"), START) is Why.NOT
    assert membership_reason(women, ANN._replace(sex=""), START) is Why.UNKNOWN
    assert membership_reason(women, ANN._replace(sex="", categories=("W",)), START) is Why.LABEL
    out = {"category": "W", "belongs": False, "reason": "plays in the open"}
    assert membership_reason(women, ANN._replace(category_decisions=(out,)), START) is Why.DECIDED_OUT
    decided_in = {**out, "belongs": True}
    assert (
        membership_reason(women, ANN._replace(sex="m", category_decisions=(decided_in,)), START)
        is Why.DECIDED_IN
    )


def test_a_category_without_a_rule_has_those_with_its_label() -> None:
    found = members_by_category(
        [{"code": "Guest"}], [ANN, ANN._replace(number=2, categories=("Guest",))], START
    )
    assert found["Guest"].numbers == {2}


@pytest.mark.parametrize("code", ["U20", "S65+", "1800-1999", "W", "B_2"])
def test_valid_codes(code: str) -> None:
    assert is_code(code)


@pytest.mark.parametrize("code", ["", "..", ".U20", "U20.", "a/b", "a b", "Ü20", "a?b", "x" * 21])
def test_invalid_codes(code: str) -> None:
    assert not is_code(code)
