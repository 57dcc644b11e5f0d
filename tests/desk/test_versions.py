"""Two people at one plain form: the second sees both values and both names, and chooses."""

from typing import Any

import pytest
from django.urls import reverse

from tests.desk.cast import Desk
from tournaments.admin.versions import Difference
from tournaments.models import Competitor, Player, Series

pytestmark = pytest.mark.django_db


@pytest.fixture
def greens(desk: Desk) -> Competitor:
    """The competitor that both have open."""
    return Competitor.objects.get(event=desk.event, number=3)


def save(desk: Desk, who: str, row: Competitor, **values: Any) -> Any:
    """Post the form as `row` stood when it was opened, but for some values."""
    form = {"number": row.number, "name": row.name, "code": row.code, "seen": row.version}
    players = {"players-TOTAL_FORMS": 0, "players-INITIAL_FORMS": 0}
    address = reverse("admin:tournaments_competitor_change", args=[row.pk])
    return desk.browser(who).post(address, form | players | values)


def differences(answer: Any) -> list[Difference]:
    """What the form that came back asks to choose."""
    return [each for form in answer.context["conflicts"] for each in form.differences]


def stored(row: Competitor) -> Competitor:
    return Competitor.objects.get(pk=row.pk)


def test_a_save_raises_the_version(desk: Desk, greens: Competitor) -> None:
    assert save(desk, "arbiter", greens, name="Green Team").status_code == 302
    assert (stored(greens).name, stored(greens).version) == ("Green Team", greens.version + 1)


def test_the_second_save_changes_nothing_and_shows_both(desk: Desk, greens: Competitor) -> None:
    save(desk, "arbiter", greens, name="Green Team")
    answer = save(desk, "organiser", greens, name="The Greens")
    page = answer.content.decode()

    assert answer.status_code == 200
    assert stored(greens).name == "Green Team"
    assert [(each.stored, each.mine) for each in differences(answer)] == [("Green Team", "The Greens")]
    assert "Green Team – as anna saved it" in page
    assert "The Greens – as you, otto, typed it" in page


@pytest.mark.parametrize(("choice", "name"), [("stored", "Green Team"), ("mine", "The Greens")])
def test_what_was_chosen_is_saved(desk: Desk, greens: Competitor, choice: str, name: str) -> None:
    save(desk, "arbiter", greens, name="Green Team")
    settled = {"seen": greens.version + 1, "in_conflict": ["name"], "keep_name": choice}
    answer = save(desk, "organiser", greens, **{"name": "The Greens", "code": "GRE"} | settled)

    assert answer.status_code == 302
    assert (stored(greens).name, stored(greens).code) == (name, "GRE")


def test_no_choice_is_asked_again(desk: Desk, greens: Competitor) -> None:
    save(desk, "arbiter", greens, name="Green Team")
    answer = save(
        desk,
        "organiser",
        greens,
        name="The Greens",
        seen=greens.version + 1,
        in_conflict=["name"],
    )

    assert len(differences(answer)) == 1
    assert stored(greens).name == "Green Team"


def test_a_third_save_in_between_is_seen_too(desk: Desk, greens: Competitor) -> None:
    save(desk, "arbiter", greens, name="Green Team")
    save(desk, "superuser", stored(greens), name="Verdes")
    settled = {"seen": greens.version + 1, "in_conflict": ["name"], "keep_name": "mine"}
    answer = save(desk, "organiser", greens, **{"name": "The Greens"} | settled)

    assert [(each.stored, each.mine) for each in differences(answer)] == [("Verdes", "The Greens")]
    assert stored(greens).name == "Verdes"


def test_only_what_was_saved_meanwhile_is_asked(desk: Desk, greens: Competitor) -> None:
    save(desk, "arbiter", greens, name="Green Team")
    answer = save(desk, "organiser", greens, code="GRE")

    assert [each.field for each in differences(answer)] == ["name"]


def test_the_same_value_twice_is_no_question(desk: Desk, greens: Competitor) -> None:
    save(desk, "arbiter", greens, name="Green Team")

    assert save(desk, "organiser", greens, name="Green Team").status_code == 302


def test_a_form_that_names_no_version_is_stale(desk: Desk, greens: Competitor) -> None:
    answer = save(desk, "organiser", greens, name="The Greens", seen="")

    assert len(differences(answer)) == 1
    assert stored(greens).name == "Greens"


def test_a_row_of_an_inline_is_held_the_same_way(desk: Desk, greens: Competitor) -> None:
    player = Player.objects.filter(competitor=greens).first()
    assert player
    row = {
        "players-TOTAL_FORMS": 1,
        "players-INITIAL_FORMS": 1,
        "players-0-id": player.pk,
        "players-0-competitor": greens.pk,
        "players-0-board": player.board,
        "players-0-seen": player.version,
    }
    save(desk, "arbiter", greens, **row | {"players-0-name": "Gus"})
    answer = save(desk, "organiser", greens, **row | {"players-0-name": "Gert"})

    assert [(each.stored, each.mine) for each in differences(answer)] == [("Gus", "Gert")]
    assert Player.objects.get(pk=player.pk).name == "Gus"


def test_the_history_says_who_changed_what_from_what(desk: Desk, greens: Competitor) -> None:
    save(desk, "arbiter", greens, name="Green Team")
    page = desk.browser("organiser").get(reverse("admin:tournaments_competitor_history", args=[greens.pk]))
    line = page.context["lines"][0]

    assert (line.by, [tuple(change) for change in line.changed]) == (
        "anna",
        [("name", "Greens", "Green Team")],
    )


def test_a_series_is_protected_as_well_and_keeps_its_past(desk: Desk) -> None:
    cup = Series.objects.get(slug="cup")
    address = reverse("admin:tournaments_series_change", args=[cup.pk])

    def rename(name: str) -> Any:
        form = {"slug": cup.slug, "name": name, "seen": cup.version}
        return desk.browser("organiser").post(address, form)

    assert rename("The Cups").status_code == 302
    assert [(each.stored, each.mine) for each in differences(rename("Cups"))] == [("The Cups", "Cups")]
    assert Series.objects.get(pk=cup.pk).name == "The Cups"
    assert cup.history.latest().history_user == desk.people["organiser"]
