"""Backups at the desk: create, download, and restore them into an equal copy of the event."""

import json
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests.cast import Desk, browser_of, stored_event, swiss_file
from tests.demo import DEMO, SMALLEST_DEMO_EVENT
from tests.tournaments.recording.desk import add_pairing, at, file_of, seat, typed
from tournaments.models import Backup, Event
from tournaments.people.services.linking import link_entries
from tournaments.recording.events.backups import back_up
from tournaments.recording.events.rulings import acknowledge, open_findings
from tournaments.recording.overrides import override_criteria, override_place, override_value, undo_override
from tournaments.recording.pairings.by_hand import Seats
from tournaments.recording.results.submissions import enter
from tournaments.recording.rounds.opening import open_round
from tournaments.recording.rounds.publishing import publish_pairings

pytestmark = pytest.mark.django_db


def desk_url(event: Event, name: str = "event-backups", *more: int) -> str:
    return reverse(f"admin:{name}", args=[event.pk, *more])


def restored(desk: Desk, event: Event) -> Event:
    """Create a backup and restore it on the pages, as an organiser."""
    organiser = desk.browser("organiser")
    organiser.post(desk_url(event), {"reason": "To be sure"})
    kept = Backup.objects.filter(event=event).first()
    assert kept
    answer = organiser.post(desk_url(event, "event-restore", kept.pk), {"slug": "a-copy"})
    copy = Event.objects.get(slug="a-copy")
    assert answer["Location"] == reverse("admin:event-desk", args=[copy.pk])
    return copy


def eventful(desk: Desk) -> Event:
    """A running event with a correction, overrides of all kinds, an undone one and an accepted warning."""
    file, anna = swiss_file(), desk.people["arbiter"]
    file["competitors"][2] |= {"manual": 2, "code": "NED", "rating": 2100, "title": "MI"}
    file["published"] = {"order": [[4], [1], [3], [2]], "source": "The bulletin."}
    event = stored_event(file)
    enter(event, [typed(at(event, 2, 1), "1-1")], anna)
    enter(event, [typed(at(event, 1, 1), "0-2", reason="The sheet said so.")], anna)
    undo_override(override_place(event, 4, 1, anna, "As ruled."), anna, "It was wrong.")
    override_place(event, 3, 1, anna, "As ruled.")
    override_value(event, 2, "solkoff-truncated-short", ["3.5"], anna, "As the congress ruled.")
    override_criteria(event, ["total-score", "solkoff"], anna, "As announced.")
    third = open_round(event, anna)
    pairing = add_pairing(third, Seats(1, 2), anna)
    publish_pairings(third, anna)
    seat(third, {pairing.table: (2, 1)}, anna, "The colours were wrong.")
    again = next(each for each in open_findings(event) if each.code == "met-before")
    acknowledge(event, again.code, anna, "As drawn.", again.round, again.table)
    return event


def publish_instead_of(event: Event, copy: Event) -> Event:
    """Publish the copy like the event, and hide the event. Both are editions of a series."""
    Event.objects.filter(pk=copy.pk).update(state=event.state)
    Event.objects.filter(pk=event.pk).update(state="draft")
    return Event.objects.get(pk=copy.pk)


def same_but_for_its_address(copy: Event, file: str) -> bool:
    """Return whether the copy exports the file byte for byte, except for its slug and former slugs."""
    slug = json.loads(file)["event"]["slug"]
    without = re.sub(r'\n *"former_slugs": \[[^]]*\],', "", file)
    return file_of(copy).replace(f'"slug": "{copy.slug}"', f'"slug": "{slug}"') == without


def pages_of(event: Event) -> list[str]:
    """Return the public pages that the event's page links to, one of each kind."""
    rounds = event.rounds.filter(pairings__isnull=False).distinct()
    numbers = [*event.competitors.values_list("number", flat=True)[:3]]
    criteria = ("total-score", "solkoff", "match-points", "game-points")
    return [
        *("", "standings/", "standings/?as=computed", "crosstable/", "competitors/", "changes/", "check/"),
        *(f"{where}{each.number}/" for each in rounds for where in ("standings/after/", "rounds/")),
        *(f"rounds/{each.number}/1/" for each in rounds),
        *(f"competitors/{number}/" for number in numbers),
        *(f"competitors/{number}/{code}/" for number in numbers for code in criteria),
        *("compare/1/2/", "statistics/"),
    ]


