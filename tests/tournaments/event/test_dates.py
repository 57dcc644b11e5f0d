"""Dates are days of the calendar or bare years."""

from datetime import UTC, date, datetime

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.test import Client
from django.urls import reverse

from tests.cast import Desk, create_desk, create_team_event
from tests.linked import both_sides
from tests.routes import address_of, public_routes
from tournaments.event.dates import (
    AmbiguousDateError,
    DateError,
    ends_before,
    is_date,
    last_day_of,
    order_of,
    parse_day,
    parse_year,
    partial_date,
    read_date,
    start_of,
)
from tournaments.models import Event, Round
from tournaments.recording.events.creation import create_event
from tournaments.recording.refusal import Refused

NO_DATES = (
    *("2026-02-31", "2026-13-45", "2026-00-00", "2025-02-29", "0000-01-01", "0000"),
    *("2026-2-1", "20260201", "2026-02", "026-02-01", "٢٠٢٢", "２０２６-01-01"),
    *("soon", "31.2.2026", "2026-W05", "2026-02-01\n"),
)  # fmt: skip


pytestmark = pytest.mark.django_db


@pytest.fixture
def desk() -> Desk:
    return create_desk()


class TestTimes:
    @pytest.mark.parametrize(
        "written", ["24:00", "9:30", "09.30", "0930", "09:30:00", "١٤:00", "", "14:00\n"]
    )
    def test_invalid_time_is_refused(self, written: str) -> None:
        assert start_of("2026-05-01", written, "Europe/Amsterdam") is None

    @pytest.mark.parametrize(
        ("day", "hour"),
        [("2026-03-28", 13), ("2026-03-29", 12), ("2026-10-25", 13)],  # the clocks change between them
    )
    def test_start_by_the_clocks_of_the_zone(self, day: str, hour: int) -> None:
        start = start_of(day, "14:00", "Europe/Amsterdam")
        assert start
        assert start.astimezone(UTC).hour == hour

    def test_start_without_a_day_or_a_zone(self) -> None:
        assert start_of("2026", "14:00", "Europe/Amsterdam") is None
        assert start_of("2026-05-01", "14:00", "") == datetime(2026, 5, 1, 14)  # noqa: DTZ001  local

    def test_database_refuses_a_time_without_a_date(self) -> None:
        create_team_event()
        with pytest.raises(IntegrityError, match="rounds_with_a_time_have_a_date"):
            Round.objects.update(date="", time="14:00")


class TestRule:
    @pytest.mark.parametrize("written", NO_DATES)
    def test_invalid_date_is_refused(self, written: str) -> None:
        assert not is_date(written)
        assert (parse_day(written), parse_year(written), last_day_of(written)) == (None, None, None)
        with pytest.raises(ValidationError, match="is not a date"):
            partial_date(written)

    def test_day_and_bare_year(self) -> None:
        assert (parse_day("2024-02-29"), parse_year("2024-02-29")) == (date(2024, 2, 29), 2024)
        assert (parse_day("1948"), parse_year("1948"), last_day_of("1948")) == (
            None,
            1948,
            date(1948, 12, 31),
        )

    @pytest.mark.parametrize(
        ("start", "end", "ends"),
        [
            ("2026-05-02", "2026-05-01", True),
            ("2026-05-02", "2026-05-02", False),
            ("2026-05-02", "2026", False),
            ("2026-05-02", "2025", True),
            ("2026", "2025-12-31", True),
            ("2026", "2026-01-01", False),
            ("", "2026", False),
            ("2026", "soon", False),
        ],
    )
    def test_an_end_before_its_start(self, start: str, end: str, ends: bool) -> None:
        assert ends_before(start, end) is ends


