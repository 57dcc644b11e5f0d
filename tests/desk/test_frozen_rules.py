"""Frozen rules: an organiser can change them with a reason, which is public."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.cast import Hall, create_account, open_hall, save_settings
from tests.demo import record
from tests.desk.test_frozen_event import table
from tests.tournaments.recording.desk import file_of
from tests.tournaments.recording.events.test_rules import RATING, WHY, rated_file
from tournaments.accounts.services.roles import Role
from tournaments.models import Event, ManualTiebreak, Override

OUAGADOUGOU = "2022-ouagadougou-open"
BY_RATING = {"act": "system", "system": RATING, "reason": WHY, "after": ""}


@pytest.fixture
def final(transactional_db: None) -> Hall:
    """Return the final event of Ouagadougou with the browser of an organiser."""
    record(OUAGADOUGOU)
    event = Event.objects.get(slug=OUAGADOUGOU)
    return Hall(event, create_account("otto", Role.ORGANISER))


def as_arbiter(ruled: Hall) -> Hall:
    """Return the event with the browser of an arbiter."""
    anna = create_account("anna", Role.ARBITER)
    ruled.event.arbiters.add(anna)
    return Hall(ruled.event, anna)


def by_rating(ruled: Hall) -> dict[str, Any]:
    return BY_RATING | {"seen": Event.objects.get(pk=ruled.event.pk).version}


def read_out(page: str) -> str:
    """Return the text of the table rows."""
    return " ".join(re.sub("<[^>]+>", " ", table(page).partition("<tbody>")[2]).split())


class TestFinalEvent:
    def test_arbiter_cannot_change_rules(self, final: Hall) -> None:
        before, anna = file_of(final.event), as_arbiter(final)

        assert anna.post("event-ranking", **by_rating(final)).status_code == 403
        assert anna.get("event-override-criteria").status_code == 403
        page = anna.get("event-ranking").content.decode()
        assert "only an organiser can change its ranking rules" in page
        assert 'name="system"' not in page
        assert file_of(final.event) == before

    def test_change_without_reason_is_refused(self, final: Hall) -> None:
        before = file_of(final.event)
        page = final.post("event-ranking", **by_rating(final) | {"reason": "  "})

        assert page.status_code == 200
        assert "This field is required." in page.content.decode()
        assert file_of(final.event) == before

    def test_change_of_rules_moves_51_of_68_rows_publicly(self, final: Hall) -> None:
        old, before = read_out(final.page("standings/")), final.page("standings/after/8/")
        response = final.confirm("event-ranking", **by_rating(final))
        page, changes = final.page("standings/"), final.page("changes/")

        assert len(response.context["answer"].moved) == 51
        assert len(Override.objects.get().moved) == 51
        assert "51 places would move:" in " ".join(response.content.decode().split())
        assert "FMJD on Rating*" in final.page()
        assert re.search(r">[^<]+\*</a></th>", table(page))
        assert "*: 1 manual change." in page
        assert "ranking system: Standard FMJD Swiss → FMJD on Rating" in page
        assert WHY in page
        assert "otto" in page
        assert read_out(final.page("standings/?as=computed")) == old
        assert table(final.page("standings/after/8/")) == table(before)
        assert "rules: ranking system: Standard FMJD Swiss → FMJD on Rating" in changes
        assert changes.count(" → ") == 52
        assert "Nothing was manually changed" not in changes

    def test_undo_restores_old_table(self, final: Hall) -> None:
        old = table(final.page("standings/"))
        final.confirm("event-ranking", **by_rating(final))
        anna = as_arbiter(final)

        assert anna.get("event-override-undo", 1).status_code == 403
        assert "overrides/1/undo/" not in anna.get("event-overrides").content.decode()
        final.confirm("event-override-undo", 1, reason="It was wrong.")
        assert table(final.page("standings/")) == old
        assert "FMJD on Rating*" not in final.page()
        assert "Standard FMJD Swiss*" not in final.page()
        assert "no manual changes" in final.page("standings/")
        assert final.page("changes/").count('<p class="title">') == 2


class TestSettings:
    """The settings form of an event."""

    @pytest.fixture
    def live(self, db: None) -> Hall:
        return open_hall(rated_file())

    def save(self, ruled: Hall, **values: Any) -> Any:
        return save_settings(ruled.browser, ruled.event, **values)

    def test_change_of_setting_needs_reason(self, live: Hall) -> None:
        before = file_of(live.event)
        answer = self.save(live, unplayed="olimpbase")

        errors = str(answer.context["adminform"].form.errors)
        assert "The event has or had results, so its rules are frozen." in errors
        assert file_of(live.event) == before

    @pytest.mark.parametrize(
        ("typed", "changed"),
        [
            ({"unplayed": "olimpbase"}, {"unplayed": "olimpbase"}),
            ({"wins_count_byes": "on"}, {"wins_count_byes": True}),
            ({"withdrawal_at_half": "annul"}, {"withdrawal_at_half": "annul"}),
            ({"bye_game": "1"}, {"bye_game": 2, "bye_match": None}),
            ({"schedule": "round-robin"}, {"schedule": "round-robin"}),
        ],
    )
    def test_change_of_setting_is_recorded(
        self, live: Hall, typed: dict[str, str], changed: dict[str, Any]
    ) -> None:
        assert self.save(live, **typed, reason=WHY, after="1").status_code == 302
        record = Override.objects.get()
        assert (record.kind, record.reason, record.by, record.after) == ("rules", WHY, "anna", 1)
        assert record.rules_to == changed

    def test_name_and_place_need_no_reason(self, live: Hall) -> None:
        assert self.save(live, name="Five Players", place="Delft").status_code == 302
        assert not Override.objects.exists()

    def test_unknown_round_is_refused(self, live: Hall) -> None:
        answer = self.save(live, unplayed="olimpbase", reason=WHY, after="9")
        assert "There are rounds 1 to 4." in str(answer.context["adminform"].form.errors)
        assert not Override.objects.exists()

    def test_no_reason_needed_before_first_result(self, live: Hall) -> None:
        live.event.rounds.all().delete()
        address = reverse("admin:tournaments_event_change", args=[live.event.pk])

        assert 'name="reason"' not in live.browser.get(f"{address}?part=rules").content.decode()
        assert self.save(live, unplayed="olimpbase").status_code == 302
        assert not Override.objects.exists()

    def test_rules_of_final_event_are_read_only(self, live: Hall) -> None:
        Event.objects.update(state="final")
        address = reverse("admin:tournaments_event_change", args=[live.event.pk])
        page = live.browser.get(f"{address}?part=rules")
        self.save(live, unplayed="olimpbase", game_win="3", name="Five Players", reason=WHY)

        assert page.context["adminform"].form["game_win"].value() == "2"
        event = Event.objects.get()
        assert (event.unplayed, event.game_win, event.name) == ("", 4, "Five Players")
        assert not Override.objects.exists()


class TestImport:
    @pytest.fixture
    def live(self, db: None) -> Hall:
        return open_hall(rated_file())

    def preview(self, ruled: Hall, **settings: Any) -> Any:
        data = json.loads(file_of(ruled.event))
        data["event"] |= settings
        return ruled.browser.post(ruled.address("event-import"), {"text": json.dumps(data)}, follow=True)

    def apply(self, ruled: Hall, preview: Any, **fields: str) -> Any:
        form = {"token": preview.context["trial"].token, "apply": "Import", **fields}
        return ruled.browser.post(preview.request["PATH_INFO"], form, follow=True)

    def test_import_with_other_rules_needs_reason(self, live: Hall) -> None:
        preview = self.preview(live, system=RATING)
        page = preview.content.decode()

        assert "ranking system: Standard FMJD Swiss → FMJD on Rating" in page
        assert 'name="reason"' in page
        refused = self.apply(live, preview)
        assert "Give a reason" in refused.content.decode()
        assert Event.objects.get().system == "fmjd-swiss"

        self.apply(live, preview, reason=WHY)
        record = Override.objects.get()
        assert (record.kind, record.reason, record.by) == ("rules", WHY, "anna")
        assert Event.objects.get().system == RATING

    def test_arbiter_cannot_import_other_rules_into_final_event(self, live: Hall) -> None:
        Event.objects.update(state="final")
        live.event.refresh_from_db()
        preview = self.preview(live, system=RATING)

        assert "changes the rules of an event that is over" in preview.content.decode()
        assert preview.context["trial"].accepted is None


def test_list_of_editions_shows_star(final: Hall) -> None:
    slug = final.event.series.slug if final.event.series else ""
    final.confirm("event-ranking", **by_rating(final))
    assert "FMJD on Rating*" in Client().get(f"/series/{slug}/").content.decode()


BY_HAND: dict[str, Callable[[Hall], object]] = {
    "a correction": lambda ruled: ruled.event.changes.create(
        round=1, table=1, was="2-0", now="1-1", reason="A slip.", by="anna"
    ),
    "a ruling": lambda ruled: ruled.confirm(
        "event-override-place", competitor=3, place=1, reason="By the jury.", after=""
    ),
    "a number": lambda ruled: ManualTiebreak.objects.create(
        competitor=ruled.event.competitors.get(number=1), number=1
    ),
    "a change of the rules": lambda ruled: ruled.confirm("event-ranking", **by_rating(ruled)),
}


class TestUnchangedNotice:
    SAID = "No manual changes: the standings"

    def test_changes_page_shows_unchanged_notice(self, db: None) -> None:
        assert self.SAID in open_hall(rated_file()).page("changes/")

    @pytest.mark.parametrize("act", BY_HAND.values(), ids=BY_HAND)
    def test_changes_page_omits_unchanged_notice_after_a_change(
        self, db: None, act: Callable[[Hall], object]
    ) -> None:
        ruled = open_hall(rated_file())
        act(ruled)
        assert self.SAID not in ruled.page("changes/")

    def test_desk_omits_unchanged_notice_after_a_correction(self, db: None) -> None:
        ruled = open_hall(rated_file())
        said = "the standings follow the system"
        assert said in ruled.get("event-overrides").content.decode()
        BY_HAND["a correction"](ruled)
        assert said not in ruled.get("event-overrides").content.decode()
