"""Fixtures of the desk tests."""

import pytest
from django.contrib.auth.models import User

from tests.cast import Desk, create_account, create_desk, stored_event, swiss_file
from tournaments.accounts.services.roles import Role
from tournaments.models import Event


@pytest.fixture
def desk(db: None) -> Desk:
    """Two events, with users of all roles."""
    return create_desk()


@pytest.fixture
def anna(db: None) -> User:
    """An organiser."""
    return create_account("anna", Role.ORGANISER)


@pytest.fixture
def swiss(db: None) -> Event:
    """Four draughts players. Round 1 is closed; round 2 has an open game and a result."""
    return stored_event(swiss_file())
