"""What every test of the desk starts from."""

import pytest

from tests.cast import Desk, create_desk


@pytest.fixture
def desk(db: None) -> Desk:
    """Two events and everybody who works on them."""
    return create_desk()
