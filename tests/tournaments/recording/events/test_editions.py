"""Editions of a series from a list: parsing, faults, and creating all editions or no edition."""

import pytest
from django.contrib.auth.models import User

from tests.cast import create_account, create_team_event
from tournaments.event.officials import signed
from tournaments.models import Event, FormerSlug, Series
from tournaments.recording.events.editions import EditionLine, create_editions, read_editions
from tournaments.recording.refusal import Refused

pytestmark = pytest.mark.django_db

LIST = """1950;;Dubrovnik;YUG;1950-08-20;1950-09-11
1952;10th Cup of Teams;Helsinki;FIN;1952-08-09;1952-08-31;15

1954
"""


@pytest.fixture
def event() -> Event:
    return create_team_event()


@pytest.fixture
def organiser() -> User:
    return create_account("otto")


def only(event: Event, text: str) -> EditionLine:
    """Return the only line of a list."""
    (line,) = read_editions(event, text).lines
    return line


def test_unknown_values_may_be_omitted(event: Event) -> None:
    first, second, third = read_editions(event, LIST).lines
    assert (first.name, first.slug, first.country, first.bearer) == (
        "Cup 1950",
        "cup-1950",
        "YUG",
        "Yugoslavia",
    )
    assert (second.name, second.slug, second.rounds) == ("10th Cup of Teams", "10th-cup-of-teams-1952", 15)
    assert (third.line, third.name, third.start, third.end, third.rounds) == (4, "Cup 1954", "1954", "", None)


def test_tabs_separate_values(event: Event) -> None:
    assert only(event, "1950\tThe Cup; again\tDubrovnik").name == "The Cup; again"


def test_drafts_have_the_settings_of_the_event_and_no_rounds(event: Event, organiser: User) -> None:
    event.officials, event.time_control = [signed("chief", "Ann")], "90 + 30"
    event.time_zone = "Europe/Amsterdam"
    event.save()
    create_editions(event, LIST, organiser)
    made = list(Event.objects.filter(series=event.series).exclude(pk=event.pk).order_by("start"))
    assert [each.slug for each in made] == ["cup-1950", "10th-cup-of-teams-1952", "cup-1954"]
    assert [each.planned_rounds for each in made] == [2, 15, 2]
    for each in made:
        assert (each.state, each.system, each.boards) == (Event.State.DRAFT, event.system, event.boards)
        assert (each.officials, each.time_control) == ([], "90 + 30")
        assert each.time_zone == ("Europe/Amsterdam" if each.place == event.place else "")
        assert not each.competitors.exists()
        assert not each.rounds.exists()
        assert list(each.arbiters.all()) == [organiser]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (";Cup", "The year comes first"),
        ("50;Cup", "The year comes first"),
        ("1950;Cup;Dubrovnik;Yugoslavia", "not a country code"),
        ("1950;;;;soon", "is not a date"),
        ("1950;;;;1950-02-30", "is not a date"),
        ("1950;;;;1951-08-20", "not in 1950"),
        ("1950;;;;1950-08-20;1950-08-19", "before the first"),
        ("1950;;;;1950-08-20;1949", "before the first"),
        ("1950;;;;;;0", "not a number of rounds"),
        ("1950;;;;;;many", "not a number of rounds"),
        ("1950;;;;;;9;10", "more in this line"),
        (f"1950;{'x' * 201}", "too long"),
        ("1950;Кубок", "cannot be made into an address"),
        ("1950;Taken", "address of another event"),
        ("1950;Earlier", "address of another event"),
    ],
)
def test_a_line_that_is_not_understood_hinders_all(
    event: Event, organiser: User, line: str, said: str
) -> None:
    Event.objects.filter(pk=event.pk).update(slug="taken-1950")
    FormerSlug.objects.create(event=event, slug="earlier-1950")
    assert said in only(event, line).fault
    with pytest.raises(Refused, match=r"Line 2: .*No events were created"):
        create_editions(event, f"1948\n{line}", organiser)
    assert Event.objects.count() == 1


def test_two_lines_with_the_same_slug(event: Event) -> None:
    _first, second = read_editions(event, "1950\n1950;Cup").lines
    assert second.fault == "Line 1 gets the same address, “cup-1950”."


def test_a_last_day_may_be_just_a_year(event: Event) -> None:
    assert not only(event, "1950;;;;1950-12-20;1951").fault


def test_an_event_of_no_series_has_no_further_editions(event: Event) -> None:
    event.series = None
    with pytest.raises(Refused, match="does not belong to a series"):
        read_editions(event, LIST)


def test_a_name_made_of_the_series_and_the_year(event: Event) -> None:
    Series.objects.update(name="Chess Olympiad")
    assert only(Event.objects.get(), "1950").slug == "chess-olympiad-1950"


@pytest.mark.parametrize("text", ["", "\n", "1950\n" * 301])
def test_empty_and_too_long_lists_are_refused(event: Event, organiser: User, text: str) -> None:
    with pytest.raises(Refused, match="at most 300"):
        create_editions(event, text, organiser)
