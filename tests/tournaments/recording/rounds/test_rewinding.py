"""Rewinding to before a round: removed data are listed and stored in a backup; the rest is unchanged."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.db import transaction

from tests.tournaments.recording.desk import at, file_of, round_of, typed
from tournaments.event.finding import errors
from tournaments.models import Backup, Change, Competitor, Event, Override, Pairing, Round
from tournaments.models.versioned import past_of
from tournaments.operations.revision import revision_of
from tournaments.recording.events.rulings import findings_of
from tournaments.recording.imports.importing import ImportRequest, import_event
from tournaments.recording.overrides import override_place, undo_override
from tournaments.recording.pairings.by_hand import Seats, add_pairings
from tournaments.recording.refusal import Refused
from tournaments.recording.results.submissions import enter
from tournaments.recording.rounds.dates import RoundStart, set_starts, starts_of
from tournaments.recording.rounds.opening import close_round, open_round
from tournaments.recording.rounds.publishing import publish_pairings
from tournaments.recording.rounds.rewinding import go_back, rewind_of


@pytest.fixture
def played(swiss: Event, arbiter: User) -> Event:
    """Round 2 is closed and round 3 played; since then a result of round 2 was corrected and a place
    overridden.
    """
    enter(swiss, [typed(at(swiss, 2, 1), "1-1")], arbiter)
    close_round(round_of(swiss, 2), arbiter)
    third = open_round(swiss, arbiter)
    add_pairings(third, [Seats(1, 4), Seats(2, 3)], arbiter)
    publish_pairings(third, arbiter)
    enter(swiss, [typed(at(swiss, 3, 1), "2-0")], arbiter)
    enter(swiss, [typed(at(swiss, 2, 1), "2-0", reason="A slip.")], arbiter)
    override_place(swiss, 3, 1, arbiter, "As ruled.")
    Competitor.objects.create(event=swiss, number=9, name="Late")
    Competitor.objects.filter(event=swiss, number=1).update(name="Anna")
    return swiss


def back(event: Event, by: User, number: int = 3, reason: str = "Paired by wrong results.") -> Event:
    round_ = round_of(event, number)
    return go_back(round_, by, reason, rewind_of(round_).seen)


def test_it_lists_the_removed_data(played: Event) -> None:
    rewind = rewind_of(round_of(played, 3))
    assert [each.number for each in rewind.rounds] == [3]
    assert rewind.results == 1
    assert [(each.round, each.reason) for each in rewind.changes] == [(2, "A slip.")]
    assert [(each.number, each.kind) for each in rewind.overrides] == [(1, "place")]
    words = "\n".join(line for section in rewind.others for line in section.lines)
    assert "- competitor 9 Late" in words
    assert "name Anna → Ann" in words
    assert "round 2, table 1: 1-3 2-0 → 1-3 1-1" in words


def test_the_event_is_as_it_was(played: Event, arbiter: User) -> None:
    kept = bytes(rewind_of(round_of(played, 3)).backup.file).decode()
    before, key = revision_of(played.pk), played.pk
    event = back(played, arbiter)
    assert (event.pk, event.slug) == (key, played.slug)
    assert revision_of(key) > before
    Override.objects.filter(event=event, kind="rewind").delete()
    assert file_of(event) == kept


def test_removed_data_are_in_a_backup(played: Event, arbiter: User) -> None:
    whole = file_of(played)
    back(played, arbiter)
    newest = Backup.objects.defer("file").first()
    assert newest
    assert newest.reason == "Back to before round 3: Paired by wrong results."
    assert bytes(Backup.objects.get(pk=newest.pk).file).decode() == whole


def test_the_public_record_has_a_line_with_a_number_of_its_own(played: Event, arbiter: User) -> None:
    back(played, arbiter)
    [record] = Override.objects.filter(event=played)
    assert (record.number, record.kind, record.round, record.reason) == (
        2,
        "rewind",
        3,
        "Paired by wrong results.",
    )
    assert not Change.objects.filter(event=played).exists()
    assert findings_of(played) == ()
    with pytest.raises(Refused, match="backup"):
        undo_override(record, arbiter, "Sorry.")


@pytest.mark.parametrize(
    ("home", "refused"), [("Laptop", []), ("", ["override-removed", "round-taken-back"])]
)
def test_site_that_lent_the_event_accepts_the_file_of_its_home(
    played: Event, arbiter: User, home: str, refused: list[str]
) -> None:
    with transaction.atomic():
        file = file_of(back(played, arbiter))
        transaction.set_rollback(True)
    Event.objects.update(home=home)
    wishes = ImportRequest(reason="Sent by the home.", home=home)
    found = import_event(file, announce=lambda _diff: None, wishes=wishes)
    assert [each.code for each in errors(found)] == refused
    if home:
        assert not round_of(played, 3).pairings.exists()
        assert [(each.kind, each.reason) for each in played.overrides.all()] == [
            ("rewind", "Paired by wrong results.")
        ]
        # Round 3 has no page, so the log does not refer to it.
        assert {each.round for each in played.changes.all()} == {2}
        again = import_event(file, announce=lambda _diff: None, wishes=wishes)
        assert errors(again) == ()


def test_rewinding_a_draft_is_not_public(swiss: Event, arbiter: User) -> None:
    third = open_round(swiss, arbiter)
    add_pairings(third, [Seats(1, 4)], arbiter)
    back(swiss, arbiter)
    assert not round_of(swiss, 3).pairings.exists()
    assert not Override.objects.exists()


def test_the_history_of_the_round_has_author_and_reason(played: Event, arbiter: User) -> None:
    back(played, arbiter)
    gone = past_of(Round).objects.filter(event_id=played.pk, number=3, history_type="-").get()
    assert gone.history_change_reason == "Back to before round 3: Paired by wrong results."
    assert gone.history_user == arbiter


def test_the_round_is_paired_again_and_gone_back_from_again(played: Event, arbiter: User) -> None:
    back(played, arbiter)
    add_pairings(round_of(played, 3), [Seats(1, 4)], arbiter)
    assert findings_of(played) == ()  # the record refers to a round that is a draft now
    back(played, arbiter)
    assert [each.pairings.count() for each in played.rounds.order_by("number")] == [2, 2, 0]


def test_later_pairings_go_too(played: Event, arbiter: User) -> None:
    fourth = open_round(played, arbiter)
    add_pairings(fourth, [Seats(1, 2)], arbiter)
    rewind = rewind_of(round_of(played, 3))
    assert [each.number for each in rewind.rounds] == [3, 4]
    back(played, arbiter)
    assert Override.objects.get(kind="rewind").was == "3-4 1 1"


def test_dates_saved_since_the_backup_stay(played: Event, arbiter: User) -> None:
    starts = {3: RoundStart("2026-05-03", "14:00"), 4: RoundStart("2026-05-04")}
    set_starts(played, starts, starts_of(played), arbiter)
    back(played, arbiter)
    found = starts_of(played)
    assert {number: found[number] for number in starts} == starts
    assert [(each.number, each.state) for each in played.rounds.filter(number__gt=2)] == [
        (3, "draft"),
        (4, "draft"),
    ]
    assert Override.objects.get(kind="rewind").was == "3 1 1"


def test_not_before_a_round_without_pairings(swiss: Event, arbiter: User) -> None:
    enter(swiss, [typed(at(swiss, 2, 1), "1-1")], arbiter)
    close_round(round_of(swiss, 2), arbiter)
    set_starts(swiss, {4: RoundStart("2026-05-04")}, {}, arbiter)
    enter(swiss, [typed(at(swiss, 2, 1), "2-0", reason="A slip.")], arbiter)
    with pytest.raises(Refused, match="Round 4 has no pairings"):
        rewind_of(round_of(swiss, 4))


def test_the_schedule_stays(swiss: Event, arbiter: User) -> None:
    set_starts(swiss, {3: RoundStart("2026-05-03"), 4: RoundStart("2026-05-04")}, {}, arbiter)
    enter(swiss, [typed(at(swiss, 2, 1), "1-1")], arbiter)
    close_round(round_of(swiss, 2), arbiter)
    add_pairings(round_of(swiss, 3), [Seats(1, 4)], arbiter)
    assert [each.number for each in rewind_of(round_of(swiss, 3)).rounds] == [3]
    assert not rewind_of(round_of(swiss, 3)).is_public
    back(swiss, arbiter)
    assert [round_of(swiss, number).date for number in (3, 4)] == ["2026-05-03", "2026-05-04"]
    assert not round_of(swiss, 3).pairings.exists()


def close_event(event: Event) -> None:
    Event.objects.update(state="final")


def remove_backups(event: Event) -> None:
    Backup.objects.all().delete()


def damage_backup(event: Event) -> None:
    Backup.objects.update(file=b"{}")


@pytest.mark.parametrize(
    ("happen", "why"),
    [(close_event, "over"), (remove_backups, "no backup"), (damage_backup, "no backup")],
)
def test_refused(played: Event, happen: Callable[[Event], None], why: str) -> None:
    happen(played)
    with pytest.raises(Refused, match=why):
        rewind_of(Round.objects.get(event=played, number=3))


def test_not_a_round_that_came_with_a_file(swiss: Event) -> None:
    with pytest.raises(Refused, match="no backup"):
        rewind_of(round_of(swiss, 2))


def test_not_without_a_reason(played: Event, arbiter: User) -> None:
    with pytest.raises(Refused, match="reason"):
        back(played, arbiter, reason=" ")


def test_a_concurrent_change_is_refused(played: Event, arbiter: User) -> None:
    round_ = round_of(played, 3)
    seen = rewind_of(round_).seen
    enter(played, [typed(at(played, 3, 2), "2-0")], arbiter)
    with pytest.raises(Refused, match="Another person has made a change"):
        go_back(round_, arbiter, "Wrong.", seen)
    assert Pairing.objects.filter(round=round_).count() == 2
