"""What every test of the desk starts from."""

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from tests.cast import Desk, create_account, create_desk, stored_event, swiss_file
from tournaments.admin.permissions import Role
from tournaments.models import Event


@pytest.fixture
def desk(db: None) -> Desk:
    """Two events and everybody who works on them."""
    return create_desk()


@pytest.fixture
def stopped_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop the time of `timezone.now`: the first wait after wrong passwords is a second, soon over."""
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)


@pytest.fixture
def anna(db: None) -> User:
    """An organiser."""
    return create_account("anna", Role.ORGANISER)


@pytest.fixture
def swiss(db: None) -> Event:
    """Four draughts players: round 1 closed, in round 2 one game awaited and one decided."""
    return stored_event(swiss_file())
