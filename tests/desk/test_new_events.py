"""New events: the short form, the clone, and their slugs."""

from typing import Any

import pytest
from django.urls import reverse

from tests.cast import Desk, save_settings
from tournaments.admin.events.newevents import AddressForm
from tournaments.interchange.formats.file_formats import address_for
from tournaments.models import Competitor, Event, FormerSlug
from tournaments.recording.events.publication import publish

pytestmark = pytest.mark.django_db

SHORT = {"name": "Summer Cup", "discipline": "draughts-100", "entrants": "players", "schedule": "swiss"}


def create(desk: Desk, **values: Any) -> Any:
    """Post the short form."""
    return desk.browser("organiser").post(reverse("admin:event-new"), SHORT | values)


class TestTheShortForm:
    @pytest.mark.parametrize("discipline", ["chess", "draughts-100", "draughts-64", "frisian"])
    @pytest.mark.parametrize("entrants", Event.Entrants.values)
    @pytest.mark.parametrize("schedule", Event.Schedule.values)
    def test_four_fields_create_a_draft(
        self, desk: Desk, discipline: str, entrants: str, schedule: str
    ) -> None:
        answer = create(desk, discipline=discipline, entrants=entrants, schedule=schedule)
        event = Event.objects.get(slug="summer-cup")

        assert answer["Location"] == reverse("admin:event-roster", args=[event.pk])
        assert (event.state, event.discipline, event.schedule) == ("draft", discipline, schedule)
        assert (event.game_win, event.boards) == (
            2 if discipline == "chess" else 4,
            4 if entrants == "teams" else None,
        )

    def test_message_names_the_ranking_system(self, desk: Desk) -> None:
        answer = desk.browser("organiser").post(reverse("admin:event-new"), SHORT, follow=True)

        assert [str(message) for message in answer.context["messages"]] == [
            "“Summer Cup” is there, as a draft. It is ranked by: Standard FMJD Swiss."
        ]

    def test_message_names_the_edition_of_fide_rules(self, desk: Desk) -> None:
        values = SHORT | {"discipline": "chess", "start": "2024-05-01"}
        answer = desk.browser("organiser").post(reverse("admin:event-new"), values, follow=True)

        assert [str(message) for message in answer.context["messages"]] == [
            "“Summer Cup” is there, as a draft. It is ranked by: FIDE Swiss, FIDE's rules of 2024."
        ]

    def test_rating_kind_is_proposed_once(self, desk: Desk) -> None:
        values = {"time_control": "15+10"}
        asked = create(desk, **values)
        form = asked.context["form"]

        assert asked.status_code == 200
        assert not Event.objects.filter(slug="summer-cup").exists()
        assert form.errors == {}
        assert form["rated_as"].help_text == "Proposed from “15+10”. Check it."
        assert form["rated_as"].field.widget.attrs["autofocus"]
        assert [str(message) for message in asked.context["messages"]] == [
            "Check the proposed values, then press “Create the event” again."
        ]
        assert (form["rated_as"].value(), form["is_asked"].value()) == ("rapid", "1")

        create(desk, **values, is_asked="1", rated_as="")
        event = Event.objects.get(slug="summer-cup")
        assert (event.time_control, event.rated_as) == ("15+10", "")

    def test_time_zone_is_proposed_from_country_and_place(self, desk: Desk) -> None:
        asked = create(desk, place="Leiden", country="ned")
        form = asked.context["form"]

        assert form["time_zone"].help_text == "Proposed from “Leiden, NED”. Check it."
        assert form["time_zone"].value() == "Europe/Amsterdam"
        assert 'value="Europe/Amsterdam" selected' in asked.text

        create(desk, place="Leiden", country="ned", time_zone=form["time_zone"].value(), is_asked="1")
        event = Event.objects.get(slug="summer-cup")
        assert (event.place, event.country, event.time_zone) == ("Leiden", "NED", "Europe/Amsterdam")

    def test_edition_can_be_chosen(self, desk: Desk) -> None:
        create(desk, discipline="chess", start="2024-05-01", unplayed="fide-2026")
        event = Event.objects.get(slug="summer-cup-2024")

        assert (event.system, event.unplayed) == ("fide-swiss", "fide-2026")

    def test_scoring_with_more_results_can_be_chosen(self, desk: Desk) -> None:
        create(desk, scoring="armageddon", discipline="chess")
        event = Event.objects.get(slug="summer-cup")

        assert (event.game_results, event.game_win, event.game_draw) == ("3-0 1½-1", 6, 3)

    def test_all_fields_are_stored(self, desk: Desk) -> None:
        create(
            desk,
            entrants="teams",
            planned_rounds=5,
            boards=6,
            start="2026-07-01",
            place="Utrecht",
            slug="cup-6",
        )
        event = Event.objects.get(slug="cup-6")

        assert (event.planned_rounds, event.boards, event.start, event.place) == (
            5, 6, "2026-07-01", "Utrecht",
        )  # fmt: skip

    @pytest.mark.parametrize(
        ("values", "field"),
        [
            ({"name": ""}, "name"),
            ({"boards": 4}, "boards"),
            ({"start": "soon"}, "start"),
            ({"planned_rounds": 0}, "planned_rounds"),
            ({"discipline": "luck"}, "discipline"),
            ({"unplayed": "fide-2026"}, "unplayed"),
            ({"discipline": "chess", "unplayed": "fmjd"}, "unplayed"),
            ({"slug": "a b"}, "slug"),
            ({"slug": "two-teams"}, "slug"),
            ({"name": "Two Teams"}, "slug"),
            ({"slug": "earlier"}, "slug"),
            ({"name": "Кубок"}, "slug"),
        ],
    )
    def test_contradictions_are_errors_of_their_field(
        self, desk: Desk, values: dict[str, Any], field: str
    ) -> None:
        FormerSlug.objects.create(event=desk.event, slug="earlier")
        answer = create(desk, **values)

        assert list(answer.context["form"].errors) == [field]
        assert Event.objects.count() == 2

    def test_admin_add_view_redirects_to_the_short_form(self, desk: Desk) -> None:
        answer = desk.browser("organiser").get(reverse("admin:tournaments_event_add"))

        assert answer["Location"] == reverse("admin:event-new")

    @pytest.mark.parametrize(
        ("name", "start", "address"),
        [
            ("Summer Cup", "", "summer-cup"),
            ("Summer Cup", "2026-07-01", "summer-cup-2026"),
            ("Summer Cup 2026", "2026", "summer-cup-2026"),
            ("Zürich Öpen", "", "zurich-open"),
            ("Кубок", "2026", ""),
            ("x" * 200, "2026", "x" * 75 + "-2026"),
        ],
    )
    def test_slug_has_name_and_year(self, name: str, start: str, address: str) -> None:
        assert address_for(name, start) == address


