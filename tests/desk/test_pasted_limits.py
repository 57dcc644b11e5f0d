"""Pasted blocks over the limit are rejected, not truncated."""

import pytest
from django.urls import reverse

from tests.cast import Desk
from tournaments.admin.fields import LONGEST_BLOCK

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    ("screen", "field"), [("results-paste", "text"), ("round-paste", "text"), ("round-line-ups", "block")]
)
def test_overlong_block_is_rejected_with_the_limit(desk: Desk, screen: str, field: str) -> None:
    address = reverse(f"admin:{screen}", args=[desk.event.pk, 1])
    for length in (LONGEST_BLOCK, LONGEST_BLOCK + 1):
        posted = {field: "x" * length, "read": "1"}
        answer = desk.browser("arbiter").post(address, posted).content.decode()
        message = f"The text has {length} characters, and at most {LONGEST_BLOCK} are read at once."
        assert (message in answer) == (length > LONGEST_BLOCK)
