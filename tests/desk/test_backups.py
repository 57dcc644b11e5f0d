"""Backups at the desk: kept, downloaded, restored into a copy that is the same event."""

import json
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests.cast import Desk, browser_of, stored_event, swiss_file
from tests.demo import DEMO, SMALLEST_DEMO_EVENT
from tests.tournaments.recording.desk import at, file_of, seat, typed
from tournaments.models import Backup, Event
from tournaments.people.services.linking import link_entries
from tournaments.recording.backups import back_up
from tournaments.recording.entries import enter
from tournaments.recording.overrides import override_criteria, override_place, override_value, undo_override
from tournaments.recording.pairings import NewPairing, add_pairing
from tournaments.recording.publishing import publish_pairings
from tournaments.recording.rounds import open_round
from tournaments.recording.rulings import acknowledge, open_findings

pytestmark = pytest.mark.django_db


def screen(event: Event, name: str = "event-backups", *more: int) -> str:
    return reverse(f"admin:{name}", args=[event.pk, *more])


def restored(desk: Desk, event: Event) -> Event:
    """Keep a backup and restore it, as an organiser does it on the screens."""
    organiser = desk.browser("organiser")
    organiser.post(screen(event), {"reason": "To be sure"})
    kept = Backup.objects.filter(event=event).first()
    assert kept
    answer = organiser.post(screen(event, "event-restore", kept.pk), {"slug": "a-copy"})
    copy = Event.objects.get(slug="a-copy")
    assert answer["Location"] == reverse("admin:event-desk", args=[copy.pk])
    return copy


def everything(desk: Desk) -> Event:
    """An event under way with a correction, overrides of every kind, an undone one, an accepted warning."""
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
    pairing = add_pairing(third, NewPairing(1, 2), anna)
    publish_pairings(third, anna)
    seat(third, {pairing.table: (2, 1)}, anna, "The colours were wrong.")
    again = next(each for each in open_findings(event) if each.code == "met-before")
    acknowledge(event, again.code, anna, "As drawn.", again.round, again.table)
    return event


def in_the_place_of(event: Event, copy: Event) -> Event:
    """The copy as public as the event was, which readers see no more: both are editions of one series."""
    Event.objects.filter(pk=copy.pk).update(state=event.state)
    Event.objects.filter(pk=event.pk).update(state="draft")
    return Event.objects.get(pk=copy.pk)


def same_but_for_its_address(copy: Event, file: str) -> bool:
    """Whether the copy exports that file byte for byte, but for its address and the former ones."""
    slug = json.loads(file)["event"]["slug"]
    without = re.sub(r'\n *"former_slugs": \[[^]]*\],', "", file)
    return file_of(copy).replace(f'"slug": "{copy.slug}"', f'"slug": "{slug}"') == without


def pages_of(event: Event) -> list[str]:
    """The public pages of an event that a browser reaches from its own, one of each kind."""
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


def shown(event: Event) -> dict[str, tuple[int, str]]:
    """What readers get of each page, but for the address and the version of the data."""
    own = re.compile(
        rf'{event.slug}|version \d+(?:, last changed [^<]*)?|"version": "\d+|revision=(?:\w+-)?\d+|\?v=\d+'
    )
    answers = {page: Client().get(f"/events/{event.slug}/{page}") for page in pages_of(event)}
    return {page: (each.status_code, own.sub("", each.content.decode())) for page, each in answers.items()}


def test_an_event_with_everything_comes_back(desk: Desk) -> None:
    event = everything(desk)
    pages, file = shown(event), file_of(event)
    copy = in_the_place_of(event, restored(desk, event))

    assert same_but_for_its_address(copy, file)
    assert (copy.changes.count(), copy.overrides.count(), copy.acknowledgements.count()) == (1, 6, 1)
    assert shown(copy) == pages


@pytest.mark.django_db(transaction=True)  # so that standings are kept as on the site
@pytest.mark.parametrize("name", SMALLEST_DEMO_EVENT)
def test_a_real_event_comes_back(desk: Desk, name: str) -> None:
    event = stored_event(json.loads((DEMO / f"{name}.json").read_text()))
    link_entries(event, "anna")  # as whoever imports it does
    pages, file = shown(event), file_of(event)
    copy = in_the_place_of(event, restored(desk, event))

    assert same_but_for_its_address(copy, file)
    assert shown(copy) == pages
    assert {status for status, _ in pages.values()} <= {200, 404}
    assert pages["standings/"][0] == 200


def test_the_list_says_when_why_and_who(desk: Desk) -> None:
    page = desk.browser("arbiter").get(screen(desk.event)).content.decode()

    assert "To be sure." in page
    assert "anna" in page


def test_one_by_hand_needs_a_reason(desk: Desk) -> None:
    desk.event.backups.all().delete()
    answer = desk.browser("arbiter").post(screen(desk.event), {"reason": " "})

    assert list(answer.context["form"].errors) == ["reason"]
    assert not desk.event.backups.exists()


def test_nothing_is_kept_twice_and_the_screen_says_so(desk: Desk) -> None:
    back_up(desk.event, desk.people["arbiter"], "First")
    before = desk.event.backups.count()
    answer = desk.browser("arbiter").post(screen(desk.event), {"reason": "Second"}, follow=True)

    assert "Nothing has changed since the last backup." in answer.content.decode()
    assert desk.event.backups.count() == before


def test_a_backup_is_downloaded_as_it_was_kept(desk: Desk) -> None:
    kept = back_up(desk.event, desk.people["arbiter"], "First")
    answer = desk.browser("arbiter").get(screen(desk.event, "event-backup", kept.pk))

    assert answer.content == kept.file
    assert answer["Content-Disposition"] == f'attachment; filename="two-teams-{kept.at:%Y-%m-%d-%H%M}.json"'


def test_no_backup_of_another_event(desk: Desk) -> None:
    theirs = back_up(desk.other_event, desk.people["other"], "Theirs")

    for name in ("event-backup", "event-restore"):
        answer = desk.browser("organiser").get(screen(desk.event, name, theirs.pk))
        assert answer.status_code == 404


def test_a_taken_address_and_a_damaged_file_are_refused(desk: Desk) -> None:
    kept = back_up(desk.event, desk.people["arbiter"], "First")
    organiser = browser_of(desk.people["organiser"])
    taken = organiser.post(screen(desk.event, "event-restore", kept.pk), {"slug": "two-players"})
    Backup.objects.filter(pk=kept.pk).update(file=b"{}")
    damaged: Any = organiser.post(screen(desk.event, "event-restore", kept.pk), {"slug": "a-copy"})

    assert list(taken.context["form"].errors) == ["slug"]
    assert "This backup is damaged" in damaged.content.decode()
    assert Event.objects.count() == 2


def test_the_list_reads_no_file(desk: Desk, django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    for number in range(20):
        Backup.objects.create(event=desk.event, file=b"{}", sha256=str(number), reason="x", by="anna")
    browser = desk.browser("arbiter")
    with django_assert_max_num_queries(9) as asked:
        browser.get(screen(desk.event))

    assert not [each for each in asked.captured_queries if '"file",' in each["sql"]]
