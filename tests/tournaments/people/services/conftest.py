"""An organiser, and a player in two events who asks to be hidden."""

import pytest
from django.contrib.auth.models import User

from tests.cast import create_account
from tests.hiding import FIDE_ID, OTHER_NAME, imported, players_file, teams_file
from tournaments.accounts.services.roles import Role
from tournaments.models import Event, Person, PersonName


@pytest.fixture
def otto(db: None) -> User:
    return create_account("otto", Role.ORGANISER)


@pytest.fixture
def events(db: None) -> list[Event]:
    """An imported event of players and an imported team event with Zora, linked by her id."""
    return [imported(players_file()), imported(teams_file())]


@pytest.fixture
def zora(events: list[Event]) -> Person:
    person = Person.objects.get(identifiers__value=str(FIDE_ID))
    PersonName.objects.create(person=person, name=OTHER_NAME)
    return person
