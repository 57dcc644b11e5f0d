"""Comparison of an event with a rating list, and adopted values."""

from pathlib import Path

import pytest
from django.contrib.auth.models import User
from pytest_django import DjangoAssertNumQueries

from tests import ratinglists
from tests.cast import create_event, create_rated_event
from tests.ratinglists import imported
from tournaments.interchange.ratinglists.folder import RatingList
from tournaments.models import Competitor, Event, Player
from tournaments.models.versioned import past_of
from tournaments.recording.competitors.ratings import compare_ratings, take_over_ratings
from tournaments.recording.refusal import Conflict, Refused

pytestmark = pytest.mark.django_db
WHO = (
    # number, name, code, rating, title, born, FIDE id
    (1, "Carlsen, M.", "NOR", 2830, "GM", "1990-11-30", 1503014),
    (2, "Judit Polgar", "HUN", 2675, "GM", "1976", None),
    (3, "Leko, Peter", "HUN", 2676, "GM", "1979", 703303),
    (4, "Nobody, Anna", "NED", 1500, "", "", None),
    (5, "Gone, Id", "NED", None, "", "", 99),
    (6, "Double, Dan", "", None, "", "", None),
)


@pytest.fixture
def used(tmp_path: Path) -> RatingList:
    """The list of the players, with two namesakes."""
    namesakes = (
        ratinglists.line(number, "Double, Dan", code, "M", "", "", 1600, 0, 0, "2000", "")
        for number, code in ((31, "ENG"), (32, "WLS"))
    )
    return imported(tmp_path, *namesakes)


@pytest.fixture
def event() -> Event:
    """Six players before the first round."""
    event = create_event("may", planned_rounds=5)
    for number, name, code, rating, title, born, fide_id in WHO:
        Competitor.objects.create(
            event=event, number=number, name=name, code=code, rating=rating, title=title, born=born,
            fide_id=fide_id, sex="m" if number != 2 else "w",
        )  # fmt: skip
    return event


def test_differences_and_ambiguous_players_are_listed(
    event: Event, used: RatingList, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(1):
        compared = compare_ratings(event, used)

    assert [(each.competitor.number, each.fields, each.by_name) for each in compared.differences] == [
        (1, {"name": ("Carlsen, M.", "Carlsen, Magnus"), "rating": (2830, 2839)}, False),
        (2, {"name": ("Judit Polgar", "Polgar, Judit"), "fide_id": (None, 700070)}, True),
    ]
    assert compared.same == 1
    assert compared.unknown == ("Nobody, Anna", "Gone, Id")
    assert [(name, [player.id for player in players]) for name, players in compared.several] == [
        ("Double, Dan", [31, 32])
    ]


def test_selected_values_are_adopted_with_the_list_as_reason(
    event: Event, used: RatingList, arbiter: User
) -> None:
    one, two = Competitor.objects.filter(event=event)[:2]

    count = take_over_ratings(
        event, used, {f"c{one.pk}": 1, f"c{two.pk}": 1}, ["rating"], arbiter, kind="blitz"
    )

    assert count == 2
    one.refresh_from_db()
    two.refresh_from_db()
    assert (one.name, one.rating, one.version) == ("Carlsen, M.", 2881, 2)
    assert (two.name, two.rating, two.fide_id) == ("Judit Polgar", 2736, 700070)
    last = past_of(Competitor).objects.filter(id=one.pk).latest("history_id")
    assert (last.history_change_reason, last.history_user) == ("Rating list FIDE 2026-05-01", arbiter)


def test_a_changed_row_is_a_conflict_for_all_rows(event: Event, used: RatingList, arbiter: User) -> None:
    one, two = Competitor.objects.filter(event=event)[:2]
    Competitor.objects.filter(pk=two.pk).update(version=7)

    with pytest.raises(Conflict):
        take_over_ratings(event, used, {f"c{one.pk}": 1, f"c{two.pk}": 1}, ["rating", "name"], arbiter)
    one.refresh_from_db()
    assert one.rating == 2830


def test_an_empty_selection_is_refused(event: Event, used: RatingList, arbiter: User) -> None:
    one = Competitor.objects.filter(event=event)[0]

    for seen, fields in (({}, ["rating"]), ({f"c{one.pk}": 1}, ["title"])):
        with pytest.raises(Refused, match="You chose no values"):
            take_over_ratings(event, used, seen, fields, arbiter)


def test_a_reason_is_needed_after_the_first_result(used: RatingList, arbiter: User) -> None:
    event = create_rated_event()
    Competitor.objects.filter(event=event, number=1).update(fide_id=1503014)
    seen = {f"c{Competitor.objects.get(event=event, number=1).pk}": 1}

    with pytest.raises(Refused, match="The event has results"):
        take_over_ratings(event, used, seen, ["rating"], arbiter)
    assert take_over_ratings(event, used, seen, ["rating"], arbiter, reason="An error of the list.") == 1
    last = past_of(Competitor).objects.filter(event=event).latest("history_id")
    assert last.history_change_reason == "Rating list FIDE 2026-05-01: An error of the list."


def test_players_of_teams_are_compared(used: RatingList, arbiter: User) -> None:
    event = create_event("teams", entrants="teams", boards=2, system="league")
    team = Competitor.objects.create(event=event, number=1, name="Reds")
    player = Player.objects.create(competitor=team, board=1, name="Leko, Peter", fide_id=703303, rating=2600)

    (difference,) = compare_ratings(event, used, "rapid").differences
    assert (difference.key, difference.competitor.name, difference.fields["rating"]) == (
        f"p{player.pk}", "Reds", (2600, 2700),
    )  # fmt: skip
    take_over_ratings(event, used, {difference.key: 1}, ["rating", "title", "sex"], arbiter, kind="rapid")
    player.refresh_from_db()
    assert (player.rating, player.title, player.sex) == (2700, "GM", "m")
