"""Pasted competitors: a preview, the import as a whole, and errors with their line."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from tests.cast import Desk, create_event
from tests.ratinglists import imported, line
from tournaments.models import Competitor, Event, Player
from tournaments.recording.competitors.pasted_list import read_roster, with_rated_players

pytestmark = pytest.mark.django_db

LIST = "Whites;NED;2100\n  Ann;2310;MI\n  Bea\nBlacks"


def post(desk: Desk, text: str, **button: str) -> Any:
    address = reverse("admin:event-roster", args=[desk.event.pk])
    return desk.browser("arbiter").post(address, {"text": text, **button})


def test_preview_stores_nothing(desk: Desk) -> None:
    page = post(desk, LIST)

    assert page.context["is_ready"]
    assert [line.name for line in page.context["pasted"].lines] == ["Whites", "Ann", "Bea", "Blacks"]
    assert Competitor.objects.filter(event=desk.event).count() == 3


def test_preview_warns_about_teams_without_players(desk: Desk) -> None:
    warning = "no players are among them"
    assert warning not in post(desk, LIST).content.decode()
    assert warning in post(desk, "Whites\nAnn; 2310\nBea").content.decode()


def test_previewed_list_is_stored(desk: Desk) -> None:
    shown = post(desk, LIST).context["form"]["text"].value()
    answer = post(desk, shown, enter="Enter them all")

    assert answer["Location"] == reverse("admin:event-register", args=[desk.event.pk])
    assert list(Competitor.objects.filter(event=desk.event, number__gt=3).values_list("name", flat=True)) == [
        "Whites",
        "Blacks",
    ]
    assert list(Player.objects.filter(competitor__name="Whites").values_list("name", flat=True)) == [
        "Ann",
        "Bea",
    ]


def test_invalid_line_is_reported_and_prevents_the_import(desk: Desk) -> None:
    for button in ({}, {"enter": "Enter them all"}):
        page = post(desk, "Whites\nBlacks;NED;2l00", **button)

        assert not page.context["is_ready"]
        assert "Rating: “2l00” is a text, not a whole number" in page.content.decode()
        assert Competitor.objects.filter(event=desk.event).count() == 3


def test_competitor_who_was_added_since_the_preview_is_left_as_it_is(desk: Desk) -> None:
    assert post(desk, LIST).context["is_ready"]
    blacks = Competitor.objects.create(event=desk.event, number=4, name="Blacks", rating=2000)
    post(desk, LIST, enter="Enter them all")

    assert Competitor.objects.filter(event=desk.event, name="Blacks").get() == blacks
    assert Competitor.objects.get(name="Whites").number == 5


def test_preview_shows_changes_and_unread_columns(desk: Desk) -> None:
    Competitor.objects.filter(event=desk.event, number=1).update(rating=2000)
    text = "Team;Rating;Phone\nReds;2100;06\nBlues;2200;07\nGreens;;08"
    page = post(desk, text)
    html = page.content.decode()
    assert "Column “Phone” is not read." in html
    assert "2000 → 2100" in html
    assert "– → 2200" in html
    assert 'name="reason"' in html
    # Only a change that overwrites nothing is ticked.
    boxes = re.findall(r'name="update" value="([^"]+)"\s*(checked)?', html)
    reds, blues = (f"c{each.pk}:{each.version}" for each in desk.event.competitors.all()[:2])
    assert boxes == [(reds, ""), (blues, "checked")]
    answer = desk.browser("arbiter").post(
        reverse("admin:event-roster", args=[desk.event.pk]),
        {"text": text, "enter": "1", "update": blues, "reason": "A new list."},
        follow=True,
    )
    assert "Entries changed: 1." in answer.content.decode()
    assert list(desk.event.competitors.values_list("rating", flat=True)) == [2000, 2200, None]


def test_text_of_a_file_is_previewed(desk: Desk) -> None:
    address = reverse("admin:event-roster", args=[desk.event.pk])
    file = SimpleUploadedFile("list.csv", "Naam;Rating\r\nZoë;2100\r\n".encode("cp1252"))
    page = desk.browser("arbiter").post(address, {"file": file})
    assert [(each.line, each.name) for each in page.context["pasted"].lines] == [(2, "Zoë")]
    assert page.context["form"]["text"].value() == "Naam;Rating\r\nZoë;2100\r\n"
    assert "Choose the encoding if names are wrong. This is possible in “Import”." in page.content.decode()
    file = SimpleUploadedFile("list.xlsx", b"PK\x03\x04\x00\x00")
    page = desk.browser("arbiter").post(address, {"file": file})
    assert "This is not plain text. Copy the cells" in page.content.decode()
    file = SimpleUploadedFile("list.html", b"<!DOCTYPE html><table><tr><td>Ann</table>")
    page = desk.browser("arbiter").post(address, {"file": file})
    assert "This is not plain text. Copy the cells" in page.content.decode()


def test_list_can_be_edited_after_the_preview(desk: Desk) -> None:
    page = post(desk, LIST, change="Change the list")

    assert not page.context["is_ready"]
    assert "<textarea" in page.content.decode()


def test_markup_in_names_is_escaped(desk: Desk) -> None:
    page = post(desk, "<script>alert(1)</script>;<b>").content.decode()

    assert "&lt;script&gt;" in page
    assert "<script>alert" not in page


CHESS_LIST = "Leko, Peter\nPolgar, Judit;;2700\nNobody, Anna\nMuller, Hans;GER"


@pytest.fixture
def listed(desk: Desk, tmp_path: Path) -> Event:
    """A chess event with names of a rating list."""
    imported(tmp_path)
    event = create_event("open-of-may", rated_as="rapid")
    event.arbiters.add(desk.people["arbiter"])
    return event


def test_unique_matches_in_the_rating_list_are_proposed_and_stored(desk: Desk, listed: Event) -> None:
    browser, address = desk.browser("arbiter"), reverse("admin:event-roster", args=[listed.pk])
    page = browser.post(address, {"text": CHESS_LIST})

    proposed = {each.line: each.listed and each.listed.id for each in page.context["pasted"].lines}
    assert proposed == {1: 703303, 2: 700070, 3: None, 4: 4800025}
    html = page.content.decode()
    assert "Missing values are filled in from the rating list FIDE 2026-05-01" in html
    assert "<td><mark>HUN</mark></td>" in html
    assert "2700</td>" in html  # the typed rating of Polgar
    assert 'name="listed" value="1" checked' in page.content.decode()
    browser.post(address, {"text": CHESS_LIST, "enter": "1", "listed": ["1"]})

    rows = Competitor.objects.filter(event=listed).values_list(
        "name", "code", "rating", "title", "fide_id", "born"
    )
    assert list(rows) == [
        ("Leko, Peter", "HUN", 2700, "GM", 703303, "1979"),
        ("Polgar, Judit", "", 2700, "", None, ""),
        ("Nobody, Anna", "", None, "", None, ""),
        ("Muller, Hans", "GER", None, "", None, ""),
    ]


LEKO = {"title": "GM", "code": "HUN", "rating": 2700, "sex": "m"}


@pytest.mark.parametrize(
    ("row", "filled", "remark"),
    [
        (
            "Peter Leko;703303;",
            LEKO | {"born": "1979"},
            "",
        ),
        (
            "Leko, Peter;;1979",
            LEKO | {"fide_id": 703303},
            "",
        ),
        ("Leko, Peter;;1980", {}, ""),
        ("Nobody, Ann;703303;", {}, "has no Nobody, Ann with the id 703303"),
        ("Leko, Judit;4800025;", {}, "has no Leko, Judit with the id 4800025"),
        ("Mulder, Hans;4800025;", {}, "has no Mulder, Hans with the id 4800025"),
        ("Pieters, P.;703303;", {}, "has no Pieters, P. with the id 703303"),
        ("van der Wal, Ann;79;", {}, "has no van der Wal, Ann with the id 79"),
        ("Nobody, Ann;99;", {}, "has no Nobody, Ann with the id 99"),
        ("Twin, Tom;;", {}, "2 persons of the list FIDE 2026-05-01 have this name: type the id."),
    ],
)
def test_rating_list_fills_in_missing_values(
    listed: Event, tmp_path: Path, row: str, filled: dict[str, Any], remark: str
) -> None:
    people = ((77, "Twin, Tom"), (78, "Twin, Tom"), (79, "van der Berg, Jan"))
    imported(tmp_path, *(line(*each, "ENG", "M", "", "", 1800, 0, 0, "1990", "") for each in people))
    (read,) = with_rated_players(listed, read_roster(listed, f"Name;FIDE ID;Born\n{row}")).lines
    assert read.filled == filled
    assert remark in read.remark


def test_values_of_another_name_are_not_ticked(desk: Desk, listed: Event) -> None:
    address = reverse("admin:event-roster", args=[listed.pk])
    text = "Name;FIDE ID\nLeko, P.;703303\nPeter LEKO;"
    html = desk.browser("arbiter").post(address, {"text": text}).content.decode()
    assert re.findall(r'name="listed" value="(\d)"( checked)?', html) == [("2", ""), ("3", " checked")]


def test_ticks_stay_after_a_refusal(desk: Desk, listed: Event) -> None:
    bob, cas = (Competitor.objects.create(event=listed, number=at, name=f"Player {at}") for at in (1, 2))
    Competitor.objects.filter(pk=cas.pk).update(version=2)
    text = "Name;Rating\nLeko, Peter;\nPolgar, Judit;\nPlayer 1;1900\nPlayer 2;2000"
    values = {"text": text, "enter": "1", "listed": ["3"], "update": [f"c{cas.pk}:1"]}
    html = desk.browser("arbiter").post(reverse("admin:event-roster", args=[listed.pk]), values)
    assert "An entry was changed after the preview" in html.content.decode()
    boxes = re.findall(r'name="(?:listed|update)" value="([^"]+)"\s*(checked)?', html.content.decode())
    assert boxes == [("2", ""), ("3", "checked"), (f"c{bob.pk}:1", ""), (f"c{cas.pk}:2", "checked")]


@pytest.mark.parametrize(("ratings_from", "rating"), [("standard", 2676), ("local", None)])
def test_rating_comes_only_from_the_stated_list(
    desk: Desk, listed: Event, ratings_from: str, rating: int | None
) -> None:
    Event.objects.filter(pk=listed.pk).update(ratings_from=ratings_from)
    address = reverse("admin:event-roster", args=[listed.pk])
    desk.browser("arbiter").post(address, {"text": "Leko, Peter", "enter": "1", "listed": ["1"]})
    leko = Competitor.objects.get(event=listed)
    assert (leko.fide_id, leko.rating) == (703303, rating)

    query = {"q": "Leko", "source": "fide", "kind": ratings_from}
    found = desk.browser("arbiter").get(
        reverse("admin:rating-lookup"), query, headers={"accept": "application/json"}
    )
    assert found.json()["players"][0]["rating"] == rating


def test_competitor_form_looks_up_the_list_of_its_event(desk: Desk, listed: Event) -> None:
    browser = desk.browser("arbiter")
    page = browser.get(reverse("admin:tournaments_competitor_add"), {"event": listed.pk}).content.decode()
    assert (
        'data-rating-lookup="/admin/rating-lists/players/?source=fide&amp;kind=rapid" data-below=""' in page
    )
    team = Competitor.objects.filter(event=desk.event)[0]
    page = browser.get(reverse("admin:tournaments_competitor_change", args=[team.pk])).content.decode()
    assert 'data-below="players-"' in page
    page = browser.get(reverse("admin:tournaments_competitor_add")).content.decode()
    assert "data-rating-lookup" not in page
