"""Standings of recorded events: number of queries, and caching."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from django.core import serializers
from django.core.management import call_command
from django.db import connection, transaction
from pytest_django import DjangoAssertNumQueries

from standings import services
from standings.engine import Standings
from standings.services import NoSuchRoundError, places_after_each_round, ranked, standings_of
from tests.cast import create_player_event, create_team_event
from tournaments.crosstable import judge
from tournaments.event.arrays import CompetitorInfo
from tournaments.models import Competitor, Event, ManualTiebreak, Override, Pairing, Round
from tournaments.operations.revision import present

# Only committed data are cached, so these tests commit.
pytestmark = pytest.mark.django_db(transaction=True)


def figures(standings: Standings) -> list[tuple[str, int | None, list[str]]]:
    """Return name, place and texts of every row, in order."""
    return [
        (
            standings.table.names[row.competitor],
            row.place,
            [judged.text(row.competitor) for judged in standings.columns],
        )
        for row in standings.rows()
    ]


def test_cached_standings_cost_one_query(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    event = create_team_event()
    with django_assert_num_queries(6):
        first = standings_of(event)
    with django_assert_num_queries(1):
        again = standings_of(event)
    assert figures(again) == figures(first)


def test_event_with_data_version_is_not_read_again(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    event = present(create_team_event().pk)
    with django_assert_num_queries(5):
        entries, standings = ranked(event)
    with django_assert_num_queries(0):
        again = ranked(event)
    assert again.entries == entries
    assert [entry.name for entry in entries] == list(standings.table.names)


def test_number_of_queries_does_not_depend_on_size(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    event = create_team_event()
    Competitor.objects.bulk_create(Competitor(event=event, number=n, name=f"Team {n}") for n in range(4, 60))
    with django_assert_num_queries(6):
        assert len(list(standings_of(event).rows())) == 59


def test_places_after_each_round_cost_seven_queries(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    event = create_team_event()
    with django_assert_num_queries(7):
        assert places_after_each_round(event) == [[2, 3, 1]]


def test_standings_after_earlier_and_missing_rounds() -> None:
    event = create_team_event()
    assert standings_of(event, 1).table.rounds == 1
    for after in (0, 2, -1):
        with pytest.raises(NoSuchRoundError):
            standings_of(event, after)


def test_event_without_pairings() -> None:
    event = create_team_event()
    Pairing.objects.all().delete()
    assert [row.place for row in standings_of(event).rows()] == [1, 1, 1]


def result_saved(event: Event) -> None:
    match = Pairing.objects.get(round__event=event, second__isnull=False)
    match.first_score, match.second_score = 0, 4
    match.save()


def result_updated(event: Event) -> None:
    Pairing.objects.filter(round__event=event, second__isnull=False).update(first_score=0, second_score=4)


def result_bulk_updated(event: Event) -> None:
    match = Pairing.objects.get(round__event=event, second__isnull=False)
    match.first_score, match.second_score = 0, 4
    Pairing.objects.bulk_update([match], ["first_score", "second_score"])


def result_in_raw_sql(event: Event) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE tournaments_pairing SET first_score = 0, second_score = 4 WHERE kind = 'played'"
        )


def bye_deleted(event: Event) -> None:
    Pairing.objects.filter(round__event=event, second__isnull=True).delete()


def competitor_deleted_with_its_matches(event: Event) -> None:
    Pairing.objects.filter(first__name="Blues").delete()
    Competitor.objects.get(event=event, name="Greens").delete()


def rounds_deleted(event: Event) -> None:
    Round.objects.filter(event=event).delete()


def competitors_added(event: Event) -> None:
    Competitor.objects.bulk_create([Competitor(event=event, number=4, name="Greys")])


def competitor_moved_here(event: Event) -> None:
    other = create_player_event()
    guest = Competitor.objects.create(event=other, number=8, name="Guest")
    Competitor.objects.filter(pk=guest.pk).update(event=event)


def competitor_loaded(event: Event) -> None:
    team = Competitor.objects.get(event=event, name="Reds")
    team.name = "Crimsons"
    with TemporaryDirectory() as folder:
        path = Path(folder) / "team.json"
        path.write_text(serializers.serialize("json", [team]))
        call_command("loaddata", path, verbosity=0)


def place_overridden(event: Event) -> None:
    team = Competitor.objects.get(event=event, name="Blues")
    Override.objects.create(
        event=event, number=1, kind="place", competitor=team, place=1, after=1, reason="ruling", by="Arbiter"
    )


def system_changed(event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(system="manual-swiss")


WRITES: list[Callable[[Event], None]] = [
    result_saved,
    result_updated,
    result_bulk_updated,
    result_in_raw_sql,
    bye_deleted,
    competitor_deleted_with_its_matches,
    rounds_deleted,
    competitors_added,
    competitor_moved_here,
    competitor_loaded,
    place_overridden,
    system_changed,
]


@pytest.mark.parametrize("write", WRITES, ids=lambda write: write.__name__)
def test_every_write_changes_the_next_standings(write: Callable[[Event], None]) -> None:
    event = create_team_event()
    before = figures(standings_of(event))
    assert before == figures(standings_of(event))
    write(event)
    after = figures(standings_of(event))
    assert after != before


def test_manual_tiebreak_changes_the_next_standings() -> None:
    event = create_team_event()
    Event.objects.filter(pk=event.pk).update(system="manual-swiss", criteria=["manual"])
    assert [row.place for row in standings_of(event).rows()] == [1, 1, 1]
    ManualTiebreak.objects.create(
        competitor=Competitor.objects.get(event=event, name="Blues"), number=1, after=1
    )
    assert figures(standings_of(event))[0] == ("Blues", 1, ["1"])


def test_rolled_back_write_is_never_cached() -> None:
    """The number of a rolled-back revision is reused for another state."""
    event = create_team_event()
    before = figures(standings_of(event))
    with transaction.atomic():
        result_updated(event)
        assert figures(standings_of(event)) != before
        transaction.set_rollback(True)
    assert figures(standings_of(event)) == before
    bye_deleted(event)
    assert figures(standings_of(event))[-1][0] == "Greens"


def test_write_during_the_computation_is_not_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Concurrent readers get the old or the new state, and the cache the new one."""
    event = create_team_event()
    load = judge
    writes = iter([result_updated])

    def load_and_be_overtaken(judged: Event, entries: list[CompetitorInfo]) -> object:
        standings = load(judged, entries)
        for write in writes:
            write(judged)
        return standings

    monkeypatch.setattr(services, "judge", load_and_be_overtaken)
    assert figures(standings_of(event))[0][0] == "Blues"


def test_standings_are_computed_despite_constant_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    event = create_team_event()
    load = judge

    def load_and_be_overtaken(judged: Event, entries: list[CompetitorInfo]) -> object:
        if not connection.in_atomic_block:
            judged.save()
        return load(judged, entries)

    monkeypatch.setattr(services, "judge", load_and_be_overtaken)
    assert [row.place for row in standings_of(event).rows()] == [1, 2, 3]


def test_cache_is_not_shared_between_builds(
    monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    event = present(create_team_event().pk)
    ranked(event)
    monkeypatch.setattr("standings.services.build", lambda: "next")
    read_again = present(event.pk)
    with django_assert_num_queries(5):
        ranked(read_again)


def test_same_event_object_gets_the_same_standings() -> None:
    event = present(create_team_event().pk)
    assert ranked(event) is ranked(event)
    assert ranked(present(event.pk)) is not ranked(event)
    Event.objects.filter(pk=event.pk).update(name="Renamed")
    assert ranked(present(event.pk)).standings.place.tolist() == ranked(event).standings.place.tolist()
