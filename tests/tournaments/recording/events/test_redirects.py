"""Redirects of a former site: parsing a list, and answering only unknown addresses."""

import io
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.cast import create_player_event, create_team_event
from tournaments.models import Event, FormerSlug, Redirect
from tournaments.models.redirect import address_key
from tournaments.recording.events.redirects import enter_redirects, read_redirects
from tournaments.recording.refusal import Refused

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def event() -> Event:
    return create_team_event()


def leads(client: Client, address: str) -> Any:
    """Return the target of an address, or the status if there is no redirect."""
    answer = client.get(address)
    return answer.headers["Location"] if answer.status_code == 301 else answer.status_code


def fault(text: str) -> dict[int, str]:
    """Return the faults of the list by line."""
    return {each.line: each.fault for each in read_redirects(text).faults}


@pytest.mark.parametrize(
    "query", ["/history/1948.php", "/history/1948.php/", "/History/1948.PHP", "/history/1948.php?from=mail"]
)
def test_an_old_address_leads_on_however_it_is_written(client: Client, query: str) -> None:
    enter_redirects("/history/1948.php,two-teams")
    assert leads(client, query) == "/events/two-teams/"


def test_the_query_string_distinguishes_addresses(client: Client) -> None:
    create_player_event()
    enter_redirects(
        "/table.asp?id=1&lang=en,two-teams\n/table.asp?id=2&lang=en,two-players\n/table.asp,/codes/"
    )
    assert leads(client, "/table.asp?lang=en&id=1") == "/events/two-teams/"
    assert leads(client, "/table.asp?id=2&lang=en") == "/events/two-players/"
    assert leads(client, "/table.asp?id=3") == "/codes/"
    assert leads(client, "/table.asp") == "/codes/"


def test_encoded_characters_are_equal(client: Client) -> None:
    enter_redirects("https://old.example.org/Łódź 1950,two-teams\n/a%20b,/codes/?x=ł#GEO")
    assert leads(client, "/%C5%81%C3%B3d%C5%BA%201950") == "/events/two-teams/"
    assert leads(client, "/a b") == "/codes/?x=%C5%82#GEO"


def test_existing_pages_do_not_query_redirects(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    Redirect.objects.create(path="/criteria", target="/codes/")  # a redirect that no list can contain
    assert leads(client, "/criteria/") == 200
    assert leads(client, "/criteria") == "/criteria/"  # the missing slash is added first
    with django_assert_num_queries(0):
        client.get("/criteria/")
    with django_assert_num_queries(1):
        assert leads(client, "/nothing") == 404


def test_only_reading_leads_on(client: Client) -> None:
    enter_redirects("/old,two-teams")
    assert client.head("/old").status_code == 301
    assert client.post("/old").status_code == 404


def test_unprintable_addresses_are_not_found(client: Client) -> None:
    assert leads(client, f"/{'x' * 2000}") == 404
    assert leads(client, "/a%00b?c=%00") == 404


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("/old", "Write two"),
        ("/old,two-teams,more", "Write two"),
        ("/old,", "Write two"),
        ("/events/two-teams/,/codes/", "is an address of this site itself"),
        ("/events/any-other,/codes/", "is an address of this site itself"),
        ("/CRITERIA,/codes/", "is an address of this site itself"),
        ("/nl/criteria/,/codes/", "is an address of this site itself"),
        ("/admin/old,/codes/", "is an address of this site itself"),
        ("/static/old.css,/codes/", "is an address of this site itself"),
        ("/,/codes/", "is an address of this site itself"),
        ("/old,/OLD/", "leads to itself"),
        ("/old,nothing", "neither the slug of an event nor an address"),
        ("/old,/nowhere/", "neither the slug of an event nor an address"),
        ("/old,https://elsewhere.example/", "neither the slug of an event nor an address"),
        ("/old,//elsewhere.example/codes/", "neither the slug of an event nor an address"),
        ("/old,http://[broken", "neither the slug of an event nor an address"),
        ("/old,/admin/", "neither the slug of an event nor an address"),
        ("/old,/events/nothing/", "There is no page"),
        ("/old,/series/nothing/", "There is no page"),
        (f"/{'x' * 600},/codes/", "too long"),
        ("/o\x00ld,/codes/", "not allowed in an address"),
        (f"/{'x' * 200_000},/codes/", "Write two"),
    ],
)
def test_a_line_that_leads_nowhere_is_named(line: str, said: str) -> None:
    assert said in fault(f"/first,/codes/\n{line}")[2]
    with pytest.raises(Refused, match="Line 2: "):
        enter_redirects(f"/first,/codes/\n{line}")
    assert not Redirect.objects.exists()


