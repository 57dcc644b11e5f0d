"""Every kind of write raises the revision of its event."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core import serializers
from django.core.management import call_command
from django.db import connection, models, transaction
from pytest_django import DjangoAssertNumQueries

from tests.cast import create_player_event, create_team_event
from tournaments.event.choices import Kind
from tournaments.models import (
    Acknowledgement,
    Change,
    Competitor,
    Event,
    FormerSlug,
    Game,
    LinkProposal,
    ManualTiebreak,
    Override,
    Pairing,
    PairingsCheck,
    Person,
    PersonLink,
    Player,
    Published,
    Revision,
    Round,
    Series,
    SiteRevision,
    Team,
    TeamLink,
)
from tournaments.models.versioned import Versioned, past_of
from tournaments.operations.revision import COUNTED, EVENTS_OF, SiteStamp, revision_of, site_revision
from tournaments.operations.triggers import check_triggers, install_triggers, missing_triggers

pytestmark = pytest.mark.django_db

UNSEEN = (
    "Event_arbiters", "Revision", "Attendance", "Receipt", "Backup", "Upload", "BundleFile", "Job",
    "Proposal", "LineupCall", "CaptainLink", "LineupSent", "ResultSent", "ErrorReport", "EntryName",
    "LinkProposal", "WithheldRow", "Medal", "MedalCount", "HistoricalEvent_arbiters",
    "ApiToken_events",
)  # fmt: skip
"""Tables that belong to an event and affect no page."""
VERSIONED: tuple[type[Versioned], ...] = (
    *(Event, Round, Competitor, Player, Pairing, Game, ManualTiebreak, Published),
)
"""Tables of an event whose rows have a version and a history, which affects no page."""


@pytest.fixture
def event() -> Event:
    return create_team_event()


@pytest.fixture
def other() -> Event:
    return create_player_event()


@contextmanager
def raises_revision(*events: Event) -> Iterator[None]:
    before = [revision_of(event.pk) for event in events]
    yield
    after = [revision_of(event.pk) for event in events]
    assert all(new > old for old, new in zip(before, after, strict=True)), (before, after)


def rows_of(event: Event) -> dict[type[models.Model], Callable[[], models.Model]]:
    """Return a function that creates a row for each table of the event."""
    team = Competitor.objects.get(event=event, number=1)
    ruling = {"reason": "the clock failed", "by": "Arbiter"}
    return {
        Series: lambda: event.series or pytest.fail("the event has a series"),
        Event: lambda: event,
        FormerSlug: lambda: FormerSlug.objects.create(event=event, slug="old-slug"),
        Round: lambda: Round.objects.create(event=event, number=3),
        Competitor: lambda: Competitor.objects.create(event=event, number=9, name="Greys"),
        Player: lambda: Player.objects.create(competitor=team, name="Reserve"),
        Pairing: lambda: Pairing.objects.create(
            round=Round.objects.get(event=event, number=2),
            table=1,
            first=team,
            kind=Kind.ABSENT,
            first_score=0,
        ),
        Game: lambda: Game.objects.create(
            pairing=Pairing.objects.get(round__event=event, table=1, round__number=1),
            board=3,
            kind=Kind.PENDING,
        ),
        ManualTiebreak: lambda: ManualTiebreak.objects.create(competitor=team, number=1),
        Override: lambda: Override.objects.create(
            event=event, number=1, kind="place", competitor=team, place=2, **ruling
        ),
        Change: lambda: Change.objects.create(event=event, round=1, table=1, was="1-0", now="0-1", **ruling),
        Acknowledgement: lambda: Acknowledgement.objects.create(event=event, finding="met-before", **ruling),
        Published: lambda: Published.objects.create(event=event, order=[[1], [2]]),
        PersonLink: lambda: PersonLink.objects.create(
            person=Person.objects.get_or_create(name="Ada White")[0],
            event=event,
            how="hand",
            number=1,
            name="Ada White",
        ),
        TeamLink: lambda: TeamLink.objects.create(
            team=Team.objects.get_or_create(name="Whites")[0],
            event=event,
            how="hand",
            number=1,
            name="Whites",
            competitor=team,
        ),
        PairingsCheck: lambda: PairingsCheck.objects.create(event=event, subject="0", engine="gacrux"),
    }


@pytest.mark.parametrize(
    "model", [m for m in EVENTS_OF if m not in (Event, Series)], ids=lambda m: m.__name__
)
class TestEveryTable:
    def test_created_saved_and_deleted(self, event: Event, model: type[models.Model]) -> None:
        with raises_revision(event):
            row = rows_of(event)[model]()
        with raises_revision(event):
            row.save()
        with raises_revision(event):
            row.delete()

    def test_bulk_created_and_updated(self, event: Event, model: type[models.Model]) -> None:
        row = rows_of(event)[model]()
        manager = model._default_manager
        row.delete()
        row.pk = None
        with raises_revision(event):
            manager.bulk_create([row])
        field = next(f for f in model._meta.concrete_fields if not f.primary_key and not f.is_relation)
        with raises_revision(event):
            manager.filter(pk=row.pk).update(**{field.name: getattr(row, field.name)})
        with raises_revision(event):
            manager.bulk_update([row], [field.name])
        with raises_revision(event):
            manager.filter(pk=row.pk).delete()

    def test_raw_sql(self, event: Event, model: type[models.Model]) -> None:
        row = rows_of(event)[model]()
        table = model._meta.db_table
        with connection.cursor() as cursor:
            with raises_revision(event):
                cursor.execute(f"UPDATE {table} SET id = id WHERE id = %s", [row.pk])
            with raises_revision(event):
                cursor.execute(f"DELETE FROM {table} WHERE id = %s", [row.pk])

    def test_loaddata(self, event: Event, model: type[models.Model], tmp_path: Path) -> None:
        row = rows_of(event)[model]()
        fixture = tmp_path / "row.json"
        fixture.write_text(serializers.serialize("json", [row]))
        with raises_revision(event):
            call_command("loaddata", fixture, verbosity=0)


def test_change_of_the_event_raises_its_revision(event: Event) -> None:
    with raises_revision(event):
        event.save()
    with raises_revision(event):
        Event.objects.filter(pk=event.pk).update(name="Renamed")


def test_series_renamed_raises_every_edition(event: Event) -> None:
    edition = create_team_event("another-edition")
    with raises_revision(event, edition):
        Series.objects.update(name="Grand Cup")


def test_joining_and_leaving_a_series_raises_revisions(event: Event, other: Event) -> None:
    with raises_revision(other):
        other.series = event.series
        other.save()


def test_cascade(event: Event) -> None:
    with raises_revision(event):
        Round.objects.filter(event=event, number=1).delete()
    assert not Game.objects.exists()


@pytest.mark.parametrize(
    "model",
    [m for m, sql in EVENTS_OF.items() if m is not Event and "{row}.event_id" in sql],
    ids=lambda m: m.__name__,
)
def test_row_moved_to_another_event_raises_both(
    event: Event, other: Event, model: type[models.Model]
) -> None:
    row = rows_of(event)[model]()
    if model is Override:
        Override.objects.update(kind="criteria", competitor=None)
    with raises_revision(event, other):
        model._default_manager.filter(pk=row.pk).update(event=other)


def test_pairing_moved_to_another_event_raises_both(event: Event, other: Event) -> None:
    bye = Pairing.objects.get(kind=Kind.BYE)
    new_round = Round.objects.create(event=other, number=2, state=Round.State.PUBLISHED)
    with raises_revision(event, other):
        bye.round, bye.first = new_round, Competitor.objects.get(event=other, number=1)
        bye.save()


def test_moved_player_and_tiebreak_raise_both(event: Event, other: Event) -> None:
    theirs = Competitor.objects.get(event=other, number=1)
    player = Player.objects.create(competitor=Competitor.objects.get(event=event, number=1), name="Spare")
    with raises_revision(event, other):
        Player.objects.filter(pk=player.pk).update(competitor=theirs)


def test_revision_never_decreases(event: Event) -> None:
    """Older fixtures and stale forms cannot write a lower revision."""
    stale = Revision.objects.get(event=event)
    event.save()
    with raises_revision(event):
        stale.save()


def test_rolled_back_write_does_not_raise_the_revision(event: Event) -> None:
    before = revision_of(event.pk)
    with transaction.atomic():
        event.save()
        transaction.set_rollback(True)
    assert revision_of(event.pk) == before


def test_new_event_starts_at_one() -> None:
    event = Event(
        slug="new", name="New", discipline="chess", entrants="players", schedule="swiss", planned_rounds=3,
        game_win=2, game_draw=1, system="manual-swiss",
    )  # fmt: skip
    Event.objects.bulk_create([event])
    assert revision_of(event.pk) == 1


def test_site_revision_never_repeats(event: Event, other: Event) -> None:
    seen = [site_revision()]
    for write in (
        event.save,
        lambda: Competitor.objects.filter(event=event).update(title="GM"),
        other.delete,
        lambda: create_player_event("again"),
        lambda: Series.objects.update(name="Grand Cup"),
    ):
        write()
        seen.append(site_revision())
    assert len(set(seen)) == len(seen)
    assert seen == sorted(seen)


def test_site_revision_is_an_integer_without_events(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    Event.objects.all().delete()
    SiteRevision.objects.all().delete()
    with django_assert_num_queries(1):
        assert site_revision() == SiteStamp("", 0, 0)
    made = create_team_event()
    assert site_revision() == SiteStamp("", SiteRevision.objects.get().number, revision_of(made.pk))
    assert {type(figure) for figure in site_revision()[1:]} == {int}


def test_deleted_event_deletes_its_revision(event: Event) -> None:
    event.delete()
    assert not Revision.objects.exists()


def test_every_table_of_an_event_has_triggers() -> None:
    """A new model needs triggers, or is listed as shown on no page."""

    def hangs(model: type[models.Model], seen: tuple[type[models.Model], ...] = ()) -> bool:
        parents: set[Any] = {
            f.related_model
            for f in model._meta.get_fields()
            if f.many_to_one or (f.one_to_one and f.concrete)
        }
        return model is Event or any(
            hangs(p, (*seen, model)) for p in parents if p not in seen and p is not model
        )

    tables = {m for m in apps.get_models(include_auto_created=True) if hangs(m)}
    unseen = {apps.get_model("tournaments", name) for name in UNSEEN} | {past_of(each) for each in VERSIONED}
    assert tables == {*EVENTS_OF, *unseen} - {Series, past_of(Event)}  # these have no event


def test_every_table_of_a_person_or_a_team_has_triggers() -> None:
    for counted in COUNTED:
        hanging = {
            field.related_model
            for field in counted.owner._meta.get_fields()
            if field.one_to_many and field.related_model is not counted.owner
        }
        assert hanging - {LinkProposal} == {*counted.of} - {counted.owner}


class TestTriggers:
    def test_all_triggers_are_installed(self) -> None:
        assert missing_triggers("default") == []
        assert check_triggers(databases=["default"]) == []

    def test_missing_trigger_is_reported_and_installed_by_migrate(self) -> None:
        """Writes in the meantime were not counted, so cached pages must not be used again."""
        event = create_team_event()
        before = revision_of(event.pk)
        table = Game._meta.db_table
        name = f"crosstable_{table}_delete"
        with connection.cursor() as cursor:
            where = f" ON {table}" if connection.vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER {name}{where}")
        [warning] = check_triggers(databases=["default"])
        assert name in warning.msg
        install_triggers(using="default")
        assert check_triggers(databases=["default"]) == []
        assert revision_of(event.pk) > before
        install_triggers(using="default")
        assert revision_of(event.pk) == before + 1


def test_the_time_of_a_change_rises_with_the_revision(event: Event) -> None:
    before = Revision.objects.get(event=event).changed_at
    Game.objects.filter(pairing__round__event=event).update(first_score=1)
    now = Revision.objects.get(event=event).changed_at
    assert now > before
    assert now.microsecond, "a whole second is another text on SQLite"


def test_time_of_publication_does_not_change(event: Event) -> None:
    draft = create_player_event("draft")
    Revision.objects.filter(event=draft).update(public_at=None)
    Event.objects.filter(pk=draft.pk).update(state=Event.State.DRAFT)
    assert Revision.objects.get(event=draft).public_at is None
    Event.objects.filter(pk=draft.pk).update(state=Event.State.LIVE)
    first = Revision.objects.get(event=draft).public_at
    assert first is not None
    for state in (Event.State.REMOVED, Event.State.FINAL):
        Event.objects.filter(pk=draft.pk).update(state=state)
    assert Revision.objects.get(event=draft).public_at == first
    assert Revision.objects.get(event=event).public_at is not None, "it was created as public"
