"""Texts about criteria and events."""

import pytest
from django.utils.translation import override

from standings.engine import Scale, all_criteria, get_criterion
from standings.texts import criterion_phrase, dates_text, entrants_and_schedule, properties_of, rounds_of
from tests.cast import create_event, create_player_event, create_team_event
from tournaments.event.choices import Kind
from tournaments.event.officials import signed
from tournaments.models import Competitor, Event, Pairing, Round


@pytest.mark.parametrize("language", ["en", "nl"])
def test_every_criterion_has_a_phrase_that_does_not_use_its_name(language: str) -> None:
    with override(language):
        phrases = {criterion.code: criterion_phrase(criterion) for criterion in all_criteria()}
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
    assert criterion_phrase(get_criterion(code), primary) == phrase


@pytest.mark.parametrize(
    ("start", "end", "text"),
    [
        ("", "", ""),
        ("1948", "1948", "1948"),
        ("1948", "", "1948"),
        ("1948", "1949", "1948–1949"),
        ("2018-09-24", "2018-10-05", "24 September – 5 October 2018"),
        ("2022-05-16", "2022-05-22", "16–22 May 2022"),
        ("2022-12-28", "2023-01-03", "28 December 2022 – 3 January 2023"),
        ("2022-05-16", "2022-05-16", "16 May 2022"),
        ("2022-05-16", "", "16 May 2022"),
    ],
)
def test_dates(start: str, end: str, text: str) -> None:
    assert dates_text(Event(start=start, end=end)) == text


@pytest.mark.django_db
class TestRecorded:
    def test_rounds_have_the_number_of_missing_results(self) -> None:
        event = create_team_event()
        second = Round.objects.get(event=event, number=2)
        teams = list(Competitor.objects.filter(event=event))
        Pairing.objects.create(round=second, table=1, first=teams[0], second=teams[2], kind=Kind.PENDING)
        Round.objects.create(event=event, number=3, state=Round.State.PUBLISHED)
        rounds = [(r.number, r.date, r.pairings, r.awaited) for r in rounds_of(event)]
        assert rounds == [(1, "1 May 2026", 1, 0), (2, "", 1, 1)]

    def test_about(self) -> None:
        event = create_team_event()
        assert properties_of(event) == [
            ("Discipline", "chess"),
            ("Schedule", "Swiss, 2 rounds, 2 boards"),
            ("Scoring", "1-½-0 a game, 2-1-0 a match"),
            ("Ranking system", "Olympiad (2010–)"),
            ("Licence", "not stated"),
        ]
        assert entrants_and_schedule(event, 3) == ["3 teams", "Swiss, 2 rounds, 2 boards"]

    def test_unknown_discipline_is_shown_unchanged(self) -> None:
        event = create_player_event()
        event.discipline = "go"
        assert properties_of(event)[0] == ("Discipline", "go")

    def test_known_arbiters_and_time_control_are_listed(self) -> None:
        officials = [
            signed("deputy", "Bea"),
            signed("chief", "IA Jansen, Piet (777)"),
            signed("organiser", "Club"),
        ]
        event = create_event("known", officials=officials, time_control="90 minutes")

        values = dict(properties_of(event))
        assert (values["Arbiters"], values["Time control"]) == ("IA Jansen, Piet, Bea", "90 minutes")
        assert {"Arbiters", "Time control"}.isdisjoint(dict(properties_of(create_event("unknown"))))
