"""Copies of the tests' database that are put back."""

import pytest
from django.db import connection

from tests.demo import DEN_HAAG, record
from tests.snapshots import take_snapshot
from tournaments.models import Event, Round

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_row_after_a_copy_gets_a_key_that_no_row_of_the_copy_has() -> None:
    record(DEN_HAAG)
    copy = take_snapshot()
    if connection.vendor == "postgresql":
        # As a test leaves it that loads rows with keys into an empty table.
        with connection.cursor() as cursor:
            first = Round.objects.order_by("pk")[0].pk
            cursor.execute("SELECT setval('tournaments_round_id_seq', %s, false)", [first])
    copy.restore()
    before = set(Round.objects.values_list("pk", flat=True))
    added = Round.objects.create(event=Event.objects.get(), number=99)

    assert added.pk not in before
    assert Round.objects.count() == len(before) + 1