class TestClones:
    def test_clone_has_competitors_but_no_rounds(self, desk: Desk) -> None:
        address = reverse("admin:event-clone", args=[desk.event.pk])
        desk.browser("organiser").post(address, {"name": "Cup, again", "slug": "cup-again"})
        copy = Event.objects.get(slug="cup-again")

        assert (copy.name, copy.state, copy.rounds.count()) == ("Cup, again", "draft", 0)
        assert list(copy.competitors.values_list("name", flat=True)) == ["Reds", "Blues", "Greens"]

    def test_malformed_slug_is_not_searched(self, django_assert_num_queries: Any) -> None:
        with django_assert_num_queries(0):  # PostgreSQL raises an error for a NUL
            assert list(AddressForm({"slug": "cup\0"}).errors) == ["slug"]

    def test_taken_slug_is_rejected(self, desk: Desk) -> None:
        address = reverse("admin:event-clone", args=[desk.event.pk])
        answer = desk.browser("organiser").post(address, {"name": "Cup, again", "slug": "two-players"})

        assert list(answer.context["form"].errors) == ["slug"]
        assert Competitor.objects.count() == 5


class TestAddresses:
    def move(self, desk: Desk, slug: str, event: Event | None = None) -> Any:
        """Save the unchanged settings of the event with another slug."""
        return save_settings(desk.browser("organiser"), event or desk.event, slug=slug)

    def test_former_slug_redirects(self, desk: Desk) -> None:
        self.move(desk, "elsewhere")
        answer = desk.browser("nobody").get("/events/two-teams/rounds/1/?notation=2-0")

        assert (answer.status_code, answer["Location"]) == (301, "/events/elsewhere/rounds/1/?notation=2-0")

    def test_former_slug_of_a_once_public_event_redirects(self, desk: Desk) -> None:
        publish(desk.event, "draft", desk.people["organiser"], "Too early.")
        self.move(desk, "elsewhere")

        assert FormerSlug.objects.get().slug == "two-teams"

    def test_draft_that_was_never_public_has_no_former_slug(self, desk: Desk) -> None:
        create(desk)
        self.move(desk, "elsewhere", Event.objects.get(slug="summer-cup"))

        assert Event.objects.filter(slug="elsewhere", name="Summer Cup").exists()
        assert not FormerSlug.objects.exists()

    def test_slug_can_be_changed_back(self, desk: Desk) -> None:
        self.move(desk, "elsewhere")
        self.move(desk, "two-teams")

        assert list(FormerSlug.objects.values_list("slug", flat=True)) == ["elsewhere"]

    def test_former_slug_of_another_event_is_rejected(self, desk: Desk) -> None:
        FormerSlug.objects.create(event=desk.other_event, slug="earlier")
        answer = self.move(desk, "earlier")

        assert answer.context["adminform"].form.errors.keys() == {"slug"}
        assert Event.objects.filter(slug="two-teams").exists()


def test_saving_the_settings_keeps_all_arbiters(desk: Desk) -> None:
    desk.event.arbiters.add(desk.people["organiser"])
    address = reverse("admin:tournaments_event_change", args=[desk.event.pk])
    form = desk.browser("organiser").get(address).context["adminform"].form

    assert [str(account) for account in form.fields["arbiters"].queryset] == ["anna", "olga", "otto"]
