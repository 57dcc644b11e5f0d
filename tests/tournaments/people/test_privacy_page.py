"""The documentation lists exactly the public data of a person."""

import re
from dataclasses import fields
from pathlib import Path

import pytest
from django.test import Client

from tests.hiding import create_events, create_person, link
from tournaments.event.document import CompetitorEntry, PlayerEntry
from tournaments.interchange.public import PRIVATE_PARTICULARS
from tournaments.models import Competitor, Person, Player
from tournaments.people.hiding.anonymise import IDENTITY
from tournaments.people.public import PublicPerson, public_person

PAGE = Path(__file__).resolve().parents[3] / "docs" / "privacy.md"
TOLD_OF_HIDDEN = {"id", "name", "is_hidden"}

STAYS_OF_AN_ENTRY = {
    *("name", "rating", "rating_class", "code", "flag", "sex", "categories"),
    *(
        "number",
        "pairing_number",
        "fixed_table",
        "board",
        "players",
        "outside",
        "withdrawn_after",
        "requested_byes",
        "manual",
        "manual_pinned",
        "manual_after",
    ),
    *("adjustments", "category_decisions", "awards"),
}
"""Fields of a hidden person's entry that stay: the pseudonym, data for computations, texts without names."""

PUBLIC_OF_AN_ENTRY = {
    *(
        "number",
        "pairing_number",
        "board",
        "players",
        "name",
        "title",
        "code",
        "flag",
        "rating",
        "rating_class",
    ),
    *("sex", "club", "city", "categories", "fide_id", "fmjd_id"),
    *("outside", "withdrawn_after", "requested_byes", "manual", "manual_pinned", "manual_after"),
    *("adjustments", "category_decisions", "awards"),
}
"""Fields of competitors and of players of teams that public files contain."""


def names_of(entry: type[CompetitorEntry | PlayerEntry]) -> set[str]:
    return {each.name for each in fields(entry)}


FIELDS_OF_AN_ENTRY = names_of(CompetitorEntry) | names_of(PlayerEntry)
EACH_IN_ONE = "Each field of an entry must be in one of them, and no other name."


def test_the_table_lists_the_public_fields() -> None:
    table = dict(re.findall(r"^\| `(\w+)` \|.*\| ([^|]*) \|$", PAGE.read_text(), re.MULTILINE))

    assert tuple(table) == PublicPerson._fields
    assert {name for name, told in table.items() if told != "–"} == TOLD_OF_HIDDEN


def test_it_fits_one_screen() -> None:
    assert len(PAGE.read_text().splitlines()) < 45


@pytest.mark.django_db
def test_the_page_lists_all_public_fields_of_hidden_persons() -> None:
    person = create_person(hidden=True)
    told = public_person(Person.objects.get(pk=person.pk))
    blank = PublicPerson(person.pk, f"N.N. {person.pk}", "", is_hidden=True)

    assert told == blank


@pytest.mark.django_db
def test_the_day_of_birth_and_the_note_are_never_public() -> None:
    told = repr(public_person(create_person()))

    assert "2007-03-29" not in told
    assert "Wrote on 3 May" not in told
    assert "born='2007'" in told


def test_each_field_of_an_entry_either_stays_or_goes() -> None:
    for name in FIELDS_OF_AN_ENTRY | {*IDENTITY} | STAYS_OF_AN_ENTRY:
        assert (name in IDENTITY) + (name in STAYS_OF_AN_ENTRY) == (name in FIELDS_OF_AN_ENTRY), (
            f"Decide: add {name} to IDENTITY in tournaments/people/hiding/anonymise.py if hiding a person"
            f" blanks it, otherwise to STAYS_OF_AN_ENTRY here. {EACH_IN_ONE}"
        )


def test_hidden_fields_are_fields_of_players_too() -> None:
    for name in IDENTITY:
        assert name in {each.name for each in Player._meta.fields} & names_of(PlayerEntry), (
            f"{name} is in IDENTITY, but Player has no such field: add it to Particulars and PlayerEntry."
        )


def test_each_field_of_an_entry_is_public_or_private() -> None:
    for name in FIELDS_OF_AN_ENTRY | PUBLIC_OF_AN_ENTRY | {*PRIVATE_PARTICULARS}:
        assert (name in PUBLIC_OF_AN_ENTRY) + (name in PRIVATE_PARTICULARS) == (name in FIELDS_OF_AN_ENTRY), (
            f"Decide: add {name} to PUBLIC_OF_AN_ENTRY here, or to PRIVATE_PARTICULARS in"
            f" tournaments/interchange/public.py. {EACH_IN_ONE}"
        )


@pytest.mark.django_db(transaction=True)
def test_no_page_of_a_person_shows_the_note_or_the_day_of_birth() -> None:
    person = create_person()
    link(person, Competitor.objects.get(event=create_events()[0], number=4))
    about = f"/people/{person.pk}"
    for address in (f"{about}-quixley-zora/", f"/api{about}/", f"{about}/feed.atom", f"{about}/against/"):
        answer = Client().get(address)
        text = answer.content.decode()

        assert answer.status_code == 200, address
        assert "Quixley" in text, address
        assert "Wrote on" not in text, address
        assert "2007-03-29" not in text, address
