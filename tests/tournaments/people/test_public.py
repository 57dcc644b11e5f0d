"""Public data of visible and hidden persons."""

import pytest
from pytest_django import DjangoAssertNumQueries

from tournaments.models import Person, PersonFederation, PersonIdentifier, PersonName, PersonTitle
from tournaments.people.public import (
    PublicPerson,
    PublicSpan,
    public_name,
    public_person,
    with_public_facts,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def person() -> Person:
    person = Person.objects.create(
        name="Élise Wit", sex="w", born="1931-04-02", note="of the desk", sources=["a book"]
    )
    PersonName.objects.create(person=person, name="Wit, E.")
    PersonFederation.objects.create(person=person, code="NED", since="1950", until="1960")
    PersonTitle.objects.create(person=person, title="GM", since="1955")
    PersonIdentifier.objects.create(person=person, scheme="fmjd", value="12")
    return person


def test_everything_but_the_note_and_the_day_of_birth_is_public(
    person: Person, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(4):
        told = public_person(person)
    assert told == PublicPerson(
        person.pk,
        "Élise Wit",
        "élise-wit",
        is_hidden=False,
        sex="w",
        born="1931",
        names=("Wit, E.",),
        federations=(PublicSpan("NED", "1950", "1960"),),
        titles=(PublicSpan("GM", "1955"),),
        identifiers=(("fmjd", "12"),),
        sources=("a book",),
    )


def test_only_the_pseudonym_of_a_hidden_person_is_public(
    person: Person, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    person.hidden = True
    with django_assert_num_queries(0):
        told = public_person(person)
    assert told == PublicPerson(person.pk, f"N.N. {person.pk}", "", is_hidden=True)
    assert public_name(person) == told.name
    person.save()


def test_many_persons_need_as_many_queries_as_a_single_person(
    person: Person, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(3):
        Person.objects.create(name=f"Other {number}")
    with django_assert_num_queries(5):
        told = [public_person(each) for each in with_public_facts(Person.objects.all())]
    assert len(told) == 4
