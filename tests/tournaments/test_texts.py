"""Phrases for overrides."""

import pytest
from django.utils import translation

from tournaments.models import Competitor, Override
from tournaments.texts import phrase_of, was_of

ANN = Competitor(name="Ann", number=1)
RULINGS = [
    (
        Override(kind="pairing", round=4, table=3, was="5-7"),
        ("pairing of round 4, table 3", "5-7"),
        ("indeling van ronde 4, bord 3", "5-7"),
    ),
    (
        Override(kind="value", competitor=ANN, criterion="wins", levels=["2.5"], was="1.5"),
        ("Number of wins of Ann: 2.5", "1.5"),
        ("Aantal overwinningen van Ann: 2,5", "1,5"),
    ),
    (
        Override(kind="place", competitor=ANN, place=1, was="2"),
        ("place of Ann: 1", "2"),
        ("plaats van Ann: 1", "2"),
    ),
    (
        Override(kind="criteria", criteria=["wins", "manual"], was="wins"),
        ("criteria: Number of wins, Manual", "Number of wins"),
        ("criteria: Aantal overwinningen, Handmatig", "Aantal overwinningen"),
    ),
    (Override(kind="undo", undoes=Override(number=3)), ("undoes 3", ""), ("maakt 3 ongedaan", "")),
]


@pytest.mark.parametrize(("ruling", "english", "dutch"), RULINGS)
def test_phrase_has_override_and_replaced_value(
    ruling: Override, english: tuple[str, str], dutch: tuple[str, str]
) -> None:
    for language, told in (("en", english), ("nl", dutch)):
        with translation.override(language):
            assert (phrase_of(ruling), was_of(ruling)) == told
