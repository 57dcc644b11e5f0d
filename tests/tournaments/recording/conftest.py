"""An arbiter, and events under way."""

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
    """Four draughts players under a frozen system: round 1 closed, round 2 open with one game awaited."""
    return stored_event(swiss_file())


@pytest.fixture
def match(db: None) -> Event:
    """Two chess teams on three boards, one match of one round, no board in."""
    return stored_event(match_file())
