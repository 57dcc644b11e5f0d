"""The settings of an event: points, and settings that contradict the record."""

from typing import Any
from urllib.parse import urlencode

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from tests.cast import Desk, create_event, open_hall, save_settings
from tournaments.admin.events.events import PARTS
from tournaments.admin.fields import PointsField
from tournaments.models import Competitor, Event, Pairing, Round
from tournaments.recording.events.prizes import PRIZE_RULES

pytestmark = pytest.mark.django_db


def save(desk: Desk, **values: Any) -> Any:
    """Post the settings with some values changed."""
    return save_settings(desk.browser("organiser"), desk.event, **values)


def event_of(desk: Desk) -> Event:
    return Event.objects.get(pk=desk.event.pk)


@pytest.mark.parametrize(
    ("written", "half_points"),
    [("2", 4), ("½", 1), ("1½", 3), ("0.5", 1), ("0,5", 1), ("1.0", 2), (" 0 ", 0), ("", None), (".5", 1)],
)
def test_common_spellings_of_points_are_accepted(written: str, half_points: int | None) -> None:
    assert PointsField("points", required=False).clean(written) == half_points


@pytest.mark.parametrize("written", ["x", "-1", "0.25", "1/2", "½½", "9999", "."])
def test_invalid_points_are_rejected(written: str) -> None:
    with pytest.raises(ValidationError):
        PointsField("points").clean(written)


def test_unchanged_form_saves_nothing(desk: Desk) -> None:
    before = event_of(desk)
    assert save(desk).status_code == 302
    after = event_of(desk)

    assert (after.version, after.game_win, after.game_draw) == (before.version, 2, 1)


def shown_fields(desk: Desk, event: Event, part: str) -> set[str]:
    address = reverse("admin:tournaments_event_change", args=[event.pk])
    page = desk.browser("organiser").get(address, {"part": part})
    return set(page.context["adminform"].form.fields)


def test_each_part_has_the_settings_that_suit_the_kind_of_event(desk: Desk) -> None:
    assert {"name", "arbiters", "boards"} <= shown_fields(desk, desk.event, "event")
    assert shown_fields(desk, desk.event, "bogus") == shown_fields(desk, desk.event, "event")
    assert {"board_order", "match_win", "team_colours", "reason"} <= shown_fields(desk, desk.event, "teams")
    assert "acceleration" in shown_fields(desk, desk.event, "rounds")
    address = reverse("admin:tournaments_event_change", args=[desk.event.pk])
    assert 'href="?part=teams"' in desk.browser("organiser").get(address).text

    Event.objects.filter(pk=desk.event.pk).update(schedule="round-robin", half_byes=1)
    assert "half_byes" in shown_fields(desk, desk.event, "rounds")  # a stored value can be changed
    assert "team_colours" not in shown_fields(desk, desk.event, "teams")
    assert {"acceleration", "forbidden_pairs"}.isdisjoint(shown_fields(desk, desk.event, "rounds"))
    players = create_event("players")
    assert "boards" in shown_fields(desk, players, "event")  # it can become an event of teams
    Competitor.objects.create(event=players, number=1, name="Ann")
    assert "boards" not in shown_fields(desk, players, "event")
    assert shown_fields(desk, players, "teams") == shown_fields(desk, players, "event")
    team_settings = {"board_order", "team_colours", "match_win", "bye_match", "primary", "teams_are"}
    assert team_settings.isdisjoint(set().union(*(shown_fields(desk, players, part) for part in PARTS)))
    address = reverse("admin:tournaments_event_change", args=[players.pk])
    assert 'href="?part=teams"' not in desk.browser("organiser").get(address).text


def test_every_setting_is_in_one_part(desk: Desk) -> None:
    parts = [shown_fields(desk, desk.event, part) for part in PARTS]
    repeated = {"seen", "reason", "after"}
    assert sum(len(part - repeated) for part in parts) == len(set().union(*parts) - repeated)
    elsewhere = {"system", "criteria", "trf", "state", "start_order", "start_seed", "entrants"}
    elsewhere |= {"categories", *PRIZE_RULES, "prizes"}
    editable = {field.name for field in Event._meta.get_fields() if getattr(field, "editable", False)}
    assert editable - set().union(*parts) - elsewhere == {"id", "version"} & editable


