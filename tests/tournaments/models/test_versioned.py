"""The history of a model has one manager class."""

from tournaments.models import Competitor, Event


def test_saving_a_row_creates_no_class() -> None:
    assert type(Event.history) is type(Event().history)
    assert type(Event.history) is type(Competitor.history)
