"""The list of event pages: views, tabs, sitemap and archive."""

from collections.abc import Callable, Iterable

import pytest
from django.test import Client

from standings.archive.contents import contents_of
from standings.pages.page_list import EVENT_PAGES, EventPage, Numbers, once, tabs_of
from tests.cast import create_player_event, create_team_event
from tournaments.operations.revision import present

pytestmark = pytest.mark.django_db


ARCHIVED = [(page, page.archived) for page in EVENT_PAGES if page.archived]


@pytest.mark.parametrize(("page", "archived"), ARCHIVED, ids=[page.name for page, _ in ARCHIVED])
def test_every_archived_page_is_served(
    client: Client, page: EventPage, archived: Callable[[Numbers], Iterable[dict[str, int]]]
) -> None:
    event = create_team_event()
    for arguments in archived(Numbers(event)):
        assert client.get(page.address(event, **arguments)).status_code == 200


def test_tabs_are_those_of_the_event() -> None:
    teams, players = create_team_event(), create_player_event()
    labels = [{str(tab["label"]) for tab in tabs_of(event, "changes")} for event in (teams, players)]
    assert labels[0] - labels[1] == {"Live", "Prizes", "Teams"}
    assert labels[1] - labels[0] == {"Cross table", "Players"}
    assert {"Overview", "Standings", "Statistics", "Changes", "Check"} <= labels[0]
    assert [str(tab["label"]) for tab in tabs_of(teams, "")][:5] == [
        "Overview",
        "Standings",
        "Live",
        "Rounds",
        "Teams",
    ]
    assert [tab["address"] for tab in tabs_of(teams, "changes") if tab["is_shown"]] == [
        f"/events/{teams.slug}/changes/"
    ]
    assert [str(tab["label"]) for tab in tabs_of(teams, "match") if tab["is_above"]] == ["Rounds"]


def test_archive_begins_with_the_pages_of_every_event() -> None:
    event = present(create_team_event().pk)
    files = [file.removesuffix("index.html") for file in contents_of(event, "").pages.values()]
    first = [page.route for page in EVENT_PAGES if page.archived is once]
    assert files[: len(first)] == first
    assert files[len(first) :][:1] == ["rounds/1/"]
    assert files[-1:] == ["competitors/3/"]