@pytest.mark.parametrize(
    ("back", "leads_to"),
    [
        ("/admin/events/1/rounds/1/close/?a=é", "/admin/events/1/rounds/1/close/?a=%C3%A9"),
        ("https://example.org/admin/", None),
        ("//example.org/admin/", None),
    ],
)
def test_saving_returns_to_the_previous_screen(desk: Desk, back: str, leads_to: str | None) -> None:
    address = reverse("admin:tournaments_event_change", args=[desk.event.pk])
    posted = {"places": "blank", "cell_number": "place", "columns": "deciding", "seen": 1}
    query = urlencode({"part": "publication", "back": back})
    answer = desk.browser("organiser").post(f"{address}?{query}", posted)
    assert answer.headers["Location"] == (leads_to or reverse("admin:event-desk", args=[desk.event.pk]))
    again = desk.browser("organiser").post(f"{address}?{query}", posted | {"seen": 2, "_continue": "1"})
    assert again.headers["Location"] == f"{address}?{query}"


def test_add_another_competitor_does_not_return(desk: Desk) -> None:
    query = urlencode({"event": desk.event.pk, "back": "/admin/"})
    address = f"{reverse('admin:tournaments_competitor_add')}?{query}"
    form = desk.browser("organiser").get(address).context["adminform"].form
    posted = {name: form.get_initial_for_field(field, name) or "" for name, field in form.fields.items()}
    posted |= {"event": desk.event.pk, "number": 90, "name": "Eva", "_addanother": "1"}
    answer = desk.browser("organiser").post(address, posted)
    assert answer.status_code == 302, answer.context["errors"]
    assert answer.headers["Location"] != "/admin/"


def test_screens_of_several_actions_stay_open() -> None:
    hall = open_hall()
    pairing = hall.event.rounds.get(number=2).pairings.get(table=1)
    for address, values in [
        (hall.address("results", 2), {"note": pairing.pk, f"note-{pairing.pk}": "Late."}),
        (hall.address("event-rounds"), {"number": 3, "anyway": 1}),
    ]:
        answer = hall.browser.post(f"{address}?back=/admin/", values)
        assert answer.status_code == 302
        assert answer.headers["Location"] != "/admin/"


def test_links_to_other_screens_lead_back(desk: Desk) -> None:
    screen = f"{reverse('admin:tournaments_event_change', args=[desk.event.pk])}?part=rounds"
    page = desk.browser("organiser").get(screen).text
    dates = reverse("admin:event-dates", args=[desk.event.pk])
    assert f'href="{dates}?{urlencode({"back": screen})}"' in page


def test_save_and_continue_stays_in_the_part(desk: Desk) -> None:
    address = f"{reverse('admin:tournaments_event_change', args=[desk.event.pk])}?part=publication"
    posted = {"places": "blank", "cell_number": "place", "columns": "deciding", "seen": 1, "_continue": "1"}
    answer = desk.browser("organiser").post(address, posted)
    assert (answer.status_code, answer["Location"]) == (302, address)


def test_points_are_shown_and_saved(desk: Desk) -> None:
    address = reverse("admin:tournaments_event_change", args=[desk.event.pk])
    page = desk.browser("organiser").get(f"{address}?part=rules")
    shown = page.context["adminform"].form
    save(desk, bye_game="1½", match_win="3", match_draw="1", reason="So say the regulations.")

    assert [shown[name].value() for name in ("game_win", "game_draw", "game_loss")] == ["1", "½", "0"]
    assert (event_of(desk).bye_game, event_of(desk).match_win, event_of(desk).match_draw) == (3, 6, 2)


def test_conflict_shows_half_points_as_points(desk: Desk) -> None:
    Event.objects.filter(pk=desk.event.pk).update(match_win=5, version=9)
    answer = save(desk, match_win="3", seen=1)

    (difference,) = answer.context["conflicts"][0].differences
    assert (difference.stored, difference.mine) == ("2½", "3")


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"boards": 1}, "fit these settings"),
        ({"game_win": "1½", "game_draw": "1", "game_loss": "½"}, "fit these settings"),
        ({"planned_rounds": 1}, "fit these settings"),
    ],
)
def test_settings_that_contradict_results_are_rejected(desk: Desk, values: dict[str, Any], why: str) -> None:
    second = Round.objects.get(event=desk.event, number=2)
    reds = Competitor.objects.get(event=desk.event, number=1)
    Pairing.objects.create(round=second, table=1, first=reds, kind="bye", first_score=4)
    answer = save(desk, **values)

    assert why in str(answer.context["adminform"].form.non_field_errors())
    assert event_of(desk).version == desk.event.version


