"""Conflicts of two users in a plain form: the second sees both values with their users, and chooses."""

from typing import Any

import pytest
from django.db.models import PositiveSmallIntegerField
from django.urls import reverse

from tests.cast import Desk, Hall, match_file, open_hall
from tests.tournaments.recording.desk import at, typed
from tournaments.admin.history import HALF_POINTS
from tournaments.admin.versions import FieldConflict
from tournaments.models import Competitor, Event, Game, Pairing, Player, Series
from tournaments.recording.locking import lock_row
from tournaments.recording.locking import save as save_row
from tournaments.recording.results.submissions import enter
from tournaments.recording.teams.match_scores import award_match_points

pytestmark = pytest.mark.django_db


@pytest.fixture
def greens(desk: Desk) -> Competitor:
    """The competitor that both users have open."""
    return Competitor.objects.get(event=desk.event, number=3)


def save(desk: Desk, who: str, row: Competitor, **values: Any) -> Any:
    """Post the form with the values of `row`, except for some."""
    form = {"number": row.number, "name": row.name, "code": row.code, "seen": row.version}
    players = {"players-TOTAL_FORMS": 0, "players-INITIAL_FORMS": 0}
    address = reverse("admin:tournaments_competitor_change", args=[row.pk])
    return desk.browser(who).post(address, form | players | values)


def differences(answer: Any) -> list[FieldConflict]:
    """Return the conflicts of the form."""
    return [each for form in answer.context["conflicts"] for each in form.differences]


def stored(row: Competitor) -> Competitor:
    return Competitor.objects.get(pk=row.pk)


def test_save_increases_the_version(desk: Desk, greens: Competitor) -> None:
    assert save(desk, "arbiter", greens, name="Green Team").status_code == 302
    assert (stored(greens).name, stored(greens).version) == ("Green Team", greens.version + 1)


def test_second_save_is_rejected_with_both_values(desk: Desk, greens: Competitor) -> None:
    save(desk, "arbiter", greens, name="Green Team")
    answer = save(desk, "organiser", greens, name="The Greens")
    page = answer.content.decode()

    assert answer.status_code == 200
    assert stored(greens).name == "Green Team"
    assert [(each.stored, each.mine) for each in differences(answer)] == [("Green Team", "The Greens")]
    assert "Green Team – as anna saved it" in page
    assert "The Greens – as you, otto, typed it" in page


@pytest.mark.parametrize(("choice", "name"), [("stored", "Green Team"), ("mine", "The Greens")])
def test_chosen_value_is_saved(desk: Desk, greens: Competitor, choice: str, name: str) -> None:
    save(desk, "arbiter", greens, name="Green Team")
    settled = {"seen": greens.version + 1, "in_conflict": ["name"], "keep_name": choice}
    answer = save(desk, "organiser", greens, **{"name": "The Greens", "code": "GRE"} | settled)

    assert answer.status_code == 302
    assert (stored(greens).name, stored(greens).code) == (name, "GRE")


def test_missing_choice_is_requested_again(desk: Desk, greens: Competitor) -> None:
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


def test_third_save_in_between_is_a_conflict(desk: Desk, greens: Competitor) -> None:
    save(desk, "arbiter", greens, name="Green Team")
    save(desk, "superuser", stored(greens), name="Verdes")
    settled = {"seen": greens.version + 1, "in_conflict": ["name"], "keep_name": "mine"}
    answer = save(desk, "organiser", greens, **{"name": "The Greens"} | settled)

    assert [(each.stored, each.mine) for each in differences(answer)] == [("Verdes", "The Greens")]
    assert stored(greens).name == "Verdes"


def test_only_changed_fields_are_conflicts(desk: Desk, greens: Competitor) -> None:
    save(desk, "arbiter", greens, name="Green Team")
    answer = save(desk, "organiser", greens, code="GRE")

    assert [each.field for each in differences(answer)] == ["name"]


