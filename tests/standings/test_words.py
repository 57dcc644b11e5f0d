"""Phrases for criteria that fans understand."""

import pytest
from django.utils.translation import override

from standings.engine import Scale, all_criteria, get_criterion
from standings.words import plain_words


@pytest.mark.parametrize("language", ["en", "nl"])
def test_every_criterion_has_a_phrase_that_does_not_use_its_name(language: str) -> None:
    with override(language):
        phrases = {criterion.code: plain_words(criterion) for criterion in all_criteria()}
    for code, phrase in phrases.items():
        criterion = get_criterion(code)
        assert phrase, code
        assert "%(" not in phrase
        assert phrase[0].islower(), code
        # A phrase is part of a sentence, and explains the rule instead of repeating its name.
        assert not phrase.endswith("."), code
        assert criterion.name not in phrase or criterion.name.islower(), code


@pytest.mark.parametrize(
    ("code", "primary", "phrase"),
    [
        ("dsb", None, "opponents' match points times game points scored against them, without the weakest"),
        ("buchholz", Scale.GAME, "sum of the opponents' game points"),
        ("buchholz@match", Scale.GAME, "sum of the opponents' match points"),
        (
            "BH:MP/C2/P",
            None,
            "sum of the opponents' match points, without the 2 weakest, forfeits counted as games",
        ),
        ("SB/C1", None, "opponents' points times points scored against them, without the weakest opponent"),
        ("PS/C1", None, "sum of the points after each round, without the first round"),
        ("BH/M1", None, "sum of the opponents' points, without the strongest and the weakest"),
        ("KS", None, "points against opponents with at least 50 per cent of the maximum"),
        ("KS/L60", None, "points against opponents with at least 60 % of the maximum"),
        ("KS/L+1", None, "points against opponents with at least 50 per cent of the maximum and ½ more"),
        ("KS/L-3", None, "points against opponents with at least 50 per cent of the maximum less 1½"),
        (
            "FB/C1",
            None,
            (
                "sum of the opponents' points, as if all games of the last round were drawn, without the "
                "weakest"
            ),
        ),
        ("RTNG/R", None, "own rating, in reversed order"),
    ],
)
def test_phrase_includes_the_modifiers_of_the_code(code: str, primary: Scale | None, phrase: str) -> None:
    assert plain_words(get_criterion(code), primary) == phrase