def test_settings_that_contradict_a_draft_name_the_round(desk: Desk) -> None:
    second = Round.objects.get(event=desk.event, number=2)
    reds = Competitor.objects.get(event=desk.event, number=1)
    Pairing.objects.all().delete()
    Pairing.objects.create(round=second, table=4, first=reds, kind="bye", first_score=4)
    for state, why in (
        ("published", "Round 2, table 4: 2 for a bye cannot be"),
        ("draft", "Round 2 is a draft: take table 4 out with ×, save, and propose it again."),
    ):
        Round.objects.filter(pk=second.pk).update(state=state)
        assert why in str(save(desk, boards=1).context["adminform"].form.non_field_errors())


def test_event_of_teams_cannot_become_an_event_of_players(desk: Desk) -> None:
    save(desk, entrants="players", boards="", name="Cup of All")

    assert event_of(desk).entrants == "teams"


def test_officials_are_rows(desk: Desk) -> None:
    for row in ({"role": "chief", "title": "IA"}, {"role": "", "name": "Ann"}):
        refused = save(desk, officials=[row])
        assert "Correct the marked rows." in refused.content.decode()
    chief = {"role": "chief", "title": "IA", "name": "Jansen, Piet", "fide_id": 1234567}
    save(desk, officials=[chief, {"role": "deputy", "name": "Bea"}], time_control="90 + 30")

    stored = event_of(desk)
    assert stored.officials == [
        {"role": "chief", "title": "IA", "name": "Jansen, Piet", "fide_id": 1234567},
        {"role": "deputy", "title": "", "name": "Bea", "fide_id": None},
    ]
    assert stored.time_control == "90 + 30"
    version = stored.version
    save(desk)
    assert event_of(desk).version == version


def test_proposed_rating_kind_is_not_stored_by_saving(desk: Desk) -> None:
    Event.objects.filter(pk=desk.event.pk).update(time_code="300+3")
    address = reverse("admin:tournaments_event_change", args=[desk.event.pk])
    page = desk.browser("organiser").get(address).content.decode()
    assert "Not stated. Proposed from “300+3”: blitz." in page
    save(desk, place="Leiden")
    assert (event_of(desk).place, event_of(desk).rated_as) == ("Leiden", "")
    save(desk, rated_as="blitz", ratings_from="local")
    assert (event_of(desk).rated_as, event_of(desk).ratings_from) == ("blitz", "local")
    assert "Not stated." not in desk.browser("organiser").get(address).content.decode()


def test_unknown_time_zone_is_rejected(desk: Desk) -> None:
    refused = save(desk, time_zone="Amsterdam")
    assert "is no time zone. Write a name of the IANA" in refused.content.decode()
    save(desk, time_zone="Europe/Amsterdam")
    assert event_of(desk).time_zone == "Europe/Amsterdam"


class TestPairing:
    def test_pairing_settings_are_saved(self, desk: Desk) -> None:
        pairs = [{"competitors": "2, 1"}, {"competitors": "1 3", "first_round": 1, "last_round": 2}]
        values = {"initial_colour": "black", "acceleration": "baku", "accelerated_to": "2"}
        save(desk, forbidden_pairs=pairs, team_colours="type-b", **values)
        event = event_of(desk)

        assert (event.initial_colour, event.acceleration, event.accelerated_to) == ("black", "baku", 2)
        assert event.team_colours == "type-b"
        assert event.forbidden_pairs == [
            {"competitors": [1, 2], "first_round": 0, "last_round": 0},
            {"competitors": [1, 3], "first_round": 1, "last_round": 2},
        ]
        version = event.version
        assert save(desk).status_code == 302
        assert event_of(desk).version == version

    @pytest.mark.parametrize(
        ("typed", "why"),
        [
            ({"competitors": "Reds"}, "“Reds” is not a start number"),
            ({"competitors": "4 4"}, "Write two or more numbers"),
            ({"competitors": "1 77"}, "There is no competitor 77"),
            ({"competitors": "1 2", "first_round": 2, "last_round": 1}, "It ends (round 1) before it begins"),
            ({"competitors": "1 2", "last_round": 9}, "9"),
        ],
    )
    def test_invalid_forbidden_pairs_are_rejected(self, desk: Desk, typed: dict[str, Any], why: str) -> None:
        answer = save(desk, forbidden_pairs=[typed])

        assert why in answer.content.decode()
        assert event_of(desk).forbidden_pairs == []


def test_unknown_facts_are_saved(desk: Desk) -> None:
    save(desk, unknown=["round_order", "colours"])
    assert event_of(desk).unknown == ["colours", "round_order"]
    assert not event_of(desk).knows_round_order

    save(desk, unknown=[])
    assert event_of(desk).unknown == []
