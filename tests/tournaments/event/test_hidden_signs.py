"""Hidden characters are found in every text, stored unchanged, and have no effect on a page."""

import json
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.test import Client

from tests.cast import create_player_event, swiss_file
from tournaments.event.checks import check_document
from tournaments.event.hiddensigns import MAY_REORDER, REORDERING, hidden_signs, written_out
from tournaments.interchange.formats.json.reader import read
from tournaments.interchange.formats.json.writer import write
from tournaments.models import Change, Competitor, Event

OVERRIDE = "\u202e"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ann", []),
        ("Žofie Łódź-Ørsted, née 漢字", []),
        ("علی‌رضا فیروزجا", []),  # a joiner inside a name of Persia
        ("क्‍ष", []),  # and of India
        ("שרה\u200f (1)", []),
        ("\u061cعلي", []),
        ("Ann\u202e1-0", ["U+202E"]),
        ("\u2067Ann\u2069 \u2067", ["U+2067", "U+2069"]),
        ("An\u200bn", ["U+200B"]),
        ("An\u200dn", ["U+200D"]),
        ("\u200cAnn", ["U+200C"]),
        ("Ann\u200f", ["U+200F"]),
        ("Ann\ufeff", ["U+FEFF"]),
        ("An\u00adn", ["U+00AD"]),
        ("A\u2060nn", ["U+2060"]),
        ("Ann\u3164", ["U+3164"]),
        ("Ann\U000e0041", ["U+E0041"]),
        ("Ann\u0085", ["U+0085"]),
        ("a\u2028b", ["U+2028"]),
        ("a\uffffb", ["U+FFFF"]),
    ],
)
def test_hidden_characters_are_found(text: str, found: list[str]) -> None:
    assert hidden_signs(text) == found


def test_reordering_characters_are_written_as_code_points() -> None:
    assert written_out("Ann\u202e1-0") == "Ann⟨U+202E⟩1-0"
    assert written_out("علی‌رضا") == "علی‌رضا"


def hidden_file() -> dict[str, Any]:
    data = swiss_file()
    data["event"] |= {"name": f"Open{OVERRIDE}", "place": "Par\u200bis"}
    data["competitors"][1] |= {"name": f"Ann{OVERRIDE}1-0"}
    return data


def test_files_preserve_hidden_characters_and_checks_report_their_place() -> None:
    document = read(json.dumps(hidden_file()).encode()).document
    assert document
    found = [each for each in check_document(document) if each.code == "hidden-sign"]

    assert [each.where for each in found] == ["event.name", "event.place", "competitors[1].name"]
    assert OVERRIDE not in found[2].message
    assert "“Ann⟨U+202E⟩1-0” contains invisible characters: U+202E" in found[2].message
    assert f"Ann{OVERRIDE}1-0" in write(document)


@pytest.mark.django_db(transaction=True)
def test_no_page_is_turned_and_data_are_as_they_were(client: Client) -> None:
    event = create_player_event()
    Event.objects.filter(pk=event.pk).update(name=f"Cup{OVERRIDE}")
    Competitor.objects.filter(event=event, number=1).update(name=f"Ann{OVERRIDE}1-0")
    Change.objects.create(
        event=event, round=1, table=1, was="1-0", now="0-1", reason=f"R{OVERRIDE}", by="A", moved=[]
    )
    for page in (
        "",
        "standings/",
        "competitors/",
        "competitors/1/",
        "rounds/1/1/",
        "compare/1/2/",
        "changes/",
    ):
        shown = client.get(f"/events/{event.slug}/{page}").content.decode()
        assert OVERRIDE not in shown, page
        assert "⟨U+202E⟩" in shown, page
    for address in ("/", "/?q=ann", "/feed.atom"):
        assert OVERRIDE not in client.get(address).content.decode(), address
    assert f"Ann{OVERRIDE}1-0" in client.get(f"/events/{event.slug}.json").content.decode()
    assert OVERRIDE in client.get(f"/api/events/{event.slug}/competitors/").json()["competitors"][0]["name"]


@pytest.mark.django_db(transaction=True)
def test_character_forbidden_in_xml_breaks_no_feed(client: Client) -> None:
    event = create_player_event()
    Event.objects.filter(pk=event.pk).update(name="Cup\uffff")

    assert b"Cup\xe2\x9f\xa8U+FFFF" in client.get("/feed.atom").content
    ET.fromstring(client.get("/feed.atom").content)  # noqa: S314 - our own


def test_search_of_bytes_finds_every_reordering_character() -> None:
    assert all(any(each.search(f"Ann{sign}½".encode()) for each in MAY_REORDER) for sign in REORDERING)
