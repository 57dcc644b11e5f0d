"""Fixtures of the tests of accounts."""

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from tests.cast import Desk, create_account, create_desk
from tournaments.accounts.services.roles import Role


@pytest.fixture
def desk(db: None) -> Desk:
    """Two events, with users of all roles."""
    return create_desk()


@pytest.fixture
def anna(db: None) -> User:
    """An arbiter."""
    return create_account("anna", Role.ARBITER)


@pytest.fixture
def stopped_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop `timezone.now`: the first wait after wrong passwords is only a second."""
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