def page_contents(event: Event) -> dict[str, tuple[int, str]]:
    """Return status and content of each page, without the slug and the version of the data."""
    own = re.compile(
        rf'{event.slug}|version \d+(?:, last changed [^<]*)?|"version": "\d+|revision=(?:\w+-)?\d+|\?v=\d+'
    )
    answers = {page: Client().get(f"/events/{event.slug}/{page}") for page in pages_of(event)}
    return {page: (each.status_code, own.sub("", each.content.decode())) for page, each in answers.items()}


def test_restored_copy_equals_the_event(desk: Desk) -> None:
    event = eventful(desk)
    pages, file = page_contents(event), file_of(event)
    copy = publish_instead_of(event, restored(desk, event))

    assert same_but_for_its_address(copy, file)
    assert (copy.changes.count(), copy.overrides.count(), copy.acknowledgements.count()) == (1, 6, 1)
    assert page_contents(copy) == pages


@pytest.mark.django_db(transaction=True)  # so that standings are cached
@pytest.mark.parametrize("name", SMALLEST_DEMO_EVENT)
def test_restored_copy_of_a_real_event_equals_it(desk: Desk, name: str) -> None:
    event = stored_event(json.loads((DEMO / f"{name}.json").read_text()))
    link_entries(event, "anna")  # as the import does
    pages, file = page_contents(event), file_of(event)
    copy = publish_instead_of(event, restored(desk, event))

    assert same_but_for_its_address(copy, file)
    assert page_contents(copy) == pages
    assert {status for status, _ in pages.values()} <= {200, 404}
    assert pages["standings/"][0] == 200


def test_list_has_time_reason_and_user(desk: Desk) -> None:
    page = desk.browser("arbiter").get(desk_url(desk.event)).content.decode()

    assert "To be sure." in page
    assert "anna" in page


def test_manual_backup_needs_a_reason(desk: Desk) -> None:
    desk.event.backups.all().delete()
    answer = desk.browser("arbiter").post(desk_url(desk.event), {"reason": " "})

    assert list(answer.context["form"].errors) == ["reason"]
    assert not desk.event.backups.exists()


def test_backup_without_changes_is_not_stored_again(desk: Desk) -> None:
    back_up(desk.event, desk.people["arbiter"], "First")
    before = desk.event.backups.count()
    answer = desk.browser("arbiter").post(desk_url(desk.event), {"reason": "Second"}, follow=True)

    assert "Nothing has changed since the last backup" in answer.content.decode()
    assert desk.event.backups.count() == before


def test_download_is_the_stored_file(desk: Desk) -> None:
    kept = back_up(desk.event, desk.people["arbiter"], "First")
    answer = desk.browser("arbiter").get(desk_url(desk.event, "event-backup", kept.pk))

    assert answer.content == kept.file
    assert answer["Content-Disposition"] == f'attachment; filename="two-teams-{kept.at:%Y-%m-%d-%H%M}.json"'


def test_backup_of_another_event_is_404(desk: Desk) -> None:
    theirs = back_up(desk.other_event, desk.people["other"], "Theirs")

    for name in ("event-backup", "event-restore"):
        answer = desk.browser("organiser").get(desk_url(desk.event, name, theirs.pk))
        assert answer.status_code == 404


def test_restore_rejects_taken_slug_and_damaged_file(desk: Desk) -> None:
    kept = back_up(desk.event, desk.people["arbiter"], "First")
    organiser = browser_of(desk.people["organiser"])
    taken = organiser.post(desk_url(desk.event, "event-restore", kept.pk), {"slug": "two-players"})
    Backup.objects.filter(pk=kept.pk).update(file=b"{}")
    damaged: Any = organiser.post(desk_url(desk.event, "event-restore", kept.pk), {"slug": "a-copy"})

    assert list(taken.context["form"].errors) == ["slug"]
    assert "This backup is damaged" in damaged.content.decode()
    assert Event.objects.count() == 2


def test_list_does_not_load_the_files(
    desk: Desk, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(20):
        Backup.objects.create(event=desk.event, file=b"{}", sha256=str(number), reason="x", by="anna")
    browser = desk.browser("arbiter")
    with django_assert_max_num_queries(9) as queries:
        browser.get(desk_url(desk.event))

    assert not [each for each in queries.captured_queries if '"file",' in each["sql"]]