class TestReading:
    @pytest.mark.parametrize(
        ("text", "date"),
        [
            ("2026/05/14", "2026-05-14"), ("14/05/2026", "2026-05-14"), ("05/14/2026", "2026-05-14"),
            ("14.5.2026", "2026-05-14"), ("28. 07. 2005", "2005-07-28"), ("2026-5-14", "2026-05-14"),
            ("20260514", "2026-05-14"), ("May 14, 2026", "2026-05-14"), ("29 May 2020", "2020-05-29"),
            ("3rd Sept 2020", "2020-09-03"), ("1. März 2020", "2020-03-01"), ("28-Jul-2005", "2005-07-28"),
            ("28 juli 2005", "2005-07-28"), ("5/5/2005", "2005-05-05"), ("1948", "1948"),
            ("1948/00/00", "1948"), ("", ""), ("-", ""), ("0000/00/00", ""),
        ],
    )  # fmt: skip
    def test_unambiguous_date_is_read(self, text: str, date: str) -> None:
        assert read_date(text) == (date, "")

    @pytest.mark.parametrize(
        ("text", "order", "date"),
        [
            ("07/08/2005", "dmy", "2005-08-07"),
            ("07/08/2005", "mdy", "2005-07-08"),
            ("05/07/28", "ymd", "2005-07-28"),
            ("7.8.2005", "mdy", "2005-07-08"),
            ("2005-07-08", "mdy", "2005-07-08"),
        ],
    )
    def test_date_is_read_in_the_given_order(self, text: str, order: str, date: str) -> None:
        assert read_date(text, order).date == date

    @pytest.mark.parametrize("text", ["07/08/2005", "05/07/28", "1-2-03"])
    def test_ambiguous_date_is_refused(self, text: str) -> None:
        with pytest.raises(AmbiguousDateError, match="Choose the order of dates"):
            read_date(text)

    @pytest.mark.parametrize(("text", "date"), [("28.7.05", "2005-07-28"), ("28/7/99", "1999-07-28")])
    def test_short_year_gets_a_remark(self, text: str, date: str) -> None:
        assert read_date(text) == (date, f"“{text}” was taken for {date}")

    @pytest.mark.parametrize(
        "text", ["31/02/2026", "soon", "13/13/13", "29 Foo 2020", "2005-28-07", "ma 3, 2020"]
    )
    def test_invalid_day_is_refused(self, text: str) -> None:
        with pytest.raises(DateError, match="is not a date"):
            read_date(text)

    def test_invalid_day_in_the_given_order_is_refused(self) -> None:
        with pytest.raises(DateError, match="no date in the order day, month, year"):
            read_date("07/28/2005", "dmy")


class TestDesk:
    @pytest.mark.parametrize("start", ["2026-02-31", "2026-13-45"])
    def test_a_new_event_begins_on_a_real_day(self, desk: Desk, start: str) -> None:
        form = {"name": "New", "discipline": "chess", "entrants": "players", "schedule": "swiss"}
        address = reverse("admin:event-new")
        answer = desk.browser("organiser").post(address, {**form, "start": start})

        assert f"“{start}” is not a date" in answer.content.decode()
        assert not Event.objects.filter(name="New").exists()

    def test_no_event_ends_before_it_starts(self, desk: Desk) -> None:
        event = Event(slug="x", start="2026-05-02", end="2026-05-01")

        with pytest.raises(ValidationError, match="The last day is before the first"):
            event.clean()

    def test_edit_cannot_end_an_event_before_its_start(self, desk: Desk) -> None:
        facts = ("n", "New", "chess", "players", "swiss")
        with pytest.raises(Refused, match="The last day is before the first"):
            create_event(*facts, by=desk.people["organiser"], start="2026-05-02", end="2026-05-01")


FOUND_SELDOM = (
    *("<path:other>", "/compare/", "/poll/", "oembed/", "/security.txt", "/metrics"),
    *("/rounds.ics", "congresses/<slug:slug>/", ".pdn"),
)
"""Routes that need a search, a day, a congress or draughts, or that an operator has to enable.
"""


@pytest.mark.exhaustive
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "written",
    [
        "2026-13-45",
        *(
            pytest.param(text, marks=pytest.mark.exhaustive)
            for text in ("2026-02-31", "soon", "0000", "٢٠٢٢", "99")
        ),
    ],
)
def test_no_page_falls_over_a_stored_text_that_is_no_date(client: Client, written: str) -> None:
    both_sides(create_team_event())
    Event.objects.update(start=written, end=written)
    Round.objects.update(date=written)
    wrong = []
    for route in public_routes():
        address = address_of(route)
        answer = client.get(address, {"format": "json"}, follow=True)
        answer.close()
        if answer.status_code >= 400 and not route.endswith(FOUND_SELDOM):
            wrong.append((address, answer.status_code))

    assert wrong == []


# --- order of the dates of a file ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dates", "ascending", "order", "evidence"),
    [
        (["07/08/2005", "25/07/2005"], [], "dmy", "only “25/07/2005” is possible"),
        (["07/08/2005", "07/25/2005"], [], "mdy", "only “07/25/2005” is possible"),
        (["7-8-05", "99-12-31"], [], "ymd", "only “99-12-31” is possible"),
        ([], ["07/08/2005", "01/09/2005", "02/09/2005"], "dmy", "only so the days of the rounds follow"),
        ([], ["04/03/2005", "04/04/2005", "04/05/2005"], "", ""),  # both ascend within a year
        ([], ["04/11/2005", "05/02/2005"], "mdy", "only so the days of the rounds follow each other"),
        (["07/08/2005"], [], "", ""),
        (["07/08/2005", "25/07/2005", "07/25/2005"], [], "", ""),  # they contradict each other
        (["25/07/2005"], [], "", ""),  # no date is ambiguous
        (["28.07.2005", "07/08/2005", "1948", "2005-07-28", "", "May"], [], "", ""),
    ],
)
def test_order_of_dates_follows_from_the_dates_of_a_file(
    dates: list[str], ascending: list[str], order: str, evidence: str
) -> None:
    found = order_of(dates, ascending)
    assert found.order == order
    assert found.evidence.startswith(evidence)