def test_equal_values_are_no_conflict(desk: Desk, greens: Competitor) -> None:
    save(desk, "arbiter", greens, name="Green Team")

    assert save(desk, "organiser", greens, name="Green Team").status_code == 302


def test_form_without_version_is_a_conflict(desk: Desk, greens: Competitor) -> None:
    answer = save(desk, "organiser", greens, name="The Greens", seen="")

    assert len(differences(answer)) == 1
    assert stored(greens).name == "Greens"


def test_inline_rows_have_conflicts_too(desk: Desk, greens: Competitor) -> None:
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


def test_history_has_user_and_changed_fields(desk: Desk, greens: Competitor) -> None:
    save(desk, "arbiter", greens, name="Green Team")
    page = desk.browser("organiser").get(reverse("admin:tournaments_competitor_history", args=[greens.pk]))
    line = page.context["lines"][0]

    assert (line.by, [tuple(change) for change in line.changed]) == (
        "anna",
        [("name", "Greens", "Green Team")],
    )


def changes_of(hall: Hall, model: str, row: Pairing | Event) -> list[tuple[str, str, str]]:
    """Return the changes of the last save in the history."""
    address = reverse(f"admin:tournaments_{model}_history", args=[row.pk])
    return [tuple(change) for change in hall.browser_of("anna").get(address).context["lines"][0].changed]


def test_history_shows_results_as_text() -> None:
    hall = open_hall()
    history_lines = []
    for text in ("2-0", "w", "- +", "", "2-0 g3"):  # an import leaves no history of earlier results
        enter(hall.event, [typed(at(hall.event, 2, 1), text)], hall.people["anna"])
        history_lines += changes_of(hall, "pairing", at(hall.event, 2, 1))

    assert history_lines == [
        ("result", "2-0", "1+ 1-"),
        ("result", "1+ 1-", "- +"),
        ("result", "- +", "(empty)"),
        ("result", "(empty)", "2-0"),
        ("games played", "(empty)", "3"),
    ]


def test_history_shows_half_points_as_points() -> None:
    hall = open_hall(match_file())
    anna, row = hall.people["anna"], at(hall.event, 1, 1)
    enter(hall.event, [typed(row, "1½-1½")], anna)
    row = at(hall.event, 1, 1)
    award_match_points(row, "1½-0", row.version, anna, "A player was ineligible.")
    assert changes_of(hall, "pairing", row) == [("match points", "(empty)", "1½-0")]

    event = lock_row(Event, hall.event.pk, hall.event.version)
    event.match_win, event.bye_game, event.columns = 6, 3, Event.Columns.OLIMPBASE
    event.sources = ["A book, page 7"]
    save_row(event, anna)
    assert changes_of(hall, "event", event) == [
        ("bye game", "(empty)", "1½"),
        ("columns", "in the order in which they decide", "as OlimpBase prints them"),
        ("match win", "2", "3"),
        ("sources", "(empty)", "['A book, page 7']"),
    ]


def test_history_knows_all_fields_of_half_points() -> None:
    counts = {
        *("table", "board", "boards", "games_played", "planned_rounds"),
        *("half_byes", "half_byes_until", "accelerated_to", "players_entry_after"),
    }
    numbers = {
        field.name
        for model in (Event, Pairing, Game)
        for field in model._meta.fields
        if isinstance(field, PositiveSmallIntegerField)
    }

    assert numbers - counts == HALF_POINTS


def test_series_has_conflicts_and_history(desk: Desk) -> None:
    cup = Series.objects.get(slug="cup")
    address = reverse("admin:tournaments_series_change", args=[cup.pk])

    def rename(name: str) -> Any:
        form = {"slug": cup.slug, "name": name, "seen": cup.version}
        return desk.browser("organiser").post(address, form)

    assert rename("The Cups").status_code == 302
    assert [(each.stored, each.mine) for each in differences(rename("Cups"))] == [("The Cups", "Cups")]
    assert Series.objects.get(pk=cup.pk).name == "The Cups"
    assert cup.history.latest().history_user == desk.people["organiser"]