def test_chains_and_circles_are_refused() -> None:
    assert fault("/a,/b\n/b,/a") == {
        1: "“/b” is an old address itself, of line 2. Name its own target instead.",
        2: "“/a” is an old address itself, of line 1. Name its own target instead.",
    }
    enter_redirects("/b,two-teams")
    assert fault("/a,/B/") == {1: "“/B/” is an old address itself, which leads to /events/two-teams/."}


def test_an_address_has_a_single_target() -> None:
    listed = read_redirects("/a,/codes/\n/A/,/codes/\n/a,/criteria/")
    assert [each.line for each in listed.lines] == [1, 3]
    assert fault("/a,/codes/\n/a,/criteria/") == {2: "Line 1 leads this address to /codes/ already."}


def test_a_repeated_list_changes_no_row_and_another_list_replaces() -> None:
    text = "old path,new path\n/a,/codes/\n\n/b,two-teams\n"
    assert enter_redirects(text).changes == 2
    assert enter_redirects(text).changes == 0
    again = enter_redirects("/a,/criteria/\n/b,two-teams\n/c,/codes/")
    assert [again.count(state) for state in ("new", "changed", "same")] == [1, 1, 1]
    assert Redirect.objects.get(path="/a").target == "/criteria/"


def test_a_former_slug_is_an_event_too() -> None:
    FormerSlug.objects.create(event=Event.objects.get(), slug="two")
    enter_redirects("/a,two")
    assert Redirect.objects.get().target == "/events/two/"


@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_all_spreadsheet_delimiters_are_accepted(sign: str) -> None:
    enter_redirects(f'"/a"{sign}"/codes/"')
    assert Redirect.objects.get().path == "/a"


def test_an_empty_list_is_refused() -> None:
    with pytest.raises(Refused, match="There are no lines"):
        enter_redirects("\n \n")


def test_the_order_of_parameters_is_ignored() -> None:
    assert address_key("/A/", "b=2&a=1") == address_key("/a", "a=1&b=2") == "/a?a=1&b=2"
    assert address_key("", "") == "/"


class TestTheCommand:
    def run(self, file: Path, *options: str) -> str:
        """Return the output of the command."""
        out = io.StringIO()
        call_command("import_redirects", str(file), *options, stdout=out, stderr=out)
        return out.getvalue().strip()

    def test_it_records_a_file(self, tmp_path: Path) -> None:
        file = tmp_path / "old.csv"
        file.write_text("/a,/codes/\n/b,two-teams\n")
        assert self.run(file, "--dry-run") == "2 changes: 2 new, 0 changed, 0 as they were."
        assert not Redirect.objects.exists()
        assert self.run(file) == "2 changes: 2 new, 0 changed, 0 as they were."
        assert self.run(file) == "0 changes: 0 new, 0 changed, 2 as they were."

    def test_it_lists_every_faulty_line_and_changes_no_row(self, tmp_path: Path) -> None:
        file = tmp_path / "old.csv"
        file.write_text("/a,/codes/\n/b\n/c,nothing\n")
        err = io.StringIO()
        with pytest.raises(CommandError, match="2 of 3 lines have errors"):
            call_command("import_redirects", str(file), stderr=err)
        assert [line.split(" ")[0] for line in err.getvalue().splitlines()] == ["old.csv:2:", "old.csv:3:"]
        assert not Redirect.objects.exists()

    def test_a_file_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(CommandError, match="cannot be read"):
            self.run(tmp_path / "none.csv")
