"""An arbiter, and live events."""

import pytest
from django.contrib.auth.models import User

from tests.cast import create_account, match_file, stored_event, swiss_file
from tournaments.models import Event


@pytest.fixture
def arbiter(db: None) -> User:
    return create_account("anna", first_name="Anna", last_name="Maas")


@pytest.fixture
def other(db: None) -> User:
    return create_account("ben")


@pytest.fixture
def swiss(db: None) -> Event:
    """Four draughts players in a frozen system: round 1 closed, round 2 open with a pending game."""
    return stored_event(swiss_file())


@pytest.fixture
def match(db: None) -> Event:
    """Two chess teams on three boards: a match in a single round, without results."""
    return stored_event(match_file())
