"""The docs tell what is public about a person, no more and no less."""

import re
from pathlib import Path

import pytest

from tests.hiding import create_person
from tournaments.models import Person
from tournaments.people.public import PublicPerson, public_person

PAGE = Path(__file__).resolve().parents[3] / "docs" / "privacy.md"
TOLD_OF_HIDDEN = {"id", "name", "is_hidden"}


def test_the_table_lists_what_readers_are_told() -> None:
    table = dict(re.findall(r"^\| `(\w+)` \|.*\| ([^|]*) \|$", PAGE.read_text(), re.MULTILINE))

    assert tuple(table) == PublicPerson._fields
    assert {name for name, told in table.items() if told != "nothing"} == TOLD_OF_HIDDEN


def test_it_fits_one_screen() -> None:
    assert len(PAGE.read_text().splitlines()) < 45


@pytest.mark.django_db
def test_of_who_is_hidden_no_more_is_told() -> None:
    person = create_person(hidden=True)
    told = public_person(Person.objects.get(pk=person.pk))
    blank = PublicPerson(person.pk, f"N.N. {person.pk}", "", is_hidden=True)

    assert told == blank


@pytest.mark.django_db
def test_the_day_of_birth_and_the_note_are_told_nobody() -> None:
    told = repr(public_person(create_person()))

    assert "2007-03-29" not in told
    assert "Wrote on 3 May" not in told
    assert "born='2007'" in told
